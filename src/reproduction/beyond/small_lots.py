"""Intervals for the error rate of a lot, beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import comb

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit import as_published
from labelaudit._checks import Array
from labelaudit.laws.errors import rate_to_count

from ..machinery import style
from ..machinery.style import WIDTH

METHODS = {
    "Clopper-Pearson": style.COLOUR["single"],
    "optimal": style.COLOUR["optimal"],
    "mid-P": style.COLOUR["sequential"],
    "Wald (normal)": style.COLOUR["bad"],
    "published": style.COLOUR["published"],
}
Interval = Callable[..., tuple[Array, Array]]


def methods(others: Mapping[str, Interval]) -> dict[str, Interval]:
    """Every interval for a lot by its name: (errors, sample, lot) to (low, high).

    others : beside those of the library and the published one
    """
    ours = ("Clopper-Pearson", "optimal", "mid-P")
    found: dict[str, Interval] = {
        name: partial(la.proportion_interval, method=name.lower()) for name in ours
    }
    found |= others | {"published": as_published.plug_in_interval}
    return {name: found[name] for name in METHODS if name in found}


def in_counts(low: Array, high: Array, lot_size: int) -> tuple[Array, Array]:
    """The smallest and largest number of errors between two rates."""
    return (
        np.ceil(np.asarray(low) * lot_size - 1e-9).astype(int),
        np.floor(np.asarray(high) * lot_size + 1e-9).astype(int),
    )


def ways(lot_size: int, sample_size: int) -> np.ndarray:
    """How many samples have x errors (rows) where the lot has D (columns): exact."""
    n = sample_size
    return np.array(
        [
            [comb(d, x) * comb(lot_size - d, n - x) for d in range(lot_size + 1)]
            for x in range(n + 1)
        ],
        dtype=object,
    )


def covered(low: Array, high: Array, counted: np.ndarray) -> np.ndarray:
    """How many samples have an interval that contains D / lot_size, for every D.

    low and high are rates for x = 0, 1, ...; `counted` is what `ways` gives.
    """
    size = counted.shape[1] - 1
    first, last = in_counts(low, high, size)
    d = np.arange(size + 1)
    inside = (first[:, None] <= d) & (d <= last[:, None])
    return (counted * inside).sum(axis=0)


def coverage_panels(table: pd.DataFrame, confidence: float, floor: float) -> Figure:
    """Coverage against the errors in the lot (column D), a panel for each method.

    What is below `floor` is cut off; what is below the confidence is filled.
    """
    names = [name for name in METHODS if name in table]
    figure, grid = plt.subplots(
        2, (len(names) + 1) // 2, figsize=(WIDTH, 3.9), sharex=True, sharey=True
    )
    axes = grid.ravel()
    for axis, name in zip(axes, names):
        value, ink = table[name], METHODS[name]
        axis.plot(table["D"], value, color=ink, linewidth=0.9)
        short = value < confidence
        red = style.COLOUR["bad"]
        axis.fill_between(
            table["D"], value, confidence, where=short, color=red, alpha=0.35, lw=0
        )
        axis.axhline(confidence, color=style.INK, linewidth=0.7, linestyle=":")
        axis.set_title(name, fontsize=9, color=ink)
        axis.set(xlim=(0, table["D"].max()), ylim=(floor, 1.003))
        style.percent_axis(axis, "y")
        worst = value.min()
        words = f"least {100 * worst:.1f} %"
        if worst < floor:
            words += ",\nbelow this panel"
        place = {"ha": "center", "va": "bottom", "xytext": (0, 3)}
        style.label(axis, table["D"].max() / 2, floor, words, ink, **place)
        axis.tick_params(labelbottom=True)
    for axis in axes[len(names) :]:
        axis.set_visible(False)
    for axis in grid[-1]:
        axis.set_xlabel("errors in the lot, D")
    for axis in grid[:, 0]:
        axis.set_ylabel("coverage")
    return figure


def widths_by_size(
    rate: float, lot_size: int, intervals: dict[str, Interval], confidence: float
) -> pd.DataFrame:
    """Half widths of the intervals at round(rate n) errors for every n."""
    rows = []
    for n in range(1, lot_size + 1):
        x = rate_to_count(rate, n)
        ends = [
            interval(x, n, lot_size, confidence=confidence)
            for interval in intervals.values()
        ]
        rows.append([n, *(float(high - low) / 2 for low, high in ends)])
    return pd.DataFrame(rows, columns=["n", *intervals])


def sawtooth(table: pd.DataFrame, sizes: pd.DataFrame, half_width: float) -> Figure:
    """Half widths against n, and where they are short enough: first and for good.

    `table` is widths_by_size'; `sizes` has first and stable by method (index).
    """
    figure, axis = plt.subplots(figsize=(WIDTH, 3.1))
    for name in table.columns.drop("n"):
        ink = METHODS[name]
        axis.plot(table["n"], table[name], color=ink, linewidth=0.9, label=name)
        first, stable = sizes.loc[name, ["first", "stable"]]
        at = table.set_index("n")[name]
        axis.plot(first, at[first], "^", color=ink, ms=7, zorder=4)
        axis.plot(stable, at[stable], "o", color=ink, ms=6, zorder=4)
    for mark, words in (("^", "first size"), ("o", "stable size")):
        axis.plot([], [], mark, color=style.MUTED, ms=6, label=words)
    axis.axhline(half_width, color=style.INK, linewidth=0.8, linestyle=":")
    words = f"wanted: {100 * half_width:g} %"
    place = {"va": "bottom", "xytext": (-4, 2), "ha": "right"}
    style.label(axis, table["n"].max(), half_width, words, style.INK, **place)
    axis.set(xlabel="sample size n", ylabel="half width", ylim=(0, 3 * half_width))
    axis.set_xlim(0, table["n"].max())
    style.percent_axis(axis, "y")
    axis.legend(loc="upper right")
    return figure
