"""How numbers and names are written in sentences."""

import decimal
import sys
import warnings
from collections.abc import Iterable
from functools import partial
from numbers import Number
from typing import Any

import numpy as np

from ._digits import decimals, significant, steady

TOLD = 3  # names in a list, before "and n more"


def number(value: float, digits: int = 2) -> str:
    return decimals(value, digits)


def below(value: float, limit: float) -> str:
    """With as many decimals as show that it is below."""
    digits = next((d for d in range(2, 6) if round(steady(value), d) < limit), 6)
    return number(value, digits)


def percent(share: float) -> str:
    return f"{decimals(100 * share, 1 if 1e-12 < abs(share) < 0.0995 else 0)} %"


def several(names: Iterable[Any], between: str = ", ") -> str:
    """The first few, and how many more."""
    texts = [text(name) for name in names]
    more = len(texts) - TOLD
    if more > 1:
        return f"{between.join(texts[:TOLD])} and {more} more"
    return between.join(texts)


def who(name: Any) -> str:
    """A rater's name; one without letters needs a word before it."""
    told = text(name)
    return told if any(map(str.isalpha, told)) else f"rater {told}"


def valued(name: str, value: float, low: float, high: float) -> str:
    """A value, and its interval if there is one."""
    ends = f", 95 % interval {significant(low)} to {significant(high)}"
    return f"{name} {significant(value)}{ends if low == low else ''}"


def sized(of: Any) -> str:
    """What takes part in a result, and what does not."""
    told = f"{plural(of.n_items, 'item')}, {plural(of.n_ratings, 'judgment')}"
    if of.n_clusters is not None:
        told += f", {plural(of.n_clusters, 'cluster')}"
    return f"{told}; {of.dropped}" if of.dropped else told


def plural(count: int, noun: str) -> str:
    """1 item, 2 items."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def whole(label: Any) -> Any:
    """A label; 1 where it is 1.0."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return int(label)
    return label


def label_name(label: Any) -> str:
    """A label in a sentence: 'a', or 1."""
    return shown(whole(label))


def kind(label: Any) -> str:
    """The type of a label or item in a message."""
    if isinstance(label, (bool, np.bool_)):
        return "bool"
    if isinstance(label, (Number, np.number, decimal.Decimal)):
        return "number"
    return "text" if isinstance(label, str) else type(label).__name__


def standing(label: Any) -> tuple[Any, ...]:
    """Where a label or a member of a set stands: by kind, then by value.

    A set stands by its size, then by its members in order.
    """
    if isinstance(label, frozenset):
        return "set", len(label), [standing(member) for member in in_order(label)]
    return kind(label), label


def in_order(label: frozenset[Any]) -> list[Any]:
    """The members of a set in order, or as they are written where they have none."""
    try:
        return sorted(label, key=standing)
    except TypeError:  # members without an order
        return sorted(label, key=lambda member: (kind(member), repr(member)))


def text(label: Any) -> str:
    """A label as it is printed: a set as {a, b}, in order."""
    if isinstance(label, frozenset):
        return f"{{{', '.join(map(text, in_order(label)))}}}"
    return str(label)


def shown(label: Any) -> str:
    """A label, item or rater in a message: 1, not np.int64(1)."""
    if isinstance(label, frozenset):
        return f"{{{', '.join(map(shown, in_order(label)))}}}"
    return repr(label.item() if isinstance(label, np.generic) else label)


def side_by_side(x: Any, y: Any) -> str:
    """A label or item of x beside one of y, in a message: 1 is not '1'."""
    return f"x has {shown(x)} ({kind(x)}), y has {shown(y)} ({kind(y)})"


def warn(message: str) -> None:
    """A warning that points at the line that called the library."""
    level, frame = 2, sys._getframe(1)
    while frame and frame.f_globals.get("__name__", "").startswith("labelaudit."):
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(message, UserWarning, stacklevel=level)


# No warnings of ours inside: one is given for the whole.
quietly = partial(warnings.catch_warnings, action="ignore", category=UserWarning)
