"""A table of two raters, and what chance gives to each coefficient."""

import warnings
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch

import labelaudit as la

from ..machinery import examples, parameters, style
from ..machinery.style import PALEST, WIDTH

MINUS = "\N{MINUS SIGN}"


def shade(agree: bool, weight: float) -> tuple[float, ...]:
    """The colour of agreement or disagreement: 1 is two thirds of it, 0 white."""
    rgb = np.array(to_rgb(style.COLOUR["double" if agree else "sequential"]))
    return tuple(1 - (1 - rgb) * 0.66 * np.sqrt(weight))


# Parts of a bar of agreement.
BY_CHANCE, BEYOND, BELOW = style.PALETTE["grey"], shade(True, 0.8), shade(False, 0.8)

# The picture of a table of two raters, in units of so many inches: where its parts
# begin, and how long a bar from 0 to 1 is.
UNIT, HIGH = 0.62, 6.5
SQUARE, BAR, LONG, VALUE, FIRST = 5.0, 6.1, 2.9, 9.2, 0.75

# What is computed from a table of two coders.
COEFFICIENTS = {
    "S": la.bennett_s,
    "pi": la.scott_pi,
    "kappa": la.cohen_kappa,
    "alpha": la.krippendorff_alpha,
    "AC1": la.gwet_ac1,
}


def measured(cells: list[int]) -> pd.DataFrame:
    """All coefficients of two raters' table [AA, AB, BA, BB], a row each.

    observed, expected, value (NaN: undefined) and why it is undefined.

    Raises ValueError for an empty table.
    """
    cells = parameters.checked({"cells": cells})["cells"]
    table = pd.DataFrame(np.reshape(cells, (2, 2)), ["A", "B"], ["A", "B"])
    ratings = examples.ratings(table)
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # `undefined` says it
        for name, coefficient in COEFFICIENTS.items():
            a = coefficient(ratings)
            rows.append([name, a.observed, a.expected, a.value, a.undefined])
    columns = ["coefficient", "observed", "expected", "value", "undefined"]
    return pd.DataFrame(rows, columns=columns)


def tables() -> dict[str, list[int]]:
    """Well-known tables [AA, AB, BA, BB] by what they are known for."""
    counts = examples.load("two_by_two")["count"]
    found = counts.groupby(level=0, sort=False).agg(list).to_dict()
    love = examples.slide(19, "observed").to_numpy().ravel().tolist()
    return found | {"love (slide 19)": love, "unused": [100, 0, 0, 0]}


def compared(many: dict[str, list[int]]) -> pd.DataFrame:
    """One row per table: the cells, observed agreement and all coefficients."""
    rows = []
    for name, cells in many.items():
        found = measured(cells).set_index("coefficient")
        row = {"table": name, "cells": " ".join(map(str, cells))}
        row["observed"] = found["observed"].iloc[0]
        rows.append(row | found["value"].to_dict())
    return pd.DataFrame(rows)


def tiles_of_chance(name: str, cells: list[int]) -> tuple[float, float, bool]:
    """A unit square cut into four: the share of A in its rows and in its columns.

    And whether the tiles of agreement (AA and BB) have the area of chance agreement;
    else those of disagreement have it. Alpha's are pi's: its chance draws without
    putting back, a difference too small to be drawn.
    """
    aa, ab, ba = np.array(cells[:3]) / sum(cells)
    one, other = aa + ab, aa + ba
    if name == "S":
        return 0.5, 0.5, True
    if name == "kappa":
        return one, other, True
    return (one + other) / 2, (one + other) / 2, name != "AC1"


def two_by_two(cells: list[int]) -> tuple[Figure, str, pd.DataFrame]:
    """Two raters' table, what chance gives to each coefficient, and its value.

    cells : items that both call A; the first A, the second B; B, A; both B.

    Also returns what is to be seen in a sentence, and `measured`.
    """
    found = measured(cells)
    figure = plt.figure(figsize=(WIDTH, UNIT * HIGH), layout="none")
    axis = figure.add_axes((0, 0, 1, 1))
    axis.set(xlim=(0, WIDTH / UNIT), ylim=(HIGH, 0), aspect="equal")
    axis.axis("off")
    _table(axis, cells)
    observed = found["observed"].iloc[0]
    at = BAR + LONG * observed
    axis.plot([at, at], [FIRST - 0.12, FIRST + len(found) - 0.1], color=style.INK, lw=1)
    middle = {"ha": "center", "va": "bottom", "fontsize": 8}
    words = f"observed {decimal(observed)}"
    axis.text(max(at, BAR + 0.6), FIRST - 0.16, words, **middle)
    axis.text(SQUARE + 0.4, FIRST - 0.16, "chance", color=style.MUTED, **middle)
    parts = {"agreement by chance": BY_CHANCE}
    parts |= {"more than by chance": BEYOND, "short of it": BELOW}
    key = [Patch(color=face, label=text) for text, face in parts.items()]
    axis.legend(handles=key, loc="lower right", ncols=3)
    for k, row in enumerate(found.itertuples()):
        _chance_of(axis, FIRST + k, row, cells)
    return figure, in_words(found, sum(cells)), found


def _table(axis: Axes, cells: list[int]) -> None:
    """The table as tiles with its totals, and what its margins say.

    Agreements are blue, disagreements orange, the darker, the larger their share.
    """
    (aa, ab, ba, bb), n, (x, y) = cells, sum(cells), (1.15, 1.75)
    middle = {"ha": "center", "va": "center"}
    for (i, j), count in np.ndenumerate(np.reshape(cells, (2, 2))):
        face = shade(i == j, count / n) if count else PALEST
        corner = x + j + 0.03, y + i + 0.03
        axis.add_patch(plt.Rectangle(corner, 0.94, 0.94, facecolor=face))
        axis.text(x + j + 0.5, y + i + 0.52, f"{count:,d}", **middle)
    for k, name in enumerate("AB"):
        axis.text(x - 0.12, y + k + 0.52, name, ha="right", va="center", fontsize=8)
        axis.text(x + k + 0.5, y - 0.25, name, fontsize=8, **middle)
    grey = {"fontsize": 8, "color": style.MUTED, **middle}
    axis.text(x + 1, y - 0.75, "coder 2", **grey)
    axis.text(x - 0.59, y + 1, "coder 1", rotation=90, **grey)
    for k, (row, column) in enumerate(((aa + ab, aa + ba), (ba + bb, ab + bb))):
        axis.text(x + 2.45, y + k + 0.52, f"{row:,d}", **grey)
        axis.text(x + k + 0.5, y + 2.4, f"{column:,d}", **grey)
    axis.text(x + 2.45, y + 2.4, f"{n:,d}", **grey)
    axis.text(0.2, 0.42, f"{aa + bb:,} of {n:,} items agree",
              fontsize=10, fontweight="bold")  # fmt: skip
    text = f"Coder 1 says A of {100 * (aa + ab) / n:.3g} %,\n"
    text += f"coder 2 of {100 * (aa + ba) / n:.3g} % of the items."
    axis.text(0.25, 5.05, text, va="top", fontsize=8.5, linespacing=1.5)


def _chance_of(axis: Axes, y: float, row: Any, cells: list[int]) -> None:
    """One coefficient: chance as a part of a square, both agreements, the value."""
    middle = {"va": "center"}
    name = {"ha": "right", "fontweight": "bold", "fontsize": 10}
    axis.text(SQUARE - 0.15, y + 0.42, row.coefficient, **name, **middle)
    one, other, agreeing = tiles_of_chance(row.coefficient, cells)
    for i, (top, high) in enumerate(((0, one), (one, 1 - one))):
        for j, (left, wide) in enumerate(((0, other), (other, 1 - other))):
            face = BY_CHANCE if (i == j) == agreeing else "white"
            corner = SQUARE + 0.8 * left, y + 0.02 + 0.8 * top
            _box(axis, corner, 0.8 * wide, 0.8 * high, face, style.MUTED)
    low, high = sorted((row.expected, row.observed))
    more = BEYOND if row.observed >= row.expected else BELOW
    bar = BAR, y + 0.17
    _box(axis, bar, LONG * low, 0.5, BY_CHANCE)
    _box(axis, (BAR + LONG * low, bar[1]), LONG * (high - low), 0.5, more)
    _box(axis, bar, LONG, 0.5, "none", style.MUTED)
    if row.undefined:
        value, why = "undefined", row.undefined.replace(", so", ",\nso")
    else:
        value, o, e = decimal(row.value), decimal(row.observed), decimal(row.expected)
        why = f"= ({o} {MINUS} {e}) / (1 {MINUS} {e})"
    axis.text(VALUE, y + 0.25, value, fontweight="bold", fontsize=10, **middle)
    axis.text(VALUE, y + 0.62, why, fontsize=7, color=style.MUTED, **middle)


def _box(axis: Axes, corner, wide, high, face, edge: str = "none") -> None:
    look = {"facecolor": face, "edgecolor": edge, "linewidth": 0.6}
    axis.add_patch(plt.Rectangle(corner, wide, high, **look))


def decimal(value: float) -> str:
    """Three decimals: 0.850."""
    return f"{value:.3f}".replace("-", MINUS)


def in_words(found: pd.DataFrame, items: int) -> str:
    """Observed agreement, and each coefficient with its chance term."""
    parts = []
    for row in found.itertuples():
        value = "undefined" if row.undefined else decimal(row.value)
        parts.append(f"{row.coefficient} {value} (chance {decimal(row.expected)})")
    observed = decimal(found["observed"].iloc[0])
    text = f"Observed agreement {observed} of {items:,} items; {', '.join(parts)}."
    why = found.loc[found["undefined"] != "", "undefined"]
    return f"{text} Undefined: {why.iloc[0]}." if len(why) else text
