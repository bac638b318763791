"""A plan as text: JSON to keep it, lines to read it.

`plan` imports this module, so that a SamplingPlan is Any here.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from .. import _checks
from .._digits import significant
from .levels import QualityLevels

FORMAT = "labelaudit.SamplingPlan/1"


def to_json(plan: Any) -> str:
    """The fields of a plan."""
    levels = plan.levels
    return json.dumps(
        {
            "format": FORMAT,
            "accept": plan.accept.tolist(),
            "reject": plan.reject.tolist(),
            "lot_size": plan.lot_size,
            "levels": None if levels is None else asdict(levels),
            "note": plan.note,
            "lower_bound": plan.lower_bound,
            "cap": plan.cap,
        }
    )


def from_json(kind: Any, text: str) -> Any:
    """The plan that to_json wrote; ValueError where the text is another thing."""
    try:
        data = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        raise _checks.refuse("text", text, "JSON written by to_json") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _checks.refuse("text", text, f"JSON of the format {FORMAT!r}")
    try:
        levels = data["levels"]
        if levels is not None and not isinstance(levels, dict):
            raise TypeError(f"levels is {levels!r:.50}")
        return kind(
            data["accept"],
            data["reject"],
            lot_size=data["lot_size"],
            levels=None if levels is None else QualityLevels(**levels),
            note=data.get("note") or "",
            lower_bound=data.get("lower_bound"),
            cap=data.get("cap"),
        )
    except (KeyError, TypeError) as error:
        accepted = f"complete JSON written by to_json ({error})"
        raise _checks.refuse("text", text, accepted) from None


def sentences(plan: Any) -> str:
    """What a plan does and keeps, line by line."""
    where = "a process" if plan.lot_size is None else f"a lot of {plan.lot_size}"
    last = plan.stages.n.iloc[-1]
    head = f"SamplingPlan for {where}, at most {last} inspections"
    lines = [head, *_stops(plan), *_risks(plan)]
    if plan.note:
        lines.append(f"  {plan.note}")
    return "\n".join(lines)


def _stops(plan: Any) -> list[str]:
    """Where the plan stops; how often, if that is at many numbers."""
    stages = plan.stages
    if len(stages) > 3:
        first, last = stages.n.iloc[0], stages.n.iloc[-1]
        return [f"  can stop at {len(stages)} sample numbers, from {first} to {last}"]
    lines = []
    for n, accept, reject in stages.itertuples(index=False):
        can = [f"accept at {accept} errors or fewer"] if accept >= 0 else []
        can += [f"reject at {reject} or more"] if reject <= n else []
        lines.append(f"  after {n}: {', '.join(can)}")
    return lines


def _risks(plan: Any) -> list[str]:
    """Both risks beside the nominal ones; with more digits where they look alike."""
    if plan.levels is None:
        return []
    levels, in_lot = plan.levels, plan.lot_size is not None
    lines = []
    for whose, risk, nominal, kept, rate, errors in zip(
        ("producer's", "consumer's"),
        (plan.producers_risk, plan.consumers_risk),
        (levels.alpha, levels.beta),
        plan.keeps_risks or (),
        (levels.p_a, levels.p_r),
        levels.errors(plan.lot_size),
    ):
        alike = significant(risk, 4) == significant(nominal, 4)
        text = f"{whose} risk {significant(risk, 10 if alike else 4)}"
        text += f" {'keeps' if kept else 'MISSES'} {nominal:g}, at a rate of {rate:g}"
        lines.append(f"  {text}{f' ({errors} errors)' if in_lot else ''}")
    return lines
