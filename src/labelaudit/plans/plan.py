"""A sampling plan is a stopping region.

After n inspected annotations with x errors: accept when x <= accept[n], reject
when x >= reject[n], otherwise inspect one more. Single, double, sequential and
curtailed plans differ in these two sequences alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from . import evaluation, written
from .levels import QualityLevels, check_levels
from .properties import Properties


@dataclass(frozen=True)
class Decision:
    """What a plan says after some inspections.

    Attributes
    ----------
    verdict : "accept", "reject" or "continue"
    inspected : int
        Annotations inspected up to the verdict (or so far).
    errors_found : int
        Errors among them.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.single_plan(la.RELAXED, lot_size=1000).decide([True, False])
    Decision(verdict='continue', inspected=2, errors_found=1)
    """

    verdict: str
    inspected: int
    errors_found: int


@dataclass(frozen=True, eq=False, repr=False)
class SamplingPlan(Properties):
    """A stopping region, with its exact properties.

    Parameters
    ----------
    accept, reject : sequences of int, equally long, index n = 0 .. max_sample
        After n inspected annotations with x errors: accept when x <= accept[n],
        reject when x >= reject[n], otherwise inspect one more. Stored with
        accept[n] = -1 where acceptance is impossible and reject[n] = n + 1 where
        rejection is.
    lot_size : int, optional
        Number of annotations in the lot, sampled without replacement; None is a
        process (sampling with replacement).
    levels : QualityLevels, optional
        The levels that the plan is for; they define its two risks.
    note : str, optional
        A remark that the plan's repr shows.
    lower_bound : float, optional
        Certified lower bound on the objective of optimal_plan, over all plans that
        keep the risks with at most `cap` inspections; None for others.
    cap : int of at least max_sample, optional
        The max_sample that optimal_plan was given, or chose; None for others.

    Raises
    ------
    ValueError
        Where accept[n] >= reject[n], where some path has no verdict by the last
        n, where the sequences are longer than the lot, or where the lot is too
        small to tell the levels apart.

    Notes
    -----
    Everywhere, `errors` is the number of erroneous annotations in the lot (int
    or integer array, 0 <= errors <= lot_size), or for a process the error rate
    (float or array in [0, 1]).

    References
    ----------
    Klie et al. 2024, section 3.3; Meeker 1975 (for lots); Wald 1947.

    Examples
    --------
    Inspect up to three of ten; accept if none is wrong, reject at the first
    error.

    >>> import labelaudit as la
    >>> plan = la.SamplingPlan([-1, -1, -1, 0], [1, 1, 1, 1], lot_size=10)
    >>> round(plan.acceptance_probability(2), 6)  # C(8, 3) / C(10, 3)
    0.466667
    >>> plan.decide([False, True]).verdict
    'reject'
    """

    accept: Array
    reject: Array
    lot_size: int | None = None
    levels: QualityLevels | None = None
    note: str = ""
    lower_bound: float | None = None
    cap: int | None = None

    def __post_init__(self) -> None:
        size, bound = _checks.lot_size(self.lot_size), self.lower_bound
        accept, reject = evaluation.checked(self.accept, self.reject, size)
        accept.flags.writeable = reject.flags.writeable = False
        _checks.text("note", self.note)
        if bound is not None:
            bound = _checks.number("lower_bound", bound)
        if (cap := self.cap) is not None:
            cap = _checks.count("cap", cap, len(accept) - 1, size)
        if self.levels is not None:
            check_levels(self.levels, " or None")
            self.levels.errors(size)
        found = {"accept": accept, "reject": reject, "lot_size": size}
        vars(self).update(found, lower_bound=bound, cap=cap)

    @classmethod
    def from_stages(
        cls,
        stages: Any,
        lot_size: int | None = None,
        levels: QualityLevels | None = None,
    ) -> Self:
        """The plan that can stop only after some numbers of inspections.

        Parameters
        ----------
        stages : rows (n, accept, reject), or a table with these columns
            n annotations have been inspected in all, in rising order; accept up to
            `accept` errors (-1: not here), reject from `reject` on (n + 1: not
            here); the last row has reject = accept + 1. Also another plan's stages.
        lot_size, levels : as for SamplingPlan

        Raises
        ------
        ValueError
            Where the n do not rise, exceed the lot, where accept >= reject, or
            where a number is not whole.

        Examples
        --------
        >>> import labelaudit as la
        >>> plan = la.SamplingPlan.from_stages([(243, 3, 9), (486, 8, 9)], 1000)
        >>> round(plan.average_sample_number(10), 2)
        293.32
        """
        lot_size = _checks.lot_size(lot_size)
        return cls(*evaluation.of_stages(stages, lot_size), lot_size, levels)

    # The region ---------------------------------------------------------------

    @property
    def stages(self) -> pd.DataFrame:
        """Table of n, accept, reject wherever the plan can stop.

        >>> import labelaudit as la
        >>> la.double_plan(la.RELAXED, 1000).stages
             n  accept  reject
        0  126       2       9
        1  252       8       9
        """
        n = evaluation.stopping(self.accept, self.reject)
        limits = {"accept": self.accept[n], "reject": self.reject[n]}
        return pd.DataFrame({"n": n, **limits})

    # Use ----------------------------------------------------------------------

    def decide(self, outcomes: Iterable[Any]) -> Decision:
        """What to do after these inspections.

        Parameters
        ----------
        outcomes : iterable of bool or 0/1, in order of inspection
            True or 1 means that the annotation is erroneous. What follows the
            verdict is ignored.

        Returns
        -------
        Decision

        Raises
        ------
        ValueError
            Where an outcome before the verdict is neither of these.

        Examples
        --------
        >>> import labelaudit as la
        >>> plan = la.curtail(la.single_plan(la.RELAXED, lot_size=1000))
        >>> plan.decide([0, 0, 1])
        Decision(verdict='continue', inspected=3, errors_found=1)
        >>> plan.decide([1] * 300)
        Decision(verdict='reject', inspected=9, errors_found=9)
        """
        following = _checks.entries("outcomes", outcomes, "a sequence of 0 and 1")
        n = x = 0
        while self.accept[n] < x < self.reject[n]:
            try:
                value = next(following)
            except StopIteration:
                return Decision("continue", n, x)
            known = isinstance(value, (bool, np.bool_))
            outcome = value if known else _checks.real(value)
            if outcome not in (0, 1):
                raise _checks.refuse(f"outcomes[{n}]", value, "0, 1, False or True")
            n, x = n + 1, x + int(outcome)
        return Decision("accept" if x <= self.accept[n] else "reject", n, x)

    # As text ------------------------------------------------------------------

    def to_json(self) -> str:
        """The plan as JSON text; SamplingPlan.from_json reads it back.

        >>> import labelaudit as la
        >>> plan = la.single_plan(la.STRICT, lot_size=1000)
        >>> la.SamplingPlan.from_json(plan.to_json()) == plan
        True
        """
        return written.to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The plan that to_json wrote; ValueError where the text is another thing.

        >>> import labelaudit as la
        >>> plan = la.single_plan(la.RELAXED, lot_size=1000)
        >>> la.SamplingPlan.from_json(plan.to_json()) == plan
        True
        """
        return written.from_json(cls, text)

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies are built anew: checked, read-only, and without cached results.
        return SamplingPlan, tuple(getattr(self, field.name) for field in fields(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SamplingPlan):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.accept.tobytes(), self.reject.tobytes(), self.lot_size, self.levels

    def __repr__(self) -> str:
        return written.sentences(self)


def curtail(plan: SamplingPlan) -> SamplingPlan:
    """The same decisions, stopping as soon as the verdict, either one, is certain.

    Parameters
    ----------
    plan : SamplingPlan

    Returns
    -------
    SamplingPlan
        On every sequence of outcomes it reaches the verdict that `plan` reaches,
        at the same inspection or an earlier one.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.single_plan(la.STRICT, lot_size=1000)
    >>> [round(p.average_sample_number(30), 1) for p in (plan, la.curtail(plan))]
    [428.0, 288.7]
    """
    checked_plan(plan)
    note = f"{plan.note}, curtailed" if plan.note else ""
    limits = evaluation.curtailed(plan.accept, plan.reject)
    return SamplingPlan(*limits, plan.lot_size, plan.levels, note)


def checked_plan(plan: Any) -> None:
    """ValueError for anything but a plan."""
    if not isinstance(plan, SamplingPlan):
        raise _checks.refuse("plan", plan, "a SamplingPlan")
