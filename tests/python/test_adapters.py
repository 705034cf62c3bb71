"""The adapters, with the packages that they are for."""

import json

import pytest

import qassay


def test_inspect_ai(example, tmp_path, monkeypatch):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.model import ModelOutput, get_model
    from inspect_ai.solver import generate

    from qassay.inspect_ai import graph_answers, questions

    monkeypatch.chdir(tmp_path)
    # Its own counts of tokens are made with a file that it would download.
    monkeypatch.setattr("inspect_ai.model._model.count_text_tokens", len)
    gold = example / "gold.json"
    samples = questions(gold, language="en", limit=6)
    # A model that gives the gold answers of all but the first.
    said = ["nothing \ud800", *("\n".join(f"- {value}" for value in sample.target) for sample in list(samples)[1:])]
    model = get_model("mockllm/model", custom_outputs=[ModelOutput.from_content("mockllm/model", text) for text in said])
    task = inspect_ai.Task(dataset=samples, solver=generate(), scorer=graph_answers(gold))
    (log,) = inspect_ai.eval(task, model=model, log_dir=str(tmp_path / "logs"), display="none", max_connections=1, max_samples=1)
    assert log.status == "success", log.error
    scores = {sample.id: sample.scores["graph_answers"].value for sample in log.samples}
    records = [{"id": sample.id, "answers": text.replace("- ", "").replace("\ud800", "?").split("\n")} for sample, text in zip(samples, said)]
    expected = qassay.evaluate(gold, records, system="model", experiment="QA")
    rows = {row["id"]: row for row in expected.questions}
    for key, value in scores.items():
        assert value == {name: rows[str(key)][name] for name in ("precision", "recall", "f1")}
    assert scores[samples[0].id]["f1"] == 0
    metrics = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert metrics["f1"] == pytest.approx(sum(value["f1"] for value in scores.values()) / len(scores))
    # The log can be read by itself.
    (path,) = (tmp_path / "logs").glob("*.eval")
    assert qassay.check(path).view["format"] == "inspect-log"


def test_answers_of_what_models_say():
    pytest.importorskip("inspect_ai")
    from qassay.inspect_ai import answers_of

    assert answers_of("1. Vienna\n2. <http://e/b>") == {"answers": ["Vienna", "http://e/b"]}
    assert answers_of('Well:\n```json\n["a", "b"]\n```') == {"answers": ["a", "b"]}
    query = "PREFIX a: <http://a/>\nselect ?x { ?x a:b ?y }"
    assert answers_of(f"```sparql\n{query}\n```") == {"query": query}
    assert answers_of("") == {"answers": []}
    # A model may say anything.
    assert answers_of('{"answers": [1, true, null], "id": "7"}') == {"answers": ["1", "true", "null"]}
    assert answers_of('{"query": "ASK {}"}') == {"query": "ASK {}"}
    assert answers_of('["\\ud800"]') == {"answers": ["?"]}
    for odd in ('{"capital": "Vienna"}', '{"answers": 7}', "7", "[" * 100_000):
        assert answers_of(odd) == {"answers": [odd]}


def test_lm_eval(tmp_path):
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    import qassay.lm_eval

    (tmp_path / "data.jsonl").write_text(
        "".join(json.dumps({"id": key, "question": text, "answer": answer}) + "\n" for key, text, answer in [("a", "Who?", "Ann"), ("b", "What?", "Bee")])
    )
    (tmp_path / "task.yaml").write_text(
        f"""
task: small
dataset_path: json
dataset_kwargs: {{data_files: {{test: {tmp_path}/data.jsonl}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n"]}}
metric_list: [{{metric: exact_match}}]
"""
    )

    class Model(LM):
        def generate_until(self, requests, **_):
            return ["Ann" for _ in requests]

        def loglikelihood(self, requests, **_):
            raise NotImplementedError

        def loglikelihood_rolling(self, requests, **_):
            raise NotImplementedError

    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
    came = lm_eval.simple_evaluate(model=Model(), tasks=["small"], task_manager=manager, log_samples=True, bootstrap_iters=0)
    for nothing in (None, {}, {"samples": {"one": [], "two": []}}):
        with pytest.raises(qassay.InputError, match="no task is named"):
            qassay.lm_eval.answers(nothing)
    samples = qassay.lm_eval.answers(came)
    results = qassay.evaluate(samples, samples, system="model", experiment="QA")
    assert [(one["id"], one["f1"]) for one in results.questions] == [("a", 1), ("b", 0)]
    # The file that the harness writes itself says the same.
    tracker = EvaluationTracker(output_path=str(tmp_path / "out"))
    tracker.save_results_aggregated(results={key: value for key, value in came.items() if key != "samples"}, samples=came["samples"])
    tracker.save_results_samples(task_name="small", samples=came["samples"]["small"])
    (path,) = (tmp_path / "out").rglob("samples_small_*.jsonl")
    assert qassay.evaluate(path, path, system="model", experiment="QA").measures == results.measures
