"""The law of the number of flags in a sample, where the inspection makes mistakes.

In a process flags are binomial too, at another rate. In a lot, let every item
carry the flag that it would get. Errors lie in random places, so the flags are
exchangeable: given F flags among m items, the first n of them have a
hypergeometric number. With t errors among the m,

    F ~ Bin(t, sensitivity) + Bin(m - t, 1 - specificity),

and t is hypergeometric. So everything about a plan of at most m inspections is a
mean, over F, of what it is in a lot of m items with F errors.

The number of flags rises with the errors in the sense of the likelihood ratio
(TP2), as the number of errors does, so that every search for a plan holds: one
error more turns S + Bernoulli(w) into S + Bernoulli(s), w < s, where S is a sum
of independent indicators and hence r_k = P(S = k - 1) / P(S = k) rises in k; the
ratio of the two laws at k, (1 - s + s r_k) / (1 - w + w r_k), rises with r_k; and
mixing a TP2 family over a TP2 family gives one (Karlin 1968, basic composition).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, gcd
from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from .errors import NEGLIGIBLE, Binomial, Hypergeometric, Law, likely_shares
from .inspection import Inspection

# A grid keeps terms down to the smallest double, so that likelihood ratios are
# right far from where the probability is.
SMALLEST = 700.0

# Mixtures are computed in blocks of about this many terms.
BLOCK = 1 << 20

# The first few numbers of errors that are asked for so often get a table of all
# their samples, with no more than so many cells, leaving out no more than e^-LITTLE.
TABLES = 2
OFTEN = 100
CELLS = 6_000_000
LITTLE = 100.0


class FlaggedProcess(Binomial):
    """Flags in a sample from a process."""

    def __init__(self, max_sample: int, inspection: Inspection) -> None:
        super().__init__(max_sample)
        self.inspection = inspection
        self._flags = Binomial(max_sample)

    def rate(self, errors: Any) -> Any:
        return self.inspection.flag_rate(errors)

    def log_pmf(self, x: Any, n: Any, errors: Any) -> Array:
        return super().log_pmf(x, n, self.rate(np.asarray(errors)))

    def next_outcome(self, n: int, x: Array, errors: Array) -> tuple[Array, Array]:
        return super().next_outcome(n, x, self.rate(errors))

    def ratio_down(self, t: Any, n: Any, errors: Any) -> Array:
        return super().ratio_down(t, n, self.rate(errors))

    def ratio_up(self, t: Any, n: Any, errors: Any) -> Array:
        return super().ratio_up(t, n, self.rate(errors))

    def mean(self, property_of: Callable[[Law, Array], Array], errors: Array) -> Array:
        return property_of(self._flags, self.rate(errors))

    def exact_cdf(self, x: int, n: int, errors: Any) -> Fraction:
        return super().exact_cdf(x, n, self.rate(_checks.fraction(errors)))

    def exact_pmf(self, x: int, n: int, errors: Any) -> Fraction:
        return super().exact_pmf(x, n, self.rate(_checks.fraction(errors)))


class FlaggedLot(Law):
    """Flags in a sample without replacement from a lot."""

    def __init__(self, lot_size: int, max_sample: int, inspection: Inspection) -> None:
        self.lot_size: int = lot_size
        self.inspection = inspection
        self._size = min(max(max_sample, 1), lot_size)
        self._lot, self._first = Hypergeometric(lot_size), Hypergeometric(self._size)
        self._indicators = Binomial(lot_size)
        self._of_lot = lru_cache(16)(self._flags)
        self._exact_row = lru_cache(16)(self._exact)
        self._asked: Counter[int] = Counter()
        self._tables: dict[int, Array | None] = {}

    def rate(self, errors: Any) -> Any:
        return self.inspection.flag_rate(errors / self.lot_size)

    # The number of flags ------------------------------------------------------

    def _flags(
        self, size: int, errors: int, negligible: float = NEGLIGIBLE
    ) -> tuple[int, Array]:
        """P(F = first), P(F = first + 1), ... among `size` items with `errors`.

        Leaves out less than e^-negligible in total.
        """
        parts = []
        for n, rate in zip((errors, size - errors), self.inspection.fractions):
            low, high = (int(end) for end in _window(n, float(rate), negligible))
            masses = self._indicators.pmf(np.arange(low, high + 1), n, float(rate))
            parts.append((low, masses))
        (low, of_errors), (other, of_correct) = parts
        return low + other, np.convolve(of_errors, of_correct)

    def mean(self, property_of: Callable[[Law, Array], Array], errors: Array) -> Array:
        """E[property]: a mean over the errors t among the first max_sample items,
        of means over the flags given t.
        """
        m = self._size
        unique, back = np.unique(errors.ravel(), return_inverse=True)
        if not len(unique):
            return property_of(self._first, unique)[back]
        low, high = self._sampled(m, unique)
        least, most = int(low.min()), int(high.max())
        given_t = self._mean_given(property_of, least, most)
        width = int((high - low).max()) + 1
        found = np.empty((len(unique), *given_t.shape[1:]))
        step = max(1, BLOCK // width)
        for i in range(0, len(unique), step):
            d = unique[i : i + step, None]
            t = low[i : i + step, None] + np.arange(width)
            weights = self._lot.pmf(t, m, d)
            for row, start in enumerate((low[i : i + step] - least).tolist()):
                values = given_t[start : start + width]
                found[i + row] = weights[row, : len(values)] @ values
        return found[back].reshape(errors.shape + found.shape[1:])

    def _sampled(self, n: int, errors: Array) -> tuple[Array, Array]:
        """The window of the true errors t in a sample of n, for arrays of errors."""
        rate = errors / self.lot_size
        low, high = _window(n, rate, NEGLIGIBLE)
        # t errors among these n are D - t among the others.
        others = self.lot_size - n
        rest_low, rest_high = _window(others, rate, NEGLIGIBLE)
        low = np.maximum(low, np.maximum(errors - rest_high, errors - others))
        return low, np.minimum(np.minimum(high, errors - rest_low), errors)

    def _mean_given(
        self, property_of: Callable[[Law, Array], Array], least: int, most: int
    ) -> Array:
        """E[property | t errors among the first max_sample], t = least .. most."""
        flags = [self._flags(self._size, t) for t in range(least, most + 1)]
        first = min(low for low, _ in flags)
        last = max(low + len(masses) for low, masses in flags)
        values = property_of(self._first, np.arange(first, last))
        return np.array(
            [masses @ values[low - first :][: len(masses)] for low, masses in flags]
        )

    # A sample -----------------------------------------------------------------

    def pmf(self, x: Any, n: Any, errors: Any) -> Array:
        return self._mixed(lambda *at: (self._lot.pmf(*at),), x, n, errors, (2,))[0]

    def log_pmf(self, x: Any, n: Any, errors: Any) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.pmf(x, n, errors))

    def tails(self, x: Any, n: Any, errors: Any) -> tuple[Array, Array, Array]:
        lower, upper, point = self._mixed(self._lot.tails, x, n, errors, (0, 1, 2))
        return lower, upper, point

    def _mixed(
        self,
        perfect: Callable[..., tuple[Array, ...]],
        x: Any,
        n: Any,
        errors: Any,
        which: tuple[int, ...],
    ) -> tuple[Array, ...]:
        """The mean over the flags in the lot of what holds given their number.

        `which` of P(X <= x), P(X >= x), P(X = x) `perfect` gives.
        """
        x, n, errors = np.broadcast_arrays(x, n, errors)
        flat_x, flat_n = x.ravel(), n.ravel()
        unique, back = np.unique(errors.ravel(), return_inverse=True)
        found = [np.zeros(x.size) for _ in which]
        for i, d in enumerate(unique.tolist()):
            cells = np.flatnonzero(back == i)
            self._asked[d] += len(cells)
            tables = self._table(d) if n.max(initial=0) <= self._size else None
            if tables is not None:
                last = tables.shape[2] - 1
                at = flat_n[cells], np.clip(flat_x[cells] + 1, 0, last)
                for total, k in zip(found, which):
                    total[cells] = tables[k][at]
                continue
            low, masses = self._of_lot(self.lot_size, d)
            flags = np.arange(low, low + len(masses))
            step = max(1, BLOCK // len(masses))
            for part in (cells[j : j + step] for j in range(0, len(cells), step)):
                values = perfect(flat_x[part, None], flat_n[part, None], flags)
                for total, value in zip(found, values):
                    total[part] = value @ masses
        return tuple(total.reshape(x.shape) for total in found)

    def given_errors(self, x: Array, n: int) -> Array:
        """P(X_n <= x | t) and P(X_n = x | t) at [:, t], t errors in the sample."""
        given = np.zeros((2, n + 1, len(x)))
        for t in range(n + 1):
            low, masses = self._flags(n, t)
            at, last = x - low, len(masses) - 1
            within = (at >= 0) & (at <= last)
            at = np.clip(at, 0, last)
            given[0, t] = np.where(x < low, 0.0, masses.cumsum()[at])
            given[1, t] = np.where(within, masses[at], 0.0)
        return given

    def lower_tails(self, given: Array, n: int, errors: Array) -> tuple[Array, Array]:
        """P(X_n <= x) and P(X_n = x), entry by entry, from given_errors(x, n)."""
        low, high = self._sampled(n, errors)
        t = low + np.arange(int((high - low).max(initial=0)) + 1)[:, None]
        weights = self._lot.pmf(t, n, errors)
        both = given[:, np.minimum(t, n), np.arange(len(errors))]
        below, point = (weights * both).sum(axis=1)
        return below, point

    def _table(self, errors: int) -> Array | None:
        """P(X_n <= x), P(X_n >= x), P(X_n = x) at [:, n, x + 1], else None.

        From x = -1 to beyond all x that can be. For the first numbers of errors
        that are asked for often: a plan's two levels.
        """
        if errors in self._tables:
            return self._tables[errors]
        if self._asked[errors] <= OFTEN or len(self._tables) == TABLES:
            return None
        width = self.row_length(self._size, errors, LITTLE) + 2
        if (self._size + 1) * width > CELLS:
            self._tables[errors] = None
            return None
        tables = np.zeros((3, self._size + 1, width))
        for n, row in self.rows_down(self._size, errors, LITTLE):
            tables[2, n, 1 : len(row) + 1] = row
        np.cumsum(tables[2], axis=1, out=tables[0])
        tables[1] = tables[2, :, ::-1].cumsum(axis=1)[:, ::-1]
        self._tables[errors] = tables
        return tables

    def grid(self, n_max: int, x_max: int, errors: Any) -> Array:
        """P(X_n = x) for n = 0 .. n_max (rows) and x = 0 .. x_max, one `errors`.

        From the largest n downwards: of n - 1 inspections and one more, each is
        equally likely to be the last.
        """
        table = np.zeros((n_max + 1, x_max + 1))
        for n, row in self.rows_down(n_max, int(errors)):
            table[n, : len(row)] = row[: x_max + 1]
        return table

    def rows_down(
        self, n_max: int, errors: int, negligible: float = SMALLEST
    ) -> Iterator[tuple[int, Array]]:
        """(n, P(X_n = 0), P(X_n = 1), ...) for n = n_max, n_max - 1, ... 0.

        Rows end at x = n, or where what follows is below e^-negligible.
        """
        end = self.row_length(n_max, errors, negligible)
        row = self.row(n_max, errors, end)
        t = np.arange(end, dtype=float)
        for n in range(n_max, -1, -1):
            yield n, row
            if n:
                following = np.zeros(min(n, end))
                following[: len(row) - 1] = row[1:] * (t[1 : len(row)] / n)
                row = row[:n] * ((n - t[:n]) / n) + following

    def row(self, n: int, errors: Any, end: int | None = None) -> Array:
        """P(X_n = 0 .. end - 1), computed alike (see Law.row).

        The coefficients that `_exact` has as whole numbers, by the same rule.
        """
        end = self.row_length(n, errors) if end is None else end
        chance = self._lot.row(n, errors)
        first, last = self._lot.support(n, errors)
        yes, no = (float(rate) for rate in self.inspection.fractions)

        def times(row: Array, flag: float) -> Array:
            """row * (1 - flag + flag z)."""
            grown = row * (1 - flag)
            grown[1:] += row[:-1] * flag
            return grown

        total, others = np.zeros(end), np.zeros(end)
        total[0], others[0] = chance[last], 1.0
        for t in range(last - 1, -1, -1):
            total, others = times(total, yes), times(others, no)
            if t >= first:
                total += chance[t] * others
        for _ in range(n - last):
            total = times(total, no)
        return total

    def row_length(self, n_max: int, errors: int, negligible: float = SMALLEST) -> int:
        """The most entries that a row of rows_down has."""
        return int(_window(n_max, float(self.rate(errors)), negligible)[1]) + 1

    # Exact --------------------------------------------------------------------

    def exact_cdf(self, x: int, n: int, errors: Any) -> Fraction:
        row, total = self._exact_row(min(x, n), n, int(errors))
        return Fraction(sum(row), total)

    def exact_pmf(self, x: int, n: int, errors: Any) -> Fraction:
        if not 0 <= x <= n:
            return Fraction(0)
        row, total = self._exact_row(x, n, int(errors))
        return Fraction(row[x], total)

    def exact_sum(
        self, orders: Iterable[tuple[int, int, int]], errors: Any
    ) -> Fraction:
        """As for every law; all orders are continued to the last n.

        An order of x flags among n goes on to x or to x + 1 among n + 1. So one
        row of exact probabilities is enough.
        """
        at, carried = 0, [0]
        for n, x, ways in orders:
            while at < n:
                carried = [a + b for a, b in zip([*carried, 0], [0, *carried])]
                at += 1
            carried[x] += ways
        row, total = self._exact_row(at, at, int(errors))
        shares = (
            Fraction(w * v, comb(at, x)) for x, (w, v) in enumerate(zip(carried, row))
        )
        return sum(shares, Fraction(0)) / total

    def _exact(self, x_max: int, n: int, d: int) -> tuple[list[int], int]:
        """P(X_n = 0 .. x_max) as whole numbers, and what to divide them by.

        The coefficients of sum_t h(t) (1 - s + s z)^t (1 - w + w z)^(n - t), h the
        hypergeometric law of the errors t in the sample, by Horner's rule.
        """
        s, w = self.inspection.fractions
        scale = s.denominator * w.denominator // gcd(s.denominator, w.denominator)
        yes, no = int(s * scale), int(w * scale)

        def times(row: list[int], flag: int) -> list[int]:
            """row * (scale - flag + flag z), up to z^x_max."""
            clear = scale - flag
            grown = [clear * row[0]]
            grown += [clear * b + flag * a for a, b in pairwise(row)]
            if len(row) <= x_max:
                grown.append(flag * row[-1])
            return grown

        good = self.lot_size - d
        most, least = min(n, d), max(0, n - good)
        total = [0] if x_max < 0 else [comb(d, most) * comb(good, n - most)]
        others = [1]
        for t in range(most - 1, -1, -1):
            total, others = times(total, yes), times(others, no)
            ways = comb(d, t) * comb(good, n - t) if t >= least else 0
            for i, v in enumerate(others):
                total[i] += ways * v
        for _ in range(n - most):
            total = times(total, no)
        return total[: x_max + 1], comb(self.lot_size, n) * scale**n


def _window(n: Any, rate: Any, negligible: float) -> tuple[Array, Array]:
    """What a binomial (or hypergeometric) count lies in, but for e^-negligible / 2."""
    n, q = np.broadcast_arrays(np.asarray(n, float), np.asarray(rate, float))
    low, high = likely_shares(q, n, negligible + np.log(4))
    return (
        np.maximum(np.floor(n * low), 0).astype(np.int64),
        np.minimum(np.ceil(n * high), n).astype(np.int64),
    )


def law(
    lot_size: int | None, max_sample: int, inspection: Inspection | None = None
) -> Law:
    """The law for a lot or a process, for samples of up to max_sample.

    That of flags where there is an inspection; `errors` are then the true ones.
    """
    if inspection is None:
        return Binomial(max_sample) if lot_size is None else Hypergeometric(lot_size)
    if lot_size is None:
        return FlaggedProcess(max_sample, inspection)
    return FlaggedLot(lot_size, max_sample, inspection)
