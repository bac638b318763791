"""A sample for an estimate of the error rate: how many to inspect, what was found.

No verdict is asked for. So there are no quality levels and no risks, only an interval
of a half width.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .. import _checks
from .._digits import counted, in_percent
from ..intervals.sample_sizes import (
    SampleSize,
    any_outcome_size,
    interval_sample_size,
    widest,
)
from ..plans.plan import SamplingPlan
from ..plans.single import fixed_sample
from .batch import Audit, ends


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


def report(found: Audit, seed: int | None = None) -> str:
    """One paragraph for a data set's documentation, of an audit of Aim.plan."""
    size, most = found.plan.lot_size, found.plan.max_sample
    x = found.decision.errors_found
    what = "a process" if size is None else f"a lot of {size:,} annotations"
    drawn = "taken in the order of production"
    if seed is not None:
        drawn = f"drawn at random without replacement (seed {seed})"
    said = f"Of {what}, {most:,} were {drawn} to estimate the error rate."
    if found.left:
        return (
            f"{said} Found wrong so far: {x:,} of {most - found.left:,}."
            f" {found.left:,} are left. The interval belongs to the whole sample, so"
            " there is none yet."
        )
    return (
        f"{said} Found wrong: {x:,} ({counted(found.rate, x)}). With"
        f" {in_percent(found.confidence, 10)} confidence the error rate before any"
        f" correction is between {ends(found.interval, x, size)}, by the exact"
        " interval of Clopper and Pearson. This takes for granted that the"
        " inspection itself is right."
    )
