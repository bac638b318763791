"""Pictures of an audit: what a plan does, and the path of errors found through it."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

import labelaudit as la
from labelaudit import SamplingPlan
from labelaudit._checks import Array
from labelaudit.figures import draw_plan

from ..machinery import style
from ..machinery.style import WIDTH

DESIGNS = {
    kind: style.COLOUR[kind] for kind in ("single", "double", "sequential", "optimal")
}
GOOD, BAD = style.COLOUR["good"], style.COLOUR["bad"]
VERDICTS = {"accept": ("accepted", GOOD), "reject": ("rejected", BAD)}


def curves(plans: dict[str, SamplingPlan], points: int = 101) -> pd.DataFrame:
    """Acceptance probability and average sample number of each kind, by error rate.

    Rates go to two and a half times p_r; columns kind, errors, rate, accepted,
    inspected.
    """
    parts = []
    for kind, plan in plans.items():
        size, levels = plan.lot_size, plan.levels
        assert size is not None and levels is not None
        d_a, d_r = levels.errors(size)
        top = min(size, round(2.5 * d_r))
        errors = np.unique([*np.linspace(0, top, points).round(), d_a, d_r]).astype(int)
        part = {
            "kind": kind,
            "errors": errors,
            "rate": errors / size,
            "accepted": plan.acceptance_probability(errors),
            "inspected": plan.average_sample_number(errors),
        }
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def plan_panels(plan: SamplingPlan, kind: str, table: pd.DataFrame) -> Figure:
    """A plan's stopping region, and its curves beside those of the other kinds.

    `table` is from curves.
    """
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 2.9))
    levels, size = plan.levels, plan.lot_size
    assert levels is not None and size is not None
    draw_plan(plan, axes[0])
    axes[0].set_title(f"{kind.capitalize()}: when to stop")
    named(axes[0], plan)
    for name, part in table.groupby("kind", sort=False):
        chosen = name == kind
        look = {"color": DESIGNS[name], "lw": 2.2 if chosen else 1, "label": name}
        look |= {"zorder": 3 if chosen else 2, "alpha": 1 if chosen else 0.75}
        axes[1].plot(part["rate"], part["accepted"], **look)
        axes[2].plot(part["rate"], part["inspected"], **look)
    d_a, d_r = (errors / size for errors in levels.errors(size))
    # What is promised: at p_a no lower than the top corner, at p_r no higher than
    # the bottom one.
    for x, y, turn in ((d_a, 1 - levels.alpha, "v"), (d_r, levels.beta, "^")):
        axes[1].plot(x, y, turn, mfc="white", mec=style.INK, ms=6, zorder=4)
    axes[1].set(title="Which batches pass", ylabel="probability of accepting")
    axes[2].set(title="Inspections", ylabel="inspections on average")
    axes[1].set_ylim(0, 1.03)
    axes[2].set_ylim(0, None)
    style.percent_axis(axes[1], "y")
    for axis in axes[1:]:
        axis.set(xlabel="error rate", xlim=(0, table["rate"].max()))
        style.percent_axis(axis)
    style.levels_marks(axes[1], levels.p_a, levels.p_r, (0, 1))
    style.levels_marks(axes[2], levels.p_a, levels.p_r)
    handles = axes[2].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure


def named(axis: Axes, plan: SamplingPlan) -> None:
    """Whole errors, and the verdicts beside their limits, in what is shown."""
    axis.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    low, top = axis.get_ylim()
    right = axis.get_xlim()[1]
    stages = plan.stages
    if len(stages) > 3:
        corners = ((0, "left"), (right, "right"))
    else:  # marks at a few n: beside the first, or before the only one
        first = stages["n"].iloc[0]
        corners = ((first, "left" if len(stages) > 1 else "right"),) * 2
    for (x, side), y, text, ink in zip(
        corners, (top, low), ("reject", "accept"), (BAD, GOOD)
    ):
        shift = (5 if side == "left" else -5, -3 if y == top else 3)
        place = {"ha": side, "va": "top" if y == top else "bottom", "xytext": shift}
        style.label(axis, x, y, text, ink, **place)


def path(outcomes: Array | list[bool], inspected: int) -> pd.DataFrame:
    """Errors found after each inspection: columns inspected, errors."""
    found = np.cumsum(np.asarray(outcomes[:inspected], dtype=int))
    errors = np.concatenate([[0], found]).astype(int)
    return pd.DataFrame({"inspected": np.arange(inspected + 1), "errors": errors})


def path_panels(result: la.Audit, table: pd.DataFrame) -> Figure:
    """The path through the stopping region, and what may be said of the error rate.

    `table` is from path.
    """
    shape = {"width_ratios": [3, 1]}
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.3), gridspec_kw=shape)
    plan, decision = result.plan, result.decision
    n, x = decision.inspected, decision.errors_found
    draw_plan(plan, axes[0])
    axes[0].step(table["inspected"], table["errors"], where="post", color=style.INK)
    if decision.verdict == "continue":
        axes[0].set_title(_ahead(axes[0], result))
        last = max(e.inspected for e in (result.if_right, result.if_wrong) if e)
    else:
        word, ink = VERDICTS[decision.verdict]
        axes[0].plot(n, x, "o", color=ink, ms=7, zorder=5)
        axes[0].set_title(f"{word.capitalize()} after {n:,} inspections, {x:,} wrong")
        last = n
    right = min(1.03 * plan.max_sample, max(1.5 * last, 30))
    limit = int(min(right, plan.max_sample))
    can = plan.reject[: limit + 1][plan.reject[: limit + 1] <= np.arange(limit + 1)]
    top = max([x, *can, *plan.accept[: limit + 1]]) * 1.15 + 1.5
    axes[0].set(xlim=(0, right), ylim=(-0.1 * top, top))
    named(axes[0], plan)
    _interval(axes[1], result)
    return figure


def _ahead(axis: Axes, result: la.Audit) -> str:
    """Where the path would go if all that follow were right, or wrong; in words."""
    n, x = result.decision.inspected, result.decision.errors_found
    words = []
    for end, word in ((result.if_right, "right"), (result.if_wrong, "wrong")):
        assert end is not None
        ink = VERDICTS[end.verdict][1]
        axis.plot([n, end.inspected], [x, end.errors_found], ":", color=ink, lw=1.4)
        axis.plot(end.inspected, end.errors_found, "o", mfc="white", mec=ink, ms=6)
        words.append(f"{end.inspected - n:,} more {word} {end.verdict}")
    return f"No verdict yet: {', '.join(words)}"


def _interval(axis: Axes, result: la.Audit) -> None:
    """The interval beside the levels; nothing before the verdict."""
    levels = result.plan.levels
    assert levels is not None
    marks = {"$p_a$": levels.p_a, "$p_r$": levels.p_r}
    low, high = result.interval
    top = 1.25 * max(levels.p_r, high if high == high else 0)
    for name, rate in marks.items():
        axis.axhline(rate, color=style.MUTED, lw=0.8, ls=":", zorder=0)
        place = {"ha": "right", "va": "bottom", "xytext": (-2, 1)}
        style.label(axis, 1, rate, name, style.MUTED, **place)
    axis.set(xlim=(-1, 1), ylim=(0, top), xticks=[], ylabel="error rate")
    style.percent_axis(axis, "y")
    axis.grid(visible=False, axis="x")
    if result.decision.verdict == "continue":
        axis.set_title("No interval yet")
        return
    ink = VERDICTS[result.decision.verdict][1]
    axis.bar(-0.3, high - low, 0.25, low, color=ink, alpha=0.5)
    axis.plot(-0.3, result.rate, "D", color=style.INK, ms=5, zorder=4)
    found = f"{result.decision.errors_found:,} of {result.decision.inspected:,}"
    clear = {"boxstyle": "square,pad=0.1", "fc": "white", "ec": "none"}
    style.label(axis, -0.3, result.rate, found, style.INK, xytext=(14, 0), bbox=clear)
    axis.set_title(f"{100 * low:.3g} to {100 * high:.3g} %")
    axis.set_xlabel(f"{100 * result.confidence:g} % interval")
