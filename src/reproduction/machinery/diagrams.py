"""Diagrams drawn by code: boxes on a grid, joined by arrows."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Polygon

from . import style

FILL = {
    "step": ("#f4f4f4", style.MUTED),
    "question": ("#eaf1f8", style.COLOUR["double"]),
    "accept": ("#e6f3e8", style.COLOUR["good"]),
    "reject": ("#fae8e5", style.COLOUR["bad"]),
    "focus": ("#fdf0e4", style.COLOUR["sequential"]),
}


@dataclass(frozen=True)
class Box:
    """A box with its centre and half width and height, for arrows to meet."""

    x: float
    y: float
    w: float
    h: float

    def side(self, name: str) -> tuple[float, float]:
        dx, dy = {"left": (-1, 0), "right": (1, 0), "top": (0, 1), "bottom": (0, -1)}[
            name
        ]
        return self.x + dx * self.w, self.y + dy * self.h


def canvas(axis: Axes, width: float, height: float, title: str = "") -> None:
    """An empty drawing area of this many units."""
    axis.set(xlim=(0, width), ylim=(0, height), aspect="equal", title=title)
    axis.axis("off")


def box(
    axis: Axes,
    x: float,
    y: float,
    text: str,
    kind: str = "step",
    w: float = 1.0,
    h: float = 0.38,
    size: float = 8,
) -> Box:
    """A box centred at (x, y); a question is a diamond."""
    face, edge = FILL[kind]
    if kind == "question":
        corners = [(x - w, y), (x, y + h), (x + w, y), (x, y - h)]
        axis.add_patch(Polygon(corners, facecolor=face, edgecolor=edge, linewidth=1.1))
    else:
        axis.add_patch(
            FancyBboxPatch(
                (x - w + 0.08, y - h + 0.08),
                2 * w - 0.16,
                2 * h - 0.16,
                boxstyle="round,pad=0.08",
                facecolor=face,
                edgecolor=edge,
                linewidth=1.1,
            )
        )
    axis.text(x, y, text, ha="center", va="center", fontsize=size, linespacing=1.25)
    return Box(x, y, w, h)


def arrow(
    axis: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    text: str = "",
    bend: str = "arc3",
    at: float = 0.5,
    shift: tuple[float, float] = (0.06, 0.1),
) -> None:
    """An arrow; its text stands beside the point `at` of the way."""
    axis.annotate(
        "",
        end,
        start,
        arrowprops={
            "arrowstyle": "-|>",
            "color": style.INK,
            "linewidth": 1.0,
            "shrinkA": 0,
            "shrinkB": 0,
            "connectionstyle": bend,
        },
    )
    if text:
        x = start[0] + at * (end[0] - start[0]) + shift[0]
        y = start[1] + at * (end[1] - start[1]) + shift[1]
        axis.text(x, y, text, fontsize=7.5, color=style.MUTED, va="center")
