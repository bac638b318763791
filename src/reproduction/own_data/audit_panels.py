"""Pictures of an audit: what a plan does, and the path of errors found through it."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit import SamplingPlan
from labelaudit._checks import Array

from ..machinery import style
from ..machinery.style import COLOUR, WIDTH, region

GOOD, BAD = COLOUR["good"], COLOUR["bad"]

VERDICTS = {
    "accept": ("Accepted", GOOD),
    "reject": ("Rejected", BAD),
    "continue": ("No verdict", style.INK),
}


def curves(plans: dict[str, SamplingPlan], points: int = 101) -> pd.DataFrame:
    """Acceptance probability and average sample number of each kind, by error rate.

    Rates go to two and a half times p_r; columns kind, errors, rate, accepted,
    inspected.
    """
    parts = []
    for kind, plan in plans.items():
        size, (d_a, d_r) = plan.lot_size, plan.levels.errors(plan.lot_size)
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
    """A plan's stopping region, and its curves beside those of other kinds.

    `table` is from curves. Dotted: how a lot of either level goes on average. What is
    promised: at p_a no lower than the upper triangle, at p_r no higher than the lower.
    """
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 2.9))
    levels, size = plan.levels, plan.lot_size
    region(axes[0], plan, title=f"{kind.capitalize()}: when to stop")
    for name, part in table.groupby("kind", sort=False):
        chosen = name == kind
        look = {"color": style.COLOUR[name], "lw": 2.2 if chosen else 1, "label": name}
        look |= {"zorder": 3 if chosen else 2, "alpha": 1 if chosen else 0.75}
        axes[1].plot(part["rate"], part["accepted"], **look)
        axes[2].plot(part["rate"], part["inspected"], **look)
    promised = ((1 - levels.alpha, "v", GOOD), (levels.beta, "^", BAD))
    for d, (height, turn, ink) in zip(levels.errors(size), promised):
        axes[1].plot(d / size, height, turn, mfc="white", mec=style.INK, ms=6, zorder=4)
        _average_way(axes[0], plan, d / size, ink)
    titles = ["Which batches pass", "Inspections"]
    ordinates = ["probability of accepting", "inspections on average"]
    for axis, title, words in zip(axes[1:], titles, ordinates):
        axis.set_title(title, fontsize=9)
        axis.set(ylabel=words, ylim=(0, None), xlabel="error rate")
        axis.set_xlim(0, table["rate"].max())
        style.percent_axis(axis)
    style.percent_axis(axes[1], "y")
    style.levels_marks(axes[1], levels.p_a, levels.p_r, (0, 1))
    style.levels_marks(axes[2], levels.p_a, levels.p_r)
    handles = axes[2].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure


def _average_way(axis: Axes, plan: SamplingPlan, rate: float, ink: str) -> None:
    way = rate * np.arange(plan.max_sample + 1)
    end = int(np.argmax((way <= plan.accept) | (way >= plan.reject)))
    axis.plot([0, end], [0, way[end]], ":", color=ink, lw=1.2)


def path(outcomes: Array | list[bool], inspected: int) -> pd.DataFrame:
    """Errors found after each inspection: columns inspected, errors."""
    found = np.cumsum(np.asarray(outcomes[:inspected], dtype=int))
    errors = np.concatenate([[0], found]).astype(int)
    return pd.DataFrame({"inspected": np.arange(inspected + 1), "errors": errors})


def path_panel(result: la.Audit, table: pd.DataFrame) -> Figure:
    """The path through the stopping region; `table` is from path."""
    figure, axis = plt.subplots(figsize=(WIDTH, 3.1))
    plan, decision = result.plan, result.decision
    n, x = decision.inspected, decision.errors_found
    word, ink = VERDICTS[decision.verdict]
    right = min(1.03 * plan.max_sample, max(1.5 * n, 30))
    near = np.arange(min(int(right), plan.max_sample) + 1)
    can = plan.reject[near][plan.reject[near] <= near]
    top = 1.15 * max([x, *can, *plan.accept[near]]) + 1.5
    title = f"{word} after {n:,} inspections, {x:,} wrong"
    region(axis, plan, right, top, title)
    axis.step(table["inspected"], table["errors"], where="post", color=style.INK)
    axis.plot(n, x, "o", color=ink, ms=7, zorder=5)
    return figure
