"""The law of the number of errors in a sample: hypergeometric or binomial.

A lot is sampled without replacement, a process with. `errors` is the number of
erroneous annotations in a lot, the error rate of a process. Each inspection takes one
annotation out of a lot and none out of a process: but for that, most is the same.

Comparisons that rounding could decide are settled in fractions. Bounds are read as the
decimals that they were written as.
"""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from scipy.special import xlog1py, xlogy

from .. import _checks
from .._checks import Array

# What has a probability of less than exp(-NEGLIGIBLE) is left out of sums, but where
# they are asked for so FEW numbers of errors: risks are right however small they are.
NEGLIGIBLE = 40.0
FEW = 2

# Probabilities are summed in blocks of about this many cells.
BLOCK = 1 << 17

# Tails are summed for so many outcomes at once (more would not fit the cache), so many
# terms at first, until one is smaller, relative to the first, than NO_MORE.
ROWS, COLUMNS = 256, 32
NO_MORE = 1e-17

# Comparisons closer than this (relative) are settled in exact arithmetic. The
# floating-point error of the law's probabilities is some thousand times less:
# a small one is summed from its terms, never left over from 1.
NEAR = 1e-8

# So much (absolute) rounding and terms left out may add up to, in a probability that
# is no tail: comparisons closer than this are settled in exact arithmetic, too.
LOST = 1e-15


class Law:
    """The number of errors in a sample, of at most max_sample from a process.

    Attributes
    ----------
    lot_size : int, or None for a process
    total : what the errors are counted among: the size of the lot; 1 in a process, and
        in an empty lot
    taken : by each inspection out of this: 1; 0 in a process
    """

    def __init__(self, lot_size: int | None, max_sample: int = 0) -> None:
        self.lot_size, self.total = lot_size, lot_size or 1
        self.taken = int(lot_size is not None)
        # log 0!, log 1!, ... as a multiple of 2^-30 plus a small remainder. The large
        # parts are integers and add without rounding, so that a difference of log
        # factorials keeps its digits: with plain doubles, a probability in a lot of a
        # million is good to eight digits only.
        size = max_sample if lot_size is None else lot_size
        logs = np.log(np.maximum(np.arange(size + 1), 1))
        large = np.rint(logs * 2.0**30).astype(np.int64)
        self._large = np.cumsum(large)
        self._small = np.cumsum(logs - large * 2.0**-30)

    def _factorials(self, plus: list[Array], minus: list[Array]) -> Array:
        """Sum of log factorials of `plus` less those of `minus` (broadcast).

        Of `minus` those outside the table are its ends: nothing is possible there.
        """
        large, small = (
            sum(table[i] for i in plus) - sum(table.take(i, mode="clip") for i in minus)
            for table in (self._large, self._small)
        )
        return np.asarray(large * 2.0**-30 + small)

    def log_pmf(self, x: Any, n: Any, errors: Any) -> Array:
        """log P(X = x) in a sample of n; -inf where impossible.

        C(D, x) C(N - D, n - x) / C(N, n) in a lot, C(n, x) p^x (1 - p)^(n - x) in a
        process.
        """
        x, n, d = np.asarray(x), np.asarray(n), np.asarray(errors)
        good, possible = n - x, (x >= 0) & (x <= n)
        if self.lot_size is None:
            x = np.minimum(np.maximum(x, 0), n)
            value = self._factorials([n], [x, n - x]) + xlogy(x, d) + xlog1py(n - x, -d)
        else:
            size = np.asarray(self.lot_size)
            possible = possible & (x <= d) & (good <= size - d)
            parts = [x, good, size, d - x, size - d - good]
            value = self._factorials([d, size - d, n, size - n], parts)
        return np.where(possible, value, -np.inf)

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
        wrong = errors - self.taken * x
        table[0, 0] = 1.0
        for n in range(n_max):
            left = self.total - self.taken * n
            table[n + 1] = table[n] * (np.maximum(left - wrong, 0) / left)
            table[n + 1, 1:] += (table[n] * (np.maximum(wrong, 0) / left))[:-1]
        return table

    def sums(self, x: Array, n: Array, weights: Array, errors: Array) -> Array:
        """Sum of weights * P(X = x in a sample of n), for each entry of `errors`.

        x, n, weights : (points,). Of more than FEW different errors a point (n, x) is
        left out at rates q where it is negligible. Hoeffding (1963, Theorem 4): in a
        lot as in a process P(X = x) <= exp(-n KL(x/n, q)), and KL(p, q) is at least
        (p - q)^2 / (2 max(p, q)).
        """
        x, n, weights = (each[weights != 0] for each in (x, n, weights))
        room, p = NEGLIGIBLE / np.maximum(n, 1), x / np.maximum(n, 1)
        shares = np.stack([p, 1 - p])
        below = shares - np.sqrt(2 * shares * room)
        above = shares + room + np.sqrt(room * room + 2 * shares * room)
        lowest = np.maximum(below[0], 1 - above[1]) - 1e-12
        highest = np.minimum(above[0], 1 - below[1]) + 1e-12
        unique, inverse = np.unique(errors.ravel(), return_inverse=True)
        rates, total = unique / self.total, np.zeros(len(unique))
        width = max(1, BLOCK // max(len(x), 1))
        for start in range(0, len(unique), width):
            part = slice(start, start + width)
            near = (lowest <= rates[part][-1]) & (highest >= rates[part][0])
            at = np.flatnonzero(near | (len(unique) <= FEW))
            chances = self.pmf(x[at, None], n[at, None], unique[None, part])
            total[part] = weights[at] @ chances
        return total[inverse].reshape(errors.shape)

    def tails(self, x: Any, n: Any, errors: Any) -> tuple[Array, Array]:
        """P(X <= x) and P(X >= x) in a sample of n (all broadcast).

        Sums the tail that falls away from the mean, term by term from x outwards,
        until the terms are negligible.
        """
        x, n, wrong = np.broadcast_arrays(x, n, errors)
        point, down = self.pmf(x, n, wrong), x <= n * (wrong / self.total)
        right = self.total - wrong
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
            fewer = at * (right - self.taken * (n - at))
            same = (wrong - self.taken * (at - 1)) * (n - at + 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = fewer / same  # P(X = at - 1) / P(X = at)
            # nan or less than 0 where t errors, or one fewer, are impossible
            ratios = np.where((ratios > 0) & (at > 0), ratios, 0.0)
            terms = np.cumprod(ratios, axis=1) * last
            total += terms.sum(axis=1)
            last, t, columns = terms[:, -1:], t - columns, 2 * columns
        return total

    def exact_cdf(self, x: int, n: int, errors: Any, low: int = 0) -> Fraction:
        """P(low <= X <= x) in a sample of n, as a fraction."""
        size, taken, total = self.lot_size, self.taken, 0
        p = _checks.fraction(errors)
        wrong, right = p.numerator, (size or p.denominator) - p.numerator
        # What is impossible at the ends is passed over.
        first = max(low, 0, taken * (n - right), 0 if right else n)
        rest = max(n - first, 0)
        if size is None:
            every, ways = p.denominator**n, comb(n, first) * wrong**first * right**rest
        else:
            every, ways = comb(size, n), comb(wrong, first) * comb(right, rest)
        for i in range(first, min(x, n) + 1):
            total += ways
            # Of one error more; by small numbers, as large ones take long to divide.
            ways = ways * (wrong - taken * i) * (n - i) // (i + 1)
            ways //= right - taken * (n - i - 1) or 1
        return Fraction(total, every)


def rate_to_count(rate: float | Fraction, size: int) -> int:
    """The number of errors that an error rate means in so many annotations.

    Decimal arithmetic, half to even: a rate of 0.015 in 100 annotations is 2
    errors, whichever side of 0.015 the nearest double lies on.

    >>> rate_to_count(0.015, 100), rate_to_count(0.025, 100)
    (2, 2)
    """
    return round(_checks.fraction(rate) * size)


# Comparisons ------------------------------------------------------------------


def at_most(values: Any, bound: Any, exact: Callable[..., Any], *at: Array) -> Any:
    """Whether probabilities, or one, are at most a bound; near it exact(*at) tells."""
    limit = _checks.fraction(bound)
    most = float(limit)
    close = np.abs(values - most) <= NEAR * most + LOST
    return settled(values <= most, close, lambda *one: exact(*one) <= limit, *at)


def settled(answer: Any, near: Any, exact: Callable[..., Any], *at: Array) -> Any:
    """`answer`, but where `near` that of exact(*entries of the integer arrays at)."""
    answer = np.array(answer)
    for place in map(tuple, np.argwhere(near)):
        answer[place] = exact(*(int(each[place]) for each in at))
    return answer[()]


def largest(
    holds: Callable[[Array, Array], Array], low: Array, high: Array, *first: Array
) -> Array:
    """The largest whole number of each row, from low to high - 1, that holds.

    holds(rows, numbers) tells of one number for each of some rows; where a number
    holds, all smaller ones do. It is not asked about `low`, which is taken to hold.
    Where they lie between the two, numbers of `first` are looked at first.
    """
    low, high = low.copy(), high.copy()

    def look(rows: Array, at: Array) -> None:
        good = holds(rows, at)
        low[rows] = np.where(good, at, low[rows])
        high[rows] = np.where(good, high[rows], at)

    for guess in first:
        rows = np.flatnonzero((low < guess) & (guess < high))
        if len(rows):
            look(rows, guess[rows])
    while len(rows := np.flatnonzero(high - low > 1)):
        look(rows, (low[rows] + high[rows]) // 2)
    return low
