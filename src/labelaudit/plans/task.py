"""What a plan is sought for: two quality levels, a lot or a process."""

from __future__ import annotations

from typing import Any

from .. import _checks
from ..laws.errors import Law, law
from .levels import QualityLevels, check_levels
from .plan import SamplingPlan


class Task:
    """The checked arguments that all designs have in common.

    Attributes
    ----------
    levels : QualityLevels
    lot_size : int, or None for a process
    errors : d_a and d_r, the two levels on the scale of errors
    alpha, beta : the two risks as the decimals that they were written as
    """

    def __init__(self, levels: QualityLevels, lot_size: int | None = None) -> None:
        check_levels(levels)
        self.levels, self.lot_size = levels, _checks.lot_size(lot_size)
        self.errors = self.d_a, self.d_r = levels.errors(self.lot_size)
        self.alpha = _checks.fraction(levels.alpha)
        self.beta = _checks.fraction(levels.beta)

    def law(self, max_sample: int) -> Law:
        """The law of the errors in samples of up to max_sample."""
        return law(self.lot_size, max_sample)

    def plan(self, accept: Any, reject: Any, **more: Any) -> SamplingPlan:
        """A plan with these limits for the task."""
        return SamplingPlan(accept, reject, self.lot_size, self.levels, **more)
