"""From a plan to a verdict: what the outcomes say.

An audit is a plan with the outcomes so far, of which sentences of lots.toml ask.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING
from math import nan
from typing import Any, ClassVar

import pandas as pd

from .. import _checks
from .._digits import between, counted
from ..plans.evaluation import reachable
from ..plans.plan import Decision, SamplingPlan, checked_plan
from .saying import say


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
    paragraph: ClassVar[str] = "report"  # the sentences of lots.toml

    @property
    def rate(self) -> float:
        """The share found wrong among those inspected; NaN where none was.

        A plan stops because of what it saw, so that this is a biased estimate of
        the error rate; the interval is not.
        """
        n = self.decision.inspected
        return self.decision.errors_found / n if n else nan

    @property
    def verdict(self) -> str:
        """The decision's."""
        return self.decision.verdict

    @property
    def sure(self) -> str:
        """The verdict that any outcome leads to, where none is there yet; or empty."""
        ends = {end.verdict for end in (self.if_right, self.if_wrong) if end}
        return ends.pop() if len(ends) == 1 else ""

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
        drawn = "" if seed is None else str(_checks.whole_seed(seed))
        told = {"what": say("what", plan=self.plan), "accept": self.sure == "accept"}
        told |= {"an": kind[:1] in {*"aeiou"}, "kind": kind, "seed": drawn}
        return self._say(self.paragraph, name=name, **told)

    def _say(self, sentence: str, **more: Any) -> str:
        """One of lots.toml, with numbers of the digits that they carry."""
        plan, levels, done = self.plan, self.plan.levels, self.decision
        ends, beyond = between(*self.interval, done.errors_found), ""
        if self.verdict == "accept" and levels and self.interval[1] > levels.p_r:
            risk = max(levels.beta, plan.consumers_risk or 0)
            passes = counted(risk, 0, ROUND_CEILING)
            beyond = say("beyond", bad=levels.p_r, passes=passes)
        more |= {"share": counted(self.rate, done.errors_found), "ends": ends}
        more["errors"] = levels and levels.errors(plan.lot_size)
        more["counts"] = [end * (plan.lot_size or 0) for end in self.interval]
        ahead = filter(None, (self.if_right, self.if_wrong))
        more["ahead"] = [end.inspected - done.inspected for end in ahead]
        return say(sentence, of=self, plan=plan, beyond=beyond, **more)

    def line(self) -> str:
        """The verdict in one line, for people; it says why where it looks odd.

        Examples
        --------
        >>> import labelaudit as la
        >>> plan = la.curtail(la.single_plan(la.RELAXED, lot_size=1000))
        >>> la.audit(plan, [0] * 10).line()
        'CONTINUE: 0 wrong of 10 inspected; at most 235 are left'
        """
        return self._say("line", verdict=(self.sure or self.verdict).upper())


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
    there = pd.Series(found, dtype=object).dropna().index
    if len(there) and len(there) <= there[-1]:
        at = next(k for k, here in enumerate(there) if k < here)
        accepted = "0, 1, False or True, since later ones are there"
        raise _checks.refuse(f"outcomes[{at}]", found[at], accepted)
    return found[: len(there)]
