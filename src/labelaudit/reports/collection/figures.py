"""Pictures of a `Reliability`. Needs matplotlib.

Each function returns a Figure, one idea each, whose title says what there is to see.
All but one are rows of dots, with intervals and a mark to compare them with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

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
    size = WIDTH, 1.1 + ROW * max(len(table), 2)
    figure = Figure(figsize=size, layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=10, fontweight="bold")
    axis, write = figure.subplots(), percent if shares else number
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
    table = found.coefficients
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
    columns = ["shared", "disagreement", "among_others", "excess"]
    table = found.raters.reindex(columns=columns).query("shared > 0")
    by = "excess" if table["excess"].notna().any() else "disagreement"
    table = table.sort_values(by, ascending=False, kind="stable").iloc[:MOST]
    unit, of = found._unit
    own = table[["disagreement", "among_others"]] / unit
    rows = own.set_axis(["value", "mark"], axis=1)
    title, there = "Two raters: nothing says who of them differs", table["excess"]
    title = title if len(table) else "No item has judgments by two known raters"
    if there.notna().any():
        title = "No rater differs more than the others"
        worst = there.index[there.map(steady).argmax()]
        if there[worst] > 0:
            one, others = map(percent, rows.loc[worst])
            name = short(who(worst))
            title = f"{name} differs most: in {one}, the others in {others}"
    told = "dot: disagreement with the others; diamond: of these among themselves"
    return _dots(rows, title, f"{told},\nin percent {of}", shares=True)


# By the key of the finding.
PICTURES: dict[str, Callable[[Reliability], Figure]] = {
    "coefficients": coefficients,
    "by_label": labels,
    "by_rater": raters,
}
