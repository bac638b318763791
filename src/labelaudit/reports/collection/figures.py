"""Pictures of a `Reliability`. Needs matplotlib.

Each function returns a Figure, one idea each, whose title says what there is to see.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..._digits import steady
from ..._words import number, percent, who
from ...agreement.clusters import quantile
from ...agreement.scale import SCALE, landis_koch
from ...agreement.table import TABLE
from . import drawing
from .drawing import BLUE, ENDS, GREEN, GRID, INK, LABELS, MOST, MUTED, ORANGE, PURPLE
from .fitting import DISTANT, SQUARED
from .found import Reliability, most_and_least
from .study import SCALES
from .warnings import RELIABLE, TENTATIVE

NAMES = {key: of.name for key, of in TABLE.items()} | {  # short, and as within a list
    "janson_olsson_iota": "Janson, Olsson: iota",
    "weighted_kappa": "weighted kappa",
}


def _grades(axis: Axes) -> None:
    """The verbal scale, as names above bands."""
    for k, ((low, _), (high, name)) in enumerate(pairwise(SCALE)):
        if k % 2 == 0:
            axis.axvspan(low, high, color="#f4f4f4", zorder=0, lw=0)
        at, look = ((low + high) / 2, 1), drawing.POINTS | drawing.ABOVE
        look |= {"xycoords": ("data", "axes fraction"), "fontsize": 7.5, "color": MUTED}
        axis.annotate(name.replace(" ", "\n"), at, (0, 2), **look)


def coefficients(found: Reliability) -> Figure:
    """All coefficients with their intervals, on the scale of Landis and Koch."""
    table = found.coefficients[found.coefficients["fits"]]
    figure, axis = drawing.axes(len(table), extra=1.35)
    _grades(axis)
    drawing.scale(axis, table)
    own = () if found.distance == "nominal" else table.index.drop([*DISTANT], "ignore")
    other = {name: f"{NAMES[name]} (nominal)" for name in own if name not in SQUARED}
    drawing.rows([(NAMES | other)[name] for name in table.index], axis)
    alpha, title = table.loc["krippendorff_alpha", "value"], "alpha is undefined"
    if not np.isnan(alpha):
        below = [f"below {limit:g}" for limit in (TENTATIVE, RELIABLE) if alpha < limit]
        side = below[0] if below else f"at least {RELIABLE:g}"
        title = f"alpha is {number(alpha)}: {landis_koch(alpha)}, {side}"
    drawing.headline(figure, title)
    level = 100 * found.confidence
    axis.set_xlabel(f"value and {level:g} % interval; dashed: 0.667 and 0.8")
    return figure


def labels(found: Reliability) -> Figure:
    """Each label: how often, and how reliably it is told from all others."""
    table = found.labels[found.labels["ratings"] > 0]
    if found.distance in SCALES and len(table) > MOST:
        return _numbers(table["ratings"])
    table = table.sort_values("share", ascending=False, kind="stable").iloc[:MOST]
    figure, (left, right) = drawing.axes(len(table), 2, width_ratios=(1, 2.2))
    at = np.arange(len(table))
    left.barh(at, table["share"], color=GRID, height=0.6)
    for y, share in enumerate(table["share"]):
        left.annotate(percent(share), (0, y), (3, 0), fontsize=8, **drawing.POINTS)
    left.set(xlim=(0, 1), xlabel="share of judgments", xticks=[])
    drawing.rows([*map(drawing.short, table.index)], left, right)
    right.plot(table["agreement"], at, "D", color=ORANGE, ms=4.5, zorder=1)
    drawing.scale(right, table)
    right.set_xlabel(
        "dot: alpha of this label against the rest;\ndiamond: agreement on this label"
    )
    best, worst = most_and_least(table["value"])
    title = "Labels, and how reliably each is told from the rest"
    if best != worst:
        title = f"Most reliable: {drawing.short(best)}; least: {drawing.short(worst)}"
    drawing.headline(figure, title)
    return figure


def _numbers(ratings: pd.Series) -> Figure:
    """How often numbers are given, where there are too many to list."""
    figure, axis = drawing.axes(7, extra=0.9)
    values = ratings.index.to_numpy(dtype=float)
    axis.hist(values, bins=40, weights=ratings, color=BLUE)
    axis.set(xlabel="label", ylabel="judgments")
    axis.grid(visible=False, axis="x")
    low, high = (f"{value:,.4g}" for value in (values.min(), values.max()))
    axis.set_title(f"{len(values):,} different labels, from {low} to {high}")
    return figure


def _unit(found: Reliability) -> float:
    """What disagreements are shown as shares of: of 1, or of what chance would give."""
    alpha = found.coefficients.loc["krippendorff_alpha"]
    expected = alpha["expected_disagreement"]
    return 1.0 if found.distance == "nominal" or not expected > 0 else expected


def _of(found: Reliability) -> str:
    return "" if found.distance == "nominal" else ",\nshare of what chance would give"


def raters(found: Reliability) -> Figure:
    """Each rater's disagreement with the others, and use of labels."""
    table = found.raters
    table = table[table["shared"] > 0] if len(table) else table
    if len(table) == 0:
        return drawing.nothing("No item has judgments by two known raters")
    by = "excess" if table["excess"].notna().any() else "disagreement"
    table = table.sort_values(by, ascending=False, kind="stable").iloc[:MOST]
    use = "shift" in table or len(found.label_use) > 0
    figure, axes = drawing.axes(len(table), 1 + use, extra=1.3, squeeze=False)
    left, right, at = axes[0, 0], axes[0, -1], np.arange(len(table))
    own, others = (table[k] / _unit(found) for k in ("disagreement", "among_others"))
    left.hlines(at, np.fmin(own, others), np.fmax(own, others), color=GRID, lw=3)
    left.plot(others, at, "s", color=MUTED, ms=4.5)
    left.plot(own, at, "o", color=BLUE, ms=5)
    left.set_xlim(0, 1.08 * np.nanmax([*own, *others, 1e-9]))
    drawing.shares(left)
    drawing.rows([*map(drawing.short, table.index)], *axes[0])
    what = "blue: disagreement with the others;\ngrey: of the others among themselves"
    left.set_xlabel(what + _of(found))
    if "shift" in table:
        _shift(right, found, table)
    elif use:
        _use(right, found, table.index)
    drawing.headline(figure, _rater_title(found))
    return figure


def _rater_title(found: Reliability) -> str:
    table = found.raters.dropna(subset=["excess"])
    if len(table) == 0:
        return "Two raters: nothing says who of them differs"
    worst = table.iloc[table["excess"].map(steady).argmax()]
    if worst["excess"] <= 0:
        return "No rater differs more than the others"
    own, others = (worst[k] / _unit(found) for k in ("disagreement", "among_others"))
    name = drawing.short(who(worst.name))
    return f"{name} differs most: in {percent(own)}, the others in {percent(others)}"


def _use(axis: Axes, found: Reliability, raters: pd.Index) -> None:
    """Shares of labels by rater, the commonest labels apart."""
    wide = found.label_use["share"].unstack("label")
    wide = wide.reindex(index=raters, columns=found.ratings.labels)
    order = found.labels["ratings"].to_numpy().argsort(kind="stable")[::-1]
    kept = np.sort(order[: len(LABELS)])
    start, at = np.zeros(len(wide)), np.arange(len(wide))
    bar: Any = {"height": 0.66}
    for colour, k in zip(LABELS, kept):
        share = wide.iloc[:, k].fillna(0).to_numpy()
        name = drawing.short(wide.columns[k])
        axis.barh(at, share, left=start, color=colour, label=name, **bar)
        start = start + share
    if len(kept) < wide.shape[1]:
        axis.barh(at, 1 - start, left=start, color=drawing.REST, label="others", **bar)
    axis.set(xlim=(0, 1), xlabel="use of labels, on items\njudged by others too")
    drawing.shares(axis)
    longest = max(map(len, axis.get_legend_handles_labels()[1]), default=1)
    columns = max(1, int(drawing.WIDTH / (longest * drawing.LETTER + 0.4)))
    axis.figure.legend(loc="outside lower right", ncols=columns, **drawing.BELOW)


def _shift(axis: Axes, found: Reliability, table: pd.DataFrame) -> None:
    """How far raters' numbers lie above the others', with intervals."""
    at, mean = np.arange(len(table)), table["shift"]
    reach = quantile(found.confidence, found.clusters) * table["shift_error"].fillna(0)
    axis.axvline(0, color=MUTED, lw=0.9)
    axis.hlines(at, mean - reach, mean + reach, color=ORANGE, lw=2)
    axis.plot(mean, at, "o", color=ORANGE, ms=5)
    axis.set_xlabel("above the others on the same items,\nmean and interval")


def items(found: Reliability) -> Figure:
    """How much items are disputed."""
    values = found.items["disagreement"] / _unit(found)
    if len(values) == 0:
        return drawing.nothing("No item has two judgments")
    figure, axis = drawing.axes(7, extra=0.9)
    often, few = found.standing, np.unique(values.round(9))
    if len(few) <= 15:
        count = [int(often[values.round(9) == one].sum()) for one in few]
        steps = np.diff(few).min() if len(few) > 1 else 1.0
        width = min(0.7 * steps, 0.05 * max(few.max(), 1.0))
        axis.bar(few, count, width=width, color=BLUE)
    else:
        axis.hist(values, bins=30, color=BLUE, weights=often)
    axis.set(ylabel="items", xlabel="disagreement on the item" + _of(found))
    axis.yaxis.set_major_locator(MaxNLocator(integer=True))
    axis.yaxis.set_major_formatter("{x:,.0f}")
    if found.distance == "nominal":
        axis.set(
            xlabel="pairs of judgments on the item that differ", xlim=(-0.04, 1.04)
        )
    drawing.shares(axis)
    axis.grid(visible=False, axis="x")
    none, total = int(often[values == 0].sum()), int(often.sum())
    title = f"Nobody disagrees on {none:,} of {total:,} items"
    if none == 0:
        half = values.sort_values()
        middle = half.iloc[np.searchsorted(often[half.index].cumsum(), total / 2)]
        title = f"Half of {total:,} items: disagreement above {percent(middle)}"
    axis.set_title(title)
    return figure


SAYING = {
    "followed, others agree": "others mostly\nsay so too",
    "followed, others differ": "others mostly say\nsomething else",
    "given anyway": "the same, where it\nis not suggested",
}


def suggested(found: Reliability) -> Figure:
    """How often suggestions are followed, with the others and against them."""
    assert found.suggested is not None
    table = found.suggested.reindex(list(SAYING))
    figure, axis = drawing.axes(6, extra=0.7)
    axis.barh(range(3), table["value"], color=[GREEN, ORANGE, MUTED], height=0.55)
    for y, (value, low, high) in enumerate(table[ENDS].to_numpy(float)):
        if np.isfinite(low):
            axis.plot([low, high], [y, y], color=INK, lw=1.2)
        told = "no such judgment" if np.isnan(value) else percent(value)
        end = np.nanmax([value, high, 0])
        axis.annotate(told, (end, y), (4, 0), fontsize=9, **drawing.POINTS)
    axis.set(xlim=(0, 1.12), xlabel="judgments that are the suggested label")
    drawing.shares(axis)
    axis.set_xticks(np.linspace(0, 1, 6))
    drawing.rows([*SAYING.values()], axis)
    title = "How often suggestions are followed"
    both = table["value"].iloc[1:]
    if both.notna().all():
        title = f"Against most others: {percent(both.iloc[0])} where it is suggested,"
        title += f" {percent(both.iloc[1])} where it is not"
    axis.set_title(title)
    return figure


ACROSS = {
    "reliability_x": "within the first",
    "reliability_y": "within the second",
    "cross_kappa": "across (cross-kappa)",
    "normalized_cross_kappa": "across, normalised",
}


def other(found: Reliability) -> Figure:
    """Agreement across two collections, beside the reliability of each."""
    assert found.other is not None
    table = found.other.loc[[*ACROSS]]
    figure, axis = drawing.axes(len(table), extra=0.95)
    drawing.dots(axis, table)
    drawn = table[ENDS].to_numpy(float)
    drawn = np.append(drawn[np.isfinite(drawn)], [0, 1])
    axis.set_xlim(min(drawn.min() - 0.02, 0), drawn.max() + 0.05)
    axis.axvline(1, color=PURPLE, lw=0.9, ls="--", zorder=1)
    drawing.rows([*ACROSS.values()], axis)
    level = 100 * found.confidence
    axis.set_xlabel(f"value and {level:g} % interval; 1, normalised: no difference")
    value = table.loc["normalized_cross_kappa", "value"]
    title = "Two collections of the same items"
    if not np.isnan(value):
        title = f"Across the collections: {number(value)} of what reliability allows"
    axis.set_title(title)
    return figure
