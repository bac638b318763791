"""Intervals from a two-sided p-value: Blaker's, and the prior-assisted ones.

Order the outcomes of a sample by how well they agree with D errors in the lot
(with the rate p of a process). The p-value of x is the probability of agreeing
no better,

    p(x; D) = P_D(order(X) <= order(x)),

so that {D: p(x; D) > alpha} covers every D with probability 1 - alpha or more.
It may have gaps; the interval is its hull, from its smallest to its largest D.
The orders here rise in x up to a peak and then fall, and the peak moves up with
D. For D above x's own, the p-value is therefore P_D(X <= x) + P_D(X >= y), where
y, the first outcome beyond the peak that agrees no better than x, rises with D.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import gammaln, ndtri

from .._checks import Array
from ..laws.halving import largest
from ..laws.near import NEAR, exceed, settled
from .tail_limits import Tails, upper_limits, wilson

# Outcomes whose log weights differ by less than this (and than rounding may) agree
# equally well. Taking nearly equal ones for equal makes p larger, never too small.
TIE = 1e-8
ROUNDING = 2e-15

# Limits of a process are found to this relative precision.
PRECISION = 4e-16


class OrderedTest:
    """The p-value of x among n, for arrays of x, n and errors (D or p)."""

    def __init__(self, lot_size: int | None, alpha: Fraction) -> None:
        self.lot_size, self.alpha = lot_size, alpha
        self.tails = Tails(lot_size)
        self.law = self.tails.law

    def agrees_no_better(
        self, y: Array, x: Array, n: Array, errors: Array, below: Array
    ) -> Array:
        """order(y) <= order(x), for y > x at or below the peak; below = P(X <= x)."""
        raise NotImplementedError

    def likely_opposite(self, x: Array, n: Array, errors: Array) -> Array | None:
        """A guess of y, where each look costs much."""
        return None

    def start(self, x: Array, n: Array) -> tuple[Array, Array]:
        """Errors no larger than the answer, and errors no smaller."""
        raise NotImplementedError

    def mirror(self) -> OrderedTest:
        """The test with errors and correct annotations exchanged."""
        raise NotImplementedError

    def opposite(
        self,
        x: Array,
        n: Array,
        errors: Array,
        below: Array,
        low: Array,
        high: Array,
    ) -> Array:
        """The y of the module's text, known to lie in low .. high."""

        def better(rows: Array, y: Array) -> Array:
            return ~self.agrees_no_better(
                y, x[rows], n[rows], errors[rows], below[rows]
            )

        guess = self.likely_opposite(x, n, errors)
        first = () if guess is None else (guess - 2, guess + 1)
        return largest(better, low - 1, high, *first) + 1

    def kept(self, x: Array, n: Array, errors: Array, y: Array, below: Array) -> Array:
        """Whether p(x; errors) = below + P(X >= y) exceeds alpha."""
        p, law = below + self.tails.above(y, n, errors), self.law
        if law is None:
            return p > float(self.alpha)

        def exact(x: int, n: int, d: int, y: int) -> Fraction:
            return law.exact_cdf(x, n, d) + 1 - law.exact_cdf(y - 1, n, d)

        return exceed(p, self.alpha, exact, x, n, errors, y)

    def upper(self, x: Array, n: Array) -> Array:
        """The largest errors with p(x; errors) > alpha (their supremum).

        Between `inside`, where p > alpha, and `outside`, where and beyond which
        it is not, look at one point. Is p no larger than alpha there, then all
        from it to `outside` is out if y is the same at both (P(x < X < y) rises
        and then falls with the errors, so 1 less it is largest at an end), or if
        P(X <= x) at the one and P(X >= y) at the other make up no more than
        alpha. Else look nearer to `outside`.
        """
        inside, outside = self.start(x, n)
        below = self.tails.below(x, n, inside)
        y_in = self.opposite(x, n, inside, below, x + 1, n + 1)
        below = self.tails.below(x, n, outside)
        y_out = self.opposite(x, n, outside, below, y_in, n + 1)
        at_end = self.kept(x, n, outside, y_out, below)
        inside = np.where(at_end, outside, inside)
        probe = self.middle(inside, outside)
        rows = np.flatnonzero(self.apart(inside, outside))
        while len(rows):
            xr, nr, at, end = x[rows], n[rows], probe[rows], outside[rows]
            below = self.tails.below(xr, nr, at)
            y = self.opposite(xr, nr, at, below, y_in[rows], y_out[rows])
            kept = self.kept(xr, nr, at, y, below)
            out = ~kept & ((y == y_out[rows]) | ~self.apart(at, end))
            rest = np.flatnonzero(~kept & ~out)
            most = below[rest] + self.tails.above(y[rest], nr[rest], end[rest])
            out[rest] = most <= float(self.alpha) * (1 - NEAR)
            into, outto = rows[kept], rows[out]
            inside[into], y_in[into] = at[kept], y[kept]
            outside[outto], y_out[outto] = at[out], y[out]
            low = np.where(kept | out, inside[rows], at)
            probe[rows] = self.middle(low, outside[rows])
            rows = rows[self.apart(inside[rows], outside[rows])]
        return inside

    def apart(self, low: Array, high: Array) -> Array:
        """Whether something lies between."""
        if self.lot_size is not None:
            return high - low > 1
        return high - low > PRECISION * high

    def middle(self, low: Array, high: Array) -> Array:
        return (low + high) // 2 if self.lot_size is not None else (low + high) / 2


class BlakerTest(OrderedTest):
    """order(x) = min(P(X <= x), P(X >= x)): Blaker 2000.

    So p is the smaller tail plus the largest opposite tail not exceeding it.
    """

    def mirror(self) -> BlakerTest:
        return self

    def agrees_no_better(
        self, y: Array, x: Array, n: Array, errors: Array, below: Array
    ) -> Array:
        above = self.tails.above(y, n, errors)
        answer = above <= below
        law = self.law
        if law is not None:
            near = (np.abs(above - below) <= NEAR * below) & (below > 0)
            # Where the law is symmetric about errors / 2 or n / 2, ties are usual
            # and plain: P(X >= y) is P(X <= errors - y) or P(X <= n - y).
            size = law.lot_size
            possible = (y <= np.minimum(n, errors)) & (y >= n - (size - errors))
            for turned, whole in ((2 * n == size, errors), (2 * errors == size, n)):
                plain = near & turned & possible
                answer = np.where(plain, whole - y <= x, answer)
                near &= ~plain

            def exact(x: int, y: int, n: int, d: int) -> bool:
                return 1 - law.exact_cdf(y - 1, n, d) <= law.exact_cdf(x, n, d)

            answer = settled(answer, near, exact, x, y, n, errors)
        return answer

    def likely_opposite(self, x: Array, n: Array, errors: Array) -> Array:
        """As far above the mean as x is below, and a little for the skew."""
        share = errors / (self.lot_size or 1)
        drawn = 0.0 if self.lot_size is None else n / self.lot_size
        mean = n * share
        variance = np.maximum(mean * (1 - share) * (1 - drawn), 1e-9)
        z2 = np.minimum((mean - x) ** 2 / variance, 9.0)
        skew = (z2 - 1) / 3 * (1 - 2 * share) * (1 - 2 * drawn)
        return np.ceil(2 * mean - x + skew).astype(np.int64)

    def start(self, x: Array, n: Array) -> tuple[Array, Array]:
        """Around two one-sided limits: p is between the smaller tail and its double.

        In a lot nearly all are settled by errors near these limits.
        """
        inner = min(self.alpha, Fraction(1, 2))
        if self.lot_size is None:
            return (
                upper_limits(x, n, None, inner),
                upper_limits(x, n, None, self.alpha / 2),
            )
        inside = self._near(x, n, inner, -1)
        wrong = self.tails.below(x, n, inside) <= float(inner) * (1 + NEAR)
        outside = self._near(x, n, self.alpha / 2, 1)
        short = self.tails.below(x, n, outside) >= float(self.alpha) / 2 * (1 - NEAR)
        for errors, rows, tail in (
            (inside, np.flatnonzero(wrong), inner),
            (outside, np.flatnonzero(short), self.alpha / 2),
        ):
            errors[rows] = upper_limits(x[rows], n[rows], self.lot_size, tail)
        return inside, outside

    def _near(self, x: Array, n: Array, tail: Fraction, side: int) -> Array:
        """Errors a little below or above the one-sided limit, but possible ones."""
        assert self.lot_size is not None
        size, z = self.lot_size, -float(ndtri(float(tail)))
        errors = size * wilson(x, n, size, z) + side * (1 + size / n)
        return np.clip(errors.astype(np.int64), x, size - n + x)


class PriorTest(OrderedTest):
    """order(x) = P_D(X = x) / P(X = x), the latter under a prior for the errors.

    Accepting outcomes of the highest order leaves, of all sets that cover as
    much, those with the least probability under the prior: so the intervals are
    short where the prior expects the outcome (Pratt 1961). The prior for the
    rate is Beta(a, b); the outcomes are then beta-binomial.
    """

    def __init__(
        self, lot_size: int | None, alpha: Fraction, prior: tuple[float, float]
    ) -> None:
        super().__init__(lot_size, alpha)
        self.prior = prior

    def mirror(self) -> PriorTest:
        return PriorTest(self.lot_size, self.alpha, self.prior[::-1])

    def agrees_no_better(
        self, y: Array, x: Array, n: Array, errors: Array, below: Array
    ) -> Array:
        step = np.minimum(y, n)
        if self.law is not None:
            size, good = self.law.lot_size, n - step
            possible = (step <= errors) & (good <= size - errors)
            gain = self._chosen(n, errors, step, possible) - self._chosen(n, errors, x)
        else:
            possible = np.ones(x.shape, bool)
            with np.errstate(divide="ignore", invalid="ignore"):
                gain = (step - x) * (np.log(errors) - np.log1p(-errors))
        gain = gain + self._beta(x, n) - self._beta(step, n)
        rounding = ROUNDING * gammaln(sum(self.prior) + n + 2)
        return (y > n) | ~possible | (gain <= TIE + rounding)

    def _chosen(self, n: Array, d: Array, x: Array, possible: Any = True) -> Array:
        """log C(N - n, D - x), which is P_D(X = x) / C(n, x) up to a constant."""
        assert self.law is not None
        rest, wrong = self.law.lot_size - n, np.where(possible, d - x, 0)
        return self.law._factorials.total([rest], [wrong, rest - wrong])

    def _beta(self, x: Array, n: Array) -> Array:
        """log P(X = x) / C(n, x) under the prior, up to a constant."""
        a, b = self.prior
        return gammaln(a + x) + gammaln(b + n - x)

    def start(self, x: Array, n: Array) -> tuple[Array, Array]:
        """Where x is the peak, so that p = 1, and the largest errors possible.

        x agrees no worse than x + 1 for D at most, and no worse than x - 1 for D
        at least, x + (N - n + 1)(a + x)/(a + b + n - 1), x one less for the latter;
        the two are more than 1 apart. In a process, at odds of (a + x)/(b + n - 1
        - x).
        """
        a, b = self.prior
        if self.lot_size is None:
            p = np.where(x == n, 1.0, (a + x) / (a + b + n - 1.0))
            return np.minimum(p, 1.0), np.ones(x.shape)
        rest, total = self.lot_size - n, a + b + n - 1
        own = x + np.floor((rest + 1) * (a + x) / total).astype(np.int64)
        own = np.clip(own, x, x + rest)
        return own, x + rest
