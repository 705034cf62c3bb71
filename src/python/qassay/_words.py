"""What people write as parameters, as the library takes it: options by their names, files as paths or as bytes."""

from __future__ import annotations

import io
import json
import operator
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, TypedDict, TypeGuard, Union

from qassay import _native
from qassay._errors import refused


class Frame(Protocol):
    """A table of pandas, polars or pyarrow."""

    @property
    def columns(self) -> Any: ...


#: A file: a path, or what the catalogue calls a fetched one; its bytes; the JSON of it as a dict; a list of records, one a
#: question; a DataFrame (pandas, polars, pyarrow), a row a value.
File = Union[str, "PathLike[str]", bytes, bytearray, memoryview, Mapping[str, Any], Sequence[Mapping[str, Any]], Frame]

#: One word, or several.
Several = Union[str, "PathLike[str]", Iterable[Any], None]


class Scoring(TypedDict, total=False):
    """Options of `qassay evaluate` that decide numbers: `qassay help evaluate` says more of each."""

    links: Several
    link_kind: Several
    same_as: Several
    labels: Several
    types: Several
    classes: Several
    question_types: Several
    assessments: Several
    language: Several
    loader: Several
    part: Several
    cutoffs: Several
    kb: Several
    timeout: int | None
    max_rows: int | None
    memory: int | None
    jobs: int | None


class Options(Scoring, total=False):
    """All of those."""

    experiment: Several
    gold_answers: str | None


class AllOptions(Options, total=False):
    """Those of `qassay.evaluate` beside the files and the names of systems."""

    profile: Several
    archive: str | PathLike[str] | None
    groups: bool
    base: str | None
    threads: int | None
    progress: bool | None


_REFERENCES = ("links", "labels", "types", "classes", "question_types", "assessments")
_CHOICES = ("experiment", "link_kind", "same_as", "language", "loader", "part", "cutoffs")
_LIMITS = ("timeout", "max_rows", "memory", "jobs")

#: The folder of the archive where nobody names one.
ARCHIVE = "qassay-archive"


def word(value: Any, name: str) -> str:
    """A text or a path, as the library can be given it. `name` is that of the parameter."""
    if not isinstance(value, (str, PathLike)):
        raise refused(f"a {type(value).__name__} is no text", place=name, allowed="a text or a path")
    text = os.fsdecode(value)
    try:
        os.fsencode(text)
    except UnicodeEncodeError as error:
        raise refused(f"{text!r:.80} is no text: it has half of a character", place=name, allowed="what UTF-8 can write") from error
    return text


def whole(text: str) -> str:
    """A text of strangers, with ? for each half of a character."""
    return text.encode(errors="replace").decode()


def maybe(value: Any, name: str) -> str | None:
    """A text, where there is one."""
    return None if value is None else word(value, name)


def several(words: Several, name: str) -> list[str]:
    """One word or several, as a list; of one text the parts between its commas are not taken apart."""
    if words is None:
        return []
    if isinstance(words, (str, bytes, bytearray, PathLike)) or not isinstance(words, Iterable):
        words = [words]
    return [key(one, name) for one in words]


def key(value: Any, name: str) -> str:
    """A text, or a whole number as one: ids of questions are both."""
    return str(value) if _is_whole(value) else word(value, name)


def _is_whole(value: Any) -> bool:
    """Whether it is a whole number, of numpy too."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def number(value: Any, name: str, least: int = 1, most: int = 1 << 30) -> int | None:
    """A whole number, where there is one."""
    if value is None:
        return None
    given = operator.index(value) if _is_whole(value) else least - 1
    if not least <= given <= most:
        raise refused(f"`{value!r}` cannot be used", place=name, allowed=f"a whole number from {least} to {most}")
    return given


def threads_of(value: Any, name: str = "threads") -> int | None:
    """How many threads work, where somebody says it."""
    return number(value, name, most=_native.MOST_THREADS)


def flag(value: Any, name: str) -> bool:
    """True or False, of numpy too."""
    if not isinstance(value, bool) and getattr(getattr(value, "dtype", None), "kind", "") != "b":
        raise refused(f"`{value!r:.80}` is neither", place=name, allowed="True, False")
    return bool(value)


def scoring(profile: Several, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `qassay evaluate` that decide numbers."""
    known = {*_REFERENCES, *_CHOICES, *_LIMITS, "kb", "gold_answers"}
    unknown = [name for name in options if name not in known]
    if unknown:
        raise refused(f"there is no option `{unknown[0]}`", allowed=", ".join(sorted(known)))
    chosen = {name: several(options[name], name) for name in _CHOICES if options.get(name) is not None}
    named = {name: several(options[name], name) for name in _REFERENCES if options.get(name) is not None}
    return {
        "profile": several(profile, "profile") or ["qassay"],
        "gold_answers": maybe(options.get("gold_answers"), "gold_answers"),
        "kb": several(options.get("kb"), "kb"),
        "references": {name.replace("_", "-"): words for name, words in named.items()},
        "choices": {name.replace("_", "-"): words for name, words in chosen.items()},
        **{name: number(options.get(name), name) for name in _LIMITS},
    }


def place(archive: str | PathLike[str] | None, base: str | None = None) -> dict[str, Any]:
    """Where things are kept; without an archive nothing is, and what has a name is taken from the usual one."""
    root = ARCHIVE if archive is None else word(archive, "archive")
    return {"archive": root, "keeps": archive is not None, "base": maybe(base, "base")}


def is_records(value: Any) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    """Whether these are records, one a question, and not several files."""
    return (
        isinstance(value, Sequence)
        and not isinstance(value, (str, bytes, bytearray, memoryview))
        and len(value) > 0
        and all(isinstance(one, Mapping) for one in value)
        and not any("questions" in one for one in value)
    )


def is_frame(value: Any) -> bool:
    """Whether it is a table with columns: of pandas, polars or pyarrow, none of which has to be installed."""
    writes = ("to_csv", "write_csv", "to_pylist")
    return any(hasattr(value, name) for name in writes) and hasattr(value, "columns")


def file(value: File, name: str) -> str | tuple[str, bytes]:
    """A file as the library takes it. What is in memory is called by the name."""
    if isinstance(value, (str, PathLike)):
        path = word(value, name)
        if ("\n" in path or path.lstrip()[:1] in ("{", "[")) and not os.path.exists(path):
            raise refused("this text is no path", place=name, hint="TEXT.encode() are the bytes of a file")
        return path
    if isinstance(value, (bytes, bytearray, memoryview)):
        return name, bytes(value)
    if isinstance(value, Mapping):
        return f"{name}.json", json_bytes(value)
    if is_frame(value):
        try:
            return _frame(value, name)
        except UnicodeEncodeError as error:
            raise refused(f"this is no text: {error}", place=name) from error
    if is_records(value):
        return _records(value, name)
    raise refused(
        f"a {type(value).__name__} is no file",
        place=name,
        allowed="a path, bytes, a dict with the JSON, a list of records (dicts), a DataFrame",
        hint=next((hint for method, hint in _HINTS.items() if hasattr(value, method)), None),
    )


#: What has such a method is not read, but what it gives is.
_HINTS = {
    "collect": "VALUE.collect() is a DataFrame",
    "to_frame": "VALUE.to_frame() is a DataFrame; it needs a column `id`",
    "read": "VALUE.read() has the bytes of a file, or a text, whose TEXT.encode() they are",
    "__next__": "list(VALUE) is a list of records",
}


def files(value: Any) -> list[Any]:
    """Files of answers: one, or a list of them."""
    given = list(value) if isinstance(value, (list, tuple)) and not is_records(value) else [value]
    if not given:
        raise refused("there are no answers", place="answers", allowed="a file, or a list of files")
    return given


def json_bytes(value: Any) -> bytes:
    """JSON as bytes."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise refused(f"this is no JSON: {error}") from error


def _plain(value: Any) -> Any:
    """What numpy and sets have, as JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"a {type(value).__name__} has no form in JSON")


def _records(records: Iterable[Mapping[str, Any]], name: str) -> tuple[str, bytes]:
    return f"{name}.json", json_bytes([_record(one) for one in records])


def _record(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record of answers as the formats of predictions have it: `answers` beside `id` are what the system says."""
    if "id" not in record or "prediction" in record or "predictions" in record:
        return record
    for name in ("answers", "answer"):
        if name in record and "question" not in record:
            return {("prediction" if key == name else key): value for key, value in record.items()}
    return record


def _frame(frame: Any, name: str) -> tuple[str, bytes]:
    """A DataFrame: as CSV, a row a value; where a cell has a list of values, as JSON, a row a question. Quotes are where they must
    be, whoever writes them: the same texts are the same bytes."""
    if hasattr(frame, "to_csv") and any(level is not None for level in frame.index.names):  # pandas
        frame = frame.reset_index()
    _check_columns([str(column) for column in getattr(frame, "column_names", frame.columns)], name)
    if hasattr(frame, "write_csv"):  # polars
        if any(getattr(kind, "is_nested", bool)() for kind in frame.dtypes):
            return _records(frame.to_dicts(), name)
        out = io.BytesIO()
        frame.write_csv(out)
        return f"{name}.csv", out.getvalue()
    if hasattr(frame, "to_csv"):  # pandas
        if any(_has_several(column) for _, column in frame.items()):
            # What is missing is NaN, which JSON has not.
            return _records(frame.astype(object).where(frame.notna(), None).to_dict("records"), name)
        return f"{name}.csv", _arrow_of_pandas(frame) or _csv(frame.columns, map(_plain_values, frame.items()))
    if any(str(kind).startswith(("list", "large_list", "fixed_size_list", "struct")) for kind in frame.schema.types):
        return _records(frame.to_pylist(), name)
    return f"{name}.csv", _arrow_csv(frame)


#: A column of one of these names, however it is written, says which question a row is about.
_IDS = ("id", "qid", "question_id", "questionid", "question-id", "question id")


def _check_columns(columns: list[str], name: str) -> None:
    """An error of a table that nobody could read, which knows more than that of its CSV."""
    allowed = f"a column {', '.join(_IDS[:3])}, and `answer`, a row a value, or `answers`, a list a question"
    if not any(column.strip().lower() in _IDS for column in columns):
        has = f"it has {', '.join(columns[:20])}" if columns else "it has none"
        raise refused("no column of this table says which question a row is about", place=name, allowed=allowed, hint=has)
    twice = [column for at, column in enumerate(columns) if column in columns[:at]]
    if twice:
        raise refused(f"this table has two columns `{twice[0]}`", place=name, allowed=allowed)


def _has_several(column: Any) -> bool:
    """Whether a cell of a column of pandas has several values. Of texts, which are many, nobody looks at each."""
    from pandas.api.types import infer_dtype

    return column.dtype.kind == "O" and infer_dtype(column) != "string" and any(map(_is_several, column))


def _is_several(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset, dict)) or getattr(value, "shape", ()) != ()


def _plain_values(column: tuple[Any, Any]) -> list[Any]:
    """The values of a column of pandas; those that are missing are None."""
    values: list[Any] = column[1].astype(object).where(column[1].notna(), None).tolist()
    return values


def _arrow_of_pandas(frame: Any) -> bytes | None:
    """As pyarrow writes it, which is faster, where it is installed and can."""
    try:
        import pyarrow

        return _arrow_csv(pyarrow.Table.from_pandas(frame, preserve_index=False))
    except (ImportError, NotImplementedError, TypeError, ValueError):
        return None


def _arrow_csv(table: Any) -> bytes:
    """A table of pyarrow, which quotes nothing or all of it."""
    import pyarrow.csv

    names, out = table.schema.names, pyarrow.BufferOutputStream()
    out.write(_csv(names, []))
    try:
        pyarrow.csv.write_csv(table, out, pyarrow.csv.WriteOptions(include_header=False, quoting_style="none"))
    except pyarrow.ArrowInvalid:
        return _csv(names, [column.to_pylist() for column in table.columns])
    return bytes(out.getvalue().to_pybytes())


_QUOTED = re.compile('[",\r\n]')


def _csv(names: Iterable[Any], columns: Iterable[Iterable[Any]]) -> bytes:
    """A table with quotes where they must be."""

    def field(value: Any) -> str:
        text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        return '"{}"'.format(text.replace('"', '""')) if _QUOTED.search(text) else text

    rows = [names, *zip(*columns)]
    return "".join(",".join(map(field, row)) + "\n" for row in rows).encode()
