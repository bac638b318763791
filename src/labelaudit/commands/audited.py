"""What labelaudit verdict does: verdicts, estimates, groups, inspectors."""

import argparse
from collections import Counter
from collections.abc import Hashable
from dataclasses import asdict, replace
from math import isnan, nan
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd

from .._digits import between
from .._words import several, warn
from ..files.filled import Filled, read
from ..files.sheets import ESTIMATE
from ..files.sums import canonical, formula
from ..intervals.proportion import proportion_interval
from ..intervals.stratified import stratified_interval
from ..plans.groups import group_interval
from ..reports.batch import Audit, audit
from ..reports.estimates import Aim, Strata, estimate, pair
from ..reports.saying import say
from .planned import Design

GROUPED = "inspected", "wrong", "error rate from", "to"  # columns, as people read them


def audited(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """What a filled sheet says, and more where it is asked for."""
    filled = read(options.sheets, options.wrong_words)
    by = None if options.by is None else _column(filled, options.by)
    if filled.lacking:
        warn(say("no_part", parts=several(filled.lacking), of=filled.told["parts"]))
    design, level = _design(filled), options.confidence
    if level is None:
        level = getattr(design, "confidence", 0.95)
    done = audit(filled.plan, filled.outcomes, confidence=level)
    if done.verdict != "continue":
        done = replace(done, ignored=done.ignored + filled.waiting)
    elif filled.waiting:
        warn(say("open_step", step=len(filled.outcomes) + 1, waiting=filled.waiting))
    if isinstance(design, Aim):
        done = estimate(design, done, filled.outcomes, filled.called)
    result = _result(done, filled)
    lines = [done.line(), result["report"]]
    if filled.twice:
        result["inspectors"], said = _inspectors(filled)
        lines.append(said)
    if by is not None:
        result["groups"] = _groups(filled, done, by)
        lines.append(_grouped(result["groups"], by, done))
    return design.found | {"audit": result}, "\n\n".join(lines)


def _design(filled: Filled) -> Design | Aim:
    """What the sheet was written for."""
    told, plan = filled.told, filled.plan
    if filled.kind != Aim.kind:
        return Design(plan, filled.kind)
    strata = None
    if "judge" in told:
        judge = f"{unquote(told['judge'])}={unquote(told['value'])}"
        suspects, drawn = int(told["suspects"]), int(told["suspects_drawn"])
        sizes = suspects, int(told["lot_size"]) - suspects
        strata = Strata(judge, sizes, (drawn, plan.max_sample - drawn))
    numbers = {name: float(told[name]) for name in ESTIMATE if name in told}
    return Aim(**numbers, lot_size=plan.lot_size, strata=strata)


def _result(done: Audit, filled: Filled) -> dict[str, Any]:
    """What was found, for JSON."""
    return {
        "seed": filled.seed,
        **asdict(done.decision),
        "certain": done.sure or None,
        "rate": done.rate,
        "confidence": done.confidence,
        "low": done.interval[0],
        "high": done.interval[1],
        "left": done.left,
        "report": done.report(kind=filled.kind, seed=filled.seed),
        "groups": None,
    }


# Several inspectors ---------------------------------------------------------------


def _inspectors(filled: Filled) -> tuple[dict[str, Any], str]:
    """How often two inspectors agreed, and where they did not."""
    apart = [one for one in filled.twice if one["wrong"][0] != one["wrong"][1]]
    n, same = len(filled.twice), len(filled.twice) - len(apart)
    items = several(one["item"] for one in apart)
    said = say("twice", n=n, same=same, share=same / n, items=items)
    return {"judged_twice": n, "agreed": same, "differ": apart}, said


# Groups ---------------------------------------------------------------------------


def _column(filled: Filled, by: str) -> str:
    """The column of --by, whose name may be given as it stands in the file."""
    there = [str(name) for name in filled.rows if name != "item"]
    for name in (by, formula(by)):
        if name in there:
            return name
    raise ValueError(say("no_column", by=by, there=", ".join(there) or "none"))


def _groups(filled: Filled, done: Audit, by: str) -> dict[str, dict[str, Any]]:
    """Errors and an interval for each value of a column, at one level together."""
    plan, n, x = filled.plan, done.decision.inspected, done.decision.errors_found
    values, sizes, called = filled.rows[by], filled.sizes(by), filled.called
    suspects = filled.sizes(by, "suspect_sizes")
    early = len(plan.stages) > 1
    if sizes is not None:
        values = _as_in_the_lot(values, sizes, by)
    elif called is None and (early or plan.lot_size is not None):
        warn(say("no_sizes", by=by, early=early))
    named = list(sizes or values.unique())
    share = 1 - (1 - done.confidence) / len(named)
    seen, wrong = values.iloc[:n].to_numpy(), np.array(filled.outcomes[:n], dtype=bool)
    groups: dict[str, dict[str, Any]] = {}
    for name in named:
        mine = seen == name
        m, y = int(mine.sum()), int(wrong[mine].sum())
        low, high = nan, nan
        if done.verdict == "continue":
            pass
        elif called is not None:
            if sizes is None or suspects is None:
                raise ValueError(say("no_group", by=by))
            bad = suspects.get(name, 0)
            found = pair(mine & wrong, called[:n]), pair(mine, called[:n])
            both = bad, sizes[name] - bad
            low, high = stratified_interval(*found, both, confidence=share)
        elif sizes:
            low, high = group_interval(plan, n, x, sizes[name], m, y, share)
        elif not m:
            low, high = 0.0, 1.0
        elif not early:
            low, high = proportion_interval(y, m, confidence=share)
        groups[name] = {"inspected": m, "errors_found": y, "low": low, "high": high}
    return groups


def _as_in_the_lot(values: pd.Series, sizes: dict[str, int], by: str) -> pd.Series:
    """The values as the lot has them; a spreadsheet may have written 7 for 007.

    Refused where it may have made one of several: of these only one is left, or more
    rows have it than items of the lot.
    """
    forms, often = [*map(canonical, sizes)], values.value_counts()
    left = Counter(map(canonical, often.index))
    for value, times in often.items():
        form = canonical(value)
        lost = value not in sizes or left[form] == 1
        if (lost and forms.count(form) != 1) or times > sizes.get(value, times):
            raise ValueError(say("several_values", by=by, value=value))
    names: dict[Hashable, str] = dict(zip(forms, sizes))
    return values.map(lambda v: v if v in sizes else names[canonical(v)])


def _grouped(groups: dict[str, dict[str, Any]], by: str, done: Audit) -> str:
    """For people, with a warning of groups that are worse than the whole may be."""
    rows, levels = [], done.plan.levels
    for name, g in groups.items():
        low = high = ""
        if not isnan(g["low"]):
            low, high = between(g["low"], g["high"], g["errors_found"])
        if levels is not None and g["low"] > levels.p_r:
            warn(say("worse", by=by, name=name or "(none)", low=low, bad=levels.p_r))
        rows.append([name or "(none)", g["inspected"], g["errors_found"], low, high])
    table = pd.DataFrame(rows, columns=[by, *GROUPED]).to_string(index=False)
    return say("groups", table=table, some=any(row[-1] for row in rows), of=done)
