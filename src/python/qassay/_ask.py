"""A Python function as a system that is asked."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from qassay import _native
from qassay._errors import refused
from qassay._listener import LOG, listener
from qassay._words import ARCHIVE, File, Several, file, flag, json_bytes, maybe, number, place, several, threads_of, whole

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from qassay._results import Results
    from qassay._words import AllOptions

#: What a function gives: see `ask`.
Reply = Any


class Asked:
    """What came of asking."""

    def __init__(self, dataset: File, submission: str, path: str, view: str) -> None:
        self._dataset = dataset
        #: The IRI of the submission.
        self.submission = submission
        #: Where the archive has the answers.
        self.file = str(path)
        #: The counts, measures and failures, as `qassay ask --format json` tells them.
        self.view: dict[str, Any] = json.loads(view)

    @property
    def system(self) -> str:
        """The name of the system."""
        return str(self.view["system"])

    @property
    def failures(self) -> list[dict[str, Any]]:
        """What went wrong, by kind."""
        failures: list[dict[str, Any]] = self.view["failures"]
        return failures

    def evaluate(self, **options: Unpack[AllOptions]) -> Results:
        """Score the answers against the gold answers of the dataset: the options are those of `qassay.evaluate`."""
        from qassay import evaluate

        return evaluate(self._dataset, self.file, system=self.system, **options)

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {self.view[name]}" for name in ("questions", "answered", "empty", "errors", "timeouts"))
        return f"<Asked {self.system}: {counts}>"


def ask(
    dataset: File,
    function: Callable[..., Reply],
    *,
    system: str | None = None,
    name: str | None = None,
    language: Several = None,
    limit: int | None = None,
    questions: Several = None,
    parallel: int = 4,
    time_limit: float | None = None,
    retries: int | None = None,
    pause: float | None = None,
    keep_going: bool = False,
    resume: bool = False,
    retry_failed: bool = False,
    replay: bool = False,
    restart: bool = False,
    archive: str | PathLike[str] = ARCHIVE,
    base: str | None = None,
    progress: bool | None = None,
) -> Asked:
    """Ask a function the questions of a dataset, as `qassay ask` asks a web service: every exchange is kept as it ends.

    function: gets the text of a question; where it has parameters of these names, also `language` and `id`. It gives
        - None or []: there is no answer;
        - a text or a list of texts: IRIs (http, https, urn) and literals;
        - True or False;
        - a dict: QALD JSON, SPARQL results JSON, or `{"answers": …, "query": SPARQL, "confidence": …}`.
        An `Exception` that it raises is kept as a failure: the question counts as unanswered, and `retry_failed` asks it again.
        What else it raises (`KeyboardInterrupt`, `SystemExit`) ends the run, which `resume` goes on with.
    name: what the function is called in the address under which its exchanges are kept [its module and name]; `resume` goes
        on with those of the same name, dataset and choices of questions.
    parallel: how many threads call it at the same time.
    time_limit: seconds; what comes later is a timeout. The function itself is not stopped.
    resume, retry_failed, replay, restart: what becomes of exchanges that are kept, as with the command.
    """
    goes_on = {"resume": resume, "retry_failed": retry_failed, "replay": replay, "restart": restart}
    chosen = [word for word, is_so in goes_on.items() if flag(is_so, word)]
    if len(chosen) > 1:
        raise refused(f"{' and '.join(chosen)} cannot be both", allowed="one of them")
    if archive is None:
        raise refused("exchanges are kept in an archive", place="archive", allowed="a folder")
    called = maybe(name, "name") or f"{getattr(function, '__module__', 'python')}.{getattr(function, '__qualname__', type(function).__name__)}"
    called = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in called)
    options = {
        "language": several(language, "language"),
        "limit": number(limit, "limit"),
        "questions": several(questions, "questions"),
        "parallel": threads_of(parallel, "parallel"),
        "time_limit": time_limit,
        "retries": number(retries, "retries", least=0),
        "pause": pause,
        "keep_going": flag(keep_going, "keep_going"),
        "again": chosen[0] if chosen else "anew",
    }
    usual = getattr(function, "__name__", type(function).__name__)
    caller = _Caller(function)
    bars = listener(progress)
    try:
        submission, path, view = _native.ask(
            file(dataset, "gold"),
            caller,
            called,
            maybe(system, "system") or "".join(letter for letter in usual if letter.isalnum() or letter in "._-") or "function",
            options,
            place(archive, base),
            listener=bars,
        )
    finally:
        bars.close()
        if caller.raised is not None:
            raise caller.raised
    return Asked(dataset, submission, path, view)


class _Caller:
    """Calls the function, and makes a reply of what it gives or raises."""

    def __init__(self, function: Callable[..., Reply]) -> None:
        if not callable(function):
            raise refused(f"a {type(function).__name__} cannot be called", place="function", allowed="a function")
        if any(map(inspect.iscoroutinefunction, (function, getattr(function, "__call__", None)))):
            hint = "lambda question: asyncio.run(FUNCTION(question)) is a function"
            raise refused("nobody waits for a coroutine", place="function", allowed="a function", hint=hint)
        self._function = function
        self._wants = _parameters(function)
        #: What ended the run, of what the function raised.
        self.raised: BaseException | None = None

    def __call__(self, question: str, language: str, key: str, left: float) -> tuple[int, bytes]:
        known = {"language": language, "id": key, "time_left": left}
        try:
            given = self._function(question, **{name: known[name] for name in self._wants})
            return 200, json_bytes(_reply(question, language, key, given))
        except TimeoutError as error:
            return 504, json_bytes({"error": _told(error)})
        except Exception as error:
            return 500, json_bytes({"error": _told(error)})
        except BaseException as error:
            self.raised = error
            raise


def _told(error: Exception) -> str:
    """What an exception says, even where it cannot."""
    LOG.debug("the function failed", exc_info=True)
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = type(error).__name__
    return whole(text.removesuffix(": "))


def _parameters(function: Callable[..., Reply]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    own = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    return [name for name in ("language", "id", "time_left") if name in own[1:]]


def _reply(question: str, language: str, key: str, given: Reply) -> dict[str, Any]:
    """QALD JSON."""
    query: Any = None
    confidence: Any = None
    if isinstance(given, Mapping):
        if "questions" in given:
            return dict(given)
        if "results" in given or "boolean" in given or "head" in given:
            answers: Any = [dict(given)]
        else:
            query, confidence = given.get("query"), given.get("confidence")
            has_answers = "answers" in given or "answer" in given
            if query is None and not has_answers:
                raise TypeError("the function gave a dict without `answers`, `query`, `results`, `boolean` or `questions`")
            answers = _answers(given.get("answers", given.get("answer"))) if has_answers else None
    else:
        answers = _answers(given)
    one: dict[str, Any] = {"id": key, "question": [{"language": language, "string": question}]}
    if query is not None:
        one["query"] = {"sparql": str(query)}
    # A query without answers is to be run.
    if answers is not None:
        one["answers"] = answers
    if confidence is not None:
        one["confidence"] = confidence
    return {"questions": [one]}


def _answers(given: Any) -> list[dict[str, Any]]:
    given = _of_numpy(given)
    if isinstance(given, bool):
        return [{"head": {}, "boolean": given}]
    if given is None:
        values: list[Any] = []
    elif isinstance(given, (str, int, float)):
        values = [given]
    elif isinstance(given, Iterable) and not isinstance(given, (bytes, bytearray, Mapping)):
        values = list(given)
    else:
        raise TypeError(f"the function gave a {type(given).__name__}, which is no answer")
    if len(values) == 1 and isinstance(values[0], bool):
        return _answers(values[0])
    return [{"head": {"vars": ["answer"]}, "results": {"bindings": [{"answer": _term(value)} for value in values]}}]


def _of_numpy(value: Any) -> Any:
    """What numpy and pandas have, as lists and numbers of Python."""
    return value.tolist() if hasattr(value, "tolist") else value


def _term(value: Any) -> dict[str, Any]:
    value = _of_numpy(value)
    if value is None or isinstance(value, (bytes, bytearray)):
        raise TypeError(f"the function gave a {type(value).__name__} among answers, which is no answer")
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, bool):
        return {"type": "literal", "value": str(value).lower(), "datatype": "http://www.w3.org/2001/XMLSchema#boolean"}
    if isinstance(value, int):
        return {"type": "literal", "value": str(value), "datatype": "http://www.w3.org/2001/XMLSchema#integer"}
    if isinstance(value, float):
        return {"type": "literal", "value": repr(value).replace("nan", "NaN").replace("inf", "INF"), "datatype": "http://www.w3.org/2001/XMLSchema#double"}
    text = str(value)
    if text.startswith(("http://", "https://", "urn:")) and not any(letter.isspace() for letter in text):
        return {"type": "uri", "value": text}
    return {"type": "literal", "value": text}
