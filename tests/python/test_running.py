"""Threads, Ctrl-C, memory, progress."""

import gc
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import qassay


def large(questions):
    """A gold standard whose evaluation takes seconds, and answers."""
    ids = range(questions)
    answers = lambda number: [f"http://e/{number}/{one}" for one in range(20)]
    gold = [{"id": str(number), "question": f"Which of {number}?", "answers": answers(number)} for number in ids]
    return gold, [{"id": str(number), "answers": answers(number)[3:]} for number in ids]


def test_python_runs_meanwhile():
    gold, answers = large(3000)
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    ticker = threading.Thread(target=tick)
    ticker.start()
    before = len(ticks)
    began = time.monotonic()
    native = qassay.evaluate(gold, answers, system="mine")
    took = time.monotonic() - began
    counted = len(ticks) - before
    done.set()
    ticker.join()
    assert native.measures["QA"]["macroPrecision"] == 1
    # Somebody who held the lock would leave hardly one.
    assert counted > took / 0.005 / 20


def test_threads_give_the_same(example):
    gold, answers = example / "gold.json", example / "aurora.json"
    expected = qassay.evaluate(gold, answers, threads=1).json
    came = []
    threads = [threading.Thread(target=lambda: came.append(qassay.evaluate(gold, answers).json)) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert came == [expected] * 8


def test_what_comes_while_others_have_the_lock():
    gold, answers = large(700)
    done, before = threading.Event(), sys.getswitchinterval()

    def busy():
        while not done.is_set():
            pass

    other = threading.Thread(target=busy)
    other.start()
    try:
        # The lock is given away so seldom that work ends while it is waited for.
        sys.setswitchinterval(0.15)
        for _ in range(15):
            assert qassay.evaluate(gold, answers, system="mine").measures["QA"]["macroPrecision"] == 1
    finally:
        sys.setswitchinterval(before)
        done.set()
        other.join()


def test_several_keep_in_one_archive(example, tmp_path):
    gold, came = example / "gold.json", []

    def some(name):
        for profile in ("qassay", "gerbil"):
            came.append(qassay.evaluate(gold, example / name, profile=profile, archive=tmp_path).evaluation)

    threads = [threading.Thread(target=some, args=(name,)) for name in ("aurora.json", "borealis.json") * 2]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(came) == 8 and {one["iri"] for one in qassay.Archive(tmp_path).evaluations()} == set(came)


def scores(paths):
    return qassay.evaluate(*paths).json


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_forked_processes(example):
    paths = (example / "gold.json", example / "aurora.json")
    expected = scores(paths)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(scores, [paths] * 4).get(120) == [expected] * 4


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(
    ("call", "patience"),
    [
        ("qassay.evaluate(gold, answers, system='mine', archive=sys.argv[2])", 120),
        # Nobody waits for the end of what leaves nothing behind.
        ("qassay.convert(gold, 'ttl')", 5),
        ("qassay.check(gold)", 5),
    ],
)
def test_ctrl_c_ends_it(tmp_path, call, patience):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import sys, time
            sys.path.insert(0, sys.argv[1])
            import qassay
            from test_running import large
            gold, answers = large(20000)
            print("ready", flush=True)
            try:
                {call}
            except KeyboardInterrupt:
                print("interrupted", flush=True)
                sys.exit(7)
            print("done", flush=True)
            """
        )
    )
    here = os.path.dirname(__file__)
    words = [sys.executable, script, here, tmp_path / "archive"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.7)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=patience)
    assert (process.returncode, out) == (7, "interrupted\n")
    # Nothing of it looks whole.
    if (tmp_path / "archive").exists():
        assert qassay.Archive(tmp_path / "archive").evaluations() == []


def test_a_query_is_ended(example, tmp_path):
    qassay.evaluate(example / "gold.json", example / "aurora.json", archive=tmp_path)
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    raised = []

    def interrupt():
        time.sleep(1)
        raised.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        qassay.Archive(tmp_path).query(endless, timeout=60)
    assert time.monotonic() - raised[0] < 10


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc says how much memory it is")
def test_memory_stays(example):
    gold, answers = (example / "gold.json").read_bytes(), (example / "aurora.json").read_bytes()

    def some(times):
        for _ in range(times):
            results = qassay.evaluate(gold, answers, threads=1)
            assert len(results.json) > 1000
        del results
        gc.collect()
        return resident()

    count = 1000 if os.environ.get("QASSAY_ALL") else 100
    first = some(count // 3)
    last = some(count)
    assert last - first < 24 << 20, f"{(last - first) >> 20} MiB more after {count} evaluations"


def test_notes_are_logged_and_progress_is_shown(example, caplog, capsys):
    pytest.importorskip("tqdm")
    with caplog.at_level(logging.INFO, "qassay"):
        same = (example / "aurora.json").read_bytes()
        qassay.evaluate(example / "gold.json", [same, same], system=["one", "two"], progress=True)
    assert any("shares its submission" in record.message for record in caplog.records)
    assert "scoring" in capsys.readouterr().err


def test_one_evaluation_has_a_bar_of_its_questions(monkeypatch):
    tqdm = pytest.importorskip("tqdm.auto")
    told = []

    class Bar(tqdm.tqdm):
        def update(self, n=1):
            super().update(n)
            told.append((self.desc, self.n, self.total, self.delay))

    monkeypatch.setattr(tqdm, "tqdm", Bar)
    gold, answers = large(9000)
    scored = qassay.evaluate(gold, answers, system="mine", progress=True)
    # Those of every experiment type that is scored.
    questions = 9000 * len(scored[0].experiments)
    assert (told[0], told[-1]) == (("scoring", 0, questions, 0), ("scoring", questions, questions, 0))
    assert len({done for _, done, _, _ in told}) > 2
    # Where nobody asked for it, a moment has none.
    told.clear()
    monkeypatch.setattr(sys, "stderr", Terminal())
    qassay.evaluate(gold[:20], answers[:20], system="mine")
    assert told and told[0][3] > 0 and sys.stderr.written == ""


class Terminal:
    written = ""

    def isatty(self):
        return True

    def write(self, text):
        self.written += text

    def flush(self):
        pass
