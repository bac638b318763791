"""A sample of what a judge calls wrong and one of the rest, for an estimate.

A judge is a model, a rule or a crowd. How good it is is not known beforehand, and need
not be: the interval is exact with any, and shorter with a good one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import nan

from .._digits import counted
from ..intervals.stratified import MOST_CHECKED, stratified_interval
from .batch import Audit, ends
from .saying import say

Pair = tuple[int, int]


@dataclass(frozen=True)
class Strata:
    """What the judge calls wrong, then the rest: items in the lot and in the sample.

    Examples
    --------
    >>> strata = Strata.of("label=rude", 120, 1000, 200)
    >>> strata.records()[0]
    {'judge': 'wrong', 'lot_size': 120, 'sample_size': 62}
    >>> round(strata.rate((31, 2)), 4), strata.interval((31, 2), 0.95)
    (0.0728, (0.057, 0.1))
    """

    judge: str
    lot_sizes: Pair
    sample_sizes: Pair

    @classmethod
    def of(cls, judge: str, suspects: int, lot_size: int, n: int) -> Strata:
        """n items dealt to both: half by their share of the lot, half to each alike."""
        if n > MOST_CHECKED:
            raise ValueError(say("too_many_checked", n=n, most=MOST_CHECKED))
        share = (Fraction(suspects, lot_size) + Fraction(1, 2)) / 2
        called = min(max(round(n * share), n - (lot_size - suspects)), suspects)
        return cls(judge, (suspects, lot_size - suspects), (called, n - called))

    def records(self) -> list[dict[str, str | int]]:
        """For JSON."""
        parts = zip(("wrong", "right"), self.lot_sizes, self.sample_sizes)
        return [{"judge": j, "lot_size": m, "sample_size": n} for j, m, n in parts]

    def rate(self, errors: Pair, checked: Pair | None = None) -> float:
        """sum N_h x_h / n_h / N, of those checked so far; NaN where there are none."""
        total = 0.0
        for x, n, size in zip(errors, checked or self.sample_sizes, self.lot_sizes):
            if size:
                total += size * x / n if n else nan
        return total / sum(self.lot_sizes)

    def interval(self, errors: Pair, confidence: float) -> tuple[float, float]:
        found = errors, self.sample_sizes, self.lot_sizes
        return stratified_interval(*found, confidence=confidence)

    def expected(self, rate: float, confidence: float) -> float:
        """Half the interval's width where the judge calls nine of ten errors wrong."""
        wrong = rate * sum(self.lot_sizes)
        first = min(0.9 * wrong, self.lot_sizes[0])
        sizes = zip(self.sample_sizes, self.lot_sizes, (first, wrong - first))
        x, y = (round(n * min(d / size, 1)) for n, size, d in sizes)
        low, high = self.interval((x, y), confidence)
        return (high - low) / 2

    def sentences(self, rate: float | None, confidence: float) -> str:
        """For people, after those of the sample without a judge."""
        if rate is None:
            rate = self.lot_sizes[0] / sum(self.lot_sizes)
        half = self.expected(rate, confidence)
        return say("with_judge", of=self, half=half, rate=rate)

    def report(self, found: Audit, errors: Pair, seed: int | None) -> str:
        """One paragraph for a data set's documentation."""
        size, total = sum(self.lot_sizes), sum(errors)
        share = counted(self.rate(errors), total)
        where, level = ends(found.interval, total, size), found.confidence
        told = {"seed": seed, "where": where, "level": level, "share": share}
        return say("of_strata", of=self, size=size, x=errors, **told)
