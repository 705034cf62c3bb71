"""What comes of a comparison."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any


class Comparison:
    """Systems beside each other."""

    def __init__(self, iri: str | None, view: str, page: str, text: str) -> None:
        #: The IRI, where the comparison is kept.
        self.comparison = iri
        #: What `qassay compare --format json` prints, to the byte.
        self.json = view
        self._page, self._text = page, text

    @cached_property
    def view(self) -> dict[str, Any]:
        """The same as objects."""
        view: dict[str, Any] = json.loads(self.json)
        return view

    def html(self) -> str:
        """The page of `qassay compare --html`."""
        return self._page

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self._text)}</pre>"
