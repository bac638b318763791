"""Pictures of several exhibits: matrices, magnitudes, a scale, bars, raters."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import WIDTH, headline

BLUE = style.COLOUR["double"]
ORANGE = style.COLOUR["sequential"]
PURPLE = style.COLOUR["interval"]


def matrix(
    axis: Axes,
    table: pd.DataFrame,
    title: str = "",
    form: str = "{:g}",
    top: float | None = None,
    totals: bool = False,
    colours: str = "Blues",
    size: float = 8,
) -> None:
    """A table of numbers as a heat map, each number in its cell.

    top : value of the darkest colour (default: the largest number).
    totals : row and column totals at the right and below, and the sum in bold.
    """
    values = table.to_numpy(dtype=float)
    rows, columns = values.shape
    top = top or max(values.max(), 1e-12)
    shade = plt.get_cmap(colours)
    for (i, k), value in np.ndenumerate(values):
        depth = 0.75 * min(value / top, 1)
        axis.add_patch(plt.Rectangle((k, i), 1, 1, fc=shade(depth), ec="white"))
        ink = "white" if depth > 0.5 else style.INK
        place = {"ha": "center", "va": "center", "fontsize": size}
        axis.text(k + 0.5, i + 0.5, form.format(value), color=ink, **place)
    if totals:
        place = {"ha": "center", "va": "center", "fontsize": size}
        for i, value in enumerate(values.sum(axis=1)):
            axis.text(columns + 0.5, i + 0.5, f"{value:g}", color=style.MUTED, **place)
        for k, value in enumerate(values.sum(axis=0)):
            axis.text(k + 0.5, rows + 0.5, f"{value:g}", color=style.MUTED, **place)
        at = (columns + 0.5, rows + 0.5)
        axis.text(*at, f"{values.sum():g}", fontweight="bold", **place)
    room = 1 if totals else 0
    axis.set(xlim=(0, columns + room), ylim=(rows + room, 0), aspect="equal")
    axis.set_xticks(np.arange(columns) + 0.5, table.columns)
    axis.set_yticks(np.arange(rows) + 0.5, table.index)
    axis.xaxis.tick_top()
    axis.tick_params(length=0, labelsize=size)
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)
    if title:
        axis.set_title(title, fontsize=9, pad=6)


def weighted_products(rows: dict[str, tuple[pd.DataFrame, ...]]) -> Figure:
    """Counts, weights and their products: a row for each name."""
    figure, axes = plt.subplots(len(rows), 3, figsize=(WIDTH, 2.45 * len(rows)))
    most = [max(t[k].to_numpy().max() for t in rows.values()) for k in range(3)]
    for line, (name, tables) in zip(axes, rows.items()):
        titles = (
            f"{name.capitalize()} counts",
            "Weights",
            f"{name.capitalize()} products",
        )
        inks = "Blues", "Purples", "Oranges"
        for k, (axis, table) in enumerate(zip(line, tables)):
            look = {"top": most[k], "colours": inks[k], "totals": k != 1}
            matrix(axis, table, titles[k], **look)
            if k < 2:
                axis.text(
                    1.1,
                    0.6,
                    "\N{MULTIPLICATION SIGN}="[k],
                    fontsize=16,
                    transform=axis.transAxes,
                )
        line[1].set(xlim=(0, len(table) + 1), ylim=(len(table) + 1, 0))
    return figure


def magnitudes(items: pd.DataFrame, coders: list[str]) -> Figure:
    """Judgments of each item in the order of the means, and all of them beside.

    items : a row for each item, columns coders and mean.
    """
    shape = {"figsize": (WIDTH, 4.6), "width_ratios": (3.2, 1)}
    figure, (left, right) = plt.subplots(1, 2, **shape)
    ordered = items.sort_values("mean", kind="stable")
    for y, (_, row) in enumerate(ordered.iterrows()):
        found = row[coders].astype(int).value_counts()
        left.hlines(y, found.index.min(), found.index.max(), color=style.GRID, lw=3)
        size = (3 + 1.4 * found) ** 2
        left.scatter(found.index, [y] * len(found), size, color=BLUE, zorder=2.5)
    ticks = range(len(ordered))
    look = {"color": ORANGE, "ms": 8, "mew": 1.8, "zorder": 3}
    left.plot(ordered["mean"], ticks, "|", **look)
    left.set_yticks(ticks, ordered.index, fontsize=7)
    left.set(xlabel="magnitude", ylabel="item", title="Judgments of each item")
    text = "orange line: mean of the item\nlarger dot: more coders"
    left.text(0.97, 0.04, text, transform=left.transAxes, ha="right", fontsize=8)
    counts = items[coders].stack().value_counts().sort_index()
    bars = right.barh(counts.index, counts, color=BLUE, height=0.8)
    right.bar_label(bars, padding=3, fontsize=8)
    right.set(xlabel="judgments", title="All judgments", yticks=counts.index)
    right.margins(x=0.2)
    right.grid(visible=False, axis="y")
    return figure


def grades(
    scale: tuple[tuple[float, str], ...],
    thresholds: dict[str, float],
    examples: pd.DataFrame,
) -> Figure:
    """The scale of Landis and Koch as bands, thresholds, and values in intervals.

    scale : (upper end, name) in ascending order; examples : low, value, high.
    """
    figure, axis = plt.subplots(figsize=(WIDTH, 3.3))
    lowest, top = -0.1, len(examples)
    shades = plt.get_cmap("Blues")(np.linspace(0.02, 0.5, len(scale)))
    middle = {"ha": "center", "va": "center", "fontsize": 8}
    for (end, name), shade in zip(scale, shades):
        axis.axvspan(lowest, end, color=shade, lw=0)
        axis.text((lowest + end) / 2, top + 0.2, name.replace(" ", "\n"), **middle)
        lowest = end
    for (name, value), side in zip(thresholds.items(), ("right", "left")):
        axis.axvline(value, color=style.INK, lw=1.2, ls="--", ymax=0.86)
        axis.text(value, -0.7, f" {name} ", ha=side, va="center", fontsize=8)
    ends = examples[["low", "high"]][::-1].T
    axis.plot(ends, [range(top)] * 2, color=style.INK)
    axis.plot(examples["value"][::-1], range(top), "o", color=style.INK, ms=5)
    axis.set_yticks(range(top), examples.index[::-1])
    axis.set(xlim=(-0.1, 1), ylim=(-1, top + 0.6), xlabel="agreement coefficient")
    axis.grid(visible=False)
    axis.set_title("Five coefficients, two thresholds and the scale of Landis and Koch")
    return figure


def shares_of_k(tables: dict[str, pd.DataFrame]) -> Figure:
    """Each label's coefficient as a bar, as wide as its share of K.

    tables : by title; rows labels, columns value (the label's coefficient) and
    weight (its share of K, sum 1).
    """
    shape = {"figsize": (WIDTH, 3.3), "sharey": True}
    figure, axes = plt.subplots(1, len(tables), **shape)
    for axis, (title, table) in zip(axes, tables.items()):
        left, k = 0.0, float((table["value"] * table["weight"]).sum())
        for (name, row), ink in zip(table.iterrows(), (BLUE, ORANGE, PURPLE)):
            axis.bar(left, row.value, row.weight, align="edge", color=ink, ec="white")
            text, narrow = f"{name}: {row.value:.2f}", row.weight < 0.15
            place = {
                "ha": "right" if narrow else "left",
                "xytext": (-3 if narrow else 9, 8),
            }
            style.label(
                axis, left, -0.09 if narrow else max(row.value, 0), text, ink, **place
            )
            left += row.weight
        axis.axhline(k, color=style.INK, lw=1.2, ls="--")
        style.label(axis, 1, k, f"$K$ = {k:.2f}", style.INK, ha="right", xytext=(0, 7))
        axis.texts[-1].set_bbox(
            {"facecolor": "white", "alpha": 0.85, "lw": 0, "pad": 1}
        )
        axis.set(xlim=(0, 1), ylim=(-0.1, 1.02), title=title)
        axis.set_xlabel("weight of the label in $K$")
        style.percent_axis(axis)
    axes[0].set_ylabel("coefficient of the label")
    return figure


def confusions(
    labels: np.ndarray, classes: list[str], raters: list[str], text: str
) -> Figure:
    """Probability of a label given the class, a heat map for each rater.

    labels : (raters, classes, labels).
    """
    figure, axes = plt.subplots(1, len(raters), figsize=(WIDTH, 2.15), sharey=True)
    for axis, rater, table in zip(axes, raters, labels):
        frame = pd.DataFrame(table, classes, classes)
        matrix(axis, frame, rater, form="{:.2f}", top=1, size=7)
        axis.xaxis.tick_bottom()
        axis.set_xlabel("label")
    axes[0].set_ylabel("class")
    headline(figure, text)
    return figure


def dentists(raters: pd.DataFrame, patterns: pd.DataFrame) -> Figure:
    """Each rater's rates, and the probability of a class by number of votes.

    raters : columns sensitivity, specificity; patterns : votes, probability,
    items.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 3.4))
    left.plot(1 - raters.specificity, raters.sensitivity, "o", color=BLUE, ms=6)
    for name, row in raters.iterrows():
        place = {"xytext": (8, -2)}
        style.label(
            left, 1 - row.specificity, row.sensitivity, name, style.INK, **place
        )
    left.plot([0, 1], [0, 1], color=style.MUTED, lw=0.8, ls=":")
    style.label(left, 0.62, 0.62, "guessing", style.MUTED, xytext=(6, -8))
    left.set(xlabel="sound called carious (1 - specificity)", xlim=(-0.02, 1))
    left.set(ylabel="carious found (sensitivity)", ylim=(0, 1))
    left.set_title("The five dentists")
    votes = patterns.groupby("votes")["items"]
    aside = votes.cumcount() - (votes.transform("size") - 1) / 2
    look = {"s": 8 + 8 * np.log10(patterns["items"]) ** 2, "alpha": 0.75, "lw": 0}
    x = patterns.votes + 0.045 * aside
    right.scatter(x, patterns.probability, color=ORANGE, **look)
    for line in (right.axhline(0.5), right.axvline(2.5)):
        line.set(color=style.MUTED, lw=0.8, ls=":")
    text = "right of the line: majority\nsays carious; larger dot:\nmore surfaces"
    right.text(2.58, 0.03, text, color=style.MUTED, fontsize=8)
    right.set(xlabel="dentists who say carious", ylabel="P(carious | judgments)")
    right.set_title("The 32 patterns of judgments")
    return figure
