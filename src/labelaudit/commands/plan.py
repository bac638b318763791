"""labelaudit plan: a sampling plan for quality levels."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from typing import Any

from ..double import double_plan
from ..levels import QualityLevels
from ..optimal import optimal_plan
from ..plan import SamplingPlan
from ..sequential import sequential_plan
from ..single import single_plan
from .told import as_json, complain, note

KINDS: dict[str, Callable[..., SamplingPlan]] = {
    "single": single_plan,
    "double": double_plan,
    "sequential": sequential_plan,
    "optimal": optimal_plan,
}


def add(commands: Any) -> None:
    """The command's arguments."""
    plan = commands.add_parser(
        "plan",
        help="a sampling plan for a batch of annotations",
        description="How many annotations to check, and when to accept or reject. All"
        " plans but the sequential keep both risks exactly.",
        epilog="Exit status: 0, or 2 where the call is wrong.",
    )
    for name, meaning in (
        ("--p-a", "an error rate that is good"),
        ("--p-r", "an error rate that is bad"),
        ("--alpha", "the producer's risk: a good batch is rejected"),
        ("--beta", "the consumer's risk: a bad batch is accepted"),
    ):
        plan.add_argument(name, type=float, required=True, metavar="RATE", help=meaning)
    plan.add_argument(
        "--lot-size",
        type=int,
        metavar="N",
        help="annotations in the batch (default: a process without end)",
    )
    plan.add_argument("--kind", choices=list(KINDS), default="single")
    plan.add_argument("--json", action="store_true", help="print JSON")
    plan.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            levels = QualityLevels(
                options.p_a, options.p_r, options.alpha, options.beta
            )
            plan = KINDS[options.kind](levels, options.lot_size)
    except ValueError as error:
        return complain(f"plan: {error}", 2)
    found = described(plan, options.kind)
    found["notes"] = [str(warning.message) for warning in caught]
    if options.json:
        print(as_json(found))
        return 0
    print(table(plan, found))
    for text in found["notes"]:
        note(text)
    return 0


def described(plan: SamplingPlan, kind: str) -> dict[str, Any]:
    """What a plan is and does, for JSON."""
    levels = plan.levels
    assert levels is not None
    at = plan.average_sample_number(levels.errors(plan.lot_size))
    names = ("p_a", "p_r", "alpha", "beta")
    return {
        "kind": kind,
        "lot_size": plan.lot_size,
        "levels": {name: getattr(levels, name) for name in names},
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
    lines.append(f"  inspects {at_a:.4g} on average at p_a, {at_r:.4g} at p_r")
    return "\n".join(lines)
