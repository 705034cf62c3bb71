"""What comes of an evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, overload

from qassay import _native
from qassay._errors import refused
from qassay._words import key, word


class Explanation(str):
    """How a question was scored, for people; its parts are in `parts`."""

    #: What `qassay explain --format json` gives.
    parts: dict[str, Any]

    def __new__(cls, text: str, parts: dict[str, Any]) -> Explanation:
        one = super().__new__(cls, text)
        one.parts = parts
        return one

    def __getnewargs__(self) -> tuple[str, dict[str, Any]]:  # type: ignore[override]
        return str(self), self.parts

    def __repr__(self) -> str:
        return str(self)


class Evaluation:
    """One evaluation: a gold standard, the answers of a system, a profile. Undefined values are None, never 0."""

    def __init__(self, native: _native.Evaluated, number: int, view: dict[str, Any]) -> None:
        self._native, self._number, self._view = native, number, view

    @property
    def evaluation(self) -> str:
        """The IRI: the same as that of the command line, for the same bytes and choices."""
        return self._text("evaluation")

    @property
    def system(self) -> str:
        """The name of the system."""
        return self._text("system")

    @property
    def dataset(self) -> str:
        """The name of the dataset."""
        return self._text("dataset")

    @property
    def profile(self) -> str:
        """The name of the profile."""
        return self._text("profile")

    def _text(self, name: str) -> str:
        return str(self._view[name])

    @property
    def experiments(self) -> dict[str, Any]:
        """By the name of the experiment type (`QA`, `C2KB`, …): all measures, groups and questions, as in the JSON."""
        experiments: dict[str, Any] = self._view["experiments"]
        return experiments

    @property
    def measures(self) -> dict[str, dict[str, float | int | None]]:
        """The measures over all questions, by experiment type: `measures["QA"]["macroF1"]`."""
        return {name: _measures(one) for name, one in self.experiments.items()}

    @property
    def questions(self) -> list[dict[str, Any]]:
        """Every question of every experiment type, with `experiment`, `id` and its scores."""
        return [{"experiment": name, **one} for name, of in self.experiments.items() for one in of["questions"]]

    @property
    def issues(self) -> list[dict[str, Any]]:
        """What is odd about the input, the worst first."""
        issues: list[dict[str, Any]] = self._view["issues"]
        return issues

    def explain(self, question: str | int, experiment: str = "QA", language: str = "en") -> Explanation:
        """How a question was scored: both, missed, extra, and why."""
        words = (word(experiment, "experiment"), key(question, "question"), word(language, "language"))
        text, view = self._native.explain(self._number, *words)
        return Explanation(text, json.loads(view))

    def quads(self) -> bytes:
        """The graphs of the evaluation that an archive keeps, as N-Quads."""
        return self._native.quads(self._number)

    def graph(self, library: str | None = None) -> Any:
        """The same as an `rdflib.Dataset` or a `pyoxigraph.Store`: of the library that is named, else of the one that is
        installed, pyoxigraph first."""
        for name in ["pyoxigraph", "rdflib"] if library is None else [library]:
            try:
                if name == "pyoxigraph":
                    import pyoxigraph

                    store = pyoxigraph.Store()
                    store.bulk_load(self.quads(), format=pyoxigraph.RdfFormat.N_QUADS)
                    return store
                if name == "rdflib":
                    import rdflib

                    graph = rdflib.Dataset()
                    graph.parse(data=self.quads(), format="nquads")
                    return graph
            except ImportError:
                if library is not None:
                    raise
                continue
            raise refused(f"there is no library `{name}` for graphs", allowed="pyoxigraph, rdflib")
        raise refused("no library for graphs is installed", allowed="pyoxigraph, rdflib", hint="pip install pyoxigraph")

    def __repr__(self) -> str:
        return f"<Evaluation of {self.system} on {self.dataset}, profile {self.profile}>"


class Results(Sequence[Evaluation]):
    """The evaluations of a call, in the order of the command line. What one evaluation has, `measures` for instance, the
    results have too where there is only one."""

    def __init__(self, native: _native.Evaluated) -> None:
        self._native = native

    @cached_property
    def json(self) -> str:
        """What `qassay evaluate --format json` prints, to the byte."""
        return self._native.json()

    @cached_property
    def view(self) -> dict[str, Any]:
        """The same as objects."""
        view: dict[str, Any] = json.loads(self.json)
        return view

    @cached_property
    def evaluations(self) -> list[Evaluation]:
        """All of them."""
        return [Evaluation(self._native, number, one) for number, one in enumerate(self.view["evaluations"])]

    @property
    def differences(self) -> list[dict[str, Any]]:
        """The questions that profiles count differently; none where there is one profile."""
        differences: list[dict[str, Any]] = self.view.get("differences") or []
        return differences

    @property
    def again(self) -> dict[str, str]:
        """Where an endpoint was asked: the options with which the same comes without the network."""
        return dict(self._native.again())

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, which: int | str) -> Evaluation: ...
    @overload
    def __getitem__(self, which: slice) -> Sequence[Evaluation]: ...
    def __getitem__(self, which: int | str | slice) -> Evaluation | Sequence[Evaluation]:
        """By number, or by the name of a system or a profile, or by the IRI."""
        if isinstance(which, (int, slice)):
            return self.evaluations[which]
        named = [one for one in self.evaluations if which in (one.system, one.profile, one.evaluation)]
        if len(named) == 1:
            return named[0]
        known = ", ".join(sorted({one.system for one in self.evaluations} | {one.profile for one in self.evaluations}))
        what = "no evaluation is" if not named else f"{len(named)} evaluations are"
        raise refused(f"{what} called `{which}`", allowed=known, hint="a number names one of several")

    def __contains__(self, which: object) -> bool:
        """Whether one of them is this, or is called so."""
        return any(one is which or which in (one.system, one.profile, one.evaluation) for one in self.evaluations)

    def __iter__(self) -> Iterator[Evaluation]:
        return iter(self.evaluations)

    @property
    def _only(self) -> Evaluation:
        if len(self) == 1:
            return self.evaluations[0]
        names = ", ".join(f"{one.system} ({one.profile})" for one in self.evaluations)
        raise refused(f"these are {len(self)} evaluations", allowed=names, hint="results[0] or results[NAME] is one of them")

    @property
    def evaluation(self) -> str:
        """The IRI of the only evaluation."""
        return self._only.evaluation

    @property
    def measures(self) -> dict[str, dict[str, float | int | None]]:
        """Those of the only evaluation: see `Evaluation.measures`."""
        return self._only.measures

    @property
    def questions(self) -> list[dict[str, Any]]:
        """Those of the only evaluation: see `Evaluation.questions`."""
        return self._only.questions

    @property
    def issues(self) -> list[dict[str, Any]]:
        """Those of the only evaluation: see `Evaluation.issues`."""
        return self._only.issues

    def explain(self, question: str | int, experiment: str = "QA", language: str = "en") -> Explanation:
        """Of the only evaluation: see `Evaluation.explain`."""
        return self._only.explain(question, experiment, language)

    def graph(self, library: str | None = None) -> Any:
        """Of the only evaluation: see `Evaluation.graph`."""
        return self._only.graph(library)

    def rows(self, what: str = "measures") -> list[dict[str, Any]]:
        """As rows: `measures`, one a system, profile and experiment type; `questions`, one a question of these; `issues`."""
        if what not in ("measures", "questions", "issues"):
            raise refused(f"there are no rows of `{what}`", allowed="measures, questions, issues")
        rows = []
        for one in self.evaluations:
            about = {"system": one.system, "profile": one.profile}
            if what == "measures":
                rows += [{**about, "experiment": name, **measures} for name, measures in one.measures.items()]
            else:
                rows += [{**about, **row} for row in (one.questions if what == "questions" else one.issues)]
        return rows

    def to_pandas(self, what: str = "measures") -> Any:
        """The rows as a DataFrame of pandas."""
        import pandas

        return pandas.DataFrame(self.rows(what))

    def to_polars(self, what: str = "measures") -> Any:
        """The rows as a DataFrame of polars."""
        import polars

        return polars.DataFrame(self.rows(what), infer_schema_length=None, strict=False)

    def to_arrow(self, what: str = "measures") -> Any:
        """The rows as a table of pyarrow."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.rows(what))

    def html(self) -> str:
        """The page of `qassay evaluate --html`: one file that needs nothing from outside."""
        return self._native.page()

    def __str__(self) -> str:
        return self._native.table()

    def __repr__(self) -> str:
        return f"<Results of {len(self)} evaluation{'' if len(self) == 1 else 's'}>\n{self}"

    def _repr_html_(self) -> str:
        return self._native.fragment()


def _measures(experiment: dict[str, Any]) -> dict[str, float | int | None]:
    measures: dict[str, float | int | None] = experiment.get("measures") or {}
    return measures
