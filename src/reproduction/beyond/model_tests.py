"""How often a test of one rater against a model rejects: exactly, by enumeration.

d is 1 where the rater is nearer to the others (a win of the rater), -1 where the model
is (a loss), else 0 (a tie). A test rejects "d has a mean of at least epsilon".
"""

from functools import cache

import numpy as np
from scipy.special import bdtr
from scipy.stats import binom

from labelaudit._checks import Array
from labelaudit.agreement import regions
from labelaudit.agreement.regions import score, student

# Tests whose p is a formula; "score" is what "exact" makes exact.
QUICK = {"t": student, "score": score}

NEAR = 40  # shares of ties close to either end
HALVINGS = 12  # of the levels of the score test that may make it exact


def levels(raters: int, q: float) -> Array:
    """Benjamini and Yekutieli's level for the smallest p of so many, the next, ..."""
    rank = np.arange(1, raters + 1)
    return q * rank / (raters * (1 / rank).sum())


@cache
def most_wins(n: int, epsilon: float, level: float, test: str) -> Array:
    """The most wins at which a test rejects where 0, 1, ..., n items are no ties.

    -1 where it does not reject even without a win.
    """
    if test == "exact":
        return _exact_limits(n, epsilon, level)
    return regions.limits(n, epsilon, level, QUICK[test])


def _exact_limits(n: int, epsilon: float, level: float) -> Array:
    """The largest region by the score that is no likelier than the level."""
    low, high, found = level / 16, level, np.full(n + 1, -1)
    for _ in range(HALVINGS):
        middle = float(np.sqrt(low * high))
        most = regions.raised(regions.limits(n, epsilon, middle, score))
        if regions.largest_chance(most, epsilon) <= level:
            low, found = middle, most
        else:
            high = middle
    return found


def rejection(most: Array, win: Array, loss: Array) -> Array:
    """P(reject) for each pair of probabilities of a win and a loss, (k,).

    most : as most_wins gives it. The number of items that are no ties is binomial, and
    so is the number of wins among them.
    """
    win, loss = (np.atleast_1d(one)[:, None] for one in (win, loss))
    apart = np.arange(len(most))
    either = win + loss
    of_these = np.clip(win / np.where(either > 0, either, 1), 0, 1)
    below = bdtr(np.maximum(most, 0).astype(float), apart, of_these)
    chance = binom.pmf(apart, len(most) - 1, np.minimum(either, 1))
    return (chance * np.where(most < 0, 0, below)).sum(axis=1)


def shares_of_ties(n: int, epsilon: float, points: int = 101) -> Array:
    """From 0 to 1 - epsilon, closest at both ends, where single items count."""
    top = 1 - epsilon
    near = np.geomspace(0.01 / n, top / 2, NEAR)
    return np.unique(np.concatenate([np.linspace(0, top, points), near, top - near]))


def by_ties(n: int, epsilon: float, level: float, test: str, ties: Array) -> Array:
    """P(reject) where d has a mean of epsilon, by the share of ties, (k,)."""
    win, loss = (1 - ties + epsilon) / 2, np.maximum((1 - ties - epsilon) / 2, 0)
    return rejection(most_wins(n, epsilon, level, test), win, loss)


def size(n: int, epsilon: float, level: float, test: str) -> tuple[float, float]:
    """The largest P(reject) where d has a mean of epsilon, and its share of ties."""
    ties = shares_of_ties(n, epsilon)
    chance = by_ties(n, epsilon, level, test, ties)
    return float(chance.max()), float(ties[chance.argmax()])
