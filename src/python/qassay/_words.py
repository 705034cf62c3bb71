"""What people write as parameters, as the library takes it: options by their names, files as paths or as bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any, Union

from qassay._errors import refused

#: A file: a path, or what the catalogue calls a fetched one; its bytes; the JSON of it as a dict; a list of records, one a
#: question; a DataFrame (pandas, polars, pyarrow), a row a value.
File = Union[str, "PathLike[str]", bytes, bytearray, memoryview, Mapping[str, Any], Sequence[Mapping[str, Any]], Any]

#: One word, or several.
Several = Union[str, "PathLike[str]", Iterable[Any], None]

_REFERENCES = ("links", "labels", "types", "classes", "question_types", "assessments")
_CHOICES = ("experiment", "link_kind", "same_as", "language", "loader", "part", "cutoffs")
_LIMITS = ("timeout", "max_rows", "memory", "jobs")

#: The folder of the archive where nobody names one.
ARCHIVE = "qassay-archive"


def several(words: Several) -> list[str]:
    """One word or several, as a list; of one text the parts between its commas are not taken apart."""
    if words is None:
        return []
    if isinstance(words, (str, PathLike)):
        return [fspath(words)]
    if isinstance(words, Iterable):
        return [fspath(word) if isinstance(word, PathLike) else str(word) for word in words]
    return [str(words)]


def scoring(profile: Several, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `qassay evaluate` that decide numbers."""
    known = {*_REFERENCES, *_CHOICES, *_LIMITS, "kb", "gold_answers"}
    unknown = [name for name in options if name not in known]
    if unknown:
        raise refused(f"there is no option `{unknown[0]}`", allowed=", ".join(sorted(known)))
    chosen = {name: several(options[name]) for name in _CHOICES if options.get(name) is not None}
    named = {name: several(options[name]) for name in _REFERENCES if options.get(name) is not None}
    return {
        "profile": several(profile),
        "gold_answers": options.get("gold_answers"),
        "kb": several(options.get("kb")),
        "references": {name.replace("_", "-"): words for name, words in named.items()},
        "choices": {name.replace("_", "-"): words for name, words in chosen.items()},
        **{name: options.get(name) for name in _LIMITS},
    }


def place(archive: str | PathLike[str] | None, base: str | None = None) -> dict[str, Any]:
    """Where things are kept; without an archive nothing is, and what has a name is taken from the usual one."""
    return {"archive": ARCHIVE if archive is None else fspath(archive), "keeps": archive is not None, "base": base}


def is_records(value: Any) -> bool:
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
    return hasattr(value, "columns") and (
        hasattr(value, "to_csv") or hasattr(value, "write_csv") or hasattr(value, "to_pylist")
    )


def file(value: File, name: str) -> str | tuple[str, bytes]:
    """A file as the library takes it. What is in memory is called by the name."""
    if isinstance(value, (str, PathLike)):
        return str(fspath(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return name, bytes(value)
    if isinstance(value, Mapping):
        return f"{name}.json", json_bytes(value)
    if is_frame(value):
        return _frame(value, name)
    if is_records(value):
        return _records(value, name)
    raise refused(
        f"{name} is a {type(value).__name__}, which is no file",
        allowed="a path, bytes, a dict with the JSON, a list of records (dicts), a DataFrame",
    )


def files(value: Any) -> list[Any]:
    """Files of answers: one, or a list of them."""
    if isinstance(value, (list, tuple)) and not is_records(value):
        return list(value)
    return [value]


def json_bytes(value: Any) -> bytes:
    """JSON as bytes."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain).encode()
    except (TypeError, ValueError) as error:
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
    """A DataFrame: as CSV, a row a value; where a cell has a list of values, as JSON, a row a question."""
    if hasattr(frame, "write_csv"):  # polars
        if any(getattr(kind, "is_nested", bool)() for kind in frame.dtypes):
            return _records(frame.to_dicts(), name)
        return f"{name}.csv", frame.write_csv().encode()
    if hasattr(frame, "to_csv"):  # pandas
        if frame.index.name is not None:
            frame = frame.reset_index()
        if len(frame) and any(_is_several(value) for value in frame.iloc[0]):
            return _records(frame.to_dict("records"), name)
        return f"{name}.csv", _arrow_of_pandas(frame) or frame.to_csv(index=False).encode()
    if any(str(kind).startswith(("list", "large_list", "struct")) for kind in frame.schema.types):
        return _records(frame.to_pylist(), name)
    return f"{name}.csv", _arrow_csv(frame)


def _is_several(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, dict)) or hasattr(value, "tolist") and hasattr(value, "shape") and value.shape != ()


def _arrow_of_pandas(frame: Any) -> bytes | None:
    """As pyarrow writes it, which is faster, where it is installed and can."""
    try:
        import pyarrow

        return _arrow_csv(pyarrow.Table.from_pandas(frame, preserve_index=False))
    except (ImportError, TypeError, ValueError):
        return None


def _arrow_csv(table: Any) -> bytes:
    import pyarrow
    from pyarrow import csv

    out = pyarrow.BufferOutputStream()
    csv.write_csv(table, out)
    content: bytes = out.getvalue().to_pybytes()
    return content
