"""The plans of the teaching notebooks: what each kind promises and costs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, replace
from functools import lru_cache

import numpy as np
import pandas as pd

import labelaudit as la

from ..machinery import style
from ..machinery.run import quietly

LOTS = (50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10_000)
POINTS = 81  # of a curve

# Kinds of plan, how to design one, and its colour.
KINDS = {
    "single": (la.single_plan, style.COLOUR["single"]),
    "double": (la.double_plan, style.COLOUR["double"]),
    "sequential": (la.sequential_plan, style.COLOUR["sequential"]),
    "optimal": (la.optimal_plan, style.COLOUR["optimal"]),
}

# Kinds that are searched for: some seconds where the single plan's n times its
# acceptance number is LARGEST, minutes where it is a hundred times that.
SLOW, LARGEST = ("double", "optimal"), 100_000


@lru_cache(maxsize=256)
def plan(kind: str, lot_size: int, levels: la.QualityLevels) -> la.SamplingPlan:
    """The plan of a kind; Wald's test without its warning, as `sentence` says it.

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
    return quietly(KINDS[kind][0], levels, lot_size)


def plans(lot_size: int, levels: la.QualityLevels) -> dict[str, la.SamplingPlan]:
    """All kinds of plan that there are for a lot; a small one may have no double."""
    found = {}
    for kind in KINDS:
        with suppress(ValueError):
            found[kind] = plan(kind, lot_size, levels)
    return found


def curves(one: la.SamplingPlan, largest: float) -> pd.DataFrame:
    """Acceptance probability and average sample number for error rates to largest.

    A row for each number of errors: errors, rate, accepted, inspected.
    """
    size = one.lot_size
    last = min(size, int(np.ceil(largest * size)))
    some = np.linspace(0, last, POINTS).round().astype(int)
    errors = np.unique([*some, *one.levels.errors(size)])
    return pd.DataFrame(
        {
            "errors": errors,
            "rate": errors / size,
            "accepted": one.acceptance_probability(errors),
            "inspected": one.average_sample_number(errors),
        }
    )


def comparison(lot_size: int, levels: la.QualityLevels) -> pd.DataFrame:
    """All kinds side by side, a row each.

    Checks at most, and on average if the lot is good and if it is bad; how much less
    than the single plan's those are, and the exact risks, in percent.
    """
    d, rows = levels.errors(lot_size), []
    n = plan("single", lot_size, levels).max_sample
    for kind, one in plans(lot_size, levels).items():
        good, bad = one.average_sample_number(d)
        rows.append(
            {
                "plan": kind,
                "at most": one.max_sample,
                "if good": good,
                "if bad": bad,
                "saved": 100 * (1 - good / n),
                "saved ": 100 * (1 - bad / n),
                "good rejected": 100 * one.producers_risk,
                "bad accepted": 100 * one.consumers_risk,
            }
        )
    return pd.DataFrame(rows)


def experiments(lot_size: int, levels: la.QualityLevels) -> pd.DataFrame:
    """The single plan as one thing changes at a time, a row each.

    n checks, c errors accepted, the checks' share of the lot and the exact risks, in
    percent. Left out is what is impossible for such a lot.
    """
    nearer = round((levels.p_a + levels.p_r) / 2, 6)
    settings = {
        "as given": (lot_size, levels),
        f"1. p_r = {100 * nearer:g} %": (lot_size, replace(levels, p_r=nearer)),
        f"2. a lot of {10 * lot_size:,}": (10 * lot_size, levels),
        f"2. a lot of {lot_size // 5:,}": (lot_size // 5, levels),
        "3. both risks halved": (
            lot_size,
            replace(levels, alpha=levels.alpha / 2, beta=levels.beta / 2),
        ),
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


def percents(levels: la.QualityLevels) -> dict[str, float]:
    """The levels by name, in percent, as sliders show them."""
    return {name: round(100 * value, 6) for name, value in asdict(levels).items()}


def from_percents(**values: float) -> la.QualityLevels:
    """The levels that sliders show: p_a, p_r, alpha and beta in percent."""
    rates = {name: round(value / 100, 8) for name, value in values.items()}
    return la.QualityLevels(**rates)


def ladder(value: float) -> float:
    """The next round number: an axis that seldom moves, so that the curve does."""
    power = 10.0 ** np.floor(np.log10(value))
    steps = (1, 1.5, 2, 3, 4, 5, 7, 10)
    return float(next(m * power for m in steps if m * power >= 0.999 * value))


def often(one: la.SamplingPlan) -> int:
    """Inspections that are exceeded once in a thousand lots at most.

    In lots of either level, and halfway between; a test without a last n has a long
    tail where hardly any inspection gets.
    """
    d_a, d_r = one.levels.errors(one.lot_size)
    chance = one.sample_number_pmf([d_a, (d_a + d_r) // 2, d_r])
    return int((np.cumsum(chance, axis=1) < 0.999).sum(axis=1).max())


def sentence(one: la.SamplingPlan, kind: str, single: int) -> str:
    """What a plan promises and costs, in words."""
    (d_a, d_r), size = one.levels.errors(one.lot_size), one.lot_size
    good, bad = one.average_sample_number([d_a, d_r])
    most = "" if kind == "single" else "at most "
    text = (
        f"{kind.capitalize()} plan, {most}{one.max_sample:,} of {size:,} checked."
        f" A good lot ({errors(d_a)}): {percent(one.producers_risk)} are rejected,"
        f" {good:,.0f} checks on average. A bad lot ({errors(d_r)}):"
        f" {percent(one.consumers_risk)} are accepted, {bad:,.0f} checks."
    )
    if kind != "single":
        text += f" The single plan always takes {single:,}."
    names = ("producer's", "consumer's")
    missed = [name for name, kept in zip(names, one.keeps_risks) if not kept]
    if missed:
        text += f" It misses the promised {' and '.join(missed)} risk."
    return text


def errors(number: int) -> str:
    return f"{number:,} error{'s' if number != 1 else ''}"


def percent(share: float) -> str:
    return f"{100 * share:.2f} %"
