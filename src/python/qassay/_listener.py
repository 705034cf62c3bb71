"""How far the work is: bars of tqdm where it is installed; what is worth saying goes to `logging`."""

from __future__ import annotations

import logging
import sys
import warnings
from functools import partial
from typing import Any

#: What the program says on standard error.
LOG = logging.getLogger("qassay")

#: Bars that nobody asked for are shown of work that takes so many seconds.
PATIENCE = 0.5


class Bars:
    """Shows the stages of the work."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bars: dict[str, Any] = {}

    def progress(self, stage: str, done: int, total: int) -> None:
        if self._tqdm is None or total < 2:
            return
        bar = self._bars.get(stage)
        if bar is None:
            bar = self._bars[stage] = self._tqdm(total=total, desc=stage, leave=False)
        bar.total = total
        bar.update(done - bar.n)

    def end(self, stage: str) -> None:
        bar = self._bars.pop(stage, None)
        if bar is not None:
            bar.close()

    def note(self, text: str) -> None:
        LOG.info("%s", text)

    def close(self) -> None:
        """Closes what is left open."""
        for stage in list(self._bars):
            self.end(stage)


def listener(progress: bool | None) -> Bars:
    """Who listens. `progress`: whether bars are shown; None: where tqdm is installed and somebody looks."""
    looks = progress is None and (sys.stderr is not None and sys.stderr.isatty() or "ipykernel" in sys.modules)
    if progress or looks:
        try:
            with warnings.catch_warnings():
                # A notebook without ipywidgets has bars of letters: it is no fault of whoever evaluates.
                warnings.simplefilter("ignore")
                from tqdm import auto

            return Bars(auto.tqdm if progress else partial(auto.tqdm, delay=PATIENCE))
        except ImportError:
            pass
    return Bars(None)
