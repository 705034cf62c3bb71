"""qassay measures how well systems answer questions over knowledge graphs.

The engine is that of the program `qassay`: the same numbers, the same IRIs, the same files in an archive. Every function
takes the options of the command of its name, with `_` for `-`.

>>> import qassay
>>> results = qassay.evaluate("gold.json", "answers.json")
>>> results.measures["QA"]["macroF1"]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qassay import _native
from qassay._archive import Archive
from qassay._ask import Asked, ask
from qassay._compared import Comparison
from qassay._errors import CheckError, Error, InputError, LimitError, MachineError, refused
from qassay._listener import listener
from qassay._program import program, ready
from qassay._results import Evaluation, Explanation, Results
from qassay._words import ARCHIVE, File, Options, Scoring, Several, file, files, flag, maybe, place, scoring, several, threads_of, word

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

__version__ = _native.__version__
__all__ = [
    "Archive",
    "Asked",
    "CheckError",
    "Comparison",
    "Error",
    "Evaluation",
    "Explanation",
    "InputError",
    "LimitError",
    "MachineError",
    "Results",
    "ask",
    "check",
    "compare",
    "convert",
    "datasets",
    "evaluate",
    "program",
]


def _answers(answers: Any, system: Several) -> tuple[list[Any], list[str | None]]:
    """Files of answers and the names of their systems. Each file from memory is called as its system, else by its number."""
    given, names = files(answers), several(system, "system")
    if names and len(names) != len(given):
        what = f"{len(names)} names of systems for {len(given)} files of answers"
        raise refused(what, place="system", allowed="as many names as files, in their order, or none")
    usual = ["answers"] if len(given) == 1 else [f"answers-{number}" for number in range(1, len(given) + 1)]
    called = names or usual
    return [file(one, name) for one, name in zip(given, called)], list(names) or [None] * len(given)


def evaluate(
    gold: File,
    answers: File | Sequence[File],
    *,
    profile: Several = "qassay",
    system: Several = None,
    archive: str | PathLike[str] | None = None,
    groups: bool = False,
    base: str | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    **options: Unpack[Options],
) -> Results:
    """Score the answers of systems against a gold standard, as `qassay evaluate` does.

    gold: the dataset, a file of questions with gold answers or the name of a fetched one (see `datasets`).
    answers: the answers of one system, or a list with those of several.
    profile: the way to score; several are scored each.
    system: the name of the system; as many as there are files of answers.
    archive: the folder where the evaluation is kept; None: nothing is kept, and what has a name is taken from the folder
        `qassay-archive`, as with `--no-archive`.
    groups: keep the groups of questions, too.
    threads: how many threads compute: what comes out is the same with any number.
    progress: whether bars of tqdm are shown; None: where it is installed, somebody looks, and it takes longer than a moment.
    options: those of the command; where it takes one several times, or words between commas, a list is right.
        links: files of owl:sameAs links; link_kind: other links that are followed (`redirect`, `wikipedia`);
        same_as: how GERBIL's profiles find equal resources.
        labels, types, classes: files with labels, classes of resources, subclasses; question_types: the types of the questions;
        assessments: what people judged.
        experiment: only these types (`QA`, `C2KB`, `P2KB`, `RE2KB`, `AT`, `AIT2KB`); cutoffs: the ranks of measures at N.
        gold_answers: `curated`, `refreshed` or `both` (`--gold` of the command).
        language, loader, part: which questions of the gold standard count.
        kb: the knowledge base that runs queries, `NAME@VERSION` or a URL; timeout, max_rows, memory: what a query may take, in
        seconds, rows, megabytes; jobs: how many run at once.

    Files are paths, bytes, a dict with their JSON, a list of records (dicts with `id` and `answers` or `query`), or a
    DataFrame with a row a value (`id`, `answer`) or with lists of answers, a row a question.

    Raises `InputError` where something cannot be used: its attributes say which file, where, what is allowed, what to try.
    """
    words = scoring(profile, options)
    given, systems = _answers(answers, system)
    if words["kb"]:
        ready()
    bars = listener(progress)
    try:
        native = _native.evaluate(
            file(gold, "gold"),
            given,
            systems,
            words,
            place(archive, base),
            groups=flag(groups, "groups"),
            threads=threads_of(threads),
            listener=bars,
        )
    finally:
        bars.close()
    return Results(native)


def compare(
    *what: Any,
    measure: Several = None,
    experiment: Several = None,
    profile: Several = None,
    gold_answers: str | None = None,
    baseline: str | None = None,
    system: Several = None,
    test: str = "randomisation",
    alpha: float | str = "0.05",
    questions: str = "scored",
    cluster: str | None = None,
    groups: bool = False,
    seed: str | int = "",
    archive: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool | None = None,
    **options: Unpack[Scoring],
) -> Comparison:
    """Who is better, by how much, and whether it could be chance, as `qassay compare` does.

    what: names, keys or IRIs of evaluations, systems or datasets in the archive (none: all of it); or a gold file and files
        of answers, which are scored first. Of files, `options` are those of `evaluate`.
    archive: the folder of the archive; None: nothing is kept, and evaluations are taken from the folder `qassay-archive`.
    """
    if questions not in ("scored", "answered"):
        raise refused(f"`{questions}` are no questions", place="questions", allowed="scored, answered")
    are_files = bool(what) and (not isinstance(what[0], str) or Path(what[0]).is_file())
    given: Any = None
    if are_files:
        answers, systems = _answers(files(what[1]) if len(what) == 2 else list(what[1:]), system)
        given = (file(what[0], "gold"), answers, systems)
    elif options or system is not None:
        raise refused("the evaluations of the archive are scored already, and no choice changes them")
    chosen = {**options, "experiment": experiment, "gold_answers": gold_answers}
    words = scoring(profile, chosen)
    if words["kb"]:
        ready()
    settings = {
        "measure": several(measure, "measure"),
        "experiment": several(experiment, "experiment"),
        "profile": [] if are_files else several(profile, "profile"),
        "gold_answers": words["gold_answers"],
        "baseline": maybe(baseline, "baseline"),
        "test": word(test, "test"),
        "alpha": str(alpha),
        "answered_only": questions == "answered",
        "cluster": maybe(cluster, "cluster"),
        "groups": flag(groups, "groups"),
        "seed": word(str(seed), "seed"),
    }
    named = [] if are_files else several(what, "what")
    bars = listener(progress)
    try:
        came = _native.compare(named, given, settings, words, place(archive), threads=threads_of(threads), listener=bars)
    finally:
        bars.close()
    return Comparison(*came)


#: So many lines of a report are shown where nobody prints it.
_SHOWN = 60


class Checked:
    """What a file contains and what is wrong with it."""

    def __init__(self, text: str, view: str, quads: str) -> None:
        #: What `qassay check --format json` prints.
        self.json = view
        #: The report as objects.
        self.view: dict[str, Any] = json.loads(view)["files"][0]
        #: Measurements and annotations of the Data Quality Vocabulary, as N-Quads.
        self.quads = quads
        self._text = text

    @property
    def issues(self) -> list[dict[str, Any]]:
        """What is wrong."""
        issues: list[dict[str, Any]] = self.view["issues"]
        return issues

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        lines = self._text.splitlines()
        more = len(lines) - _SHOWN
        return self._text if more <= 0 else "\n".join([*lines[:_SHOWN], f"… {more} lines more: print(…), .issues"])


def check(given: File, *, encoding: str | None = None, archive: str | PathLike[str] | None = None) -> Checked:
    """Say what a file contains and what is wrong with it, as `qassay check` does."""
    return Checked(*_native.check(file(given, "file"), maybe(encoding, "encoding"), place(archive)))


class Converted(bytes):
    """A file in another format: its bytes."""

    #: What the format cannot hold, a line a kind.
    lost: list[str]


def convert(
    given: File,
    to: str,
    *,
    encoding: str | None = None,
    queries_from: str | PathLike[str] | None = None,
    lossy: bool = False,
    archive: str | PathLike[str] | None = None,
) -> Converted:
    """A file in another format, as `qassay convert` writes it: by the name of the format or the ending of its files.

    Raises `InputError` where the format cannot hold all of it, unless `lossy`; `lost` says what is lost.
    """
    queries = maybe(queries_from, "queries_from")
    content, lost = _native.convert(
        file(given, "file"), word(to, "to"), maybe(encoding, "encoding"), queries, flag(lossy, "lossy"), place(archive)
    )
    converted = Converted(content)
    converted.lost = lost
    return converted


def datasets(*words: str, archive: str | PathLike[str] = ARCHIVE) -> list[dict[str, Any]]:
    """The published files that qassay knows, as `qassay datasets --format json` lists them; with words, those whose names
    have all of them. `fetched` is where the archive has the file."""
    listed: list[dict[str, Any]] = json.loads(_native.datasets(word(archive, "archive")))
    wanted = [one.lower() for one in several(words, "words")]
    return [one for one in listed if all(part in f"{one['name']} {one['title']}".lower() for part in wanted)]


