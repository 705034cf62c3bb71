"""What the tests of the Python module share. `.ci/python` runs them with the installed wheel."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import qassay

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLE = PROJECT / "datasets" / "example"


@pytest.fixture
def example() -> Path:
    """The folder of the example."""
    return EXAMPLE


@pytest.fixture
def said():
    """What the program prints; it is the one that the module uses."""

    def run(*words: object, fails: bool = False) -> str:
        done = subprocess.run([qassay.program(), *map(str, words)], capture_output=True, text=True)
        assert (done.returncode != 0) == fails, done.stderr
        return done.stderr if fails else done.stdout

    return run
