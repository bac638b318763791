"""What labelaudit verdict does: verdicts, estimates, groups, inspectors."""

from __future__ import annotations

import argparse
from collections.abc import Hashable
from dataclasses import replace
from math import isnan, nan
from typing import Any

import numpy as np
import pandas as pd

from .._digits import between
from .._words import warn
from ..files.filled import Filled, read
from ..files.sheets import INTERVAL
from ..files.sums import canonical, formula
from ..intervals.proportion import proportion_interval
from ..plans.groups import group_interval
from ..reports import estimates
from ..reports.batch import Audit, audit, line
from ..reports.estimates import Aim
from ..reports.saying import say
from .judged import Judged
from .planned import Design

EXAMPLES = 10  # of disagreements that are listed


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
    if apart:
        lines = []
        for row in apart[:EXAMPLES]:
            words = ["wrong" if wrong else "right" for wrong in row["wrong"]]
            lines.append(say("twice_one", words=words, **row))
        if len(apart) > EXAMPLES:
            lines.append(f"  and {len(apart) - EXAMPLES} more")
        said += " " + say("differed", lines="\n".join(lines))
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
