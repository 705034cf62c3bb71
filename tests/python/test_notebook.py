"""The notebook of the example, executed."""

import json
import shutil

import pytest

from conftest import EXAMPLE


def test_the_story(tmp_path):
    nbclient = pytest.importorskip("nbclient", reason="no nbclient here: nobody executes the notebook")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    folder = tmp_path / "example"
    shutil.copytree(EXAMPLE, folder)
    written = nbformat.read(EXAMPLE / "story.ipynb", as_version=4)
    nbformat.validate(written)
    # It is kept without what came of it, which is made anew.
    assert all(not cell.get("outputs") for cell in written.cells)
    done = nbclient.NotebookClient(written, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    shown = [output for cell in done.cells for output in cell.get("outputs", [])]
    assert any("<svg" in "".join(one.get("data", {}).get("text/html", "")) for one in shown)
    assert sum("data" in one for one in shown) >= 7
    assert "True" in json.dumps(shown[-1])
