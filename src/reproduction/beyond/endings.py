"""What a plan's endings say about the lot: intervals and estimates after it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

import labelaudit as la
from labelaudit import SamplingPlan
from labelaudit._checks import Array
from labelaudit.laws.errors import law
from labelaudit.plans import evaluation

from ..machinery import style
from .small_lots import in_counts

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
            found[f"bias, {kind}"] = style.settled((chance * off).sum(axis=0))
            found[f"rmse, {kind}"] = np.sqrt((chance * off**2).sum(axis=0))
        rows.append(pd.DataFrame(found))
    return pd.concat(rows, ignore_index=True)
