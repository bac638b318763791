"""A model doubts some annotations of a lot: what that is good for, exactly.

Its recall is the share of all errors that it doubts. The doubted annotations are one
stratum of the lot, the rest the other: see strata.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import labelaudit as la
from labelaudit import SamplingPlan, _checks
from labelaudit._checks import Array
from labelaudit.laws.errors import rate_to_count
from labelaudit.laws.flags import law

from ..machinery import style
from ..machinery.style import WIDTH
from .strata import Strata, expected_plain

RECALLS = [k / 100 for k in range(101)]  # of lines in a picture

# The policies, in words, and their colours; dashed where two lines can meet.
WORDS = {
    "audit": "audit; if rejected, inspect whole",
    "audit first": "audit; if rejected, mend, audit again",
    "mend first": "mend, then audit",
}
INK = {
    "audit": style.COLOUR["single"],
    "audit first": style.COLOUR["sequential"],
    "mend first": style.COLOUR["good"],
}


@dataclass(frozen=True)
class Doubted:
    """A lot of which a model doubts a part: how many items, and errors, are where.

    sizes and errors are those of the doubted part and of the rest.
    """

    sizes: tuple[int, int]
    errors: tuple[int, int]

    @property
    def lot_size(self) -> int:
        return sum(self.sizes)

    @classmethod
    def by(cls, lot_size: int, rate: float, recall: float, share: float) -> Doubted:
        """From the error rate, the model's recall and the share of items doubted.

        Raises ValueError where the errors do not fit into the two parts.
        """
        errors, size = rate_to_count(rate, lot_size), rate_to_count(share, lot_size)
        found = rate_to_count(recall, errors)
        if found > size or errors - found > lot_size - size:
            raise ValueError(
                f"{found} of {errors} errors, at a recall of {recall:g}, do not fit"
                f" into {size} doubted annotations of {lot_size}"
            )
        return cls((size, lot_size - size), (found, errors - found))


def models(
    lot_size: int, rate: float, recalls: Sequence[float], share: float
) -> list[Doubted]:
    """From these recalls to the perfect model, which doubts the errors alone."""
    errors = rate_to_count(rate, lot_size)
    perfect = Doubted((errors, lot_size - errors), (errors, 0))
    return [Doubted.by(lot_size, rate, r, share) for r in recalls] + [perfect]


def samples(one: Doubted, n: int, share: float) -> tuple[int, int]:
    """n inspections, this share of them of doubted items, as far as there are any."""
    first = min(rate_to_count(share, n), one.sizes[0])
    return first, n - first


def halved(levels: la.QualityLevels) -> la.QualityLevels:
    """Half of the consumer's risk, for each of two audits."""
    beta = _checks.fraction(levels.beta) / 2
    return la.QualityLevels(levels.p_a, levels.p_r, levels.alpha, float(beta))


def inspections(
    plan: SamplingPlan, each: SamplingPlan, size: int, errors: int, left: Array
) -> dict[str, Array]:
    """Expected inspections until a lot is released, by policy, exactly.

    A lot that its last audit rejects is inspected whole.

    Parameters
    ----------
    plan, each : SamplingPlan
        Of the only audit, and of each of two.
    size, errors : int
        Items doubted, errors in the lot.
    left : int or integer array
        Errors that the model does not doubt.
    """
    mended = size + la.average_total_inspection(plan, left)
    second = size + la.average_total_inspection(each, left)
    rejected = 1 - each.acceptance_probability(errors)
    return {
        "audit": la.average_total_inspection(plan, errors) + 0.0 * mended,
        "mend first": mended,
        "audit first": each.average_sample_number(errors) + rejected * second,
    }


def summary(
    plans: tuple[SamplingPlan, SamplingPlan],
    lots: Sequence[Doubted],
    n: int,
    share: float,
    confidence: float,
) -> pd.DataFrame:
    """A row for each lot: what a sample of n can promise, and the policies' cost."""
    rows = []
    for one in lots:
        size, errors = one.lot_size, sum(one.errors)
        sampled = Strata(one.sizes, samples(one, n, share))
        cost = inspections(*plans, one.sizes[0], errors, np.array(one.errors[1]))
        row = {
            "errors, %": 100 * errors / size,
            "doubted": one.sizes[0],
            "recall": one.errors[0] / errors,
            "plain, %": 100 * expected_plain(size, n, errors, confidence) / size,
            "strata, %": 100 * sampled.expected_upper(one.errors, confidence) / size,
            "no strata below, %": 100 * sampled.floor(one.errors, confidence) / size,
        }
        rows.append(row | {name: float(value) for name, value in cost.items()})
    return pd.DataFrame(rows)


def limits(
    lot_size: int, rate: float, share: float, n: int, part: float, confidence: float
) -> pd.DataFrame:
    """Mean upper limits, as rates, against recall: see summary.

    share : of the lot, doubted; part : of the n inspections, of doubted items
    """
    possible = [r for r in RECALLS[::20] if r * rate <= share]
    lots = [Doubted.by(lot_size, rate, r, share) for r in possible]
    two = Strata(lots[0].sizes, samples(lots[0], n, part))
    errors = sum(lots[0].errors)
    found = {
        "plain": [expected_plain(lot_size, n, errors, confidence)] * len(lots),
        "strata": [two.expected_upper(one.errors, confidence) for one in lots],
        "floor": [two.floor(one.errors, confidence) for one in lots],
    }
    return pd.DataFrame(found).div(lot_size).assign(rate=rate, recall=possible)


def costs(
    plans: tuple[SamplingPlan, SamplingPlan], rate: float, share: float
) -> pd.DataFrame:
    """Inspections of the three policies, for recalls from 0 up."""
    recalls = [r for r in RECALLS if r * rate <= share]
    size = int(plans[0].lot_size or 0)
    errors = rate_to_count(rate, size)
    left = errors - np.array([rate_to_count(r, errors) for r in recalls])
    found = inspections(*plans, rate_to_count(share, size), errors, left)
    return pd.DataFrame(found).assign(recall=recalls)


def drawn_again(plan: SamplingPlan, one: Doubted, attempts: int) -> float:
    """P(accepted by a single plan) if the sample is chosen from so many.

    Chosen is the one with the fewest doubted items.
    """
    n, accepted = plan.max_sample, int(plan.accept[-1])
    doubted = np.arange(n + 1)
    more = np.cumsum(law(one.lot_size, n).pmf(doubted, n, one.sizes[0])[::-1])[::-1]
    least = more**attempts - np.append(more[1:], 0.0) ** attempts
    total = 0.0
    for k in np.flatnonzero(least > 0).tolist():
        doubted_errors, others = (
            law(size, m).pmf(np.arange(accepted + 1), m, errors)
            for size, m, errors in zip(one.sizes, (k, n - k), one.errors)
        )
        found = np.convolve(doubted_errors, others)[: accepted + 1]
        total += least[k] * float(found.sum())
    return total


def headline(
    limits: pd.DataFrame, cost: pd.DataFrame, rate: float, recall: float
) -> str:
    """What strata and mending change at one recall, in percent."""
    part = limits[limits["rate"] == rate]
    strata = np.interp(recall, part["recall"], part["strata"] / part["plain"]) - 1
    mending = np.interp(recall, cost["recall"], cost["mend first"] / cost["audit"]) - 1
    return (
        f"Recall {100 * recall:g} %, {100 * rate:g} % of errors: strata change the"
        f" limit by {100 * strata:+.0f} %, mending the checks by {100 * mending:+.0f} %"
    )


# Pictures ---------------------------------------------------------------------


def answer_panels(
    limits: pd.DataFrame, cost: pd.DataFrame, n: int, enough: float
) -> Figure:
    """What a sample of n can promise, and inspections until release, against recall.

    limits : columns rate, recall, plain, strata and floor, as rates
    cost : recall and a column for each policy, for the last of these rates
    enough : the recall that leaves p_a
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 3.4))
    looks = {
        "strata": ("two strata", style.COLOUR["bad"], "--", 1.6),
        "plain": ("plain sample", style.COLOUR["single"], "-", 2.2),
        "floor": ("two strata: no valid limit is lower", style.MUTED, ":", 1.6),
    }
    for _, part in limits.groupby("rate"):
        for column, (_, ink, line, width) in looks.items():
            left.plot(part["recall"], part[column], line, color=ink, lw=width)
        words = f"{100 * part['rate'].iloc[0]:g} % of errors"
        place = {"xytext": (3, 3), "va": "bottom"}
        style.label(left, 0, part["strata"].max(), words, style.INK, **place)
    left.set(title=f"Promised after a sample of {n:,}")
    left.set_ylim(0, 1.5 * limits["strata"].max())
    left.set_ylabel("upper limit for the error rate, mean")
    style.percent_axis(left, "y")
    _key(left, {words: ink for words, ink, _, _ in looks.values()})
    policy_panel(right, cost)
    rate = limits["rate"].iloc[-1]
    right.set(title=f"Until release: {100 * rate:g} % of errors")
    right.set(ylabel="inspections, mean", ylim=(0, 1.45 * cost["audit"].max()))
    right.yaxis.set_major_formatter("{x:,.0f}")
    if 0 < enough < 1:
        low = {"linewidth": 0.8, "linestyle": ":"}
        right.plot([enough] * 2, [0, cost["audit"].max()], color=style.MUTED, **low)
        place = {"ha": "right", "xytext": (-3, 0)}
        at = enough, 0.9 * cost["audit"].max()
        style.label(right, *at, "leaves $p_a$", style.INK, **place)
    _key(right, {WORDS[name]: ink for name, ink in INK.items()})
    for axis in (left, right):
        axis.set(xlabel="recall: share of the errors doubted", xlim=(0, 1))
        style.percent_axis(axis)
    return figure


def _key(axis: Axes, words: dict[str, str]) -> None:
    """Words in the colours of lines, below each other at the top."""
    for k, (text, ink) in enumerate(words.items()):
        place = {"xycoords": "axes fraction", "ha": "right", "va": "top"}
        at = (0.99, 0.99 - 0.07 * k)
        axis.annotate(text, at, color=ink, fontsize=8, **place)


def policy_panel(axis: Axes, cost: pd.DataFrame, unit: float = 1.0) -> None:
    """Inspections of the three policies, over unit, against the model's recall."""
    for name, ink in INK.items():
        line = "--" if name == "audit first" else "-"
        axis.plot(cost["recall"], cost[name] / unit, line, color=ink, label=WORDS[name])


def settings_panels(cost: pd.DataFrame) -> Figure:
    """Share of the lot inspected against recall: rates down, levels and lots across.

    cost : columns levels, lot_size, rate, recall, and one for each policy
    """
    rates = sorted(cost["rate"].unique())
    across = list(dict.fromkeys(zip(cost["lot_size"], cost["levels"])))
    figure, grid = plt.subplots(
        len(rates),
        len(across),
        figsize=(WIDTH, 1.9 * len(rates) + 0.5),
        sharex=True,
        sharey="row",
        squeeze=False,
    )
    for line, rate in zip(grid, rates):
        for axis, (size, levels) in zip(line, across):
            part = (cost["lot_size"] == size) & (cost["levels"] == levels)
            policy_panel(axis, cost[part & (cost["rate"] == rate)], size)
            axis.set(xlim=(0, 1), ylim=(0, None))
            axis.xaxis.set_major_locator(plt.FixedLocator([0.2, 0.5, 0.8]))
            axis.xaxis.set_major_formatter(lambda v, _: f"{100 * v:g} %")
            style.percent_axis(axis, "y")
        line[0].set_ylabel(f"{100 * rate:g} % of errors:\nshare inspected")
    for axis, (size, levels) in zip(grid[0], across):
        axis.set_title(f"{levels}, N = {size:,}", fontsize=9)
    for axis in grid[-1]:
        axis.set_xlabel("recall")
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3)
    return figure
