"""Values as the texts of cells, and texts as values."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np


class UnreadableError(ValueError):
    """A file that cannot be read; its text names the file, and the line if any."""


def plain(value: Any) -> str:
    """A value as text; equal numbers are one text, whatever their type.

    Lists and objects are written as JSON.
    """
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, default=plain)
    if isinstance(value, Decimal) and value == float(value):
        value = float(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(float(value))
    return str(value)


def cell(value: Any) -> str | None:
    """A value as a cell: without blanks around it, None where there is nothing."""
    if value is None or (isinstance(value, float) and value != value):
        return None
    return (value if isinstance(value, str) else plain(value)).strip() or None


def parsed(text: str | None) -> Any:
    """The list or object that a cell holds as JSON, else None."""
    if text is None or text[:1] not in ("[", "{"):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, (list, dict)) else None


def few(names: Iterable[str], most: int = 12) -> str:
    """Names of columns in a message, on one line, the first of many."""
    told = [" ".join(name.split()) or "(no name)" for name in names]
    more = f" and {len(told) - most:,} more" if len(told) > most + 1 else ""
    return ", ".join(told[:most] if more else told) + more


def typed(option: str, texts: Iterable[str]) -> str:
    """An option and its list as they are typed."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([*texts])
    listed = line.getvalue()
    return f"{option}{'=' if listed[:1] == '-' else ' '}{shlex.quote(listed)}"
