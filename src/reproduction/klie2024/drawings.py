"""Klie et al. 2024: the loop, the flow charts and the stopping regions, drawn.

A diagram is two tables. Boxes: kind, centre, half width and height, text. Arrows: from,
to, text, where the text stands, how the arrow bends.
"""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from labelaudit.plans.plan import SamplingPlan

from ..machinery import style
from ..machinery.regions import region
from ..machinery.style import WIDTH

# The face and the edge of a box.
KINDS = {
    "step": ("#f4f4f4", style.MUTED),
    "question": ("#eaf1f8", style.COLOUR["double"]),
    "accept": ("#e6f3e8", style.COLOUR["good"]),
    "reject": ("#fae8e5", style.COLOUR["bad"]),
    "focus": ("#fdf0e4", style.COLOUR["sequential"]),
}
ARROW = {"arrowstyle": "-|>", "color": style.INK, "lw": 1, "shrinkA": 0, "shrinkB": 0}
ALONG = "bar,angle=180,fraction=0.06"
BACK = "arc3,rad=0.4"

LOOP = (
    ("step", 1.3, 3.4, 1.1, 0.55, "Guidelines,\nannotators"),
    ("step", 4.1, 3.4, 1.1, 0.55, "Annotate\na batch"),
    ("focus", 7.0, 3.4, 1.45, 0.62, "Inspect a sample:\ngood enough?"),
    ("accept", 10.6, 3.4, 1.0, 0.5, "Accept"),
    ("reject", 7.0, 1.0, 1.0, 0.5, "Reject"),
    ("step", 2.7, 1.0, 2.1, 0.6, "Find causes, correct, retrain,\nrevise guidelines"),
    ("step", 10.6, 1.0, 1.15, 0.55, "Release with\nan error rate"),
)
ROUND = (
    ((2.4, 3.4), (3.0, 3.4), "", 0, 0),
    ((5.2, 3.4), (5.55, 3.4), "", 0, 0),
    ((8.45, 3.4), (9.6, 3.4), "yes", 8.85, 3.6),
    ((7.0, 2.78), (7.0, 1.5), "no", 7.1, 2.25),
    ((6.0, 1.0), (4.8, 1.0), "", 0, 0),
    ((1.3, 1.6), (1.3, 2.85), "once more", 1.4, 2.35),
    ((10.6, 2.9), (10.6, 1.55), "all batches done", 10.7, 2.3),
    ((10.6, 3.9), (4.1, 3.95), "next batch", 7.0, 4.5, ALONG),
)
VERDICTS = (
    ("accept", 1.15, 0.7, 0.95, 0.45, "Accept"),
    ("reject", 3.85, 0.7, 0.95, 0.45, "Reject"),
)


def diagram(axis: Axes, width: float, height: float, boxes, arrows) -> None:
    """Boxes and arrows on so many units; a question is a diamond."""
    axis.set(xlim=(0, width), ylim=(0, height), aspect="equal")
    axis.axis("off")
    for kind, x, y, w, h, text in boxes:
        face, edge = KINDS[kind]
        corners = [(x - w, y - h), (x - w, y + h), (x + w, y + h), (x + w, y - h)]
        if kind == "question":
            corners = [(x - w, y), (x, y + h), (x + w, y), (x, y - h)]
        axis.add_patch(Polygon(corners, facecolor=face, edgecolor=edge, lw=1.1))
        axis.text(x, y, text, ha="center", va="center", fontsize=8, linespacing=1.25)
    for start, end, text, x, y, *bend in arrows:
        look = ARROW | {"connectionstyle": bend[0] if bend else "arc3"}
        axis.annotate("", end, start, arrowprops=look)
        axis.text(x, y, text, fontsize=7.5, color=style.MUTED, va="center")


def annotation_loop() -> Figure:
    """The agile loop: annotate, inspect, accept or repair."""
    figure, axis = plt.subplots(figsize=(WIDTH, 2.9))
    diagram(axis, 12, 4.7, LOOP, ROUND)
    return figure


def flow_charts(
    single: SamplingPlan, double: SamplingPlan, sequential: SamplingPlan
) -> Figure:
    """One flow chart a plan, with the plan's own numbers."""
    (n1, n2), (c1, c2) = double.stages.n, double.stages.accept
    one, two = (1.15, 1.15), (3.85, 1.15)  # down to a verdict
    charts = {
        "Single": (
            ("step", 2.5, 6.9, 1.4, 0.45, f"Inspect {single.max_sample}"),
            ("question", 2.5, 4.1, 1.35, 1, f"Errors\nat most {single.accept[-1]}?"),
        ),
        "Double": (
            ("step", 2.5, 7.5, 1.4, 0.45, f"Inspect {n1}"),
            ("question", 2.5, 5.75, 1.7, 0.95, "How many\nerrors?"),
            ("step", 2.5, 3.95, 1.35, 0.45, f"Inspect {n2 - n1} more"),
            ("question", 2.5, 2.35, 1.3, 0.8, f"In all at\nmost {c2}?"),
        ),
        f"Sequential, at most {sequential.max_sample}": (
            ("step", 2.5, 6.9, 1.4, 0.45, "Inspect one"),
            ("question", 2.5, 4.1, 1.35, 1, "Errors $x$\namong $n$?"),
        ),
    }
    arrows = (
        (
            ((2.5, 6.45), (2.5, 5.1), "", 0, 0),
            ((1.15, 4.1), one, "yes", 1.21, 3.0),
            ((3.85, 4.1), two, "no", 3.91, 3.0),
        ),
        (
            ((2.5, 7.05), (2.5, 6.7), "", 0, 0),
            ((2.5, 4.8), (2.5, 4.4), "", 0, 0),
            ((2.5, 3.5), (2.5, 3.15), "", 0, 0),
            ((0.8, 5.75), (0.8, 1.15), f"≤ {c1}", 0.08, 4.4),
            ((4.2, 5.75), (4.2, 1.15), f"≥ {double.stages.reject.iloc[0]}", 4.3, 4.4),
            ((1.2, 2.35), (1.2, 1.15), "yes", 1.32, 1.65),
            ((3.8, 2.35), (3.8, 1.15), "no", 3.32, 1.65),
        ),
        (
            ((2.5, 6.45), (2.5, 5.1), "", 0, 0),
            ((1.15, 4.1), one, r"$x \leq a_n$", 1.21, 3.0),
            ((3.85, 4.1), two, r"$x \geq r_n$", 3.91, 3.0),
            ((3.2, 4.6), (3.9, 6.9), "else", 4.25, 5.85, BACK),
        ),
    )
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 4.3))
    for axis, (title, boxes), ways in zip(axes, charts.items(), arrows):
        diagram(axis, 5, 8.2, (*boxes, *VERDICTS), ways)
        axis.set_title(title)
    return figure


def stopping_regions(plans: dict[str, SamplingPlan]) -> Figure:
    """Boundaries side by side, on common axes; the keys are the titles."""
    figure, axes = plt.subplots(1, len(plans), figsize=(WIDTH, 2.6), sharey=True)
    end = 1.03 * max(plan.max_sample for plan in plans.values())
    top = max(plan.accept[-1] for plan in plans.values()) + 5
    for axis, (title, plan) in zip(axes, plans.items()):
        region(axis, plan, end, top, title)
        axis.label_outer()
    return figure
