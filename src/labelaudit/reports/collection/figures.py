"""Pictures of a `Reliability`. Needs matplotlib.

Each function returns a Figure, one idea each, whose title says what there is to see.
All but one are rows of dots, with intervals and a mark to compare them with.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..._digits import steady
from ..._words import number, percent, text, who, whole
from ...agreement.scale import SCALE, landis_koch
from ...agreement.table import TABLE
from .fitting import DISTANT, SQUARED
from .found import ALPHA, Reliability, most_and_least
from .warnings import RELIABLE, TENTATIVE

WIDTH = 7.4  # inches
ROW = 0.27  # height of a row
MOST = 20  # rows
MUTED, BLUE, ORANGE, PURPLE = "#6e6e6e", "#0077BB", "#EE7733", "#EE3377"
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8}
ABOVE: Any = {"ha": "center", "va": "bottom"}
BESIDE: Any = ABOVE | {"color": BLUE, "fontsize": 8, "bbox": CLEAR}
BAND: Any = ABOVE | {"color": MUTED, "fontsize": 7.5}

NAMES = {key: of.name for key, of in TABLE.items()} | {  # short, and as within a list
    "janson_olsson_iota": "Janson, Olsson: iota",
    "weighted_kappa": "weighted kappa",
}


def short(name: Any) -> str:
    """A name that fits beside a figure, and in which $ is a dollar."""
    told = text(whole(name)).replace("$", r"\$")
    return told if len(told) <= 24 else told[:23] + "…"


def _figure(title: str, rows: int) -> tuple[Figure, Axes]:
    size = WIDTH, 1.1 + ROW * max(rows, 2)
    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=10, fontweight="bold")
    return figure, figure.subplots()


def _dots(
    table: pd.DataFrame,
    title: str,
    told: str,
    *,
    lines: Iterable[float] = (),
    shares: bool = False,
) -> Figure:
    """A row of a dot for each value, the interval and a diamond where there are any.

    table : value and perhaps low, high and mark, by the names of rows
    told : below the axis
    lines : where dashed lines stand
    shares : values are written in percent
    """
    figure, axis = _figure(title, len(table))
    write = percent if shares else number
    columns = ["value", "low", "high", "mark"]
    each = table.reindex(columns=columns).to_numpy(float)
    for y, (value, low, high, mark) in enumerate(each):
        axis.plot([mark], [y], "D", color=ORANGE, ms=5)
        if np.isfinite([low, high]).all():
            axis.plot([low, high], [y, y], color=BLUE, lw=2, solid_capstyle="butt")
        axis.plot([value], [y], "o", color=BLUE, ms=5)
        known = not np.isnan(value)
        said, at = (write(value), value) if known else ("undefined", 0.05)
        axis.text(at, y - 0.14, said, **BESIDE)
    drawn = each[np.isfinite(each)]
    axis.set_xlim(min([*drawn, 0.0]) - 0.03, max([*drawn, 1.0 - shares]) + 0.02)
    for line in lines:
        axis.axvline(line, color=PURPLE, lw=0.9, ls="--", zorder=1)
    axis.set_yticks(range(len(table)), [*map(short, table.index)])
    axis.set_ylim(len(table) - 0.4, -0.6)
    axis.tick_params(axis="y", length=0)
    axis.grid(visible=False, axis="y")
    axis.set_xlabel(told)
    if shares:
        axis.xaxis.set_major_formatter(lambda v, _: f"{100 * v:g} %")
    return figure


def coefficients(found: Reliability) -> Figure:
    """All coefficients with their intervals, on the scale of Landis and Koch."""
    table = found.coefficients[found.coefficients["fits"]]
    own = () if found.distance == "nominal" else table.index.drop([*DISTANT], "ignore")
    other = {name: f"{NAMES[name]} (nominal)" for name in own if name not in SQUARED}
    alpha, title = table.loc[ALPHA, "value"], "alpha is undefined"
    if not np.isnan(alpha):
        below = [f"below {limit:g}" for limit in (TENTATIVE, RELIABLE) if alpha < limit]
        side = below[0] if below else f"at least {RELIABLE:g}"
        title = f"alpha is {number(alpha)}: {landis_koch(alpha)}, {side}"
    told = f"value and {100 * found.confidence:g} % interval; dashed: 0.667 and 0.8"
    rows = table.rename(index=NAMES | other)
    figure = _dots(rows, title, told, lines=(TENTATIVE, RELIABLE))
    axis = figure.axes[0]
    for (low, _), (high, name) in pairwise(SCALE):
        words = name.replace(" ", "\n")
        place = axis.get_xaxis_transform()
        axis.text((low + high) / 2, 1.01, words, transform=place, **BAND)
    return figure


def labels(found: Reliability) -> Figure:
    """Each label: how often, and how reliably it is told from all others."""
    table = found.labels.sort_values("share", ascending=False, kind="stable")
    table = table.iloc[:MOST].assign(mark=table["agreement"])
    best, worst = most_and_least(found.labels["value"])
    title = "Labels, and how reliably each is told from the rest"
    if best != worst:
        title = f"Most reliable: {short(best)}; least: {short(worst)}"
    shares = [f"{short(name)}: {percent(s)}" for name, s in table["share"].items()]
    told = (
        "beside the label: its share of judgments; dot: alpha of this label against the"
        " rest;\ndiamond: agreement on this label"
    )
    return _dots(table.set_axis(shares), title, told, lines=(TENTATIVE, RELIABLE))


def raters(found: Reliability) -> Figure:
    """Each rater's disagreement with the others, beside theirs among themselves."""
    table = found.raters
    table = table[table["shared"] > 0] if len(table) else table
    if len(table) == 0:
        return _figure("No item has judgments by two known raters", 0)[0]
    by = "excess" if table["excess"].notna().any() else "disagreement"
    table = table.sort_values(by, ascending=False, kind="stable").iloc[:MOST]
    unit, of = found._unit
    own = table[["disagreement", "among_others"]] / unit
    rows = own.set_axis(["value", "mark"], axis=1)
    title, there = "Two raters: nothing says who of them differs", table["excess"]
    if there.notna().any():
        title = "No rater differs more than the others"
        worst = there.index[there.map(steady).argmax()]
        if there[worst] > 0:
            one, others = map(percent, rows.loc[worst])
            name = short(who(worst))
            title = f"{name} differs most: in {one}, the others in {others}"
    told = "dot: disagreement with the others; diamond: of these among themselves"
    return _dots(rows, title, f"{told},\nin percent {of}", shares=True)


def items(found: Reliability) -> Figure:
    """How much items are disputed."""
    unit, of = found._unit
    values = found.items["disagreement"] / unit
    if len(values) == 0:
        return _figure("No item has two judgments", 0)[0]
    often = found.standing
    none, total = int(often[values == 0].sum()), int(often.sum())
    title = f"Nobody disagrees on {none:,} of {total:,} items"
    figure, axis = _figure(title, 7)
    reach = 0, max(1.0, values.max())
    axis.hist(values, bins=30, range=reach, color=BLUE, weights=often)
    axis.yaxis.set_major_locator(MaxNLocator(integer=True))
    axis.yaxis.set_major_formatter("{x:,.0f}")
    axis.xaxis.set_major_formatter(lambda v, _: f"{100 * v:g} %")
    axis.grid(visible=False, axis="x")
    axis.set(ylabel="items", xlabel=f"disagreement on the item, in percent {of}")
    return figure


SAYING = {
    "followed, others agree": "others mostly say so",
    "followed, others differ": "others mostly differ",
    "given anyway": "same, not suggested",
}


def suggested(found: Reliability) -> Figure:
    """How often suggestions are followed, with the others and against them."""
    assert found.suggested is not None
    table = found.suggested.reindex(list(SAYING))
    title, both = "How often suggestions are followed", table["value"].iloc[1:]
    if both.notna().all():
        title = f"Against most others: {percent(both.iloc[0])} where it is suggested,"
        title += f" {percent(both.iloc[1])} where it is not"
    told = "judgments that are the suggested label, and interval"
    return _dots(table.rename(index=SAYING), title, told, shares=True)


ACROSS = {
    "reliability_x": "within the first",
    "reliability_y": "within the second",
    "cross_kappa": "across (cross-kappa)",
    "normalized_cross_kappa": "across, normalised",
}


def other(found: Reliability) -> Figure:
    """Agreement across two collections, beside the reliability of each."""
    assert found.other is not None
    table = found.other.loc[[*ACROSS]].rename(index=ACROSS)
    value = found.other.loc["normalized_cross_kappa", "value"]
    title = "Two collections of the same items"
    if not np.isnan(value):
        title = f"Across the collections: {number(value)} of what reliability allows"
    level = f"{100 * found.confidence:g}"
    told = f"value and {level} % interval; 1, normalised: no difference"
    return _dots(table, title, told, lines=(1,))
