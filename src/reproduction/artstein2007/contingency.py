"""Contingency tables of two coders: drawn as tiles, added up, made at random."""

from __future__ import annotations

from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from labelaudit._checks import Array

from ..machinery import style
from ..machinery.style import COLUMN, PALEST, WIDTH

AGREE, DISAGREE = style.COLOUR["double"], style.COLOUR["sequential"]

# Paul Tol's "light" colours, made for cells under black text: one for each label.
LABELS = [
    "#77AADD",
    "#EEDD88",
    "#44BB99",
    "#EE8866",
    "#99DDFF",
    "#FFAABB",
    "#BBCC33",
    "#AAAA00",
    "#DDDDDD",
]
# Slides 7 to 28 write the labels of the goods train in two ways.
TRAIN = {"Boxcar": 0, "Tanker": 1, "Engine 1": 2, "Engine 2": 3}
TRAIN |= {"Box": 0, "Tank": 1, "E-1": 2, "E-2": 3}
ROW, TOP = 0.19, 1.35  # cell widths: of a letter of a row's label; above the cells
LETTER = 0.083  # inches, of a title
COEFFICIENTS = ("S", "pi", "kappa")


# Tables as numbers -------------------------------------------------------------


def tidy(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Every cell in a line of its own: table, row, column, count."""
    parts = []
    for name, table in tables.items():
        row, column = (at.ravel() for at in np.indices(table.shape))
        cells = {
            "table": name,
            "row": np.asarray(table.index)[row],
            "column": np.asarray(table.columns)[column],
            "count": table.to_numpy().ravel(),
        }
        parts.append(pd.DataFrame(cells))
    return pd.concat(parts, ignore_index=True)


def margin(table: pd.DataFrame, label: str) -> int:
    """The total of a label's row, where its column has the same; else ValueError."""
    row, column = table.loc[label].sum(), table[label].sum()
    if row != column:
        raise ValueError(f"{label!r} has the row total {row} and column total {column}")
    return int(row)


def agreements(table: pd.DataFrame) -> int:
    """Items on the diagonal."""
    return int(np.trace(table.to_numpy()))


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


def random_measures(
    random: np.random.Generator, number: int, largest: int, items: int = 100
) -> pd.DataFrame:
    """Measures of so many random tables for each number of labels from 2."""
    parts = [
        measures(random_tables(random, number, labels, items))
        for labels in range(2, largest + 1)
    ]
    return pd.concat(parts, ignore_index=True)


def all_tables(labels: int, items: int) -> Array:
    """Every table with so many labels and items, (n_tables, labels, labels)."""
    cells = labels * labels
    bars = np.array(list(combinations(range(items + cells - 1), cells - 1)))
    low = np.full((len(bars), 1), -1)
    high = np.full((len(bars), 1), items + cells - 1)
    counts = np.diff(np.hstack([low, bars, high]), axis=1) - 1
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


def room(table: pd.DataFrame) -> float:
    """What the labels of a table's rows take, in cells."""
    return 0.6 + ROW * max(len(str(label)) for label in table.index)


def tile(
    axis: Axes, x: float, y: float, text: str, face: object, size: float = 9
) -> None:
    """One cell with its upper left corner at (x, y)."""
    corner = (x + 0.03, y + 0.03)
    patch = plt.Rectangle(corner, 0.94, 0.94, facecolor=face, edgecolor="none")
    axis.add_patch(patch)
    middle = {"ha": "center", "va": "center", "fontsize": size}
    axis.text(x + 0.5, y + 0.52, text, **middle)


def tiles(
    axis: Axes,
    table: pd.DataFrame,
    at: tuple[float, float],
    totals: bool = True,
    coders: bool = True,
    caption: str = "",
    digits: str = "d",
) -> None:
    """A table as tiles on a board: agreements blue, disagreements orange.

    The darker, the larger its share of all items. `at` is the upper left corner of
    the first cell; the labels stand to its left and above. `digits` is the format
    of the numbers.
    """
    x, y = at
    values, q = table.to_numpy(), len(table)
    whole = max(values.sum(), 1)
    for i, j in np.ndindex(*values.shape):
        colour = AGREE if i == j else DISAGREE
        face = shade(colour, values[i, j] / whole) if values[i, j] else PALEST
        tile(axis, x + j, y + i, format(values[i, j], digits), face)
    small = {"fontsize": 8, "va": "center"}
    for k, label in enumerate(table.index):
        axis.text(x - 0.12, y + k + 0.52, label, ha="right", **small)
        axis.text(x + k + 0.5, y - 0.25, label, ha="center", **small)
    if coders:
        grey = {"fontsize": 7, "color": style.MUTED, "va": "center"}
        axis.text(x + q / 2, y - 0.75, "coder 2", ha="center", **grey)
        left = x - room(table) + 0.2
        axis.text(left, y + q / 2, "coder 1", ha="center", rotation=90, **grey)
    if totals:
        grey = {"fontsize": 8.5, "color": style.MUTED, "ha": "center", "va": "center"}
        for k in range(q):
            axis.text(x + q + 0.45, y + k + 0.52, f"{values[k].sum():{digits}}", **grey)
            below = f"{values[:, k].sum():{digits}}"
            axis.text(x + k + 0.5, y + q + 0.4, below, **grey)
        axis.text(x + q + 0.45, y + q + 0.4, f"{values.sum():{digits}}", **grey)
    if caption:
        under = y + q + (0.95 if totals else 0.2)
        middle = {"ha": "center", "va": "top", "fontsize": 8.5, "linespacing": 1.4}
        axis.text(x + q / 2, under, caption, **middle)


def side_by_side(
    tables: dict[str, pd.DataFrame],
    title: str,
    signs: str = "",
    totals: bool = True,
    lines: int = 2,
    cell: float = 0.44,
    gap: float = 1.0,
) -> Figure:
    """Tables in a row, each above its caption (the key), `signs` between them.

    `lines` is how many lines the longest caption has.
    """
    first = next(iter(tables.values()))
    left = room(first)
    widths = [len(table) + totals for table in tables.values()]
    width = left + sum(widths) + (len(tables) - 1) * (left + gap)
    tallest = max(len(table) for table in tables.values())
    height = TOP + tallest + totals + 0.4 + 0.42 * lines
    inches = max((width + 0.5) * cell, LETTER * len(title)) + 0.2
    paper = COLUMN if inches <= COLUMN else WIDTH
    figure, axis = plt.subplots(figsize=(paper, height * cell + 0.3))
    board(axis, inches / cell - 0.3, height)
    x = left
    for k, (caption, table) in enumerate(tables.items()):
        tiles(axis, table, (x, TOP), totals, caption=caption)
        x += widths[k] + left + gap
        if k < len(signs):
            middle = {"ha": "center", "va": "center", "fontsize": 15}
            where = x - left - gap / 2 - 0.1
            axis.text(where, TOP + len(table) / 2, signs[k], **middle)
    axis.set_title(title)
    return figure


def palette(labels: list[str]) -> dict[str, str]:
    """A colour for each label; those of the goods train keep theirs everywhere."""
    others = [label for label in labels if label not in TRAIN]
    place = TRAIN | {label: len(LABELS) // 2 + k for k, label in enumerate(others)}
    return {label: LABELS[place[label] % len(LABELS)] for label in labels}


def judgments(
    axis: Axes,
    frame: pd.DataFrame,
    beside: list[str],
    heading: str,
    at: tuple[float, float] = (0.0, 0.0),
    size: float = 8,
    wide: float = 1.0,
) -> None:
    """Items by coders, a tile a judgment coloured by its label, a note beside.

    `frame` has one row per item and one column per coder; `wide` is how many cells
    wide a judgment is.
    """
    x, y = at
    colours = palette(sorted(pd.unique(frame.to_numpy().ravel())))
    grey = {"fontsize": size - 0.5, "color": style.MUTED, "va": "center"}
    for j, coder in enumerate(frame.columns):
        name = str(coder).replace("_", " ")
        axis.text(x + (j + 0.5) * wide, y - 0.35, name, ha="center", **grey)
    end = x + len(frame.columns) * wide
    axis.text(end + 0.3, y - 0.35, heading, ha="left", **grey)
    for i, (item, row) in enumerate(frame.iterrows()):
        line = {"va": "center", "fontsize": size}
        axis.text(x - 0.25, y + i + 0.52, item, ha="right", **line)
        for j, label in enumerate(row):
            left = x + j * wide + 0.03
            corner, face = (left, y + i + 0.05), colours[label]
            axis.add_patch(plt.Rectangle(corner, wide - 0.06, 0.9, facecolor=face))
            middle = x + (j + 0.5) * wide
            axis.text(middle, y + i + 0.52, label, ha="center", **line)
        axis.text(end + 0.3, y + i + 0.52, beside[i], ha="left", **line)


def below_the_diagonal(
    table: pd.DataFrame, x: str, y: str, colour: str, bar: str
) -> Figure:
    """One coefficient against another, a dot a table, and the line where they meet.

    `colour` is the column that colours the dots, `bar` names its scale.
    """
    low, floor = np.floor(10 * table[[x, y]].min()) / 10
    figure, axis = plt.subplots(figsize=(WIDTH, 4.3), layout="compressed")
    table = table.sort_values(colour, kind="stable")
    look = {"s": 7, "cmap": "viridis", "linewidths": 0, "rasterized": True}
    dots = axis.scatter(table[x], table[y], c=table[colour], **look)
    axis.plot([floor, 1], [floor, 1], color=style.INK, linewidth=1)
    axis.set(xlim=(low - 0.03, 1.03), ylim=(floor - 0.03, 1.03), aspect="equal")
    figure.colorbar(dots, ax=axis, label=bar, shrink=0.8)
    return figure


def hollow(axis: Axes, x: object, y: object, size: float = 6) -> None:
    """Marks of printed values, through which ours can be seen."""
    axis.plot(x, y, "o", mfc="none", mec=style.INK, ms=size + 1, zorder=4)


def two_cuts(forms: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """The same observed agreement cut as on slide 12 and as on slide 13.

    `forms` has one row per table with the columns A_o, A_e, known and lucky (the shares
    of slide 12). Also returns the widths of all bars.
    """
    names = ("above chance", "by chance", "disagree")
    colours = [AGREE, DISAGREE, style.PALETTE["grey"]]
    rows = []
    for name, row in forms.iterrows():
        apart = ("disagree", 1 - row["A_o"])
        cuts = {
            f"{name}, slide 12": [(names[0], row["known"]), (names[1], row["lucky"])],
            "slide 13": [(names[1], row["A_e"]), (names[0], row["A_o"] - row["A_e"])],
        }
        for bar, cut in cuts.items():
            rows += [[name, bar, *part] for part in [*cut, apart]]
    table = pd.DataFrame(rows, columns=["table", "bar", "part", "share"])
    figure, axis = plt.subplots(figsize=(WIDTH, 0.8 + 0.6 * 2 * len(forms)))
    heights = [2.3 * (k // 2) + 0.9 * (k % 2) for k in range(2 * len(forms))]
    ticks = []
    bars = table.groupby(["table", "bar"], sort=False)
    for y, ((_, bar), parts) in zip(heights, bars):
        table_name, _, twelve = bar.partition(",")
        story = "13: all items are guessed"
        if twelve:
            story = "12: some items are known"
        ticks.append(f"{table_name}\nslide {story}" if twelve else f"slide {story}")
        left = 0.0
        for part, share in zip(parts["part"], parts["share"]):
            k = names.index(part)
            axis.barh(y, share, 0.75, left=left, color=shade(colours[k], 0.8))
            middle = {"ha": "center", "va": "center", "fontsize": 8}
            axis.text(left + share / 2, y, f"{share:.2f}", **middle)
            left += share
    axis.set_yticks(heights, ticks)
    keys = ("agree above chance", "agree by chance", "disagree")
    for part, ink in zip(keys, colours):
        axis.bar([0], [0], color=shade(ink, 0.8), label=part)
    figure.legend(loc="outside lower center", ncols=len(names))
    axis.set(ylim=(heights[-1] + 0.6, -0.6), xlim=(0, 1), xlabel="share of the items")
    axis.grid(visible=False)
    return figure, table


def items_and_influence(
    matrix: pd.DataFrame, agreeing: pd.DataFrame, without: pd.Series, value: float
) -> Figure:
    """Items in columns, coders in rows, and the coefficient without each item.

    `matrix` has one row per item and one column per coder; labels that differ from the
    item's commonest are framed. `agreeing` has the columns agreeing and pairs.
    """
    figure, (top, axis) = plt.subplots(
        2,
        1,
        figsize=(WIDTH, 3.7),
        gridspec_kw={"height_ratios": [3.1, 2], "hspace": 0.02},
    )
    colours = palette(sorted(pd.unique(matrix.to_numpy().ravel())))
    middle = {"ha": "center", "va": "center", "fontsize": 7, "zorder": 3}
    for i, (_, row) in enumerate(matrix.iterrows()):
        for j, label in enumerate(row):
            odd = label != row.mode()[0]
            box = plt.Rectangle((i - 0.46, j - 0.45), 0.92, 0.9)
            box.set(facecolor=colours[label], edgecolor=style.INK)
            box.set(linewidth=1.3 if odd else 0, zorder=1 + odd)
            top.add_patch(box)
            top.text(i, j, label, **middle)
        counts = "{}/{}".format(*agreeing.iloc[i][["agreeing", "pairs"]])
        grey = middle | {"fontsize": 7, "color": style.MUTED}
        top.text(i, matrix.shape[1], counts, **grey)
    names = [str(name).replace("_", " ") for name in matrix]
    top.set(xlim=(-0.6, len(matrix) - 0.4), ylim=(len(names) + 0.3, -0.6))
    top.set_yticks(range(len(names) + 1), [*names, "pairs"])
    top.set_xticks(range(len(matrix)), matrix.index)
    top.xaxis.tick_top()
    top.tick_params(length=0)
    top.grid(visible=False)
    top.spines[:].set_visible(False)
    x, lost = np.arange(len(matrix)), agreeing["agreeing"] < agreeing["pairs"]
    for which, ink in ((lost.to_numpy(), DISAGREE), (~lost.to_numpy(), AGREE)):
        ends = without.to_numpy()[which]
        axis.vlines(x[which], value, ends, color=ink, lw=3)
        axis.plot(x[which], ends, "o", color=ink)
    axis.axhline(value, color=style.INK, lw=1)
    axis.set(xlim=top.get_xlim())
    axis.set_xticks(x, matrix.index)
    axis.grid(visible=False, axis="x")
    return figure
