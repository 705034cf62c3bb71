"""An archive: what was evaluated, as RDF."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from typing import Any

from qassay import _native
from qassay._errors import refused
from qassay._listener import listener
from qassay._program import ready
from qassay._words import ARCHIVE, Several, flag, maybe, number, place, several, word


class Rows(list[dict[str, str]]):
    """The rows of a query: of each the texts of its terms by the names of the variables."""

    #: The names of the variables.
    variables: list[str]
    #: The SPARQL 1.1 Query Results JSON, with the types of the terms.
    json: str

    def to_pandas(self) -> Any:
        """The rows as a DataFrame of pandas."""
        import pandas

        return pandas.DataFrame(list(self), columns=self.variables)


class Archive:
    """The archive in a folder."""

    def __init__(self, path: str | PathLike[str] = ARCHIVE) -> None:
        self.path = word(path, "path")

    def query(
        self,
        sparql: str,
        *,
        with_links: bool = False,
        timeout: int | None = None,
        memory: int | None = None,
    ) -> Rows | bool | str:
        """Run a SPARQL query over the archive, in a process of its own, as `qassay query` does: a text, or the name of a
        canned query. A SELECT gives rows, an ASK True or False, a CONSTRUCT or DESCRIBE N-Triples.

        timeout: the longest that it may run, in seconds; memory: the most that it may use, in megabytes.
        """
        ready()
        text, are_statements = _native.query(
            self.path,
            word(sparql, "sparql"),
            with_links=flag(with_links, "with_links"),
            timeout=number(timeout, "timeout"),
            memory=number(memory, "memory"),
            listener=listener(False),
        )
        if are_statements:
            return text
        view = json.loads(text)
        if "boolean" in view:
            return bool(view["boolean"])
        rows = Rows({name: term["value"] for name, term in row.items()} for row in view["results"]["bindings"])
        rows.variables, rows.json = view["head"]["vars"], text
        return rows

    def evaluations(self) -> list[dict[str, Any]]:
        """The evaluations with key, dataset, time and headline value, as `qassay list evaluation` tells."""
        listed: list[dict[str, Any]] = json.loads(_native.evaluations(place(self.path)))
        return listed

    def publish(
        self,
        *what: str,
        to: str | PathLike[str] | None,
        creator: Several = None,
        publisher: str | None = None,
        licence: str | None = None,
        input_licence: Mapping[str, str] | None = None,
        doi: str | None = None,
        title: str | None = None,
        date: str | None = None,
        bag: bool = False,
        base: str | None = None,
    ) -> dict[str, Any]:
        """Publish evaluations or comparisons as one record, as `qassay publish` does, and say what it has.

        to: a new folder, or a new file that ends with .zip; None: nothing is written or kept, as with `--check`.
        creator: who made it, `Josiah Carberry <0000-0002-1825-0097>`; input_licence: `{"dataset": "CC-BY-4.0"}`.
        """
        if not isinstance(input_licence, (Mapping, type(None))):
            raise refused("this says not of which input", place="input_licence", allowed="a dict: {'dataset': 'CC-BY-4.0'}")
        options = {
            "creator": several(creator, "creator"),
            "publisher": maybe(publisher, "publisher"),
            "licence": maybe(licence, "licence"),
            "input_licence": [tuple(several(pair, "input_licence")) for pair in (input_licence or {}).items()],
            "doi": maybe(doi, "doi"),
            "title": maybe(title, "title"),
            "date": maybe(date, "date"),
            "bag": flag(bag, "bag"),
        }
        words, out = several(what, "what"), maybe(to, "to")
        told: dict[str, Any] = json.loads(
            _native.publish(words, out, options, place(self.path, base), listener=listener(False))
        )
        return told

    def __repr__(self) -> str:
        return f"Archive({self.path!r})"
