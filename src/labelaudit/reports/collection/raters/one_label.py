"""Raters who give one label only, and how improbable their items make that."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...._checks import Array
from ...._words import label_name, percent
from ....agreement.ratings import Ratings
from ..breakdowns import Shared, raters_of
from .least_able import FEWEST, LEAST_ABLE

OTHERWISE = 0.05  # share of other labels by others, where a rater gives one; ours


class Named(NamedTuple):
    """Raters, the p-value of the test that names them, and the reason for each."""

    raters: tuple[int, ...]
    p: float
    reasons: tuple[str, ...]


def one_label(r: Ratings, s: Shared) -> Array:
    """Whether each rater's shared judgments are one label, and enough, (n_raters,)."""
    n, q = len(raters_of(r)), len(r.labels)
    key = np.unique(s.j.known_rater.astype(np.int64) * q + s.j.label)
    number = np.bincount(s.j.known_rater, minlength=n)
    return (np.bincount(key // q, minlength=n) == 1) & (number >= FEWEST)


def tested(r: Ratings, s: Shared) -> list[Named]:
    """Each of them whose others give another label often enough.

    Where others give another label on a share of the items, an honest rater does so on
    at least LEAST_ABLE of it. Any of the labels in use might have been the one.
    """
    n = len(raters_of(r))
    rater, number = s.j.known_rater, np.bincount(s.j.known_rater, minlength=n)
    other = np.bincount(rater, 1 - s.same, n)
    first = np.zeros(n, dtype=int)
    first[rater[::-1]] = s.j.label[::-1]
    in_use = len(np.unique(s.of))
    found = []
    for a in np.flatnonzero(one_label(r, s)):
        share = other[a] / number[a]
        if share < OTHERWISE:
            continue
        p = min(1.0, in_use * (1 - LEAST_ABLE * share) ** int(number[a]))
        name = label_name(r.labels[first[a]])
        reason = f"gives {name} only, {int(number[a])} times, where others give"
        text = f"{reason} another label in {percent(share)}"
        found.append(Named((int(a),), p, (text,)))
    return found
