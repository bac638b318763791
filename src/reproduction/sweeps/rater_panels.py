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
    sets = table.sort_values("judgments").groupby(["largest", "labels"])
    across = table["labels"].nunique()
    down = len(sets) // across
    size, share = (style.WIDTH, 0.6 + 2.1 * down), {"sharex": True, "sharey": True}
    figure, axes = plt.subplots(down, across, figsize=size, squeeze=False, **share)
    for axis, ((largest, labels), part) in zip(axes.flat, sets):
        for name, (text, ink, mark) in KINDS.items():
            look = {"color": ink, "marker": mark, "ms": 4, "label": text}
            axis.plot(part["judgments"], part[name], **look)
        how = f"one on {100 * largest:g} %" if largest else "equally frequent"
        axis.set_title(f"{labels} labels, {how}", fontsize=9)
        axis.set(xscale="log", ylim=(-0.03, 1.03))
        axis.set(xlabel="judgments of each rater", ylabel="share that is named")
        axis.label_outer()
    ticks = sorted(table["judgments"].unique())
    axes[0, 0].set_xticks(ticks, [f"{x:,}" for x in ticks])
    axes[0, 0].minorticks_off()
    style.percent_axis(axes[0, 0], "y")
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(KINDS))
    return figure
