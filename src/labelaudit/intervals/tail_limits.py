"""Limits where one tail probability meets a bound: Clopper-Pearson and mid-P."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize.elementwise import find_root
from scipy.special import betainc, betaincc, betainccinv, betaincinv, ndtri

from .._checks import Array
from ..laws.errors import Hypergeometric
from ..laws.halving import largest
from ..laws.near import exceed


def tail_limits(
    x: Array, n: Array, lot_size: int | None, tail: Fraction, mid_p: bool = False
) -> tuple[Array, Array]:
    """Limits on the scale of errors, for arrays x, n of one shape.

    In a lot, exchanging errors and correct annotations turns the one limit into
    the other.
    """
    if lot_size is None:
        limits = _mid_p_rates if mid_p else _clopper_pearson_rates
        return limits(x, n, float(tail))
    few, many = (_upper_count(v, n, lot_size, tail, mid_p) for v in (n - x, x))
    return lot_size - few, many


def wilson(x: Array, n: Array, lot_size: int | None, deviations: Any) -> Array:
    """A rate so many standard deviations above x/n (Wilson's limits)."""
    z2 = deviations**2 * (1 - n / (lot_size or np.inf))
    root = np.sqrt(z2 * (x * (n - x) / n + z2 / 4))
    return (x + z2 / 2 + np.sign(deviations) * root) / (n + z2)


def normal_quantile(n: Any, lot_size: int, errors: Any, z: float) -> Array:
    """About the count of errors in a sample that lies z deviations up."""
    share = errors / lot_size
    spread = np.sqrt(n * share * (1 - share) * (1 - n / lot_size))
    skew = (z * z - 1) / 6 * (1 - 2 * share) * (1 - 2 * n / lot_size)
    return np.rint(n * share + z * spread + skew).astype(np.int64)


def _upper_count(
    x: Array, n: Array, lot_size: int, tail: Fraction, mid_p: bool = False
) -> Array:
    """The largest D with P(X <= x), mid-P: less half of P(X = x), above `tail`.

    D = x is always one; a D that leaves fewer than n - x correct is none.
    """
    law = Hypergeometric(lot_size)

    def exact(x: int, n: int, d: int) -> Fraction:
        half = law.exact_pmf(x, n, d) / 2 if mid_p else 0
        return law.exact_cdf(x, n, d) - half

    def not_too_many(rows: Array, d: Array) -> Array:
        at = x[rows], n[rows], d
        below, _ = law.tails(*at)
        if mid_p:
            below = below - law.pmf(*at) / 2
        return exceed(below, tail, exact, *at)

    z = -float(ndtri(float(tail)))
    guess = np.rint(lot_size * wilson(x, n, lot_size, z)).astype(np.int64)
    margin = 2 + guess // 64
    most = lot_size - n + x + 1
    return largest(not_too_many, x, most, guess - margin, guess + margin)


def _clopper_pearson_rates(x: Array, n: Array, tail: float) -> tuple[Array, Array]:
    """p with P(X >= x) = tail and p with P(X <= x) = tail."""
    return _rate(betaincinv, x, n, tail), _rate(betainccinv, x + 1, n, tail)


def _rate(inverse: Any, x: Array, n: Array, tail: float) -> Array:
    """p with P(X >= x), or with P(X < x), of `tail`: a beta quantile."""
    p = inverse(np.maximum(x, 1.0), np.maximum(n - x, 0) + 1.0, tail)
    return np.where(x < 1, 0.0, np.where(x > n, 1.0, p))


def _mid_p_rates(x: Array, n: Array, tail: float) -> tuple[Array, Array]:
    """p with P(X > x) + P(X = x)/2 = tail, and the same for X < x.

    The left side is the mean of P(X >= x) and P(X > x) (of P(X < x) and
    P(X <= x)), so the limit lies between the Clopper-Pearson limits for x and
    for the next count inwards.
    """

    def root(x: Array, share: Any, inverse: Any) -> Array:
        def excess(p: Array, x: Array, n: Array) -> Array:
            def of(a: Array) -> Array:
                beta = share(np.maximum(a, 1.0), np.maximum(n - a, 0) + 1.0, p)
                return np.where((a > 0) & (a <= n), beta, 0.0)

            return (of(x) + of(x + 1)) / 2 - tail

        ends = _rate(inverse, x, n, tail), _rate(inverse, x + 1, n, tail)
        return find_root(excess, ends, args=(x, n)).x

    low = root(np.maximum(x, 1), betainc, betaincinv)
    high = root(np.minimum(x, n - 1), betaincc, betainccinv)
    return np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high)
