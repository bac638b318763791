"""Pairs of raters who share labels that most others on the item do not give.

Copied judgments that are right show nothing: honest raters share them too. Judgments
that differ from the majority of the others are rarely the same, unless the item draws
to one wrong label. How often that is so on all items enters the probability.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import bdtrc

from ...._checks import Array
from ...._words import who
from ....agreement.ratings import Ratings
from ..breakdowns import Shared, raters_of
from .one_label import Named

COPIED, LEAST_COPIED = 0.6, 4  # share of odd labels that two share, and how many; ours
AT_A_TIME = 2_000_000  # judgments of pairs that are compared in one step


class Odd(NamedTuple):
    """Judgments that differ from the majority of three or more others.

    rater, item, label : (n,)
    shared : share of the others that may say the same by chance, (n,)
    """

    rater: Array
    item: Array
    label: Array
    shared: Array


def odd_judgments(r: Ratings, s: Shared) -> Odd:
    """Where most others agree with each other, and not with the judgment.

    That another says the same is as probable as others do on this item, drawn to how
    often two odd judgments are the same on all items.
    """
    largest = np.zeros(len(r.items))
    np.maximum.at(largest, s.unit, s.size)
    size, m, top = s.size[s.cell], s.m, largest[s.j.item]
    rows = np.flatnonzero((m >= 5) & (top > (m - 1) / 2) & (size < top) & (size <= 3))
    same, others = size[rows] - 1, m[rows] - 1
    usual = (same.sum() + 1) / (others.sum() + 2)
    # Without the one who is compared: half of the pairs that are seen are theirs.
    share = (np.maximum(same - 1, 0) + usual) / others
    return Odd(
        s.j.known_rater[rows], s.j.item[rows], s.j.label[rows], np.maximum(share, usual)
    )


def tested(r: Ratings, s: Shared) -> list[Named]:
    """Each pair that shares enough odd labels, with a binomial tail."""
    odd = odd_judgments(r, s)
    if len(odd.rater) == 0:
        return []
    n, names = len(raters_of(r)), raters_of(r)
    key = odd.item.astype(np.int64) * len(r.labels) + odd.label
    _, cell = np.unique(key, return_inverse=True)
    by = csr_array((np.ones(len(cell)), (odd.rater, cell)), (n, cell.max() + 1))
    alike = (by @ by.T).tocoo()
    pairs = (alike.row < alike.col) & (alike.data >= LEAST_COPIED)
    one, other = alike.row[pairs], alike.col[pairs]
    same = alike.data[pairs].astype(int)
    number, expected = _by_chance(r, s, odd, one, other)
    found = []
    for k in np.flatnonzero(same >= COPIED * number):
        share = min(1.0, expected[k] / number[k])
        p = float(bdtrc(same[k] - 1, number[k], share))
        text = f"where most others differ, in {same[k]} of {number[k]}"
        both = int(one[k]), int(other[k])
        reasons = tuple(f"same as {who(names[a])} {text}" for a in both[::-1])
        found.append(Named(both, p, reasons))
    return found


def _by_chance(
    r: Ratings, s: Shared, odd: Odd, one: Array, other: Array
) -> tuple[Array, Array]:
    """Items that both judged and one of them oddly: their number, equal ones expected.

    one, other : (pairs,), raters
    """
    shape = len(raters_of(r)), len(r.items)
    ones = np.ones(len(s.j.item))
    judged = csr_array((ones, (s.j.known_rater, s.j.item)), shape)
    chance = csr_array((odd.shared, (odd.rater, odd.item)), shape)
    number, expected = np.zeros(len(one), dtype=int), np.zeros(len(one))
    length = np.diff(judged.indptr)
    step = np.cumsum(length[one] + length[other]) // AT_A_TIME
    for part in np.split(np.arange(len(one)), np.flatnonzero(np.diff(step)) + 1):
        a, b = one[part], other[part]
        both = judged[a].multiply(judged[b])
        largest = chance[a].maximum(chance[b]).multiply(both).tocsr()
        number[part] = np.diff(largest.indptr)
        expected[part] = largest.sum(axis=1)
    return number, expected
