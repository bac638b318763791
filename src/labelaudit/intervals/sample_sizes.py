"""How many must be looked at for an interval that is short enough?

An interval's width is a sawtooth in n, so every n must be judged, but few of them
one by one. With more errors and fewer correct annotations in the sample, the limits
rise. So for all n from n1 to n2, whose planned outcomes have x1 .. x2 errors and
g1 .. g2 correct ones, the limits lie between those of the samples (x1, g2) and
(x2, g1): a whole range of n is settled at once where both say the same, and is halved
where they do not.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.errors import NEAR
from .proportion import Method, Optimal, chosen_method, proportion_interval
from .shortest import shortest_sets, wilson

# A search for a process's sample size gives up beyond this many inspections; one by
# length-optimal intervals in lots larger than this.
LONGEST_SAMPLE = 2_000_000
LARGEST_OPTIMAL = 25_000

# Widths this much (relative) too large are equal to what is wanted.
TIE = 1e-10

# The widest intervals are those of about n / 2 errors: of so many outcomes below it
# some are looked at first, then each, and all only where these are short enough.
NEAR_HALF = 200


@dataclass(frozen=True)
class SampleSize:
    """Two answers to "how many must be inspected for an interval this short?"

    The width of an exact interval is a sawtooth in n, so they differ.

    Attributes
    ----------
    first : int
        The smallest n whose interval is short enough.
    stable : int
        The n from which every larger one's interval is short enough too.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.interval_sample_size(0.12, 0.025).stable
    690
    """

    first: int
    stable: int


def interval_sample_size(
    rate: float,
    half_width: float,
    lot_size: int | None = None,
    *,
    confidence: float = 0.95,
    method: str = "clopper-pearson",
) -> SampleSize:
    """How many annotations to inspect for an interval of a given half width.

    Plans for the outcome that the expected rate makes likely: round(rate n)
    errors among n.

    Parameters
    ----------
    rate : float in [0, 1]
        The error rate that is expected.
    half_width : float in (0, 1)
        Wanted: (high - low) / 2 <= half_width.
    lot_size : int, optional
        Sample without replacement from a lot of this size; None is a process.
    confidence, method
        As for proportion_interval.

    Returns
    -------
    SampleSize
        first and stable; in a lot every n up to its size is judged, in a process
        up to 4 x first.

    Raises
    ------
    ValueError
        Where an argument is out of range, a process would need some two million
        inspections, or a lot is larger than 25,000 with the method "optimal".

    References
    ----------
    The aim of Klie et al. 2024, section 3.2. Their sizes follow another
    criterion, and a root finder on a sawtooth; see labelaudit.as_published.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.interval_sample_size(0.12, 0.025)
    SampleSize(first=686, stable=690)
    """
    rate = _checks.unit("rate", rate)
    most = _widest(half_width, lot_size := _checks.lot_size(lot_size))
    rule = chosen_method(method, lot_size, confidence)
    enough: Any = _optimal if isinstance(rule, Optimal) else short_enough

    def judged(first: int, last: int) -> Array:
        """Whether samples of first .. last annotations are enough."""
        n = np.arange(first, last + 1)
        return enough(_rounded(_checks.fraction(rate), n), n, rule, most)

    if lot_size is not None:
        if enough is _optimal and lot_size > LARGEST_OPTIMAL:
            accepted = f"at most {LARGEST_OPTIMAL:,} for a size by the method 'optimal'"
            raise _checks.refuse("lot_size", lot_size, f"{accepted}, which is slow")
        return _sample_size(judged(1, lot_size))
    found = np.empty(0, bool)
    while len(found) < LONGEST_SAMPLE:
        found = np.append(found, judged(len(found) + 1, 2 * len(found) or 256))
        if found.any() and len(found) >= (end := 4 * (int(found.argmax()) + 1)):
            return _sample_size(found[:end])
    accepted = f"wide enough for {LONGEST_SAMPLE} inspections to do at rate {rate}"
    raise _checks.refuse("half_width", half_width, accepted)


def _widest(half_width: Any, lot_size: int | None) -> float:
    """How wide an interval may be: a rate, or a number of errors in a lot."""
    half_width = _checks.open_unit("half_width", half_width)
    if lot_size is None:
        return 2 * half_width * (1 + TIE)
    return int(2 * lot_size * _checks.fraction(half_width) + Fraction(1, 10**9))


def _sample_size(enough: Array) -> SampleSize:
    """From whether n = 1, 2, ... is enough."""
    first = int(np.argmax(enough)) + 1
    failures = np.flatnonzero(~enough) + 1
    return SampleSize(first, max(first, int(failures.max(initial=0)) + 1))


def _rounded(rate: Fraction, n: Array) -> Array:
    """rate_to_count for an array of sizes."""
    by = rate.denominator
    small = 2 * by * int(n[-1]) < 2**63  # ten million of Python's own need gigabytes
    exact = rate.numerator * n.astype(np.int64 if small else object)
    whole = exact // by
    up = 2 * (exact - by * whole) + whole % 2 > by  # a half to the even number
    return (whole + up).astype(np.int64)


def short_enough(x: Array, n: Array, method: Method, widest: float) -> Array:
    """Whether the interval of each planned sample is at most so wide.

    Errors of the samples are nondecreasing, and so are correct annotations; or these
    are nonincreasing, as where all n are the same.
    """
    good, answer = n - x, np.zeros(len(n), bool)
    first, last = np.array([0]), np.array([len(n) - 1])
    while len(first):
        # At the fewest errors and the most correct annotations, and at the reverse.
        few, many = np.sort([good[first], good[last]], axis=0)
        fewest = method.limits(x[first], x[first] + many)
        most = method.limits(x[last], x[last] + few)
        short = most[1] - fewest[0] <= widest
        for i, j in zip(first[short].tolist(), last[short].tolist()):
            answer[i : j + 1] = True
        left = ~short & (fewest[1] - most[0] <= widest)
        first, last = first[left], last[left]
        middle = (first + last) // 2
        first, last = np.append(first, middle + 1), np.append(middle, last)
    return answer


def _optimal(x: Array, n: Array, method: Method, widest: int) -> Array:
    """The same with the length-optimal method, whose limits are bounded one by one.

    A set a .. b of outcomes misses at most alpha on either side, and no shift changes
    its length. So D is below the upper limit where P(X <= x) > alpha, and above it
    where P(X >= x + b - a + 1) > alpha, since then b is no less than that.
    """
    law, size, alpha = method.law, method.law.total, float(method.alpha) * (1 + NEAR)
    share = (wilson(x, n, size, 2.0) + wilson(x, n, size, -2.0)) / 2
    low = np.floor(share * size - widest / 2).astype(np.int64)
    low = np.clip(low, 0, max(size - widest - 1, 0))
    high = np.minimum(low + widest + 1, size)

    def above(x: Array, errors: Array) -> Array:
        d = np.minimum(errors, size)
        a, b = shortest_sets(law, n, d, method.alpha)
        return (errors > size) | (law.tails(x + b - a + 1, n, d)[1] > alpha)

    short = above(x, low + widest + 1) & above(n - x, size - low + 1)
    wide = (law.tails(x, n, high)[0] > alpha) & (law.tails(x, n, low)[1] > alpha)
    one = ~short & ~wide
    least, most = method.limits(x[one], n[one])
    short[one] = most - least <= widest
    return short


def any_outcome_size(
    half_width: float, lot_size: int | None = None, *, confidence: float = 0.95
) -> int:
    """The least n whose Clopper-Pearson interval is short enough whatever is found.

    Parameters and errors as interval_sample_size, without an expected rate.

    Examples
    --------
    >>> any_outcome_size(0.1), any_outcome_size(0.1, 200)
    (104, 68)
    """
    about_half = interval_sample_size(0.5, half_width, lot_size, confidence=confidence)
    rule = chosen_method("clopper-pearson", lot_size, confidence)
    most = _widest(half_width, lot_size)

    def short(n: int) -> bool:
        x = np.arange(n // 2 + 1)  # the others are their mirror images
        near = x[-NEAR_HALF:]
        for part in near[::20], near:
            low, high = rule.limits(part, np.full(len(part), n))
            if (high - low > most).any():
                return False
        return bool(short_enough(x, np.full(len(x), n), rule, most).all())

    # At the outcome of one half a smaller n does not do.
    return next(filter(short, count(about_half.first)))


def widest(n: int, lot_size: int | None, confidence: float) -> float:
    """Half the width of the longest interval from n inspections."""
    every = np.arange(n + 1)
    low, high = proportion_interval(every, n, lot_size, confidence=confidence)
    return float((high - low).max() / 2)
