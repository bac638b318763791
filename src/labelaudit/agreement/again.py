"""Second judgments: what is done where a rater judged an item more than once."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .._checks import Array

SETTLED = ("first", "last", "drop")


def pairs(item: Array, rater: Array, n_raters: int) -> tuple[Array, Array]:
    """The pair of rater and item of each judgment, and how many it has of it.

    Returns
    -------
    pair : (n_judgments,)
        Pairs are numbered in no particular order.
    size : (n_pairs,)
        Judgments of each.
    """
    cell = item.astype(np.int64) * n_raters + rater
    if (np.diff(np.sort(cell)) != 0).all():
        return np.arange(len(cell)), np.ones(len(cell), dtype=int)
    _, pair, size = np.unique(cell, return_inverse=True, return_counts=True)
    return pair, size


def second(pair: Array) -> int:
    """Position of the first judgment that is not the first of its pair."""
    return int(np.argmax(pd.Series(pair).duplicated()))


def kept(pair: Array, size: Array, how: str) -> Array:
    """The judgments that stay, as positions, of judgments in the order of rows."""
    if how == "drop":
        return np.flatnonzero(size[pair] == 1)
    at = np.arange(len(pair))
    chosen = np.empty(len(size), dtype=np.intp)
    if how == "last":  # of several, the one that is written last stays
        chosen[pair] = at
    else:
        chosen[pair[::-1]] = at[::-1]
    return np.sort(chosen)


def contradicting(pair: Array, size: Array, label: Array) -> Array:
    """Whether the judgments of each pair differ, (n_pairs,)."""
    lowest = np.full(len(size), np.iinfo(label.dtype).max, dtype=label.dtype)
    highest = np.full(len(size), -1, dtype=label.dtype)
    np.minimum.at(lowest, pair, label)
    np.maximum.at(highest, pair, label)
    return lowest < highest


def counted(pair: Array, size: Array, label: Array) -> str:
    """How many pairs have several judgments, and how many contradict themselves."""
    twice = size > 1
    differ = int((contradicting(pair, size, label) & twice).sum())
    what = "pair of rater and item" if twice.sum() == 1 else "pairs of rater and item"
    number = f"{int(twice.sum()):,} {what} with several judgments"
    if differ == 0:
        return f"{number}, alike in each"
    return f"{number}, in {differ:,} of them different labels"
