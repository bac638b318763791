"""Intervals for the error rate from flags, where the inspection makes mistakes.

In a process, those for the share of flags, cut to the shares that an error rate
can have: error and flag rates correspond one to one. In a lot, one-sided tests
of D errors by the law of flags, inverted.

A correct annotation that is not flagged is flagged as correct, so to speak: the
lower limits are the upper ones of an inspection with sensitivity and specificity
exchanged.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .._checks import Array
from ..laws.flags import FlaggedLot
from ..laws.halving import largest
from ..laws.inspection import Inspection
from ..laws.near import exceed
from .methods import Method, Samples

# Outcomes of one sample size: from so many on they share their work, up to TOGETHER.
MANY = 16
TOGETHER = 512


def mirrored(inspection: Inspection) -> Inspection:
    return Inspection(inspection.specificity, inspection.sensitivity)


class FlagsOfProcess(Method):
    """Any method for a process. Its errors, and limits, are shares of flags."""

    def __init__(self, method: Method, inspection: Inspection) -> None:
        self.lot_size, self.alpha = None, method.alpha
        self.inner, self.method = method.inner, method
        self.inspection = inspection
        right, wrong = inspection.fractions
        self.least, self.most = float(wrong), float(right)

    def mirror(self) -> FlagsOfProcess:
        return FlagsOfProcess(self.method.mirror(), mirrored(self.inspection))

    def limits(self, x: Array, n: Array) -> tuple[Array, Array]:
        low, high = self.method.limits(x, n)
        return np.clip(low, self.least, self.most), np.clip(high, self.least, self.most)

    def not_above(self, samples: Samples, errors: Array) -> Array:
        within = self.method.not_above(samples, errors) & (errors <= self.most)
        return within | (errors <= self.least)

    def beyond(self, fewest: Samples, most: Samples, errors: Array) -> Array:
        below = self.method.beyond(fewest, most, errors) & (errors > self.least)
        return below | (errors > self.most)


class FlagsOfLot(Method):
    """Clopper and Pearson's method, or mid-P, for a lot.

    The upper limit is the largest D that is not too many: P_D(X <= x), mid-P less
    half of P_D(X = x), exceeds half of alpha. Where every D is too many, since
    even correct annotations get more flags than this, it is 0.
    """

    def __init__(
        self, lot_size: int, alpha: Fraction, inspection: Inspection, mid_p: bool
    ) -> None:
        self.size, self.lot_size, self.alpha = lot_size, lot_size, alpha
        self.inner, self.mid_p, self.inspection = alpha / 2, mid_p, inspection
        self.flags = FlaggedLot(lot_size, lot_size, inspection)

    def mirror(self) -> FlagsOfLot:
        other = mirrored(self.inspection)
        return FlagsOfLot(self.size, self.alpha, other, self.mid_p)

    def centre(self, x: Array, n: Array) -> Array:
        return np.clip(self.inspection.error_rate(super().centre(x, n)), 0, 1)

    def limits(self, x: Array, n: Array) -> tuple[Array, Array]:
        low, high = self.size - self.mirror().largest(n - x, n), self.largest(x, n)
        # Mid-P with a confidence below 1/2 can leave nothing between the two.
        return np.minimum(low, high), np.maximum(low, high)

    def below(self, samples: Samples, errors: Array) -> Array:
        lower, _, point = self.flags.tails(samples.x, samples.n, errors)
        return lower - point / 2 if self.mid_p else lower

    def largest(self, x: Array, n: Array) -> Array:
        """The largest D that is not too many, by bisection from a guess."""
        found = np.zeros(x.shape, np.int64)
        if len(x) > MANY and (n == n[0]).all():
            # The same conditional probabilities serve every D.
            for i in range(0, len(x), TOGETHER):
                part = slice(i, i + TOGETHER)
                given = self.flags.given_errors(x[part], int(n[0]))
                found[part] = self._largest(x[part], n[part], given)
            return found
        return self._largest(x, n, None)

    def _largest(self, x: Array, n: Array, given: Array | None) -> Array:
        def exact(x: int, n: int, d: int) -> Fraction:
            half = self.flags.exact_pmf(x, n, d) / 2 if self.mid_p else 0
            return self.flags.exact_cdf(x, n, d) - half

        def not_too_many(rows: Array, d: Array) -> Array:
            if given is None:
                value = self.below(Samples(x[rows], n[rows] - x[rows]), d)
            else:
                value, point = self.flags.lower_tails(given[:, :, rows], int(n[0]), d)
                value = value - point / 2 if self.mid_p else value
            return exceed(value, self.inner, exact, x[rows], n[rows], d)

        guess = np.rint(self.size * self.centre(x, n)).astype(np.int64)
        step = 1 + self.size // 64
        low, high = np.full(x.shape, -1), np.full(x.shape, self.size + 1)
        found = largest(not_too_many, low, high, guess, guess + step, guess - step)
        return np.maximum(found, 0)
