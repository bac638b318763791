"""The distances that a caller may mean: by name, by a function or by a matrix.

Between sets of labels, each a frozenset, Jaccard's is 1 - J with
J = |A and B| / |A or B|. MASI's is 1 - J M, where M (monotonicity) is 1 for equal sets,
2/3 where one holds the other, 1/3 where they only overlap and 0 where they do not
(Passonneau 2006). Two empty sets are equal.
"""

from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .._words import shown
from .pairs import NOMINAL as NOMINAL, Distance as Distance
from .reading import MOST_ITEMS

SMALLEST, LARGEST = 1e-100, 1e100  # sizes of numbers that can be squared and summed
MOST_CALLED = 3000  # labels, for a callable

NAMED = ("nominal", "ordinal", "interval", "ratio", "jaccard", "masi")
WEIGHTED = ("linear", "quadratic")
SHARES = ("nominal", *WEIGHTED)


def resolve(
    given: Any, labels: pd.Index, declared: bool, totals: Array, names: tuple[str, ...]
) -> Distance:
    """The distance that a caller means.

    given: one of names, a callable of two labels, or a matrix over the labels; with
    SHARES for names no callable, and a matrix of values in [0, 1].
    declared: whether the labels were, and so their order. totals: judgments per
    label that take part, for the ranks of "ordinal".
    """
    shares, accepted = names == SHARES, " or ".join(map(repr, names))
    accepted += " or a matrix in [0, 1]" if shares else ", a callable or a matrix"
    unknown = isinstance(given, str) and given not in names
    if given is None or unknown or (shares and callable(given)):
        raise _checks.refuse("distance", given, accepted)
    if isinstance(given, str):
        return _named(given, labels, declared, totals)
    table = _matrix(_called(given, labels) if callable(given) else given, labels)
    bounded = bool((table <= 1).all())
    if shares and not bounded:
        most = float(table.max())
        raise _checks.refuse("distance", most, "a matrix of values in [0, 1]")
    return Distance("given", bounded, lambda a, b: table[a, b])


def _named(name: str, labels: pd.Index, declared: bool, totals: Array) -> Distance:
    if name == "nominal":
        return NOMINAL
    of = f"the {name} distance"
    if name in ("jaccard", "masi"):
        return Distance(name, True, partial(_unlike, name, *_bits(name, labels)))
    if name in WEIGHTED:  # shares of the way from the first to the last
        values = np.arange(len(labels)) / max(len(labels) - 1, 1)
    elif name == "ordinal":  # mid-ranks among all judgments (Krippendorff)
        if not declared:
            numbers(labels, of, "numbers, or declared in their order")
        values = np.cumsum(totals) - totals / 2
    else:
        values = numbers(labels, of)
    if name == "ratio" and (values < 0).any():
        accepted = "numbers of at least 0 for the ratio distance"
        raise _checks.refuse("labels", float(values.min()), accepted)
    between = {"linear": _apart, "ratio": _ratio}.get(name, squared)
    bounded = name in ("ratio", *WEIGHTED)
    scale = values if between is squared else None
    return Distance(name, bounded, partial(between, values), scale)


# Distances between labels at positions a and b ----------------------------------------


def _apart(values: Array, a: Array, b: Array) -> Array:
    return np.abs(values[a] - values[b])


def squared(values: Array, a: Array, b: Array) -> Array:
    return (values[a] - values[b]) ** 2


def _ratio(values: Array, a: Array, b: Array) -> Array:
    """((v - w) / (v + w))^2, and 0 where both are 0."""
    v, w = values[a], values[b]
    total = v + w
    return ((v - w) / np.where(total > 0, total, 1.0)) ** 2


def _unlike(name: str, words: Array, size: Array, a: Array, b: Array) -> Array:
    """Jaccard's distance, or MASI, of sets."""
    both = sum(np.bitwise_count(word[a] & word[b]).astype(float) for word in words)
    m, n = size[a], size[b]
    either = m + n - both
    share = np.divide(both, either, out=np.ones_like(either), where=either > 0)
    if name == "masi":
        one_holds_other = both == np.minimum(m, n)
        thirds = np.where(both == either, 3, np.where(one_holds_other, 2, 1))
        share = share * thirds / 3
    return 1 - share


# Numbers ----------------------------------------------------------------------------


def numbers(
    labels: pd.Index,
    of: str,
    accepted: str = "numbers, 0 or of a size from 1e-100 to 1e100, whole ones up to"
    " 2^53,",
) -> Array:
    """The labels as numbers, whose squares are numbers too."""
    if labels.dtype.kind == "f":
        values = labels.to_numpy().astype(float)
    else:
        values = np.array([*map(_number, labels)])
    wrong = _of_no_size(values)
    if wrong.any():
        label = labels[int(np.argmax(wrong))]
        if isinstance(label, (str, bytes)):
            accepted = accepted.split(", 0 or")[0] + ", not text,"
        raise _checks.refuse("labels", label, f"{accepted} for {of}")
    return values


def _of_no_size(values: Array) -> Array:
    """Where numbers are not finite, or have squares that are none."""
    size = np.abs(values)
    return ~((size == 0) | ((size >= SMALLEST) & (size <= LARGEST)))


def _number(label: Any) -> float:
    """A label as a number; NaN where it is none, or a whole one that is no double."""
    with suppress(TypeError, ValueError, OverflowError):
        if isinstance(label, (int, np.integer)) and abs(int(label)) > MOST_ITEMS:
            return np.nan
        if isinstance(label, (Real, Decimal, np.bool_)):
            return float(label)
    return np.nan


# Sets -------------------------------------------------------------------------------


def _bits(name: str, labels: pd.Index) -> tuple[Array, Array]:
    """The members of sets, as bits of words (n_words, n_labels), and their number."""
    place: dict[Any, int] = {}
    for label in labels:
        if not isinstance(label, frozenset):
            raise _checks.refuse("labels", label, f"frozensets for the {name} distance")
        for member in label:
            place.setdefault(member, len(place))
    size = 8 * max(1, -(-len(place) // 64))  # bytes
    members = [sum(1 << place[member] for member in label) for label in labels]
    rows = b"".join(one.to_bytes(size, "little") for one in members)
    bits = np.frombuffer(rows, dtype=np.uint64).reshape(len(labels), -1)
    return bits.T, np.array([*map(len, labels)], dtype=float)


# Functions and matrices -------------------------------------------------------------


def _called(distance: Callable[[Any, Any], Any], labels: pd.Index) -> Array:
    """A callable's distances between all labels."""
    if len(labels) > MOST_CALLED:
        raise ValueError(
            f"distance must be a name or a matrix for {len(labels)} labels: a callable"
            f" is called for every two of them (at most {MOST_CALLED})"
        )
    table = np.empty((len(labels), len(labels)))
    for i, one in enumerate(labels):
        for k, other in enumerate(labels):
            accepted = f"a number for the labels {shown(one)} and {shown(other)}"
            try:
                value = distance(one, other)
            except Exception as error:
                raise _checks.refuse("distance", error, accepted) from error
            table[i, k] = _number(value)
            if not np.isfinite(table[i, k]):
                raise _checks.refuse("distance", value, accepted)
    return table


def _matrix(given: Any, labels: pd.Index) -> Array:
    """A checked matrix of disagreements, in the order of the labels."""
    q = len(labels)
    accepted = f"a matrix of disagreements, {q} x {q} in the order of the labels"
    if isinstance(given, pd.DataFrame):
        for axis in given.axes:
            if len(axis) != q or not axis.is_unique or -1 in axis.get_indexer(labels):
                names = f"named by the labels {list(labels)[:20]} on both axes"
                raise _checks.refuse("distance", list(axis), names)
        at = [axis.get_indexer(labels) for axis in given.axes]
        given = given.to_numpy()[np.ix_(*at)]
    try:
        table = np.asarray(given)
        if table.dtype.kind not in "biufO":
            raise TypeError
        table = table.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise _checks.refuse("distance", given, accepted) from None
    if table.shape != (q, q):
        raise _checks.refuse("distance", f"shape {table.shape}", accepted)
    diagonal = np.eye(q, dtype=bool)
    if (table[diagonal] == 1).all():
        accepted = "disagreements, 0 on the diagonal (1 - the weights)"
        seen = "a unit diagonal, as of agreement weights"
        raise _checks.refuse("distance", seen, accepted)
    lopsided = ~np.isclose(table, table.T, rtol=1e-9, atol=0)
    for wrong, accepted in (
        (_of_no_size(table), "0 or of a size from 1e-100 to 1e100 between labels"),
        (diagonal & (table != 0), "0 between a label and itself"),
        (table < 0, "at least 0"),
        (lopsided, "symmetric"),
    ):
        if wrong.any():
            i, k = np.argwhere(wrong)[0]
            found = f"{table[i, k]:g} for {shown(labels[i])} and {shown(labels[k])}"
            if i != k:
                found += f", {table[k, i]:g} the other way round"
            raise _checks.refuse("distance", found, accepted)
    return (table + table.T) / 2
