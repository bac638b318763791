"""A sample for an estimate of the error rate: how many to inspect, what was found.

No verdict is asked for. So there are no quality levels and no risks, only an interval
of a half width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan

from .. import _checks
from .._digits import between, counted, in_percent
from ..intervals.sample_sizes import (
    SampleSize,
    any_outcome_size,
    interval_sample_size,
    widest,
)
from ..plans.plan import SamplingPlan
from ..plans.single import fixed_sample
from .batch import ends


@dataclass(frozen=True)
class Aim:
    """What an estimate shall be good for.

    Parameters
    ----------
    half_width : float in (0, 0.5)
        Of the interval: (high - low) / 2.
    rate : float in [0, 1], optional
        The error rate that is expected; by default all are provided for.
    lot_size : int, optional
        None is a process.
    confidence : float in (0, 1)

    Raises
    ------
    ValueError
        For a value out of range, or a size that interval_sample_size refuses.

    Examples
    --------
    >>> aim = Aim(0.02, 0.05, lot_size=1000)
    >>> aim.size
    SampleSize(first=328, stable=334)
    >>> round(aim.widest, 4)
    0.045
    """

    half_width: float
    rate: float | None = None
    lot_size: int | None = None
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.half_width < 0.5:
            accepted = "above 0 and below 0.5"
            raise _checks.refuse("half_width", self.half_width, accepted)

    @cached_property
    def size(self) -> SampleSize:
        """How many to inspect: stable at the rate, or for whatever is found."""
        size, level = self.lot_size, self.confidence
        if self.rate is None:
            n = any_outcome_size(self.half_width, size, confidence=level)
            return SampleSize(n, n)
        return interval_sample_size(self.rate, self.half_width, size, confidence=level)

    @property
    def plan(self) -> SamplingPlan:
        """The sample as a plan that stops at its end."""
        return fixed_sample(self.size.stable, self.lot_size)

    @cached_property
    def widest(self) -> float:
        """The largest half width that an outcome of this sample can give."""
        return widest(self.size.stable, self.lot_size, self.confidence)

    def sentences(self) -> str:
        """For people."""
        n, where = self.size.stable, "a process"
        if self.lot_size is not None:
            where = f"a lot of {self.lot_size:,}"
        width = f"{in_percent(self.confidence, 10)} interval of half width"
        asked = f"{in_percent(self.half_width)} or less"
        lines = [f"Sample of {n:,} annotations from {where}, for an estimate"]
        if self.rate is None:
            lines.append(f"  {width} {asked}, whatever is found")
        else:
            found = round(self.rate * n)
            lines += [
                f"  {width} {asked} where {in_percent(self.rate)} are found wrong"
                f" ({found:,} of {n:,})",
                f"  at another rate it can be longer: up to {in_percent(self.widest)}",
            ]
        return "\n".join(lines)


@dataclass(frozen=True)
class Estimate:
    """A sample for an estimate with the outcomes so far.

    Examples
    --------
    >>> found = Estimate(fixed_sample(4, 9), [True, False, False, False], 0.95)
    >>> found.verdict, found.interval
    ('estimate', (0.1111111111111111, 0.6666666666666666))
    """

    plan: SamplingPlan
    outcomes: Sequence[bool]
    confidence: float

    @property
    def errors_found(self) -> int:
        return sum(self.outcomes)

    @property
    def inspected(self) -> int:
        return len(self.outcomes)

    @property
    def left(self) -> int:
        return self.plan.max_sample - self.inspected

    @property
    def verdict(self) -> str:
        """ "estimate" where all were inspected, else "continue"."""
        return "continue" if self.left else "estimate"

    @property
    def rate(self) -> float:
        return self.errors_found / self.inspected if self.inspected else nan

    @property
    def interval(self) -> tuple[float, float]:
        """NaN before the end, since the sample's size was chosen before."""
        if self.left:
            return nan, nan
        return self.plan.interval(self.inspected, self.errors_found, self.confidence)

    def line(self) -> str:
        """What was found in one line, for people."""
        x = self.errors_found
        said = f"{self.verdict.upper()}: {x:,} wrong of {self.inspected:,} inspected"
        if self.left:
            return f"{said}; {self.left:,} are left"
        low, high = between(*self.interval, x)
        level = in_percent(self.confidence, 10)
        return f"{said}; error rate {low} to {high}, {level} confidence"

    def report(self, seed: int | None = None) -> str:
        """One paragraph for a data set's documentation."""
        size, n, x = self.plan.lot_size, self.inspected, self.errors_found
        most = self.plan.max_sample
        what = "a process" if size is None else f"a lot of {size:,} annotations"
        drawn = "taken in the order of production"
        if seed is not None:
            drawn = f"drawn at random without replacement (seed {seed})"
        said = f"Of {what}, {most:,} were {drawn} to estimate the error rate."
        if self.left:
            said += (
                f" Found wrong so far: {x:,} of {n:,}. {self.left:,} are left. The"
                " interval belongs to the whole sample, so there is none yet."
            )
            return said
        return (
            f"{said} Found wrong: {x:,} ({counted(self.rate, x)}). With"
            f" {in_percent(self.confidence, 10)} confidence the error rate before any"
            f" correction is between {ends(self.interval, x, size)}, by the exact"
            " interval of Clopper and Pearson. This takes for granted that the"
            " inspection itself is right."
        )
