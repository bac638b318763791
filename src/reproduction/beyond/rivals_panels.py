"""The picture of what rival tests and optimal plans inspect on average."""

from __future__ import annotations

import json

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import WIDTH

INKS = (style.PALETTE["blue"], style.PALETTE["orange"])  # a colour for each levels
MARKS = "os^D"  # a mark for each lot size
SHOWN = 90  # percent; what is beyond has an arrow and its number


def excess(table: pd.DataFrame) -> pd.DataFrame:
    """What each plan inspects more than it need, in percent, in two columns.

    table : as rivals.table() gives it. `levels`: the mean of both levels, against the
    bound for every plan of the lot. `worst`: the largest mean over all numbers of
    errors, against the least one among the plans of the same setting.
    """
    least = table.groupby(["levels", "N"])["worst D"].transform("min")
    return pd.DataFrame(
        {
            "levels": table["above bound, %"],
            "worst": 100 * (table["worst D"] / least - 1),
        }
    )


def dots(table: pd.DataFrame) -> Figure:
    """A row for each plan and a mark for each setting: excess at the levels, and worst.

    table : as rivals.table() gives it
    """
    names = table["plan"].drop_duplicates().tolist()
    figure, axes = plt.subplots(
        1, 2, figsize=(WIDTH, 0.235 * len(names) + 1.6), sharey=True
    )
    all_levels = table["levels"].drop_duplicates().tolist()
    sizes = table["N"].drop_duplicates().tolist()
    shares = excess(table)
    height = table["plan"].map(names.index)
    for (levels, size), part in table.groupby(["levels", "N"], sort=False):
        k, j = all_levels.index(levels), sizes.index(size)
        ink, mark = INKS[k % len(INKS)], MARKS[j % len(MARKS)]
        p_a, p_r, *_ = json.loads(levels)
        text = f"{100 * p_a:g} | {100 * p_r:g} %, N = {size:,}"
        at = height[part.index] + 0.13 * (2 * k + j - 1.5)
        for axis, column in zip(axes, shares):
            value = shares.loc[part.index, column]
            look = {"color": ink, "ms": 4, "clip_on": False, "zorder": 3}
            axis.plot(value.clip(upper=SHOWN), at, mark, label=text, **look)
            for x, y in zip(value, at):
                if x > SHOWN:
                    words = f"\N{RIGHTWARDS ARROW} {x:.0f} %"
                    style.label(axis, SHOWN, y, words, ink, fontsize=7)
    axes[0].set(title="Mean of both levels", xlabel="above the bound for the lot")
    axes[1].set(title="Worst number of errors", xlabel="above the least worst case")
    for axis in axes:
        axis.set_xlim(-1, 1.14 * SHOWN)
        axis.xaxis.set_major_formatter("{x:g} %")
        axis.set_xticks(range(0, SHOWN + 1, 30))
        axis.tick_params(labelsize=8)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set_ylim(len(names) - 0.4, -0.6)
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure
