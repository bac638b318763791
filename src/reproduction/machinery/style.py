"""One look for all figures and tables, and the one place that saves them.

Matplotlib is imported where something is drawn: commands import this module before
they say where it keeps its settings (surroundings.py).
"""

from __future__ import annotations

from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from labelaudit import _digits
from labelaudit.files.told import read

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from labelaudit import SamplingPlan

# A figure of WIDTH is 17.5 cm wide in print, two columns of a page, and one of COLUMN
# 8.5 cm; so SMALLEST points become 6.5.
COLUMN, WIDTH = 3.6, 7.4  # inches
SMALLEST = 7
CONTRAST = 4.5  # of text with white, by WCAG 2

COLOURS = read(__package__, "colours.toml")
PALETTE = COLOURS["palette"]
INK, MUTED, GRID, PALEST = map(PALETTE.get, ("ink", "muted", "grid", "palest"))
COLOUR = {what: PALETTE[name] for what, name in COLOURS["meaning"].items()}

DIGITS = 10  # significant digits in a CSV
AS_PRINTED = "printed"  # a column that shows what a document prints
ROUNDING = 1e-12  # what is left of the difference of two equal terms of size 1


def use(shell: Any = None) -> None:
    """Set matplotlib and pandas, and how an IPython shell shows tables."""
    import matplotlib.style

    matplotlib.use("agg")
    matplotlib.style.use(["default", Path(__file__).with_name("look.mplstyle")])
    pd.set_option("display.float_format", number)
    pd.set_option("display.max_rows", 80, "display.max_colwidth", 90)
    if shell is not None:
        by_kind = shell.display_formatter.formatters
        by_kind["text/html"].for_type(pd.DataFrame, lambda t: shown(t)._repr_html_())
        plain = by_kind["text/plain"]
        plain.for_type(pd.DataFrame, lambda t, out, _: out.text(repr(shown(t))))


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its large whole numbers as text, in cells and labels.

    pandas has an option for floats, and none for whole numbers.

    >>> import pandas as pd
    >>> shown(pd.DataFrame({"n": [5, 25000]}, index=[10, 1000]))
                n
    10          5
    1,000  25,000
    """
    written = table.copy(deep=False)
    for at, name in enumerate(table.columns):
        if name != AS_PRINTED:
            written.isetitem(at, _with_commas(table.iloc[:, at]))
    written.index, written.columns = map(_labels, (table.index, table.columns))
    return written


def _labels(index: pd.Index) -> pd.Index:
    if isinstance(index, pd.MultiIndex):
        return index.set_levels([_with_commas(level) for level in index.levels])
    return _with_commas(index)


def _with_commas(values: Any) -> Any:
    """A column or an index, as text where a whole number has four digits or more."""
    if any(_whole(value) and abs(value) > 999 for value in values):
        return values.astype(object).map(lambda v: f"{v:,}" if _whole(v) else v)
    return values


def _whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def number(value: float) -> str:
    """Four significant figures, with commas, and no exponent for everyday sizes."""
    if value != value:
        return ""
    text = _digits.significant(value, 4)
    return text if abs(float(text)) < 1000 else _digits.decimals(value, 0)


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
    target.set_major_formatter(lambda value, _: f"{100 * value:g} %")


def label(axis: Axes, x: float, y: float, text: str, colour: str, **kwargs) -> None:
    """A direct label in the colour of what it names."""
    kwargs = {"fontsize": 8, "va": "center", "xytext": (4, 0)} | kwargs
    axis.annotate(text, (x, y), textcoords="offset points", color=colour, **kwargs)


def levels_marks(axis: Axes, p_a: float, p_r: float, heights=(0, 0)) -> None:
    """Vertical lines at the two quality levels, named at the bottom (0) or top (1)."""
    for rate, name, height in zip((p_a, p_r), ("$p_a$", "$p_r$"), heights):
        axis.axvline(rate, color=MUTED, linewidth=0.8, linestyle=":", zorder=0)
        side, up = ("top", -2) if height else ("bottom", 2)
        place = {"xycoords": ("data", "axes fraction"), "va": side, "xytext": (2, up)}
        label(axis, rate, height, name, MUTED, **place)


def region(
    axis: Axes,
    plan: SamplingPlan,
    right: float | None = None,
    top: float | None = None,
    title: str = "",
) -> None:
    """A plan's stopping region, up to so many inspections and errors found.

    The verdicts stand in the corners of what is shown, or, where a plan can stop at a
    few n only, beside the first of these, or before the only one.
    """
    from matplotlib.ticker import MaxNLocator

    from labelaudit.figures import draw_plan

    draw_plan(plan, axis)
    axis.set_title(title, fontsize=9)
    right, top = right or axis.get_xlim()[1], top or axis.get_ylim()[1]
    low, ends, stages = -0.06 * top, [(0, "left"), (right, "right")], plan.stages
    axis.set(xlim=(0, right), ylim=(low, top))
    axis.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axis.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    if len(stages) <= 3:
        ends = [(stages["n"].iloc[0], "left" if len(stages) > 1 else "right")] * 2
    bad, good = (top, "reject", "bad", "top", -3), (low, "accept", "good", "bottom", 3)
    for (x, side), (y, word, mood, height, up) in zip(ends, (bad, good)):
        place = {"ha": side, "va": height, "xytext": (5 if side == "left" else -5, up)}
        label(axis, x, y, word, COLOUR[mood], **place)


def save_figure(figure: Figure, folder: Path, name: str) -> bytes:
    """Write it as SVG, the same bytes on every processor; return a PNG to show.

    Raises ValueError where the figure could not be read in print.
    """
    import matplotlib.pyplot as plt

    from labelaudit.reports import pictures

    legible(figure, name)
    picture, png = pictures.svg(figure), pictures.png(figure)
    (folder / f"{name}.svg").write_text(picture, encoding="utf-8", newline="\n")
    plt.close(figure)
    return png


def save_table(table: pd.DataFrame, folder: Path, name: str) -> None:
    """Write a CSV; floats to ten significant digits, which processors do not change."""
    table = table.apply(lambda column: column.map(_written).astype(object))
    table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")


def _written(value: object) -> object:
    real = isinstance(value, float) and value == value
    return _digits.significant(value, DIGITS) if real else value


def headline(figure: Figure, text: str, below: str = "") -> None:
    """A title above all panels, and smaller text below it."""
    room = "\n" * bool(below)
    figure.suptitle(text + room, fontsize=10, fontweight="bold", x=0.01, ha="left")
    if below:
        height = 1 - 0.235 / figure.get_figheight()
        figure.text(0.011, height, below, fontsize=8, va="top")


def legible(figure: Figure, name: str) -> None:
    """Darken text that is too pale on white; refuse what print would make too small."""
    from matplotlib.colors import to_hex
    from matplotlib.text import Text

    width = figure.get_figwidth()
    if width > WIDTH + 1e-6:
        raise ValueError(f"{name}: {width:g} inches wide, more than {WIDTH}")
    for text in figure.findobj(Text):
        words = text.get_text().strip()
        if not words or not text.get_visible():
            continue
        if text.get_fontsize() < SMALLEST:
            size = f"{text.get_fontsize():g} points, under {SMALLEST}"
            raise ValueError(f"{name}: {words!r} is written in {size}")
        if to_hex(text.get_color()) != "#ffffff":
            text.set_color(dark(text.get_color()))


def dark(colour: str) -> str:
    """The colour, darkened until text in it has the contrast that reading needs."""
    from matplotlib.colors import to_hex, to_rgb

    shades = (np.array(to_rgb(colour)) * left / 100 for left in range(100, -1, -5))
    return to_hex(next(shade for shade in shades if contrast(shade) >= CONTRAST))


def contrast(rgb: np.ndarray | tuple[float, ...]) -> float:
    """Of a colour with white, from 1 to 21 (WCAG 2)."""
    part = np.array(rgb)
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(1.05 / (linear @ (0.2126, 0.7152, 0.0722) + 0.05))
