"""Errors say which file, where in it, what is allowed, what to try."""

import pytest

import qassay


def test_a_missing_file(example):
    with pytest.raises(qassay.InputError) as raised:
        qassay.evaluate(example / "gold.json", "nobody.json")
    assert raised.value.file == "nobody.json" and "no such file" in str(raised.value)
    assert isinstance(raised.value, ValueError) and isinstance(raised.value, qassay.Error)


def test_a_broken_file_from_memory(example):
    with pytest.raises(qassay.InputError) as raised:
        qassay.evaluate(b'{"questions": [{"id": 1,}]}', example / "aurora.json")
    assert raised.value.file == "gold" and "line 1" in (raised.value.place or str(raised.value))


def test_the_program_says_the_same(example, said):
    with pytest.raises(qassay.InputError) as raised:
        qassay.evaluate(example / "gold.json", example / "aurora.json", profile="nobody")
    printed = said("-q", "evaluate", example / "gold.json", example / "aurora.json", "--profile", "nobody", fails=True)
    assert str(raised.value) in printed


def test_words_are_those_of_python(example):
    with pytest.raises(qassay.InputError) as raised:
        qassay.evaluate(example / "gold.json", example / "aurora.json", loader="x")
    assert raised.value.place == "loader" and raised.value.allowed.startswith("plain, ")
    with pytest.raises(qassay.InputError, match="there is no option `linx`") as raised:
        qassay.evaluate(example / "gold.json", example / "aurora.json", linx="x")
    assert "links" in raised.value.allowed
    with pytest.raises(qassay.InputError) as raised:
        qassay.evaluate(example / "gold.json", [example / "aurora.json"] * 2)
    assert "`system" in raised.value.hint and "--system" not in raised.value.hint


@pytest.mark.parametrize("wrong", [7, object(), [], [[]]])
def test_what_is_no_file(example, wrong):
    with pytest.raises(qassay.InputError):
        qassay.evaluate(wrong, example / "aurora.json")


def test_a_place_that_cannot_be_written(example, tmp_path):
    place = tmp_path / "file"
    place.write_text("no folder")
    with pytest.raises(qassay.Error):
        qassay.evaluate(example / "gold.json", example / "aurora.json", archive=place)
    assert place.read_text() == "no folder"
