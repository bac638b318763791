"""Optimal stopping at given prices of the two errors, by backward induction.

Let a plan pay one for each inspection, weighed over numbers of errors D by w_D, a
price a for rejecting at D_a and a price r for accepting at D_r. With h_D(n, x) =
P(X_n = x | D), h_w = sum w_D h_D and the shares k of evaluation.py, the least total
cost is V(0, 0) in

    V(n, x) = min{ a h_Da(n, x)                                        reject,
                   r h_Dr(n, x)                                        accept,
                   h_w(n, x) + (n + 1 - x)/(n + 1) V(n + 1, x)
                             + (x + 1)/(n + 1) V(n + 1, x + 1) }       go on.

The last two weights carry shares of orders from n to n + 1. They are the same for
all D, so that one induction serves the plan's cost and both of its risks.

The induction may begin before the last inspection allowed. Whoever arrives there
may stop or pay for at least one inspection more, so that

    V(n, x) >= min{ a h_Da(n, x), r h_Dr(n, x), h_w(n, x) }.

With this minimum in the place of V, what comes out is at most V(0, 0): still less
than any longer plan costs. `forgiven` says by how much at most.

Only sums, products and quotients of doubles are used, one after the other: every
processor rounds them alike, so that it finds the same plan.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._checks import Array

# Relative room for rounding in what is said to be a bound.
ROUNDING = 1e-10


@dataclass(frozen=True)
class Prices:
    """Several sets of prices and weights at once.

    Attributes
    ----------
    reject, accept : shape (sets,), of a wrong rejection and a wrong acceptance
    weights : shape (sets, points), w_D
    """

    reject: Array
    accept: Array
    weights: Array


@dataclass(frozen=True)
class Solutions:
    """The best plan for each set of prices.

    Attributes
    ----------
    value : shape (sets,), at most the total cost of any plan
    forgiven : shape (sets,)
        What the plan's forced verdicts at the end cost more than one inspection
        each would; 0 unless longer plans are allowed.
    asn : shape (sets, points), of the best plan
    producers_risk, consumers_risk : shape (sets,), of the best plan
    accept, reject : its limits, shape (sets, max_sample + 1)
    """

    value: Array
    forgiven: Array
    asn: Array
    producers_risk: Array
    consumers_risk: Array
    accept: Array
    reject: Array


@dataclass(frozen=True)
class StoppingProblem:
    """What the induction needs to know of the law and of the plans allowed.

    Attributes
    ----------
    good, bad : h_Da and h_Dr, shape (max_sample + 1, width)
        Columns are x = 0 .. width - 1; whoever arrives at the last is rejected.
    counted : shape (points, max_sample + 1, width)
        h_D for each D at which inspections are counted.
    beyond : float
        P(X >= width - 1) at D_a after max_sample. Rejecting all of these may cost
        so much more than the best plan would, times the price.
    middle : float
        A rate between the levels': where a sample is impossible at both levels, it
        says on which side it lies.
    longer : bool
        Whether plans may inspect more than max_sample, which here is but the n at
        which the induction begins.
    """

    good: Array
    bad: Array
    counted: Array
    beyond: float
    middle: float
    longer: bool = False

    @property
    def max_sample(self) -> int:
        return len(self.good) - 1

    def solve(self, prices: Prices, limits: bool = True) -> Solutions:
        """The best plan for each set of prices, all in one pass.

        Without `limits` its accept and reject are left empty, which is faster.
        """
        last, width = self.max_sample, self.good.shape[1]
        sets, points = prices.weights.shape
        shape = (sets, last + 1 if limits else 0)
        accept, reject = np.empty(shape, np.int64), np.empty(shape, np.int64)
        n_all, x = np.arange(last + 1)[:, None], np.arange(width)
        # Where no sample can arrive at either level, and at the last column.
        certain = (self.good == 0) & (self.bad == 0) & (x > n_all * self.middle)
        certain[:, -1] = True
        dear, cheap = prices.reject[:, None], prices.accept[:, None]
        weights = prices.weights.T[:, :, None]
        # Cost, producer's and consumer's risk and, where the cost does not tell
        # them, the numbers of inspections, all from here on. At the end of the
        # parts, where longer plans are allowed, what is forgiven.
        counts = slice(3, 3 + (points if points > 1 else 0))
        parts = counts.stop + int(self.longer)
        stopping = np.zeros((parts, sets, width))
        stop = np.ones((sets, width), bool)
        ahead = stopping
        for n in range(last, -1, -1):
            rejecting, accepting = dear * self.good[n], cheap * self.bad[n]
            to_reject = (rejecting < accepting) | certain[n]
            stopping = np.zeros((parts, sets, width))
            stopping[0] = np.where(to_reject, rejecting, accepting)
            stopping[1] = to_reject * self.good[n]
            stopping[2] = ~to_reject * self.bad[n]
            if n < last:
                going = carried(n, ahead)
                for weight, counted in zip(weights, self.counted[:, n, :-1]):
                    going[0] += weight * counted
                if points > 1:
                    going[counts] += self.counted[:, n, None, :-1]
                stop[:, :-1] = stopping[0, :, :-1] <= going[0]
                np.copyto(stopping[:, :, :-1], going, where=~stop[:, :-1])
            elif self.longer:
                on = sum(part * each for part, each in zip(weights, self.counted[:, n]))
                stopping[-1] = np.maximum(stopping[0] - on, 0.0)
                stopping[-1, :, -1] = 0.0
                stopping[0] -= stopping[-1]
            ahead = stopping
            if limits:  # the run of acceptances from x = 0, of rejections from the end
                accept[:, n] = _run(stop & ~to_reject) - 1
                reject[:, n] = width - _run((stop & to_reject)[:, ::-1])
        value, good, bad = ahead[:3, :, 0]
        paid = prices.reject * good + prices.accept * bad
        forgiven = ahead[-1, :, 0] if self.longer else np.zeros(sets)
        asn = (value + forgiven - paid)[:, None]
        if points > 1:
            asn = ahead[counts, :, 0].T.copy()
        slack = prices.reject * self.beyond + ROUNDING * value
        return Solutions(value - slack, forgiven, asn, good, bad, accept, reject)


def carried(n: int, ahead: Array) -> Array:
    """To n what is `ahead` at n + 1, x along the last axis; the last x is lost."""
    move = np.arange(1, ahead.shape[-1]) / (n + 1)
    stay = 1 + 1 / (n + 1) - move
    return stay * ahead[..., :-1] + move * ahead[..., 1:]


def _run(flags: Array) -> Array:
    """How many entries of each row are True before the first that is not."""
    return np.logical_and.accumulate(flags, axis=1).sum(axis=1)
