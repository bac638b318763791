"""Tests of the alternative annotator: a p for each rater, from items, wins, losses.

Student's, and the score test made exact: its largest error over the share of ties.
d is -1, 0 or 1 with mean epsilon and a share t of ties, of n items. The outcomes that
speak as much for the model as the one seen, by the score, are a region: for each number
of items that are no ties, wins up to a limit. P(region) is bounded from above for every
t on [0, 1 - epsilon]. As t grows, so does the share of wins among items that are no
ties, and wins up to a limit become less likely. So on a stretch from t1 to t2 it is at
most

    sum over k of [the largest P(k are no ties) on the stretch] P(wins <= limit | k, t1)

Stretches are halved until this says at most a hundredth more than the largest P(region)
that was seen.

A region is to keep what it has where a win becomes a tie. Then a mean above epsilon
makes it no more likely, since wins can be made ties until the mean is epsilon. The
limits are raised where they must be.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import bdtr, gammaln, ndtr, stdtr, xlog1py, xlogy

from .. import _checks
from .._checks import Array
from ..laws.errors import largest

LARGEST = 1000  # n; beyond, sums take long
CLOSE = 0.01  # how far the bound may be above the largest value, as a share of it
LEAST = 1e-12  # and as a number
ROUNDS = 40
SAME = 1e-9  # scores that are one but for rounding, as a share of their p

Test = Callable[[Array, Array, Array, float], Array]


def limits(n: int, epsilon: float, level: float, test: Test) -> Array:
    """The most wins with a p of at most `level` where 0, ..., n items are no ties.

    -1 where there are none. p rises with the wins, of as many items that are no ties.
    """

    def kept(apart: Array, wins: Array) -> Array:
        return test(np.full(len(wins), n), wins, apart - wins, epsilon) <= level

    return largest(kept, np.full(n + 1, -1), np.arange(1, n + 2))


def raised(most: Array) -> Array:
    """Limits whose region keeps what it has where a win becomes a tie."""
    apart = np.arange(len(most))
    above = np.maximum.accumulate((most - apart)[::-1])[::-1] + apart
    return np.maximum(above, -1)


def largest_chance(most: Array, epsilon: float) -> float:
    """The largest P(wins <= most[items that are no ties]), or up to 1 % more.

    most : (n + 1,), raised; epsilon : from 0, below 1
    """
    n, top = len(most) - 1, 1 - epsilon
    near = np.geomspace(0.1 / n, top / 2, 16)
    ends = np.unique([*np.linspace(0, top, 33), *near, *(top - near)])
    low, high, seen, bound = ends[:-1], ends[1:], 0.0, 0.0
    for _ in range(ROUNDS):
        values, bounds = _between(most, epsilon, low, high)
        seen = max(seen, values.max())
        open_ = bounds > seen * (1 + CLOSE) + LEAST
        bound = max(bound, bounds[~open_].max(initial=0.0))
        if not open_.any():
            break
        low, high = low[open_], high[open_]
        middle = (low + high) / 2
        low, high = np.append(low, middle), np.append(middle, high)
    top = max(seen, bound, bounds.max())
    return float(min(top * (1 + 1e-11 * (n + 1)) + LEAST, 1.0))


def _between(
    most: Array, epsilon: float, low: Array, high: Array
) -> tuple[Array, Array]:
    """P(region) at the low end of each stretch, and its bound on the stretch, (k,)."""
    n = len(most) - 1
    apart = np.arange(n + 1)
    log = gammaln(n + 1) - gammaln(apart + 1) - gammaln(n - apart + 1)
    some = most >= 0
    limit, apart, log = np.maximum(most[some], 0).astype(float), apart[some], log[some]
    start, end = low[:, None], high[:, None]
    win = np.minimum((1 + epsilon / (1 - start)) / 2, 1.0)
    below = bdtr(limit, apart, win)
    here, most_likely = (
        np.exp(log + xlog1py(apart, -ties) + xlogy(n - apart, ties))
        for ties in (start, np.clip((n - apart) / n, start, end))
    )
    return (here * below).sum(axis=1), (most_likely * below).sum(axis=1)


def largest_error(n: int, wins: int, losses: int, epsilon: float, test: Test) -> float:
    """The largest P(a p of at most this one) where d has a mean of epsilon or more."""
    if wins - losses >= n * _checks.fraction(epsilon):
        return 1.0  # such an outcome speaks for nothing
    items, won, lost = (np.array([one]) for one in (n, wins, losses))
    p = float(test(items, won, lost, epsilon)[0])
    most = raised(limits(n, epsilon, p * (1 + SAME), test))
    return largest_chance(most, epsilon)


def student(items: Array, wins: Array, losses: Array, epsilon: float) -> Array:
    """The one-sided t-test of a mean of d of at least epsilon."""
    mean = (wins - losses) / items
    squares = (wins + losses) - (wins - losses) * mean
    constant = (wins == items) | (losses == items) | (wins + losses == 0)
    error = np.sqrt(np.where(constant, 1.0, squares) / (items - 1) / items)
    p = stdtr(items - 1, (mean - epsilon) / error)
    return np.where(constant, (mean >= epsilon).astype(float), p)


def score(items: Array, wins: Array, losses: Array, epsilon: float) -> Array:
    """The score test: the variance is the likeliest where d has a mean of epsilon.

    a, the probability of a win there, solves W / a + L / (a - epsilon) = 2 T / (1 - 2 a
    + epsilon) with W wins, L losses and T ties; it is at least epsilon.
    """
    ties = items - wins - losses
    line = wins * (1 + 3 * epsilon) + losses * (1 + epsilon) + 2 * ties * epsilon
    root = np.sqrt(np.maximum(line**2 - 8 * items * wins * epsilon * (1 + epsilon), 0))
    a = np.maximum((line + root) / (4 * items), epsilon)
    variance = 2 * a - epsilon - epsilon**2
    some = variance > 0  # epsilon 0 and ties alone: no variance, and no evidence
    error = np.sqrt(np.where(some, variance, 1.0) * items)
    return np.where(some, ndtr((wins - losses - items * epsilon) / error), 1.0)


def exact(items: Array, wins: Array, losses: Array, epsilon: float) -> Array:
    """The largest probability of a p of the score test that is no larger."""
    most = int(items.max(initial=0))
    if most > LARGEST:
        accepted = f"'t' where a rater has more than {LARGEST:,} items"
        raise _checks.refuse("test", "exact", f"{accepted} ({most:,})")
    counts = np.stack([items, wins, losses]).astype(np.int64)
    different, at = np.unique(counts, axis=1, return_inverse=True)
    p = [largest_error(n, w, x, epsilon, score) for n, w, x in different.T.tolist()]
    return np.array(p, dtype=float)[at.ravel()]


P_VALUES = {"t": student, "exact": exact}
