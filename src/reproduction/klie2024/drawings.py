"""Klie et al. 2024: the loop, the flow charts and the stopping regions, drawn.

A diagram is two tables of diagrams.toml: boxes and arrows.
"""

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from labelaudit.files.told import read
from labelaudit.plans.plan import SamplingPlan

from ..machinery import style
from ..machinery.style import WIDTH, region

# The face and the edge of a box.
KINDS = {
    "step": ("#f4f4f4", style.MUTED),
    "question": ("#eaf1f8", style.COLOUR["double"]),
    "accept": ("#e6f3e8", style.COLOUR["good"]),
    "reject": ("#fae8e5", style.COLOUR["bad"]),
    "focus": ("#fdf0e4", style.COLOUR["sequential"]),
}
ARROW = {"arrowstyle": "-|>", "color": style.INK, "lw": 1, "shrinkA": 0, "shrinkB": 0}
DIAGRAMS = read(__package__, "diagrams.toml")


def diagram(axis: Axes, name: str, **numbers: int) -> None:
    """Boxes and arrows, with these numbers in their texts; a question is a diamond."""
    drawn = DIAGRAMS[name]
    width, height = drawn["size"]
    axis.set(xlim=(0, width), ylim=(0, height), aspect="equal")
    axis.axis("off")
    for kind, x, y, w, h, text in drawn["boxes"]:
        face, edge = KINDS[kind]
        corners = [(x - w, y - h), (x - w, y + h), (x + w, y + h), (x + w, y - h)]
        if kind == "question":
            corners = [(x - w, y), (x, y + h), (x + w, y), (x, y - h)]
        axis.add_patch(Polygon(corners, facecolor=face, edgecolor=edge, lw=1.1))
        words = text.format(**numbers)
        axis.text(x, y, words, ha="center", va="center", fontsize=8, linespacing=1.25)
    for start, end, text, x, y, *bend in drawn["arrows"]:
        look = ARROW | {"connectionstyle": bend[0] if bend else "arc3"}
        axis.annotate("", end, start, arrowprops=look)
        words = text.format(**numbers)
        axis.text(x, y, words, fontsize=7.5, color=style.MUTED, va="center")


def annotation_loop() -> Figure:
    """The agile loop: annotate, inspect, accept or repair."""
    figure, axis = plt.subplots(figsize=(WIDTH, 2.9))
    diagram(axis, "loop")
    return figure


def flow_charts(
    single: SamplingPlan, double: SamplingPlan, sequential: SamplingPlan
) -> Figure:
    """One flow chart a plan, with the plan's own numbers."""
    first, second = double.stages.to_dict("records")
    numbers = {"single": single.max_sample, "c": single.accept[-1]}
    numbers |= {"first": first["n"], "more": second["n"] - first["n"]}
    numbers |= {"c1": first["accept"], "r1": first["reject"], "c2": second["accept"]}
    numbers |= {"most": sequential.max_sample}
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 4.3))
    for axis, name in zip(axes, ("single", "double", "sequential")):
        diagram(axis, name, **numbers)
        axis.set_title(DIAGRAMS[name]["title"].format(**numbers))
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
