"""Pictures of two replications: pairs, ranges, ceilings, crowds, coverage."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from . import style

WIDTH = 7.4  # inches, the text width of a page
X_INK, Y_INK, OFF = "#4477AA", "#EE7733", "#CC3311"


def pairs(of_x: int, of_y: int) -> Figure:
    """Which judgments d_o (one item) and d_e (any two items) compare."""
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.9))
    titles = (
        "Observed: pairs on one item, across",
        "Expected: pairs on any items, across",
    )
    for axis, title, same in zip(axes, titles, (True, False)):
        axis.set_title(title)
        x_at = [
            (0.0, 2 - i + 0.22 * (of_x / 2 - r)) for i in range(3) for r in range(of_x)
        ]
        y_at = [
            (1.0, 2 - i + 0.22 * (of_y / 2 - s)) for i in range(3) for s in range(of_y)
        ]
        for u, (x0, y0) in enumerate(x_at):
            for v, (x1, y1) in enumerate(y_at):
                here = u // of_x == v // of_y
                if here or not same:
                    ink = style.INK if here else style.MUTED
                    axis.plot([x0, x1], [y0, y1], color=ink, lw=0.9 if here else 0.3)
        axis.plot(*zip(*x_at), "o", color=X_INK, ms=7)
        axis.plot(*zip(*y_at), "s", color=Y_INK, ms=7)
        for i in range(3):
            axis.text(-0.32, 2 - i, f"item {i + 1}", va="center", ha="right")
        axis.text(0, 2.62, "X", color=X_INK, ha="center", weight="bold")
        axis.text(1, 2.62, "Y", color=Y_INK, ha="center", weight="bold")
        axis.set(xlim=(-0.75, 1.3), ylim=(-0.6, 2.9))
        axis.axis("off")
    return figure


def ranges(every: np.ndarray, at_random: np.ndarray, items: int) -> Figure:
    """kappa_x of all small tables, and where there is nothing in common."""
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.7))
    for axis, values, title in (
        (axes[0], every, "All tables of 3 items: from −1 to 1"),
        (axes[1], at_random[np.isfinite(at_random)], "No agreement: half are below 0"),
    ):
        axis.set_title(title)
        if axis is axes[0]:
            edges = np.linspace(-1.05, 1.05, 22)
        else:
            edges = np.linspace(values.min(), values.max(), 31)
        share, edges = np.histogram(values, edges)
        colours = [OFF if e < -1e-9 else X_INK for e in (edges[:-1] + edges[1:]) / 2]
        axis.bar(
            edges[:-1], share / len(values), np.diff(edges), align="edge",
            color=colours, edgecolor="white", linewidth=0.4,
        )  # fmt: skip
        axis.axvline(0, color=style.INK, lw=0.8)
        style.percent_axis(axis, "y")
    axes[0].set(xlabel="$κ_x$", ylabel="share of tables")
    axes[1].set(xlabel=f"$κ_x$ of {items} items", ylabel="share of studies")
    return figure


def eq14(laws: pd.DataFrame) -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.4))
    for name, ink, mark in (("equal", X_INK, "o"), ("different", Y_INK, "^")):
        part = laws[laws["shares"] == name]
        text = f"{name} shares of yes"
        axes[0].plot(
            part["rho"] * part["geometric_mean"], part["simulated"], mark,
            color=ink, label=text,
        )  # fmt: skip
        axes[1].plot(part["rho"], part["normalized"], mark, color=ink, label=text)
    for axis in axes:
        ends = np.array(axis.dataLim.intervalx)
        axis.plot(ends, ends, color=style.MUTED, lw=0.8, zorder=0)
    axes[0].set(
        title="Eq. 14 holds for equal shares",
        xlabel=r"$ρ \sqrt{\mathrm{IRR}_X\,\mathrm{IRR}_Y}$",
        ylabel="$κ_x$, mean of 300 studies",
    )
    axes[1].set(
        title="Normalised $κ_x$ is at most ρ",
        xlabel="ρ, true correlation",
        ylabel="normalised $κ_x$, expected",
    )
    axes[0].legend(loc="upper left")
    return figure


def ceiling(curve: pd.DataFrame, drawn: pd.DataFrame, items: int) -> Figure:
    """Two ceilings against the other IRR; samples of a perfect replication."""
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.2))
    x = curve["irr_y"]
    axes[0].plot(x, curve["greater"], "--", color=style.MUTED)
    axes[0].plot(x, curve["geometric_mean"], color=X_INK)
    axes[0].fill_between(x, curve["geometric_mean"], color=X_INK, alpha=0.12, lw=0)
    axes[0].text(0.52, 0.62, "the paper's cap:\nthe greater IRR", color=style.MUTED,
                 ha="right", fontsize=8)  # fmt: skip
    axes[0].text(0.98, 0.3, "possible $κ_x$", color=X_INK, ha="right", fontsize=8)
    axes[0].text(0.98, 0.5, "geometric mean", color=X_INK, ha="right", fontsize=8)
    axes[0].set(title="The ceiling is lower than claimed", xlabel="IRR of Y; that of X is .2",
                ylabel="$κ_x$", xlim=(0, 1), ylim=(0, 1))  # fmt: skip
    above = drawn["kappa_x"] > drawn["geometric_mean"]
    for part, ink, text in (
        (drawn[above], OFF, "above it"), (drawn[~above], X_INK, "below"),
    ):  # fmt: skip
        axes[1].plot(part["geometric_mean"], part["kappa_x"], "o", ms=2.5, color=ink,
                     alpha=0.6, mew=0, label=f"{text}: {len(part) / len(drawn):.0%}")  # fmt: skip
    ends = np.array(axes[1].dataLim.intervalx)
    axes[1].plot(ends, ends, color=style.INK, lw=0.8)
    axes[1].legend(loc="upper left", markerscale=2)
    axes[1].set(title="Samples of a perfect replication exceed it",
                xlabel="geometric mean of the two IRRs", ylabel=f"$κ_x$, {items} items")  # fmt: skip
    return figure


# The subset -------------------------------------------------------------------

POOLS = {
    "International": ("#222222", "o"),
    "Budapest": ("#4477AA", "s"),
    "KualaLumpur": ("#EE7733", "^"),
    "Mexico": ("#228833", "D"),
}


def alphas(table: pd.DataFrame, order: list[str]) -> Figure:
    """Dots with intervals: labels down, one panel a pool."""
    figure, axes = plt.subplots(1, 4, figsize=(WIDTH, 6.2), sharey=True, sharex=True)
    for axis, (pool, (ink, mark)) in zip(axes, POOLS.items()):
        part = table[table["pool"] == pool].set_index("label").reindex(order)
        at = np.arange(len(order))
        axis.hlines(at, part["low"], part["high"], color=ink, lw=1.1, alpha=0.6)
        bare = part["low"].isna()
        axis.plot(part["alpha"], at, mark, color=ink, ms=4)
        axis.plot(part["alpha"][bare], at[bare], mark, mfc="white", mec=ink, ms=4)
        axis.axvline(0.6, color=style.MUTED, lw=0.8, ls=":")
        axis.set_title(pool, color=ink)
        axis.set_yticks(at, order)
        axis.set(ylim=(-0.7, len(order) - 0.3), xlabel="alpha", xlim=(-0.05, 1))
        none = part["alpha"].isna()
        for y in at[none]:
            axis.text(0.0, y, "never used", fontsize=7, va="center", color=style.MUTED)
    figure.suptitle(
        "Kuala Lumpur's raters agree most; few labels pass .6 (dotted)",
        x=0.01, ha="left", fontsize=10, weight="bold",
    )  # fmt: skip
    return figure


def travels(table: pd.DataFrame) -> Figure:
    """kappa_x with intervals against its ceiling, one panel a city."""
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 3.1), sharey=True, sharex=True)
    for axis, city in zip(axes, ("Budapest", "KualaLumpur", "Mexico")):
        ink, mark = POOLS[city]
        part = table[(table["city"] == city) & table["ceiling"].notna()]
        axis.plot([0, 0.75], [0, 0.75], color=style.MUTED, lw=0.8, zorder=0)
        axis.vlines(part["ceiling"], part["low"], part["high"], color=ink, lw=0.8,
                    alpha=0.45)  # fmt: skip
        for few, face in ((True, "white"), (False, ink)):
            some = part[(part["J"] < 5) == few]
            axis.plot(some["ceiling"], some["kappa_x"], mark, mfc=face, mec=ink, ms=4)
        median = part.loc[part["J"] >= 5, "normalized"].median()
        axis.set_title(f"{city}: {median:.2f} of the ceiling")
        axis.title.set_fontsize(9)
        axis.set(xlabel="$\\sqrt{α_X α_Y}$, the ceiling")
    axes[0].set(ylabel="$κ_x$ with International")
    return figure


def by_label(solid: pd.DataFrame) -> Figure:
    """Normalised kappa_x by label, cities as marks."""
    figure, axis = plt.subplots(figsize=(WIDTH, 0.26 * len(solid) + 1.1))
    at = np.arange(len(solid))[::-1]
    cities = [c for c in POOLS if c in solid]
    axis.hlines(at, solid[cities].min(axis=1), solid[cities].max(axis=1),
                color=style.GRID, lw=3, zorder=0)  # fmt: skip
    for city in cities:
        ink, mark = POOLS[city]
        axis.plot(solid[city], at, mark, color=ink, label=city)
    axis.axvline(1, color=style.INK, lw=0.8)
    axis.set_yticks(at, solid.index)
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axis.set(title="Some labels mean the same elsewhere, others do not",
             xlabel="normalised $κ_x$ with International; 1 = pools differ no more"
             " than raters")  # fmt: skip
    return figure
