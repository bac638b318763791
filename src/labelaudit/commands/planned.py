"""What labelaudit plan does before the inspection: plans and sheets."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from .._digits import significant
from ..files import lots, sheets
from ..plans.double import double_plan
from ..plans.draw import DRAW, inspection_sheet
from ..plans.levels import QualityLevels
from ..plans.optimal.search import optimal_plan
from ..plans.plan import SamplingPlan
from ..plans.sequential import sequential_plan
from ..plans.single import single_plan
from ..reports.estimates import Aim

DESIGNS: dict[str, Callable[..., SamplingPlan]] = {
    "single": single_plan,
    "double": double_plan,
    "sequential": sequential_plan,
    "optimal": optimal_plan,
}

SEEDS = 10**9  # a seed that is drawn is smaller


def listed_items(options: argparse.Namespace) -> pd.DataFrame | None:
    """The lot's items; its size must be the one that was given, if any."""
    if options.items is None:
        return None
    (path,) = options.items
    listed = lots.items(path, options.item)
    if options.lot_size not in (None, len(listed)):
        raise ValueError(
            f"--lot-size is {options.lot_size}, but {path} has {len(listed)} items"
        )
    return listed


# One batch, or several ------------------------------------------------------------


@dataclass(frozen=True)
class Design:
    """A plan for one batch, and what is told of it."""

    plan: SamplingPlan
    kind: str
    aim: Aim | None = None  # of an estimate

    def found(self) -> dict[str, Any]:
        return described(self.plan, self.kind, self.aim and self.aim.size)

    def sentences(self) -> str:
        if self.aim is not None:
            return self.aim.sentences()
        return table(self.plan, self.found())


def planned(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Plans, and their sheets where they are asked for."""
    kind = options.kind or "single"

    @cache
    def design(size: int | None) -> Design:
        if kind == sheets.INTERVAL:
            level = 0.95 if options.confidence is None else options.confidence
            aim = Aim(options.half_width, options.rate, size, level)
            return Design(aim.plan, kind, aim)
        levels = QualityLevels(*(getattr(options, name) for name in sheets.LEVELS))
        return Design(DESIGNS[kind](levels, size), kind)

    if options.batch is None and len(options.items or []) < 2:
        listed = listed_items(options)
        size = options.lot_size if listed is None else len(listed)
        return _one(options, design(size), listed)
    return _several(options, design)


def _one(
    options: argparse.Namespace, design: Design, listed: pd.DataFrame | None
) -> tuple[dict[str, Any], str]:
    found, lines = design.found(), [design.sentences()]
    if options.sheet:
        drawn = _drawn(options, design, listed, options.seed)
        dealt = None
        if options.inspectors is not None:
            dealt = _inspectors(options, design.plan), options.overlap or 0.0
        separator = ";" if options.semicolons else ","
        paths = sheets.write(options.sheet, *drawn[:3], separator, dealt)
        found["sheet"] = _told(paths, *drawn)
        lines.append(_to_do(found["sheet"], limits=design.aim is None))
    return found, "\n".join(lines)


def _inspectors(options: argparse.Namespace, plan: SamplingPlan) -> int:
    count, most = options.inspectors, plan.max_sample
    if not 2 <= count <= most:
        raise ValueError(
            f"--inspectors is {count}; it may be from 2 to {most}, the steps of this"
            " plan; for one, leave it out"
        )
    if options.overlap is not None and not 0 <= options.overlap <= 1:
        raise ValueError(
            f"--overlap is {options.overlap}; it may be a share from 0 to 1"
        )
    return int(count)


def _several(
    options: argparse.Namespace, design: Callable[[int], Design]
) -> tuple[dict[str, Any], str]:
    """A plan for each batch; sheets for all of them or none."""
    batches = lots.batches(options.items, options.item, options.batch)
    designs = {}
    for name, listed in batches.items():
        try:
            designs[name] = design(len(listed))
        except ValueError as error:
            raise ValueError(f"batch {name!r}: {error}") from None
    found, drawn = [], {}
    seed = options.seed
    if options.sheet and seed is None:
        seed = secrets.randbelow(SEEDS)
    for k, (name, one) in enumerate(designs.items()):
        entry = {"name": name} | one.found()
        if options.sheet:
            path = options.sheet
            path = path.with_name(f"{path.stem}-{lots.safe(name)}{path.suffix}")
            drawn[path] = _drawn(options, one, batches[name], seed + k)
            entry["sheet"] = _told([path], *drawn[path])
        found.append(entry)
    if drawn:
        separator = ";" if options.semicolons else ","
        sheets.write_all({p: sheets.text(*d[:3], separator) for p, d in drawn.items()})
    summary = {
        "batches": len(found),
        "items": sum(map(len, batches.values())),
        "max_sample": sum(one.plan.max_sample for one in designs.values()),
    }
    return {"batches": found, "summary": summary}, _summary(found, summary)


def _summary(found: list[dict[str, Any]], summary: dict[str, int]) -> str:
    """A line for each batch, and one for all."""
    rows = []
    for one in found:
        row = {"batch": one["name"], "items": one["lot_size"]}
        row["at most"] = one["max_sample"]
        asn = one["average_sample_number"]
        row |= {f"average at {k}": significant(v, 4) for k, v in (asn or {}).items()}
        if "sheet" in one:
            row["sheet"] = one["sheet"]["path"]
        rows.append(row)
    words = pd.DataFrame(rows).to_string(index=False)
    said = (
        f"{words}\n\n{summary['batches']} batches, {summary['items']:,} items, at most"
        f" {summary['max_sample']:,} inspections"
    )
    if "sheet" in found[0]:
        said += (
            "\nFill in each sheet's column wrong from the top down, until a limit is"
            " reached. Then:\n  labelaudit plan --outcomes"
            f" {found[0]['sheet']['path']}"
        )
    return said


# Sheets ---------------------------------------------------------------------------


def _drawn(
    options: argparse.Namespace,
    design: Design,
    listed: pd.DataFrame | None,
    seed: int | None,
) -> tuple[pd.DataFrame, dict[str, str], pd.DataFrame | None, int | None]:
    """A sheet, what it says, its list and its seed."""
    plan = design.plan
    if plan.lot_size is None:
        seed = None  # units of a process are not drawn
    elif seed is None:
        seed = secrets.randbelow(SEEDS)
    names = None if listed is None else listed.index
    sheet = inspection_sheet(plan, names, seed=seed)
    estimate = None
    if design.aim is not None:
        estimate = {name: getattr(design.aim, name) for name in sheets.ESTIMATE}
    told = sheets.about(
        plan,
        kind=design.kind,
        seed=seed,
        listed=listed is not None,
        lot=listed,
        estimate=estimate,
    )
    return sheet, told, listed, seed


def _told(
    paths: list[Path],
    sheet: pd.DataFrame,
    told: dict[str, str],
    listed: pd.DataFrame | None,
    seed: int | None,
) -> dict[str, Any]:
    """Where a sheet is, and how it was drawn."""
    found = {
        "path": str(paths[0]),
        "rows": len(sheet),
        "seed": seed,
        "draw": None if seed is None else DRAW,
    }
    if len(paths) > 1:
        found["parts"] = [str(path) for path in paths[1:]]
    return found


def _to_do(sheet: dict[str, Any], limits: bool) -> str:
    drawn = "in the order of production"
    if sheet["seed"] is not None:
        drawn = f"drawn with seed {sheet['seed']}"
    said = f"\nwrote {sheet['path']}: {sheet['rows']} items, {drawn}. "
    fill = (
        "write 1 (or yes, x)\nin {its} column wrong where an item is wrong and 0 (or"
        " no) where it is right"
    )
    if "parts" in sheet:
        parts = sheet["parts"]
        return (
            f"{said}Its parts, one for each\ninspector, are filled in whole:"
            f" {fill.format(its='their')}. Then:"
            f"\n  labelaudit plan --outcomes {' '.join(parts)}"
        )
    end = ", until a\nlimit is reached" if limits else ",\nto the end"
    return (
        f"{said}From the top down, {fill.format(its='its')}{end}."
        f" Then, or at any time before:\n  labelaudit plan --outcomes {sheet['path']}"
    )


# What is told of a plan -----------------------------------------------------------


def described(plan: SamplingPlan, kind: str, size: Any | None = None) -> dict[str, Any]:
    """What a plan is and does, for JSON."""
    levels = plan.levels
    found: dict[str, Any] = {"kind": kind, "lot_size": plan.lot_size}
    if levels is None:
        nothing = dict.fromkeys(
            ("stages", "producers_risk", "consumers_risk", "average_sample_number")
        )
        found |= {"levels": None, "max_sample": plan.max_sample, **nothing}
        if size is not None:
            found["sample_size"] = {"first": size.first, "stable": size.stable}
        return found
    at = plan.average_sample_number(levels.errors(plan.lot_size))
    return found | {
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
