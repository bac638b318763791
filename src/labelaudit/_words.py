"""How numbers and names are written in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._digits import decimals, steady
from .agreement.ratings import shown

TOLD = 3  # names in a list, before "and n more"


def number(value: float, digits: int = 2) -> str:
    """Without the zero before the point: .53, and -.10 for -0.1."""
    return re.sub(r"^(-?)0\.", r"\1.", decimals(value, digits))


def below(value: float, limit: float) -> str:
    """With as many decimals as show that it is below."""
    digits = next((d for d in range(2, 6) if round(steady(value), d) < limit), 6)
    return number(value, digits)


def percent(share: float) -> str:
    return f"{decimals(100 * share, 1 if 1e-12 < abs(share) < 0.0995 else 0)} %"


def ends(low: float, high: float) -> str:
    return f"{number(low)} to {number(high)}"


def several(names: Iterable[Any]) -> str:
    """The first few, and how many more."""
    texts = [str(name) for name in names]
    more = len(texts) - TOLD
    if more > 1:
        return f"{', '.join(texts[:TOLD])} and {more} more"
    return ", ".join(texts)


def who(name: Any) -> str:
    """A rater's name; one without letters needs a word before it."""
    text = str(name)
    return text if any(map(str.isalpha, text)) else f"rater {text}"


def plural(count: int, noun: str) -> str:
    """1 item, 2 items."""
    return f"{count} {noun}{'s' * (count != 1)}"


def whole(label: Any) -> Any:
    """A label; 1 where it is 1.0."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return int(label)
    return label


def label_name(label: Any) -> str:
    """A label in a sentence: 'a', or 1."""
    return shown(whole(label))
