"""An exact interval for a lot of two strata, as when a judge has called items wrong.

The strata have D_1 and D_2 errors; D = D_1 + D_2 is asked for. All outcomes (x_1, x_2)
of the two samples are ordered by a number Q that never falls with an error more. The
outcomes up to the one that was found, S, are then a staircase: for each x_1 those with
x_2 up to some step. The upper limit is the largest D with P(S) > alpha/2 at some split
of it. At the true split, S is as rare as alpha/2 with a probability of alpha/2 at most,
whatever Q is; a good Q makes the limit short.

P(S) never rises with D_1 or D_2: one error more in a stratum makes its sample hold no
fewer. So if it exceeds alpha/2 at a split of D, it does at one of D - 1, and D is found
by halving. Of the splits of one D, those with D_1 from `first` to `last` have at most
P(S) at (first, D - last): whole blocks of them are settled at once.
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.errors import NEAR, Law
from .proportion import Method

# More checked items than this are refused: at an error rate of one half in a lot of a
# million, 2,000 take half a minute.
MOST_CHECKED = 2_000

# Outcomes with equal limits: the one with the smaller estimate comes first.
LESS = 1e-6


def stratified_interval(
    errors_found: Any, sample_sizes: Any, lot_sizes: Any, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Confidence interval for the error rate of a lot of two strata.

    A judge (a model, a rule, a crowd) calls some items of a lot wrong, and a person
    checks a sample. The items called wrong and the others are the strata. The judge may
    be good or bad: the interval covers with at least the confidence asked for, whatever
    the errors in each stratum. A good judge shortens it, unless errors are very few.

    Parameters
    ----------
    errors_found, sample_sizes, lot_sizes : pairs of int
        For each stratum the errors in its sample, the sample's size, and the number of
        its items in the lot. The sample is a simple one of the whole lot, counted by
        stratum, or one of each stratum; either without replacement. A stratum may have
        no sample, or no item.
    confidence : float in (0, 1)

    Returns
    -------
    low, high : float
        Error rates of the whole lot: multiples of one by its size, both ends included.

    Raises
    ------
    ValueError
        Where an argument is no pair or out of range, or more than 2,000 items were
        checked in all (that takes half a minute and more).

    Notes
    -----
    The strata must be fixed before anything is checked: a judge that was chosen by the
    checked items, or trained with them, makes the interval too short. An interval for a
    single sample is not valid where the strata were sampled one by one.

    References
    ----------
    Buehler 1957, JASA 52, 482-493: of all upper limits that never fall with Q, this one
    is the least; easy to compute where Q never falls with an error more (Kabaila and
    Lloyd; doi 10.1007/BF02741305). Wendell and Schmee 1996 (doi
    10.1080/01621459.1996.10476950) have it for strata, with Q the estimated D. Here Q
    is the estimate plus the root of the sum of squares of (upper limit less estimate)
    over the strata, by Clopper and Pearson's limits of each.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.stratified_interval((30, 2), (60, 140), (120, 880))
    (0.057, 0.099)
    >>> la.proportion_interval(32, 200, 1000)  # the same sample without the judge
    (0.117, 0.212)
    """
    sizes = _pair("lot_sizes", lot_sizes)
    n = _pair("sample_sizes", sample_sizes, sizes, "lot_sizes")
    x = _pair("errors_found", errors_found, n, "sample_sizes")
    if not 0 < sum(sizes) <= _checks.LARGEST_LOT:
        span = f"pairs with a sum from 1 to {_checks.LARGEST_LOT:,}"
        raise _checks.refuse("lot_sizes", sizes, span)
    if sum(n) > MOST_CHECKED:
        span = f"pairs with a sum of at most {MOST_CHECKED:,} (more takes too long)"
        raise _checks.refuse("sample_sizes", sample_sizes, span)
    tail = (1 - _checks.fraction(_checks.confidence(confidence))) / 2
    below, above = zip(*(_limits(*each, tail) for each in zip(n, sizes)))
    high = _upper_limit(x, n, sizes, above, tail)
    right = [each - found for each, found in zip(n, x)]
    mirrored = [size - limit[::-1] for size, limit in zip(sizes, below)]
    low = sum(sizes) - _upper_limit(right, n, sizes, mirrored, tail)
    return low / sum(sizes), high / sum(sizes)


def _pair(
    name: str, values: Any, most: list[int] | None = None, of: str = ""
) -> list[int]:
    found = _checks.counts(name, values)
    if found.shape != (2,):
        raise _checks.refuse(name, values, "a pair of whole numbers, one for a stratum")
    if most is not None and (found > most).any():
        accepted = f"whole numbers up to {of}, which are {most}"
        raise _checks.refuse(name, found.tolist(), accepted)
    return found.tolist()


class _Staircase(NamedTuple):
    """The outcomes S: for each x_1 from 0 on, those with x_2 from 0 to a step."""

    steps: Array
    laws: list[Law]
    sample_sizes: list[int]

    def chance(self, *errors: Array) -> Array:
        """P(S) for arrays of D_1 and D_2."""
        outcomes = np.arange(len(self.steps)), np.arange(self.steps[0] + 1)
        of = zip(self.laws, outcomes, self.sample_sizes, errors)
        mass, other = (law.pmf(x, n, d[:, None]) for law, x, n, d in of)
        return (mass * other.cumsum(axis=1)[:, self.steps]).sum(axis=1)

    def exact_chance(self, d_1: int, d_2: int) -> Fraction:
        (one, two), (n_1, n_2) = self.laws, self.sample_sizes
        total = Fraction(0)
        for x, step in enumerate(self.steps.tolist()):
            total += one.exact_cdf(x, n_1, d_1, low=x) * two.exact_cdf(step, n_2, d_2)
        return total


def _upper_limit(
    x: list[int],
    n: list[int],
    sizes: list[int],
    limits: Sequence[Array],
    tail: Fraction,
) -> int:
    """The largest D with P(S) > tail at a split that what was found allows.

    limits : the upper ones of D_1 and D_2, for all outcomes of their samples
    """
    order = _order(*(_estimates(*each) for each in zip(n, sizes)), *limits)
    steps = (order <= order[*x]).sum(axis=1) - 1
    seen = _Staircase(steps[steps >= 0], [Law(size) for size in sizes], n)
    most = [size - each + found for size, each, found in zip(sizes, n, x)]

    above, below = float(tail) * (1 + NEAR), float(tail) * (1 - NEAR)

    def possible(total: int) -> bool:
        """Whether P(S) > tail at a split, by blocks of D_1 from `first` to `last`."""
        first = np.array([max(x[0], total - most[1])])
        last = np.array([min(most[0], total - x[1])])
        while len(first):
            left = seen.chance(first, total - last) > below
            first, last = first[left], last[left]
            middle = (first + last) // 2
            if (seen.chance(middle, total - middle) > above).any():
                return True
            one = first == last
            if any(seen.exact_chance(d, total - d) > tail for d in first[one].tolist()):
                return True
            first, middle, last = first[~one], middle[~one], last[~one]
            first, last = np.append(first, middle + 1), np.append(middle, last)
        return False

    more = range(sum(x) + 1, sum(most) + 1)  # than what was found, which is possible
    return sum(x) + bisect_left(more, True, key=lambda total: not possible(total))


def _limits(n: int, size: int, tail: Fraction) -> tuple[Array, Array]:
    """Clopper and Pearson's limits of D_h, for all outcomes of its sample."""
    if n == 0:
        return np.array([0]), np.array([size])
    x = np.arange(n + 1)
    return Method(size, 2 * tail).limits(x, np.full(n + 1, n))


def _estimates(n: int, size: int) -> Array:
    return size * np.arange(n + 1) / n if n else np.array([size / 2])


def _order(t_1: Array, t_2: Array, u_1: Array, u_2: Array) -> Array:
    """Q for all (x_1, x_2): only sums, products and roots, alike on all processors."""
    total = t_1[:, None] + t_2
    order = total + np.sqrt((u_1 - t_1)[:, None] ** 2 + (u_2 - t_2) ** 2)
    for axis in (0, 1):
        order = np.maximum.accumulate(order, axis=axis)
    return order + LESS * total
