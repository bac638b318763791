"""What labelaudit plan does: a sampling plan, its sheet and its verdict."""

from __future__ import annotations

import argparse
import secrets
import warnings
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any

import pandas as pd

from .._digits import significant
from ..files import sheets
from ..plans.double import double_plan
from ..plans.draw import DRAW, inspection_sheet
from ..plans.levels import QualityLevels
from ..plans.optimal.search import optimal_plan
from ..plans.plan import Decision, SamplingPlan
from ..plans.sequential import sequential_plan
from ..plans.single import single_plan
from ..reports.batch import Audit, audit
from .told import as_json, complain, note

DESIGNS: dict[str, Callable[..., SamplingPlan]] = {
    "single": single_plan,
    "double": double_plan,
    "sequential": sequential_plan,
    "optimal": optimal_plan,
}

SEEDS = 10**9  # a seed that is drawn is smaller


def run(options: argparse.Namespace) -> int:
    remarks: list[str] = []

    def remark(message: Warning | str, *_: Any, **__: Any) -> None:
        remarks.append(str(message))
        if not options.json:
            note(remarks[-1])  # at once: what follows may take minutes

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = remark
            found, text = (_audited if options.outcomes else _planned)(options)
    except ValueError as error:
        return complain(f"plan: {error}", 2)
    except FileExistsError as error:
        return complain(f"plan: {error}; give --sheet another name", 2)
    except OSError as error:
        return complain(f"plan: cannot write {options.sheet}: {error.strerror}", 2)
    print(as_json(found | {"notes": remarks}) if options.json else text)
    return 0


def _listed(options: argparse.Namespace) -> pd.DataFrame | None:
    """The lot's items; its size must be the one that was given, if any."""
    if options.items is None:
        return None
    listed = sheets.items(options.items, options.item)
    if options.lot_size not in (None, len(listed)):
        raise ValueError(
            f"--lot-size is {options.lot_size}, but {options.items} has {len(listed)}"
            " items"
        )
    return listed


def _planned(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """A plan, and its sheet where one is asked for."""
    levels = QualityLevels(*(getattr(options, name) for name in sheets.LEVELS))
    listed = _listed(options)
    size = options.lot_size if listed is None else len(listed)
    kind = options.kind or "single"
    plan = DESIGNS[kind](levels, size)
    found = described(plan, kind)
    lines = [table(plan, found)]
    if options.sheet:
        found["sheet"] = _sheet(options, plan, kind, listed)
        lines += [_to_do(options.sheet, found["sheet"])]
    return found, "\n".join(lines)


def _sheet(
    options: argparse.Namespace,
    plan: SamplingPlan,
    kind: str,
    listed: pd.DataFrame | None,
) -> dict[str, Any]:
    """Write the sheet; say where it is, and how it was drawn."""
    seed = options.seed
    if plan.lot_size is None:
        seed = None  # units of a process are not drawn
    elif seed is None:
        seed = secrets.randbelow(SEEDS)
    names = None if listed is None else listed.index
    sheet = inspection_sheet(plan, names, seed=seed)
    told = sheets.about(plan, kind=kind, seed=seed, listed=listed is not None)
    separator = ";" if options.semicolons else ","
    sheets.write(options.sheet, sheet, told, listed, separator)
    return {
        "path": str(options.sheet),
        "rows": len(sheet),
        "seed": seed,
        "draw": None if seed is None else DRAW,
    }


def _to_do(path: Path, sheet: dict[str, Any]) -> str:
    drawn = "in the order of production"
    if sheet["seed"] is not None:
        drawn = f"drawn with seed {sheet['seed']}"
    return (
        f"\nwrote {path}: {sheet['rows']} items, {drawn}. From the top down, write 1"
        " (or yes, x)\nin its column wrong where an item is wrong and 0 (or no) where"
        " it is right, until a\nlimit is reached. Then, or at any time before:"
        f"\n  labelaudit plan --outcomes {path}"
    )


def _audited(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """What a filled sheet says; what else is given must agree with it."""
    listed = _listed(options)
    size = options.lot_size if listed is None else len(listed)
    asked = {name: getattr(options, name) for name in sheets.LEVELS}
    asked |= {"lot_size": size, "kind": options.kind, "seed": options.seed}
    asked = {name: str(value) for name, value in asked.items() if value is not None}
    names = None if listed is None else listed.index.tolist()
    filled = sheets.read(options.outcomes, names, asked)
    confidence = 0.95 if options.confidence is None else options.confidence
    result = audit(filled.plan, filled.outcomes, confidence=confidence)
    found = described(filled.plan, filled.kind)
    found["audit"] = outcome(result, filled.kind, filled.seed)
    return found, "\n\n".join([table(filled.plan, found), verdict(result, found)])


def described(plan: SamplingPlan, kind: str) -> dict[str, Any]:
    """What a plan is and does, for JSON."""
    levels = plan.levels
    assert levels is not None
    at = plan.average_sample_number(levels.errors(plan.lot_size))
    return {
        "kind": kind,
        "lot_size": plan.lot_size,
        "levels": {name: getattr(levels, name) for name in sheets.LEVELS},
        "max_sample": plan.max_sample,
        "stages": plan.stages.to_dict(orient="records"),
        "producers_risk": plan.producers_risk,
        "consumers_risk": plan.consumers_risk,
        "average_sample_number": {"p_a": float(at[0]), "p_r": float(at[1])},
    }


def table(plan: SamplingPlan, found: dict[str, Any]) -> str:
    """The same for people: the plan's own words, and what it inspects."""
    at_a, at_r = found["average_sample_number"].values()
    lines = [repr(plan)]
    lines.append(
        f"  inspects {significant(at_a, 4)} on average at p_a,"
        f" {significant(at_r, 4)} at p_r"
    )
    return "\n".join(lines)


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


def verdict(result: Audit, found: dict[str, Any]) -> str:
    """The same for people."""
    decision, (low, high) = result.decision, result.interval
    lines = [
        f"{decision.verdict.upper()}: {decision.errors_found} wrong of"
        f" {decision.inspected} inspected"
    ]
    if isfinite(low):
        lines[0] += (
            f"; error rate {significant(low, 4)} to {significant(high, 4)},"
            f" {100 * result.confidence:g} % confidence"
        )
    return "\n\n".join([*lines, found["audit"]["report"]])
