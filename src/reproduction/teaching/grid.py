"""Plans for a page that computes nothing: every choice that it offers, in advance.

`python -m reproduction.teaching.grid` writes data/teaching/plans.json (two minutes).
"""

import json
import warnings
from itertools import product
from typing import Any

import numpy as np

import labelaudit as la
from labelaudit import _digits
from labelaudit.commands.planned import DESIGNS

from ..machinery import paths, surroundings

GOOD = (0.01, 0.02, 0.05)  # p_a
BAD = (0.03, 0.035, 0.04, 0.05, 0.1, 0.2)  # p_r
RISKS = ((0.05, 0.1), (0.025, 0.05), (0.01, 0.05), (0.1, 0.2))  # alpha and beta
LOTS = (200, 1000, 5000, 10_000)
POINTS = 41  # error rates from 0 to twice p_r


def choices() -> list[tuple[float, float, float, float, int]]:
    """p_a, p_r, alpha, beta and lot size; bad is at least 1.75 times good."""
    every = product(GOOD, BAD, RISKS, LOTS)
    return [(a, r, *risks, lot) for a, r, risks, lot in every if r >= 1.75 * a]


def key(choice: tuple[float, float, float, float, int]) -> str:
    return " ".join(f"{value:g}" for value in choice)


def computed(choice: tuple[float, float, float, float, int]) -> dict[str, Any]:
    """All kinds of plans for one choice; a sentence where there is none."""
    *levels, lot = choice
    asked = la.QualityLevels(*levels)
    errors = np.round(np.linspace(0, 2 * asked.p_r, POINTS) * lot).astype(int)
    plans: dict[str, Any] = {}
    for kind, design in DESIGNS.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a missed risk is among the numbers
                plan = design(asked, lot)
        except ValueError as reason:
            plans[kind] = {"none": str(reason)}
            continue
        at_levels = plan.average_sample_number(list(asked.errors(lot)))
        plans[kind] = {
            "most": plan.max_sample,
            "producer": _number(plan.producers_risk),
            "consumer": _number(plan.consumers_risk),
            "asn": [_number(value) for value in at_levels],
            "oc": [_number(p) for p in plan.acceptance_probability(errors)],
            "curve": [_number(n) for n in plan.average_sample_number(errors)],
            "accept": int(plan.accept[-1]),
        }
    return {"rates": [_number(d / lot) for d in errors], "plans": plans}


def _number(value: float) -> float:
    return float(_digits.significant(value, 4))


def main() -> None:
    found = {}
    for choice in choices():
        found[key(choice)] = computed(choice)
        print(key(choice), flush=True)
    paths.TAUGHT.parent.mkdir(exist_ok=True)
    text = json.dumps(found, separators=(",", ":"))
    paths.TAUGHT.write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    surroundings.prepare()
    main()
