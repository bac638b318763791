"""Stopping regions in figures: whole errors, and the verdicts beside their limits."""

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from labelaudit import SamplingPlan
from labelaudit.figures import draw_plan

from . import style

GOOD, BAD = style.COLOUR["good"], style.COLOUR["bad"]


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
    draw_plan(plan, axis)
    axis.set_title(title, fontsize=9)
    axis.set_xlim(0, right or axis.get_xlim()[1])
    top = top or axis.get_ylim()[1]
    axis.set_ylim(-0.06 * top, top)
    axis.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axis.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    stages = plan.stages
    ends = [(0, "left"), (axis.get_xlim()[1], "right")]
    if len(stages) <= 3:
        ends = [(stages["n"].iloc[0], "left" if len(stages) > 1 else "right")] * 2
    verdicts = ((top, "reject", BAD, "top"), (-0.06 * top, "accept", GOOD, "bottom"))
    for (x, side), (y, word, ink, height) in zip(ends, verdicts):
        shift = (5 if side == "left" else -5, -3 if height == "top" else 3)
        place = {"ha": side, "va": height, "xytext": shift}
        style.label(axis, x, y, word, ink, **place)
