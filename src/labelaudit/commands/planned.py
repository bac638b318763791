"""What labelaudit plan and labelaudit estimate do: plans, samples, and their sheets."""

import argparse
import secrets
import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from decimal import ROUND_DOWN, Decimal
from functools import cache, cached_property
from math import ceil, expm1, log, log1p
from pathlib import Path
from typing import Any

import pandas as pd

from .._checks import LEAST_RISK, fraction
from .._digits import significant
from ..files import lots, outputs, sheets
from ..plans.double import double_plan
from ..plans.draw import DRAW, inspection_sheet
from ..plans.levels import QualityLevels
from ..plans.optimal.search import optimal_plan
from ..plans.plan import SamplingPlan
from ..plans.sequential import sequential_plan
from ..plans.single import single_plan
from ..reports.estimates import Aim, Strata
from ..reports.saying import say

DESIGNS: dict[str, Callable[..., SamplingPlan]] = {
    "single": single_plan,
    "double": double_plan,
    "sequential": sequential_plan,
    "optimal": optimal_plan,
}

SEEDS = 10**9  # a seed that is drawn is smaller


@dataclass(frozen=True)
class Design:
    """A plan for a batch, and what is told of it, as `Aim` tells it of a sample."""

    plan: SamplingPlan
    kind: str

    @cached_property
    def found(self) -> dict[str, Any]:
        """For JSON."""
        plan: Any = self.plan  # of a call, or of its sheet: it has levels
        levels = plan.levels
        asn = plan.average_sample_number(levels.errors(plan.lot_size))
        return {
            "kind": self.kind,
            "lot_size": plan.lot_size,
            "levels": asdict(levels),
            "max_sample": plan.max_sample,
            "stages": plan.stages.to_dict(orient="records"),
            "producers_risk": plan.producers_risk,
            "consumers_risk": plan.consumers_risk,
            "average_sample_number": dict(zip(("p_a", "p_r"), asn)),
        }

    def sentences(self) -> str:
        """For people."""
        return say("plan", plan=self.plan, asn="ASN" in self.plan.note, **self.found)


@dataclass
class Batch:
    """What is sampled from, and where its sheet and the parts of it are written; then
    the design for it, and what is found, for JSON."""

    name: str | None  # where there are several
    items: Any  # a DataFrame, or None
    size: int | None
    paths: list[Path]
    design: Design | Aim = field(init=False)
    found: dict[str, Any] = field(init=False)


def planned(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """A plan for each batch, and its sheet where one is asked for."""
    batches, kind = _batches(options), options.kind
    p_a, *others = (getattr(options, name) for name in sheets.LEVELS)
    levels = QualityLevels(p_a or LEAST_RISK, *others)  # what else is wrong comes first
    if p_a == 0:
        raise ValueError(_no_errors(levels, batches))
    once = cache(lambda n: Design(DESIGNS[kind](levels, n), kind))
    return _answer(options, batches, lambda one: once(one.size))


def estimated(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """A sample for each batch, and its sheet where one is asked for."""
    batches = _batches(options)
    once = cache(lambda n: Aim(options.half_width, options.rate, n, options.confidence))

    def design(one: Batch) -> Aim:
        """With a judge, a sample of what it calls wrong and one of the rest."""
        aim, judge = once(one.size), options.judge
        if judge is None:
            return aim
        suspects = int(sheets.suspects(one.items, *judge).sum())
        sizes = suspects, len(one.items), aim.size.stable
        return replace(aim, strata=Strata.of("=".join(judge), *sizes))

    return _answer(options, batches, design)


def _batches(options: argparse.Namespace) -> list[Batch]:
    files, sheet, asked = options.items or [], options.sheet, vars(options)
    column, inspectors = asked.get("batch"), asked.get("inspectors") or 0
    several = column is not None or len(files) > 1
    if several and inspectors:
        raise ValueError(say("one_batch"))
    whole_and_parts = ["", *(f"-{k}" for k in range(1, inspectors + 1))]
    found: Any = lots.batches(files, options.item, column) if files else {None: None}
    batches = []
    for name, one in found.items():
        size = options.lot_size if one is None else len(one)
        ends = [f"-{lots.safe(name)}"] if several else whole_and_parts
        paths = [sheet.parent / f"{sheet.stem}{k}{sheet.suffix}" for k in ends if sheet]
        batches.append(Batch(name if several else None, one, size, paths))
    return batches


def _no_errors(levels: QualityLevels, batches: list[Batch]) -> str:
    """Why --p-a is not 0, and one at which a plan accepts only without an error."""
    size, p_r = max(one.size or 0 for one in batches), levels.p_r
    if size:  # the half of one error is rounded to none
        p_a = Decimal("0.5") / size
    else:
        n = ceil(log(levels.beta) / log1p(-p_r))  # without an error they keep --beta
        p_a = Decimal(-expm1(log1p(-levels.alpha) / n))
    p_a = p_a.quantize(Decimal((0, (1,), p_a.adjusted() - 2)), ROUND_DOWN).normalize()
    return say("p_a_0", p_a=p_a, p_r=p_r, size=size, small=p_a >= Decimal(str(p_r)))


# What is found and written --------------------------------------------------------


def _answer(
    options: argparse.Namespace,
    batches: list[Batch],
    design: Callable[[Batch], Design | Aim],
) -> tuple[dict[str, Any], str]:
    """For each batch what is found; all sheets, or none where one has no plan."""
    for path in (path for one in batches for path in one.paths):
        outputs.check({"--sheet": path}, options.items or (), options.force)
    texts = dict[Path, bytes]()
    for one in batches:
        try:
            one.design = design(one)
            one.found = {**one.design.found}
        except ValueError as error:
            if one.name is None:
                raise
            raise ValueError(f"batch {one.name!r}: {error}") from None
    if options.sheet is not None:
        seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
        for k, one in enumerate(batches):
            texts |= _sheet(options, one, seed + k)
        outputs.write("--sheet", texts, options.force)
    found, said = _one(*batches) if batches[0].name is None else _several(batches)
    return found, said + (say("no_sheet") if options.items and not texts else "")


def _sheet(options: argparse.Namespace, batch: Batch, seed: int) -> dict[Path, bytes]:
    """What is written; where it is and how it was drawn is told in what is found."""
    design, items, (path, *parts) = batch.design, batch.items, batch.paths
    plan, asked = design.plan, vars(options)
    if len(parts) > plan.max_sample:
        raise ValueError(say("few_steps", parts=len(parts), n=plan.max_sample))
    drawn = None if plan.lot_size is None else seed  # units of a process are not drawn
    names = None if items is None else items.index
    sheet = inspection_sheet(plan, names, seed=drawn)
    how: dict[str, Any] = {"kind": design.kind, "seed": drawn, "lot": items}
    told = sheets.about(plan, **how, estimate=design.found)
    if strata := getattr(design, "strata", None):
        suspect = sheets.suspects(items, *options.judge)
        sheet["item"] = items.index[sheets.drawn(suspect, strata.sample_sizes, seed)]
        told |= sheets.judged(items, options.judge, strata.sample_sizes[0])
    own = "," if items is None else items.attrs.get("separator")
    separator = ";" if asked.get("semicolons") or own == ";" else ","
    dealt = (len(parts), options.overlap or 0.0) if parts else None
    texts = sheets.texts(sheet, told, items, separator, dealt)
    in_two = int(fraction(dealt[1]) * len(sheet)) if dealt else 0
    about = {"path": str(path), "rows": len(sheet), "seed": drawn}
    about |= {"draw": None if drawn is None else DRAW}
    about |= {"parts": [*map(str, parts)], "in_two": in_two}
    batch.found["sheet"] = about
    return {p: t.encode("utf-8-sig") for p, t in zip(batch.paths, texts)}


# What is told ---------------------------------------------------------------------


def _one(batch: Batch) -> tuple[dict[str, Any], str]:
    """What was found; of a sheet what to do with it, and what to type then."""
    found, said = batch.found, batch.design.sentences()
    if sheet := found.get("sheet"):
        then = shlex.join(sheet["parts"] or [sheet["path"]])
        said += say("fill", then=then, aim=isinstance(batch.design, Aim), **sheet)
    return found, said


def _several(batches: list[Batch]) -> tuple[dict[str, Any], str]:
    """What was found for several batches, and a line for each."""
    named = [{"name": one.name} | one.found for one in batches]
    rows = []
    for one in named:
        row = {"batch": one["name"], "items": one["lot_size"]}
        row["at most"] = one["max_sample"]
        asn = one.get("average_sample_number", {})
        row |= {f"average at {k}": significant(v, 4) for k, v in asn.items()}
        rows.append(row | ({"sheet": one["sheet"]["path"]} if "sheet" in one else {}))
    table = pd.DataFrame(rows)
    summary = {"batches": len(named), "items": int(table["items"].sum())}
    summary["max_sample"] = int(table["at most"].sum())
    said = say("batches", table=table.to_string(index=False), **summary)
    if "sheet" in named[0]:
        then = shlex.quote(named[0]["sheet"]["path"])
        said += say("fill_batches", levels="levels" in named[0], then=then)
    return {"batches": named, "summary": summary}, said
