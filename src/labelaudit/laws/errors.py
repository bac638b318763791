"""The law of the number of errors in a sample: hypergeometric or binomial.

A lot is sampled without replacement, a process with. Plans work with either through
the methods of Law. `errors` is the number of erroneous annotations in a lot, the error
rate of a process.
"""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from scipy.special import xlog1py, xlogy

from .. import _checks
from .._checks import Array

# What has a probability of less than exp(-NEGLIGIBLE) is left out.
NEGLIGIBLE = 40.0

# Tails are summed for so many outcomes at once (more would not fit the cache), so many
# terms at first, until one is smaller, relative to the first, than NO_MORE.
ROWS, COLUMNS = 256, 32
NO_MORE = 1e-17


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
    """What the two laws share, in doubles and in fractions.

    Attributes
    ----------
    lot_size : int, or None for a process
    log_pmf : of x errors in a sample of n; -inf where impossible
    next_outcome : P(the next one is correct, erroneous | x errors among n)
    ratio : P(X = t - 1) and P(X = t), up to a factor, from what is wrong and what is
        right; with these exchanged, of correct annotations
    ways : in whole numbers, those of x errors as a function, and of all samples of n
    """

    lot_size: int | None
    log_pmf: Callable[..., Array]
    next_outcome: Callable[..., tuple[Any, Any]]
    ratio: Callable[..., tuple[Any, Any]]
    ways: Callable[..., tuple[Callable[[int], int], int]]

    def rate(self, errors: Any) -> Any:
        return errors / (self.lot_size or 1)

    def parts(self, errors: Any) -> tuple[Any, Any]:
        """What is wrong and what is right, to be exchanged in `ratio`."""
        return errors, (self.lot_size or 1) - errors

    def whole(self, errors: Any) -> tuple[int, int]:
        """The same in whole numbers."""
        return int(errors), int(self.lot_size or 1) - int(errors)

    def pmf(self, x: Any, n: Any, errors: Any) -> Array:
        """P(X = x) in a sample of n."""
        return np.exp(self.log_pmf(x, n, errors))

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

        Sums the tail that falls away from the mean, term by term from x outwards,
        until the terms are negligible.
        """
        x, n, errors = np.broadcast_arrays(x, n, errors)
        point, down = self.pmf(x, n, errors), x <= n * self.rate(errors)
        wrong, right = self.parts(errors)
        # P(X >= x) is the lower tail of the correct annotations at n - x.
        of = np.where(down, [x, wrong, right], [n - x, right, wrong])
        t, wrong, right = (v.reshape(-1, 1) for v in of)
        size, near = n.reshape(-1, 1), np.empty(x.size)
        for i in range(0, x.size, ROWS):
            rows = slice(i, i + ROWS)
            near[rows] = self._falling(t[rows], size[rows], wrong[rows], right[rows])
        near = near.reshape(x.shape) * point
        far = np.maximum(1 - near + point, point)
        return np.where(down, near, far), np.where(down, far, near)

    def _falling(self, t: Array, n: Array, wrong: Array, right: Array) -> Array:
        """P(X <= t) / P(X = t), for columns."""
        last, total, columns = np.ones(t.shape), np.ones(len(t)), COLUMNS
        while last.max() > NO_MORE:
            at = t - np.arange(columns)
            fewer, same = self.ratio(at, n, wrong, right)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = fewer / same
            # nan or less than 0 where t errors, or one fewer, are impossible
            ratios = np.where((ratios > 0) & (at > 0), ratios, 0.0)
            terms = np.cumprod(ratios, axis=1) * last
            total += terms.sum(axis=1)
            last, t, columns = terms[:, -1:], t - columns, 2 * columns
        return total

    def exact_pmf(self, x: int, n: int, errors: Any) -> Fraction:
        """P(X = x) in a sample of n, as a fraction."""
        return self.exact_cdf(x, n, errors, least=x)

    def exact_cdf(self, x: int, n: int, errors: Any, least: int = 0) -> Fraction:
        """P(least <= X <= x) in a sample of n, as a fraction."""
        ways, every = self.ways(n, *self.whole(errors))
        return Fraction(sum(map(ways, range(max(least, 0), min(x, n) + 1))), every)


class Hypergeometric(Law):
    """Errors in a sample without replacement from a lot."""

    def __init__(self, lot_size: int) -> None:
        self.lot_size: int = lot_size
        self._factorials = LogFactorials(lot_size)

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

    def next_outcome(self, n: int, x: Array, errors: Any) -> tuple[Any, Any]:
        left, wrong = self.lot_size - n, errors - x
        return np.maximum(left - wrong, 0) / left, np.maximum(wrong, 0) / left

    def ratio(self, t: Any, n: Any, wrong: Any, right: Any) -> tuple[Any, Any]:
        return t * (right - n + t), (wrong - t + 1) * (n - t + 1)

    def ways(self, n: int, wrong: int, right: int) -> tuple[Any, int]:
        return lambda x: comb(wrong, x) * comb(right, n - x), comb(wrong + right, n)


class Binomial(Law):
    """Errors in a sample from a process with a constant error rate."""

    lot_size = None

    def __init__(self, max_sample: int) -> None:
        self._factorials = LogFactorials(max_sample)

    def log_pmf(self, x: Any, n: Any, errors: Any) -> Array:
        """log [C(n, x) p^x (1 - p)^(n - x)]; -inf where impossible."""
        x, n, p = np.asarray(x), np.asarray(n), np.asarray(errors)
        possible = (x >= 0) & (x <= n)
        x = np.minimum(np.maximum(x, 0), n)
        value = self._factorials.total([n], [x, n - x])
        return np.where(possible, value + xlogy(x, p) + xlog1py(n - x, -p), -np.inf)

    def next_outcome(self, n: int, x: Array, errors: Any) -> tuple[Any, Any]:
        return 1.0 - errors, errors

    def whole(self, errors: Any) -> tuple[int, int]:
        p = _checks.fraction(errors)
        return p.numerator, p.denominator - p.numerator

    def ratio(self, t: Any, n: Any, wrong: Any, right: Any) -> tuple[Any, Any]:
        return t * right, (n - t + 1) * wrong

    def ways(self, n: int, wrong: int, right: int) -> tuple[Any, int]:
        every = (wrong + right) ** n
        return lambda x: comb(n, x) * wrong**x * right ** (n - x), every


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
