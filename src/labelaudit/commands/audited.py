"""What labelaudit verdict does: verdicts, estimates, groups, inspectors."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Hashable
from math import isfinite, isnan, nan
from typing import Any

import pandas as pd

from .._digits import between, in_percent
from ..files.filled import Filled, read
from ..files.sheets import INTERVAL
from ..files.sums import canonical, formula
from ..intervals.proportion import proportion_interval
from ..plans.groups import group_interval
from ..plans.plan import Decision
from ..reports.batch import audit, line
from ..reports.estimates import Aim, Estimate
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
        _warn(
            f"step {len(filled.outcomes) + 1} is open, so that {filled.waiting}"
            " judgments after it are not counted yet"
        )
    done = _estimated if filled.kind == INTERVAL else _decided
    found, lines = done(filled, level)
    result = found["audit"] | {"seed": filled.seed, "confidence": level, "groups": None}
    if filled.twice:
        result["inspectors"], said = _inspectors(filled)
        lines.append(said)
    if by is not None:
        result["groups"] = _groups(filled, result, by, level)
        lines.append(_grouped(result["groups"], by, level))
        _worse(result["groups"], by, filled)
    return found | {"audit": result}, "\n\n".join(lines)


def _decided(filled: Filled, level: float) -> tuple[dict[str, Any], list[str]]:
    result = audit(filled.plan, filled.outcomes, confidence=level)
    report = result.report(kind=filled.kind, seed=filled.seed)

    def end(decision: Decision | None) -> dict[str, Any] | None:
        if decision is None:
            return None
        return {"verdict": decision.verdict, "inspected": decision.inspected}

    found = Design(filled.plan, filled.kind).found()
    found["audit"] = {
        "verdict": result.decision.verdict,
        "inspected": result.decision.inspected,
        "errors_found": result.decision.errors_found,
        "rate": result.rate,
        "low": result.interval[0],
        "high": result.interval[1],
        "ignored": result.ignored,
        "left": result.left,
        "if_right": end(result.if_right),
        "if_wrong": end(result.if_wrong),
        "report": report,
    }
    return found, [line(result), report]


def _estimated(filled: Filled, level: float) -> tuple[dict[str, Any], list[str]]:
    told, size = filled.told, filled.plan.lot_size
    rate = float(told["rate"]) if "rate" in told else None
    aim = Aim(float(told["half_width"]), rate, size, float(told["confidence"]))
    result = Estimate(filled.plan, filled.outcomes, level)
    report = result.report(filled.seed)
    low, high = result.interval
    found = Design(filled.plan, INTERVAL, aim).found()
    found["audit"] = {
        "verdict": result.verdict,
        "inspected": result.inspected,
        "errors_found": result.errors_found,
        "rate": result.rate,
        "low": low,
        "high": high,
        "left": result.left,
        "report": report,
    }
    half = (high - low) / 2
    if isfinite(half) and half > aim.half_width * (1 + 1e-9):
        why = "another confidence was asked for then"
        if level == aim.confidence:
            why = f"another rate was found than the {in_percent(rate or 0)} expected"
        _warn(
            f"the half width is {in_percent(half, 3)}, more than the"
            f" {in_percent(aim.half_width)} that was asked for, since {why}"
        )
    return found, [result.line(), report]


def _warn(words: str) -> None:
    warnings.warn(words, stacklevel=2)


# Several inspectors ---------------------------------------------------------------


def _inspectors(filled: Filled) -> tuple[dict[str, Any], str]:
    """How often two inspectors agreed, and where they did not."""
    rows = [
        {"item": item, "parts": list(to), "wrong": list(both)}
        for item, to, both in filled.twice
    ]
    apart = [row for row in rows if row["wrong"][0] != row["wrong"][1]]
    n, same = len(rows), len(rows) - len(apart)
    said = f"{n} items were judged by two inspectors, who agreed on {same}"
    said += f" ({in_percent(same / n, 3)})."
    if apart:
        said += " They differed on:"
        for row in apart[:EXAMPLES]:
            words = ["wrong" if w else "right" for w in row["wrong"]]
            pairs = (f"part {p}: {w}" for p, w in zip(row["parts"], words))
            said += f"\n  {row['item']} ({', '.join(pairs)})"
        if len(apart) > EXAMPLES:
            said += f"\n  and {len(apart) - EXAMPLES} more"
        said += "\nThe judgment of the part named first counts."
    return {"judged_twice": n, "agreed": same, "differ": apart}, said


# Groups ---------------------------------------------------------------------------


def _column(filled: Filled, by: str) -> str:
    """The column of --by, whose name may be given as it stands in the file."""
    there = [str(name) for name in filled.rows if name != "item"]
    for name in (by, formula(by)):
        if name in there:
            return name
    raise ValueError(
        f"--by is {by!r}, which is no column of the sheet beside its items; those"
        f" are: {', '.join(there) or 'none'}"
    )


def _groups(
    filled: Filled, found: dict[str, Any], by: str, level: float
) -> dict[str, dict[str, Any]]:
    """Errors and an interval for each value of a column, at one level together."""
    n, sizes, plan = found["inspected"], filled.sizes(by), filled.plan
    values = filled.rows[by]
    if sizes is not None:  # a spreadsheet may have written 7 for 007
        names: dict[str, Hashable] = {canonical(name): name for name in sizes}
        values = values.map(lambda v: v if v in sizes else names[canonical(v)])
    elif plan.lot_size is not None:
        _warn(
            f"the sheet does not say how many items of the batch have which {by}:"
            " intervals of groups are binomial ones, as if each group's sample had had"
            " a fixed size"
        )
    groups: dict[str, dict[str, Any]] = {}
    named = list(sizes or values.unique())
    share = 1 - (1 - level) / len(named)
    seen = values.iloc[:n].to_numpy()
    wrong = pd.Series(filled.outcomes[:n], dtype=float)
    for name in named:
        mine = seen == name
        m, y = int(mine.sum()), int(wrong[mine].sum())
        ends = nan, nan
        if found["verdict"] != "continue":
            if m == 0:
                ends = 0.0, 1.0
            elif sizes or plan.lot_size is None:
                size, x = sizes[name] if sizes else None, found["errors_found"]
                ends = group_interval(plan, n, x, size, m, y, share)
            else:
                ends = proportion_interval(y, m, confidence=share)
        low, high = map(float, ends)
        groups[name] = {"inspected": m, "errors_found": y, "low": low, "high": high}
    return groups


def _grouped(groups: dict[str, dict[str, Any]], by: str, level: float) -> str:
    """For people."""
    rows = []
    for name, g in groups.items():
        row = {by: name or "(none)", "inspected": g["inspected"]}
        row["wrong"], ends = g["errors_found"], ("", "")
        if not isnan(g["low"]):
            ends = between(g["low"], g["high"], g["errors_found"])
        rows.append(row | {"error rate from": ends[0], "to": ends[1]})
    words = pd.DataFrame(rows).to_string(index=False)
    if any(isnan(g["low"]) for g in groups.values()):
        return f"{words}\nThere is no verdict yet, and so no valid interval."
    return (
        f"{words}\nWith {in_percent(level, 10)} confidence or more all of these"
        " intervals are right together."
    )


def _worse(groups: dict[str, dict[str, Any]], by: str, filled: Filled) -> None:
    """Warn of groups that are worse than the whole may be."""
    levels = filled.plan.levels
    for name, g in groups.items():
        if levels is not None and g["low"] > levels.p_r:
            low, _ = between(g["low"], g["high"], g["errors_found"])
            _warn(
                f"{by} {name!r} has an error rate of {low} or more, above the"
                f" {in_percent(levels.p_r)} at which a whole batch is bad"
            )
