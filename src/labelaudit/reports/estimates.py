"""A sample for an estimate of the error rate: how many to inspect, what was found.

No verdict is asked for. So there are no quality levels and no risks, only an interval
of a half width.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .. import _checks
from .._digits import counted
from ..intervals.sample_sizes import (
    SampleSize,
    any_outcome_size,
    interval_sample_size,
    widest,
)
from ..plans.plan import SamplingPlan
from ..plans.single import fixed_sample
from .batch import Audit, ends
from .saying import say


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
        n, rate = self.size.stable, self.rate
        where = "a process" if self.lot_size is None else f"a lot of {self.lot_size:,}"
        asked = say("sample", n=n, where=where, aim=self)
        if rate is None:
            return asked + say("whatever_found")
        return asked + say("at_rate", rate=rate, found=round(rate * n), n=n, aim=self)


def report(found: Audit, seed: int | None = None) -> str:
    """One paragraph for a data set's documentation, of an audit of Aim.plan."""
    size, most = found.plan.lot_size, found.plan.max_sample
    x, left = found.decision.errors_found, found.left
    what = say("a_process" if size is None else "a_lot", size=size)
    drawn = say("taken" if seed is None else "drawn_at_random", seed=seed)
    said = say("to_estimate", what=what, most=most, drawn=drawn)
    if left:
        return f"{said} {say('so_far', x=x, n=most - left, left=left)}"
    where = ends(found.interval, x, size)
    rate, level = counted(found.rate, x), found.confidence
    told = say("estimated", x=x, rate=rate, level=level, where=where)
    return f"{said} {told}"
