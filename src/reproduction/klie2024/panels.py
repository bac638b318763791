"""The pictures of the notebooks on Klie et al. 2024."""

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from labelaudit import _digits
from labelaudit.plans.levels import QualityLevels

from ..machinery import style
from ..machinery.style import WIDTH

LINES = {
    "single": "-",
    "double, full": "-",
    "double, curtailed": ":",
    "sequential, full": "-",
    "sequential, curtailed": ":",
    "sequential, truncated": "-.",
    "sequential, both risks kept": "--",
}
MARKS = {  # for print without colour
    "double, full": "s",
    "double, curtailed": "D",
    "sequential, full": "o",
    "sequential, curtailed": "^",
    "sequential, truncated": "v",
}
PRINTED = {"mfc": "white", "mec": style.INK, "color": style.INK}  # hollow circles


def colour(plan: str) -> str:
    """The colour of a plan's family."""
    return style.COLOUR[plan.split(",")[0]]


def curve(axis: Axes, values: pd.Series, kind: str, label: str = "") -> None:
    """A plan's curve by its index, with its kind's marks."""
    line, at = LINES[kind], list(LINES).index(kind)
    step = max(8, len(values) // 6)
    marks = {"marker": MARKS.get(kind), "markersize": 4.5}
    marks |= {"markevery": (at * step // len(LINES), step)}
    axis.plot(values, line, color=colour(kind), label=label, **marks)


def percent(share: float, decimals: int = 0) -> str:
    """A share in percent, with a space."""
    return f"{_digits.decimals(100 * share, decimals)} %"


def as_given(rate: float) -> str:
    """A rate that is a parameter, in percent with all of its digits."""
    return _digits.in_percent(rate, 10)


def shades(name: str, count: int) -> list[tuple[float, ...]]:
    """So many shades of a colour of the palette, from light to dark."""
    full = np.array(to_rgb(style.COLOUR[name]))
    light, dark = 0.5 * full + 0.5, 0.4 * full
    found = []
    for step in np.linspace(-1, 1, count) if count > 1 else [0]:
        end = light if step < 0 else dark
        found.append(tuple(abs(step) * end + (1 - abs(step)) * full))
    return found


def margins(table: pd.DataFrame, marks: dict[int, float], rate: float) -> Figure:
    """Margins of error against n, the published interval beside Clopper-Pearson's.

    `table` has n, confidence and a column for each interval; `marks` are printed
    margins by n.
    """
    shape = {"figsize": (WIDTH, 3.1), "sharex": True, "sharey": True}
    figure, axes = plt.subplots(1, 2, **shape)
    levels = sorted(table.confidence.unique())
    inks = shades("interval", len(levels))
    kinds = ["published", "Clopper-Pearson"]
    low = min(0.01, table[kinds].where(table[kinds] > 0).min(axis=None))
    for axis, kind in zip(axes, kinds):
        for i, (level, shade) in enumerate(zip(levels, inks)):
            part = table[(table.confidence == level) & (table[kind] > 0)]
            if len(part) == 0:
                continue
            axis.plot(part.n, part[kind], color=shade, linewidth=1.2)
            at = part.n.iloc[-1], part[kind].iloc[-1]
            apart = (4, 4 * (i - (len(levels) - 1) / 2))
            style.label(axis, *at, f"{100 * level:g} %", shade, xytext=apart)
        at, printed = list(marks), list(marks.values())
        label = "printed in the text, for 95 %"
        axis.plot(at, printed, "o", ms=6, label=label, **PRINTED)
        if marks:
            axis.legend(loc="upper right")
        axis.set(xlabel="sample size n", yscale="log", ylim=(low, 0.5))
        style.percent_axis(axis, "y")
        ticks = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
        axis.set_yticks([tick for tick in ticks if tick >= low])
        axis.minorticks_off()
    axes[0].set(title=f"As published, rate {as_given(rate)}", ylabel="margin of error")
    axes[1].set(title=f"Clopper-Pearson, rate {as_given(rate)}")
    return figure


def sample_numbers(
    axis: Axes, table: pd.DataFrame, sizes: dict[str, int], levels: QualityLevels
) -> None:
    """Average sample numbers by plan, and the interval sizes as horizontal lines.

    `table` has the rate and a column for each plan; `sizes` are the intervals'
    by the level that they are for. Dashed: one may lie on the single plan's line.
    """
    edge, by_rate = table["rate"].max(), table.set_index("rate")
    for kind in table.columns.intersection(list(LINES), sort=False):
        curve(axis, by_rate[kind], kind, kind)
    purple = style.COLOUR["interval"]
    for level, size in sizes.items():
        axis.axhline(size, color=purple, linewidth=1.2, linestyle=(0, (4, 4)), zorder=3)
        place = {"ha": "right", "va": "bottom", "xytext": (-4, 2.5)}
        style.label(axis, edge, size, f"interval at ${level}$", purple, **place)
    style.levels_marks(axis, levels.p_a, levels.p_r)
    axis.set(xlim=(0, edge), xlabel="true error rate")
    style.percent_axis(axis)


def peaks(axis: Axes, table: pd.DataFrame, levels: QualityLevels) -> None:
    """The sequential plans of `table` between both levels, enlarged."""
    between = table[table["rate"].between(levels.p_a, levels.p_r)].set_index("rate")
    for kind in LINES:
        if kind.startswith("sequential") and kind in between:
            curve(axis, between[kind], kind)
    axis.set(xlim=(levels.p_a, levels.p_r), xlabel="true error rate")
    axis.set_title("Exact, enlarged")
    style.percent_axis(axis)


def by_lot_size(
    table: pd.DataFrame,
    rows: dict[str, str],
    levels: QualityLevels,
    draw: Callable[[Axes, pd.DataFrame], None],
    height: float,
    heights: tuple[int, int] = (0, 0),
) -> Figure:
    """A panel for each plan (down) and lot size (across): draw(axis, its rows).

    `rows` names the plans and their labels. The first panel's legend stands
    below all. `heights` are where p_a and p_r are named, bottom (0) or top (1).
    """
    sizes, shared = table["N"].unique(), {"sharex": True, "sharey": "row"}
    shape = {"figsize": (WIDTH, height), "squeeze": False}
    figure, axes = plt.subplots(len(rows), len(sizes), **shape, **shared)
    for line, (kind, text) in zip(axes, rows.items()):
        for axis, size in zip(line, sizes):
            draw(axis, table[(table["plan"] == kind) & (table["N"] == size)])
            style.levels_marks(axis, levels.p_a, levels.p_r, heights)
            style.percent_axis(axis)
        line[0].set(ylabel=text, ylim=(0, None))
    for axis, size in zip(axes[0], sizes):
        axis.set_title(f"N = {size:,}")
    for axis in axes[-1]:
        axis.set_xlabel("error rate")
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure


def thinned(part: pd.DataFrame, marks: int = 20) -> pd.DataFrame:
    """About so many rows, evenly spaced: for marks on a line."""
    return part.iloc[:: max(1, len(part) // marks)]


def dots(axis: Axes, x: pd.Series, y: pd.Series, ink: str, label: str = "") -> None:
    """Small filled marks for simulated values, which are ours."""
    axis.plot(x, y, "o", color=ink, ms=3, mew=0, label=label)


def circles(axis: Axes, x: pd.Series, y: pd.Series, label: str = "") -> None:
    """Small hollow circles for published values."""
    axis.plot(x, y, "o", ms=4, mew=0.8, clip_on=False, label=label, **PRINTED)


def shares(axis: Axes, part: pd.DataFrame) -> None:
    """Accepted over rejected, a bar for each plan, with what is exact and printed.

    `part` has the columns plan, simulated, exact and replayed.
    """
    at = np.arange(len(part))
    good, bad = style.COLOUR["good"], style.COLOUR["bad"]
    pale = tuple(0.12 * np.array(to_rgb(bad)) + 0.88)
    accepted, wide = part["simulated"], {"width": 0.7, "linewidth": 0}
    axis.bar(at, accepted, color=good, label="accepted, simulated", **wide)
    look = {"bottom": accepted, "color": pale, "edgecolor": bad, "hatch": "///"}
    axis.bar(at, 1 - accepted, label="rejected, simulated", **look, **wide)
    ends = at - 0.35, at + 0.35
    axis.hlines(part["exact"], *ends, color=style.INK, label="accepted, exact")
    over = {"ms": 6, "clip_on": False, "zorder": 4, "label": "accepted, released code"}
    axis.plot(at, part["replayed"], "o", **over, **PRINTED)
    names = [kind.replace(", ", "\n") for kind in part["plan"]]
    axis.set_xticks(at, names, fontsize=7)
    axis.set(ylim=(0, 1.34))
    axis.grid(visible=False)
    style.percent_axis(axis, "y")
    axis.set_yticks([0, 0.5, 1])


def remark(axis: Axes, at: int, share: float, exact: float, text: str) -> None:
    """Words above bar `at`, an arrow down to its replayed share, if that is off."""
    if abs(share - exact) < 0.05:
        return
    line = {"arrowstyle": "->", "color": style.INK, "linewidth": 0.9, "shrinkB": 5}
    words = {"ha": "center", "va": "bottom", "fontsize": 7.5, "linespacing": 1.1}
    axis.annotate(text, (at, share), (at, 1.03), arrowprops=line, **words)


def simulations(
    tables: dict[str, pd.DataFrame],
    kinds: list[str],
    levels: dict[str, QualityLevels],
    edges: dict[str, float],
) -> Figure:
    """Simulated and exact average sample numbers; below them, their difference.

    Configurations down, plans across. `tables` have plan, rate, simulated, exact
    and `true error`, the standard error of a simulated average.
    """
    shape = {"height_ratios": [3, 2] * len(tables), "sharey": "row"}
    shape["figsize"] = (WIDTH, 3.4 * len(tables))
    figure, axes = plt.subplots(2 * len(tables), len(kinds), **shape)
    for upper, lower, (name, table) in zip(axes[::2], axes[1::2], tables.items()):
        for above, below, kind in zip(upper, lower, kinds):
            part = table[(table["plan"] == kind) & (table["rate"] <= edges[name])]
            some, twice, ink = thinned(part, 25), 2 * part["true error"], colour(kind)
            above.plot(part["rate"], part["exact"], color=ink, linewidth=1)
            dots(above, some["rate"], some["simulated"], ink)
            below.fill_between(part["rate"], -twice, twice, color=style.GRID, lw=0)
            dots(below, part["rate"], part["simulated"] - part["exact"], ink)
            below.lines[-1].set(markersize=2)
            below.axhline(0, color=style.INK, linewidth=0.8)
            for axis in (above, below):
                axis.set_xlim(0, edges[name])
                style.percent_axis(axis)
            style.levels_marks(above, levels[name].p_a, levels[name].p_r)
            above.tick_params(labelbottom=False)
        upper[0].set(ylabel=f"{name}\naverage\nsample number", ylim=(0, None))
        lower[0].set(ylabel="simulated\nless exact")
    for axis, kind in zip(axes[0], kinds):
        axis.set_title(kind.replace(", ", ",\n"))
    for axis in axes[-1]:
        axis.set_xlabel("error rate")
    return figure
