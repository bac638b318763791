"""Pictures of plans. Needs matplotlib; nothing else in the library imports this."""

import numpy as np
from matplotlib.axes import Axes

from . import _checks
from .plans.plan import SamplingPlan, checked_plan

ACCEPT, REJECT, CONTINUE = "#009988", "#CC3311", "#f3f3f3"


def draw_plan(plan: SamplingPlan, axis: Axes | None = None) -> Axes:
    """Draw any plan's stopping region: errors found against inspections.

    Parameters
    ----------
    plan : SamplingPlan
    axis : matplotlib Axes, optional
        Where to draw; by default the current axes.

    Returns
    -------
    matplotlib Axes
        Green marks and line: accept here or below. Red: reject here or above.
        Grey: inspect one more.

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.figures import draw_plan
    >>> draw_plan(la.double_plan(la.RELAXED, lot_size=1000)).get_xlabel()
    'inspected'
    """
    checked_plan(plan)
    if axis is not None and not isinstance(axis, Axes):
        raise _checks.refuse("axis", axis, "matplotlib Axes or None")
    if axis is None:
        import matplotlib.pyplot as plt

        axis = plt.gca()
    stages = plan.stages
    can_accept = stages[stages.accept >= 0]
    can_reject = stages[stages.reject <= stages.n]
    top = max(stages.accept.max(), can_reject.reject.max(), 1) * 1.25 + 2
    n = np.arange(plan.max_sample + 1)
    axis.fill_between(
        n, plan.accept + 0.5, plan.reject - 0.5, color=CONTINUE, linewidth=0
    )
    few = len(stages) <= 3
    for part, column, colour, beyond, mark in (
        (can_accept, "accept", ACCEPT, -0.5, "v"),
        (can_reject, "reject", REJECT, top, "^"),
    ):
        if few:
            axis.plot(part.n, part[column], mark, color=colour, markersize=5, zorder=3)
            axis.vlines(part.n, part[column], beyond, color=colour, linewidth=2)
        else:
            axis.step(part.n, part[column], where="post", color=colour, linewidth=1.4)
    axis.set(ylim=(-0.5, top), xlim=(0, max(plan.max_sample, 1) * 1.03))
    axis.set(xlabel="inspected", ylabel="errors found")
    return axis
