"""qassay in inspect_ai: the questions of a dataset as samples, and a scorer that matches answers as `qassay evaluate` does.

>>> from inspect_ai import Task
>>> from inspect_ai.solver import generate
>>> from qassay.inspect_ai import questions, graph_answers
>>> Task(dataset=questions("gold.json"), solver=generate(), scorer=graph_answers("gold.json"))
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

# Before what it brings with it: an error names what is not installed.
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState
from anyio import to_thread

import qassay
from qassay._errors import refused
from qassay._words import File, whole

#: The measures of a question that a score has.
MEASURES = ("precision", "recall", "f1")


def _questions(gold: File) -> dict[str, dict[str, Any]]:
    """The questions by their ids, as QALD JSON has them."""
    read = json.loads(qassay.convert(gold, "eqald-json", lossy=True))
    return {str(one["id"]): one for one in read["questions"]}


def _texts(question: dict[str, Any]) -> dict[str, str]:
    texts = {one.get("language", ""): one["string"] for one in question.get("question", []) if one.get("string")}
    return texts


def _values(question: dict[str, Any]) -> list[str]:
    """The gold answers of a question as texts."""
    values = []
    for one in question.get("answers", []):
        if "boolean" in one:
            values.append(str(one["boolean"]).lower())
        for row in one.get("results", {}).get("bindings", []):
            values += [term["value"] for term in row.values()]
    return values


def questions(gold: File, *, language: str = "en", limit: int | None = None) -> MemoryDataset:
    """The questions of a dataset that have a text in a language, as samples: the id, the text, the gold answers."""
    samples = []
    for key, question in _questions(gold).items():
        texts = _texts(question)
        text = texts.get(language) or texts.get("")
        if text:
            samples.append(Sample(input=text, target=_values(question), id=key, metadata={"language": language}))
    if not samples:
        raise refused(f"no question has a text in `{language}`")
    return MemoryDataset(samples[:limit], name="qassay")


_FENCE = re.compile(r"```[a-z]*\n(.*?)```", re.DOTALL)
_QUERY = re.compile(r"^\s*(?:(?:PREFIX|BASE)\b[^\n]*\n\s*)*(?:SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)


def _of_json(text: str) -> dict[str, Any] | None:
    """The answers of a JSON list, or the answers or the query of an object; nothing where it is neither. A model may say anything."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(given, dict) and isinstance(given.get("query"), str) and "answers" not in given:
        return {"query": whole(given["query"])}
    answers = given.get("answers") if isinstance(given, dict) else given
    if not isinstance(answers, list):
        return None
    return {"answers": [whole(one) if isinstance(one, str) else json.dumps(one) for one in answers]}


def answers_of(completion: str) -> dict[str, Any]:
    """What a model says, as answers: the last block of code if there is one, else all of it. A SPARQL query is one; a JSON list has
    the answers; so has a JSON object `answers` or `query`; else each line is an answer, without the sign of a list before it."""
    blocks = _FENCE.findall(completion)
    text = (blocks[-1] if blocks else completion).strip()
    if _QUERY.match(text):
        return {"query": text}
    given = _of_json(text)
    if given is not None:
        return given
    lines = [re.sub(r"^\s*(?:[-*•]|\d+[.)])\s+", "", line).strip().strip("<>") for line in text.splitlines()]
    return {"answers": [line for line in lines if line]}


@scorer(metrics={name: [mean(), stderr()] for name in MEASURES})
def graph_answers(gold: File, *, experiment: str = "QA", read: Any = answers_of, **options: Any) -> Scorer:
    """Scores what a model says against the gold answers: precision, recall and F1 of each question, as `qassay.evaluate` has them.

    read: takes what the model said, gives `answers` or `query`; options: those of `qassay.evaluate` (`links`, `profile`, `kb`, …).
    Means over samples are macro averages over the samples that were asked.
    """
    known = _questions(gold)

    async def score(state: TaskState, target: Target) -> Score:
        key = str(state.sample_id)
        question = known.get(key)
        if question is None:
            raise refused(f"the gold standard has no question `{key}`", hint="samples come from qassay.inspect_ai.questions")
        given = read(whole(state.output.completion))
        record = {**{("prediction" if name == "answers" else name): value for name, value in given.items()}, "id": key}
        words = {"system": "model", "experiment": experiment, "progress": False, **options}
        evaluated = partial(qassay.evaluate, {"questions": [question]}, [[record]], **words)
        # Meanwhile others are asked.
        results = await to_thread.run_sync(evaluated)
        questions_of = results[0].experiments.get(experiment, {}).get("questions", [])
        observed = questions_of[0] if questions_of else {}
        values = {name: float(observed[name]) if observed.get(name) is not None else float("nan") for name in MEASURES}
        return Score(
            value=values,
            answer=json.dumps(given, ensure_ascii=False),
            explanation=str(results.explain(key, experiment)),
            metadata={"evaluation": results.evaluation},
        )

    return score
