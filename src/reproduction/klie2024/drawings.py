"""Klie et al. 2024: the loop, the flow charts and the stopping regions, drawn."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from labelaudit.figures import draw_plan
from labelaudit.plans.plan import SamplingPlan

from ..machinery import style
from ..machinery.diagrams import arrow, box, canvas
from ..machinery.style import WIDTH


def annotation_loop() -> Figure:
    """The agile loop: annotate, inspect, accept or repair."""
    figure, axis = plt.subplots(figsize=(WIDTH, 2.9))
    canvas(axis, 12, 4.6)
    guide = box(axis, 1.3, 3.4, "Guidelines,\nannotators", w=1.1, h=0.55)
    label = box(axis, 4.1, 3.4, "Annotate\na batch", w=1.1, h=0.55)
    audit = box(axis, 7.0, 3.4, "Inspect a sample:\ngood enough?", "focus", 1.45, 0.62)
    good = box(axis, 10.6, 3.4, "Accept", "accept", 1.0, 0.5)
    bad = box(axis, 7.0, 1.0, "Reject", "reject", 1.0, 0.5)
    repair = "Find causes, correct, retrain,\nrevise guidelines"
    mend = box(axis, 2.7, 1.0, repair, w=2.1, h=0.6)
    release = box(axis, 10.6, 1.0, "Release with\nan error rate", w=1.15, h=0.55)
    arrow(axis, guide.side("right"), label.side("left"))
    arrow(axis, label.side("right"), audit.side("left"))
    arrow(axis, audit.side("right"), good.side("left"), "yes", shift=(-0.2, 0.2))
    arrow(axis, audit.side("bottom"), bad.side("top"), "no")
    arrow(axis, bad.side("left"), mend.side("right"))
    arrow(axis, (1.3, 1.6), guide.side("bottom"), "once more", at=0.55)
    arrow(axis, good.side("bottom"), release.side("top"), "all batches done")
    back = "bar,angle=180,fraction=0.06"
    start, end = (10.6, 3.9), (4.1, 3.95)
    arrow(axis, start, end, "next batch", bend=back, at=0.56, shift=(0, 0.6))
    return figure


def flow_charts(
    single: SamplingPlan, double: SamplingPlan, sequential: SamplingPlan
) -> Figure:
    """One flow chart a plan, with the plan's own numbers."""
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 4.3))
    last = sequential.max_sample
    titles = ("Single", "Double", f"Sequential, at most {last}")
    for axis, title in zip(axes, titles):
        canvas(axis, 5, 8.2, title)
        box(axis, 1.15, 0.7, "Accept", "accept", w=0.95, h=0.45)
        box(axis, 3.85, 0.7, "Reject", "reject", w=0.95, h=0.45)
    _single_chart(axes[0], single)
    _double_chart(axes[1], double)
    _sequential_chart(axes[2])
    return figure


def _single_chart(axis: Axes, plan: SamplingPlan) -> None:
    take = box(axis, 2.5, 6.9, f"Inspect {plan.max_sample}", w=1.4, h=0.45)
    question = f"Errors\nat most {plan.accept[-1]}?"
    ask = box(axis, 2.5, 4.1, question, "question", 1.35, 1.0)
    arrow(axis, take.side("bottom"), ask.side("top"))
    arrow(axis, ask.side("left"), (1.15, 1.15), "yes", at=0.4)
    arrow(axis, ask.side("right"), (3.85, 1.15), "no", at=0.4)


def _double_chart(axis: Axes, plan: SamplingPlan) -> None:
    (n1, n2), (c1, c2) = plan.stages.n, plan.stages.accept
    r1 = plan.stages.reject.iloc[0]
    take = box(axis, 2.5, 7.5, f"Inspect {n1}", w=1.4, h=0.45)
    ask = box(axis, 2.5, 5.75, "How many\nerrors?", "question", 1.7, 0.95)
    more = box(axis, 2.5, 3.95, f"Inspect {n2 - n1} more", w=1.3, h=0.45, size=7)
    total = box(axis, 2.5, 2.35, f"In all at\nmost {c2}?", "question", 1.3, 0.8)
    arrow(axis, take.side("bottom"), ask.side("top"))
    arrow(axis, ask.side("bottom"), more.side("top"))
    arrow(axis, more.side("bottom"), total.side("top"))
    few, many = (0.8, 1.15), (4.2, 1.15)
    arrow(axis, ask.side("left"), few, f"≤ {c1}", at=0.3, shift=(-0.72, 0))
    arrow(axis, ask.side("right"), many, f"≥ {r1}", at=0.3)
    yes, no = (1.2, 1.15), (3.8, 1.15)
    arrow(axis, total.side("left"), yes, "yes", at=0.6, shift=(0.12, 0))
    arrow(axis, total.side("right"), no, "no", at=0.6, shift=(-0.48, 0))


def _sequential_chart(axis: Axes) -> None:
    take = box(axis, 2.5, 6.9, "Inspect one", w=1.4, h=0.45)
    ask = box(axis, 2.5, 4.1, "Errors $x$\namong $n$?", "question", 1.35, 1.0)
    arrow(axis, take.side("bottom"), ask.side("top"))
    arrow(axis, ask.side("left"), (1.15, 1.15), r"$x \leq a_n$", at=0.4)
    arrow(axis, ask.side("right"), (3.85, 1.15), r"$x \geq r_n$", at=0.4)
    start, end = (3.2, 4.6), take.side("right")  # on the upper right edge
    arrow(axis, start, end, "else", bend="arc3,rad=0.4", shift=(0.7, 0.1))


def stopping_regions(plans: dict[str, SamplingPlan]) -> Figure:
    """Boundaries side by side, on common axes; the keys are the titles."""
    figure, axes = plt.subplots(1, len(plans), figsize=(WIDTH, 2.6), sharey=True)
    end = max(plan.max_sample for plan in plans.values())
    top = max(plan.accept[-1] for plan in plans.values()) + 5
    good, bad = (style.COLOUR[name] for name in ("good", "bad"))
    for axis, (title, plan) in zip(axes, plans.items()):
        draw_plan(plan, axis)
        axis.set(title=title, xlim=(0, 1.03 * end), ylim=(-0.5, top))
        axis.label_outer()
        if len(plan.stages) <= 3:  # the verdicts are upright lines
            last, place = plan.max_sample, {"ha": "left", "xytext": (5, 0)}
            style.label(axis, last, 0.9 * top, "reject", bad, **place)
            style.label(axis, last, 0.1 * top, "accept", good, **place)
        else:
            style.label(axis, 0.04 * end, 0.7 * top, "reject", bad)
            style.label(axis, 0.64 * end, 0.1 * top, "accept", good)
    first = next(iter(plans.values()))
    middle = 0.5 * first.max_sample, 0.5 * top
    place = {"ha": "center", "xytext": (0, 0)}
    style.label(axes[0], *middle, "inspect\none more", style.MUTED, **place)
    return figure
