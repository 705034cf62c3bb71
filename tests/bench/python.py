"""The speed of the Python module, beside the program of the same wheel: `target/python/venv/bin/python tests/bench/python.py`,
after `QASSAY_WHEEL_PROFILE=release .ci/python`. What is compared is done in turns; times are the least of 15 turns."""

import json
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import pandas
import polars
import pyarrow

import qassay

PROJECT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("QASSAY_SHARED", PROJECT.parent / "shared"))
QALD_9 = SHARED / "data/mirror/ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/9/data/qald-9-train-multilingual.json"


def cpu():
    """Seconds of user and system, of this process and of those that ended."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def in_turns(works, turns=15):
    """The least wall and CPU time of each, in milliseconds, by its name."""
    took = {name: [] for name in works}
    for _ in range(turns):
        for name, work in works.items():
            began = time.perf_counter(), cpu()
            work()
            took[name].append((1000 * (time.perf_counter() - began[0]), 1000 * (cpu() - began[1])))
    return {name: tuple(map(min, zip(*times))) for name, times in took.items()}


def program(*words):
    subprocess.run([qassay.program(), *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def evaluation():
    """The gold standard of QALD-9 train against itself: the most that there is to match."""
    answers = Path(tempfile.mkdtemp()) / "answers.json"
    answers.write_bytes(QALD_9.read_bytes().replace(b'"id": "1"', b'"id":  "1"', 1))
    took = in_turns(
        {
            "start": lambda: program("--version"),
            "program": lambda: program("-q", "evaluate", QALD_9, answers, "--no-archive", "--format", "json"),
            "module": lambda: qassay.evaluate(QALD_9, answers).json,
        }
    )
    print("| QALD-9 train beside itself | the program, ms | its start, ms | the module, ms | module ÷ program without start |")
    for at, kind in enumerate(("wall time", "CPU time")):
        whole, start, module = (took[name][at] for name in ("program", "start", "module"))
        print(f"| {kind} | {whole:.0f} | {start:.0f} | {module:.0f} | {module / (whole - start):.2f} |")


def frames(rows=100_000):
    """Frames with a row an answer, five a question, beside JSON of the same answers, with a gold standard of one question."""
    gold = [{"id": "0", "question": "Which?", "answers": ["http://e/0"]}]
    table = {"id": [str(row // 5) for row in range(rows)], "answer": [f"http://example.org/resource/{row}" for row in range(rows)]}
    records = {}
    for key, answer in zip(table["id"], table["answer"]):
        records.setdefault(key, []).append(answer)
    binding = lambda value: {"answer": {"type": "uri", "value": value}}
    entry = lambda key, values: {"id": key, "answers": [{"head": {"vars": ["answer"]}, "results": {"bindings": [binding(v) for v in values]}}]}
    given = {
        "QALD JSON, bytes": json.dumps({"questions": [entry(key, values) for key, values in records.items()]}).encode(),
        "JSON of predictions, bytes": json.dumps([{"id": key, "prediction": answers} for key, answers in records.items()]).encode(),
        "the shortest JSON, bytes": json.dumps([{"id": key, "answers": answers} for key, answers in records.items()], separators=(",", ":")).encode(),
        "the same as list of records": [{"id": key, "answers": answers} for key, answers in records.items()],
        "frame of pandas": pandas.DataFrame(table),
        "frame of polars": polars.DataFrame(table),
        "table of pyarrow": pyarrow.table(table),
    }
    read = lambda answers: lambda: qassay.evaluate(gold, [answers], system="mine", experiment="QA")
    took = in_turns({name: read(answers) for name, answers in given.items()})
    print(f"| {rows:,} answers, five a question, as | wall time, ms | CPU time, ms |")
    for name, times in took.items():
        print(f"| {name} | {times[0]:.0f} | {times[1]:.0f} |")


if __name__ == "__main__":
    evaluation()
    frames()
