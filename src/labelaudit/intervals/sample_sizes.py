"""How many must be looked at for an interval that is short enough?

An interval's width is a sawtooth in n, so every n must be judged, but few of them
one by one. With more errors and fewer correct annotations in the sample,
Clopper-Pearson limits rise. So for all n from n1 to n2, whose planned outcomes
have x1 .. x2 errors and g1 .. g2 correct ones, the limits lie between those of
the samples (x1, g2) and (x2, g1): a whole range of n is settled at once where
both say the same, and is halved where they do not. The other methods have bounds
of this kind too; an n that they leave open gets its interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count

import numpy as np

from .. import _checks
from .._checks import Array
from .proportion import Method, Samples, chosen_method, proportion_interval
from .shortest import wilson

# A search for a process's sample size gives up beyond this many inspections.
LARGEST_SAMPLE = 2_000_000

# Widths this much (relative) too large are equal to what is wanted.
TIE = 1e-10

# A search that would take longer, in seconds, is not begun. To tell, so many sample
# sizes are looked at where there are more.
LONGEST = 60
# Outcomes of half the sample and fewer that are looked at before all.
NEAR = 200
LOOKED_AT = 512


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
        Where an argument is out of range, or a process would need some two million
        inspections.

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
    half_width = _checks.open_unit("half_width", half_width)
    lot_size = _checks.lot_size(lot_size)
    share = _checks.fraction(rate)
    rule = chosen_method(method, lot_size, confidence)
    widest: float = 2 * half_width

    def judged(first: int, last: int) -> Array:
        """Whether samples of first .. last annotations are enough."""
        n = np.arange(first, last + 1)
        planned = _rounded(share, n), n
        number, seconds = _effort(planned, rule, widest)
        if seconds > LONGEST:
            accepted = "wide enough for a search of a minute with the method "
            accepted += f"{method!r} (it would compute some {number:,} intervals "
            accepted += f"one by one, in about {seconds / 60:.0f} minutes)"
            raise _checks.refuse("half_width", half_width, accepted)
        return short_enough(planned, rule, widest)

    if lot_size is not None:
        exactly = 2 * lot_size * _checks.fraction(half_width)
        widest = int(exactly + Fraction(1, 10**9))
        return _sample_size(judged(1, lot_size))
    enough = np.empty(0, bool)
    while len(enough) < LARGEST_SAMPLE:
        more = judged(len(enough) + 1, 2 * len(enough) or 256)
        enough = np.append(enough, more)
        if enough.any() and len(enough) >= (end := 4 * (int(enough.argmax()) + 1)):
            return _sample_size(enough[:end])
    accepted = f"wide enough for {LARGEST_SAMPLE} inspections to do at rate {rate}"
    raise _checks.refuse("half_width", half_width, accepted)


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


def _effort(planned: Samples, method: Method, widest: float) -> tuple[int, float]:
    """About how many intervals must be computed one by one, and in what time."""
    x, n = planned
    some = np.unique(np.geomspace(1, len(n), LOOKED_AT).astype(int)) - 1
    samples = x[some], n[some]
    left = ~np.logical_or(*_settled(samples, samples, method, widest))
    if not left.any():
        return 0, 0.0
    number = int(np.diff(some, append=len(n))[left].sum())
    return number, number * float(method.seconds(n[some][left]).mean())


def short_enough(planned: Samples, method: Method, widest: float) -> Array:
    """Whether each sample's interval is at most so wide.

    Both counts of the planned samples are nondecreasing. In a lot `widest` is a
    number of errors, of which the interval may hold one more.
    """
    (x, n), good = planned, planned[1] - planned[0]
    answer = np.zeros(len(n), bool)
    first, last = np.array([0]), np.array([len(answer) - 1])
    while len(first):
        fewest = x[first], x[first] + good[last]
        most = x[last], x[last] + good[first]
        short, wide = _settled(fewest, most, method, widest)
        for i, j in zip(first[short].tolist(), last[short].tolist()):
            answer[i : j + 1] = True
        one = first[(first == last) & ~short & ~wide]
        if len(one):
            low, high = method.limits(x[one], n[one])
            answer[one] = high - low <= widest * (1 + TIE)
        open_ = (first < last) & ~short & ~wide
        first, last = first[open_], last[open_]
        middle = (first + last) // 2
        first, last = np.append(first, middle + 1), np.append(middle, last)
    return answer


def _settled(
    fewest: Samples, most: Samples, method: Method, widest: float
) -> tuple[Array, Array]:
    """Whether the intervals of all samples between are short, and whether wide.

    Wide, if errors more than `widest` apart are within all limits; short, if all
    limits lie between errors so far apart.
    """
    x, n = ((few + many) / 2 for few, many in zip(fewest, most))
    size = method.lot_size
    share = (wilson(x, n, size, 2.0) + wilson(x, n, size, -2.0)) / 2
    if size is None:
        low = np.clip(share - widest / 2, 0.0, max(1.0 - widest, 0.0))
        high, outside, whole = low + widest, low, 1.0
    else:
        low = np.floor(share * size - widest / 2).astype(np.int64)
        low = np.clip(low, 0, max(size - int(widest) - 1, 0))
        high, outside, whole = low + int(widest) + 1, low - 1, size
    few, many = ((n - x, n) for x, n in (fewest, most))  # correct ones
    short = method.beyond(fewest, most, high)
    short &= method.beyond(many, few, whole - outside)
    wide = method.not_above(fewest, high) & method.not_above(many, whole - low)
    return short, ~short & wide


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
    rule, most = chosen_method("clopper-pearson", lot_size, confidence), 2 * half_width
    if lot_size is not None:
        most = int(2 * lot_size * _checks.fraction(half_width) + Fraction(1, 10**9))
    for n in count(about_half.first):  # at that outcome a smaller n does not do
        x = np.arange(n // 2 + 1)  # the others are their mirror images
        if _all_short(x[-NEAR:], n, rule, most) and _all_short(x, n, rule, most):
            return n
    raise AssertionError


def _all_short(x: Array, n: int, method: Method, widest: float) -> bool:
    """Whether the intervals of all these outcomes are at most so wide."""
    samples = x, np.full(len(x), n)
    short, wide = _settled(samples, samples, method, widest)
    if wide.any():
        return False
    low, high = method.limits(*(each[~short] for each in samples))
    return bool(np.all(high - low <= widest * (1 + TIE)))


def widest(n: int, lot_size: int | None, confidence: float) -> float:
    """Half the width of the longest interval from n inspections."""
    low, high = proportion_interval(
        np.arange(n + 1), n, lot_size, confidence=confidence
    )
    return float(np.max(np.subtract(high, low)) / 2)
