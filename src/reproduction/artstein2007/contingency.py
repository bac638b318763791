"""Contingency tables of two coders: measured many at once, made, drawn as tiles."""

from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from labelaudit._checks import Array

from ..machinery import style
from ..machinery.style import PALEST, WIDTH

AGREE, DISAGREE = style.COLOUR["double"], style.COLOUR["sequential"]

ROW = 0.19  # cell widths that a letter of a row's label takes
COEFFICIENTS = ("S", "pi", "kappa")


# Tables as numbers -------------------------------------------------------------


def tidy(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Every cell in a line of its own: table, row, column, count."""
    parts = {
        name: table.rename_axis(index="row", columns="column").stack().rename("count")
        for name, table in tables.items()
    }
    return pd.concat(parts, names=["table"]).reset_index()


def measures(tables: Array) -> pd.DataFrame:
    """S, pi and kappa of many tables at once, by the formulas of slides 15, 17, 22.

    Parameters
    ----------
    tables : array of shape (n_tables, n_labels, n_labels)
        Rows are coder 1, columns coder 2.

    Returns
    -------
    DataFrame, one row per table
        labels; observed; expected_S, expected_pi, expected_kappa; S, pi, kappa (NaN
        where chance agrees always); bias, half the sum of the absolute differences
        of the coders' shares: the largest share of items on which totals alone say
        that they differ.
    """
    tables = np.asarray(tables, dtype=float)
    labels = tables.shape[-1]
    shares = tables / tables.sum(axis=(1, 2), keepdims=True)
    one, other = shares.sum(axis=2), shares.sum(axis=1)
    observed = np.trace(shares, axis1=1, axis2=2)
    columns = {
        "labels": np.full(len(tables), labels),
        "observed": observed,
        "expected_S": np.full(len(tables), 1 / labels),
        "expected_pi": (((one + other) / 2) ** 2).sum(axis=1),
        "expected_kappa": (one * other).sum(axis=1),
    }
    for name in COEFFICIENTS:
        expected = columns[f"expected_{name}"]
        room = np.where(expected < 1 - 1e-12, 1 - expected, np.nan)
        columns[name] = style.settled(observed - expected) / room
    columns["bias"] = np.abs(style.settled(one - other)).sum(axis=1) / 2
    return pd.DataFrame(columns)


def cross(one: Array, other: Array, labels: int) -> Array:
    """Tables from judgments: (n_studies, n_items) each, labels as 0, 1, ...

    Returns
    -------
    int array of shape (n_studies, labels, labels)
    """
    one, other = np.atleast_2d(one), np.atleast_2d(other)
    study = np.arange(len(one))[:, None]
    cell = (study * labels + one) * labels + other
    counts = np.bincount(cell.ravel(), minlength=len(one) * labels**2)
    return counts.reshape(-1, labels, labels)


def random_tables(
    random: np.random.Generator, number: int, labels: int, items: int
) -> Array:
    """Tables of all sorts: even or one-sided shares, alike or biased coders.

    Each table is a multinomial sample of a mixture of knowing (the diagonal) and
    guessing by the coders' own shares; how much of each, how even the shares and
    how different the coders are is drawn anew for every table.

    Returns
    -------
    int array of shape (number, labels, labels)
    """
    tables = np.empty((number, labels, labels), dtype=int)
    for i in range(number):
        known, apart = random.random(), np.sqrt(random.random())
        even = 10 ** random.uniform(-1, 1)
        one, prior = random.dirichlet(np.full(labels, even), size=2)
        other = (1 - apart) * one + apart * prior
        chance = np.outer(one, other)
        cells = known * np.diag(one) + (1 - known) * chance
        drawn = random.multinomial(items, cells.ravel() / cells.sum())
        tables[i] = drawn.reshape(labels, labels)
    return tables


def all_tables(labels: int, items: int) -> Array:
    """Every table with so many labels and items, (n_tables, labels, labels)."""
    cells = labels * labels
    bars = np.array(list(combinations(range(items + cells - 1), cells - 1)))
    ends = {"prepend": -1, "append": items + cells - 1}
    counts = np.diff(bars, axis=1, **ends) - 1
    return counts.reshape(-1, labels, labels)


# Tables as pictures ------------------------------------------------------------


def shade(colour: str, weight: float) -> tuple[float, ...]:
    """The colour mixed with white: 0 is white, 1 two thirds of the full colour."""
    rgb = np.array(mpl.colors.to_rgb(colour))
    return tuple(1 - (1 - rgb) * 0.66 * np.sqrt(weight))


def board(axis: Axes, width: float, height: float) -> None:
    """An empty board of so many cells, counted from the upper left."""
    axis.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    axis.axis("off")


def tiles(
    axis: Axes,
    table: pd.DataFrame,
    at: tuple[float, float],
    totals: bool = True,
    caption: str = "",
    digits: str = "d",
) -> None:
    """A table as tiles on a board: agreements blue, disagreements orange.

    The darker, the larger its share of all items. `at` is the upper left corner of
    the first cell; the labels stand to its left and above. `digits` is the format
    of the numbers.
    """
    (x, y), values, q = at, table.to_numpy(), len(table)
    middle = {"ha": "center", "va": "center"}
    for i, j in np.ndindex(*values.shape):
        shown = shade(AGREE if i == j else DISAGREE, values[i, j] / values.sum())
        face = shown if values[i, j] else PALEST
        corner = x + j + 0.03, y + i + 0.03
        axis.add_patch(plt.Rectangle(corner, 0.94, 0.94, facecolor=face))
        axis.text(x + j + 0.5, y + i + 0.52, f"{values[i, j]:{digits}}", **middle)
    for k, label in enumerate(table.index):
        axis.text(x - 0.12, y + k + 0.52, label, ha="right", va="center", fontsize=8)
        axis.text(x + k + 0.5, y - 0.25, label, fontsize=8, **middle)
    grey = {"fontsize": 8, "color": style.MUTED, **middle}
    axis.text(x + q / 2, y - 0.75, "coder 2", **grey)
    left = x - 0.4 - ROW * max(len(str(label)) for label in table.index)
    axis.text(left, y + q / 2, "coder 1", rotation=90, **grey)
    if totals:
        for k in range(q):
            row, column = values[k].sum(), values[:, k].sum()
            axis.text(x + q + 0.45, y + k + 0.52, f"{row:{digits}}", **grey)
            axis.text(x + k + 0.5, y + q + 0.4, f"{column:{digits}}", **grey)
        axis.text(x + q + 0.45, y + q + 0.4, f"{values.sum():{digits}}", **grey)
    under = y + q + (0.95 if totals else 0.2)
    axis.text(x + q / 2, under, caption, ha="center", va="top", fontsize=8.5)


def added_up(tables: dict[str, pd.DataFrame], title: str, cell: float) -> Figure:
    """A table (the first) as the sum of two others, each above its caption (the key).

    cell : width of a cell, in inches.
    """
    q = len(next(iter(tables.values())))
    apart = q + 2.2
    width, height = WIDTH / cell - 0.3, q + 2
    figure, axis = plt.subplots(figsize=(WIDTH, height * cell + 0.3))
    board(axis, width, height)
    for k, (caption, table) in enumerate(tables.items()):
        tiles(axis, table, (0.9 + k * apart, 1.3), totals=False, caption=caption)
        if k:
            middle = {"ha": "center", "va": "center", "fontsize": 15}
            axis.text(k * apart - 0.75, 1.3 + q / 2, " =+"[k], **middle)
    axis.set_title(title)
    return figure


def hollow(axis: Axes, x: object, y: object, size: float = 6) -> None:
    """Marks of printed values, through which ours can be seen."""
    axis.plot(x, y, "o", mfc="none", mec=style.INK, ms=size + 1, zorder=4)
