"""Evaluations: the numbers and the bytes of the command line, whatever the files are given as."""

import json
import shutil
import sys

import pandas
import polars
import pyarrow
import pytest

import qassay


def test_it_is_what_the_program_prints(example, said, tmp_path):
    files = [example / name for name in ("gold.json", "aurora.json", "borealis.json")]
    results = qassay.evaluate(files[0], files[1:], archive=tmp_path / "python")
    printed = said("-q", "evaluate", *files, "--format", "json", "--archive", tmp_path / "program")
    assert results.json == printed
    assert [one.system for one in results] == ["aurora", "borealis"]
    assert results["aurora"].evaluation.startswith("https://w3id.org/qassay/evaluation/")
    assert "aurora" in results and results[1] in results and "nobody" not in results and 7 not in results
    # What is kept is the same, but for when and by which process.
    graphs = lambda name: {one["iri"] for one in qassay.Archive(tmp_path / name).evaluations()}
    assert graphs("python") == graphs("program") == {one.evaluation for one in results}
    said("-q", "verify", "--archive", tmp_path / "python")


def test_options_are_those_of_the_command(example, said):
    gold, aurora = example / "gold.json", example / "aurora.json"
    results = qassay.evaluate(
        gold, aurora, profile=["qassay", "gerbil"], links=example / "same-as.nt", same_as="closure", experiment=["QA", "AT"]
    )
    words = ["--profile", "qassay,gerbil", "--links", example / "same-as.nt", "--same-as", "closure", "--experiment", "QA,AT"]
    assert results.json == said("-q", "evaluate", gold, aurora, *words, "--format", "json", "--no-archive")
    assert results.differences and {one.profile for one in results} == {"qassay", "gerbil"}
    with pytest.raises(qassay.InputError, match="these are 2 evaluations"):
        results.measures


@pytest.mark.parametrize("give", [lambda path: path, str, lambda path: path.read_bytes(), lambda path: json.loads(path.read_bytes())])
def test_paths_bytes_and_dicts(example, give):
    path = qassay.evaluate(example / "gold.json", example / "aurora.json")
    given = qassay.evaluate(give(example / "gold.json"), give(example / "aurora.json"), system="aurora")
    assert given.measures == path.measures
    if not isinstance(give(example / "gold.json"), dict):
        # The same bytes are the same evaluation.
        assert given.evaluation == path.evaluation


GOLD = [
    {"id": "1", "question": "Which rivers?", "answers": ["http://e/a", "http://e/b"]},
    {"id": "2", "question": "How many?", "answers": ["3"]},
]
ANSWERS = [{"id": "1", "answers": ["http://e/a"]}, {"id": "2", "answers": ["3"]}]
ROWS = {"id": ["1", "2"], "answer": ["http://e/a", "3"]}


def test_records_and_frames_say_the_same(tmp_path):
    by_records = qassay.evaluate(GOLD, ANSWERS, system="mine").measures["QA"]
    assert by_records["macroRecall"] == 0.75 and by_records["macroPrecision"] == 1
    frames = [
        pandas.DataFrame(ROWS),
        pandas.DataFrame(ROWS).set_index("id"),
        polars.DataFrame(ROWS),
        pyarrow.table(ROWS),
        pandas.DataFrame({"id": ["1", "2"], "answers": [["http://e/a"], ["3"]]}),
        polars.DataFrame({"id": ["1", "2"], "answers": [["http://e/a"], ["3"]]}),
        pyarrow.table({"id": ["1", "2"], "answers": [["http://e/a"], ["3"]]}),
    ]
    for frame in frames:
        assert qassay.evaluate(GOLD, frame, system="mine").measures["QA"] == by_records
    both = qassay.evaluate(GOLD, [ANSWERS, frames[0]], system=["one", "two"])
    assert [one.measures["QA"]["macroF1"] for one in both] == [by_records["macroF1"]] * 2


def test_the_same_rows_are_the_same_bytes(monkeypatch):
    kinds = [pandas.DataFrame, polars.DataFrame, pyarrow.table]
    for answer in ("3", " 3", 'a "b", c\nd', "a\rb", None):
        rows = {"id": ["1", "2"], "answer": ["http://e/a", answer]}
        known = {qassay.evaluate(GOLD, kind(rows), system="mine").evaluation for kind in kinds}
        with monkeypatch.context() as context:
            context.setitem(sys.modules, "pyarrow", None)
            known.add(qassay.evaluate(GOLD, pandas.DataFrame(rows), system="mine").evaluation)
        assert len(known) == 1, answer


def test_odd_frames():
    measures = lambda frame: qassay.evaluate(GOLD, frame, system="mine").measures["QA"]
    lists = {"id": ["2", "1"], "answers": [None, ["http://e/a"]]}
    came = [measures(kind(lists)) for kind in (pandas.DataFrame, polars.DataFrame, pyarrow.table)]
    assert came == [came[0]] * 3 and (came[0]["answeredCount"], came[0]["emptyCount"]) == (1, 1)
    frame = pandas.DataFrame({**ROWS, "row": [1, 1]})
    expected = measures(frame)
    assert measures(frame.set_index(["id", "row"])) == measures(frame.astype({"id": "category"})) == expected
    assert measures(pyarrow.Table.from_pandas(frame.astype({"id": "category"}))) == expected
    # One that is no number makes a column of pandas be of numbers with a point.
    numbers = pandas.DataFrame({"id": [2, 1], "answer": [3, None]})
    assert measures(numbers)["truePositiveCount"] == 1
    assert measures(pyarrow.record_batch(ROWS)) == measures(pandas.DataFrame(ROWS))
    with pytest.raises(qassay.InputError, match="no text"):
        measures(pandas.DataFrame({"id": ["1"], "answer": pandas.Series(["\ud800"], dtype=object)}))
    with pytest.raises(qassay.InputError) as raised:
        measures(polars.DataFrame(ROWS).lazy())
    assert "collect" in raised.value.hint


def test_names_in_memory_are_nobody_elses(example, tmp_path, monkeypatch):
    monkeypatch.chdir(example)
    files = [example / name for name in ("gold.json", "aurora.json", "borealis.json")]
    gold, aurora, borealis = [file.read_bytes() for file in files]
    expected = [one.evaluation for one in qassay.evaluate(files[0], files[1:])]
    given = qassay.evaluate(gold, ["aurora.json", borealis], system=["gold", "aurora.json"])
    assert [one.evaluation for one in given] == expected and [one.system for one in given] == ["gold", "aurora.json"]
    with pytest.raises(qassay.InputError, match="two systems are called"):
        qassay.evaluate(gold, [aurora, borealis], system=["x", "x"])


def test_rows_for_every_library(example):
    results = qassay.evaluate(example / "gold.json", [example / "aurora.json", example / "borealis.json"])
    frame = results.to_pandas()
    assert len(frame) == len(results.to_polars()) == len(results.to_arrow()) == 12
    row = frame[(frame.system == "aurora") & (frame.experiment == "QA")].iloc[0]
    assert row.macroF1 == results["aurora"].measures["QA"]["macroF1"]
    questions = results.to_pandas("questions")
    assert {"system", "profile", "experiment", "id", "f1"} <= set(questions.columns)
    assert len(results.to_pandas("issues")) == sum(len(one.issues) for one in results)


def test_undefined_is_none(example):
    results = qassay.evaluate(example / "gold.json", example / "aurora.json")
    text = json.loads(results.json)["evaluations"][0]["experiments"]
    assert results.measures == {name: one["measures"] for name, one in text.items()}


def test_explain_and_graphs(example, said, tmp_path):
    results = qassay.evaluate(example / "gold.json", example / "aurora.json", archive=tmp_path / "archive")
    linked = qassay.evaluate(
        example / "gold.json", example / "aurora.json", links=example / "same-as.nt", profile="gerbil", archive=tmp_path / "archive"
    )
    for one, profile in ((results, "qassay"), (linked, "gerbil")):
        told = one.explain("1")
        words = ("-q", "explain", "aurora", "1", "--profile", profile, "--archive", tmp_path / "archive")
        assert told == said(*words)
        assert told.parts == json.loads(said(*words, "--format", "json"))
    store, dataset = results.graph(), results.graph("rdflib")
    assert len(store) == len(dataset) == len(results[0].quads().splitlines()) > 100
    query = f"SELECT ?s WHERE {{ GRAPH ?g {{ ?s a ?c }} FILTER(STRSTARTS(STR(?s), '{results.evaluation}')) }} LIMIT 1"
    assert list(store.query(query)) and list(dataset.query(query))


def test_html(example, said, tmp_path):
    results = qassay.evaluate(example / "gold.json", example / "aurora.json")
    page = tmp_path / "page.html"
    said("-q", "evaluate", example / "gold.json", example / "aurora.json", "--no-archive", "--html", page)
    assert results.html() == page.read_text().replace("`--issues`", "`issues`")
    cell = results._repr_html_()
    assert cell.count("<svg") >= 2 and "0.6925" in cell and "<script" not in cell


def test_a_cell_is_small_whatever_is_evaluated():
    ids = [f"q{number}" for number in range(20_000)]
    gold = [{"id": one, "question": f"Which {one}?", "answers": [f"http://e/{one}"]} for one in ids]
    answers = [{"id": one, "answers": [f"http://e/{one}"]} for one in ids]
    results = qassay.evaluate(gold, answers, system="mine")
    # It is true what the cell says.
    assert len(results.to_pandas("questions")) == 40_000 and "q19999" in results.html()
    cell = results._repr_html_()
    assert len(cell) < 200_000
    assert "19500 more are in results.to_pandas(" in cell and "results.html()" in cell
    several = qassay.evaluate(gold[:300], [answers[:number] for number in range(1, 101)])
    cell = several._repr_html_()
    assert len(cell) < 800_000
    assert "92 drawings more: results.to_pandas(" in cell and "80 rows more: print(results), results.to_pandas()" in cell


def test_nothing_is_kept_unless_wanted(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    qassay.evaluate(example / "gold.json", example / "aurora.json")
    assert list(tmp_path.iterdir()) == []


def test_a_pinned_knowledge_base_is_asked(example, said, tmp_path):
    archive = tmp_path / "archive"
    said("-q", "kb", "add", "example", "--version", "1", example / "kb.ttl", "--archive", archive)
    words = ("--kb", "example@1", "--gold", "refreshed")
    results = qassay.evaluate(
        example / "gold.json", example / "aurora.json", kb="example@1", gold_answers="refreshed", archive=archive
    )
    shutil.copytree(archive, tmp_path / "other")
    printed = said(
        "-q", "evaluate", example / "gold.json", example / "aurora.json", *words, "--format", "json", "--archive", tmp_path / "other"
    )
    assert results.json == printed
