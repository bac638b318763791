"""Pictures of the teaching notebooks: a plan and its promises, a table and chance."""

from __future__ import annotations

import warnings
from contextlib import suppress
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit.figures import draw_plan

from ..artstein2007 import contingency
from ..machinery import examples, parameters, style
from ..machinery.diagrams import FILL
from ..machinery.run import quietly
from ..machinery.style import WIDTH

GOOD, BAD = style.COLOUR["good"], style.COLOUR["bad"]
FORBIDDEN = FILL["reject"][0]
BOLD = {"fontsize": 9, "fontweight": "bold"}
LOTS = (50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10_000)
POINTS = 81  # of a curve
MINUS = "\N{MINUS SIGN}"

# Parts of a bar of agreement.
BY_CHANCE = style.PALETTE["grey"]
BEYOND = contingency.shade(contingency.AGREE, 0.8)
BELOW = contingency.shade(contingency.DISAGREE, 0.8)

# The picture of a table of two raters, in units of so many inches: where its parts
# begin, and how long a bar from 0 to 1 is.
UNIT, HIGH = 0.62, 6.5
SQUARE, BAR, LONG, VALUE, FIRST = 5.0, 6.1, 2.9, 9.2, 0.75

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

# What is computed from a table of two coders.
COEFFICIENTS = {
    "S": la.bennett_s,
    "pi": la.scott_pi,
    "kappa": la.cohen_kappa,
    "alpha": la.krippendorff_alpha,
    "AC1": la.gwet_ac1,
}


# A plan and its promises ----------------------------------------------------------


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


def designer(
    kind: str, lot_size: int, levels: la.QualityLevels
) -> tuple[Figure, str, pd.DataFrame]:
    """A plan's stopping region, its chance to accept and its average cost.

    Also returns what is to be seen in a sentence, and the curves.

    Raises ValueError where the levels, or a plan for them, are impossible.
    """
    one = plan(kind, lot_size, levels)
    single = plan("single", lot_size, levels).max_sample
    edge = min(1.0, ladder(1.6 * levels.p_r))
    table = curves(one, edge)
    figure = plt.figure(figsize=(WIDTH, 4.1), layout="none")
    grid = figure.add_gridspec(
        2, 2, left=0.065, right=0.97, top=0.935, bottom=0.115, hspace=0.36, wspace=0.25
    )
    region = figure.add_subplot(grid[:, 0])
    chance, cost = figure.add_subplot(grid[0, 1]), figure.add_subplot(grid[1, 1])
    ink = KINDS[kind][1]
    _region(region, one, kind)
    _chance(chance, one, table, ink, edge)
    _cost(cost, one, table, ink, edge, single)
    for axis in (chance, cost):
        axis.set_xlim(0, edge)
        style.percent_axis(axis)
    cost.set_xlabel("true error rate of the lot")
    return figure, sentence(one, kind, single), table


def all_kinds(lot_size: int, levels: la.QualityLevels) -> tuple[Figure, pd.DataFrame]:
    """Chance to accept and average cost of every kind of plan, and the curves."""
    edge = min(1.0, ladder(1.6 * levels.p_r))
    figure, (chance, cost) = plt.subplots(1, 2, figsize=(WIDTH, 3.1))
    good, bad = (d / lot_size for d in levels.errors(lot_size))
    _promises(chance, levels, good, bad, edge)
    parts = {}
    for kind, one in plans(lot_size, levels).items():
        table, ink = curves(one, edge), KINDS[kind][1]
        parts[kind] = table
        chance.plot(table["rate"], table["accepted"], color=ink, lw=1.2)
        cost.plot(table["rate"], table["inspected"], color=ink, label=kind)
    for axis in (chance, cost):
        axis.set(xlim=(0, edge), xlabel="true error rate of the lot")
        style.percent_axis(axis)
    style.levels_marks(cost, good, bad)
    cost.set(ylim=(0, None), ylabel="average checks")
    handles = cost.get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(parts))
    return figure, pd.concat(parts, names=["plan"]).reset_index("plan")


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


def _region(axis: Axes, one: la.SamplingPlan, kind: str) -> None:
    """Where the plan stops, and the way there of an average good and bad lot."""
    draw_plan(one, axis)
    few, top = len(one.stages) <= 3, axis.get_ylim()[1]
    right = ladder(1.25 * (one.max_sample if few else often(one)))
    if not few:
        top = 1.25 * one.reject[min(int(right), one.max_sample)] + 2
    n = np.arange(one.max_sample + 1)
    for d, ink in zip(one.levels.errors(one.lot_size), (GOOD, BAD)):
        way = n * d / one.lot_size
        stops = (way <= one.accept) | (way >= one.reject)
        end = int(np.argmax(stops))
        axis.plot([0, end], [0, way[end]], ":", color=ink, lw=1.2)
        axis.plot([end], [way[end]], "o", color=ink, ms=4)
    if few:
        _words_at_stages(axis, one, right)
    else:
        _words_beside_stairs(axis)
    axis.set(xlim=(0, right), ylim=(-0.04 * top, top))
    axis.set(ylabel="errors found", xlabel="checked so far")
    for each in (axis.xaxis, axis.yaxis):
        each.get_major_locator().set_params(integer=True)
    most = "" if kind == "single" else "at most "
    axis.set_title(
        f"{kind.capitalize()} plan: check {most}{one.max_sample:,}",
        fontsize=9,
        y=1,
    )


def _words_at_stages(axis: Axes, one: la.SamplingPlan, right: float) -> None:
    """Words for a plan that can stop at one or two n."""
    here, beside = one.max_sample, one.max_sample / right
    for word, ink, limit, y in (
        ("reject", BAD, one.reject[-1], 6),
        ("accept", GOOD, one.accept[-1], -6),
    ):
        place = {"xytext": (8, y), **BOLD}
        style.label(axis, here, limit, word, ink, **place)
    if len(one.stages) == 1:
        _corner(axis, (0.03, 0.97), "average bad lot", BAD, va="top")
        _corner(axis, (beside - 0.02, 0.02), "average good lot", GOOD, ha="right")
    else:
        _corner(axis, (beside + 0.03, 0.97), "average\nbad lot", BAD, va="top")
        _corner(axis, (beside + 0.03, 0.02), "average\ngood lot", GOOD)
    _corner(axis, (0.03, 0.92), "grey: go on", style.MUTED, va="top")


def _words_beside_stairs(axis: Axes) -> None:
    """Words for a plan that can stop at any n."""
    _corner(axis, (0.03, 0.97), "reject", BAD, va="top", **BOLD)
    _corner(axis, (0.03, 0.92), "average bad lot", BAD, va="top")
    _corner(axis, (0.03, 0.87), "grey: go on", style.MUTED, va="top")
    _corner(axis, (0.97, 0.07), "average\ngood lot", GOOD, ha="right")
    _corner(axis, (0.97, 0.02), "accept", GOOD, ha="right", **BOLD)


def _corner(
    axis: Axes, at: tuple[float, float], text: str, ink: str, **look: Any
) -> None:
    axis.text(*at, text, color=ink, transform=axis.transAxes, **{"fontsize": 8} | look)


def often(one: la.SamplingPlan) -> int:
    """Inspections that are exceeded once in a thousand lots at most.

    In lots of either level, and halfway between; a test without a last n has a long
    tail where hardly any inspection gets.
    """
    d_a, d_r = one.levels.errors(one.lot_size)
    chance = one.sample_number_pmf([d_a, (d_a + d_r) // 2, d_r])
    return int((np.cumsum(chance, axis=1) < 0.999).sum(axis=1).max())


def _chance(
    axis: Axes, one: la.SamplingPlan, table: pd.DataFrame, ink: str, edge: float
) -> None:
    """The operating characteristic, and the exact risks beside the promised ones."""
    good, bad = (d / one.lot_size for d in one.levels.errors(one.lot_size))
    _promises(axis, one.levels, good, bad, edge)
    axis.plot(table["rate"], table["accepted"], color=ink)
    a, b = one.producers_risk, one.consumers_risk
    for rate, accepted, colour, y, words in (
        (good, 1 - a, GOOD, 0.97, f"good lots rejected:\n{percent(a)}"),
        (bad, b, BAD, 0.58, f"bad lots accepted:\n{percent(b)}"),
    ):
        axis.plot([rate], [accepted], "o", color=colour, ms=5, zorder=4)
        text = {"ha": "right", "va": "top", "fontsize": 8, "color": colour}
        axis.text(0.97 * edge, y, words, **text)
    axis.set_title("What it promises: shaded is forbidden", fontsize=9, y=1)


def _promises(
    axis: Axes, levels: la.QualityLevels, good: float, bad: float, edge: float
) -> None:
    """The two points that are promised, and the blocks that no curve may enter."""
    for corner, wide, high in (
        ((0, 0), good, 1 - levels.alpha),
        ((bad, levels.beta), edge, 1 - levels.beta),
    ):
        axis.add_patch(plt.Rectangle(corner, wide, high, color=FORBIDDEN, lw=0))
    for rate, accepted, ink in (
        (good, 1 - levels.alpha, GOOD),
        (bad, levels.beta, BAD),
    ):
        axis.plot([rate], [accepted], "D", mfc="white", mec=ink, ms=6)
    axis.set(ylim=(0, 1.04), ylabel="probability to accept")
    style.percent_axis(axis, "y")


def _cost(
    axis: Axes,
    one: la.SamplingPlan,
    table: pd.DataFrame,
    ink: str,
    edge: float,
    single: int,
) -> None:
    """The average sample number beside the single plan's n."""
    axis.axhline(single, color=style.COLOUR["single"], ls="--", lw=1)
    axis.plot(table["rate"], table["inspected"], color=ink)
    d = np.array(one.levels.errors(one.lot_size))
    means = one.average_sample_number(d)
    for rate, mean, colour in zip(d / one.lot_size, means, (GOOD, BAD)):
        axis.plot([rate], [mean], "o", color=colour, ms=5, zorder=4)
        place = {"ha": "center", "va": "top", "xytext": (0, -5)}
        style.label(axis, rate, mean, f"{mean:,.0f}", colour, **place)
    top = max(single, table["inspected"].max())
    axis.set(ylim=(0, ladder(1.15 * top)), ylabel="average checks")
    place = {"ha": "right", "va": "bottom", "xytext": (-2, 2)}
    style.label(axis, edge, single, f"single plan: {single:,}", style.INK, **place)
    axis.set_title("What it costs", fontsize=9, y=1)


# A table of two raters, and what chance gives -------------------------------------


def measured(cells: list[int]) -> pd.DataFrame:
    """All coefficients of two raters' table [AA, AB, BA, BB], a row each.

    observed, expected, value (NaN: undefined) and why it is undefined.

    Raises ValueError for an empty table.
    """
    cells = parameters.checked({"cells": cells})["cells"]
    table = pd.DataFrame(np.reshape(cells, (2, 2)), ["A", "B"], ["A", "B"])
    ratings = examples.ratings(table)
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # `undefined` says it
        for name, coefficient in COEFFICIENTS.items():
            a = coefficient(ratings)
            rows.append([name, a.observed, a.expected, a.value, a.undefined])
    columns = ["coefficient", "observed", "expected", "value", "undefined"]
    return pd.DataFrame(rows, columns=columns)


def tables() -> dict[str, list[int]]:
    """Well-known tables [AA, AB, BA, BB] by what they are known for."""
    cells = examples.load("two_by_two")
    found = {
        name: part["count"].tolist()
        for name, part in cells.groupby(level=0, sort=False)
    }
    love = examples.slide(19, "observed").to_numpy().ravel().tolist()
    return found | {"love (slide 19)": love, "unused": [100, 0, 0, 0]}


def compared(many: dict[str, list[int]]) -> pd.DataFrame:
    """One row per table: the cells, observed agreement and all coefficients."""
    rows = []
    for name, cells in many.items():
        found = measured(cells).set_index("coefficient")
        row = {"table": name, "cells": " ".join(map(str, cells))}
        row["observed"] = found["observed"].iloc[0]
        rows.append(row | found["value"].to_dict())
    return pd.DataFrame(rows)


def tiles_of_chance(name: str, cells: list[int]) -> tuple[float, float, bool]:
    """A unit square cut into four: the share of A in its rows and in its columns.

    And whether the tiles of agreement (AA and BB) have the area of chance agreement;
    else those of disagreement have it. Alpha's are pi's: its chance draws without
    putting back, a difference too small to be drawn.
    """
    aa, ab, ba = np.array(cells[:3]) / sum(cells)
    one, other = aa + ab, aa + ba
    if name == "S":
        return 0.5, 0.5, True
    if name == "kappa":
        return one, other, True
    return (one + other) / 2, (one + other) / 2, name != "AC1"


def two_by_two(cells: list[int]) -> tuple[Figure, str, pd.DataFrame]:
    """Two raters' table, what chance gives to each coefficient, and its value.

    cells : items that both call A; the first A, the second B; B, A; both B.

    Also returns what is to be seen in a sentence, and `measured`.
    """
    found = measured(cells)
    figure = plt.figure(figsize=(WIDTH, UNIT * HIGH), layout="none")
    axis = figure.add_axes((0, 0, 1, 1))
    contingency.board(axis, WIDTH / UNIT, HIGH)
    _table(axis, cells)
    observed = found["observed"].iloc[0]
    at = BAR + LONG * observed
    axis.plot([at, at], [FIRST - 0.12, FIRST + len(found) - 0.1], color=style.INK, lw=1)
    middle = {"ha": "center", "va": "bottom", "fontsize": 8}
    words = f"observed {decimal(observed)}"
    axis.text(max(at, BAR + 0.6), FIRST - 0.16, words, **middle)
    axis.text(SQUARE + 0.4, FIRST - 0.16, "chance", color=style.MUTED, **middle)
    _key(axis, FIRST + len(found) + 0.15)
    for k, row in enumerate(found.itertuples()):
        _chance_of(axis, FIRST + k, row, cells)
    return figure, in_words(found, sum(cells)), found


def _table(axis: Axes, cells: list[int]) -> None:
    """The table as tiles with its totals, and what its margins say."""
    frame = pd.DataFrame(np.reshape(cells, (2, 2)), ["A", "B"], ["A", "B"])
    contingency.tiles(axis, frame, (1.15, 1.75), digits=",d")
    (aa, ab, ba, bb), n = cells, sum(cells)
    axis.text(0.2, 0.42, f"{aa + bb:,} of {n:,} items agree",
              fontsize=10, fontweight="bold")  # fmt: skip
    text = (
        f"Coder 1 says A of {100 * (aa + ab) / n:.3g} %,\n"
        f"coder 2 of {100 * (aa + ba) / n:.3g} % of the items."
    )
    axis.text(0.25, 5.05, text, va="top", fontsize=8.5, linespacing=1.5)


def _chance_of(axis: Axes, y: float, row: Any, cells: list[int]) -> None:
    """One coefficient: chance as a part of a square, both agreements, the value."""
    middle = {"va": "center"}
    name = {"ha": "right", "fontweight": "bold", "fontsize": 10}
    axis.text(SQUARE - 0.15, y + 0.42, row.coefficient, **name, **middle)
    one, other, agreeing = tiles_of_chance(row.coefficient, cells)
    for i, (top, high) in enumerate(((0, one), (one, 1 - one))):
        for j, (left, wide) in enumerate(((0, other), (other, 1 - other))):
            face = BY_CHANCE if (i == j) == agreeing else "white"
            corner = SQUARE + 0.8 * left, y + 0.02 + 0.8 * top
            _box(axis, corner, 0.8 * wide, 0.8 * high, face, style.MUTED)
    low, high = sorted((row.expected, row.observed))
    more = BEYOND if row.observed >= row.expected else BELOW
    bar = BAR, y + 0.17
    _box(axis, bar, LONG * low, 0.5, BY_CHANCE)
    _box(axis, (BAR + LONG * low, bar[1]), LONG * (high - low), 0.5, more)
    _box(axis, bar, LONG, 0.5, "none", style.MUTED)
    if row.undefined:
        value, why = "undefined", row.undefined.replace(", so", ",\nso")
    else:
        value, o, e = decimal(row.value), decimal(row.observed), decimal(row.expected)
        why = f"= ({o} {MINUS} {e}) / (1 {MINUS} {e})"
    axis.text(VALUE, y + 0.25, value, fontweight="bold", fontsize=10, **middle)
    axis.text(VALUE, y + 0.62, why, fontsize=7, color=style.MUTED, **middle)


def _box(
    axis: Axes,
    corner: tuple[float, float],
    wide: float,
    high: float,
    face: Any,
    edge: str = "none",
) -> None:
    look = {"facecolor": face, "edgecolor": edge, "linewidth": 0.6}
    axis.add_patch(plt.Rectangle(corner, wide, high, **look))


def _key(axis: Axes, y: float) -> None:
    """What the parts of a bar are."""
    x = SQUARE
    for face, text, wide in (
        (BY_CHANCE, "agreement by chance", 2.6),
        (BEYOND, "more than by chance", 2.55),
        (BELOW, "short of it", 0.0),
    ):
        _box(axis, (x, y), 0.18, 0.18, face)
        axis.text(x + 0.26, y + 0.1, text, fontsize=8, va="center")
        x += wide


def decimal(value: float) -> str:
    """Three decimals: 0.850."""
    return f"{value:.3f}".replace("-", MINUS)


def in_words(found: pd.DataFrame, items: int) -> str:
    """Observed agreement, and each coefficient with its chance term."""
    parts = []
    for row in found.itertuples():
        value = "undefined" if row.undefined else decimal(row.value)
        parts.append(f"{row.coefficient} {value} (chance {decimal(row.expected)})")
    observed = decimal(found["observed"].iloc[0])
    text = f"Observed agreement {observed} of {items:,} items; {', '.join(parts)}."
    why = found.loc[found["undefined"] != "", "undefined"]
    return f"{text} Undefined: {why.iloc[0]}." if len(why) else text
