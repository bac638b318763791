"""Intervals for an error rate, and the sample sizes that make them short enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize.elementwise import find_root
from scipy.special import betainc, betaincc, betainccinv, betaincinv, ndtri

from . import _checks
from .laws import NEAR, Array, Law, law
from .levels import rate_to_count

METHODS = ("clopper-pearson", "mid-p")

# A search for a process's sample size gives up beyond this many inspections.
LARGEST_SAMPLE = 2_000_000


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
    """

    first: int
    stable: int


def proportion_interval(
    errors_found: Any,
    sample_size: int,
    lot_size: int | None = None,
    *,
    confidence: float = 0.95,
    method: str = "clopper-pearson",
) -> tuple[Any, Any]:
    """Confidence interval for the error rate, from a sample of fixed size.

    Parameters
    ----------
    errors_found : int or integer array in [0, sample_size]
    sample_size : int of at least 1
    lot_size : int of at least sample_size, optional
        The sample was drawn without replacement from a lot of this size; None
        is a process.
    confidence : float in (0, 1)
    method : "clopper-pearson" or "mid-p"
        Clopper and Pearson's interval covers with at least the confidence asked
        for, whatever the error rate. Mid-P counts half of the observed outcome's
        probability: shorter, and its coverage can fall below the confidence.

    Returns
    -------
    low, high : float, or float arrays shaped like errors_found
        Error rates; in a lot multiples of 1 / lot_size, both ends included.

    Raises
    ------
    ValueError
        Where an argument is out of range, or the method unknown.

    References
    ----------
    Clopper and Pearson 1934, as in Klie et al. 2024, section 3.2: the upper
    limit is the largest rate at which P(X <= errors_found) > (1 - confidence)/2.
    In a lot the rate runs over the counts D = 0 .. lot_size.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.proportion_interval(5, 100, lot_size=1000)
    (0.018, 0.109)
    >>> low, high = la.proportion_interval(15, 148, method="mid-p")
    >>> round(low, 4), round(high, 4)
    (0.0601, 0.1581)
    """
    lot_size = _checks.lot_size(lot_size)
    sample_size = _checks.count("sample_size", sample_size, 1, lot_size)
    x = _checks.counts("errors_found", errors_found, 0, sample_size)
    tail = _tail(confidence)
    _checks.one_of("method", method, METHODS)
    n = np.full(x.size, sample_size)
    low, high = _interval(x.ravel(), n, lot_size, tail, method)
    scale = 1 if lot_size is None else lot_size
    low, high = (limit.reshape(x.shape) / scale for limit in (low, high))
    return (low, high) if x.ndim else (float(low), float(high))


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
        first and stable; in a process stable is searched up to 4 x first.

    Raises
    ------
    ValueError
        Where an argument is out of range, or a process would need some two
        million inspections.

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
    rate, half_width = (
        _checks.unit("rate", rate),
        _checks.open_unit("half_width", half_width),
    )
    lot_size = _checks.lot_size(lot_size)
    tail = _tail(confidence)
    _checks.one_of("method", method, METHODS)
    share = _checks.fraction(rate)

    def short_enough(n: Array) -> Array:
        x = _rounded(share, n)
        if lot_size is None:
            low, high = _interval(x, n, None, tail, method)
            return high - low <= 2 * half_width
        widest = int(2 * lot_size * half_width + 1e-9)
        return _at_most_this_wide(x, n, _LotTest(lot_size, tail, method), widest)

    safe = _certainly_enough(rate, half_width, float(tail))
    if lot_size is None and safe > LARGEST_SAMPLE:
        raise _checks.refuse(
            "half_width",
            half_width,
            f"wide enough for {LARGEST_SAMPLE} inspections to do at rate {rate}",
        )
    end = safe if lot_size is None else min(safe, lot_size)
    last_failure, first = 0, None
    for n in _chunks(1, end + 1):
        enough = short_enough(n)
        if first is None and enough.any():
            first = int(n[np.argmax(enough)])
        if not enough.all():
            last_failure = int(n[~enough][-1])
        if first is not None and lot_size is None and n[-1] >= 4 * first:
            break
    assert first is not None  # at the latest the last n, by the bound
    return SampleSize(first, max(first, last_failure + 1))


def _tail(confidence: float) -> Fraction:
    """Half of what the interval may miss, as a fraction."""
    _checks.open_unit("confidence", confidence)
    return (1 - _checks.fraction(confidence)) / 2


def _rounded(rate: Fraction, n: Array) -> Array:
    """rate_to_count for an array of sizes."""
    top, bottom = rate.numerator, rate.denominator
    if bottom * 2 * int(n.max()) >= 2**62:
        return np.array([rate_to_count(rate, m) for m in n.tolist()])
    whole, rest = np.divmod(top * n, bottom)
    return whole + ((2 * rest > bottom) | ((2 * rest == bottom) & (whole % 2 == 1)))


def _chunks(start: int, stop: int) -> Iterator[Array]:
    """start, start + 1, ... stop - 1 in arrays of growing length."""
    size = 256
    while start < stop:
        yield np.arange(start, min(start + size, stop), dtype=np.int64)
        start, size = start + size, min(2 * size, 8192)


def _certainly_enough(rate: float, half_width: float, tail: float) -> int:
    """An n from which on every interval is short enough, by Hoeffding's bound.

    A limit q of the interval has n KL(x/n, q) <= -log(tail), and KL(p, q) is at
    least (p - q)^2 / 2v, with v the largest variance between p and q.
    """

    def bound(n: int) -> bool:
        low = max(rate - half_width - 0.5 / n, 0.0)
        high = min(rate + half_width + 0.5 / n, 1.0)
        nearest = min(max(0.5, low), high)
        variance = nearest * (1 - nearest)
        return n * half_width**2 >= -2 * variance * np.log(tail)

    high = 1
    while not bound(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle) else (middle, high)
    return high


def _interval(
    x: Array, n: Array, lot_size: int | None, tail: Fraction, method: str
) -> tuple[Array, Array]:
    """Limits on the scale of errors, for arrays x, n of one shape.

    In a lot, exchanging errors and correct annotations turns the one limit into
    the other.
    """
    if lot_size is None:
        limits = _clopper_pearson_rates if method == METHODS[0] else _mid_p_rates
        return limits(x, n, float(tail))
    test = _LotTest(lot_size, tail, method)
    return lot_size - _upper_count(n - x, n, test), _upper_count(x, n, test)


class _LotTest:
    """One-sided tests of D errors in a lot, after x among n."""

    def __init__(self, lot_size: int, tail: Fraction, method: str) -> None:
        self.lot_size, self.tail, self.half = lot_size, tail, method == "mid-p"
        self._law: Law = law(lot_size, lot_size)

    def not_too_many(self, x: Array, n: Array, d: Array) -> Array:
        """Whether P(X <= x | D = d), mid-P: less half of P(X = x), exceeds `tail`."""
        lower, _, point = self._law.tails(x, n, d)
        value, limit = lower - point / 2 if self.half else lower, float(self.tail)
        answer = value > limit
        for at in zip(*np.nonzero(np.abs(value - limit) <= NEAR * limit)):
            xi, ni, di = int(x[at]), int(n[at]), int(d[at])
            exact = self._law.exact_cdf(xi, ni, di)
            if self.half:
                exact -= self._law.exact_pmf(xi, ni, di) / 2
            answer[at] = exact > self.tail
        return answer

    def not_too_few(self, x: Array, n: Array, d: Array) -> Array:
        """The same with errors and correct annotations exchanged."""
        return self.not_too_many(n - x, n, self.lot_size - d)

    def guess(self, x: Array, n: Array, deviations: float) -> Array:
        """A rate so many standard deviations above x/n (Wilson's, finite lot)."""
        z2 = deviations**2 * (1 - n / self.lot_size)
        root = np.sqrt(z2 * (x * (n - x) / n + z2 / 4))
        return (x + z2 / 2 + np.sign(deviations) * root) / (n + z2)


def _upper_count(x: Array, n: Array, test: _LotTest) -> Array:
    """The largest D that is not too many, by bisection around a guess.

    D = x is never too many; a D that leaves fewer than n - x correct is.
    """
    low, high = x, test.lot_size - n + x + 1
    z = -float(ndtri(float(test.tail)))
    guess = np.rint(test.lot_size * test.guess(x, n, z)).astype(np.int64)
    margin = 2 + guess // 64
    for at in (guess - margin, guess + margin):
        inside = (at > low) & (at < high)
        holds = test.not_too_many(x, n, np.where(inside, at, x))
        low, high = (
            np.where(inside & holds, at, low),
            np.where(inside & ~holds, at, high),
        )
    while (high - low > 1).any():
        middle = np.where(high - low > 1, (low + high) // 2, low)
        holds = test.not_too_many(x, n, middle)
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    return low


def _at_most_this_wide(x: Array, n: Array, test: _LotTest, widest: int) -> Array:
    """Whether high - low <= widest, for arrays x and n.

    Two D's that far apart and both in the interval, or a little further and
    both outside, settle nearly every case; the others get their intervals.
    """
    answer = np.zeros(n.shape, bool)
    top = test.lot_size - n + x
    centre = test.lot_size * (test.guess(x, n, 2.0) + test.guess(x, n, -2.0)) / 2
    a = np.floor(centre - widest / 2).astype(np.int64)
    low, high = np.maximum(a, x), np.minimum(a + widest + 1, top)
    apart = high - low > widest
    wide = apart & test.not_too_few(x, n, low) & test.not_too_many(x, n, high)
    left = np.flatnonzero(~wide)
    if len(left):
        xs, ns = x[left], n[left]
        a, b = a[left] - 1, a[left] + widest + 1
        out_below = (a < xs) | ~test.not_too_few(xs, ns, np.maximum(a, xs))
        out_above = (b > top[left]) | ~test.not_too_many(
            xs, ns, np.minimum(b, top[left])
        )
        answer[left] = out_below & out_above
        left = left[~answer[left]]
        below = test.lot_size - _upper_count(n[left] - x[left], n[left], test)
        answer[left] = _upper_count(x[left], n[left], test) - below <= widest
    return answer


def _clopper_pearson_rates(x: Array, n: Array, tail: float) -> tuple[Array, Array]:
    """p with P(X >= x) = tail and p with P(X <= x) = tail: beta quantiles."""
    low = betaincinv(np.maximum(x, 1.0), n - x + 1.0, tail)
    high = betainccinv(x + 1.0, np.maximum(n - x, 1.0), tail)
    return np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high)


def _mid_p_rates(x: Array, n: Array, tail: float) -> tuple[Array, Array]:
    """p with P(X > x) + P(X = x)/2 = tail, and the same for X < x.

    The left side is the mean of P(X >= x) and P(X > x) (of P(X < x) and
    P(X <= x)), so the limit lies between the Clopper-Pearson limits for x and
    for the next count inwards.
    """

    def low_excess(p: Array, x: Array, n: Array) -> Array:
        beyond = np.where(x == n, 0.0, betainc(x + 1.0, np.maximum(n - x, 1.0), p))
        return (betainc(x, n - x + 1.0, p) + beyond) / 2 - tail

    def high_excess(p: Array, x: Array, n: Array) -> Array:
        before = np.where(x == 0, 0.0, betaincc(np.maximum(x, 1.0), n - x + 1.0, p))
        return (before + betaincc(x + 1.0, n - x, p)) / 2 - tail

    low_x, high_x = np.maximum(x, 1), np.minimum(x, n - 1)  # 0 and n are set below
    outer, _ = _clopper_pearson_rates(low_x, n, tail)
    inner, _ = _clopper_pearson_rates(np.minimum(low_x + 1, n), n, tail)
    inner = np.where(low_x == n, 1.0, inner)
    low = find_root(low_excess, (outer, inner), args=(low_x, n)).x
    _, outer = _clopper_pearson_rates(high_x, n, tail)
    _, inner = _clopper_pearson_rates(np.maximum(high_x - 1, 0), n, tail)
    inner = np.where(high_x == 0, 0.0, inner)
    high = find_root(high_excess, (inner, outer), args=(high_x, n)).x
    return np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high)
