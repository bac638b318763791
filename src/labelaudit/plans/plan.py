"""A sampling plan is a stopping region.

After n inspected annotations with x errors: accept when x <= accept[n], reject
when x >= reject[n], otherwise inspect one more. Single, double, sequential and
curtailed plans differ in these two sequences alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from ..laws.errors import Law, law
from ..laws.near import at_most
from . import evaluation, region, stopped, written
from .levels import QualityLevels
from .simulation import simulate


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
class SamplingPlan:
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
        lot_size: int | None = _checks.lot_size(self.lot_size)
        accept, reject = region.checked(self.accept, self.reject, lot_size)
        _checks.text("note", self.note)
        if self.lower_bound is not None:
            bound = _checks.number("lower_bound", self.lower_bound)
            object.__setattr__(self, "lower_bound", bound)
        if self.cap is not None:
            cap = _checks.count("cap", self.cap, len(accept) - 1, lot_size)
            object.__setattr__(self, "cap", cap)
        if self.levels is not None:
            if not isinstance(self.levels, QualityLevels):
                raise _checks.refuse("levels", self.levels, "QualityLevels or None")
            self.levels.errors(lot_size)
        accept.flags.writeable = reject.flags.writeable = False
        object.__setattr__(self, "accept", accept)
        object.__setattr__(self, "reject", reject)
        object.__setattr__(self, "lot_size", lot_size)

    @classmethod
    def from_stages(
        cls,
        stages: Any,
        lot_size: int | None = None,
        levels: QualityLevels | None = None,
    ) -> SamplingPlan:
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
        return cls(*region.of_stages(stages, lot_size), lot_size, levels)

    # The region ---------------------------------------------------------------

    @property
    def max_sample(self) -> int:
        """The last n of the limits: no path is longer."""
        return len(self.accept) - 1

    @property
    def stages(self) -> pd.DataFrame:
        """Table of n, accept, reject wherever the plan can stop.

        >>> import labelaudit as la
        >>> la.double_plan(la.RELAXED, 1000).stages
             n  accept  reject
        0  126       2       9
        1  252       8       9
        """
        n = region.stopping(self.accept, self.reject)
        return pd.DataFrame(
            {"n": n, "accept": self.accept[n], "reject": self.reject[n]}
        )

    # Exact properties ---------------------------------------------------------

    @cached_property
    def law(self) -> Law:
        """The law of the errors in a sample."""
        return law(self.lot_size, self.max_sample)

    @cached_property
    def stop_points(self) -> evaluation.StopPoints:
        """Where the plan can stop, and the share of orders that lead there."""
        return evaluation.stop_points(self.accept, self.reject)

    def _one_value(self, errors: Any) -> Array:
        checked = checked_errors(self, errors)
        if checked.ndim:
            raise _checks.refuse("errors", errors, "one value, not an array")
        return checked

    def acceptance_probability(self, errors: Any) -> Any:
        """Probability of accepting: the operating characteristic, exactly.

        Parameters
        ----------
        errors : int or integer array in [0, lot_size]; for a process float or
            array in [0, 1]

        Returns
        -------
        float, or float array shaped like errors

        Raises
        ------
        ValueError
            Where an errors value is no whole number, or outside these bounds.

        References
        ----------
        Klie et al. 2024, Eq. 1; the recursion is Aroian's direct method (1968)
        with the paths counted apart from the law.

        Examples
        --------
        >>> import labelaudit as la
        >>> plan = la.single_plan(la.STRICT, lot_size=1000)
        >>> plan.acceptance_probability([10, 20, 30]).round(4)
        array([0.9972, 0.4934, 0.0496])
        """
        checked = checked_errors(self, errors)
        accepting = self.stop_points.only(self.stop_points.accepted)
        return shaped(evaluation.probability(accepting, self.law, checked))

    def average_sample_number(self, errors: Any) -> Any:
        """Expected number of inspections, exactly.

        Parameters, returned shape, errors and source as for acceptance_probability.

        Examples
        --------
        >>> import labelaudit as la
        >>> plan = la.double_plan(la.STRICT, lot_size=1000)
        >>> round(plan.average_sample_number(10), 2)
        293.32
        """
        checked = checked_errors(self, errors)
        return shaped(
            evaluation.average_sample_number(self.stop_points, self.law, checked)
        )

    def sample_number_pmf(self, errors: Any) -> Array:
        """Distribution of the number of inspections, exactly.

        Parameters, errors and source as for acceptance_probability.

        Returns
        -------
        float array of shape (..., max_sample + 1)
            The last axis is n = 0 .. max_sample; each row sums to 1.

        Examples
        --------
        >>> import labelaudit as la
        >>> la.curtail(la.SamplingPlan([-1, -1, 0], [1, 2, 1], 4)).sample_number_pmf(1)
        array([0.  , 0.25, 0.75])
        """
        checked = checked_errors(self, errors)
        return evaluation.sample_number_pmf(
            self.stop_points, self.law, checked, self.max_sample
        )

    def exact_acceptance_probability(self, errors: Any) -> Fraction:
        """Probability of accepting as a fraction, for one value of errors.

        In whole-number arithmetic, hence slow for plans with thousands of
        inspections. A process's rate is read as the decimal that it prints as.

        >>> import labelaudit as la
        >>> la.SamplingPlan([-1, 0], [1, 1], 3).exact_acceptance_probability(1)
        Fraction(2, 3)
        """
        self._one_value(errors)
        return evaluation.exact_probability(
            self.accept,
            self.reject,
            self.law,
            errors,
            lambda n, x: x <= self.accept[n],
        )

    @cached_property
    def producers_risk(self) -> float | None:
        """Probability of rejecting at p_a (at D_a in a lot); None without levels."""
        if self.levels is None:
            return None
        d_a, _ = self.levels.errors(self.lot_size)
        rejecting = self.stop_points.only(~self.stop_points.accepted)
        return float(evaluation.probability(rejecting, self.law, np.asarray(d_a)))

    @cached_property
    def consumers_risk(self) -> float | None:
        """Probability of accepting at p_r (at D_r in a lot); None without levels."""
        if self.levels is None:
            return None
        _, d_r = self.levels.errors(self.lot_size)
        return float(self.acceptance_probability(d_r))

    @cached_property
    def keeps_risks(self) -> tuple[bool, bool] | None:
        """Whether the producer's and the consumer's risk hold, compared with <=.

        Settled in exact arithmetic where rounding could decide; None without
        levels.

        >>> import labelaudit as la
        >>> la.single_plan(la.STRICT, lot_size=1000).keeps_risks
        (True, True)
        """
        if self.producers_risk is None or self.consumers_risk is None:
            return None
        assert self.levels is not None  # or there were no risks
        d_a, d_r = self.levels.errors(self.lot_size)
        return (
            at_most(
                self.producers_risk,
                self.levels.alpha,
                lambda: 1 - self.exact_acceptance_probability(d_a),
            ),
            at_most(
                self.consumers_risk,
                self.levels.beta,
                lambda: self.exact_acceptance_probability(d_r),
            ),
        )

    def interval(
        self, inspected: int, errors_found: int, confidence: float = 0.95
    ) -> tuple[float, float]:
        """Interval for the error rate that is valid after this plan has stopped.

        An interval for a sample of fixed size covers too seldom where the errors
        decide when the sample ends.

        Parameters
        ----------
        inspected, errors_found : int
            Where the plan stopped: as Decision and simulate give them.
        confidence : float in (0, 1)

        Returns
        -------
        low, high : float
            Error rates; in a lot multiples of 1 / lot_size, both ends included.

        Raises
        ------
        ValueError
            Where the plan cannot stop there.

        References
        ----------
        Jennison and Turnbull 1983: the stopping points in the order of
        errors_found / inspected. The upper limit is the largest rate at which a
        share no larger than the observed one has a probability above
        (1 - confidence)/2, the lower limit its mirror image. Coverage is at least
        the confidence, for every plan and error rate.

        Examples
        --------
        >>> import labelaudit as la
        >>> plan = la.curtail(la.single_plan(la.STRICT, lot_size=1000))
        >>> plan.interval(150, 9)  # rejected at the ninth error
        (0.03, 0.099)
        >>> la.proportion_interval(9, 150, lot_size=1000)  # as if 150 were fixed
        (0.03, 0.106)
        """
        _checks.confidence(confidence)
        n = _checks.count("inspected", inspected, 0, self.max_sample)
        x = _checks.count("errors_found", errors_found, 0, n)
        region.check_stop(self.accept, self.reject, n, x)
        low, high = stopped.interval(self, n, x, 1 - _checks.fraction(confidence))
        scale = 1 if self.lot_size is None else self.lot_size
        return low / scale, high / scale

    # Use ----------------------------------------------------------------------

    def simulate(self, errors: Any, repetitions: int = 1000, seed: Any = None) -> Any:
        """Run the plan many times on lots with so many errors.

        Parameters
        ----------
        errors : int in [0, lot_size], or float in [0, 1] for a process
        repetitions : int of at least 1
        seed : int, numpy SeedSequence or Generator, optional

        Returns
        -------
        DataFrame, one row per repetition: accepted (bool), inspected (int),
        errors_found (int)

        Raises
        ------
        ValueError
            Where errors is an array or outside its bounds, or the seed is none.

        Examples
        --------
        >>> import labelaudit as la
        >>> plan = la.single_plan(la.STRICT, lot_size=1000)
        >>> len(plan.simulate(10, repetitions=50, seed=1))
        50
        """
        checked = self._one_value(errors)
        most = _checks.LARGEST_REPETITIONS
        repetitions = _checks.count("repetitions", repetitions, 1, most)
        generator = _checks.generator(seed)
        return simulate(
            self.accept, self.reject, self.lot_size, checked, repetitions, generator
        )

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
        while True:
            if x <= self.accept[n]:
                return Decision("accept", n, x)
            if x >= self.reject[n]:
                return Decision("reject", n, x)
            try:
                outcome = next(following)
            except StopIteration:
                return Decision("continue", n, x)
            x += _outcome(outcome, n)
            n += 1

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
    def from_json(cls, text: str) -> SamplingPlan:
        """The plan that to_json wrote; ValueError where the text is another thing.

        Examples
        --------
        >>> import labelaudit as la
        >>> plan = la.single_plan(la.RELAXED, lot_size=1000)
        >>> la.SamplingPlan.from_json(plan.to_json()) == plan
        True
        """
        return written.from_json(cls, text)

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies are built anew: checked, read-only, and without cached results.
        fields = (self.accept, self.reject, self.lot_size, self.levels, self.note)
        return SamplingPlan, (*fields, self.lower_bound, self.cap)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SamplingPlan):
            return NotImplemented
        return (
            np.array_equal(self.accept, other.accept)
            and np.array_equal(self.reject, other.reject)
            and (self.lot_size, self.levels) == (other.lot_size, other.levels)
        )

    def __hash__(self) -> int:
        limits = (self.accept.tobytes(), self.reject.tobytes())
        return hash((limits, self.lot_size, self.levels))

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
    return SamplingPlan(
        *region.curtailed(plan.accept, plan.reject),
        plan.lot_size,
        plan.levels,
        note,
    )


def checked_plan(plan: Any) -> None:
    """ValueError for anything but a plan."""
    if not isinstance(plan, SamplingPlan):
        raise _checks.refuse("plan", plan, "a SamplingPlan")


def checked_errors(plan: SamplingPlan, errors: Any) -> Array:
    """Errors in the lot, or error rates of a process; else ValueError."""
    if plan.lot_size is None:
        return _checks.units("errors", errors, " (error rates: this is a process)")
    meaning = " (errors in the lot, not rates)"
    return _checks.counts("errors", errors, 0, plan.lot_size, meaning)


def _outcome(value: Any, index: int) -> int:
    """1 for an erroneous annotation, 0 for a correct one."""
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    try:
        return _checks.count(f"outcomes[{index}]", value, 0, 1)
    except ValueError:
        raise _checks.refuse(
            f"outcomes[{index}]", value, "0, 1, False or True"
        ) from None


def shaped(values: Array) -> Any:
    """A float for a scalar question, an array for an array."""
    return float(values) if values.ndim == 0 else values
