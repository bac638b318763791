"""How few inspections: optimal plans beside the published kinds, and the bound."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit.double import Stages
from labelaudit.figures import draw_plan
from labelaudit.plan import SamplingPlan

from . import style
from .klie2024 import (
    accepted_before_the_end,
    guaranteed,
    quietly,
    released_truncation,
    truncated,
)
from .panels import WIDTH

# In lots of up to this size the largest ASN is sought at every number of errors.
EVERY = 10_000

GREEN, BLUE = style.COLOUR["good"], style.COLOUR["double"]
ORANGE, BLACK = style.COLOUR["sequential"], style.COLOUR["single"]
FORBIDDEN = "#dddddd"

# Each plan's label, colour, line and width.
LOOKS = {
    "single": ("single", BLACK, "-", 1.6),
    "single, curtailed": ("single, curtailed", BLACK, ":", 1.2),
    "double": ("double", BLUE, "-", 1.0),
    "double, curtailed": ("double", BLUE, "-", 1.6),
    "double, free stages": ("double, free stages", BLUE, ":", 1.2),
    "Wald": ("Wald's test", ORANGE, "-", 1.6),
    "optimal, minimax": ("optimal, worst case", GREEN, "--", 1.6),
    "optimal, balanced": ("optimal", GREEN, "-", 2.6),
}

# What the optimal plans are compared with in the table of savings.
COMPARED = ("single", "single, curtailed", "double", "double, curtailed")
PLACES = ("p_a", "p_r", "worst")
KEYS = ["p_a", "p_r", "alpha", "beta"]


# Plans ------------------------------------------------------------------------


def plans(levels: la.QualityLevels, lot_size: int) -> dict[str, SamplingPlan]:
    """All kinds of plans for the same levels; Wald's may miss a risk."""
    single = la.single_plan(levels, lot_size)
    free = la.double_plan(levels, lot_size, curtailed=True, equal_stages=False)
    return {
        "single": single,
        "single, curtailed": la.curtail(single),
        "double": la.double_plan(levels, lot_size),
        "double, curtailed": la.double_plan(levels, lot_size, curtailed=True),
        "double, free stages": free,
        "Wald": quietly(la.sequential_plan, levels, lot_size),
        "optimal, balanced": la.optimal_plan(levels, lot_size),
        "optimal, minimax": la.optimal_plan(levels, lot_size, objective="minimax"),
    }


def worst(plan: SamplingPlan) -> tuple[float, int]:
    """The largest average sample number of a lot's plan, and the D that has it.

    In lots larger than EVERY: the largest of 2,000 numbers of errors, then every
    one between its neighbours.
    """
    size = int(plan.lot_size or 0)
    step = 1 if size <= EVERY else size // 2000
    tried = np.arange(0, size + 1, step)
    at = int(tried[plan.average_sample_number(tried).argmax()])
    if step > 1:
        tried = np.arange(max(at - step, 0), min(at + step, size) + 1)
    numbers = plan.average_sample_number(tried)
    return float(numbers.max()), int(tried[numbers.argmax()])


def described(plan: SamplingPlan) -> dict[str, object]:
    """A plan's exact risks and what it inspects, as one row of a table."""
    d_a, d_r = plan.levels.errors(plan.lot_size)
    at_0, at_a, at_r = plan.average_sample_number(np.array([0, d_a, d_r]))
    return {
        "at most": plan.max_sample,
        "producer's risk": plan.producers_risk,
        "consumer's risk": plan.consumers_risk,
        "both kept": all(plan.keeps_risks),
        "ASN, no error": at_0,
        "at p_a": at_a,
        "at p_r": at_r,
        "worst": worst(plan)[0],
    }


def bounds(
    levels: la.QualityLevels, lot_size: int, errors: Iterable[int], max_sample: int
) -> pd.DataFrame:
    """The certified bound on the ASN at each D, for plans of at most max_sample.

    No plan that keeps both risks has a smaller ASN there, randomised ones
    included. Each D has a bound of its own; no single plan reaches them all.
    """
    rows = []
    for d in errors:
        best = la.optimal_plan(
            levels, lot_size, objective={int(d) / lot_size: 1}, max_sample=max_sample
        )
        rows.append((int(d), best.lower_bound))
    return pd.DataFrame(rows, columns=["D", "bound"])


def at_own_risks(plan: SamplingPlan, **options) -> SamplingPlan:
    """An optimal plan for exactly the risks that this plan has.

    They are raised by 1e-12 of themselves, so that rounding does not exclude the
    plan itself. Options are optimal_plan's. ValueError where a risk is 0.
    """
    levels, room = plan.levels, 1 + 1e-12
    risks = plan.producers_risk * room, plan.consumers_risk * room
    own = la.QualityLevels(levels.p_a, levels.p_r, *risks)
    return la.optimal_plan(own, plan.lot_size, **options)


# The table of savings ---------------------------------------------------------


def row(levels: la.QualityLevels, lot_size: int) -> dict[str, float]:
    """What optimal plans save at one quality level in one lot, in percent.

    The worst case is the largest ASN over all D. It belongs to the plan that
    inspects least at the balanced plan's worst D, which is as good as the
    minimax plan up to the gap: no plan has a smaller largest ASN than the bound
    at that D.
    """
    single = la.single_plan(levels, lot_size)
    double = la.double_plan(levels, lot_size)
    (n, _), (c1, c2) = double.stages["n"], double.stages["accept"]
    short = Stages(int(n), int(c1), int(c2)).plan(levels, lot_size, curtailed=True)
    others = dict(zip(COMPARED, (single, la.curtail(single), double, short)))
    errors = np.array(levels.errors(lot_size))
    balanced = la.optimal_plan(levels, lot_size)
    top, at = worst(balanced)
    hard = la.optimal_plan(levels, lot_size, objective={at / lot_size: 1})
    largest = worst(hard)[0]
    at_a, at_r = balanced.average_sample_number(errors)
    found = {
        "p_a": levels.p_a,
        "p_r": levels.p_r,
        "alpha": levels.alpha,
        "beta": levels.beta,
        "N": lot_size,
        "n single": single.max_sample,
        "ASN at p_a": at_a,
        "ASN at p_r": at_r,
        "gap, %": 100 * ((at_a + at_r) / 2 / balanced.lower_bound - 1),
        "largest ASN": largest,
        "gap of largest, %": 100 * (largest / hard.lower_bound - 1),
        "largest ASN of balanced": top,
    }
    for name, plan in others.items():
        numbers = [*plan.average_sample_number(errors), worst(plan)[0]]
        for place, ours, theirs in zip(PLACES, (at_a, at_r, largest), numbers):
            found[f"saved on {name}, {place}, %"] = 100 * (1 - ours / theirs)
    return found


def table(
    grid: Sequence[la.QualityLevels], lot_sizes: Sequence[int]
) -> tuple[pd.DataFrame, list[str]]:
    """row() for all levels and lots, and what could not be designed, in words."""
    rows, missing = [], []
    for levels in grid:
        for lot_size in lot_sizes:
            try:
                rows.append(row(levels, lot_size))
            except ValueError as error:
                missing.append(f"{levels}, N = {lot_size}: {error}")
    return pd.DataFrame(rows), missing


def subtitle(figure: Figure, text: str) -> None:
    """Smaller text below a headline that ends with a new line."""
    height = figure.get_size_inches()[1]
    figure.text(0.011, 1 - 0.235 / height, text, fontsize=8, va="top")


def heat(savings: pd.DataFrame, against: dict[str, str]) -> Figure:
    """Percent saved, a cell for each quality level (down) and lot size (across).

    `against` names the plans compared with and what they are called.
    """
    figure, axes = plt.subplots(
        len(against),
        len(PLACES),
        figsize=(WIDTH, 2.5 * len(against) + 0.4),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    heads = ("a good batch, at $p_a$", "a bad batch, at $p_r$", "the worst case")
    keys = savings[KEYS].drop_duplicates()
    shown = [[f"{100 * value:g}" for value in key] for key in keys.to_numpy()]
    names = [f"{a} | {r} %\n({x}, {y} %)" for a, r, x, y in shown]
    sizes = savings["N"].unique()
    for axis, head in zip(axes[0], heads):
        axis.set_title(head, fontsize=9)
    for line, (plan, called) in zip(axes, against.items()):
        for axis, place in zip(line, PLACES):
            column = f"saved on {plan}, {place}, %"
            wide = savings.pivot_table(column, KEYS, "N", sort=False)
            wide = wide.reindex(pd.MultiIndex.from_frame(keys))[sizes]
            _cells(axis, wide.to_numpy(), 70)
        line[0].set_ylabel(called, fontsize=9)
    axes[0, 0].set_xticks(range(len(sizes)), [_short(n) for n in sizes])
    axes[0, 0].set_yticks(range(len(names)), names)
    for axis in axes[-1]:
        axis.set_xlabel("lot size")
    return figure


def _cells(axis: Axes, values: np.ndarray, top: float) -> None:
    """A coloured cell with its whole number for each value."""
    axis.imshow(values, cmap="YlGn", vmin=0, vmax=1.25 * top, aspect="auto")
    for (i, j), value in np.ndenumerate(values):
        if value == value:
            ink = "white" if value > 0.85 * top else style.INK
            axis.text(j, i, f"{value:.0f}", ha="center", va="center", size=7.5, c=ink)
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0, labelsize=6.5)


def _short(size: int) -> str:
    """A lot size in few letters: 2k for 2,000."""
    return f"{size / 1000:g}k" if size >= 1000 else f"{size}"


# The headline -----------------------------------------------------------------


def checkpoints(levels: la.QualityLevels, lot_size: int) -> list[int]:
    """Numbers of errors from 0 to twice D_r, with D_a and D_r, about evenly."""
    d_a, d_r = levels.errors(lot_size)
    ends = (0, d_a, 3), (d_a, d_r, 5), (d_r, 2 * d_r, 5)
    parts = [np.linspace(*each) for each in ends]
    return sorted({round(d) for part in parts for d in part if d <= lot_size})


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
        axis.plot([d], [end], "o", color=GREEN, ms=6, zorder=6)
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


def spaced(lot_sizes: Sequence[int], count: int = 60) -> list[int]:
    """Lot sizes from the least to the largest, evenly on a log scale, and these."""
    low, high = min(lot_sizes), max(lot_sizes)
    between = np.geomspace(low, high, count).round().astype(int)
    return sorted({*between.tolist(), *lot_sizes})


def truncation_risks(
    levels: la.QualityLevels, lot_sizes: Iterable[int]
) -> pd.DataFrame:
    """Exact risks of the published truncation in lots of these sizes.

    described: stop at the single plan's n, accept at its c. released: the rule in
    the released code. early: what the described one accepts at p_r before its
    last inspection.
    """
    rows = []
    for size in lot_sizes:
        rule, code = truncated(levels, size), released_truncation(levels, size)
        single = la.single_plan(levels, size)
        kept = rule.keeps_risks
        rows.append(
            {
                "N": size,
                "n": single.max_sample,
                "c": int(single.accept[-1]),
                "producer's risk": rule.producers_risk,
                "consumer's risk": rule.consumers_risk,
                "producer kept": kept[0],
                "consumer kept": kept[1],
                "early": accepted_before_the_end(levels, size)[0],
                "single plan's consumer's risk": single.consumers_risk,
                "released: producer's risk": code.producers_risk,
                "released: consumer's risk": code.consumers_risk,
                "released: consumer kept": code.keeps_risks[1],
            }
        )
    return pd.DataFrame(rows)


def forced(
    levels: la.QualityLevels, lot_size: int, last: Iterable[int]
) -> pd.DataFrame:
    """Risks of Wald's test stopped at each n of last, for every acceptance number.

    Numbers of errors that decide alike appear once, as the largest.
    """
    rows: dict[tuple[int, float, float], dict[str, object]] = {}
    for n in last:
        single = la.single_plan(levels, lot_size)
        for c in range(2 * int(single.accept[-1]) + 3):
            plan = quietly(
                la.sequential_plan,
                levels,
                lot_size,
                max_sample=n,
                forced_acceptance=min(c, n),
            )
            a, r = plan.producers_risk, plan.consumers_risk
            rows[n, a, r] = {
                "n": n,
                "c": c,
                "producer's risk": a,
                "consumer's risk": r,
                "both kept": all(plan.keeps_risks),
            }
    return pd.DataFrame(list(rows.values()))


def repairs(levels: la.QualityLevels, lot_size: int) -> pd.DataFrame:
    """The published truncation, and plans that keep what it promises."""
    rule = truncated(levels, lot_size)
    chosen = {
        "published rule": rule,
        "Wald, cut later": guaranteed(levels, lot_size),
        "optimal, same cap": la.optimal_plan(
            levels, lot_size, max_sample=la.single_plan(levels, lot_size).max_sample
        ),
        "optimal": la.optimal_plan(levels, lot_size),
    }
    table = pd.DataFrame([described(plan) for plan in chosen.values()])
    table.insert(0, "plan", list(chosen))
    return table


def caps(
    levels: la.QualityLevels, lot_size: int, last: Iterable[int]
) -> pd.DataFrame:
    """The least mean of the ASN at p_a and at p_r, and its bound, for each cap."""
    rows = []
    errors = np.array(levels.errors(lot_size))
    for n in last:
        plan = la.optimal_plan(levels, lot_size, max_sample=n)
        at_a, at_r = plan.average_sample_number(errors)
        rows.append((n, at_a, at_r, (at_a + at_r) / 2, plan.lower_bound))
    names = ["cap", "ASN at p_a", "ASN at p_r", "mean ASN", "bound"]
    return pd.DataFrame(rows, columns=names)
