"""The errors in a first sample and in both samples of a double plan.

X1 is the number of errors in the first n1 outcomes, T in all n1 + n2. The
outcomes are exchangeable, so that given T the errors are in any order alike:

    P(X1 = i, T = t) = P(T = t) C(n1, i) C(n2, t - i) / C(n1 + n2, t),

whatever the law of T. Probabilities of verdicts are sums of such terms, taken
for many plans at a time: every argument is an array, one entry a plan.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .._checks import Array
from ..laws.errors import Binomial
from ..laws.near import NEAR
from .task import Task

# Totals that have less than this share of alpha at D_a are left out of sums.
NOTHING = 1e-4 * NEAR


class TwoSamples:
    """Probabilities of a first sample and of both at D_a and D_r.

    For samples of up to `size`; the law of a process is made anew where larger
    ones are needed.
    """

    def __init__(self, task: Task, size: int) -> None:
        self.task, self.d_a, self.d_r = task, task.d_a, task.d_r
        self.nothing = NOTHING * task.levels.alpha
        self.ends: dict[int, int] = {}
        self._make(size)

    def _make(self, size: int) -> None:
        self.law = self.task.law(size)
        self.size = self.law.lot_size or size
        self.orders = Binomial(self.size)

    def below(self, n1: Array, c1: Array) -> Array:
        """P(X1 <= c1) at D_r: accepted after the first sample."""
        some = self.law.tails(np.maximum(c1, 0), n1, self.d_r)[0]
        return np.where(c1 < 0, 0.0, some)

    def beyond(self, n1: Array, r1: Array) -> Array:
        """P(X1 >= r1) at D_a: rejected after the first sample."""
        some = self.law.tails(np.minimum(r1, n1), n1, self.d_a)[1]
        return np.where(r1 > n1, 0.0, some)

    def end(self, n: int) -> int:
        """A number of errors that nothing reaches in a sample of n at D_a."""
        n = min(-(-n // 64) * 64, self.size)
        if n not in self.ends:
            end = 1
            while end <= n and self.law.tails(end, n, self.d_a)[1] > self.nothing:
                end = min(end + 8 + end // 4, n + 1)
            self.ends[n] = end
        return self.ends[n]

    def totals(
        self, errors: float, n1: Array, c1: Array, r1: Array | None, n2: Array
    ) -> Array:
        """P(c1 < X1 < r1, T = t) for t = c1 + 1, c1 + 2, ...; r1 None is no limit.

        The quotient above is b(i; n1) b(t - i; n2) / b(t; n1 + n2) with binomial
        probabilities of any rate; with the law's own rate nothing underflows
        that matters.
        """
        largest = int((n1 + n2).max())
        if largest > self.size:
            self._make(2 * largest)
        columns = max(self.end(largest) - int(c1.min()), 1)
        width = columns if r1 is None else int((r1 - c1).max()) - 1
        columns = max(columns, width)
        rate = min(max(self.law.rate(errors), 0.5 / self.size), 1 - 0.5 / self.size)
        n1, c1, n2 = n1[:, None], c1[:, None], n2[:, None]
        i, j = c1 + 1 + np.arange(width), np.arange(columns)
        first = self.orders.pmf(i, n1, rate)
        if r1 is not None:
            first[i >= r1[:, None]] = 0
        second = np.pad(self.orders.pmf(j, n2, rate), ((0, 0), (width - 1, 0)))
        windows = sliding_window_view(second, width, axis=1)[:, :, ::-1]
        both = np.einsum("bi,bti->bt", first, windows)
        whole = self.orders.pmf(c1 + 1 + j, n1 + n2, rate)
        share = np.divide(both, whole, out=np.zeros_like(both), where=whole > 0)
        return share * self.law.pmf(c1 + 1 + j, n1 + n2, errors)

    def rejected(self, n1: Array, c1: Array, r1: Array, n2: Array) -> Array:
        """P(reject) at D_a for c2 = c1 + 1, c1 + 2, ..."""
        at_a = self.totals(self.d_a, n1, c1, r1, n2)
        return self.beyond(n1, r1)[:, None] + from_the_end(at_a, 1)[:, 1:]

    def accepted(self, n1: Array, c1: Array, r1: Array | None, n2: Array) -> Array:
        """P(accept) at D_r for c2 = c1 + 1, c1 + 2, ..."""
        at_r = self.totals(self.d_r, n1, c1, r1, n2)
        return self.below(n1, c1)[:, None] + np.cumsum(at_r, axis=1)

    def least_rejected(
        self, n1: Array, c1: Array, n2: Array, below: Array, beta: float
    ) -> Array:
        """The least P(reject) at D_a with P(accept) <= beta at D_r.

        Of all tests that accept where X1 <= c1, with probability `below` at
        D_r, and elsewhere decide as they like, by a toss if need be. The ratio
        of the likelihoods at D_r and D_a depends on T alone and grows with it:
        the best test accepts the totals that beta has room for, from the
        smallest, and tosses at the next for the rest of beta (Neyman and
        Pearson).
        """
        at_a = np.pad(self.totals(self.d_a, n1, c1, None, n2), ((0, 0), (0, 1)))
        at_r = np.pad(self.totals(self.d_r, n1, c1, None, n2), ((0, 0), (0, 1)))
        row = np.arange(len(n1))
        accepted = np.column_stack([below, below[:, None] + np.cumsum(at_r, axis=1)])
        room = (accepted[:, :-1] <= beta).sum(axis=1)  # totals, and none at first
        k = np.maximum(room - 1, 0)
        rest, point = np.maximum(beta - accepted[row, k], 0), at_r[row, k]
        toss = np.divide(rest, point, out=np.ones(len(row)), where=point > rest)
        return from_the_end(at_a, 1)[row, k + 1] + (1 - toss) * at_a[row, k]


def from_the_end(values: Array, zeros: int) -> Array:
    """Sums from each column to the last, then columns of zeros."""
    return np.pad(values[:, ::-1].cumsum(axis=1)[:, ::-1], ((0, 0), (0, zeros)))
