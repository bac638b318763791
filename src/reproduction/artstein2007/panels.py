"""Pictures for the agreement notebooks: matrices, scales, bars, curves."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from labelaudit._words import plural

from ..machinery import style
from ..machinery.style import WIDTH, headline

BLUE = style.COLOUR["double"]
ORANGE = style.COLOUR["sequential"]
PURPLE = style.COLOUR["interval"]
HEAD = {"fontsize": 10, "fontweight": "bold", "x": 0.01, "ha": "left"}


def matrix(
    axis: Axes,
    table: pd.DataFrame,
    title: str = "",
    form: str = "{:g}",
    top: float | None = None,
    totals: bool = False,
    colours: str = "Blues",
    size: float = 8,
) -> None:
    """A table of numbers as a heat map, each number in its cell.

    top : value of the darkest colour (default: the largest number).
    totals : row and column totals at the right and below, and the sum in bold.
    """
    values = table.to_numpy(dtype=float)
    rows, columns = values.shape
    top = top or max(values.max(), 1e-12)
    shade = plt.get_cmap(colours)
    for (i, k), value in np.ndenumerate(values):
        depth = 0.75 * min(value / top, 1)
        axis.add_patch(plt.Rectangle((k, i), 1, 1, fc=shade(depth), ec="white"))
        ink = "white" if depth > 0.5 else style.INK
        place = {"ha": "center", "va": "center", "fontsize": size}
        axis.text(k + 0.5, i + 0.5, form.format(value), color=ink, **place)
    if totals:
        place = {"ha": "center", "va": "center", "fontsize": size}
        for i, value in enumerate(values.sum(axis=1)):
            axis.text(columns + 0.5, i + 0.5, f"{value:g}", color=style.MUTED, **place)
        for k, value in enumerate(values.sum(axis=0)):
            axis.text(k + 0.5, rows + 0.5, f"{value:g}", color=style.MUTED, **place)
        at = (columns + 0.5, rows + 0.5)
        axis.text(*at, f"{values.sum():g}", fontweight="bold", **place)
    room = 1 if totals else 0
    axis.set(xlim=(0, columns + room), ylim=(rows + room, 0), aspect="equal")
    axis.set_xticks(np.arange(columns) + 0.5, table.columns)
    axis.set_yticks(np.arange(rows) + 0.5, table.index)
    axis.xaxis.tick_top()
    axis.tick_params(length=0, labelsize=size)
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)
    if title:
        axis.set_title(title, fontsize=9, pad=6)


def weighted_products(
    rows: dict[str, tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]],
) -> Figure:
    """Counts times weights is the weighted table: a row for each name."""
    figure, axes = plt.subplots(len(rows), 3, figsize=(WIDTH, 2.45 * len(rows)))
    most = max(table.to_numpy().max() for table, _, _ in rows.values())
    darkest = max(product.to_numpy().max() for _, _, product in rows.values())
    for line, (name, (table, weights, product)) in zip(axes, rows.items()):
        matrix(line[0], table, f"{name.capitalize()} counts", top=most, totals=True)
        matrix(line[1], weights, "Weights", colours="Purples", top=1)
        title = f"{name.capitalize()}, weighted"
        matrix(line[2], product, title, top=darkest, totals=True, colours="Oranges")
        line[1].set(xlim=(0, len(table) + 1), ylim=(len(table) + 1, 0))
        for axis, sign in zip(line[:2], ("\N{MULTIPLICATION SIGN}", "=")):
            place = {"ha": "center", "va": "center", "fontsize": 16}
            axis.text(1.13, 0.6, sign, transform=axis.transAxes, **place)
    (observed, weights, _), (expected, _, _) = rows["observed"], rows["expected"]
    mistakes = ~np.eye(len(weights), dtype=bool)
    gravest = weights.to_numpy() == weights.to_numpy()[mistakes].max()
    fewer = observed.to_numpy()[gravest].sum() < expected.to_numpy()[gravest].sum()
    text = "Observed and expected counts, each times its weight"
    if fewer and not gravest[mistakes].all():
        text = "The gravest disagreements occur less often than chance expects"
    headline(figure, text)
    return figure


def weight_curves(
    curve: pd.DataFrame, marks: dict[tuple[float, float], str], crossing: float
) -> Figure:
    """Weighted kappa against one weight, a curve for each column but the first.

    marks : printed values by (weight, value); crossing : where the curves meet.
    """
    figure, axis = plt.subplots(figsize=(WIDTH, 3.3))
    at, names = curve.iloc[:, 0], curve.columns[1:]
    for name, ink, above in zip(names, (BLUE, ORANGE), (1, -1)):
        axis.plot(at, curve[name], color=ink)
        y = np.interp(0.2, at, curve[name])
        style.label(axis, 0.2, y, name, ink, xytext=(4, 10 * above))
    for (x, y), text in marks.items():
        axis.plot(x, y, "o", mfc="white", mec=style.INK, ms=6, clip_on=False, zorder=4)
        place = {"ha": "right", "xytext": (-6, -8)}
        style.label(axis, x, y, text, style.INK, **place)
    axis.axvline(crossing, color=style.MUTED, lw=0.8, ls=":", zorder=0)
    text = f"equal at {crossing:.2f}"
    style.label(axis, crossing, 0.61, text, style.MUTED, xytext=(-4, 0), ha="right")
    axis.set(xlim=(0, 1), ylim=(0.6, 1), xlabel="weight of engine 1 / engine 2")
    axis.set(ylabel=r"weighted kappa $\kappa_w$")
    axis.set_title("Weighted kappa of two pairs of coders, by the weight chosen")
    return figure


# Slides 33-41 ------------------------------------------------------------------


def magnitudes(items: pd.DataFrame, coders: list[str]) -> Figure:
    """Judgments of each item in the order of the means, and all of them beside.

    items : a row for each item, columns coders and mean.
    """
    shape = {"figsize": (WIDTH, 4.6), "width_ratios": (3.2, 1)}
    figure, (left, right) = plt.subplots(1, 2, **shape)
    ordered = items.sort_values("mean", kind="stable")
    for y, (_, row) in enumerate(ordered.iterrows()):
        found = row[coders].astype(int).value_counts()
        left.hlines(y, found.index.min(), found.index.max(), color=style.GRID, lw=3)
        for value, count in found.items():
            left.plot(value, y, "o", color=BLUE, ms=3 + 1.4 * count, alpha=0.85)
    line = {"color": ORANGE, "ms": 8, "mew": 1.8}
    left.plot(ordered["mean"], np.arange(len(ordered)), "|", **line)
    left.set_yticks(range(len(ordered)), ordered.index, fontsize=7)
    left.set(xlabel="magnitude", ylabel="item", xlim=(0.5, 9.5), ylim=(-0.8, 24.8))
    left.set_title("Judgments of each item")
    text = "orange line: mean of the item\nlarger dot: more coders"
    left.text(0.97, 0.04, text, transform=left.transAxes, ha="right", fontsize=8)
    counts = items[coders].stack().value_counts().sort_index()
    right.barh(counts.index, counts, color=BLUE, alpha=0.85, height=0.8)
    for value, count in counts.items():
        style.label(right, count, value, f"{count}", style.INK)
    right.set(xlabel="judgments", ylabel="magnitude", xlim=(0, counts.max() * 1.2))
    right.set_yticks(range(1, 10))
    right.set_title("All judgments")
    right.grid(visible=False, axis="y")
    return figure


def F_and_alpha(  # noqa: N802
    curve: pd.DataFrame, shuffled: np.ndarray, found: float, alpha: float
) -> Figure:
    """Alpha against F, and F of shuffled judgments with the F distribution.

    curve : columns F, alpha, density; found, alpha : of the data.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 3))
    left.plot(curve.F, curve.alpha, color=BLUE)
    marks = {
        (0, curve.alpha.iloc[0]): "F = 0: maximal error",
        (1, 0): "F = 1: chance, ratio 1",
        (found, alpha): f"slide 35: F = {found:.1f}",
    }
    for (x, y), text in marks.items():
        left.plot(x, y, "o", color=BLUE, ms=6, clip_on=False, zorder=4)
        place = {"xytext": (9, -8)} if x < 2 else {"xytext": (2, -22), "ha": "right"}
        style.label(left, x, y, text, style.INK, **place)
    left.axhline(0, color=style.MUTED, lw=0.8)
    left.set(xlabel="F", ylabel=r"interval $\alpha$", xlim=(0, 20), ylim=(-0.4, 1))
    left.set_xticks(range(0, 21, 5))
    left.set_title(r"$\alpha$ as a function of $F$")
    edges = np.linspace(0, 3, 31)
    grey = {"color": style.COLOUR["published"], "alpha": 0.45}
    right.hist(shuffled, edges, density=True, **grey)
    right.plot(curve.F, curve.density, color=ORANGE)
    peak = float(curve.density.max())
    near = curve[curve.F >= 1.25].iloc[0]
    style.label(right, near.F, near.density, "F distribution", ORANGE, xytext=(8, 4))
    style.label(right, 1.75, 0.25 * peak, "shuffled judgments", style.MUTED)
    right.axvline(1, color=style.MUTED, lw=0.8, ls=":")
    place = {"ha": "left", "xytext": (3, 0)}
    style.label(right, 1, 1.08 * peak, "F = 1", style.MUTED, **place)
    text = f"slide 35: F = {found:.1f},\noutside this panel"
    style.label(right, 2.7, 0.88 * peak, text, BLUE, ha="right", xytext=(0, 0))
    arrow = {"arrowstyle": "->", "color": BLUE, "lw": 1.4}
    ends = {"xy": (3.0, 0.88 * peak), "xytext": (2.72, 0.88 * peak)}
    right.annotate("", **ends, arrowprops=arrow)
    right.set(xlabel="F", ylabel="density", xlim=(0, 3), ylim=(0, 1.14 * peak))
    right.set_title("$F$ of shuffled judgments")
    return figure


def largest_ratios(ratios: pd.DataFrame, sizes: list[int]) -> Figure:
    """Largest error / total variance against the number of coders (the index)."""
    figure, axis = plt.subplots(figsize=(WIDTH, 3.2))
    hollow = {"mfc": "white", "mec": style.INK, "ms": 6, "zorder": 4}
    axis.plot(ratios.index, 2 + 0 * ratios.index, "o", clip_on=False, **hollow)
    place = {"ha": "right", "xytext": (6, -12)}
    style.label(axis, 8, 2, "printed on slide 34", style.INK, **place)
    axis.plot(ratios.index, ratios["limit"], color=BLUE, lw=1)
    text = "limit $c / (c - 1)$"
    style.label(axis, 8, ratios["limit"].iloc[-1], text, BLUE, xytext=(-8, 12))
    for size, ink in zip(sizes, (ORANGE, PURPLE, BLUE)):
        found = ratios[f"{size} items, same means"]
        axis.plot(ratios.index, found, "o", color=ink, ms=5, label=f"{size:,} items")
    listed = ratios.filter(like="all data").iloc[:, 0]
    cross = {"color": style.INK, "ms": 10, "mew": 1, "zorder": 1}
    text = "3 items, largest of all possible judgments"
    axis.plot(ratios.index, listed, "+", label=text, **cross)
    axis.legend(loc="upper right", bbox_to_anchor=(0.9, 0.85))
    axis.set(xlabel="coders", ylabel="largest error / total variance")
    axis.set(xlim=(1.7, 8.9), ylim=(0.95, 2.1))
    axis.set_title("Largest error variance / total variance, by number of coders")
    return figure


def pair_shares(tables: dict[str, pd.DataFrame], texts: list[str]) -> Figure:
    """Shares of pairs of judgments as heat maps on one scale, a text below each."""
    figure, axes = plt.subplots(1, len(tables), figsize=(WIDTH, 3.4), sharey=True)
    most = max(table.to_numpy().max() for table in tables.values())
    for axis, (name, table), text in zip(axes, tables.items(), texts):
        drawn = axis.imshow(table, cmap="Blues", vmin=0, vmax=most)
        axis.set_xticks(range(len(table)), table.columns)
        axis.set_yticks(range(len(table)), table.index)
        axis.set(title=f"Pairs {name}: {text}", xlabel="one judgment")
        axis.grid(visible=False)
        axis.tick_params(length=0)
    axes[0].set_ylabel("the other judgment")
    figure.colorbar(drawn, ax=axes, label="share of the pairs", shrink=0.8)
    headline(figure, "Pairs of judgments: of one item, and of all items")
    return figure


def metrics(frames: dict[str, pd.DataFrame], alphas: pd.DataFrame) -> Figure:
    """Distance metrics as heat maps above alpha by each metric with intervals.

    alphas : rows metrics; alpha, standard error, then low and high by jackknife
    and by bootstrap.
    """
    figure = plt.figure(figsize=(WIDTH, 4.9))
    top, bottom = figure.subfigures(2, 1, height_ratios=(1, 1.15))
    for axis, (name, table) in zip(top.subplots(1, len(frames)), frames.items()):
        axis.imshow(table / table.to_numpy().max(), cmap="Blues", vmin=0, vmax=1.2)
        places = np.arange(0, len(table), 2)
        axis.set_xticks(places, table.columns[places])
        axis.set_yticks(places, table.index[places])
        axis.grid(visible=False)
        axis.set(title=name, xlabel="one label")
        axis.tick_params(length=0)
    top.axes[0].set_ylabel("the other label")
    axis = bottom.subplots()
    for y, (_, row) in enumerate(alphas.iterrows()):
        value, _, *ends = row
        for k, (ink, text) in enumerate(((BLUE, "jackknife"), (ORANGE, "bootstrap"))):
            low, high = ends[2 * k : 2 * k + 2]
            axis.hlines(y + 0.13 - 0.26 * k, low, high, color=ink, lw=2)
            if y == 0:
                place = {"xytext": (5, 2 - 4 * k)}
                style.label(axis, high, y + 0.13 - 0.26 * k, text, ink, **place)
        axis.plot(value, y, "o", color=style.INK, ms=5)
        place = {"xytext": (0, 12), "ha": "center"}
        style.label(axis, value, y, f"{value:.2f}", style.INK, **place)
    axis.set_yticks(range(len(alphas)), alphas.index)
    axis.set(xlim=(0, 1), ylim=(-0.6, len(alphas) - 0.3), xlabel=r"$\alpha$")
    axis.grid(visible=False, axis="y")
    axis.set_title(r"$\alpha$ of the same 125 judgments, by metric")
    top.suptitle("Distance between two labels (darker: further apart)", **HEAD)
    return figure


# Slides 42-48 ------------------------------------------------------------------

MODELS = {"concentrated": BLUE, "spread": ORANGE}
MARKS = {"even": "o", "halving": "s", "prevailing": "^"}


def grades(
    scale: tuple[tuple[float, str], ...],
    thresholds: dict[str, float],
    examples: pd.DataFrame,
) -> Figure:
    """The scale of Landis and Koch as bands, thresholds, and values in intervals.

    scale : (upper end, name) in ascending order; examples : low, value, high.
    """
    figure, axis = plt.subplots(figsize=(WIDTH, 3.3))
    lowest, top = -0.1, len(examples) + 0.1
    shades = plt.get_cmap("Blues")(np.linspace(0.02, 0.5, len(scale)))
    for (end, name), shade in zip(scale, shades):
        axis.axvspan(lowest, end, color=shade, lw=0)
        middle = (lowest + end) / 2
        text = name.replace(" ", "\n")
        place = {"ha": "center", "va": "center", "fontsize": 8}
        axis.text(middle, top + 0.1, text, **place)
        lowest = end
    for name, value in thresholds.items():
        axis.axvline(value, color=style.INK, lw=1.2, ls="--", ymax=0.86)
        side = -1 if value == min(thresholds.values()) else 1
        place = {"ha": "right" if side < 0 else "left", "va": "center", "fontsize": 8}
        axis.text(value + 0.007 * side, -0.62, name, color=style.INK, **place)
    for y, (_, row) in enumerate(examples[::-1].iterrows()):
        axis.hlines(y, row.low, row.high, color=style.INK, lw=1.6)
        axis.plot(row.value, y, "o", color=style.INK, ms=5)
    axis.set_yticks(range(len(examples)), examples.index[::-1])
    axis.set(xlim=(-0.1, 1), ylim=(-1, top + 0.5), xlabel="agreement coefficient")
    axis.grid(visible=False)
    axis.set_title("Five coefficients, two thresholds and the scale of Landis and Koch")
    return figure


def two_models(table: pd.DataFrame) -> Figure:
    """Simulated K against the share of principled judgments, over the formulas."""
    figure, axis = plt.subplots(figsize=(WIDTH, 3.6))
    at = np.linspace(0, 1, 101)
    axis.plot(at, at, color=BLUE, lw=1)
    axis.plot(at, at**2, color=ORANGE, lw=1)
    style.label(axis, 0.6, 0.6, "concentrated: $K = a$", BLUE, ha="right")
    axis.texts[-1].set_position((-8, 6))
    style.label(axis, 0.6, 0.36, "spread: $K = p^2$", ORANGE, xytext=(10, -6))
    for name, mark in MARKS.items():
        axis.plot([], [], mark, color=style.MUTED, ms=5, label=name)
        for model, ink in MODELS.items():
            part = table[(table.model == model) & (table.distribution == name)]
            x = part.share + {"o": -0.012, "s": 0, "^": 0.012}[mark]
            axis.plot(x, part.simulated, mark, color=ink, ms=5)
    axis.legend(title="labels (marks moved sideways)", loc="upper left")
    axis.get_legend().get_title().set_fontsize(8)
    axis.set(xlim=(0, 1), ylim=(-0.02, 1), ylabel="mean of simulated $K$")
    axis.set_xlabel("share of principled judgments ($a$ or $p$)")
    axis.set_title("Mean $K$ against the share of principled judgments")
    return figure


def biases(table: pd.DataFrame, truth: float) -> Figure:
    """Mean of K and alpha against the number of items; a panel for each model."""
    shape = {"figsize": (WIDTH, 3.2), "sharey": True}
    figure, axes = plt.subplots(1, 2, **shape)
    inks = {"even": BLUE, "halving": PURPLE, "prevailing": ORANGE}
    for axis, (model, part) in zip(axes, table.groupby("model")):
        axis.axhline(truth, color=style.MUTED, lw=0.8)
        for (name, which), line in part.groupby(["distribution", "coefficient"]):
            look = "-o" if which == "K" else "--s"
            ends = {"yerr": 2 * line.error, "capsize": 2, "elinewidth": 0.8}
            marks = {"color": inks[name], "ms": 4, "lw": 1.1}
            axis.errorbar(line["items"], line["mean"], fmt=look, **ends, **marks)
        axis.set(xscale="log", xlabel="items", title=f"Errors {model}")
        sizes = sorted(table["items"].unique())
        axis.set_xticks(sizes, [f"{size}" for size in sizes])
        axis.minorticks_off()
    for name, ink in inks.items():
        axes[0].plot([], [], color=ink, label=f"{name} labels")
    axes[0].plot([], [], "-o", color=style.MUTED, ms=4, label="$K$")
    axes[0].plot([], [], "--s", color=style.MUTED, ms=4, label=r"$\alpha$")
    axes[0].legend(loc="lower right")
    axes[0].set_ylabel(f"mean (true value {truth:g})")
    few = table[(table["items"] == sizes[0]) & (table.distribution == "prevailing")]
    text = "Mean of both coefficients in small and large studies"
    if (few["mean"] + 4 * few.error < truth).all():
        text = "Both are too low in small studies where one label prevails"
    headline(figure, text)
    return figure


def principled(curve: pd.DataFrame, thresholds: dict[str, float]) -> Figure:
    """Share of principled judgments against K, by both models."""
    figure, axis = plt.subplots(figsize=(WIDTH, 3.6))
    for model, ink in MODELS.items():
        axis.plot(curve.K, curve[model], color=ink)
    style.label(axis, 0.3, 0.3, "concentrated: $K$", BLUE, xytext=(8, -8))
    style.label(axis, 0.3, 0.3**0.5, "spread: $\\sqrt{K}$", ORANGE, ha="right")
    axis.texts[-1].set_position((-8, 8))
    for value in thresholds.values():
        axis.plot([value, value], [0, np.sqrt(value)], color=style.MUTED, lw=0.8)
        for model, ink in MODELS.items():
            share = np.interp(value, curve.K, curve[model])
            axis.plot(value, share, "o", color=ink, ms=6)
            up = model == "spread"
            place = {"xytext": (-6, 7), "ha": "right"} if up else {"xytext": (6, -7)}
            style.label(axis, value, share, f"{100 * share:.0f} %", ink, **place)
    ticks = [0, 0.2, 0.4, *thresholds.values(), 1]
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.set(xlim=(0, 1), ylim=(0, 1.03), xlabel="$K$")
    axis.set_ylabel("principled judgments")
    style.percent_axis(axis, "y")
    axis.set_title("Share of principled judgments, by each of the two models")
    return figure


def divisions(table: pd.DataFrame) -> Figure:
    """How coders of an item divide: observed items over those by two models."""
    figure, axis = plt.subplots(figsize=(WIDTH, 3))
    at = np.arange(len(table))
    for k, (model, ink) in enumerate(MODELS.items()):
        number = {"concentrated": "I", "spread": "II"}[model]
        label = f"model {number}, {model}"
        axis.bar(at - 0.19 + 0.38 * k, table[model], 0.36, color=ink, label=label)
    hollow = {"mfc": "white", "mec": style.INK, "ms": 6, "clip_on": False, "zorder": 4}
    axis.plot(at, table["observed"], "o", label="slide 28, observed", **hollow)
    tallest = table.max(axis=1)
    for x, count, high in zip(at, table["observed"], tallest):
        place = {"xytext": (0, 12), "ha": "center"}
        style.label(axis, x, high, f"{count:g}", style.INK, **place)
    axis.set_xticks(at, table.index)
    axis.set(xlabel="coders by label", ylabel="items", ylim=(0, tallest.max() * 1.15))
    axis.legend(loc="upper right")
    axis.grid(visible=False, axis="x")
    axis.set_title("How the four coders of an item divide: observed, and by each model")
    return figure


# Slides 49-50 ------------------------------------------------------------------


def shares_of_k(tables: dict[str, pd.DataFrame]) -> Figure:
    """Each label's coefficient as a bar, as wide as its share of K.

    tables : by title; rows labels, columns value (the label's coefficient) and
    weight (its share of K, sum 1).
    """
    shape = {"figsize": (WIDTH, 3.3), "sharey": True}
    figure, axes = plt.subplots(1, len(tables), **shape)
    for axis, (title, table) in zip(axes, tables.items()):
        left, k = 0.0, float((table["value"] * table["weight"]).sum())
        for (name, row), ink in zip(table.iterrows(), (BLUE, ORANGE, PURPLE)):
            bar = {"align": "edge", "color": ink, "alpha": 0.85, "ec": "white"}
            axis.bar(left, row.value, row.weight, **bar)
            text = f"{name}: {row.value:.2f}"
            if row.weight < 0.15:  # too narrow for its name: beside it
                place = {"ha": "right", "xytext": (-3, 0)}
                style.label(axis, left, -0.045, text, ink, **place)
            else:
                place = {"ha": "center", "xytext": (0, 8)}
                middle = left + row.weight / 2
                style.label(axis, middle, max(row.value, 0), text, ink, **place)
            left += row.weight
        axis.axhline(k, color=style.INK, lw=1.2, ls="--")
        place = {"ha": "right", "xytext": (-2, 7)} if k < 0.5 else {"xytext": (2, -8)}
        style.label(axis, 1 if k < 0.5 else 0, k, f"$K$ = {k:.2f}", style.INK, **place)
        clear = {"facecolor": "white", "alpha": 0.85, "lw": 0, "pad": 1}
        axis.texts[-1].set_bbox(clear)
        axis.axhline(0, color=style.MUTED, lw=0.8)
        axis.set(xlim=(0, 1), ylim=(-0.08, 1.02), title=title)
        axis.set_xlabel("weight of the label in $K$")
        style.percent_axis(axis)
    axes[0].set_ylabel("coefficient of the label")
    headline(figure, "Coefficient of each label, and its weight in $K$")
    return figure


def confusions(
    labels: np.ndarray, classes: list[str], raters: list[str], text: str
) -> Figure:
    """Probability of a label given the class, a heat map for each rater.

    labels : (raters, classes, labels).
    """
    figure, axes = plt.subplots(1, len(raters), figsize=(WIDTH, 2.15), sharey=True)
    for axis, rater, table in zip(axes, raters, labels):
        frame = pd.DataFrame(table, classes, classes)
        matrix(axis, frame, rater, form="{:.2f}", top=1, size=7)
        axis.xaxis.tick_bottom()
        axis.set_xlabel("label")
    axes[0].set_ylabel("class")
    headline(figure, text)
    return figure


def likelihoods(found: np.ndarray, published: float, maxima: pd.DataFrame) -> Figure:
    """Log-likelihoods that starts end in, and the classes of the best of them.

    maxima : a row for each, the highest first, columns log-likelihood and classes
    (sorted shares).
    """
    kinds, maxima = len(maxima), maxima.head(6)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(WIDTH, 3.2), width_ratios=(1.25, 1)
    )
    lowest = np.floor(np.quantile(found, 0.03))  # the few below stand there
    edges = np.arange(lowest, np.ceil(found.max()) + 0.5, 0.5)
    left.hist(np.maximum(found, lowest), edges, color=BLUE, alpha=0.85)
    top = 1.2 * left.get_ylim()[1]
    left.set_ylim(0, top)
    left.axvline(published, color=style.INK, lw=1.2, ls="--")
    place = {"ha": "right", "xytext": (-4, 0)}
    style.label(left, published, 0.95 * top, "published start", style.INK, **place)
    left.set(xlabel="log-likelihood reached", ylabel="random starts")
    left.set_xlim(edges[0], edges[-1])
    left.locator_params(axis="x", nbins=5)
    text = "leftmost bar:\nthis value\nor lower"
    left.text(lowest + 0.2, 0.42 * top, text, color=style.MUTED, fontsize=8)
    left.set_title(f"Maxima found: {kinds}, by {plural(len(found), 'random start')}")
    names = [f"{value:.2f}" for value in maxima["log-likelihood"]]
    at, begin = np.arange(len(maxima))[::-1], np.zeros(len(maxima))
    shades = plt.get_cmap("Blues")(np.linspace(0.25, 0.85, 4))
    for k, shade in enumerate(shades):
        width = maxima[f"class {k + 1}"].to_numpy()
        right.barh(at, width, left=begin, color=shade, ec="white", height=0.7)
        for y, x, share in zip(at, begin, width):
            ink = "white" if k > 1 else style.INK
            place = {"ha": "center", "xytext": (0, 0), "fontsize": 7}
            if share > 0.1:
                style.label(right, x + share / 2, y, f"{share:.2f}", ink, **place)
        begin = begin + width
    right.set_yticks(at, names)
    right.set(xlim=(0, 1), ylabel="log-likelihood")
    right.set_xlabel("share of each class, the largest first")
    right.grid(visible=False)
    right.set_title("Classes of the highest")
    return figure


def dentists(raters: pd.DataFrame, patterns: pd.DataFrame) -> Figure:
    """Each rater's rates, and the probability of a class by number of votes.

    raters : columns sensitivity, specificity; patterns : votes, probability,
    items.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 3.4))
    left.plot(1 - raters.specificity, raters.sensitivity, "o", color=BLUE, ms=6)
    for name, row in raters.iterrows():
        style.label(left, 1 - row.specificity, row.sensitivity, name, style.INK)
        left.texts[-1].set_position((8, -2))
    left.plot([0, 1], [0, 1], color=style.MUTED, lw=0.8, ls=":")
    style.label(left, 0.62, 0.62, "guessing", style.MUTED, xytext=(6, -8))
    left.set(xlabel="sound called carious (1 - specificity)", xlim=(-0.02, 1))
    left.set(ylabel="carious found (sensitivity)", ylim=(0, 1))
    left.set_title("The five dentists")
    size = 8 + 8 * np.log10(patterns["items"]) ** 2
    groups = patterns.groupby("votes")["items"]
    x = patterns.votes + 0.045 * (
        groups.cumcount() - (groups.transform("size") - 1) / 2
    )
    right.scatter(x, patterns.probability, s=size, color=ORANGE, alpha=0.75, lw=0)
    right.axhline(0.5, color=style.MUTED, lw=0.8, ls=":")
    style.label(right, 3.5, 0.5, "probability 0.5", style.MUTED, xytext=(0, 7))
    right.axvline(2.5, color=style.MUTED, lw=0.8, ls=":")
    text = "right of the line: majority\nsays carious; larger dot:\nmore surfaces"
    right.text(2.58, 0.03, text, color=style.MUTED, fontsize=8)
    right.set(xlabel="dentists who say carious", ylabel="P(carious | judgments)")
    right.set_title("The 32 patterns of judgments")
    return figure


def profiles(models: dict[str, tuple[np.ndarray, np.ndarray]]) -> Figure:
    """Probability of the label by rater, a line for each class of each model.

    models : by title, shares (classes,) and probabilities (raters, classes),
    classes in ascending order of their mean.
    """
    shape = {"figsize": (WIDTH, 3.2), "sharey": True}
    figure, axes = plt.subplots(1, len(models), **shape)
    for axis, (title, (shares, labels)) in zip(axes, models.items()):
        inks = (BLUE, ORANGE) if len(shares) == 2 else (BLUE, PURPLE, ORANGE)
        at = np.arange(1, len(labels) + 1)
        for k, ink in enumerate(inks):
            axis.plot(at, labels[:, k], "-o", color=ink)
            text = f"{100 * shares[k]:.0f} % of surfaces"
            style.label(axis, at[-1], labels[-1, k], text, ink, xytext=(7, 0))
        axis.set(xticks=at, xlim=(0.8, len(labels) + 2), ylim=(0, 1.03))
        axis.set(xlabel="dentist", title=title)
    axes[0].set_ylabel("P(says carious | class)")
    return figure
