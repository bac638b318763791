"""What labelaudit verdict does: verdicts, estimates, groups, inspectors."""

from __future__ import annotations

import argparse
from collections.abc import Hashable
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import between
from .._words import several, warn
from ..files.filled import Filled, read
from ..files.sheets import INTERVAL
from ..files.strata import called_wrong
from ..files.sums import canonical, formula
from ..intervals.proportion import proportion_interval
from ..intervals.stratified import stratified_interval
from ..plans.groups import group_interval
from ..reports import estimates
from ..reports.batch import Audit, audit, line
from ..reports.estimates import Aim
from ..reports.saying import say
from ..reports.strata import Pair, Strata
from .planned import Design


def audited(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """What a filled sheet says, and more where it is asked for."""
    filled = read(options.sheets, options.wrong_words)
    by = None if options.by is None else _column(filled, options.by)
    level = options.confidence
    if level is None:
        level = float(filled.told.get("confidence", 0.95))
    if filled.waiting:
        step = len(filled.outcomes) + 1
        warn(say("open_step", step=step, waiting=filled.waiting))
    design = _design(filled)
    done = audit(filled.plan, filled.outcomes, confidence=level)
    if design.aim is None and done._sure == "reject":
        warn(say("sure_to_reject", errors=done.decision.errors_found))
    judged = Judged.of(filled)
    if judged is not None:
        design = replace(design, strata=judged.strata)
        done = replace(done, interval=judged.of_whole(done))
    found, result = design.found(), _result(design, done, filled)
    if judged is not None:
        result |= judged.result(done)
    found["audit"] = result
    lines = [line(done, result["verdict"]), result["report"]]
    if filled.twice:
        result["inspectors"], said = _inspectors(filled)
        lines.append(said)
    if by is not None:
        result["groups"] = _groups(filled, done, by, judged)
        lines.append(_grouped(result["groups"], by, level, filled))
    return found, "\n\n".join(lines)


def _design(filled: Filled) -> Design:
    told, aim = filled.told, None
    if filled.kind == INTERVAL:
        rate = float(told["rate"]) if "rate" in told else None
        half_width, level = float(told["half_width"]), float(told["confidence"])
        aim = Aim(half_width, rate, filled.plan.lot_size, level)
    return Design(filled.plan, filled.kind, aim)


def _result(design: Design, done: Audit, filled: Filled) -> dict[str, Any]:
    """What was found, for JSON."""
    verdict = done.decision.verdict
    if design.aim is None:
        report = done.report(kind=filled.kind, seed=filled.seed)
    else:
        verdict = "estimate" if verdict == "accept" else verdict
        report = estimates.report(done, filled.seed)
        _too_wide(design, design.aim, done)
    return {
        "seed": filled.seed,
        "verdict": verdict,
        "inspected": done.decision.inspected,
        "errors_found": done.decision.errors_found,
        "rate": done.rate,
        "confidence": done.confidence,
        "low": done.interval[0],
        "high": done.interval[1],
        "left": done.left,
        "report": report,
        "groups": None,
    }


def _too_wide(design: Design, aim: Aim, done: Audit) -> None:
    half = (done.interval[1] - done.interval[0]) / 2
    if half > aim.half_width * (1 + 1e-9):
        why = say("another_confidence")
        if done.confidence == aim.confidence and design.strata is not None:
            why = say("another_judge")
        elif done.confidence == aim.confidence:
            why = say("another_rate", rate=aim.rate or 0)
        warn(say("too_wide", half=half, asked=aim.half_width, why=why))


# With a judge --------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """A filled sheet's strata, and its steps so far: called wrong, found wrong."""

    strata: Strata
    called: Array
    wrong: Array
    filled: Filled

    @classmethod
    def of(cls, filled: Filled) -> Judged | None:
        """None where the sheet has no judge."""
        called, told = called_wrong(filled), filled.told
        if called is None:
            return None
        suspects, drawn = int(told["suspects"]), int(told["suspects_drawn"])
        whole = int(told["lot_size"]), int(told["max_sample"])
        pairs = (suspects, whole[0] - suspects), (drawn, whole[1] - drawn)
        judge = f"{unquote(told['judge'])}={unquote(told['value'])}"
        wrong = np.array(filled.outcomes, dtype=bool)
        return cls(Strata(judge, *pairs), called[: len(wrong)], wrong, filled)

    def pair(self, chosen: Array) -> Pair:
        """How many of the chosen steps are in each stratum."""
        return int((chosen & self.called).sum()), int((chosen & ~self.called).sum())

    def of_whole(self, done: Audit) -> tuple[float, float]:
        """The interval once all is checked, before that none."""
        if done.left:
            return done.interval
        return self.strata.interval(self.pair(self.wrong), done.confidence)

    def result(self, done: Audit) -> dict[str, Any]:
        """What another rate and report there are."""
        errors, checked = self.pair(self.wrong), self.pair(self.wrong | True)
        found: dict[str, Any] = {"rate": self.strata.rate(errors, checked)}
        if not done.left:
            found["report"] = self.strata.report(done, errors, self.filled.seed)
        return found

    def of_group(
        self, by: str, name: str, mine: Array, confidence: float
    ) -> tuple[float, float]:
        """The interval for a group of the lot; mine : the steps with its items."""
        every, called = (self.filled.sizes(by, k) for k in ("sizes", "suspect_sizes"))
        if every is None or called is None:
            raise ValueError(
                f"--by {by}: the sheet does not say how many items of the batch, and of"
                f" those that the judge calls wrong, have which {by} (a column that was"
                " added, or of very many values); without that these samples give no"
                " interval for a group"
            )
        suspects = called.get(name, 0)
        sizes = suspects, every[name] - suspects
        found = self.pair(mine & self.wrong), self.pair(mine)
        return stratified_interval(*found, sizes, confidence=confidence)


# Several inspectors ---------------------------------------------------------------


def _inspectors(filled: Filled) -> tuple[dict[str, Any], str]:
    """How often two inspectors agreed, and where they did not."""
    rows: list[dict[str, Any]] = [
        {"item": item, "parts": list(to), "wrong": list(both)}
        for item, to, both in filled.twice
    ]
    apart = [row for row in rows if row["wrong"][0] != row["wrong"][1]]
    n, same = len(rows), len(rows) - len(apart)
    said = say("twice", n=n, same=same, share=same / n)
    said += (
        say("differed", items=several(row["item"] for row in apart)) if apart else ""
    )
    return {"judged_twice": n, "agreed": same, "differ": apart}, said


# Groups ---------------------------------------------------------------------------


def _column(filled: Filled, by: str) -> str:
    """The column of --by, whose name may be given as it stands in the file."""
    there = [str(name) for name in filled.rows if name != "item"]
    for name in (by, formula(by)):
        if name in there:
            return name
    raise ValueError(say("no_column", by=by, there=", ".join(there) or "none"))


def _groups(
    filled: Filled, done: Audit, by: str, judged: Judged | None
) -> dict[str, dict[str, Any]]:
    """Errors and an interval for each value of a column, at one level together."""
    plan, n, x = filled.plan, done.decision.inspected, done.decision.errors_found
    values, sizes = filled.rows[by], filled.sizes(by)
    if sizes is not None:
        values = _as_in_the_lot(values, sizes, by)
    elif plan.lot_size is not None and judged is None:
        warn(say("no_sizes", by=by))
    named = list(sizes or values.unique())
    share = 1 - (1 - done.confidence) / len(named)
    seen, wrong = values.iloc[:n].to_numpy(), np.array(filled.outcomes[:n], dtype=bool)
    groups: dict[str, dict[str, Any]] = {}
    for name in named:
        mine = seen == name
        m, y = int(mine.sum()), int(wrong[mine].sum())
        if done.decision.verdict == "continue":
            ends = nan, nan
        elif judged is not None:
            ends = judged.of_group(by, name, mine, share)
        elif m == 0:
            ends = 0.0, 1.0
        elif sizes or plan.lot_size is None:
            size = sizes[name] if sizes else None
            ends = group_interval(plan, n, x, size, m, y, share)
        else:
            ends = proportion_interval(y, m, confidence=share)
        low, high = map(float, ends)
        groups[name] = {"inspected": m, "errors_found": y, "low": low, "high": high}
    return groups


def _as_in_the_lot(values: pd.Series, sizes: dict[str, int], by: str) -> pd.Series:
    """The values as the lot has them; a spreadsheet may have written 7 for 007."""
    forms = [*map(canonical, sizes)]
    for value in {*values} - {*sizes}:
        if forms.count(canonical(value)) != 1:
            raise ValueError(say("several_values", by=by, value=value))
    names: dict[Hashable, str] = dict(zip(forms, sizes))
    return values.map(lambda v: v if v in sizes else names[canonical(v)])


def _grouped(
    groups: dict[str, dict[str, Any]], by: str, level: float, filled: Filled
) -> str:
    """For people, with a warning of groups that are worse than the whole may be."""
    rows, end, levels = [], "no_verdict", filled.plan.levels
    for name, g in groups.items():
        low = high = ""
        if not isnan(g["low"]):
            low, high = between(g["low"], g["high"], g["errors_found"])
            end = "together"
        if levels is not None and g["low"] > levels.p_r:
            warn(say("worse", by=by, name=name, low=low, bad=levels.p_r))
        row = {by: name or "(none)", "inspected": g["inspected"]}
        row |= {"wrong": g["errors_found"], "error rate from": low, "to": high}
        rows.append(row)
    words = pd.DataFrame(rows).to_string(index=False)
    return f"{words}\n{say(end, level=level)}"
