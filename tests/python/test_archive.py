"""Archives: queries, comparisons, records."""

import json

import pytest

import qassay


@pytest.fixture
def archive(example, tmp_path):
    qassay.evaluate(example / "gold.json", [example / "aurora.json", example / "borealis.json"], archive=tmp_path / "archive")
    return qassay.Archive(tmp_path / "archive")


def test_queries(archive, said):
    rows = archive.query("leaderboard")
    assert rows.json == said("-q", "query", "leaderboard", "--format", "json", "--archive", archive.path)
    assert len(rows) > 0 and set(rows[0]) <= set(rows.variables)
    assert archive.query("ASK { ?s ?p ?o }") is True
    statements = archive.query("CONSTRUCT { ?s a qassay:Evaluation } WHERE { ?s a qassay:Evaluation }")
    assert isinstance(statements, str) and statements.endswith(".\n")
    with pytest.raises(qassay.InputError, match="query"):
        archive.query("SELECT WHERE")
    for wrong in (None, b"ASK {}", "\ud800"):
        with pytest.raises(qassay.InputError):
            archive.query(wrong)
    for name in ("timeout", "memory"):
        with pytest.raises(qassay.InputError) as raised:
            archive.query("ASK {}", **{name: 0})
        assert raised.value.place == name
    with pytest.raises(qassay.LimitError):
        archive.query("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }", timeout=1)


def test_rows_as_a_frame(archive):
    pandas = pytest.importorskip("pandas")
    rows = archive.query("leaderboard")
    frame = rows.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and (len(frame), list(frame.columns)) == (len(rows), rows.variables)


def test_comparisons(archive, example, said):
    compared = qassay.compare("aurora", "borealis", archive=archive.path)
    assert compared.comparison.startswith("https://w3id.org/qassay/comparison/")
    words = ("-q", "compare", "aurora", "borealis", "--archive", archive.path)
    assert compared.json == said(*words, "--format", "json")
    assert str(compared) == said(*words)
    files = [example / name for name in ("gold.json", "aurora.json", "borealis.json")]
    printed = said("-q", "compare", *files, "--measure", "exactMatch", "--test", "sign", "--no-archive", "--format", "json")
    assert qassay.compare(*files, measure="exactMatch", test="sign").json == printed
    assert qassay.compare(files[0], files[1:], measure=["exactMatch"], test="sign", seed=0).view["tables"]
    for place, words in {"test": {"test": "x"}, "alpha": {"alpha": 2}, "questions": {"questions": "x"}, "cluster": {"cluster": "x"}}.items():
        with pytest.raises(qassay.InputError) as raised:
            qassay.compare(*files, **words)
        assert raised.value.place == place and raised.value.allowed
    with pytest.raises(qassay.InputError, match="no measure `x`") as raised:
        qassay.compare(*files, measure="x")
    assert "measures" in raised.value.hint
    with pytest.raises(qassay.InputError, match="there are no answers"):
        qassay.compare(files[0])


def test_records(archive, said, tmp_path):
    who = {"creator": "Josiah Carberry <0000-0002-1825-0097>", "licence": "CC-BY-4.0", "date": "2026-11-24"}
    who["input_licence"] = {"dataset": "CC-BY-4.0"}
    would = archive.publish("aurora", to=None, **who)
    assert not (tmp_path / "record").exists()
    archive.publish("aurora", to=tmp_path / "record", **who)
    assert (tmp_path / "record" / "SHA256SUMS").is_file()
    archive.publish("borealis", to=tmp_path / "record.zip", **who)
    assert (tmp_path / "record.zip").read_bytes().startswith(b"PK")
    words = ["--creator", who["creator"], "--licence", "CC-BY-4.0", "--date", who["date"], "--input-licence", "dataset=CC-BY-4.0"]
    told = said("-q", "publish", "aurora", "nowhere", *words, "--check", "--format", "json", "--archive", archive.path)
    assert set(json.loads(told)) == set(would)
    with pytest.raises(qassay.InputError):
        archive.publish("aurora", to=tmp_path / "record.tar", **who)
    with pytest.raises(qassay.InputError) as raised:
        archive.publish("aurora", to=None, **{**who, "input_licence": "CC-BY-4.0"})
    assert raised.value.place == "input_licence"
