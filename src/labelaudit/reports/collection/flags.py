"""Raters to talk to: who agrees too little, answers with one label, or copies.

Honest raters differ. The rule here (ours): each agrees with others, beyond chance, at
least half as well as these agree with each other on the same items (LEAST_ABLE). In a
model in which a rater knows the label of an item with some probability, the skill, and
else guesses, that is a skill of at least half of the others'. Who is below is named.

Two tests per rater are bets: a stake grows where the rater agrees less than the rule
says, and a stake that has grown k times has a p-value of 1 / k, however few judgments
there are (Ville 1939; Waudby-Smith and Ramdas 2024). Such p-values may be dependent in
any way: Benjamini and Hochberg's rule still keeps the false discovery rate (Wang and
Ramdas 2022). A rater with one label, and two who share odd labels, have p-values by a
binomial tail, and Benjamini and Yekutieli's (2001) rule. Either kind has half of LEVEL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.special import bdtrc

from ..._checks import Array
from ..._words import label_name, percent, who
from ...agreement.ratings import Ratings
from .breakdowns import Shared, shared

LEVEL = 0.05  # of all raters who are flagged, at most so many in error, on average
LEAST_ABLE = 0.5  # of the others' agreement beyond chance; ours
GUESSES = 0.15  # of it, below which answers are as if at random; ours
OPPOSITE = 0.1  # below the agreement by chance; ours
OTHERWISE = 0.05  # share of other labels by others, where a rater gives one; ours
COPIED, LEAST_COPIED = 0.6, 4  # share of odd labels that two share, and how many; ours
FEWEST = 5  # judgments that are shared with others, to speak of a rater; ours
STAKES = (0.1, 0.2, 0.4, 0.6, 0.9)  # of what is left, one bettor each
MOST_ODD = 2_000_000  # odd labels that are compared in pairs
MOST_CELLS = 10_000_000  # of a table of raters by labels

COLUMNS = ("judgments", "p_value", "reasons", "flagged")


class Compared(NamedTuple):
    """Each judgment of an item with two or more others, beside them.

    rater, label, item : (n,)
    same : share of the others on the item with the judgment's label
    others : share of pairs of others on the item with one label
    chance, others_chance : the same of judgments of other items
    """

    rater: Array
    label: Array
    item: Array
    same: Array
    others: Array
    chance: Array
    others_chance: Array


def flags(r: Ratings) -> pd.DataFrame:
    """Raters to talk to.

    Parameters
    ----------
    r : Ratings
        Labels are compared as equal or not. With fewer than three raters nobody can be
        told from the others, and nobody is flagged.

    Returns
    -------
    DataFrame, index rater
        All raters, those with most judgments first; empty where they are anonymous.
        judgments; p_value: the smallest of the rater's tests, adjusted for all tests;
        reasons: in words, joined by "; "; flagged: whether there are any.

    Examples
    --------
    >>> import labelaudit as la
    >>> import numpy as np
    >>> from labelaudit.reports.collection.flags import flags
    >>> random = np.random.default_rng(1)
    >>> truth = random.integers(3, size=(300, 1))
    >>> wrong = random.random((300, 5)) < [0.1, 0.2, 0.1, 0.2, 1]
    >>> labels = np.where(wrong, random.integers(3, size=(300, 5)), truth)
    >>> flags(la.Ratings.from_matrix(labels))["flagged"].to_dict()
    {0: False, 1: False, 2: False, 3: False, 4: True}
    """
    if r.raters is None:
        return pd.DataFrame(columns=COLUMNS).rename_axis("rater")
    n = len(r.raters)
    p = np.ones(n)
    words: list[list[str]] = [[] for _ in range(n)]
    if n >= 3:
        s = shared(r)
        for found in (_bets(r, s), _tails(r, s)):
            for rater, value, reason in found:
                p[rater] = min(p[rater], value)
                if reason:
                    words[rater].append(reason)
    judgments = np.bincount(r.judgments.known_rater, minlength=n)
    columns = {
        "judgments": judgments,
        "p_value": p,
        "reasons": ["; ".join(own) for own in words],
        "flagged": [bool(own) for own in words],
    }
    table = pd.DataFrame(columns, index=r.raters.rename("rater"))
    order = np.argsort(-judgments, kind="stable")
    return table.iloc[order]


def raters(r: Ratings) -> pd.Index:
    """Of ratings whose raters are known."""
    assert r.raters is not None
    return r.raters


Found = list[tuple[int, float, str]]  # rater, adjusted p-value, reason if there is one


# Bets ----------------------------------------------------------------------------


def compared(r: Ratings, s: Shared) -> Compared:
    """See Compared."""
    rows = np.flatnonzero(s.m >= 3)
    m, item, label = s.m[rows], s.j.item[rows], s.j.label[rows]
    rater, size = s.j.known_rater[rows], s.size[s.cell[rows]]
    equal = np.bincount(s.unit, s.size * (s.size - 1), len(r.items))[item]
    others = (equal - 2 * (size - 1)) / ((m - 1) * (m - 2))
    same = (size - 1) / (m - 1)
    number = np.bincount(rater, minlength=len(raters(r))).astype(float)
    left = np.maximum(number - 1, 1)[rater]
    use, squares = _use(r, s, rows)
    chance = (use(rater, label) - same) / left
    others_chance = (squares / np.maximum(number, 1) ** 2)[rater]
    return Compared(rater, label, item, same, others, chance, others_chance)


def _use(
    r: Ratings, s: Shared, rows: Array
) -> tuple[Callable[[Array, Array], Array], Array]:
    """What others on a rater's items say: sums by label, and the sum of squares."""
    n, q = len(raters(r)), len(r.labels)
    rater, item, m = s.j.known_rater[rows], s.j.item[rows], s.m[rows]
    by = csr_array((1 / (m - 1), (rater, item)), (n, len(r.items)))
    counts = csr_array((s.size.astype(float), (s.unit, s.of)), (len(r.items), q))
    own = csr_array((1 / (m - 1), (rater, s.j.label[rows])), (n, q))
    table = (by @ counts - own).tocsr()
    squares = np.asarray(table.multiply(table).sum(axis=1)).ravel()
    if n * q <= MOST_CELLS:
        dense = table.toarray()
        return (lambda a, c: dense[a, c]), squares
    return (lambda a, c: np.asarray(table[a, c]).ravel()), squares


def _bets(r: Ratings, s: Shared) -> Found:
    """Agreement below that of the least able, and below chance."""
    c = compared(r, s)
    n = len(raters(r))
    own, theirs = c.same - c.chance, c.others - c.others_chance
    number = np.bincount(c.rater, minlength=n)
    grown = np.array(
        [
            _stakes(c.rater, own - LEAST_ABLE * theirs, 1 + LEAST_ABLE, n),
            _stakes(c.rater, own, 1.0, n),
        ]
    )
    grown[:, number < FEWEST] = 0
    p = 2 * hochberg(np.exp(-np.minimum(grown, 700)))
    with np.errstate(invalid="ignore", divide="ignore"):
        same, chance, mine, other, others = (
            np.bincount(c.rater, v, n) / number
            for v in (c.same, c.chance, own, theirs, c.others)
        )
    one = np.bincount(*_kinds(r, s), minlength=n) == 1
    found = []
    for a in range(n):
        if number[a] < FEWEST:
            continue
        reason = ""
        shares = f"same label as others in {percent(same[a])}, by chance"
        shares += f" {percent(chance[a])}"
        if p[1, a] <= LEVEL and mine[a] <= -OPPOSITE:
            reason = f"answers opposite of others: {shares}"
        elif p[0, a] <= LEVEL and not one[a]:
            reason = f"agrees less than the least able of honest raters would: {shares}"
            if mine[a] < GUESSES * other[a]:
                reason = f"answers as if at random: {shares}"
            reason += f"; others among each other in {percent(others[a])}"
        found.append((a, float(min(p[0, a], p[1, a], 1.0)), reason))
    return found


def _kinds(r: Ratings, s: Shared) -> tuple[Array]:
    """The rater of each different (rater, label)."""
    key = np.unique(s.j.known_rater.astype(np.int64) * len(r.labels) + s.j.label)
    return (key // len(r.labels),)


def _stakes(rater: Array, gain: Array, most: float, n: int) -> Array:
    """Logarithm of what a stake on gains below 0 has grown to, (n,).

    gain : whose mean is at least 0 by the rule; at most `most`
    """
    logs = [
        np.bincount(rater, np.log1p(-share / most * np.minimum(gain, most)), n)
        for share in STAKES
    ]
    return np.logaddexp.reduce(logs, axis=0) - np.log(len(STAKES))


# Tails ---------------------------------------------------------------------------


def _tails(r: Ratings, s: Shared) -> Found:
    """Raters with one label, and pairs who share odd labels."""
    tests = [*_one_label(r, s), *_copies(r, s)]
    p = 2 * yekutieli(np.array([value for _, value, _ in tests]), _tests(r, s))
    return [
        (rater, float(min(value, 1.0)), reason if value <= LEVEL else "")
        for (of, _, reasons), value in zip(tests, p)
        for rater, reason in zip(of, reasons)
    ]


def _one_label(r: Ratings, s: Shared) -> list[tuple[list[int], float, list[str]]]:
    """Raters who give one label only, and how improbable their items make that."""
    n = len(raters(r))
    rater, number = s.j.known_rater, np.bincount(s.j.known_rater, minlength=n)
    one = (np.bincount(*_kinds(r, s), minlength=n) == 1) & (number >= FEWEST)
    other = np.bincount(rater, 1 - s.same, n)
    first = np.full(n, -1)
    first[rater[::-1]] = s.j.label[::-1]
    q = int((np.bincount(s.of, minlength=len(r.labels)) > 0).sum())
    found = []
    for a in np.flatnonzero(one):
        share = other[a] / number[a]
        if share < OTHERWISE:
            continue
        p = min(1.0, q * (1 - LEAST_ABLE * share) ** int(number[a]))
        name = label_name(r.labels[first[a]])
        reason = f"gives {name} only, {int(number[a])} times, where others give"
        found.append(([int(a)], p, [f"{reason} another label in {percent(share)}"]))
    return found


class Odd(NamedTuple):
    """Judgments that differ from the majority of three or more others.

    rater, item, label : (n,)
    shared : share of the others that may say the same by chance, (n,)
    """

    rater: Array
    item: Array
    label: Array
    shared: Array


def _odd(r: Ratings, s: Shared) -> Odd:
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


def _copies(r: Ratings, s: Shared) -> list[tuple[list[int], float, list[str]]]:
    """Pairs who share labels that most others on the item do not give."""
    odd = _odd(r, s)
    n = len(odd.rater)
    if n == 0 or n > MOST_ODD:
        return []
    key = odd.item.astype(np.int64) * len(r.labels) + odd.label
    _, cell = np.unique(key, return_inverse=True)
    by = csr_array((np.ones(n), (odd.rater, cell)), (len(raters(r)), cell.max() + 1))
    alike = (by @ by.T).tocoo()
    pairs = (alike.row < alike.col) & (alike.data >= LEAST_COPIED)
    judged = csr_array(
        (np.ones(len(s.j.item)), (s.j.known_rater, s.j.item)),
        (len(raters(r)), len(r.items)),
    )
    of_item = csr_array(
        (np.ones(n), (odd.rater, odd.item)), (len(raters(r)), len(r.items))
    )
    chance = csr_array(
        (odd.shared, (odd.rater, odd.item)), (len(raters(r)), len(r.items))
    )
    found = []
    for a, b, same in zip(alike.row[pairs], alike.col[pairs], alike.data[pairs]):
        # Items that both judged and at least one of them oddly.
        both = judged[[a]].multiply(judged[[b]])
        either = (of_item[[a]] + of_item[[b]]).multiply(both).tocsr()
        number = either.nnz
        largest = chance[[a]].maximum(chance[[b]]).multiply(both)
        share = min(1.0, float(largest.sum()) / max(number, 1))
        if same < COPIED * number:
            continue
        p = float(bdtrc(same - 1, number, share))
        text = f"where most others differ, in {int(same)} of {number}"
        reasons = [
            f"same as {who(raters(r)[other])} {text}" for other in (int(b), int(a))
        ]
        found.append(([int(a), int(b)], p, reasons))
    return found


def _tests(r: Ratings, s: Shared) -> int:
    """How many raters and pairs there are to test."""
    n = len(raters(r))
    return n + n * (n - 1) // 2


def hochberg(p: Array) -> Array:
    """Benjamini and Hochberg's adjusted p-values, of any shape."""
    flat = p.ravel()
    order = np.argsort(flat, kind="stable")
    adjusted = flat[order] * len(flat) / np.arange(1, len(flat) + 1)
    result = np.empty(len(flat))
    result[order] = np.minimum.accumulate(adjusted[::-1])[::-1]
    return result.reshape(p.shape)


def yekutieli(p: Array, tests: int) -> Array:
    """Benjamini and Yekutieli's, of the smallest p-values among so many tests."""
    if len(p) == 0:
        return p
    order = np.argsort(p, kind="stable")
    factor = np.log(tests) + 0.5772156649 + 1 / (2 * tests)  # sum of 1 / k
    adjusted = p[order] * tests * factor / np.arange(1, len(p) + 1)
    result = np.empty(len(p))
    result[order] = np.minimum.accumulate(adjusted[::-1])[::-1]
    return result
