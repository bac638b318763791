"""Pictures of two exhibits: magnitudes, and the labels' shares of K."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import WIDTH

INKS = [style.COLOUR[name] for name in ("double", "sequential", "interval")]
BLUE, ORANGE, _ = INKS


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


def shares_of_k(tables: dict[str, pd.DataFrame]) -> Figure:
    """Each label's coefficient as a bar, as wide as its share of K.

    tables : by title; rows labels, columns value (the label's coefficient) and
    weight (its share of K, sum 1).
    """
    figure, axes = plt.subplots(1, len(tables), figsize=(WIDTH, 3.6), sharey=True)
    for axis, (title, table) in zip(axes, tables.items()):
        value, weight = table["value"], table["weight"]
        names = [f"{name}: {each:.2f}" for name, each in value.items()]
        look = {"align": "edge", "color": INKS[: len(table)], "ec": "white"}
        axis.bar(weight.cumsum() - weight, value, weight, label=names, **look)
        k = float((value * weight).sum())
        axis.axhline(k, color=style.INK, lw=1.2, ls="--", label=f"$K$ = {k:.2f}")
        axis.set(xlim=(0, 1), ylim=(-0.1, 1.02), title=title)
        axis.set_xlabel("weight of the label in $K$")
        style.percent_axis(axis)
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)
    axes[0].set_ylabel("coefficient of the label")
    return figure
