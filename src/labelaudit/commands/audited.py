"""What labelaudit plan does after the inspection: verdicts, estimates, groups."""

from __future__ import annotations

import argparse
import warnings
from math import isfinite, nan
from typing import Any

import pandas as pd

from .._digits import in_percent, significant
from ..files import sheets
from ..intervals.proportion import proportion_interval
from ..plans.groups import group_interval
from ..plans.plan import Decision
from ..reports.batch import Audit, audit
from ..reports.estimates import Aim, Estimate
from .planned import described, listed_items, table

EXAMPLES = 10  # of disagreements that are listed


def audited(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """What a filled sheet says; what else is given must agree with it."""
    listed = listed_items(options)
    size = options.lot_size if listed is None else len(listed)
    asked = {name: getattr(options, name) for name in sheets.LEVELS}
    asked |= {"half_width": options.half_width, "rate": options.rate}
    asked |= {"lot_size": size, "kind": options.kind, "seed": options.seed}
    asked = {name: str(value) for name, value in asked.items() if value is not None}
    names = None if listed is None else listed.index.tolist()
    filled = sheets.read(options.outcomes, names, asked, options.wrong_words)
    level = options.confidence
    if level is None:
        level = float(filled.told.get("confidence", 0.95))
    if filled.waiting:
        _warn(
            f"step {len(filled.outcomes) + 1} is open, so that {filled.waiting}"
            " judgments after it are not counted yet"
        )
    done = _estimated if filled.kind == sheets.INTERVAL else _decided
    found, lines = done(filled, level)
    if filled.twice:
        found["audit"]["inspectors"], said = _inspectors(filled)
        lines.append(said)
    found["audit"]["groups"] = None
    if options.by is not None:
        groups = _groups(filled, found["audit"], options.by, level, listed)
        found["audit"]["groups"] = groups
        lines.append(_grouped(groups, options.by, level))
        _worse(groups, options.by, filled)
    return found, "\n\n".join(lines)


def _decided(filled: sheets.Filled, level: float) -> tuple[dict[str, Any], list[str]]:
    result = audit(filled.plan, filled.outcomes, confidence=level)
    found = described(filled.plan, filled.kind)
    found["audit"] = outcome(result, filled.kind, filled.seed)
    return found, [table(filled.plan, found), *verdict(result, found)]


def _estimated(filled: sheets.Filled, level: float) -> tuple[dict[str, Any], list[str]]:
    result = Estimate(filled.plan, filled.outcomes, level)
    told, plan = filled.told, filled.plan
    rate = float(told["rate"]) if "rate" in told else None
    asked = float(told["half_width"]), rate, plan.lot_size, float(told["confidence"])
    aim = Aim(*asked)
    found = described(plan, filled.kind, aim.size)
    low, high = result.interval
    found["audit"] = {
        "seed": filled.seed,
        "verdict": result.verdict,
        "inspected": result.inspected,
        "errors_found": result.errors_found,
        "rate": result.rate,
        "confidence": level,
        "low": low,
        "high": high,
        "left": result.left,
        "report": result.report(filled.seed),
    }
    head = f"{result.verdict.upper()}: {result.errors_found} wrong of"
    head += f" {result.inspected} inspected" + _between(low, high, level)
    if isfinite(low) and (high - low) / 2 > asked[0] * (1 + 1e-9):
        _warn(
            f"the half width is {in_percent((high - low) / 2, 3)}, more than the"
            f" {in_percent(asked[0])} that was asked for, since another rate was found"
            f" than the {in_percent(rate or 0)} that was expected"
        )
    return found, [aim.sentences(), head, result.report(filled.seed)]


def outcome(result: Audit, kind: str, seed: int | None) -> dict[str, Any]:
    """An audit, for JSON."""

    def end(decision: Decision | None) -> dict[str, Any] | None:
        if decision is None:
            return None
        return {"verdict": decision.verdict, "inspected": decision.inspected}

    return {
        "seed": seed,
        "verdict": result.decision.verdict,
        "inspected": result.decision.inspected,
        "errors_found": result.decision.errors_found,
        "rate": result.rate,
        "confidence": result.confidence,
        "low": result.interval[0],
        "high": result.interval[1],
        "ignored": result.ignored,
        "left": result.left,
        "if_right": end(result.if_right),
        "if_wrong": end(result.if_wrong),
        "report": result.report(kind=kind, seed=seed),
    }


def verdict(result: Audit, found: dict[str, Any]) -> list[str]:
    """The same for people."""
    decision, (low, high) = result.decision, result.interval
    head = (
        f"{decision.verdict.upper()}: {decision.errors_found} wrong of"
        f" {decision.inspected} inspected"
    )
    return [head + _between(low, high, result.confidence), found["audit"]["report"]]


def _between(low: float, high: float, level: float) -> str:
    if not isfinite(low):
        return ""
    between = f"{in_percent(low)} to {in_percent(high)}"
    return f"; error rate {between}, {in_percent(level, 10)} confidence"


def _warn(words: str) -> None:
    warnings.warn(words, stacklevel=2)


# Several inspectors ---------------------------------------------------------------


def _inspectors(filled: sheets.Filled) -> tuple[dict[str, Any], str]:
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


def _groups(
    filled: sheets.Filled,
    found: dict[str, Any],
    by: str,
    level: float,
    listed: pd.DataFrame | None,
) -> dict[str, dict[str, Any]]:
    """Errors and an interval for each value of a column, at one level together."""
    rows = filled.rows
    if by not in rows.columns or by == "item":
        there = ", ".join(name for name in rows.columns if name != "item")
        raise ValueError(
            f"--by is {by!r}, which is no column of the sheet beside its items; those"
            f" are: {there or 'none'}"
        )
    sizes = filled.sizes(by)
    if sizes is None and listed is not None and by in listed:
        counts = listed[by].fillna("").value_counts(sort=False)
        sizes = {str(k): int(v) for k, v in counts.items()}
    n = found["inspected"]
    seen = rows[by].iloc[:n].to_numpy()
    wrong = pd.Series(filled.outcomes[:n], dtype=float)
    names = list(sizes or rows[by].unique())
    endless = filled.plan.lot_size is None
    if sizes is None and not endless:
        _warn(
            f"the sheet does not say how many items of the batch have which {by}:"
            " intervals of groups are binomial ones, as if each group's sample had had"
            " a fixed size; give the batch by --items"
        )
    share = 1 - (1 - level) / len(names)
    done = found["verdict"] != "continue"
    groups = {}
    for name in names:
        mine = seen == name
        m, y = int(mine.sum()), int(wrong[mine].sum())
        ends = nan, nan
        if done and m == 0:
            ends = 0.0, 1.0
        elif done and (sizes or endless):
            size = sizes[name] if sizes and not endless else None
            x = found["errors_found"]
            ends = group_interval(filled.plan, n, x, size, m, y, share)
        elif done:
            ends = proportion_interval(y, m, confidence=share)
        low, high = map(float, ends)
        groups[str(name)] = {
            "inspected": m,
            "errors_found": y,
            "low": low,
            "high": high,
        }
    return groups


def _grouped(groups: dict[str, dict[str, Any]], by: str, level: float) -> str:
    """For people."""
    rows = [
        {
            by: name or "(none)",
            "inspected": g["inspected"],
            "wrong": g["errors_found"],
            "low": "" if g["low"] != g["low"] else significant(g["low"], 3),
            "high": "" if g["high"] != g["high"] else significant(g["high"], 3),
        }
        for name, g in groups.items()
    ]
    words = pd.DataFrame(rows).to_string(index=False)
    if any(row["low"] == "" for row in rows):
        return f"{words}\nThere is no verdict yet, and so no valid interval."
    return (
        f"{words}\nWith {100 * level:g} % confidence or more all of these intervals for"
        " the error rates are right together."
    )


def _worse(groups: dict[str, dict[str, Any]], by: str, filled: sheets.Filled) -> None:
    """Warn of groups that are worse than the whole may be."""
    levels = filled.plan.levels
    if levels is None:
        return
    for name, g in groups.items():
        if g["low"] > levels.p_r:
            _warn(
                f"{by} {name!r} has an error rate of {in_percent(g['low'], 3)}"
                f" or more, above the {in_percent(levels.p_r, 3)} at which a"
                " whole batch is bad"
            )
