"""Intervals beside each other, after a verdict, and inspectors who make mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import comb

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import norm

import labelaudit as la
from labelaudit import SamplingPlan, as_published, evaluation
from labelaudit.laws import Array, law
from labelaudit.levels import rate_to_count

from . import style
from .panels import WIDTH

# Colours of the designs; what is not a plan is grey.
DESIGNS = {
    "single": style.COLOUR["single"],
    "double": style.COLOUR["double"],
    "sequential": style.COLOUR["sequential"],
    "optimal": style.COLOUR["good"],
}
EXTREMES = {"accept unseen": style.MUTED, "inspect all": style.COLOUR["interval"]}

METHODS = {
    "Clopper-Pearson": style.COLOUR["single"],
    "Blaker": style.COLOUR["double"],
    "optimal": style.COLOUR["good"],
    "prior-assisted": style.COLOUR["interval"],
    "mid-P": style.COLOUR["sequential"],
    "Wald (normal)": style.COLOUR["bad"],
    "published": style.COLOUR["published"],
}
LINE = {"Blaker": (3.2, "-"), "optimal": (1.4, "--")}  # width, dashes
Interval = Callable[..., tuple[Array, Array]]


# Intervals -----------------------------------------------------------------------


def wald(
    errors_found: Array, sample_size: int, lot_size: int, *, confidence: float = 0.95
) -> tuple[Array, Array]:
    """The normal approximation with the lot's correction, cut off at 0 and 1."""
    share, z = errors_found / sample_size, norm.ppf((1 + confidence) / 2)
    rest = (lot_size - sample_size) / (lot_size - 1)
    half = z * np.sqrt(share * (1 - share) / sample_size * rest)
    return np.maximum(share - half, 0), np.minimum(share + half, 1)


def methods(prior: tuple[float, float]) -> dict[str, Interval]:
    """Every interval for a lot by its name: (errors, sample, lot) to (low, high)."""
    ours = {"Clopper-Pearson": "clopper-pearson", "mid-P": "mid-p", "Blaker": "blaker"}
    ours |= {"optimal": "optimal"}
    found: dict[str, Interval] = {
        name: partial(la.proportion_interval, method=method)
        for name, method in ours.items()
    }
    found["prior-assisted"] = partial(
        la.proportion_interval, method="prior-assisted", prior=prior
    )
    found |= {"Wald (normal)": wald, "published": as_published.plug_in_interval}
    return {name: found[name] for name in METHODS}


def in_counts(low: Array, high: Array, lot_size: int) -> tuple[Array, Array]:
    """The smallest and largest number of errors between two rates."""
    return (
        np.ceil(np.asarray(low) * lot_size - 1e-9).astype(int),
        np.floor(np.asarray(high) * lot_size + 1e-9).astype(int),
    )


def ways(lot_size: int, sample_size: int) -> np.ndarray:
    """How many samples have x errors (rows) where the lot has D (columns): exact."""
    n = sample_size
    return np.array(
        [
            [comb(d, x) * comb(lot_size - d, n - x) for d in range(lot_size + 1)]
            for x in range(n + 1)
        ],
        dtype=object,
    )


def covered(low: Array, high: Array, counted: np.ndarray) -> np.ndarray:
    """How many samples have an interval that contains D / lot_size, for every D.

    low and high are rates for x = 0, 1, ...; `counted` is what `ways` gives.
    """
    size = counted.shape[1] - 1
    first, last = in_counts(low, high, size)
    d = np.arange(size + 1)
    inside = (first[:, None] <= d) & (d <= last[:, None])
    return (counted * inside).sum(axis=0)


def coverage_panels(table: pd.DataFrame, confidence: float, floor: float) -> Figure:
    """Coverage against the errors in the lot (column D), a panel for each method.

    What is below `floor` is cut off; what is below the confidence is filled.
    """
    names = [name for name in METHODS if name in table]
    figure, grid = plt.subplots(
        2, (len(names) + 1) // 2, figsize=(WIDTH, 3.9), sharex=True, sharey=True
    )
    axes = grid.ravel()
    for axis, name in zip(axes, names):
        value, ink = table[name], METHODS[name]
        axis.plot(table["D"], value, color=ink, linewidth=0.9)
        short = value < confidence
        red = style.COLOUR["bad"]
        axis.fill_between(
            table["D"], value, confidence, where=short, color=red, alpha=0.35, lw=0
        )
        axis.axhline(confidence, color=style.INK, linewidth=0.7, linestyle=":")
        axis.set_title(name, fontsize=9, color=ink)
        axis.set(xlim=(0, table["D"].max()), ylim=(floor, 1.003))
        style.percent_axis(axis, "y")
        worst = value.min()
        words = f"least {100 * worst:.1f}%"
        place = {"ha": "center", "va": "bottom", "xytext": (0, 3)}
        style.label(axis, table["D"].max() / 2, floor, words, ink, **place)
        axis.tick_params(labelbottom=True)
    for axis in axes[len(names) :]:
        axis.set_visible(False)
    for axis in grid[-1]:
        axis.set_xlabel("errors in the lot, D")
    for axis in grid[:, 0]:
        axis.set_ylabel("coverage")
    return figure


def length_panels(table: pd.DataFrame, expected: float, zoom: float) -> Figure:
    """Expected lengths relative to Clopper-Pearson's against the true error rate.

    `table` has rate and a column for each method; left up to `zoom`, right all.
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.2))
    base = table["Clopper-Pearson"]
    for axis, edge in zip(axes, (zoom, 1.0)):
        part = table["rate"] <= edge
        for name, ink in METHODS.items():
            if name in table:
                ratio = (table[name] / base - 1)[part]
                # Blaker's and the optimal method often agree: one over the other.
                width, line = LINE.get(name, (1.6, "-"))
                axis.plot(
                    table["rate"][part],
                    ratio,
                    line,
                    color=ink,
                    linewidth=width,
                    label=name,
                )
        axis.axvline(expected, color=style.MUTED, linewidth=0.8, linestyle=":")
        axis.set(xlabel="true error rate", xlim=(0, edge))
        style.percent_axis(axis)
        style.percent_axis(axis, "y")
    axes[0].set(title="Shorter near the plan", ylabel="length against Clopper-Pearson")
    axes[1].set(title="Longer far from it")
    words, place = "planned for", {"va": "top", "xytext": (3, -2)}
    top = axes[0].get_ylim()[1]
    style.label(axes[0], expected, top, words, style.MUTED, **place)
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure


def widths_by_size(
    rate: float, lot_size: int, intervals: dict[str, Interval], confidence: float
) -> pd.DataFrame:
    """Half widths of the intervals at round(rate n) errors for every n."""
    rows = []
    for n in range(1, lot_size + 1):
        x = rate_to_count(rate, n)
        ends = [
            interval(x, n, lot_size, confidence=confidence)
            for interval in intervals.values()
        ]
        rows.append([n, *(float(high - low) / 2 for low, high in ends)])
    return pd.DataFrame(rows, columns=["n", *intervals])


def sawtooth(table: pd.DataFrame, sizes: pd.DataFrame, half_width: float) -> Figure:
    """Half widths against n, and where they are short enough: first and for good.

    `table` is widths_by_size'; `sizes` has first and stable by method (index).
    """
    figure, axis = plt.subplots(figsize=(WIDTH, 3.1))
    for name in table.columns.drop("n"):
        ink = METHODS[name]
        axis.plot(table["n"], table[name], color=ink, linewidth=0.9, label=name)
        first, stable = sizes.loc[name, ["first", "stable"]]
        at = table.set_index("n")[name]
        axis.plot(first, at[first], "o", mfc="white", mec=ink, ms=6, zorder=4)
        axis.plot(stable, at[stable], "o", color=ink, ms=6, zorder=4)
    axis.axhline(half_width, color=style.INK, linewidth=0.8, linestyle=":")
    words = f"wanted: {half_width:.0%}"
    place = {"va": "bottom", "xytext": (-4, 2), "ha": "right"}
    style.label(axis, table["n"].max(), half_width, words, style.INK, **place)
    axis.set(xlabel="sample size n", ylabel="half width", ylim=(0, 3 * half_width))
    axis.set_xlim(0, table["n"].max())
    style.percent_axis(axis, "y")
    axis.legend(loc="upper right")
    return figure


# After a verdict -----------------------------------------------------------------

NEAREST = 0.01  # the confidence of an interval that is nearly a point


def endings(plan: SamplingPlan, confidence: float) -> pd.DataFrame:
    """Every way in which a lot's plan can end, and what it lets one say.

    n, x, accepted; low, high (valid after this plan, all endings at once; see
    plan.interval for one); fixed_low, fixed_high (Clopper and Pearson's, as if n
    had been fixed); rate, x / n; middle, of the interval of confidence NEAREST,
    which the truth is above about as often as below.
    """
    points = evaluation.stop_points(plan.accept, plan.reject)
    low, high = inverted(plan, confidence)
    fixed = [
        la.proportion_interval(x, n, plan.lot_size, confidence=confidence)
        for n, x in zip(points.n.tolist(), points.x.tolist())
    ]
    return pd.DataFrame(
        {
            "n": points.n,
            "x": points.x,
            "accepted": points.accepted,
            "low": low,
            "high": high,
            "fixed_low": [ends[0] for ends in fixed],
            "fixed_high": [ends[1] for ends in fixed],
            "rate": points.x / np.maximum(points.n, 1),
            "middle": sum(inverted(plan, NEAREST)) / 2,
        }
    )


def inverted(plan: SamplingPlan, confidence: float) -> tuple[Array, Array]:
    """plan.interval at every ending of a lot's plan, straight from its definition.

    Endings in the order of x / n; for each number of errors both tails of that
    order; for each ending the errors for which neither tail is too small.
    """
    points, size = evaluation.stop_points(plan.accept, plan.reject), plan.lot_size
    _, group = np.unique(points.x / np.maximum(points.n, 1), return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    least = np.full(len(starts), size)
    most = np.zeros(len(starts), dtype=int)
    tail, start = (1 - confidence) / 2 + 1e-12, 0
    for chance in ending_probabilities(plan, np.arange(size + 1)):
        d = np.arange(start, start + chance.shape[1])
        start += len(d)
        shares = np.add.reduceat(chance[order], starts, axis=0)
        below = np.cumsum(shares, axis=0) > tail
        above = np.cumsum(shares[::-1], axis=0)[::-1] > tail
        most = np.maximum(most, np.where(below, d, 0).max(axis=1))
        least = np.minimum(least, np.where(above, d, size).min(axis=1))
    return least[group] / size, most[group] / size


def same_as_library(
    plan: SamplingPlan, ends: pd.DataFrame, confidence: float, some: int = 25
) -> bool:
    """Whether plan.interval gives the intervals of `endings`, at some of them."""
    at = np.unique(np.linspace(0, len(ends) - 1, some).round().astype(int))
    return all(
        np.allclose(plan.interval(row.n, row.x, confidence), (row.low, row.high))
        for row in ends.iloc[at].itertuples()
    )


def ending_probabilities(plan: SamplingPlan, errors: Array) -> Iterator[Array]:
    """P(each ending) for each of `errors`: arrays (endings, some errors) in turn."""
    points = evaluation.stop_points(plan.accept, plan.reject)
    errors_law = law(plan.lot_size, plan.max_sample)
    step = max(1, 500_000 // len(points.n))
    for start in range(0, len(errors), step):
        d = errors[None, start : start + step]
        yield points.share[:, None] * errors_law.pmf(
            points.x[:, None], points.n[:, None], d
        )


def after_stopping(plan: SamplingPlan, ends: pd.DataFrame, errors: Array):
    """Exact properties of both intervals and both estimates for each of `errors`.

    A row for each number of errors: coverage and expected length of the plan's
    own interval and of Clopper and Pearson's at the n where it stopped (fixed);
    mean and root mean square error of x / n (rate) and of the middle.
    """
    size, rows, start = plan.lot_size, [], 0
    at = {
        kind: in_counts(ends[low], ends[high], size)
        for kind, low, high in (
            ("own", "low", "high"),
            ("fixed", "fixed_low", "fixed_high"),
        )
    }
    for chance in ending_probabilities(plan, errors):
        d = errors[start : start + chance.shape[1]]
        start += len(d)
        found = {"D": d}
        for kind, (low, high) in at.items():
            inside = (low[:, None] <= d) & (d <= high[:, None])
            found[f"coverage, {kind}"] = (chance * inside).sum(axis=0)
            found[f"length, {kind}"] = ((high - low) / size) @ chance
        for kind in ("rate", "middle"):
            off = ends[kind].to_numpy()[:, None] - d / size
            found[f"bias, {kind}"] = (chance * off).sum(axis=0)
            found[f"rmse, {kind}"] = np.sqrt((chance * off**2).sum(axis=0))
        rows.append(pd.DataFrame(found))
    return pd.concat(rows, ignore_index=True)


def stopped_coverage(
    tables: dict[str, pd.DataFrame], levels: la.QualityLevels, confidence: float
) -> Figure:
    """Coverage of both intervals against the errors in the lot, a panel a plan."""
    figure, grid = plt.subplots(
        2, (len(tables) + 1) // 2, figsize=(WIDTH, 4.2), sharex=True, sharey=True
    )
    red, green = style.COLOUR["bad"], style.COLOUR["good"]
    for axis, (name, table) in zip(grid.ravel(), tables.items()):
        rate = table["D"] / table["N"]
        fixed, own = table["coverage, fixed"], table["coverage, own"]
        axis.plot(rate, fixed, color=red, linewidth=1.1, label="as if n were fixed")
        axis.plot(rate, own, color=green, linewidth=1.1, label="after this plan")
        axis.fill_between(
            rate, fixed, confidence, where=fixed < confidence, color=red, alpha=0.3
        )
        axis.axhline(confidence, color=style.INK, linewidth=0.7, linestyle=":")
        axis.set_title(name, fontsize=9)
        axis.set_xlim(0, rate.max())
        style.levels_marks(axis, levels.p_a, levels.p_r)
        style.percent_axis(axis)
        style.percent_axis(axis, "y")
    for axis in grid[-1]:
        axis.set_xlabel("true error rate")
    for axis in grid[:, 0]:
        axis.set_ylabel("coverage")
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=2)
    return figure


def endings_panel(
    axis: Axes, ends: pd.DataFrame, levels: la.QualityLevels, top: float
) -> None:
    """What each ending lets one say: its interval against the n where it ends."""
    looks = {False: ("rejected", "bad"), True: ("accepted", "good")}
    for accepted, (word, name) in looks.items():
        part = ends[ends["accepted"] == accepted]
        part = part.groupby("n", as_index=False).first()
        ink = style.COLOUR[name]
        axis.fill_between(
            part["n"], part["low"], part["high"], color=ink, alpha=0.25, lw=0
        )
        axis.plot(part["n"], part["middle"], color=ink, linewidth=1.2)
        beyond = part["middle"] < 0.9 * top
        if beyond.any():
            row = part[beyond].iloc[len(part[beyond]) // 4]
            place = {"va": "bottom", "xytext": (4, 3)}
            style.label(axis, row["n"], row["middle"], word, ink, **place)
    for rate, name in ((levels.p_a, "$p_a$"), (levels.p_r, "$p_r$")):
        axis.axhline(rate, color=style.INK, linewidth=0.8, linestyle=":")
        edge = ends["n"].max()
        place = {"va": "bottom", "ha": "right", "xytext": (-3, 1)}
        style.label(axis, edge, rate, name, style.INK, **place)
    axis.set(xlabel="inspections at the end", ylabel="error rate", ylim=(0, top))
    axis.set_xlim(0, ends["n"].max())
    style.percent_axis(axis, "y")


# Inspectors who make mistakes ----------------------------------------------------


def unaware(plan: SamplingPlan, inspection: la.Inspection) -> SamplingPlan:
    """The same limits, applied to the flags of an inspection as if they were errors."""
    return la.SamplingPlan(
        plan.accept, plan.reject, plan.lot_size, plan.levels, inspection=inspection
    )


def guaranteed_rates(plan: SamplingPlan) -> tuple[float, float]:
    """What a lot's plan keeps its two risks at.

    The largest error rate up to which good lots are rejected with probability
    alpha at most, NaN where even a perfect lot is rejected more often, and the
    smallest from which bad ones are accepted with probability beta at most.
    """
    size = plan.lot_size
    accepted = plan.acceptance_probability(np.arange(size + 1))
    lost = 1 - accepted > plan.levels.alpha
    good = int(np.argmax(lost)) - 1 if lost.any() else size
    caught = accepted <= plan.levels.beta
    bad = int(np.argmax(caught)) if caught.any() else np.nan
    return (good / size if good >= 0 else np.nan), bad / size


def both_must_flag(inspection: la.Inspection) -> la.Inspection:
    """Two inspectors, independent of each other: a flag is what both flag."""
    flagged, false = (float(rate) for rate in inspection.fractions)
    return la.Inspection(flagged**2, 1 - false**2)


def either_flags(inspection: la.Inspection) -> la.Inspection:
    """Two inspectors, independent of each other: a flag is what either flags."""
    flagged, false = (float(rate) for rate in inspection.fractions)
    return la.Inspection(1 - (1 - flagged) ** 2, (1 - false) ** 2)


def two_of_three(inspection: la.Inspection) -> la.Inspection:
    """Three inspectors, independent of each other: a flag is what most flag."""
    flagged, false = (float(rate**2 * (3 - 2 * rate)) for rate in inspection.fractions)
    return la.Inspection(flagged, 1 - false)


def aware(
    design: Callable[..., SamplingPlan],
    levels: la.QualityLevels,
    lot_size: int,
    inspection: la.Inspection,
) -> SamplingPlan | None:
    """The plan of a design that knows its inspectors; None where there is none."""
    try:
        return design(levels, lot_size, inspection=inspection)
    except ValueError:
        return None


def rectified(
    plan: SamplingPlan, errors: int, repetitions: int, seed: int
) -> tuple[Array, Array]:
    """Simulated lots after rectifying inspection: errors left, and inspections.

    The inspection is perfect: errors found are corrected, a rejected lot whole.
    """
    runs = plan.simulate(errors, repetitions, seed)
    left = np.where(runs.accepted, errors - runs.errors_found, 0)
    return left, np.where(runs.accepted, runs.inspected, plan.lot_size)


def risk_panels(table: pd.DataFrame, levels: la.QualityLevels) -> Figure:
    """Both risks of unaware plans, each against the mistake that raises it.

    `table` has the columns plan, sensitivity, specificity, producer and consumer.
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.1))
    sides = (
        ("sensitivity", "specificity", "consumer", levels.beta),
        ("specificity", "sensitivity", "producer", levels.alpha),
    )
    for axis, (varied, fixed, risk, promised) in zip(axes, sides):
        part = table[table[fixed] == 1]
        for name, one in part.groupby("plan", sort=False):
            ink = DESIGNS[name]
            axis.plot(1 - one[varied], one[risk], "o-", color=ink, label=name, ms=3)
        axis.axhline(promised, color=style.INK, linewidth=0.9, linestyle=":")
        edge = 1 - part[varied].min()
        words = f"promised: {promised:.0%}"
        place = {"ha": "right", "va": "bottom", "xytext": (0, 1)}
        style.label(axis, edge, promised, words, style.INK, **place)
        axis.set(ylim=(0, None), ylabel=f"{risk}'s risk")
        style.percent_axis(axis)
        style.percent_axis(axis, "y")
    axes[0].set(title="Missed errors: bad lots pass", xlabel="share of errors missed")
    axes[1].set(
        title="False alarms: good lots fail",
        xlabel="share of correct annotations flagged",
    )
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure


def price_panel(axis: Axes, table: pd.DataFrame, lot_size: int) -> None:
    """Sample sizes of aware plans against false alarms, a line per sensitivity.

    `table` has sensitivity, specificity and n; n is missing where no plan is.
    """
    values = sorted(table["sensitivity"].unique(), reverse=True)
    shades = plt.get_cmap("viridis")(np.linspace(0.05, 0.8, len(values)))
    edge = 1 - table["specificity"].min()
    axis.plot([0, edge], [lot_size, lot_size], color=style.MUTED, linewidth=0.9)
    place = {"va": "bottom", "xytext": (0, 1)}
    style.label(axis, 0, lot_size, "the whole lot", style.MUTED, **place)
    for value, shade in zip(values, shades):
        part = table[(table["sensitivity"] == value) & table["n"].notna()]
        part = part.sort_values("specificity", ascending=False)
        if len(part) == 0:
            continue
        axis.plot(1 - part["specificity"], part["n"], "o-", color=shade, ms=3)
        at = 1 - part["specificity"].iloc[-1], part["n"].iloc[-1]
        beside = {"xytext": (6, 0)}
        above = {"xytext": (-2, 4), "ha": "right", "va": "bottom"}
        place = beside if at[0] == edge else above
        style.label(axis, *at, f"finds {value:.0%}", shade, **place)
    axis.set(xlabel="share of correct annotations flagged", ylabel="inspections")
    axis.set(ylim=(0, 1.15 * lot_size), xlim=(-0.02 * edge, 1.1 * edge))
    style.percent_axis(axis)


def outgoing_panels(table: pd.DataFrame, limits: pd.DataFrame) -> Figure:
    """Outgoing quality and total inspection against the incoming error rate.

    `table` has plan, rate, outgoing and inspected; `limits` plan, rate, outgoing.
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.2))
    for name, part in table.groupby("plan", sort=False):
        ink = DESIGNS[name]
        axes[0].plot(part["rate"], part["outgoing"], color=ink, label=name)
        axes[1].plot(part["rate"], part["inspected"], color=ink)
    for row in limits.itertuples():
        axes[0].plot(row.rate, row.outgoing, "o", color=DESIGNS[row.plan], ms=5)
    edge, top = table["rate"].max(), 1.35 * limits["outgoing"].max()
    diagonal = np.array([0, top])
    axes[0].plot(diagonal, diagonal, color=style.MUTED, linewidth=0.9, linestyle=":")
    style.label(axes[0], top, top, "unseen", style.MUTED, va="top", xytext=(4, 0))
    axes[0].set(title="What goes out", ylabel="errors left, per annotation")
    axes[1].set(title="What it takes", ylabel="inspections per lot")
    axes[0].set(ylim=(0, top))
    style.percent_axis(axes[0], "y")
    for axis in axes:
        axis.set(xlabel="error rate of the lot as annotated", xlim=(0, edge))
        style.percent_axis(axis)
    axes[1].set_ylim(0, None)
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure


def from_mixture(
    options: dict[str, SamplingPlan],
    mixture: dict[float, float],
    costs_of_error: Sequence[float],
) -> pd.DataFrame:
    """Expected cost per lot for each option, rejected lots inspected whole.

    `mixture` has the share of lots for each error rate. A row for each cost of an
    error that goes out; an inspection costs 1.
    """
    shares = np.array(list(mixture.values()))
    columns = {}
    for name, plan in options.items():
        errors = np.array([round(rate * plan.lot_size) for rate in mixture])
        columns[name] = [
            shares
            @ la.expected_cost(plan, errors, per_accepted_error=cost, rectify=True)
            for cost in costs_of_error
        ]
    index = pd.Index(costs_of_error, name="cost of an error")
    return pd.DataFrame(columns, index=index)


def ranges(best: pd.Series) -> pd.DataFrame:
    """Where each value of a column holds along its index: value, from, to."""
    run = (best != best.shift()).cumsum()
    rows = [(part.iloc[0], *part.index[[0, -1]]) for _, part in best.groupby(run)]
    return pd.DataFrame(rows, columns=["cheapest", "from", "to"])


def cost_panels(known: pd.DataFrame, mixed: pd.DataFrame, top: float) -> Figure:
    """Costs against a known rate (column rate), and against an error's cost (index).

    The other columns are the options; what is not a plan is dashed.
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.4), sharey=True)
    for axis, x, table in ((axes[0], known["rate"], known), (axes[1], None, mixed)):
        for name, ink in (DESIGNS | EXTREMES).items():
            if name in table:
                line = "--" if name in EXTREMES else "-"
                at = table.index if x is None else x
                axis.plot(at, table[name], line, color=ink, label=name)
    axes[0].set(title="Known rate: no plan pays", xlabel="error rate of the lot")
    axes[0].set(ylabel="cost per lot, in inspections", ylim=(0, top))
    axes[0].set_xlim(0, known["rate"].max())
    style.percent_axis(axes[0])
    axes[1].set(title="Mixed lots: a plan pays", xlim=(0, mixed.index[-1]))
    axes[1].set_xlabel("cost of an error that goes out, in inspections")
    spans = ranges(mixed.idxmin(axis=1))
    for row in spans.itertuples():
        if row.to - row[2] < 0.12 * mixed.index[-1]:
            continue
        ink = (DESIGNS | EXTREMES)[row.cheapest]
        at = (row[2] + row.to) / 2, 0.7 * top if row.cheapest == "accept unseen" else 0
        words = row.cheapest.replace(" ", "\n")
        place = {"ha": "center", "va": "bottom", "xytext": (0, 4), "fontsize": 7}
        wide = row.to - row[2] >= 0.2 * mixed.index[-1]
        words = f"cheapest:\n{words}" if wide else words
        style.label(axes[1], *at, words, ink, **place)
    for row in spans.iloc[1:].itertuples():
        axes[1].axvline(row[2], color=style.MUTED, linewidth=0.8, linestyle=":")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure
