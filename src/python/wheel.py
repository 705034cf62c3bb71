"""The build backend: maturin, after the program `qassay` is built, which the wheel has beside the module. Metadata are those of
the wheel: maturin makes none without the program."""

import os
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import (  # noqa: F401
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent


def _program() -> None:
    """Builds the program with the profile of the module, and puts it where pyproject.toml says that scripts are."""
    profile = os.environ.get("QASSAY_WHEEL_PROFILE", "release")
    target = Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target"))
    subprocess.run(["cargo", "build", "--locked", "--bin", "qassay", "--profile", profile], cwd=PROJECT, check=True)
    name = "qassay.exe" if os.name == "nt" else "qassay"
    scripts = PROJECT / "target" / "wheel-data" / "scripts"
    shutil.rmtree(scripts, ignore_errors=True)
    scripts.mkdir(parents=True)
    shutil.copy2(target / ("debug" if profile == "dev" else profile) / name, scripts / name)
    os.environ["MATURIN_PEP517_ARGS"] = f"--locked --profile {profile}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):  # type: ignore[no-untyped-def]
    _program()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):  # type: ignore[no-untyped-def]
    _program()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)
