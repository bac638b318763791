"""A sample for an estimate of the error rate: how many to inspect, what was found.

No verdict is asked for. So there are no quality levels and no risks, only an interval
of a half width. With a judge (a model, a rule or a crowd) there are two samples, of
what it calls wrong and of the rest. How good it is is not known beforehand, and need
not be: the interval is exact with any, and shorter with a good one.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import nan
from typing import Any, ClassVar, Self

import numpy as np

from .. import _checks
from .._checks import Array
from ..intervals import sample_sizes
from ..intervals.sample_sizes import SampleSize
from ..intervals.stratified import MOST_CHECKED, stratified_interval
from ..plans.plan import SamplingPlan
from ..plans.single import fixed_sample
from .batch import Audit
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
    >>> round(strata.rate((31, 2), (62, 138)), 4), strata.interval((31, 2), 0.95)
    (0.0728, (0.057, 0.1))
    """

    judge: str
    lot_sizes: Pair
    sample_sizes: Pair

    @classmethod
    def of(cls, judge: str, suspects: int, lot_size: int, n: int) -> Self:
        """n items: half of them are dealt to both by their share of the lot, half to
        each alike."""
        if n > MOST_CHECKED:
            raise ValueError(say("too_many_checked", n=n, most=MOST_CHECKED))
        rest = lot_size - suspects
        share = (Fraction(suspects, lot_size) + Fraction(1, 2)) / 2
        drawn = min(max(round(n * share), n - rest), suspects)
        return cls(judge, (suspects, rest), (drawn, n - drawn))

    def records(self) -> list[dict[str, str | int]]:
        """For JSON."""
        parts = zip(("wrong", "right"), self.lot_sizes, self.sample_sizes)
        return [{"judge": j, "lot_size": m, "sample_size": n} for j, m, n in parts]

    def rate(self, errors: Pair, checked: Pair) -> float:
        """sum N_h x_h / n_h / N, of those checked so far; NaN where there are none."""
        parts = zip(errors, checked, self.lot_sizes)
        found = (size * x / n if n else nan for x, n, size in parts if size)
        return sum(found) / sum(self.lot_sizes)

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


def pair(chosen: Array, called: Array) -> Pair:
    """How many of the chosen steps the judge calls wrong, and how many not."""
    return int((chosen & called).sum()), int((chosen & ~called).sum())


@dataclass(frozen=True)
class Aim:
    """What an estimate shall be good for, and the sample that is.

    Parameters
    ----------
    half_width : float in (0, 0.5)
        Of the interval: (high - low) / 2.
    rate : float in [0, 1], optional
        The error rate that is expected; by default all are provided for.
    lot_size : int, optional
        None is a process.
    confidence : float in (0, 1)
    strata : Strata, optional
        Of the sample, with a judge.

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
    strata: Strata | None = None
    kind: ClassVar[str] = "interval"  # of its sheet

    def __post_init__(self) -> None:
        if not 0 < self.half_width < 0.5:
            raise _checks.refuse("half_width", self.half_width, "above 0 and below 0.5")

    @cached_property
    def size(self) -> SampleSize:
        """How many to inspect: stable at the rate, or for whatever is found."""
        size, level = self.lot_size, self.confidence
        if self.rate is None:
            n = sample_sizes.any_outcome_size(self.half_width, size, confidence=level)
            return SampleSize(n, n)
        what = self.rate, self.half_width, size
        return sample_sizes.interval_sample_size(*what, confidence=level)

    @property
    def plan(self) -> SamplingPlan:
        """The sample as a plan that stops at its end."""
        return fixed_sample(self.size.stable, self.lot_size)

    @cached_property
    def widest(self) -> float:
        """The largest half width that an outcome of this sample can give."""
        return sample_sizes.widest(self.size.stable, self.lot_size, self.confidence)

    @cached_property
    def found(self) -> dict[str, Any]:
        """For JSON."""
        found: dict[str, Any] = {"kind": self.kind, "lot_size": self.lot_size}
        found |= {"max_sample": self.size.stable, "sample_size": asdict(self.size)}
        if self.strata is not None:
            found["strata"] = self.strata.records()
        asked = ("half_width", "rate", "confidence")
        return found | {name: getattr(self, name) for name in asked}

    def sentences(self) -> str:
        """For people."""
        n, rate, half = self.size.stable, self.rate, None
        if self.strata is not None:
            suspects, rest = self.strata.lot_sizes
            rate = suspects / (suspects + rest) if rate is None else rate
            half = self.strata.expected(rate, self.confidence)
        found = round((rate or 0) * n)
        return say("sample", aim=self, n=n, rate=rate, half=half, found=found)


@dataclass(frozen=True, kw_only=True)
class Estimate(Audit):
    """An audit of the sample of an aim; once all is there its verdict is "estimate".

    errors, checked : of what a judge calls wrong, and of the rest, up to now
    """

    aim: Aim
    errors: Pair
    checked: Pair
    paragraph: ClassVar[str] = "estimate"

    @property
    def rate(self) -> float:
        """The share found wrong; of strata, weighted by their sizes in the lot."""
        strata = self.aim.strata
        return strata.rate(self.errors, self.checked) if strata else super().rate


def estimate(
    aim: Aim, done: Audit, outcomes: Sequence[bool], called: Array | None = None
) -> Estimate:
    """What the outcomes of a sample say so far.

    done : the audit of them
    called : which of the sample's steps have items that the judge calls wrong
    """
    wrong = np.array(outcomes, dtype=bool)
    called = wrong & False if called is None else called[: len(wrong)]
    errors, checked = pair(wrong, called), pair(wrong | True, called)
    found = vars(done) | {"if_right": None, "if_wrong": None}  # nothing is decided
    if not done.left:
        found["decision"] = replace(done.decision, verdict="estimate")
        if aim.strata is not None:
            found["interval"] = aim.strata.interval(errors, done.confidence)
    return Estimate(**found, aim=aim, errors=errors, checked=checked)
