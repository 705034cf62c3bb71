"""A Python function as a system."""

import json
import threading
import time

import pytest

import qassay


@pytest.fixture
def gold(example):
    return json.loads((example / "gold.json").read_bytes())


def answers_of(gold):
    """The answers of the gold standard, by the text of the question."""
    return {one["question"][0]["string"]: one["answers"][0] for one in gold["questions"] if one.get("answers")}


def test_who_knows_all_is_right(example, gold, tmp_path):
    known = answers_of(gold)
    asked = qassay.ask(example / "gold.json", known.get, system="oracle", name="oracle", language="en", archive=tmp_path)
    assert asked.view["errors"] == asked.view["timeouts"] == asked.view["missing"] == 0
    assert asked.evaluate(experiment="QA").measures["QA"]["macroF1"] > 0.9
    assert asked.system == "oracle" and asked.submission.startswith("https://w3id.org/qassay/submission/")


def test_failures_are_told_and_asked_again(example, tmp_path):
    calls, wrong = [], True

    def system(question, id, language):
        calls.append(id)
        if wrong and id == "1":
            raise RuntimeError("no memory")
        if wrong and id == "2":
            raise TimeoutError
        return ["http://dbpedia.org/resource/Vienna"]

    asked = qassay.ask(example / "gold.json", system, language="en", parallel=1, archive=tmp_path)
    first = len(calls)
    assert (asked.view["errors"], asked.view["timeouts"]) == (1, 1)
    assert any("RuntimeError: no memory" in json.dumps(one) for one in asked.failures)
    wrong = False
    again = qassay.ask(example / "gold.json", system, language="en", parallel=1, retry_failed=True, archive=tmp_path)
    assert sorted(calls[first:]) == ["1", "2"]
    assert again.view["errors"] == again.view["timeouts"] == 0
    # Nobody is asked, and the same comes of what is kept.
    replayed = qassay.ask(example / "gold.json", system, language="en", parallel=1, replay=True, archive=tmp_path)
    assert replayed.submission == again.submission and len(calls) == first + 2


def test_an_interrupted_run_goes_on(example, tmp_path):
    calls = []

    class Stop(BaseException):
        pass

    def system(question, id):
        calls.append(id)
        if len(calls) == 4:
            raise Stop
        return True

    with pytest.raises(Stop):
        qassay.ask(example / "gold.json", system, language="en", parallel=1, archive=tmp_path)
    before = list(calls)
    asked = qassay.ask(example / "gold.json", system, language="en", parallel=1, resume=True, archive=tmp_path)
    assert asked.view["missing"] == 0
    assert not set(before[:3]) & set(calls[4:])


def test_it_is_called_by_several_at_once(example, tmp_path):
    meeting = threading.Barrier(3, timeout=30)

    def system(question):
        try:
            meeting.wait()
        except threading.BrokenBarrierError:
            pass
        return []

    started = time.monotonic()
    asked = qassay.ask(example / "gold.json", system, language="en", limit=3, parallel=3, archive=tmp_path)
    assert not meeting.broken and time.monotonic() - started < 30
    assert asked.view["empty"] == 3


def test_late_is_a_timeout(example, tmp_path):
    asked = qassay.ask(
        example / "gold.json", lambda question: time.sleep(0.5), name="slow", language="en", limit=1, time_limit=0.1, archive=tmp_path
    )
    assert asked.view["timeouts"] == 1


def test_queries_and_terms(example, tmp_path):
    said = [
        {"query": "SELECT ?x { ?x ?y ?z }"},
        {"answers": [1, 2.5, {"type": "literal", "value": "a", "xml:lang": "de"}], "confidence": 0.5},
        True,
        {"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://e/"}}]}},
        object(),
    ]
    waiting = iter(said)
    asked = qassay.ask(
        example / "gold.json", lambda question: next(waiting), name="terms", language="en", limit=5, parallel=1, archive=tmp_path
    )
    # A query alone is no answer yet.
    assert (asked.view["empty"], asked.view["answered"], asked.view["errors"]) == (1, 3, 1)
    with open(asked.file) as answers:
        assert "SELECT ?x { ?x ?y ?z }" in answers.read()


class Mute(Exception):
    def __str__(self):
        raise RuntimeError


def fails(error):
    def system(question):
        raise error

    return system


@pytest.mark.parametrize(
    ("system", "told"),
    [
        (fails(Mute()), "Mute"),
        (fails(ValueError("\ud800")), "ValueError: ?"),
        (lambda question: "\ud800", "surrogates not allowed"),
        (lambda question: {"answers": [], "confidence": float("nan")}, "this is no JSON"),
        (lambda question: b"http://e/a", "gave a bytes"),
        (lambda question: [None], "gave a NoneType among answers"),
        (lambda question: {"answer_list": []}, "a dict without `answers`"),
        (lambda: None, "positional argument"),
    ],
)
def test_what_goes_wrong_is_told_of_each_question(example, tmp_path, system, told):
    asked = qassay.ask(example / "gold.json", system, name="wrong", language="en", limit=2, archive=tmp_path)
    assert (asked.view["questions"], asked.view["errors"], asked.view["missing"]) == (2, 2, 0)
    assert told in asked.failures[0]["last"]


def test_what_numpy_gives(example, tmp_path):
    numpy = pytest.importorskip("numpy")
    waiting = iter([numpy.int64(3), numpy.bool_(True), numpy.array(["http://e/a"]), [numpy.float32("inf")]])
    asked = qassay.ask(
        example / "gold.json", lambda question: next(waiting), name="numpy", language="en", limit=4, parallel=1, archive=tmp_path
    )
    assert asked.view["answered"] == 4
    with open(asked.file) as answers:
        text = answers.read()
    assert '"INF"' in text and "http://e/a" in text and "XMLSchema#integer" in text


async def later(question):
    return []


class Later:
    async def __call__(self, question):
        return []


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("function", {"function": 7}),
        ("function", {"function": later}),
        ("function", {"function": Later()}),
        ("archive", {"archive": None}),
        ("parallel", {"parallel": 0}),
        ("parallel", {"parallel": 10**6}),
        ("limit", {"limit": -1}),
        ("retries", {"retries": -1}),
        ("time_limit", {"time_limit": float("nan")}),
        ("name", {"name": 7}),
        ("language", {"language": b"en"}),
    ],
)
def test_wrong_use(example, tmp_path, place, words):
    with pytest.raises(qassay.InputError) as raised:
        qassay.ask(example / "gold.json", **{"function": len, "archive": tmp_path, **words})
    assert raised.value.place == place and raised.value.allowed
