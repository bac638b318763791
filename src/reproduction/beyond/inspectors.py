"""Inspectors who make mistakes, what goes out, and what it all costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit import SamplingPlan
from labelaudit._checks import Array

from ..machinery import style
from ..machinery.style import WIDTH

# Colours of the designs; what is not a plan is grey.
DESIGNS = {
    "single": style.COLOUR["single"],
    "double": style.COLOUR["double"],
    "sequential": style.COLOUR["sequential"],
    "optimal": style.COLOUR["optimal"],
}
EXTREMES = {"accept unseen": style.MUTED, "inspect all": style.PALETTE["magenta"]}


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
        words = f"promised: {100 * promised:g} %"
        place = {"ha": "right", "va": "bottom", "xytext": (0, 1)}
        style.label(axis, edge, promised, words, style.INK, **place)
        axis.set(ylim=(0, None), ylabel=f"{risk}'s risk")
        style.percent_axis(axis)
        style.percent_axis(axis, "y")
    axes[0].set(title="Inspectors miss errors", xlabel="share of errors missed")
    axes[1].set(
        title="Inspectors raise false alarms",
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
        style.label(axis, *at, f"finds {100 * value:g} %", shade, **place)
    axis.set(xlabel="share of correct annotations flagged", ylabel="inspections")
    axis.set(ylim=(0, 1.15 * lot_size), xlim=(-0.02 * edge, 1.12 * edge))
    axis.yaxis.set_major_formatter("{x:,.0f}")
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
    text = "accepted unseen"
    style.label(axes[0], top, top, text, style.MUTED, va="top", xytext=(4, 0))
    text = "dots: the worst\nbatch for each plan"
    style.label(axes[0], 0.5 * edge, 0.6 * top, text, style.MUTED)
    axes[0].set(title="Errors that go out", ylabel="error rate after inspection")
    axes[1].set(title="Inspections", ylabel="inspections per lot")
    axes[0].set(ylim=(0, top))
    style.percent_axis(axes[0], "y")
    for axis in axes:
        axis.set(xlabel="error rate of the lot as annotated", xlim=(0, edge))
        style.percent_axis(axis)
    axes[1].set_ylim(0, None)
    axes[1].yaxis.set_major_formatter("{x:,.0f}")
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
    axes[0].set(title="The error rate is known", xlabel="error rate of the lot")
    axes[0].set(ylabel="cost per lot, in inspections", ylim=(0, top))
    axes[0].set_xlim(0, known["rate"].max())
    axes[0].yaxis.set_major_formatter("{x:,.0f}")
    style.percent_axis(axes[0])
    axes[1].set(title="Good and bad lots are mixed", xlim=(0, mixed.index[-1]))
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
