"""Inspectors who make mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .. import _checks


@dataclass(frozen=True)
class Inspection:
    """How often an inspection is right.

    It flags an erroneous annotation with probability `sensitivity` and a correct
    one with probability 1 - specificity, each independently of all else. A plan
    with an inspection counts flags; its `errors` stay the true ones.

    Parameters
    ----------
    sensitivity, specificity : float in (0, 1], with a sum above 1
        The default inspection is perfect.

    Raises
    ------
    ValueError
        Where one is out of range, or where sensitivity + specificity <= 1: such
        flags say nothing, or the opposite.

    Examples
    --------
    Inspectors who miss one error in ten and object to one correct annotation in
    fifty: a plan that takes every flag for an error rejects good lots.

    >>> import labelaudit as la
    >>> inspection = la.Inspection(sensitivity=0.9, specificity=0.98)
    >>> unaware = la.single_plan(la.STRICT, lot_size=1000)
    >>> plan = la.SamplingPlan(
    ...     unaware.accept, unaware.reject, 1000, la.STRICT, inspection=inspection
    ... )
    >>> round(plan.producers_risk, 4), round(plan.consumers_risk, 4)
    (0.8848, 0.0006)
    """

    sensitivity: float = 1.0
    specificity: float = 1.0

    def __post_init__(self) -> None:
        for name in ("sensitivity", "specificity"):
            rate = float(_checks.unit(name, getattr(self, name)))
            object.__setattr__(self, name, rate)
        if self.sensitivity == 0:
            raise _checks.refuse("sensitivity", self.sensitivity, "above 0, up to 1")
        right, wrong = self.fractions
        if right <= wrong:
            raise _checks.refuse(
                "specificity",
                self.specificity,
                f"more than 1 - sensitivity = {float(1 - right):g}"
                " (flags must be likelier on errors)",
            )

    @property
    def perfect(self) -> bool:
        """Whether the flags are exactly the errors."""
        return self.sensitivity == 1 and self.specificity == 1

    @property
    def fractions(self) -> tuple[Fraction, Fraction]:
        """Probability of a flag on an error and on a correct annotation.

        >>> import labelaudit as la
        >>> la.Inspection(0.9, 0.98).fractions
        (Fraction(9, 10), Fraction(1, 50))
        """
        return (
            _checks.fraction(self.sensitivity),
            1 - _checks.fraction(self.specificity),
        )

    def flag_rate(self, rate: Any) -> Any:
        """The share of annotations flagged, from the error rate.

        A number from 0 to 1, or an array of such; a fraction gives a fraction: exact.

        >>> import labelaudit as la
        >>> round(la.Inspection(0.9, 0.98).flag_rate(0.01), 4)
        0.0288
        """
        right, wrong, rate = self._scaled(rate)
        return rate * right + (1 - rate) * wrong

    def error_rate(self, rate: Any) -> Any:
        """The error rate that such a share of flags means, not clipped to [0, 1].

        A number from 0 to 1, or an array of such; a fraction gives a fraction: exact.

        >>> import labelaudit as la
        >>> round(la.Inspection(0.9, 0.98).error_rate(0.0288), 4)
        0.01
        """
        right, wrong, rate = self._scaled(rate)
        return (rate - wrong) / (right - wrong)

    def _scaled(self, rate: Any) -> tuple[Any, Any, Any]:
        """The fractions and a rate, checked, all exact or none."""
        right, wrong = self.fractions
        if isinstance(rate, Fraction):
            _checks.unit("rate", rate)
            return right, wrong, rate
        checked = _checks.units("rate", rate)
        shaped = checked if isinstance(rate, np.ndarray) or checked.ndim else None
        return float(right), float(wrong), float(checked) if shaped is None else shaped


def checked(inspection: Any) -> Inspection | None:
    """An Inspection that makes mistakes, else None; ValueError for anything else."""
    if inspection is None:
        return None
    if not isinstance(inspection, Inspection):
        raise _checks.refuse("inspection", inspection, "an Inspection or None")
    return None if inspection.perfect else inspection
