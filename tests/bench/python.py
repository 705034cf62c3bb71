"""The speed of the Python module, beside the program of the same wheel: `target/python/venv/bin/python tests/bench/python.py`,
after `QASSAY_WHEEL_PROFILE=release .ci/python`. Times are the least of several."""

import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import pandas

import qassay

PROJECT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("QASSAY_SHARED", PROJECT.parent / "shared"))
QALD_9 = SHARED / "data/mirror/ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/9/data/qald-9-train-multilingual.json"


def least(work, times=7):
    """Seconds."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return min(took), statistics.median(took)


def program(*words):
    subprocess.run([qassay.program(), *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def evaluation():
    """The gold standard of QALD-9 train against itself: the most that there is to match."""
    folder = Path(tempfile.mkdtemp())
    answers = folder / "answers.json"
    answers.write_bytes(QALD_9.read_bytes().replace(b'"id": "1"', b'"id":  "1"', 1))
    start, _ = least(lambda: program("--version"))
    whole, _ = least(lambda: program("-q", "evaluate", QALD_9, answers, "--no-archive", "--format", "json"))
    module, _ = least(lambda: qassay.evaluate(QALD_9, answers).json)
    print(f"QALD-9 train: the program {whole:.3f} s, its start {start:.3f} s, the module {module:.3f} s: {module / (whole - start):.2f} times")


def frames(rows=100_000):
    """A frame with a row an answer, beside the JSON of the same answers, both read with a gold standard of one question."""
    gold = [{"id": "0", "question": "Which?", "answers": ["http://e/0"]}]
    pairs = [(str(row // 5), f"http://example.org/resource/{row}") for row in range(rows)]
    frame = pandas.DataFrame(pairs, columns=["id", "answer"])
    records = {}
    for key, answer in pairs:
        records.setdefault(key, []).append(answer)
    predictions = json.dumps([{"id": key, "prediction": answers} for key, answers in records.items()]).encode()
    binding = lambda value: {"answer": {"type": "uri", "value": value}}
    entry = lambda key, values: {"id": key, "answers": [{"head": {"vars": ["answer"]}, "results": {"bindings": [binding(v) for v in values]}}]}
    qald = json.dumps({"questions": [entry(key, values) for key, values in records.items()]}).encode()
    read = lambda answers: qassay.evaluate(gold, [answers], system="mine", experiment="QA")
    for name, answers in (("a frame", frame), ("JSON of predictions", predictions), ("QALD JSON", qald)):
        quickest, median = least(lambda: read(answers), 5)
        print(f"{rows} answers as {name}: {quickest:.3f} s (median {median:.3f} s)")


if __name__ == "__main__":
    evaluation()
    frames()
