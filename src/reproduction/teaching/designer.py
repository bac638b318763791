"""The picture of a plan: where it stops, what it promises and what it costs."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit.figures import draw_plan

from ..machinery import style
from ..machinery.diagrams import FILL
from ..machinery.style import WIDTH
from .plans import KINDS, curves, ladder, often, percent, plan, sentence

GOOD, BAD = style.COLOUR["good"], style.COLOUR["bad"]
FORBIDDEN = FILL["reject"][0]
BOLD = {"fontsize": 9, "fontweight": "bold"}


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
