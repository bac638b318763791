"""What a plan is sought for: two quality levels, a lot or a process, an inspection."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from .. import _checks
from ..laws.errors import Law
from ..laws.flags import law
from ..laws.inspection import Inspection
from ..laws.inspection import checked as checked_inspection
from .levels import QualityLevels, check_levels
from .plan import SamplingPlan


@dataclass(frozen=True)
class Task:
    """The checked arguments that all designs have in common.

    Attributes
    ----------
    levels : QualityLevels
    lot_size : int, or None for a process
    inspection : Inspection that makes mistakes, else None
    d_a, d_r : the two levels on the scale of errors
    alpha, beta : the two risks as the decimals that they were written as
    """

    levels: QualityLevels
    lot_size: int | None = None
    inspection: Inspection | None = None

    def __post_init__(self) -> None:
        check_levels(self.levels)
        object.__setattr__(self, "lot_size", _checks.lot_size(self.lot_size))
        object.__setattr__(self, "inspection", checked_inspection(self.inspection))
        self.levels.errors(self.lot_size)  # refuses a lot that cannot tell them apart

    @cached_property
    def d_a(self) -> float:
        return self.levels.errors(self.lot_size)[0]

    @cached_property
    def d_r(self) -> float:
        return self.levels.errors(self.lot_size)[1]

    @cached_property
    def alpha(self) -> Fraction:
        return _checks.fraction(self.levels.alpha)

    @cached_property
    def beta(self) -> Fraction:
        return _checks.fraction(self.levels.beta)

    def law(self, max_sample: int) -> Law:
        """The law of what is counted in samples of up to max_sample."""
        return law(self.lot_size, max_sample, self.inspection)

    def plan(self, accept: Any, reject: Any, **more: Any) -> SamplingPlan:
        """A plan with these limits for the task."""
        return SamplingPlan(
            accept,
            reject,
            self.lot_size,
            self.levels,
            inspection=self.inspection,
            **more,
        )
