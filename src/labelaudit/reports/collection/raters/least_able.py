"""Does a rater agree with others as the least able of honest raters would?

Honest raters differ. The rule here (ours): each agrees with others, beyond chance, at
least half as well as these agree with each other on the same items (LEAST_ABLE). In a
model in which a rater knows the label of an item with some probability, the skill, and
else guesses, that is a skill of at least half of the others'.

The test is a bet. A stake grows where the rater agrees less than the rule says, and a
stake that has grown k times has a p-value of 1 / k, however few judgments there are
(Ville 1939; Waudby-Smith and Ramdas 2024). Such p-values may depend on each other in
any way (Wang and Ramdas 2022). Chance is estimated from the rater's other items, so the
bet is fair only nearly; simulated studies show how nearly (benchmarks/raters.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from ...._checks import Array
from ....agreement.ratings import Ratings
from ...saying import say
from ..breakdowns import Shared, raters_of

LEAST_ABLE = 0.5  # of the others' agreement beyond chance; ours
GUESSES = 0.15  # of it, below which answers are as if at random; ours
OPPOSITE = 0.1  # below the agreement by chance; ours
FEWEST = 5  # judgments that are shared with two others, to speak of a rater; ours
STAKES = (0.1, 0.2, 0.4, 0.6, 0.9)  # of what is left, one bettor each


class Compared(NamedTuple):
    """Each judgment of an item with two or more others, beside them.

    rater, label : (n,)
    same : share of the others on the item with the judgment's label
    others : share of pairs of others on the item with one label
    chance, others_chance : the same of judgments of other items
    """

    rater: Array
    label: Array
    same: Array
    others: Array
    chance: Array
    others_chance: Array


def compared(r: Ratings, s: Shared) -> Compared:
    """See Compared."""
    rows = np.flatnonzero(s.m >= 3)
    m, item, label = s.m[rows], s.j.item[rows], s.j.label[rows]
    rater, size = s.j.known_rater[rows], s.size[s.cell[rows]]
    equal = np.bincount(s.unit, s.size * (s.size - 1), len(r.items))[item]
    others = (equal - 2 * (size - 1)) / ((m - 1) * (m - 2))
    same = (size - 1) / (m - 1)
    # What others on a rater's items say, (n_raters, n_labels).
    n, q, each = len(raters_of(r)), len(r.labels), 1 / (m - 1)
    by = csr_array((each, (rater, item)), (n, len(r.items)))
    counts = csr_array((s.size.astype(float), (s.unit, s.of)), (len(r.items), q))
    said = (by @ counts - csr_array((each, (rater, label)), (n, q))).tocsr()
    squares = np.asarray(said.multiply(said).sum(axis=1)).ravel()
    number = np.maximum(np.bincount(rater, minlength=n), 1)
    left = np.maximum(number - 1, 1)[rater]
    chance = (np.asarray(said[rater, label]).ravel() - same) / left
    return Compared(rater, label, same, others, chance, (squares / number**2)[rater])


class Tested(NamedTuple):
    """Raters with enough judgments, the p-value of each, and the reason in words."""

    rater: Array
    p: Array
    reasons: list[str]


def tested(r: Ratings, c: Compared) -> Tested:
    """The bet on each rater, and what it would show: low, random or opposite."""
    n = len(raters_of(r))
    number = np.bincount(c.rater, minlength=n)
    enough = np.flatnonzero(number >= FEWEST)
    own, theirs = c.same - c.chance, c.others - c.others_chance
    # A gain is at most this, whatever the rater and the others say.
    most = 1 + LEAST_ABLE * c.others_chance
    p = _p_values(c.rater, (own - LEAST_ABLE * theirs) / most, n)
    below_chance = _p_values(c.rater, own, n)
    sums = (c.same, c.chance, own, theirs, c.others)
    same, chance, mine, other, others = (
        np.bincount(c.rater, v, n)[enough] / number[enough] for v in sums
    )
    opposite = (below_chance[enough] <= FIRM) & (mine <= -OPPOSITE)
    random = mine < GUESSES * other
    reasons = [
        _reason(*values) for values in zip(opposite, random, same, chance, others)
    ]
    return Tested(enough, p[enough], reasons)


FIRM = 0.01  # p-value of agreement below chance, to call it opposite; ours


def _reason(
    opposite: bool, random: bool, same: float, chance: float, others: float
) -> str:
    shares = {"same": same, "chance": chance, "others": others}
    which = "opposite" if opposite else "at_random" if random else "least_able"
    return say(which, **shares)


def _p_values(rater: Array, gain: Array, n: int) -> Array:
    """1 over what the stakes have grown to, at most 1."""
    return np.exp(-np.maximum(_grown(rater, gain, n), 0))


def _grown(rater: Array, gain: Array, n: int) -> Array:
    """Logarithm of what a stake on gains below 0 has grown to, (n,).

    gain : whose mean is at least 0 by the rule; at most 1
    """
    logs = [np.bincount(rater, np.log1p(-share * gain), n) for share in STAKES]
    sums: Array = np.logaddexp.reduce(logs, axis=0) - np.log(len(STAKES))
    return np.minimum(sums, 700)
