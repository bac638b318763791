"""Pictures of a model beside people: the test's steps, its errors, other numbers."""

from __future__ import annotations

from collections.abc import Container, Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from labelaudit._checks import Array

from ..machinery import style
from ..machinery.style import WIDTH

# Their colours, by the names of the palette, and marks.
TESTS = {"t": "orange", "score": "blue", "exact": "teal"}
MARKS = {"t": "o", "score": "s", "exact": "D"}
DASHES = ("-", (0, (4, 1.5)), (0, (1, 1.2)))
OUTCOMES = {"rater nearer": "red", "tie": "grey", "model nearer": "teal"}


def ink(test: str) -> str:
    return style.PALETTE[TESTS[test]]


def steps(shares: pd.DataFrame, p: pd.Series, bounds: Array) -> Figure:
    """Who is nearer, as bars; and sorted p beside Benjamini and Yekutieli's levels.

    shares : by rater, columns as OUTCOMES; p : by rater; bounds : of the sorted p
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 2.5))
    start = np.zeros(len(shares))
    for name, colour in OUTCOMES.items():
        part = shares[name].to_numpy()
        bars = left.barh(shares.index, part, left=start, color=style.PALETTE[colour])
        bars[0].set_label(name)
        for y, (x, wide) in enumerate(zip(start, part)):
            if wide > 0.07:
                white = "white" if colour != "grey" else style.INK
                words = f"{100 * wide:.0f} %"
                left.text(x + wide / 2, y, words, ha="center", va="center",
                          fontsize=8 if wide > 0.12 else 7, color=white)  # fmt: skip
        start = start + part
    left.invert_yaxis()
    left.set(xlim=(0, 1), xlabel="share of the rater's items", ylabel="rater left out")
    left.grid(visible=False)
    style.percent_axis(left)
    handles = left.get_legend_handles_labels()
    left.legend(*handles, loc="lower center", ncols=3, bbox_to_anchor=(0.5, 1.0),
                handlelength=1, columnspacing=1, borderpad=0)  # fmt: skip
    ordered = p.sort_values()
    rank = np.arange(1, len(p) + 1)
    right.plot(rank, bounds, "_", color=style.MUTED, ms=26, mew=1.4)
    for k, (name, value) in zip(rank, ordered.items()):
        beaten = value <= bounds[k - 1]
        colour = style.COLOUR["good" if beaten else "bad"]
        right.plot(k, value, "o" if beaten else "X", color=colour, ms=6)
        place = {"xytext": (6, -1), "va": "top" if beaten else "bottom"}
        style.label(right, k, value, f"{name}", colour, **place)
    place = {"va": "bottom", "ha": "right", "xytext": (-16, 1)}
    style.label(right, rank[-1], bounds[-1], "level", style.MUTED, **place)
    right.set(yscale="log", xticks=rank, xlim=(0.5, len(p) + 0.7))
    right.set(xlabel="rank of p", ylabel="p of the test")
    right.set_ylim(bottom=0.3 * ordered[ordered > 0].min())
    right.yaxis.set_major_formatter("{x:g}")
    return figure


def sizes(curves: pd.DataFrame, worst: pd.DataFrame, raters: Array) -> Figure:
    """P(reject) over the level: by the share of ties, and the worst by items.

    curves : n, test, ties (as a share of the largest), ratio
    worst : test, raters, n, ratio
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 3.1))
    lengths = curves["n"].drop_duplicates().tolist()
    for (test, n), part in curves.groupby(["test", "n"], sort=False):
        look = {"color": ink(test), "linestyle": DASHES[lengths.index(n)]}
        left.plot(part["ties"], part["ratio"], linewidth=1.2, **look)
    for dash, n in zip(DASHES, lengths):
        left.plot([], [], linestyle=dash, color=style.MUTED, label=f"{n:,} items")
    left.legend(loc="upper left")
    left.set(xlabel="share of ties, of the largest possible", yscale="log")
    top = 4 * curves["ratio"].max()
    left.set(ylabel="P(reject) / level", ylim=(0.1, top), xlim=(0, 1.005))
    style.percent_axis(left)
    left.set_title("By the share of ties", fontsize=9)
    few = curves[curves["n"] == lengths[0]]
    for test, at, side in (("t", 0.94, "bottom"), ("score", 0.94, "top")):
        one = few[few["test"] == test]
        y = one["ratio"].iloc[(one["ties"] - at).abs().argmin()]
        place = {
            "ha": "right",
            "va": side,
            "xytext": (-3, 3 if side == "bottom" else -4),
        }
        style.label(left, at, y, test, ink(test), **place)
    shown = [min(raters), max(raters)]
    for (test, m), part in worst.groupby(["test", "raters"], sort=False):
        if m not in shown:
            continue
        look = {"color": ink(test), "linestyle": DASHES[shown.index(m)]}
        right.plot(part["n"], part["ratio"], "o", markersize=3, **look)
        if m == max(raters):
            last = part.iloc[-1]
            style.label(right, last["n"], last["ratio"], test, ink(test))
    for dash, m in zip(DASHES, shown):
        words = f"level for 1 of {m} raters" if m > 1 else "level for one rater"
        right.plot([], [], linestyle=dash, color=style.MUTED, label=words)
    right.legend(loc="upper right")
    right.set(xscale="log", yscale="log", xlabel="items")
    right.set_xlim(worst["n"].min() * 0.9, worst["n"].max() * 2.2)
    right.set_title("At the worst share of ties", fontsize=9)
    right.set_yticks([0.5, 1, 2, 5, 10])
    for axis in (left, right):
        axis.axhline(1, color=style.INK, linewidth=0.8, linestyle=":")
        axis.yaxis.set_major_formatter("{x:g}")
    _round_ticks(right, worst["n"])
    return figure


def _round_ticks(axis: Axes, values: pd.Series) -> None:
    ticks = [n for n in (30, 100, 300, 1000, 3000) if n <= values.max()]
    axis.set_xticks(ticks, [f"{n:,}" for n in ticks])
    axis.minorticks_off()


def passing(table: pd.DataFrame, q: float) -> Figure:
    """How often a model passes by the number of items, for models and tests.

    table : model, test, n, passes, s.e.; models in the order of the panels
    """
    models = table["model"].drop_duplicates().tolist()
    most = table.groupby("model")["passes"].max()
    highest = max(most[most < 0.5], default=0)  # of models that should fail
    figure, axes = plt.subplots(1, len(models), figsize=(WIDTH, 2.8))
    for axis, model in zip(axes, models):
        part = table[table["model"] == model]
        for test, one in part.groupby("test", sort=False):
            error = 2 * one["s.e."].fillna(0)
            look = {"color": ink(test), "fmt": f"{MARKS[test]}-", "ms": 3.5}
            axis.errorbar(
                one["n"], one["passes"], error, elinewidth=0.8, label=test, **look
            )
        axis.set(xscale="log", xlabel="items")
        axis.set_title(model, fontsize=9)
        _round_ticks(axis, part["n"])
        style.percent_axis(axis, "y")
        if most[model] < 0.5:
            axis.axhline(q, color=style.INK, linewidth=0.8, linestyle=":")
            place = {"va": "bottom", "ha": "right", "xytext": (0, 1)}
            style.label(axis, part["n"].max(), q, "promised: q", style.INK, **place)
            axis.set_ylim(-0.003, max(1.15 * highest, 1.3 * q))
        else:
            axis.set_ylim(-0.03, 1.03)
    axes[0].set_ylabel("the model passes")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure


def measures(
    table: pd.DataFrame,
    columns: Mapping[str, tuple[str, float, float]],
    failing: Container[str],
) -> Figure:
    """A row for each model, a panel for each number with its interval.

    table : by model, numbers and their ends ("..., low"); columns : title, axis's ends;
    failing : models that are drawn in red
    """
    figure, axes = plt.subplots(1, len(columns), figsize=(WIDTH, 3.0), sharey=True)
    rows = np.arange(len(table))
    inks = [style.COLOUR["bad" if one in failing else "good"] for one in table.index]
    for axis, (name, (title, low, high)) in zip(axes, columns.items()):
        value = table[name].astype(float).to_numpy()
        if f"{name}, low" in table:
            ends = table[[f"{name}, low", f"{name}, high"]].astype(float).to_numpy()
            axis.hlines(rows, ends[:, 0], ends[:, 1], color=inks)
        for y, (x, colour) in enumerate(zip(value, inks)):
            mark = "X" if colour == style.COLOUR["bad"] else "o"
            axis.plot(x, y, mark, color=colour, ms=4, clip_on=False, zorder=4)
        for y in np.flatnonzero(np.isnan(value)):
            axis.text((low + high) / 2, y, "not defined", ha="center", va="center",
                      fontsize=7, color=style.MUTED)  # fmt: skip
        axis.set_xlim(low, high)
        axis.set_xticks([low, (low + high) / 2, high])
        axis.xaxis.set_major_formatter("{x:g}")
        axis.set_title(title, fontsize=8, fontweight="normal")
        axis.tick_params(labelsize=7)
    axes[0].set_yticks(rows, table.index, fontsize=8)
    axes[0].set_ylim(len(table) - 0.5, -0.5)
    return figure
