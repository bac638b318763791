"""What the pictures of a `Reliability` share: sizes, colours, and rows of dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..._words import number, text
from .warnings import RELIABLE, TENTATIVE

WIDTH = 7.4  # inches
ROW = 0.27  # height of a row of a dot plot
MOST = 20  # rows of a figure
LETTER = 0.065  # width of one in a legend
INK, MUTED, GRID = "#222222", "#6e6e6e", "#e6e6e6"
BLUE, ORANGE, PURPLE, GREEN = "#0077BB", "#EE7733", "#EE3377", "#009988"
# Paul Tol's "muted" colours, apart for every colour vision; the last is for the rest.
LABELS = ["#88CCEE", "#CC6677", "#DDCC77", "#332288", "#44AA99", "#882255", "#999933"]
REST = "#DDDDDD"
ENDS = ["value", "low", "high"]
# How texts stand beside marks, and a legend below.
POINTS: Any = {"textcoords": "offset points", "va": "center"}
ABOVE: Any = {"ha": "center", "va": "bottom"}
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8}
BELOW: Any = {"handlelength": 0.8, "columnspacing": 1, "handletextpad": 0.4}


def nothing(why: str) -> Figure:
    """A figure's place where there is nothing to draw."""
    figure = Figure(figsize=(WIDTH, 0.5))
    figure.text(0.01, 0.5, why, va="center", fontsize=10, fontweight="bold")
    return figure


def axes(rows: int, columns: int = 1, extra: float = 1.0, **how: Any) -> Any:
    figure = Figure(figsize=(WIDTH, extra + ROW * max(rows, 2)), layout="constrained")
    return figure, figure.subplots(1, columns, **how)


def rows(names: Sequence[str], *axes: Axes) -> None:
    """Names of rows from the top down, beside the first of the panels."""
    for k, axis in enumerate(axes):
        axis.set_yticks(range(len(names)), [""] * len(names) if k else names)
        axis.set_ylim(len(names) - 0.4, -0.6)
        axis.tick_params(axis="y", length=0)
        axis.grid(visible=False, axis="y")


def shares(axis: Axes) -> None:
    """Ticks of shares as percentages."""
    axis.xaxis.set_major_formatter(lambda v, _: f"{100 * v:g} %")


def headline(figure: Figure, title: str) -> None:
    """A title above all panels."""
    figure.suptitle(title, x=0.01, ha="left", fontsize=10, fontweight="bold")


def short(name: Any) -> str:
    """A name that fits beside a figure, and in which $ is a dollar."""
    told = text(name).replace("$", r"\$")
    return told if len(told) <= 24 else told[:23] + "…"


def dots(axis: Axes, table: pd.DataFrame, colour: str = BLUE) -> None:
    """A dot and its interval a row, with the value beside it."""
    for y, (value, low, high) in enumerate(table[ENDS].to_numpy(float)):
        if np.isnan(value):
            axis.text(0.01, y, "undefined", color=MUTED, va="center", fontsize=8)
            continue
        if np.isfinite([low, high]).all():
            axis.plot([low, high], [y, y], color=colour, lw=2, solid_capstyle="butt")
        axis.plot([value], [y], "o", color=colour, ms=5)
        look = ABOVE | {"color": colour, "fontsize": 8}
        axis.text(value, y - 0.14, number(value), bbox=CLEAR, **look)


def scale(axis: Axes, table: pd.DataFrame) -> None:
    """Dots from 0, or below it where something is, to 1; both conventions' marks."""
    dots(axis, table)
    axis.set_xlim(np.nanmin([0.0, *table["value"], *table["low"]]) - 0.03, 1.005)
    for limit in (TENTATIVE, RELIABLE):
        axis.axvline(limit, color=PURPLE, lw=0.9, ls="--", zorder=1)
