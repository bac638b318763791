"""The sweep over sample sizes: its levels in words, and its picture."""

from __future__ import annotations

import json

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import WIDTH

INKS = ("blue", "magenta", "orange", "teal", "ink", "red")
USUAL = [0.05, 0.1]  # alpha and beta, which a name leaves out
LEGEND = "Solid: the single plan. Dotted: the optimal plan, on average in a good lot."
TICKS = [step * 10**power for power in range(1, 6) for step in (1, 2, 5)]


def with_levels(table: pd.DataFrame) -> pd.DataFrame:
    """The results of the sweep sample_sizes, their levels as columns and in words.

    The column `levels` becomes a name such as "1 | 3 %": p_a and p_r, with other risks
    than the usual ones in brackets.
    """
    levels = [json.loads(each) for each in table["levels"]]
    parts = pd.DataFrame(levels, columns=["p_a", "p_r", "alpha", "beta"])
    names = []
    for p_a, p_r, *risks in levels:
        name = f"{100 * p_a:g} | {100 * p_r:g} %"
        if risks != USUAL:
            name += " ({:g}, {:g} %)".format(*(100 * risk for risk in risks))
        names.append(name)
    return table.assign(levels=names).join(parts)


def by_lot_size(table: pd.DataFrame) -> Figure:
    """The single plan's n, and the optimal plan's average, against the lot size."""
    figure, axis = plt.subplots(figsize=(WIDTH, 4.2))
    inks = dict(zip(sorted(table["p_a"].unique()), INKS * len(table)))
    for name, part in table.groupby("levels", sort=False):
        part = part.sort_values("lot_size")
        ink = style.PALETTE[inks[part["p_a"].iloc[0]]]
        axis.plot(part["lot_size"], part["n"], color=ink)
        axis.plot(part["lot_size"], part["optimal_asn_at_p_a"], ":", color=ink)
        end = part[["lot_size", "n"]].iloc[-1]
        style.label(axis, *end, str(name), ink, annotation_clip=False)
    axis.set(xscale="log", yscale="log", xlabel="lot size", ylabel="checks")
    axis.set_yticks([tick for tick in TICKS if tick < table["n"].max()])
    axis.set_ylim(0.8 * table["optimal_asn_at_p_a"].min(), 1.2 * table["n"].max())
    for scale in (axis.xaxis, axis.yaxis):
        scale.set_major_formatter("{x:,.0f}")
    axis.minorticks_off()
    return figure
