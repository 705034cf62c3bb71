"""Where the program `qassay` of this wheel is: its processes answer queries."""

from __future__ import annotations

import os
from functools import cache
from importlib import metadata

from qassay import _native
from qassay._errors import MachineError


@cache
def program() -> str:
    """The path of the program: the one that the wheel installed, or what the variable QASSAY_PROGRAM names."""
    named = os.environ.get("QASSAY_PROGRAM")
    if named:
        return named
    try:
        files = metadata.files("qassay") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name in ("qassay", "qassay.exe"):
            path = os.path.realpath(str(file.locate()))
            if os.access(path, os.X_OK):
                return path
    raise MachineError(
        "the program `qassay` was not installed with the module.\nhint: the variable QASSAY_PROGRAM names it",
        hint="the variable QASSAY_PROGRAM names it",
    )


@cache
def ready() -> None:
    """Says once where the program is."""
    _native.use_program(program())
