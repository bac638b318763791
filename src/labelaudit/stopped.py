"""The interval that is valid after a plan has stopped.

A plan's stopping points are ordered by their share of errors x/n, points with
the same share together (Jennison and Turnbull 1983). The upper limit is the
largest D with P_D(a share no larger than the observed) > alpha/2, the lower limit
the smallest with P_D(a share no smaller) > alpha/2. Neither probability need be
monotone in D for every plan, so all D are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, pi, sqrt

import numpy as np

from . import _checks
from .evaluation import StopPoints, first_stop, reachable
from .laws import NEAR, Array, Law

# Numbers of errors are looked at so many at a time, from the outside inwards.
CHUNK = 2048

# A limit of a process is found to this relative precision.
PRECISION = 1e-13

Probability = Callable[[StopPoints, Array], Array]


def check_stop(accept: Array, reject: Array, n: int, x: int) -> None:
    """ValueError unless the plan can stop after n inspections with x errors."""
    low, high = reachable(accept, reject)
    end = len(low)
    accepted, rejected = np.minimum(high, accept[:end]), np.maximum(low, reject[:end])
    if n < end and (low[n] <= x <= accepted[n] or rejected[n] <= x <= high[n]):
        return
    stops = np.flatnonzero((low <= accepted) | (rejected <= high)).tolist()
    if n in stops:
        ranges = ((int(low[n]), int(accepted[n])), (int(rejected[n]), int(high[n])))
        counts = [
            f"{first}" if first == last else f"{first} to {last}"
            for first, last in ranges
            if first <= last
        ]
        possible = f"after {n} inspections with {' or '.join(counts)} errors"
    else:
        possible = f"not after {n} inspections, but after "
        if len(stops) <= 3:
            possible += " or ".join(map(str, stops))
        else:
            possible += f"{len(stops)} numbers of them from {stops[0]} to {stops[-1]}"
    raise _checks.refuse(
        "(inspected, errors_found)",
        (n, x),
        f"a point where this plan can stop: {possible}",
    )


@dataclass(frozen=True)
class Stopped:
    """A plan that stopped after n inspections with x errors.

    `probability` gives P(stop at any of these points) for an array of errors.
    """

    accept: Array
    reject: Array
    points: StopPoints
    law: Law
    probability: Probability
    n: int
    x: int

    def interval(self, alpha: Fraction) -> tuple[float, float]:
        """Both limits on the scale of errors: counts, or rates of a process."""
        lower, upper = self._side(-1), self._side(1)
        if self.law.lot_size is None:
            ends = (
                lower.edge(0.0, pi / 2, alpha / 2),
                upper.edge(pi / 2, 0.0, alpha / 2),
            )
        else:
            up = np.arange(self.law.lot_size + 1)
            ends = lower.first(up, alpha / 2), upper.first(up[::-1], alpha / 2)
        return min(ends), max(ends)  # in the oddest regions the two cross

    def _side(self, sign: int) -> _Side:
        """Shares no larger (1) or no smaller (-1) than the observed one."""

        def chosen(n: Array, x: Array) -> Array:
            return sign * x * self.n <= sign * self.x * n

        return _Side(
            self, self.points.only(chosen(self.points.n, self.points.x)), chosen
        )


@dataclass(frozen=True)
class _Side:
    """The stopping points to one side of the observed one, itself included."""

    stopped: Stopped
    points: StopPoints
    chosen: Callable[..., Array]

    def first(self, errors: Array, tail: Fraction) -> int:
        """The first of the errors, in this order, with a probability above `tail`.

        The last where none has: with imperfect inspection an outcome can be
        unlikely under every D.
        """
        limit = float(tail)
        for i in range(0, len(errors), CHUNK):
            some = errors[i : i + CHUNK]
            p = self.stopped.probability(self.points, some)
            above = p > limit
            for j in np.flatnonzero(np.abs(p - limit) <= NEAR * limit):
                above[j] = self.exact(int(some[j])) > tail
            if above.any():
                return int(some[np.argmax(above)])
        return int(errors[-1])

    def exact(self, errors: int) -> Fraction:
        """The probability as a fraction, from whole numbers of orders."""
        accept, reject = self.stopped.accept, self.stopped.reject

        def orders() -> Iterator[tuple[int, int, int]]:
            n = first_stop(accept, reject)
            live = {x: comb(n, x) for x in range(n + 1)}
            while live:
                going = {}
                for x, ways in live.items():
                    if accept[n] < x < reject[n]:
                        going[x] = ways
                    elif self.chosen(n, x):
                        yield n, x, ways
                n, live = n + 1, {}
                for x, ways in going.items():
                    live[x] = live.get(x, 0) + ways
                    live[x + 1] = live.get(x + 1, 0) + ways

        return self.stopped.law.exact_sum(orders(), errors)

    def edge(self, start: float, stop: float, tail: Fraction) -> float:
        """The rate nearest to `start` with a probability above `tail` (else `stop`).

        Rates are angles t with p = sin^2 t here. The outcomes of a plan carry a
        Fisher information on t of four times the average sample number at most,
        so arcsin sqrt P changes by no more than sqrt(max_sample) for each unit of
        t (Cauchy and Schwarz). Cells that this bound does not exclude are
        divided, the nearest to `start` first.
        """
        steepest = sqrt(int(self.stopped.points.n.max()))
        target = np.arcsin(sqrt(tail))

        def height(t: Array) -> Array:
            rate = np.clip(np.sin(t) ** 2, 0.0, 1.0)
            return np.arcsin(np.sqrt(self.stopped.probability(self.points, rate)))

        t = np.array([start, stop])
        cells = [(*t, *height(t))]
        while cells:
            begin, end, at_begin, at_end = cells.pop()
            width = abs(end - begin)
            if at_begin > target or width <= PRECISION * max(begin, end):
                return float(np.sin(begin) ** 2)
            t = np.linspace(begin, end, 65)
            h = np.concatenate([[at_begin], height(t[1:-1]), [at_end]])
            open_ = np.flatnonzero(h[:-1] + h[1:] + steepest * width / 64 > 2 * target)
            cells += [(t[i], t[i + 1], h[i], h[i + 1]) for i in open_[::-1]]
        return float(np.sin(stop) ** 2)
