"""The build backend: maturin, after the program `qassay` is built, which the wheel has beside the module. Metadata are those of
the wheel: maturin makes none without the program."""

import gzip
import io
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import maturin
from maturin import (  # noqa: F401
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)

HERE = Path(__file__).resolve().parent
# In a source distribution pyproject.toml is on top, and this file beside it.
PROJECT = HERE if (HERE / "Cargo.lock").exists() else HERE.parent.parent
#: What is installed beside Python: a folder beside pyproject.toml, which names it; a build runs there.
SCRIPTS = Path("wheel-data", "scripts")


def _program() -> None:
    """Builds the program with the profile of the module, and puts it where pyproject.toml says that scripts are."""
    profile = os.environ.get("QASSAY_WHEEL_PROFILE", "release")
    target = Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target"))
    subprocess.run(["cargo", "build", "--locked", "--bin", "qassay", "--profile", profile], cwd=PROJECT, check=True)
    name = "qassay.exe" if os.name == "nt" else "qassay"
    shutil.rmtree(SCRIPTS, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    shutil.copy2(target / ("debug" if profile == "dev" else profile) / name, SCRIPTS / name)
    os.environ["MATURIN_PEP517_ARGS"] = f"--locked --profile {profile}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):  # type: ignore[no-untyped-def]
    _program()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):  # type: ignore[no-untyped-def]
    _program()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):  # type: ignore[no-untyped-def]
    # maturin wants the folder, and packs nothing of it.
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    name = maturin.build_sdist(sdist_directory, config_settings)
    path, content = Path(sdist_directory, name), Path(__file__).read_bytes()
    unpacked = io.BytesIO(gzip.decompress(path.read_bytes()))
    with tarfile.open(fileobj=unpacked, mode="a") as packed:
        about = tarfile.TarInfo(f"{name.removesuffix('.tar.gz')}/{Path(__file__).name}")
        about.size = len(content)
        packed.addfile(about, io.BytesIO(content))
    path.write_bytes(gzip.compress(unpacked.getvalue(), mtime=0))
    return name
