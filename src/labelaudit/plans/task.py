"""What a plan is sought for: two quality levels, a lot or a process."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from .. import _checks
from ..laws.errors import Law, law
from .levels import QualityLevels, check_levels
from .plan import SamplingPlan


@dataclass(frozen=True)
class Task:
    """The checked arguments that all designs have in common.

    Attributes
    ----------
    levels : QualityLevels
    lot_size : int, or None for a process
    d_a, d_r : the two levels on the scale of errors
    alpha, beta : the two risks as the decimals that they were written as
    """

    levels: QualityLevels
    lot_size: int | None = None

    def __post_init__(self) -> None:
        check_levels(self.levels)
        object.__setattr__(self, "lot_size", _checks.lot_size(self.lot_size))
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
        """The law of the errors in samples of up to max_sample."""
        return law(self.lot_size, max_sample)

    def plan(self, accept: Any, reject: Any, **more: Any) -> SamplingPlan:
        """A plan with these limits for the task."""
        return SamplingPlan(accept, reject, self.lot_size, self.levels, **more)
