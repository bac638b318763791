"""Pictures of what optimal plans save, and of what truncation does to the risks."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit.plans.plan import SamplingPlan

from ..machinery import style
from ..machinery.style import WIDTH, region

BLACK, BLUE, OPTIMAL = (style.COLOUR[k] for k in ("single", "double", "optimal"))
ORANGE = style.COLOUR["sequential"]
FORBIDDEN = "#dddddd"
# Each plan's label, colour, line and width.
LOOKS = {
    "single": ("single", BLACK, "-", 1.6),
    "single, curtailed": ("single, curtailed", BLACK, ":", 1.2),
    "double, curtailed": ("double, curtailed", BLUE, "-", 1.6),
    "Wald": ("Wald's test", ORANGE, "-", 1.6),
    "optimal, minimax": ("optimal, worst case", OPTIMAL, "--", 1.6),
    "optimal, balanced": ("optimal", OPTIMAL, "-", 2.6),
}


def how_few(
    chosen: dict[str, SamplingPlan],
    curves: pd.DataFrame,
    below: pd.DataFrame,
    regions: dict[str, str],
    limit: str,
) -> Figure:
    """Stopping regions above, average sample numbers below, and the bound.

    chosen : the plans. curves : D and a column for each plan to be drawn.
    below : D and bound; limit : what is said of it. regions : plans whose regions
    are drawn, and their titles.
    """
    figure = plt.figure(figsize=(WIDTH, 6.8))
    grid = figure.add_gridspec(2, len(regions), height_ratios=(1, 2.2))
    single = chosen["single"]
    largest = max(chosen[kind].max_sample for kind in regions)
    right = 1.02 * min(largest, 2 * single.max_sample)
    for i, (kind, title) in enumerate(regions.items()):
        axis = figure.add_subplot(grid[0, i])
        region(axis, chosen[kind], right, 2.0 * single.accept[-1], title)
        axis.tick_params(labelleft=not i)
        axis.set_ylabel("" if i else "errors found")
    axis = figure.add_subplot(grid[1, :])
    edge, top = int(curves["D"].max()), 1.22 * single.max_sample
    axis.bar(below["D"], below["bound"], 0.02 * edge, color=FORBIDDEN, zorder=0)
    axis.plot(below["D"], below["bound"], "_", color=style.MUTED, ms=8, mew=1.5)
    ends = [(0.06 * top, limit, style.MUTED)]
    for kind in curves.columns.drop("D"):
        text, ink, line, width = LOOKS[kind]
        if not all(chosen[kind].keeps_risks):
            text += "\n(misses a risk)"
        axis.plot(curves["D"], curves[kind], line, color=ink, linewidth=width)
        ends.append((float(curves[kind].iloc[-1]), text, ink))
    lowest = 0.0
    for y, text, ink in sorted(ends):  # none overlaps the one below
        y = max(y, lowest)
        style.label(axis, edge, y, text, ink, xytext=(7, 0), annotation_clip=False)
        lowest = y + 0.042 * top * (1 + text.count("\n") / 2)
    _arrows(axis, single, chosen["optimal, balanced"])
    axis.set(xlim=(-0.012 * edge, edge), ylim=(0, top))
    axis.set_xlabel(f"errors in the batch of {single.lot_size:,}")
    axis.set_ylabel("inspections until the verdict, on average")
    return figure


def promise(levels: la.QualityLevels, lot_size: int) -> str:
    """The two risks in words, for below a title."""
    d_a, d_r = (100 * d / lot_size for d in levels.errors(lot_size))
    return (
        f"Batches of {lot_size:,} annotations. With {d_a:g} % errors at most"
        f" {100 * levels.alpha:g} % of them are rejected, with {d_r:g} % at most"
        f" {100 * levels.beta:g} % accepted."
    )


def _arrows(axis: Axes, single: SamplingPlan, best: SamplingPlan) -> None:
    """From the single plan down to the optimal one, at p_a and at p_r."""
    start, size = single.max_sample, int(single.lot_size or 0)
    names = ("good enough:", "too bad:")
    for d, name in zip(single.levels.errors(size), names):
        end = best.average_sample_number(d)
        look = {"arrowstyle": "-|>", "color": style.INK, "shrinkA": 0, "shrinkB": 4}
        axis.annotate("", (d, end), (d, start), arrowprops=look, zorder=5)
        axis.plot([d], [end], "o", color=OPTIMAL, ms=6, zorder=6)
        text = f"{name} {100 * d / size:g} % errors\n{end:.0f} instead of {start}:"
        text += f"\n{100 * (1 - end / start):.0f} % fewer"
        place = {"ha": "center", "va": "bottom", "xytext": (0, 5)}
        style.label(axis, d, start, text, style.INK, **place)


def risks_by_lot(tables: dict[str, pd.DataFrame], levels: dict) -> Figure:
    """Exact risks of the published truncation against lot size.

    tables : truncation_risks by configuration. Above the consumer's risk, of which
    the grey part is spent before the last inspection, below the producer's.
    """
    shape = {"sharex": True, "squeeze": False, "height_ratios": (1.7, 1)}
    figure, axes = plt.subplots(2, len(tables), figsize=(WIDTH, 5.2), **shape)
    for column, (name, table) in zip(axes.T, tables.items()):
        promised = levels[name].beta, levels[name].alpha
        look = {"label": "accepted before the last inspection", "color": FORBIDDEN}
        column[0].fill_between(table["N"], 0, table["early"], lw=0, **look)
        column[0].set_title(name)
        column[1].set_xlabel("lot size")
        for axis, limit, risk in zip(column, promised, ("consumer", "producer")):
            described, released = table[f"{risk}'s risk"], f"released: {risk}'s risk"
            axis.plot(table["N"], described, color=ORANGE, label="as described")
            axis.plot(table["N"], table[released], ":", color=ORANGE, label="released")
            axis.axhline(limit, color=style.INK, lw=1, label="promised")
            axis.set(xscale="log", ylim=(0, None), ylabel=f"{risk}'s risk")
            axis.xaxis.set_major_formatter("{x:,.0f}")
            style.percent_axis(axis, "y")
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=4)
    return figure
