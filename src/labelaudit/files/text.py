"""Values as the texts of cells."""

from __future__ import annotations

import json
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
