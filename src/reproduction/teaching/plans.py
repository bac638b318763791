"""The plans of the teaching notebooks: what each kind promises and costs."""

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

import pandas as pd
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit.commands.planned import DESIGNS

from ..machinery.run import quietly
from ..own_data.audit_panels import curves, plan_panels

LOTS = (50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10_000)

# Kinds that are searched for: some seconds where the single plan's n times its
# acceptance number is LARGEST, minutes where it is a hundred times that.
SLOW, LARGEST = ("double", "optimal"), 100_000


@lru_cache(maxsize=256)
def plan(kind: str, lot_size: int, levels: la.QualityLevels) -> la.SamplingPlan:
    """The plan of a kind; Wald's test without its warning, as `designer` says it.

    Raises ValueError where there is none, and where to find it takes too long.
    """
    if kind in SLOW:
        single = plan("single", lot_size, levels)
        if single.max_sample * single.accept[-1] > LARGEST:
            raise ValueError(
                f"p_r = {levels.p_r} must be further from p_a = {levels.p_a}, or the"
                f" lot smaller: the single plan takes {single.max_sample:,} checks,"
                f" and finding the {kind} one would take long"
            )
    return quietly(DESIGNS[kind], levels, lot_size)


def designer(
    kind: str, lot_size: int, levels: la.QualityLevels
) -> tuple[Figure, str, pd.DataFrame]:
    """A plan beside the single one: the picture, a sentence about it, and the curves.

    Raises ValueError where the levels, or a plan for them, are impossible.
    """
    one, single = plan(kind, lot_size, levels), plan("single", lot_size, levels)
    table = curves({"single": single, kind: one})
    return plan_panels(one, kind, table), _sentence(one, kind, single), table


def _sentence(one: la.SamplingPlan, kind: str, single: la.SamplingPlan) -> str:
    """What a plan promises and costs, in words."""
    d, size = one.levels.errors(one.lot_size), one.lot_size
    checks = one.average_sample_number(d)
    named = [f"{n:,} error{'s' if n != 1 else ''}" for n in d]
    most = "" if kind == "single" else "at most "
    text = (
        f"{kind.capitalize()} plan, {most}{one.max_sample:,} of {size:,} checked."
        f" A good lot ({named[0]}): {100 * one.producers_risk:.2f} % are rejected,"
        f" {checks[0]:,.0f} checks on average. A bad lot ({named[1]}):"
        f" {100 * one.consumers_risk:.2f} % are accepted, {checks[1]:,.0f} checks."
    )
    if kind != "single":
        text += f" The single plan always takes {single.max_sample:,}."
    names = ("producer's", "consumer's")
    missed = [name for name, kept in zip(names, one.keeps_risks) if not kept]
    if missed:
        text += f" It misses the promised {' and '.join(missed)} risk."
    return text


def experiments(lot_size: int, levels: la.QualityLevels) -> pd.DataFrame:
    """The single plan as one thing changes at a time, a row each.

    n checks, c errors accepted, the checks' share of the lot and the exact risks, in
    percent. Left out is what is impossible for such a lot.
    """
    nearer = round((levels.p_a + levels.p_r) / 2, 6)
    halved = replace(levels, alpha=levels.alpha / 2, beta=levels.beta / 2)
    settings = {
        "as given": (lot_size, levels),
        f"1. p_r = {100 * nearer:g} %": (lot_size, replace(levels, p_r=nearer)),
        f"2. a lot of {10 * lot_size:,}": (10 * lot_size, levels),
        f"2. a lot of {lot_size // 5:,}": (lot_size // 5, levels),
        "3. both risks halved": (lot_size, halved),
    }
    rows = {}
    for name, setting in settings.items():
        with suppress(ValueError):
            one = plan("single", *setting)
            rows[name] = {
                "n": one.max_sample,
                "c": one.accept[-1],
                "of lot": 100 * one.max_sample / one.lot_size,
                "good rejected": 100 * one.producers_risk,
                "bad accepted": 100 * one.consumers_risk,
            }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("experiment")
    return table.astype({"n": int, "c": int}).reset_index()
