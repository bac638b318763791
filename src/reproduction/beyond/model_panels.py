"""Pictures of a model beside people: how often it passes, and other numbers."""

from __future__ import annotations

from collections.abc import Container, Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import WIDTH

# Their colours, by the names of the palette, and marks.
TESTS = {"t": "orange", "score": "blue", "exact": "teal"}
MARKS = {"t": "o", "score": "s", "exact": "D"}


def _round_ticks(axis: Axes, values: pd.Series) -> None:
    ticks = [n for n in (30, 100, 300, 1000, 3000) if n <= values.max()]
    axis.set_xticks(ticks, [f"{n:,}" for n in ticks])
    axis.minorticks_off()


def passing(table: pd.DataFrame, q: float) -> Figure:
    """How often a model passes by the number of items, for models and tests.

    table : model, test, n, passes; models in the order of the panels
    """
    models = table["model"].drop_duplicates().tolist()
    most = table.groupby("model")["passes"].max()
    highest = max(most[most < 0.5], default=0)  # of models that should fail
    figure, axes = plt.subplots(1, len(models), figsize=(WIDTH, 2.8))
    for axis, model in zip(axes, models):
        part = table[table["model"] == model]
        for test, one in part.groupby("test", sort=False):
            look = {"color": style.PALETTE[TESTS[test]], "ms": 3.5, "label": test}
            axis.plot(one["n"], one["passes"], f"{MARKS[test]}-", **look)
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
