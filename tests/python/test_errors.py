"""Errors say which file, where in it, what is allowed, what to try."""

import copy
import io
import pickle

import pandas
import polars
import pyarrow
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


@pytest.mark.parametrize("wrong", [7, object(), None, [], [[]], iter([]), "{}", "id,answer\n1,a", "\ud800"])
def test_what_is_no_file(example, wrong):
    for given in ((wrong, example / "aurora.json"), (example / "gold.json", wrong)):
        with pytest.raises(qassay.InputError):
            qassay.evaluate(*given)


def deep():
    answers = []
    for _ in range(100_000):
        answers = [answers]
    return answers


def cyclic():
    answers = []
    answers.append(answers)
    return answers


@pytest.mark.parametrize("answers", [deep, cyclic, lambda: [float("nan")], lambda: ["\ud800"], lambda: [object()], lambda: {("a",): 1}])
def test_what_is_no_json(example, answers):
    with pytest.raises(qassay.InputError, match="this is no JSON"):
        qassay.evaluate(example / "gold.json", [{"id": "1", "answers": answers()}])


@pytest.mark.parametrize("name", ["threads", "timeout", "max_rows", "memory", "jobs"])
@pytest.mark.parametrize("value", [0, -1, 1 << 31, 10**30, 1.5, "4", True])
def test_numbers_have_bounds(example, name, value):
    with pytest.raises(qassay.InputError) as raised:
        qassay.evaluate(example / "gold.json", example / "aurora.json", **{name: value})
    assert raised.value.place == name and raised.value.allowed.startswith("a whole number from 1 to ")


@pytest.mark.parametrize("name", ["profile", "system", "links", "experiment", "gold_answers", "kb", "archive", "base"])
@pytest.mark.parametrize("value", [b"bytes", object(), "half \ud800"])
def test_words_are_texts(example, name, value):
    with pytest.raises(qassay.InputError) as raised:
        qassay.evaluate(example / "gold.json", example / "aurora.json", **{name: value})
    assert raised.value.place == name


def test_what_nobody_has(example):
    with pytest.raises(qassay.InputError) as raised:
        qassay.evaluate("qald-99-train", example / "aurora.json")
    assert raised.value.file == "qald-99-train" and "qald-9-train" in raised.value.allowed
    results = qassay.evaluate(example / "gold.json", example / "aurora.json", profile=None)
    with pytest.raises(qassay.InputError, match="no question `99`") as raised:
        results.explain("99")
    assert raised.value.allowed.startswith("1, 2, ")
    with pytest.raises(qassay.InputError, match="experiment type `X`"):
        results.explain("1", "X")
    with pytest.raises(qassay.InputError):
        results.explain("\ud800")
    with pytest.raises(qassay.InputError, match="there are no answers"):
        qassay.evaluate(example / "gold.json", [])


def test_a_place_that_cannot_be_written(example, tmp_path):
    place = tmp_path / "file"
    place.write_text("no folder")
    with pytest.raises(qassay.Error):
        qassay.evaluate(example / "gold.json", example / "aurora.json", archive=place)
    assert place.read_text() == "no folder"


def test_what_a_table_lacks_is_told(example):
    frames = {
        "it has none": [pandas.DataFrame(), polars.DataFrame(), pyarrow.table({})],
        "it has x, answer": [kind({"x": ["1"], "answer": ["a"]}) for kind in (pandas.DataFrame, polars.DataFrame, pyarrow.table)],
        "it has 0, 1": [pandas.DataFrame([["1", "a"]])],
    }
    for hint, tables in frames.items():
        for frame in tables:
            with pytest.raises(qassay.InputError, match="which question a row is about") as raised:
                qassay.evaluate(example / "gold.json", frame)
            assert (raised.value.place, raised.value.hint) == ("answers", hint) and raised.value.allowed.startswith("a column id, ")
    with pytest.raises(qassay.InputError, match="two columns `answer`"):
        qassay.check(pandas.DataFrame([["1", "a", "b"]], columns=["id", "answer", "answer"]))
    # However it is called.
    assert qassay.check(pandas.DataFrame([["1", "a"]], columns=["QID", "Answer"])).view["format"] == "csv"


@pytest.mark.parametrize(("wrong", "hint"), [(io.BytesIO(b"{}"), "read()"), (iter([]), "list("), (pandas.Series(["a"]), "to_frame()")])
def test_what_would_be_a_file(example, wrong, hint):
    with pytest.raises(qassay.InputError) as raised:
        qassay.evaluate(example / "gold.json", wrong)
    assert hint in raised.value.hint


def test_what_is_neither_true_nor_false(example, tmp_path):
    gold, aurora = example / "gold.json", example / "aurora.json"
    for place, call in {
        "groups": lambda: qassay.evaluate(gold, aurora, groups="no"),
        "lossy": lambda: qassay.convert(gold, "csv", lossy=1),
        "resume": lambda: qassay.ask(gold, len, resume="yes", archive=tmp_path),
        "words": lambda: qassay.datasets(b"qald"),
    }.items():
        with pytest.raises(qassay.InputError) as raised:
            call()
        assert raised.value.place == place and raised.value.allowed


def test_what_other_processes_can_be_given(example):
    results = qassay.evaluate(example / "gold.json", example / "aurora.json")
    explained = results.explain(1)
    again = pickle.loads(pickle.dumps(explained))
    assert (again, again.parts, type(again)) == (explained, explained.parts, qassay.Explanation)
    with pytest.raises(TypeError, match="`json`"):
        pickle.dumps(results)
    assert copy.copy(results).json == results.json
    with pytest.raises(qassay.InputError) as raised:
        results.explain("99")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.allowed) == (str(raised.value), raised.value.allowed)
    asked = pickle.loads(pickle.dumps(qassay.check(example / "gold.json")))
    assert asked.view["format"] == "qald-json"
