"""How many of the raters whom one should talk to are named, by judgments of each."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ..machinery import style

# Column of the sweep, how it is called, colour and mark.
KINDS = {
    "found_reversed": ("never right", style.PALETTE["magenta"], "D"),
    "found_constant": ("one label", style.PALETTE["ink"], "s"),
    "found_frequent": ("at random, as frequent", style.PALETTE["orange"], "^"),
    "found_random": ("at random, evenly", style.PALETTE["cyan"], "v"),
}


def found(table: pd.DataFrame) -> Figure:
    """Share found against judgments of each rater; a panel for each set of labels.

    Parameters
    ----------
    table : DataFrame
        Of one number of raters and one model of errors.
    """
    rows = sorted(table["largest"].unique())
    columns = sorted(table["labels"].unique())
    size = (style.WIDTH, 0.6 + 2.1 * len(rows))
    figure, axes = plt.subplots(
        len(rows), len(columns), figsize=size, sharex=True, sharey=True, squeeze=False
    )
    for line, largest in zip(axes, rows):
        for axis, labels in zip(line, columns):
            part = table[(table["largest"] == largest) & (table["labels"] == labels)]
            part = part.sort_values("judgments")
            for name, (_, ink, mark) in KINDS.items():
                axis.plot(part["judgments"], part[name], color=ink, marker=mark, ms=4)
            how = f"one on {100 * largest:g} %" if largest else "equally frequent"
            axis.set_title(f"{labels} labels, {how}", fontsize=9)
            axis.set(xscale="log", ylim=(-0.03, 1.03))
    ticks = sorted(table["judgments"].unique())
    for axis in axes[-1]:
        axis.set_xticks(ticks, [f"{x:,}" for x in ticks])
        axis.minorticks_off()
        axis.set_xlabel("judgments of each rater")
    for line in axes:
        style.percent_axis(line[0], "y")
        line[0].set_ylabel("share that is named")
    lines = axes[0, 0].lines
    names = [text for text, _, _ in KINDS.values()]
    figure.legend(lines, names, loc="outside lower center", ncols=len(names))
    return figure
