"""Who is nearer to the labels of an item's other raters, a rater or the model?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import shown
from . import distances
from .ratings import Judgments
from .reading import index_of

SCORINGS = ("accuracy", "neg_rmse")
Scoring = str | Callable[[Any, list[Any]], float]
SAME = 1e-12  # differences of squares, as shares of their terms, that are rounding


def checked_scoring(given: Any) -> Scoring:
    """A name that is known, or a function."""
    if callable(given) or (isinstance(given, str) and given in SCORINGS):
        return given
    names = " or ".join(map(repr, SCORINGS))
    raise _checks.refuse("scoring", given, f"{names} or a function")


def better(
    scoring: Scoring, items: pd.Index, j: Judgments, codes: Array, labels: list[Any]
) -> Array:
    """Who scores higher on each judgment: 1 the rater, -1 the model, 0 neither.

    codes : (n_items,), the model's labels
    """
    item, label = j.item, j.label
    if scoring == "accuracy":
        return _by_accuracy(item, label, codes, len(labels))
    if scoring == "neg_rmse":
        return _by_squares(item, label, codes, _numbers(labels))
    signs = np.zeros(len(item), dtype=np.int64)
    start = np.flatnonzero(np.diff(item, prepend=-1))
    for first, last in zip(start, np.append(start[1:], len(item))):
        given, at = [labels[code] for code in label[first:last]], item[first]
        for k, own in enumerate(given):
            others = given[:k] + given[k + 1 :]
            both = own, labels[codes[at]]
            rater, its = (_scored(scoring, one, others, items[at]) for one in both)
            signs[first + k] = (rater > its) - (rater < its)
    return signs


def _by_accuracy(item: Array, label: Array, codes: Array, n_labels: int) -> Array:
    """More of the others gave the rater's label, or the model's."""
    cell = item.astype(np.int64) * n_labels + label
    _, at, size = np.unique(cell, return_inverse=True, return_counts=True)
    right = label == codes[item]
    alike = np.bincount(item[right], minlength=len(codes))[item]
    return np.sign((size[at] - 1) - (alike - right))


def _by_squares(item: Array, label: Array, codes: Array, values: Array) -> Array:
    """sum (model - other)^2 - sum (rater - other)^2, where rounding does not decide.

    With a = model - rater and b = sum of (other - rater), it is a (n a - 2 b).
    """
    _, first, at = np.unique(item, return_index=True, return_inverse=True)
    begin = values[label[first]][at]
    own = values[label] - begin
    m = np.bincount(at)[at]
    whole, size = (np.bincount(at, of)[at] for of in (own, np.abs(own)))
    a = values[codes[item]] - values[label]
    n, b = m - 1, whole - m * own
    away = n * a - 2 * b
    rounding = SAME * (n * np.abs(a) + 2 * (size + m * np.abs(own)))
    return np.where(np.abs(away) <= rounding, 0, np.sign(a) * np.sign(away))


def _scored(scoring: Any, label: Any, others: list[Any], item: Any) -> float:
    accepted = f"a function whose value is a number, also on item {shown(item)},"
    try:
        value = scoring(label, list(others))
    except Exception as error:
        raise _checks.refuse("scoring", error, accepted) from error
    number = _checks.real(int(value) if isinstance(value, np.bool_ | bool) else value)
    if number is None or not -np.inf < number < np.inf:
        raise _checks.refuse("scoring", value, accepted)
    return number


def _numbers(labels: list[Any]) -> Array:
    try:
        return distances.numbers(index_of(labels), "interval")
    except ValueError as error:
        told = str(error).replace("the interval distance", "scoring 'neg_rmse'")
        raise ValueError(told) from None
