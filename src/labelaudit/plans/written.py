"""A plan as text: JSON to keep it, lines to read it.

`plan` imports this module, so that a SamplingPlan is Any here.
"""

import json
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from .. import _checks
from .._digits import significant
from .._words import plural
from .levels import QualityLevels

FORMAT = "labelaudit.SamplingPlan/1"


def to_json(plan: Any) -> str:
    """The fields of a plan."""

    def plain(value: Any) -> Any:
        return value.tolist() if isinstance(value, np.ndarray) else asdict(value)

    values = {field.name: getattr(plan, field.name) for field in fields(plan)}
    return json.dumps({"format": FORMAT, **values}, default=plain)


def from_json(kind: Any, text: str) -> Any:
    """The plan that to_json wrote; ValueError where the text is another thing."""
    try:
        data = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        raise _checks.refuse("text", text, "JSON written by to_json") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _checks.refuse("text", text, f"JSON of the format {FORMAT!r}")
    try:
        values = {name: data[name] for name in ("accept", "reject", "lot_size")}
        if (levels := data["levels"]) is not None:
            if not isinstance(levels, dict):
                raise TypeError(f"levels is {levels!r:.50}")
            values["levels"] = QualityLevels(**levels)
        values |= {name: data.get(name) for name in ("lower_bound", "cap")}
        values["note"] = data.get("note") or ""  # older texts have fewer fields
        return kind(**values)
    except (KeyError, TypeError) as error:
        accepted = f"complete JSON written by to_json ({error})"
        raise _checks.refuse("text", text, accepted) from None


def risks(plan: Any) -> list[tuple[str, float, float, bool, float, float]]:
    """Both risks: whose, how large, its limit, if it is kept; the rate and errors."""
    if plan.levels is None:
        return []
    levels, (kept_a, kept_r) = plan.levels, plan.keeps_risks
    d_a, d_r = levels.errors(plan.lot_size)
    return [
        ("producer's", plan.producers_risk, levels.alpha, kept_a, levels.p_a, d_a),
        ("consumer's", plan.consumers_risk, levels.beta, kept_r, levels.p_r, d_r),
    ]


def sentences(plan: Any) -> str:
    """What a plan does and keeps, line by line."""
    where = "a process" if plan.lot_size is None else f"a lot of {plan.lot_size:,}"
    stages = [*plan.stages.itertuples(index=False)]
    last = stages[-1].n
    lines = [f"SamplingPlan for {where}, at most {plural(last, 'inspection')}"]
    if len(stages) > 3:
        first = f"after {plural(stages[0].n, 'inspection')} at the earliest"
        lines.append(f"  stops as soon as its limits decide, {first}")
        stages = []
    for n, accept, reject in stages:
        can = [f"accept at {plural(accept, 'error')} or fewer"] if accept >= 0 else []
        can += [f"reject at {reject} or more"] if reject <= n else []
        lines.append(f"  after {n}: {', '.join(can)}")
    for whose, risk, limit, kept, rate, errors in risks(plan):
        alike = significant(risk, 4) == significant(limit, 4)
        text = f"  {whose} risk {significant(risk, 10 if alike else 4)}"
        text += f" {'keeps' if kept else 'MISSES'} {limit:g}, at a rate of {rate:g}"
        if plan.lot_size:
            text += f" ({plural(int(errors), 'error')})"
        lines.append(text)
    return "\n".join([*lines, f"  {plan.note}"] if plan.note else lines)
