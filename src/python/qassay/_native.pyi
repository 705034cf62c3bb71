from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Protocol

__version__: str
MOST_THREADS: int

Given = str | PathLike[str] | tuple[str, bytes]
Words = dict[str, Any]

class Listener(Protocol):
    def progress(self, stage: str, done: int, total: int) -> None: ...
    def end(self, stage: str) -> None: ...
    def note(self, text: str) -> None: ...

class Evaluated:
    def __len__(self) -> int: ...
    def json(self) -> str: ...
    def table(self) -> str: ...
    def page(self) -> str: ...
    def fragment(self) -> str: ...
    def again(self) -> list[tuple[str, str]]: ...
    def explain(self, number: int, experiment: str, question: str, language: str) -> tuple[str, str]: ...
    def quads(self, number: int) -> bytes: ...

def use_program(path: str | PathLike[str]) -> None: ...
def evaluate(
    gold: Given,
    answers: Sequence[Given],
    systems: Sequence[str | None],
    words: Words,
    place: Words,
    *,
    groups: bool = False,
    threads: int | None = None,
    listener: Listener | None = None,
) -> Evaluated: ...
def compare(
    evaluations: Sequence[str],
    files: tuple[Given, Sequence[Given], Sequence[str | None]] | None,
    settings: Words,
    words: Words,
    place: Words,
    *,
    threads: int | None = None,
    listener: Listener | None = None,
) -> tuple[str | None, str, str, str]: ...
def check(file: Given, encoding: str | None, place: Words) -> tuple[str, str, str]: ...
def convert(
    file: Given,
    to: str,
    encoding: str | None,
    queries_from: str | PathLike[str] | None,
    lossy: bool,
    place: Words,
) -> tuple[bytes, list[str]]: ...
def datasets(archive: str | PathLike[str]) -> str: ...
def query(
    root: str | PathLike[str],
    text: str,
    *,
    with_links: bool = False,
    timeout: int | None = None,
    memory: int | None = None,
    listener: Listener | None = None,
) -> tuple[str, bool]: ...
def publish(
    words: Sequence[str], to: str | None, options: Words, place: Words, *, listener: Listener | None = None
) -> str: ...
def evaluations(place: Words) -> str: ...
def ask(
    dataset: Given,
    function: Callable[[str, str, str, float], tuple[int, bytes]],
    name: str,
    system: str | None,
    options: Words,
    place: Words,
    *,
    listener: Listener | None = None,
) -> tuple[str, str, str]: ...
