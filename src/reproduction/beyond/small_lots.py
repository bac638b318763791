"""Intervals for the error rate of a lot, beside each other."""

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

from ..machinery import style
from ..machinery.style import WIDTH

METHODS = {
    "Clopper-Pearson": style.COLOUR["single"],
    "optimal": style.COLOUR["optimal"],
    "mid-P": style.COLOUR["sequential"],
    "Wald (normal)": style.COLOUR["bad"],
    "published": style.COLOUR["published"],
}
BAD = style.COLOUR["bad"]
Interval = Callable[..., tuple[Array, Array]]


def methods(others: Mapping[str, Interval]) -> dict[str, Interval]:
    """Every interval for a lot by its name: (errors, sample, lot) to (low, high).

    others : beside those of the library and the published one
    """
    found = {**others, "published": as_published.plug_in_interval}
    for name in ("Clopper-Pearson", "optimal", "mid-P"):
        found[name] = partial(la.proportion_interval, method=name.lower())
    return {name: found[name] for name in METHODS if name in found}


def in_counts(low: Array, high: Array, lot_size: int) -> tuple[Array, Array]:
    """The smallest and largest number of errors between two rates."""
    first = np.ceil(np.asarray(low) * lot_size - 1e-9)
    last = np.floor(np.asarray(high) * lot_size + 1e-9)
    return first.astype(int), last.astype(int)


def ways(lot_size: int, sample_size: int) -> np.ndarray:
    """How many samples have x errors (rows) where the lot has D (columns): exact."""
    n, errors = sample_size, range(lot_size + 1)
    found = (
        [comb(d, x) * comb(lot_size - d, n - x) for d in errors] for x in range(n + 1)
    )
    return np.array([*found], dtype=object)


def covered(low: Array, high: Array, counted: np.ndarray) -> np.ndarray:
    """How many samples have an interval that contains D / lot_size, for every D.

    low and high are rates for x = 0, 1, ...; `counted` is what `ways` gives.
    """
    size = counted.shape[1] - 1
    first, last = in_counts(low, high, size)
    d = np.arange(size + 1)
    inside = (first[:, None] <= d) & (d <= last[:, None])
    return (counted * inside).sum(axis=0)


def coverage_panels(
    tables: Mapping[str, pd.DataFrame],
    inks: Mapping[str, str],
    confidence: float,
    floor: float | None = None,
    marks: tuple[int, int] | None = None,
    most: int | None = None,
) -> Figure:
    """Coverage against the errors in the lot, with what falls short filled.

    tables : a panel each, by title: D and a column for each interval, in its ink.
    What is below `floor` is cut off. marks : the errors at p_a and at p_r. most : the
    last D that is drawn; the least coverage in the titles is that of all D.
    """
    across, shared = (len(tables) + 1) // 2, {"sharex": True, "sharey": True}
    figure, grid = plt.subplots(2, across, figsize=(WIDTH, 4.2), **shared)
    for axis, (title, table) in zip(grid.flat, tables.items()):
        every = table.set_index("D")
        covers = every.loc[:most]
        for name, values in covers.items():
            axis.plot(values, color=inks[name], lw=1, label=name)
            low = np.minimum(values, confidence)
            axis.fill_between(covers.index, low, confidence, color=BAD, alpha=0.3, lw=0)
        axis.axhline(confidence, color=style.INK, lw=0.7, ls=":")
        axis.set_title(f"{title}: least {100 * every.min(axis=None):.1f} %", size=9)
        axis.set_xlim(0, covers.index.max())
        style.percent_axis(axis, "y")
        if marks:
            style.levels_marks(axis, *marks)
    for axis in grid.flat[len(tables) :]:
        axis.set_visible(False)
    if floor is not None:
        grid[0, 0].set_ylim(floor, 1.003)
    lines, names = grid[0, 0].get_legend_handles_labels()
    if len(names) > 1:
        figure.legend(lines, names, loc="outside lower center", ncols=len(names))
    for axis in grid[:, 0]:
        axis.set_ylabel("coverage")
    for axis in grid.flat[len(tables) - across : len(tables)]:
        axis.tick_params(labelbottom=True)
        axis.set_xlabel("errors in the lot, D")
    return figure
