"""Pictures of what optimal plans save, and of what truncation does to the risks."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit.figures import draw_plan
from labelaudit.plans.plan import SamplingPlan

from ..machinery import style
from ..machinery.style import WIDTH

GREEN, BLUE = style.COLOUR["good"], style.COLOUR["double"]
OPTIMAL = style.COLOUR["optimal"]
ORANGE, BLACK = style.COLOUR["sequential"], style.COLOUR["single"]
FORBIDDEN = "#dddddd"
# Each plan's label, colour, line and width.
LOOKS = {
    "single": ("single", BLACK, "-", 1.6),
    "single, curtailed": ("single, curtailed", BLACK, ":", 1.2),
    "double": ("double", BLUE, "-", 1.0),
    "double, curtailed": ("double, curtailed", BLUE, "-", 1.6),
    "Wald": ("Wald's test", ORANGE, "-", 1.6),
    "optimal, minimax": ("optimal, worst case", OPTIMAL, "--", 1.6),
    "optimal, balanced": ("optimal", OPTIMAL, "-", 2.6),
}


def subtitle(figure: Figure, text: str) -> None:
    """Smaller text below a headline that ends with a new line."""
    height = figure.get_size_inches()[1]
    figure.text(0.011, 1 - 0.235 / height, text, fontsize=8, va="top")


# The headline -----------------------------------------------------------------


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
    _regions(figure, grid, chosen, regions)
    axis = figure.add_subplot(grid[1, :])
    single = chosen["single"]
    edge, top = int(curves["D"].max()), 1.22 * single.max_sample
    wide = 0.02 * edge
    axis.bar(below["D"], below["bound"], wide, color=FORBIDDEN, zorder=0)
    axis.plot(below["D"], below["bound"], "_", color=style.MUTED, ms=8, mew=1.5)
    ends = []
    for kind in curves.columns.drop("D"):
        text, ink, line, width = LOOKS[kind]
        if not all(chosen[kind].keeps_risks):
            text += "\n(misses a risk)"
        axis.plot(curves["D"], curves[kind], line, color=ink, linewidth=width)
        ends.append((float(curves[kind].iloc[-1]), text, ink))
    ends.append((0.06 * top, limit, style.MUTED))
    for y, text, ink in _apart(ends, 0.042 * top):
        style.label(axis, edge, y, text, ink, xytext=(7, 0), annotation_clip=False)
    _arrows(axis, chosen)
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


def _regions(figure, grid, chosen, regions) -> None:
    """Stopping regions side by side on common axes."""
    plans = [chosen[kind] for kind in regions]
    single = chosen["single"]
    edge = min(max(p.max_sample for p in plans), 2 * single.max_sample)
    top = 2 * int(single.accept[-1])
    for i, (kind, title) in enumerate(regions.items()):
        axis = figure.add_subplot(grid[0, i])
        draw_plan(chosen[kind], axis)
        axis.set_title(title, color=LOOKS[kind][1], fontsize=9)
        axis.set(xlim=(0, 1.02 * edge), ylim=(-0.5, top), xlabel="inspected")
        axis.yaxis.set_major_locator(plt.MaxNLocator(4, integer=True))
        if i:
            axis.set_ylabel("")
            axis.tick_params(labelleft=False)
            continue
        n, c = single.max_sample, int(single.accept[-1])
        place = {"ha": "left", "fontsize": 8, "va": "center"}
        axis.text(1.06 * n, c + 4, "reject", color=style.COLOUR["bad"], **place)
        axis.text(1.06 * n, c - 4, "accept", color=GREEN, **place)
        axis.text(0.5 * n, c, "inspect\none more", color=style.MUTED,
                  ha="center", va="center", fontsize=8)  # fmt: skip


def _arrows(axis: Axes, chosen: dict[str, SamplingPlan]) -> None:
    """From the single plan down to the optimal one, at p_a and at p_r."""
    single, best = chosen["single"], chosen["optimal, balanced"]
    start, size = single.max_sample, int(single.lot_size or 0)
    names = ("good enough:", "too bad:")
    for d, name in zip(single.levels.errors(size), names):
        end = best.average_sample_number(d)
        axis.annotate(
            "",
            (d, end),
            (d, start),
            arrowprops={"arrowstyle": "-|>", "color": style.INK, "lw": 0.9,
                        "shrinkA": 0, "shrinkB": 4},
            zorder=5,
        )  # fmt: skip
        axis.plot([d], [end], "o", color=OPTIMAL, ms=6, zorder=6)
        text = f"{name} {100 * d / size:g} % errors\n{end:.0f} instead of {start}:"
        text += f"\n{100 * (1 - end / start):.0f} % fewer"
        axis.annotate(text, (d, start), (0, 5), textcoords="offset points",
                      ha="center", va="bottom", fontsize=8)  # fmt: skip


def _apart(ends: list[tuple[float, str, str]], gap: float):
    """Labels (y, text, colour) moved up so that none overlaps the one below."""
    placed: list[tuple[float, str, str]] = []
    for y, text, ink in sorted(ends):
        if placed:
            below, other, _ = placed[-1]
            lines = 2 + text.count("\n") + other.count("\n")
            y = max(y, below + gap * lines / 2)
        placed.append((y, text, ink))
    return placed


# Truncation -------------------------------------------------------------------


def risks_by_lot(tables: dict[str, pd.DataFrame], levels: dict) -> Figure:
    """Exact risks of the published truncation against lot size.

    tables : truncation_risks by configuration. Above the consumer's risk, of which
    the grey part is spent before the last inspection, below the producer's.
    """
    figure, axes = plt.subplots(
        2,
        len(tables),
        figsize=(WIDTH, 5.0),
        sharex=True,
        squeeze=False,
        height_ratios=(1.7, 1),
    )
    for (upper, lower), (name, table) in zip(axes.T, tables.items()):
        level, size = levels[name], table["N"]
        early = table["early"]
        upper.fill_between(size, 0, early, color=FORBIDDEN, lw=0)
        upper.plot(size, table["consumer's risk"], color=ORANGE)
        upper.plot(size, table["released: consumer's risk"], ":", color=ORANGE)
        lower.plot(size, table["producer's risk"], color=ORANGE)
        lower.plot(size, table["released: producer's risk"], ":", color=ORANGE)
        highest = table["released: consumer's risk"].max()
        for axis, limit, top in (
            (upper, level.beta, 1.15 * highest),
            (lower, level.alpha, 1.5 * level.alpha),
        ):
            axis.axhline(limit, color=style.INK, lw=1)
            axis.set(xscale="log", ylim=(0, top))
            style.percent_axis(axis, "y")
        first, end = size.iloc[0], size.iloc[-1]
        place = {"xytext": (4, 0)}
        text = "accepted before\nthe last inspection"
        style.label(upper, first, 0.4 * level.beta, text, style.INK, **place)
        place = {"ha": "right", "xytext": (-2, 7)}
        below = place | {"xytext": (-2, -7)}
        style.label(upper, end, level.beta, "promised", style.INK, **place)
        style.label(lower, end, level.alpha, "promised", style.INK, **below)
        known = table["consumer's risk"].iloc[-1]
        style.label(upper, end, known, "as described", ORANGE, **place)
        known = table["released: consumer's risk"].iloc[-5:].max()
        style.label(upper, end, known, "as released", ORANGE, **place)
        lower.xaxis.set_major_formatter("{x:,.0f}")
        upper.set_title(name)
        lower.set_xlabel("lot size")
    axes[0, 0].set_ylabel("consumer's risk")
    axes[1, 0].set_ylabel("producer's risk")
    return figure
