"""The pictures of Wong et al. 2021, of a tier of IRep."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import INK, MUTED, PALETTE, WIDTH
from .irep import CITIES, PAIR_NAMES
from .replications import WHAT, short

NAMES = {"Mexico": "Mexico City", "KualaLumpur": "Kuala Lumpur", "Budapest": "Budapest"}
# The colour and the mark of a city and of a pair of cities, in every figure.
CITY_LOOK = {
    "International": (PALETTE["ink"], "o"),
    "Budapest": (PALETTE["blue"], "s"),
    "KualaLumpur": (PALETTE["orange"], "^"),
    "Mexico": (PALETTE["teal"], "D"),
}
_INKS = (PALETTE[name] for name in ("magenta", "ink", "cyan"))
PAIR_LOOK = dict(zip(PAIR_NAMES, zip(_INKS, "vPX")))
LOOK = CITY_LOOK | PAIR_LOOK
INKS = [PALETTE[name] for name in ("magenta", "blue", "orange", "ink", "cyan", "teal")]
HOLLOW = {"ls": "", "marker": "o", "mfc": "white", "mec": INK, "ms": 4.5, "mew": 1}
BARS = "lines: 95 % intervals; hollow circles: printed in the paper's text"


def _named(pools: str, between: str = ", ") -> str:
    return between.join(NAMES.get(pool, pool) for pool in pools.split("-"))


def histograms(table: pd.DataFrame, tier: str) -> Figure:
    """Fig. 2: the labels' IRR in each city."""
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 2.5), sharey=True, sharex=True)
    edges = np.arange(np.floor(10 * min(0, table["value"].min())), 11) / 10
    for axis, city in zip(axes, CITIES):
        found, ink = table.loc[table["pools"] == city, "value"], CITY_LOOK[city][0]
        axis.hist(found, edges, color=ink, edgecolor="white")
        axis.axvline(found.median(), color=INK, lw=1, ls=":")
        ends = f"{found.min():.2f} to {found.max():.2f}, median {found.median():.2f}"
        axis.set_title(f"{NAMES[city]}\n{ends}", fontsize=9, color=ink)
        axis.set(xlabel="IRR of a label")
        axis.locator_params(axis="y", integer=True)
    axes[0].set_ylabel("labels")
    number = table["label"].nunique()
    style.headline(figure, f"IRR of {number} labels in each city ({WHAT[tier]})")
    return figure


def bars(panels: dict[str, pd.DataFrame], tier: str, head: str) -> Figure:
    """Figs. 3 to 6: cells as bars with intervals; hollow marks: what is printed."""
    widths = [len(part) for part in panels.values()]
    top = max(part[["value", "high"]].max(axis=None) for part in panels.values())
    shape = {"figsize": (WIDTH, 2.9), "sharey": True, "width_ratios": widths}
    figure, axes = plt.subplots(1, len(panels), **shape)
    for axis, (title, part) in zip(np.atleast_1d(axes), panels.items()):
        at, value = np.arange(len(part)), part["value"]
        inks = [LOOK[pools][0] for pools in part["pools"]]
        reach = value - part["low"], part["high"] - value
        bar = axis.bar(at, value, 0.62, color=inks, yerr=reach, ecolor=PALETTE["grey"])
        axis.bar_label(bar, fmt="%.3f", fontsize=8, padding=2)
        axis.plot(at + 0.2, part["printed"], **HOLLOW)
        axis.axhline(0, color=MUTED, lw=0.8)
        names = [_named(pools, ",\n").replace(" ", "\n", 1) for pools in part["pools"]]
        axis.set_xticks(at, names)
        axis.set_title(title, fontsize=9)
        axis.set(xlim=(-0.6, len(part) - 0.4))
        axis.set_ylim(axis.get_ylim()[0] - 0.1 * top * (value < 0).any(), 1.1 * top)
    figure.supylabel("agreement", fontsize=9)
    figure.supxlabel(BARS, fontsize=8, color=MUTED)
    style.headline(figure, f"{head} ({WHAT[tier]})")
    return figure


def scatter(table: pd.DataFrame, tier: str) -> Figure:
    """Fig. 7: rho_xy against normalised kappa_x; those furthest apart are named."""
    figure, axis = plt.subplots(figsize=(WIDTH, 4.2))
    both = table[["normalized", "rho_xy"]].agg(["min", "max"]).to_numpy()
    ends = both.min() - 0.1, both.max() + 0.1
    axis.plot(ends, ends, color=MUTED, lw=0.8, ls=":")
    for pools, part in table.groupby("pools", sort=False):
        look = dict(zip(("color", "marker"), PAIR_LOOK[pools]), ls="", ms=5)
        axis.plot(part.normalized, part.rho_xy, label=_named(pools, " and "), **look)
    gap = table["rho_xy"] - table["normalized"]
    for at in gap.abs().nlargest(3).index:
        row, left = table.loc[at], gap[at] > 0
        place = {"xytext": (-6 if left else 6, 4), "ha": "right" if left else "left"}
        name = f"{row.label}, {short(row.pools)}"
        style.label(axis, row.normalized, row.rho_xy, name, INK, **place)
    axis.set(xlim=ends, ylim=ends, xlabel=r"normalised $\kappa_x$")
    axis.set_ylabel(r"disattenuated correlation $\rho_{xy}$")
    axis.legend(loc="lower right")
    r = table["rho_xy"].corr(table["normalized"])
    head = f"$\\rho_{{xy}}$ and normalised $\\kappa_x$: Pearson correlation {r:.3f}"
    axis.set_title(f"{head} ({WHAT[tier]})")
    return figure
