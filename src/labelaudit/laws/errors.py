"""The law of the number of errors in a sample: hypergeometric or binomial.

A lot is sampled without replacement, a process with. Everything else in the
library works with either through the methods of Law. `errors` is the number of
erroneous annotations in a lot, the error rate of a process.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from scipy.special import xlog1py, xlogy

from .. import _checks
from .._checks import Array

# Tail sums leave out terms of less than exp(-NEGLIGIBLE) in total.
NEGLIGIBLE = 40.0

# No ratio of two probabilities is larger; infinity times 0 would not be a number.
HUGE = np.finfo(float).max

# Tails of so many outcomes are summed at once; more would not fit the cache.
ROWS = 256


class LogFactorials:
    """log 0!, ..., log size! as a multiple of 2^-30 plus a small remainder.

    The large parts are integers and add without rounding, so that a difference
    of log factorials keeps its digits: with plain doubles, a probability in a
    lot of a million is good to eight digits only.
    """

    def __init__(self, size: int) -> None:
        logs = np.log(np.maximum(np.arange(size + 1), 1))
        large = np.rint(logs * 2.0**30).astype(np.int64)
        self.large = np.cumsum(large)
        self.small = np.cumsum(logs - large * 2.0**-30)

    def total(self, plus: list[Array], minus: list[Array]) -> Array:
        """Sum of log factorials of `plus` less those of `minus` (broadcast)."""
        large = sum(self.large[i] for i in plus) - sum(self.large[i] for i in minus)
        small = sum(self.small[i] for i in plus) - sum(self.small[i] for i in minus)
        return np.asarray(large * 2.0**-30 + small)


class Law:
    """What the two laws share: tails by summation from the observed count."""

    lot_size: int | None

    def log_pmf(self, x: Any, n: Any, errors: Any) -> Array:
        raise NotImplementedError

    def exact_pmf(self, x: int, n: int, errors: Any) -> Fraction:
        raise NotImplementedError

    def rate(self, errors: Any) -> Any:
        raise NotImplementedError

    def pmf(self, x: Any, n: Any, errors: Any) -> Array:
        """P(X = x) in a sample of n."""
        return np.exp(self.log_pmf(x, n, errors))

    def row(self, n: int, errors: Any) -> Array:
        """P(X_n = 0), P(X_n = 1), ... , one `errors`; computed alike, as grid is.

        From the ratios of neighbours, beginning near the middle; ends at the last
        x that can be, or beyond which less than the smallest double is left.
        """
        first, last = self.support(n, errors)
        middle = min(max(int((n + 1) * self.rate(errors)), first), last)
        down = np.cumprod(self.ratio_down(np.arange(middle, first, -1), n, errors))
        up = np.cumprod(self.ratio_up(np.arange(middle, last), n, errors))
        terms = np.concatenate([np.zeros(first), down[::-1], [1.0], up])
        return terms / np.cumsum(terms)[-1]

    def support(self, n: int, errors: Any) -> tuple[int, int]:
        """The least and the largest x that can be in a sample of n."""
        return 0, n

    def next_outcome(self, n: int, x: Array, errors: Any) -> tuple[Any, Any]:
        """P(the next one is correct, erroneous | x errors among n)."""
        raise NotImplementedError

    def grid(self, n_max: int, x_max: int, errors: Any) -> Array:
        """P(X_n = x) for n = 0 .. n_max (rows) and x = 0 .. x_max, one `errors`.

        By the path of one more inspection: only sums, products and quotients of
        doubles, which every processor rounds alike, so that what is chosen by these
        numbers is the same on every machine.
        """
        x, table = np.arange(x_max + 1), np.zeros((n_max + 1, x_max + 1))
        table[0, 0] = 1.0
        for n in range(n_max):
            right, wrong = self.next_outcome(n, x, errors)
            table[n + 1] = table[n] * right
            table[n + 1, 1:] += (table[n] * wrong)[:-1]
        return table

    def tails(self, x: Any, n: Any, errors: Any) -> tuple[Array, Array]:
        """P(X <= x) and P(X >= x) in a sample of n (all broadcast).

        Sums the tail that falls away from the mean, from x outwards, over so
        many terms that the rest is below e^-40: with s steps possible outwards
        and r inwards, Hoeffding (1963, Theorem 4) bounds the mass w steps away
        by exp(-w^2 / 2s) and by exp(-w^2 / 2(r + w)).
        """
        x, n, errors = np.broadcast_arrays(x, n, errors)
        point = self.pmf(x, n, errors)
        down = x <= n * self.rate(errors)
        s = np.where(down, x, n - x).astype(float)
        wide = NEGLIGIBLE + np.sqrt(NEGLIGIBLE * (NEGLIGIBLE + 2 * (n - s)))
        wide = np.minimum(wide, np.sqrt(2 * NEGLIGIBLE * np.maximum(s, 0)))
        steps = np.minimum(wide, s).astype(np.int64) + 1
        near = np.empty(x.shape)
        flat = [v.ravel() for v in (x, n, errors, down, steps, point, near)]
        for i in range(0, x.size, ROWS):
            rows = [v[i : i + ROWS, None] for v in flat[:4]]
            # Term by term from the last one: P(X = t -+ 1) = ratio P(X = t).
            at = np.arange(int(flat[4][i : i + ROWS].max()))
            with np.errstate(divide="ignore", invalid="ignore"):
                falling = np.where(
                    rows[3],
                    self.ratio_down(rows[0] - at, *rows[1:3]),
                    self.ratio_up(rows[0] + at, *rows[1:3]),
                )
            falling = np.where(falling > 0, np.minimum(falling, HUGE), 0.0)
            terms = 1 + np.cumprod(falling, axis=1).sum(axis=1)
            near.ravel()[i : i + ROWS] = flat[5][i : i + ROWS] * terms
        far = np.maximum(1 - near + point, point)
        return np.where(down, near, far), np.where(down, far, near)

    def ratio_down(self, t: Any, n: Any, errors: Any) -> Array:
        """P(X = t - 1) / P(X = t)."""
        raise NotImplementedError

    def ratio_up(self, t: Any, n: Any, errors: Any) -> Array:
        """P(X = t + 1) / P(X = t)."""
        raise NotImplementedError

    def exact_cdf(self, x: int, n: int, errors: Any) -> Fraction:
        """P(X <= x) in a sample of n, as a fraction."""
        raise NotImplementedError


class Hypergeometric(Law):
    """Errors in a sample without replacement from a lot."""

    def __init__(self, lot_size: int) -> None:
        self.lot_size: int = lot_size
        self._factorials = LogFactorials(lot_size)

    def rate(self, errors: Any) -> Any:
        return errors / self.lot_size

    def log_pmf(self, x: Any, n: Any, errors: Any) -> Array:
        """log [C(D, x) C(N - D, n - x) / C(N, n)]; -inf where impossible."""
        size, x, n, d = self.lot_size, np.asarray(x), np.asarray(n), np.asarray(errors)
        good = n - x
        possible = (x >= 0) & (good >= 0) & (x <= d) & (good <= size - d)
        within = [
            np.minimum(np.maximum(part, 0), size)
            for part in (x, good, d - x, size - d - good)
        ]
        value = self._factorials.total(
            [d, size - d, n, size - n], [*within, np.asarray(size)]
        )
        return np.where(possible, value, -np.inf)

    def support(self, n: int, errors: Any) -> tuple[int, int]:
        return max(0, n + errors - self.lot_size), min(n, errors)

    def next_outcome(self, n: int, x: Array, errors: Any) -> tuple[Any, Any]:
        left, wrong = self.lot_size - n, errors - x
        return np.maximum(left - wrong, 0) / left, np.maximum(wrong, 0) / left

    def ratio_down(self, t: Any, n: Any, errors: Any) -> Array:
        rest = self.lot_size - errors - n
        return t * (rest + t) / ((errors - t + 1.0) * (n - t + 1.0))

    def ratio_up(self, t: Any, n: Any, errors: Any) -> Array:
        rest = self.lot_size - errors - n
        return (errors - t) * (n - t) / ((t + 1.0) * (rest + t + 1.0))

    def exact_cdf(self, x: int, n: int, errors: Any) -> Fraction:
        d, size = int(errors), self.lot_size
        first = max(0, n - (size - d))
        ways = total = comb(d, first) * comb(size - d, n - first)
        for t in range(first, min(x, n, d)):
            ways = ways * (d - t) * (n - t) // ((t + 1) * (size - d - n + t + 1))
            total += ways
        return Fraction(total if x >= first else 0, comb(size, n))

    def exact_pmf(self, x: int, n: int, errors: Any) -> Fraction:
        d, size = int(errors), self.lot_size
        if not 0 <= x <= n or n - x > size - d:
            return Fraction(0)
        return Fraction(comb(d, x) * comb(size - d, n - x), comb(size, n))


class Binomial(Law):
    """Errors in a sample from a process with a constant error rate."""

    lot_size = None

    def __init__(self, max_sample: int) -> None:
        self._size = max_sample
        self._factorials = LogFactorials(max_sample)

    def rate(self, errors: Any) -> Any:
        return errors

    def log_pmf(self, x: Any, n: Any, errors: Any) -> Array:
        """log [C(n, x) p^x (1 - p)^(n - x)]; -inf where impossible."""
        x, n, p = np.asarray(x), np.asarray(n), np.asarray(errors)
        possible = (x >= 0) & (x <= n)
        x = np.minimum(np.maximum(x, 0), n)
        value = self._factorials.total([n], [x, n - x])
        return np.where(possible, value + xlogy(x, p) + xlog1py(n - x, -p), -np.inf)

    def next_outcome(self, n: int, x: Array, errors: Any) -> tuple[Any, Any]:
        return 1.0 - errors, errors

    def ratio_down(self, t: Any, n: Any, errors: Any) -> Array:
        return t * (1 - errors) / ((n - t + 1.0) * errors)

    def ratio_up(self, t: Any, n: Any, errors: Any) -> Array:
        return (n - t) * errors / ((t + 1.0) * (1 - errors))

    def exact_cdf(self, x: int, n: int, errors: Any) -> Fraction:
        p = _checks.fraction(errors)
        if p == 1:
            return Fraction(int(x >= n))
        wrong, right = p.numerator, p.denominator - p.numerator
        ways = total = right**n
        for t in range(min(x, n)):
            ways = ways * (n - t) * wrong // ((t + 1) * right)
            total += ways
        return Fraction(total if x >= 0 else 0, p.denominator**n)

    def exact_pmf(self, x: int, n: int, errors: Any) -> Fraction:
        if not 0 <= x <= n:
            return Fraction(0)
        p = _checks.fraction(errors)
        return comb(n, x) * p**x * (1 - p) ** (n - x)


def law(lot_size: int | None, max_sample: int) -> Law:
    """The law for a lot or a process, for samples of up to max_sample."""
    return Binomial(max_sample) if lot_size is None else Hypergeometric(lot_size)


def likely_shares(p: Array, n: Array) -> tuple[Array, Array]:
    """The least and the largest rate q at which a share p of n is not negligible.

    Hoeffding (1963, Theorem 4): in a lot as in a process P(X = x) <= exp(-n KL(x/n,
    q)), and KL(p, q) is at least (p - q)^2 / (2 max(p, q)).
    """
    room = NEGLIGIBLE / np.maximum(n, 1)

    def above(p: Array) -> Array:
        return p + room + np.sqrt(room * room + 2 * p * room)

    def below(p: Array) -> Array:
        return p - np.sqrt(2 * p * room)

    lowest = np.maximum(below(p), 1 - above(1 - p))
    return lowest, np.minimum(above(p), 1 - below(1 - p))


def rate_to_count(rate: float | Fraction, size: int) -> int:
    """The number of errors that an error rate means in so many annotations.

    Decimal arithmetic, half to even: a rate of 0.015 in 100 annotations is 2
    errors, whichever side of 0.015 the nearest double lies on.

    >>> rate_to_count(0.015, 100), rate_to_count(0.025, 100)
    (2, 2)
    """
    return round(_checks.fraction(rate) * size)
