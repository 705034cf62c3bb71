"""qassay and lm-evaluation-harness: the samples that it logs are a gold standard and answers.

A file `samples_TASK_DATE.jsonl` of `--log_samples` is read as it is: `qassay.evaluate("gold.json", "samples_….jsonl")`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from qassay._errors import refused
from qassay._words import whole


def answers(results: Mapping[str, Any] | None, task: str | None = None) -> bytes:
    """The samples of a task in what `lm_eval.simple_evaluate(…, log_samples=True)` gives, as the file that the harness would write:
    both gold and answers for `qassay.evaluate`. It gives nothing in all processes but one, where it runs in several."""
    samples = (results or {}).get("samples") or {}
    if task is None and len(samples) == 1:
        task = next(iter(samples))
    if task is None or task not in samples:
        what = "no task is named" if task is None else f"there are no samples of the task `{task}`"
        raise refused(what, allowed=", ".join(samples) or None, hint="simple_evaluate(…, log_samples=True) keeps samples")
    lines = []
    for sample in samples[task]:
        # As the harness writes them: everything but the record is a text.
        one = {**sample, "resps": _texts(sample["resps"]), "filtered_resps": _texts(sample["filtered_resps"])}
        one["target"] = str(sample["target"])
        lines.append(json.dumps(one, default=str, ensure_ascii=False) + "\n")
    return whole("".join(lines)).encode()


def _texts(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_texts(one) for one in value]
    return value if isinstance(value, str) else str(value)
