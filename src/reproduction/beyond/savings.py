"""How few inspections: optimal plans beside the published kinds, and the bound."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

import labelaudit as la
from labelaudit import as_published
from labelaudit.plans.double import Stages
from labelaudit.plans.evaluation import first_largest
from labelaudit.plans.levels import Task
from labelaudit.plans.optimal.bound import bind
from labelaudit.plans.optimal.problem import aim, pose
from labelaudit.plans.optimal.search import beginning
from labelaudit.plans.plan import SamplingPlan

from ..klie2024 import methods
from ..machinery.run import quietly
from ..sweeps import keeping

# In lots of up to this size the largest ASN is sought at every number of errors.
EVERY = 2000

# What the optimal plans are compared with in the table of savings.
COMPARED = ("single", "single_curtailed", "double", "double_curtailed")
PLACES = ("p_a", "p_r", "worst")
KEYS = ["p_a", "p_r", "alpha", "beta"]


# Plans ------------------------------------------------------------------------


def plans(levels: la.QualityLevels, lot_size: int) -> dict[str, SamplingPlan]:
    """All kinds of plans for the same levels; Wald's may miss a risk."""
    single = methods.single_plan(levels, lot_size)
    return {
        "single": single,
        "single, curtailed": la.curtail(single),
        "double": la.double_plan(levels, lot_size),
        "double, curtailed": la.double_plan(levels, lot_size, curtailed=True),
        "Wald": quietly(la.sequential_plan, levels, lot_size),
        "optimal, balanced": la.optimal_plan(levels, lot_size),
        "optimal, minimax": la.optimal_plan(levels, lot_size, objective="minimax"),
    }


def worst(plan: SamplingPlan) -> tuple[float, int]:
    """The largest average sample number of a lot's plan, and the D that has it.

    In lots larger than EVERY: the largest of 1,000 numbers of errors, then every
    one between its neighbours.
    """
    size = int(plan.lot_size or 0)
    step = 1 if size <= EVERY else size // 1000
    tried = np.arange(0, size + 1, step)
    at = int(tried[first_largest(plan.average_sample_number(tried))])
    if step > 1:
        tried = np.arange(max(at - step, 0), min(at + step, size) + 1)
    numbers = plan.average_sample_number(tried)
    best = first_largest(numbers)
    return float(numbers[best]), int(tried[best])


def described(plan: SamplingPlan) -> dict[str, object]:
    """A plan's exact risks and what it inspects, as one row of a table."""
    d_a, d_r = plan.levels.errors(plan.lot_size)
    at_0, at_a, at_r = plan.average_sample_number(np.array([0, d_a, d_r]))
    return {
        "at most": plan.max_sample,
        "producer's risk": plan.producers_risk,
        "consumer's risk": plan.consumers_risk,
        "both kept": all(plan.keeps_risks),
        "ASN, no error": at_0,
        "at p_a": at_a,
        "at p_r": at_r,
        "worst": worst(plan)[0],
    }


def lower_bound(
    levels: la.QualityLevels, lot_size: int, objective: str | Mapping[float, float]
) -> float:
    """What no plan of the lot that keeps both risks is below; no plan is sought.

    The `lower_bound` of la.optimal_plan with max_sample=lot_size and an objective that
    is a mean of average sample numbers, not "minimax".
    """
    task = Task(levels, lot_size)
    goal = aim(objective, task)
    reach = methods.single_plan(levels, lot_size).max_sample
    last = beginning(lot_size, reach)
    return bind(pose(task, goal, lot_size, last, goal.errors)).value


def checkpoints(levels: la.QualityLevels, lot_size: int) -> list[int]:
    """Numbers of errors from 0 to twice D_r, with D_a and D_r, about evenly."""
    d_a, d_r = levels.errors(lot_size)
    ends = (0, d_a, 2), (d_a, d_r, 5), (d_r, 2 * d_r, 3)
    parts = [np.linspace(*each) for each in ends]
    return sorted({round(d) for part in parts for d in part if d <= lot_size})


def own_levels(plan: SamplingPlan) -> la.QualityLevels:
    """The plan's levels with the risks that it really has.

    They are raised by 1e-12 of themselves, so that rounding does not exclude the
    plan itself, and to 1e-12 where they are 0.
    """
    risks = (plan.producers_risk, plan.consumers_risk)
    own = (max(risk * (1 + 1e-12), 1e-12) for risk in risks)
    return la.QualityLevels(plan.levels.p_a, plan.levels.p_r, *own)


# The table of savings ---------------------------------------------------------

SWEEP = "savings"  # of sweeps/, with the rows of the usual levels and lots


def row(levels: la.QualityLevels, lot_size: int) -> dict[str, float]:
    """What optimal plans save at one quality level in one lot, in percent.

    The worst case is the largest ASN over all D. It belongs to the plan that
    inspects least at the balanced plan's worst D, which is as good as the
    minimax plan up to the gap: no plan has a smaller largest ASN than the bound
    at that D.
    """
    single = methods.single_plan(levels, lot_size)
    double = la.double_plan(levels, lot_size)
    (n, _), (c1, c2) = double.stages["n"], double.stages["accept"]
    stages = Stages(int(n), int(c1), int(c2))
    short = stages.plan(Task(levels, lot_size), curtailed=True)
    others = dict(zip(COMPARED, (single, la.curtail(single), double, short)))
    errors = np.array(levels.errors(lot_size))
    balanced = la.optimal_plan(levels, lot_size)
    top, at = worst(balanced)
    hard = la.optimal_plan(levels, lot_size, objective={at / lot_size: 1})
    largest = worst(hard)[0]
    at_a, at_r = balanced.average_sample_number(errors)
    found = {
        "n_single": single.max_sample,
        "ASN_at_p_a": at_a,
        "ASN_at_p_r": at_r,
        "gap": 100 * ((at_a + at_r) / 2 / balanced.lower_bound - 1),
        "largest_ASN": largest,
        "gap_of_largest": 100 * (largest / hard.lower_bound - 1),
        "largest_ASN_of_balanced": top,
    }
    for name, plan in others.items():
        numbers = [*plan.average_sample_number(errors), worst(plan)[0]]
        for place, ours, theirs in zip(PLACES, (at_a, at_r, largest), numbers):
            found[f"saved_on_{name}_{place}"] = 100 * (1 - ours / theirs)
    return found


def kept() -> pd.DataFrame:
    """The rows that the sweep has, by their levels and lot size; see row."""
    table = keeping.results(SWEEP).rename(columns={"lot_size": "N"})
    levels = table.pop("levels").map(json.loads).tolist()
    return pd.DataFrame(levels, columns=KEYS).join(table).set_index([*KEYS, "N"])


def table(
    grid: Sequence[la.QualityLevels], lot_sizes: Sequence[int]
) -> tuple[pd.DataFrame, list[str]]:
    """row() for all levels and lots, and what could not be designed, in words.

    Rows that the sweep has are taken from it.
    """
    known = kept()
    rows, missing = {}, []
    for levels, lot_size in product(grid, lot_sizes):
        asked = (*(getattr(levels, name) for name in KEYS), lot_size)
        try:
            there = asked in known.index
            rows[asked] = dict(known.loc[asked]) if there else row(levels, lot_size)
        except ValueError as error:
            missing.append(f"{levels}, N = {lot_size}: {error}")
    found = pd.DataFrame(list(rows.values()), columns=known.columns)
    named = pd.DataFrame(list(rows), columns=known.index.names)
    return named.join(found).astype({"N": int, "n_single": int}), missing


# Truncation -------------------------------------------------------------------


def spaced(lot_sizes: Sequence[int], count: int = 30) -> list[int]:
    """Lot sizes from the least to the largest, evenly on a log scale, and these."""
    low, high = min(lot_sizes), max(lot_sizes)
    between = np.geomspace(low, high, count).round().astype(int)
    return sorted({*between.tolist(), *lot_sizes})


def _accepted_before_the_end(levels: la.QualityLevels, cut: SamplingPlan) -> float:
    """What a truncated test accepts at p_r before its last n."""
    accept, reject = cut.accept.copy(), cut.reject.copy()
    accept[-1], reject[-1] = -1, 0  # reject all that get there
    return la.SamplingPlan(accept, reject, cut.lot_size, levels).consumers_risk


def truncation_risks(
    levels: la.QualityLevels, lot_sizes: Iterable[int]
) -> pd.DataFrame:
    """Exact risks of the published truncation in lots of these sizes.

    described: stop at the single plan's n, accept at its c. released: the rule in
    the released code. early: what the described one accepts at p_r before its
    last inspection.
    """
    rows = []
    for size in lot_sizes:
        rule = methods.truncated(levels, size)
        single = methods.single_plan(levels, size)
        n = single.max_sample
        code = as_published.wedge_plan(levels, size, n)
        cut = methods.cut(levels, size)
        found = {
            "N": size,
            "n": n,
            "c": int(single.accept[-1]),
            "producer's risk": rule.producers_risk,
            "consumer's risk": rule.consumers_risk,
            "producer kept": rule.keeps_risks[0],
            "consumer kept": rule.keeps_risks[1],
            "early": _accepted_before_the_end(levels, cut),
            "single plan's consumer's risk": single.consumers_risk,
            "released: producer's risk": code.producers_risk,
            "released: consumer's risk": code.consumers_risk,
            "released: consumer kept": code.keeps_risks[1],
        }
        rows.append(found)
    return pd.DataFrame(rows)


def repairs(levels: la.QualityLevels, lot_size: int) -> pd.DataFrame:
    """The published truncation, and plans that keep what it promises."""
    cap = methods.single_plan(levels, lot_size).max_sample
    chosen = {
        "published rule": methods.truncated(levels, lot_size),
        "Wald, cut later": methods.guaranteed(levels, lot_size),
        "optimal, same cap": la.optimal_plan(levels, lot_size, max_sample=cap),
        "optimal": la.optimal_plan(levels, lot_size),
    }
    table = pd.DataFrame([described(plan) for plan in chosen.values()])
    table.insert(0, "plan", list(chosen))
    return table
