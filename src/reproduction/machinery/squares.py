"""The ledger as squares, one for each entry."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from . import style
from .style import PALEST

IN_A_ROW = 30  # squares


def draw(
    axis: Axes, documents: dict[str, dict[str, list[str]]], colours: dict[str, str]
) -> None:
    """A row of squares for each section of each document, one for each entry.

    Long rows go on below; a document's name stands above its sections.
    """
    y, heads, names = 0.0, [], []
    for document, sections in documents.items():
        heads.append((y, document))
        y -= 1.1
        for section, kinds in sections.items():
            names.append((y, section))
            for i, kind in enumerate(kinds):
                line, x = divmod(i, IN_A_ROW)
                axis.add_patch(square((x, y - line - 0.4), colours[kind]))
            y -= 1 + (len(kinds) - 1) // IN_A_ROW
        y -= 0.6
    axis.set(xlim=(0, IN_A_ROW), ylim=(y, 0.7), xticks=[])
    axis.set_yticks([at for at, _ in names], [name for _, name in names], fontsize=7)
    for at, document in heads:
        axis.text(-0.3, at, document, fontsize=8, fontweight="bold", va="center")
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0)


def columns(documents: dict[str, dict[str, list[str]]], n: int = 2) -> list[dict]:
    """Documents in columns of about equal height, the longest first."""
    heights = {
        name: 2 + sum(1 + (len(kinds) - 1) // IN_A_ROW for kinds in sections.values())
        for name, sections in documents.items()
    }
    parts: list[dict] = [{} for _ in range(min(n, len(documents)))]
    for name in sorted(heights, key=heights.__getitem__, reverse=True):
        part = min(parts, key=lambda p: sum(heights[each] for each in p))
        part[name] = documents[name]
    return parts


def square(corner: tuple[float, float], face: str) -> plt.Rectangle:
    """One square; the palest have an edge."""
    edge = style.MUTED if face == PALEST else "none"
    return plt.Rectangle(corner, 0.86, 0.8, facecolor=face, edgecolor=edge, lw=0.5)
