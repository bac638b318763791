"""The picture of what rival tests and optimal plans inspect on average."""

from __future__ import annotations

import json

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import WIDTH

# Where it is inspected: label, colour, marker, filled.
PLACES = {
    "D = 0": ("no error", style.COLOUR["single"], "o", False),
    "p_a": ("at $p_a$", style.COLOUR["good"], "o", True),
    "middle": ("middle", style.COLOUR["sequential"], "s", True),
    "p_r": ("at $p_r$", style.COLOUR["double"], "^", True),
    "worst D": ("worst", style.COLOUR["sequential"], "D", False),
}


def dots(table: pd.DataFrame) -> Figure:
    """A row for each plan, a panel for each setting, a mark for each place.

    table : as rivals.table() gives it
    """
    settings = table[["levels", "N"]].drop_duplicates().to_numpy()
    names = table["plan"].drop_duplicates().tolist()
    figure, axes = plt.subplots(
        1, len(settings), figsize=(WIDTH, 0.235 * len(names) + 1.6), sharey=True
    )
    axes = np.atleast_1d(axes)
    for axis, (levels, size) in zip(axes, settings):
        part = table[(table["levels"] == levels) & (table["N"] == size)]
        part = part.set_index("plan").loc[names]
        at = np.arange(len(names))
        for place, (text, ink, mark, filled) in PLACES.items():
            face = ink if filled else "none"
            axis.plot(part[place], at, mark, c=ink, mfc=face, ms=4.2, label=text, mew=1)
        p_a, p_r, *_ = json.loads(levels)
        head = f"{100 * p_a:g} | {100 * p_r:g} %, N = {size:,}"
        axis.set_title(head, fontsize=8)
        axis.set_xlim(left=0)
        axis.tick_params(labelsize=7)
        axis.set_xlabel("inspections, mean", fontsize=8)
    axes[0].set_yticks(range(len(names)), names, fontsize=7)
    axes[0].invert_yaxis()
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=len(PLACES),
        fontsize=8,
        frameon=False,
    )
    return figure
