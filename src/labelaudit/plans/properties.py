"""What is computed of a plan: its verdicts, its length, its interval.

Exactly; `simulate` plays them.
"""

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.errors import Law, at_most
from . import evaluation, runs
from .levels import QualityLevels


class Properties:
    """What a stopping region has, whatever it was designed for.

    Everywhere, `errors` is the number of erroneous annotations in the lot (int
    or integer array, 0 <= errors <= lot_size), or for a process the error rate
    (float or array in [0, 1]).
    """

    accept: Array
    reject: Array
    lot_size: int | None
    levels: QualityLevels | None

    @property
    def max_sample(self) -> int:
        """The last n of the limits: no path is longer."""
        return len(self.accept) - 1

    @cached_property
    def law(self) -> Law:
        """The law of the errors in a sample."""
        return Law(self.lot_size, self.max_sample)

    @cached_property
    def stop_points(self) -> evaluation.StopPoints:
        """Where the plan can stop, and the share of orders that lead there."""
        return evaluation.stop_points(self.accept, self.reject)

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
        return self._mean(self.stop_points.accepted, errors)

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
        n = self.stop_points.n
        # Where most points lie at the last n (single and double plans end with one
        # for every count of errors) their mass is what the others leave.
        late = 2 * np.count_nonzero(n == n[-1]) >= len(n)
        return self._mean(n, errors, int(n[-1]) if late else 0)

    def _mean(self, values: Array, errors: Any, base: int = 0) -> Any:
        """The mean of `values`, one for each stopping point and at least 0.

        Points whose value is `base` need not be summed. A float for a scalar question,
        an array for an array.
        """
        checked, points = checked_errors(self, errors), self.stop_points
        weights = points.share * (values - base)
        found = base + self.law.sums(points.x, points.n, weights, checked)
        found = np.clip(found, 0, values.max())
        return found if found.ndim else float(found)

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
        checked, points = checked_errors(self, errors), self.stop_points
        shape = *checked.shape, self.max_sample + 1
        chances = (self.law.pmf(points.x, points.n, each) for each in checked.ravel())
        rows = [np.bincount(points.n, points.share * p, shape[-1]) for p in chances]
        return np.reshape(rows, shape)

    def exact_acceptance_probability(self, errors: Any) -> Fraction:
        """Probability of accepting as a fraction, for one value of errors.

        In whole-number arithmetic, hence slow for plans with thousands of
        inspections. A process's rate is read as the decimal that it prints as.

        >>> import labelaudit as la
        >>> la.SamplingPlan([-1, 0], [1, 1], 3).exact_acceptance_probability(1)
        Fraction(2, 3)
        """
        checked_errors(self, errors, one=True)
        return evaluation.exact_probability(self.accept, self.reject, self.law, errors)

    def _risk(self, accepting: bool) -> float | None:
        """P(reject) at the acceptable level, or P(accept) at the rejectable one."""
        if self.levels is None:
            return None
        errors = self.levels.errors(self.lot_size)[accepting]
        return self._mean(self.stop_points.accepted == accepting, errors)

    @cached_property
    def producers_risk(self) -> float | None:
        """Probability of rejecting at p_a (at D_a in a lot); None without levels."""
        return self._risk(accepting=False)

    @cached_property
    def consumers_risk(self) -> float | None:
        """Probability of accepting at p_r (at D_r in a lot); None without levels."""
        return self._risk(accepting=True)

    @cached_property
    def keeps_risks(self) -> tuple[bool, bool] | None:
        """Whether the producer's and the consumer's risk hold, compared with <=.

        Settled in exact arithmetic where rounding could decide; None without
        levels.

        >>> import labelaudit as la
        >>> la.single_plan(la.STRICT, lot_size=1000).keeps_risks
        (True, True)
        """
        if self.levels is None:
            return None
        levels, of = self.levels, self.exact_acceptance_probability
        d_a, d_r = levels.errors(self.lot_size)
        return (
            bool(at_most(self.producers_risk, levels.alpha, lambda: 1 - of(d_a))),
            bool(at_most(self.consumers_risk, levels.beta, lambda: of(d_r))),
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
            Error rates; in a lot multiples of 1 / lot_size, both ends included, and
            none that the sample rules out.

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
        n, x = runs.stopped_at(self, inspected, errors_found)
        tail = (1 - _checks.fraction(confidence)) / 2
        ends = [runs.limit(self, sign, n, x, tail) for sign in (-1, 1)]
        # In the oddest plans they cross.
        return min(ends) / self.law.total, max(ends) / self.law.total

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
        checked = checked_errors(self, errors, one=True)
        most = _checks.LARGEST_REPETITIONS
        times = _checks.count("repetitions", repetitions, 1, most)
        return runs.simulate(self, checked, times, _checks.generator(seed))


def checked_errors(plan: Properties, errors: Any, *, one: bool = False) -> Array:
    """Errors in the lot, or error rates of a process; else ValueError."""
    if plan.lot_size is None:
        meaning = " (error rates: this is a process)"
        found: Array = _checks.units("errors", errors, meaning)
    else:
        meaning = " (errors in the lot, not rates)"
        found = _checks.counts("errors", errors, 0, plan.lot_size, meaning)
    if one and found.ndim:
        raise _checks.refuse("errors", errors, "one value, not an array")
    return found
