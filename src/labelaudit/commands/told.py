"""How commands speak: sentences to standard error, results to standard output."""

from __future__ import annotations

import json
import sys
from math import isfinite
from typing import Any


def complain(text: str, status: int) -> int:
    """Say what is wrong in one sentence; return the exit status."""
    print(f"labelaudit {text}", file=sys.stderr)
    return status


def note(text: str) -> None:
    """Something to know that is no failure."""
    print(f"note: {text}", file=sys.stderr)


def as_json(values: Any) -> str:
    """JSON for people and programs: what is undefined or infinite is null."""
    # What the output cannot encode, JSON has its own way to write.
    code = getattr(sys.stdout, "encoding", None) or "utf-8"
    plain = not code.lower().startswith("utf")
    return json.dumps(_plain(values), indent=2, ensure_ascii=plain, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not isfinite(value) else value
