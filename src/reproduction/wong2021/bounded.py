"""Pairs of cities on the real subset: what their kappa_x can be, and pictures of it."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..machinery import style
from . import stand_in, subset
from .irep import EMOTIONS, PAIRS
from .replications import NAMES, PAIR_LOOK

REAL = f"{subset.ITEMS:,} real items"


def cities() -> pd.DataFrame:
    """What kappa_x of two cities can be on the subset's items.

    Returns
    -------
    DataFrame
        A row for each of 31 labels and three pairs: label, pools; low, high (whole
        numbers of items), linear_low, linear_high (parts of items allowed); file:
        kappa_x on the whole file where it is known; stand_in: what the stand-in is
        aimed at.
    """
    aims = stand_in.targets()
    aims = aims[aims["statistic"] == "kappa_x"].set_index(["label", "pools"])
    rows = []
    for label in EMOTIONS:
        for pair in PAIRS:
            pools = "-".join(pair)
            aim = aims.loc[(label, pools)]
            known = aim["origin"].startswith(stand_in.KNOWN)
            ends = [*subset.bounds(label, *pair)]
            ends += subset.bounds(label, *pair, whole=False)
            file = aim["target"] if known else np.nan
            rows.append([label, pools, *ends, file, aim["target"]])
    columns = ["label", "pools", "low", "high", "linear_low", "linear_high"]
    return pd.DataFrame(rows, columns=[*columns, "file", "stand_in"])


def cities_drawn(table: pd.DataFrame) -> Figure:
    """Each label's bounds, a panel for each pair: thin linear, thick whole-number."""
    middle = table.assign(at=(table["low"] + table["high"]) / 2)
    order = middle.groupby("label")["at"].mean().sort_values().index
    figure, axes = plt.subplots(
        1, 3, figsize=(style.WIDTH, 6.4), sharey=True, sharex=True
    )
    y = np.arange(len(order))
    for axis, (pools, (ink, mark)) in zip(axes, PAIR_LOOK.items()):
        part = table[table["pools"] == pools].set_index("label").loc[order]
        axis.hlines(y, part["linear_low"], part["linear_high"], color=ink, lw=1,
                    alpha=0.4)  # fmt: skip
        axis.hlines(y, part["low"], part["high"], color=ink, lw=3.4)
        one = (part["high"] - part["low"] < 1e-9).to_numpy()
        axis.plot(part["low"][one], y[one], mark, color=ink, ms=4)
        axis.plot(part["file"], y, "o", mfc="white", mec=style.INK, ms=5)
        axis.axvline(0, color=style.MUTED, lw=0.8)
        name = ", ".join(NAMES[city] for city in pools.split("-"))
        text = f"{name}\none value for {one.sum()} labels"
        axis.set_title(text, color=ink, fontsize=9)
        axis.set(xlabel=r"possible $\kappa_x$", ylim=(-0.7, len(order) - 0.3))
    axes[0].set_yticks(y, order)
    note = (
        "thick line: possible with whole numbers of items; thin line: with parts of"
        " items allowed\nfilled mark: one value is left; hollow circle: the value on"
        " the whole file, where it is known"
    )
    figure.supxlabel(note, fontsize=8, color=style.MUTED)
    figure.suptitle(
        f"What $\\kappa_x$ of two cities can be on the {REAL}",
        x=0.01, ha="left", fontsize=10, weight="bold",
    )  # fmt: skip
    return figure
