"""Who is nearer to the labels of an item's other raters, a rater or the model?"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import shown
from .distances import NOMINAL, Distance, numbers, squared
from .ratings import Judgments
from .reading import index_of
from .sample import distinct

SCORINGS = ("accuracy", "neg_rmse")
Scoring = str | Callable[[Any, list[Any]], float]
SAME = 1e-13  # differences of sums, as shares of these, that are rounding


def better(
    scoring: Scoring, items: pd.Index, j: Judgments, codes: Array, labels: list[Any]
) -> Array:
    """Who scores higher on each judgment: 1 the rater, -1 the model, 0 neither.

    codes : (n_items,), the model's labels
    """
    item, label = j.item, j.label
    if not callable(scoring):
        return _by_distance(_distance(scoring, labels), item, label, codes, len(labels))
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


def _distance(scoring: str, labels: list[Any]) -> Distance:
    """Whose sum over the others' labels is the smaller, the higher the score."""
    if scoring == "accuracy":
        return NOMINAL
    values = numbers(index_of(labels), f"scoring {scoring!r}")
    return Distance("interval", False, partial(squared, values), values)


def _by_distance(
    far: Distance, item: Array, label: Array, codes: Array, q: int
) -> Array:
    """Of the model's label and the rater's, which is nearer to the others'; neither
    where rounding would decide."""
    begins = np.diff(item, prepend=-1) != 0  # where the next item does
    judged, n = item[begins].astype(np.int64), len(item)
    key = np.append(item * np.int64(q) + label, judged * q + codes[judged])
    known, cell = distinct(key, len(codes) * q)
    count = np.bincount(cell[:n], minlength=len(known)).astype(float)
    sums = far.within(*np.divmod(known, q), count, len(codes))[cell]
    model = sums[n:][np.cumsum(begins) - 1] - far.between(codes[item], label)
    away = model - sums[:n]
    return np.where(np.abs(away) <= SAME * (model + sums[:n]), 0, np.sign(away))


def _scored(scoring: Any, label: Any, others: list[Any], item: Any) -> float:
    accepted = f"a function whose value is a number, also on item {shown(item)}"
    try:
        value = scoring(label, list(others))
    except Exception as error:
        raise _checks.refuse("scoring", error, accepted) from error
    number = _checks.real(int(value) if isinstance(value, np.bool_ | bool) else value)
    if number is None or not -np.inf < number < np.inf:
        raise _checks.refuse("scoring", value, accepted)
    return number
