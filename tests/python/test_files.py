"""check, convert, datasets."""

import json

import pytest

import qassay


def test_check(example, said):
    checked = qassay.check(example / "borealis.json")
    assert checked.json == said("-q", "check", example / "borealis.json", "--format", "json")
    assert str(checked) == said("-q", "check", example / "borealis.json")
    assert checked.issues and checked.quads.count("\n") > 10
    assert repr(checked) == str(checked)


def test_what_is_shown_of_a_report_is_short():
    checked = qassay.check([{"id": "1", "answers": ["a"]}] * 1000)
    answers = qassay.check([{"id": str(number), "answers": ["http://e/a", "http://e/a"]} for number in range(500)])
    for one in (checked, answers):
        assert repr(one).count("\n") <= 60
    assert "lines more: print(" in repr(answers) and len(answers.issues) >= 500


def test_convert(example, said, tmp_path):
    out = tmp_path / "gold.nq"
    said("-q", "convert", example / "gold.json", out)
    assert qassay.convert(example / "gold.json", "n-quads") == qassay.convert(example / "gold.json", "nq") == out.read_bytes()
    with pytest.raises(qassay.InputError, match="cannot hold all of it") as raised:
        qassay.convert(example / "gold.json", "csv")
    assert "`lossy`" in raised.value.hint
    lossy = qassay.convert(example / "gold.json", "csv", lossy=True)
    assert lossy.startswith(b"id,") and lossy.lost
    with pytest.raises(qassay.InputError, match="no format `x`"):
        qassay.convert(example / "gold.json", "x")


def test_datasets(said, tmp_path):
    listed = qassay.datasets(archive=tmp_path)
    assert listed == json.loads(said("-q", "datasets", "--format", "json", "--archive", tmp_path))
    assert [one["name"] for one in qassay.datasets("qald-9-train")] == ["qald-9-train"]
