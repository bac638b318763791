"""From a plan to a verdict: which items to inspect, and what the outcomes say.

A sheet lists items in the order in which they are inspected, with the plan's limits
at each step. An audit is a plan with the outcomes so far.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import nan
from typing import Any

import pandas as pd

from .. import _checks
from .._digits import between, counted, in_percent, significant
from ..plans.plan import Decision, SamplingPlan, checked_plan
from ..plans.region import reachable

NOUN = {"accept": "acceptance", "reject": "rejection"}


@dataclass(frozen=True)
class Audit:
    """A plan with the outcomes of its inspections so far.

    Attributes
    ----------
    plan : SamplingPlan
    decision : Decision
        verdict ("accept", "reject" or "continue"), inspected, errors_found.
    interval : (float, float)
        For the error rate, valid after this plan's stopping rule (plan.interval);
        NaN before the verdict, where no interval is.
    confidence : float
        Of the interval.
    ignored : int
        Outcomes that came after the verdict.
    left : int
        Further inspections at most; 0 after the verdict.
    if_right, if_wrong : Decision or None
        Where the plan would end if all that follow were right, and if all were
        wrong; None after the verdict.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.curtail(la.single_plan(la.RELAXED, lot_size=1000))
    >>> found = la.audit(plan, [1] * 10)
    >>> found.decision.verdict, found.ignored, found.left
    ('reject', 1, 0)
    """

    plan: SamplingPlan = field(repr=False)
    decision: Decision
    interval: tuple[float, float]
    confidence: float
    ignored: int = 0
    left: int = 0
    if_right: Decision | None = None
    if_wrong: Decision | None = None

    @property
    def rate(self) -> float:
        """The share found wrong among those inspected; NaN where none was.

        A plan stops because of what it saw, so that this is a biased estimate of
        the error rate; the interval is not.
        """
        n = self.decision.inspected
        return self.decision.errors_found / n if n else nan

    def report(self, *, name: str = "", kind: str = "", seed: int | None = None) -> str:
        """One paragraph to paste into a data set's documentation.

        Parameters
        ----------
        name : str, optional
            What was audited, such as "The test set, version 2".
        kind : str, optional
            The plan's kind, such as "double".
        seed : int, optional
            Of the draw, as given to inspection_sheet.

        Examples
        --------
        >>> import labelaudit as la
        >>> plan = la.curtail(la.single_plan(la.RELAXED, lot_size=1000))
        >>> text = la.audit(plan, [1] * 10).report(kind="single", seed=7)
        >>> text[text.index("Found") :][:59]
        'Found wrong: 9 of 9 inspected (100 %). The lot is rejected.'
        """
        _checks.text("name", name), _checks.text("kind", kind)
        if seed is not None:
            _checks.whole_seed(seed)
        parts = [
            self._drawn(name, kind, seed),
            self._risks(),
            self._ahead() if self.decision.verdict == "continue" else self._verdict(),
            self._taken_for_granted(),
        ]
        return " ".join(parts)

    def _drawn(self, name: str, kind: str, seed: int | None) -> str:
        size = self.plan.lot_size
        what = "a process" if size is None else f"a lot of {size:,} annotations"
        what = f"{name} ({what})" if name else what[0].upper() + what[1:]
        order = " at random" if size is not None or seed is not None else ""
        order += " without replacement" if size is not None else ""
        order += "" if seed is None else f" (seed {seed})"
        kind = f"{kind} plan" if kind else "plan"
        a = "an" if kind[0] in "aeiou" else "a"
        most = f"{a} {kind} of at most {self.plan.max_sample:,} inspections"
        is_, are, gives = "was", "were", "gave"
        if self.decision.verdict == "continue":
            is_, are, gives = "is being", "are", "gives"
        return (
            f"{what} {is_} audited by acceptance sampling: annotations {are}"
            f" taken{order} and inspected one after another until {most} {gives} a"
            " verdict."
        )

    def _risks(self) -> str:
        plan, levels = self.plan, self.plan.levels
        if levels is None or plan.keeps_risks is None:
            return "The plan is for no stated quality levels."
        good, bad = in_percent(levels.p_a), in_percent(levels.p_r)
        if plan.lot_size is not None:
            d_a, d_r = levels.errors(plan.lot_size)
            good, bad = f"{good} ({d_a:,} wrong)", f"{bad} ({d_r:,} wrong)"
        missed = [
            f"; the {side}'s risk is more than was allowed"
            for side, kept in zip(("producer", "consumer"), plan.keeps_risks)
            if not kept
        ]
        return (
            f"At an error rate of {good} this plan rejects with a probability of"
            f" {significant(plan.producers_risk, 4)} (producer's risk,"
            f" {levels.alpha:g} allowed) and at {bad} it accepts with"
            f" {significant(plan.consumers_risk, 4)} (consumer's risk,"
            f" {levels.beta:g} allowed), both exact{''.join(missed)}."
        )

    def _beyond(self) -> str:
        """Why the interval of what was accepted may reach to what is bad."""
        plan, levels = self.plan, self.plan.levels
        if self.decision.verdict != "accept" or levels is None:
            return ""
        if self.interval[1] <= levels.p_r:
            return ""
        passes = in_percent(max(levels.beta, plan.consumers_risk or 0), 2)
        return (
            f"; that reaches above {in_percent(levels.p_r)}, the rate of a bad batch:"
            f" this plan accepts up to {passes} of batches that bad"
        )

    def _verdict(self) -> str:
        decision, size = self.decision, self.plan.lot_size
        what = "process" if size is None else "lot"
        where = ends(self.interval, decision.errors_found, size)
        said = (
            f"{self._count()} The {what} is {decision.verdict}ed. With"
            f" {in_percent(self.confidence, 10)} confidence its error rate before any"
            f" correction is between {where}: an exact interval, valid after this"
            f" stopping rule{self._beyond()}."
        )
        if self.ignored:
            said += f" Left out: {self.ignored:,} outcomes that came after the verdict."
        return said

    def _ahead(self) -> str:
        runs = []
        for what, end in (("right", self.if_right), ("wrong", self.if_wrong)):
            assert end is not None  # there is no verdict
            more = end.inspected - self.decision.inspected
            runs.append(f"the next {more:,}, if {what}, lead to {NOUN[end.verdict]}")
        return (
            f"{self._count()} There is no verdict yet, and so no valid interval. At"
            f" most {self.left:,} inspections are left; {', and '.join(runs)}."
        )

    def _count(self) -> str:
        n, x = self.decision.inspected, self.decision.errors_found
        share = f" ({counted(self.rate, x)})" if n else ""
        return f"Found wrong: {x:,} of {n:,} inspected{share}."

    def _taken_for_granted(self) -> str:
        kept = "that the order of the draw was kept"
        if self.plan.lot_size is None:
            kept = "that the error rate did not change meanwhile"
        return f"This takes for granted that the inspection itself is right and {kept}."


def line(found: Audit, verdict: str) -> str:
    """The verdict in one line, for people; it says why where it looks odd."""
    decision = found.decision
    said = f"{verdict.upper()}: {decision.errors_found:,} wrong of"
    said += f" {decision.inspected:,} inspected"
    if decision.verdict == "continue":
        return f"{said}; at most {found.left:,} are left"
    low, high = between(*found.interval, decision.errors_found)
    said += f"; error rate {low} to {high}, {in_percent(found.confidence, 10)}"
    return f"{said} confidence{found._beyond()}"


def ends(interval: tuple[float, float], errors: int, size: int | None) -> str:
    """Both ends in percent, and as counts of a lot."""
    low, high = interval
    said = " and ".join(between(low, high, errors))
    if size is None:
        return said
    return f"{said} ({round(low * size):,} to {round(high * size):,} wrong)"


def audit(
    plan: SamplingPlan, outcomes: Iterable[Any], *, confidence: float = 0.95
) -> Audit:
    """What the outcomes of a plan's inspections say: verdict, interval, what is left.

    Parameters
    ----------
    plan : SamplingPlan
    outcomes : iterable of bool or 0/1, in order of inspection
        True or 1: wrong. Missing values at the end are inspections not made yet; the
        column `wrong` of a filled inspection_sheet will do. What follows the verdict
        is ignored, and counted.
    confidence : float in (0, 1)
        Of the interval.

    Returns
    -------
    Audit

    Raises
    ------
    ValueError
        For an outcome that is neither, one that is missing before others, or a
        confidence out of range.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.optimal_plan(la.RELAXED, lot_size=1000)
    >>> la.audit(plan, [0] * 60).if_right
    Decision(verdict='accept', inspected=67, errors_found=0)
    >>> found = la.audit(plan, [0] * 70)
    >>> found.decision.verdict, found.interval, found.ignored
    ('accept', (0.0, 0.051), 3)
    """
    checked_plan(plan)
    confidence = _checks.confidence(confidence)
    found = _given(outcomes)
    decision = plan.decide(found)
    n, x = decision.inspected, decision.errors_found
    if decision.verdict != "continue":
        interval = plan.interval(n, x, confidence)
        return Audit(plan, decision, interval, confidence, ignored=len(found) - n)
    # The longest way to a verdict: how far anything arrives from here.
    left = len(reachable(plan.accept[n:] - x, plan.reject[n:] - x)[0]) - 1
    ahead = [plan.decide([*found, *[outcome] * left]) for outcome in (0, 1)]
    return Audit(plan, decision, (nan, nan), confidence, 0, left, *ahead)


def _given(outcomes: Any) -> list[Any]:
    """The outcomes up to the last one that is there."""
    found = list(_checks.entries("outcomes", outcomes, "a sequence of 0 and 1"))
    there = [not _missing(outcome) for outcome in found]
    while there and not there[-1]:
        there.pop()
    if not all(there):
        at = there.index(False)
        accepted = "0, 1, False or True, since later ones are there"
        raise _checks.refuse(f"outcomes[{at}]", found[at], accepted)
    return found[: len(there)]


def _missing(outcome: Any) -> bool:
    if outcome is None or outcome is pd.NA:
        return True
    return isinstance(outcome, float) and outcome != outcome
