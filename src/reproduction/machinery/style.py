"""One look for all figures, and the one place that saves them.

Matplotlib is imported where something is drawn: commands import this module before
they say where it keeps its settings (surroundings.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from labelaudit import _digits

PALEST = "#f2f2f2"


WIDTH = 7.4  # inches, the text width of a page


if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#222222"
MUTED = "#777777"
GRID = "#e6e6e6"

# Paul Tol's "bright" and "high contrast" colours: apart for every colour vision.
COLOUR = {
    "interval": "#AA3377",
    "single": "#222222",
    "double": "#4477AA",
    "sequential": "#EE7733",
    "good": "#228833",
    "bad": "#CC3311",
    "published": "#777777",
    "lot": "#4477AA",
    "process": "#EE7733",
}

SETTINGS = {
    "figure.dpi": 100,
    "savefig.dpi": 150,
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "path",
}

DIGITS = 10  # significant digits in a CSV
ROUNDING = 1e-12  # what is left of the difference of two equal terms of size 1


def use() -> None:
    import matplotlib as mpl

    mpl.rcParams.update(mpl.rcParamsDefault)
    mpl.use("agg")
    mpl.rcParams.update(SETTINGS)
    pd.options.display.float_format = number
    pd.options.display.max_rows = 80
    pd.options.display.max_colwidth = 90


def number(value: float) -> str:
    """Four significant figures, without an exponent for everyday sizes."""
    if value != value:
        return ""
    if abs(value) >= 1e4:
        return _digits.decimals(value, 0)
    return _digits.significant(value, 4)


def settled(differences, size: float = 1.0):
    """Differences of terms of this size; 0 where nothing but rounding is left."""
    return differences * (abs(differences) > ROUNDING * size) + 0.0  # never -0


def gap(largest: float) -> str:
    """How far apart two ways to the same number are, in words."""
    return "less than 1e-12" if largest < ROUNDING else f"{largest:.0e}"


def percent_axis(axis: Axes, which: str = "x") -> None:
    """Show rates as percentages, at round ones."""
    from matplotlib.ticker import MaxNLocator

    target = axis.xaxis if which == "x" else axis.yaxis
    if target.get_scale() == "linear":
        target.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    target.set_major_formatter(lambda value, _: f"{100 * value:g}%")


def label(axis: Axes, x: float, y: float, text: str, colour: str, **kwargs) -> None:
    """A direct label in the colour of what it names."""
    kwargs = {"fontsize": 8, "va": "center", "xytext": (4, 0)} | kwargs
    axis.annotate(text, (x, y), textcoords="offset points", color=colour, **kwargs)


def levels_marks(axis: Axes, p_a: float, p_r: float, heights=(0, 0)) -> None:
    """Vertical lines at the two quality levels, named at the bottom (0) or top (1)."""
    for rate, name, height in zip((p_a, p_r), ("$p_a$", "$p_r$"), heights):
        axis.axvline(rate, color=MUTED, linewidth=0.8, linestyle=":", zorder=0)
        axis.annotate(
            name,
            (rate, height),
            xycoords=("data", "axes fraction"),
            xytext=(2, -2 if height else 2),
            textcoords="offset points",
            va="top" if height else "bottom",
            fontsize=8,
            color=MUTED,
        )


def save_figure(figure: Figure, folder: Path, name: str) -> bytes:
    """Write SVG and PNG, the same bytes on every processor; return the PNG."""
    import matplotlib.pyplot as plt

    from labelaudit.reports import pictures

    picture, png = pictures.svg(figure), pictures.png(figure)
    (folder / f"{name}.svg").write_text(picture, encoding="utf-8", newline="\n")
    (folder / f"{name}.png").write_bytes(png)
    plt.close(figure)
    return png


def save_table(table: pd.DataFrame, folder: Path, name: str) -> None:
    """Write a CSV; floats to ten significant digits, which processors do not change."""
    table = table.apply(lambda column: column.map(_written).astype(object))
    table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")


def _written(value: object) -> object:
    if not isinstance(value, float) or value != value:
        return value
    return _digits.significant(value, DIGITS)


def headline(figure: Figure, text: str) -> None:
    """A title above all panels."""
    figure.suptitle(text, fontsize=10, fontweight="bold", x=0.01, ha="left")
