"""Every block of src/python/README.md runs, in its order, in one place."""

import re
import shutil

import pytest

from conftest import EXAMPLE, PROJECT

README = PROJECT / "src" / "python" / "README.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_every_block_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("inspect_ai")
    folder = tmp_path / "example"
    shutil.copytree(EXAMPLE, folder)
    monkeypatch.chdir(folder)
    names: dict[str, object] = {"__name__": "readme"}
    said = [""]
    for number, (language, block) in enumerate(BLOCKS):
        if language == "python":
            exec(compile(block, f"block {number} of README.md", "exec"), names)
            said.append(capsys.readouterr().out)
        elif language == "text":
            # What the block before it prints; an ellipsis stands for the rest.
            told, _, rest = block.partition("…\n")
            assert said[-1].startswith(told) and not rest and (said[-1] == told) == ("…" not in block)
        else:
            # `.ci/python` installs as this says; nothing else is for a shell.
            assert (language, block) == ("sh", "pip install ./src/python\n")
    assert sum(language == "python" for language, _ in BLOCKS) >= 10
    assert "qassay-example, profile qassay" in "".join(said) and "<Asked system: " in "".join(said)
