"""What can go wrong: what, where, what would be allowed, what to try."""

from __future__ import annotations


class Error(Exception):
    """Something that a user can act on. Its text has all that is known; the parts are attributes."""

    #: The file that it is about.
    file: str | None
    #: The place in the file, or the parameter.
    place: str | None
    #: What would have been accepted.
    allowed: str | None
    #: What to try next.
    hint: str | None

    def __init__(
        self,
        text: str,
        *,
        file: str | None = None,
        place: str | None = None,
        allowed: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(text)
        self.file, self.place, self.allowed, self.hint = file, place, allowed, hint


class InputError(Error, ValueError):
    """Wrong use, or an input that cannot be used."""


class CheckError(Error):
    """A check failed, or numbers differ."""


class MachineError(Error, OSError):
    """The machine failed: a full disk, no permission, a file that vanished."""


class LimitError(Error):
    """The work took more time, memory or rows than it was allowed."""


class Cancelled(Error):
    """The work is no longer wanted."""


_KINDS: dict[str, type[Error]] = {
    "input": InputError,
    "check": CheckError,
    "system": MachineError,
    "limit": LimitError,
    "cancelled": Cancelled,
}


def made(
    kind: str, text: str, file: str | None, place: str | None, allowed: str | None, hint: str | None
) -> Error:
    """The exception of an error of the library."""
    return _KINDS[kind](text, file=file, place=place, allowed=allowed, hint=hint)


def refused(what: str, *, place: str | None = None, allowed: str | None = None, hint: str | None = None) -> InputError:
    """The exception of a wrong use that is seen before the library is asked. `place`: the parameter."""
    lines = [f"{place}: {what}." if place else f"{what}."]
    lines += [f"{name}: {text}" for name, text in (("allowed", allowed), ("hint", hint)) if text]
    return InputError("\n".join(lines), place=place, allowed=allowed, hint=hint)
