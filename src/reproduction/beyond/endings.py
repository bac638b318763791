"""What a plan's endings say about the lot: intervals and estimates after it."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

import labelaudit as la
from labelaudit import SamplingPlan
from labelaudit._checks import Array
from labelaudit.laws.errors import Law
from labelaudit.plans.evaluation import stop_points

from ..machinery import style
from .small_lots import in_counts

NEAREST = 0.01  # the confidence of an interval that is nearly a point


def endings(plan: SamplingPlan, confidence: float) -> pd.DataFrame:
    """Every way in which a lot's plan can end, and what it lets one say.

    n, x, accepted; low, high (valid after this plan: plan.interval); fixed_low,
    fixed_high (Clopper and Pearson's, as if n had been fixed); rate, x / n; middle,
    of the interval of confidence NEAREST, which the truth is above about as often as
    below.
    """
    points = stop_points(plan.accept, plan.reject)
    found = pd.DataFrame({"n": points.n, "x": points.x, "accepted": points.accepted})
    found[["low", "high"]], nearest = intervals(plan, confidence, NEAREST)
    how = {"lot_size": plan.lot_size, "confidence": confidence}
    fixed = la.proportion_interval(points.x, points.n, **how)
    found["fixed_low"], found["fixed_high"] = fixed
    found["rate"] = points.x / np.maximum(points.n, 1)
    found["middle"] = nearest.sum(axis=1) / 2
    return found


def intervals(plan: SamplingPlan, *confidences: float) -> list[Array]:
    """plan.interval at every ending at once, in doubles: by its definition, from all
    lots. (Where a tail equals its bound an end may lie one error further.)

    For each confidence an array (endings, 2) of the lowest and the highest rate.
    """
    points, size = stop_points(plan.accept, plan.reject), plan.lot_size
    share, at = np.unique(points.x / np.maximum(points.n, 1), return_inverse=True)
    first = np.full((len(confidences), len(share)), size)
    last, start = np.zeros_like(first), 0
    for chance in ending_probabilities(plan, np.arange(size + 1)):
        d = np.arange(start, start + chance.shape[1])
        start += len(d)
        each = np.zeros((len(share), len(d)))
        np.add.at(each, at, chance)
        below, above = each.cumsum(axis=0), each[::-1].cumsum(axis=0)[::-1]
        for k, tail in enumerate((1 - np.array(confidences)) / 2):
            low = np.where(above > tail, d, size).min(axis=1)
            high = np.where(below > tail, d, 0).max(axis=1)
            first[k], last[k] = np.minimum(first[k], low), np.maximum(last[k], high)
    ends = np.stack([first, last], axis=-1)[:, at] / size
    return [*np.sort(ends, axis=-1)]  # in the oddest plans they cross


def ending_probabilities(plan: SamplingPlan, errors: Array) -> Iterator[Array]:
    """P(each ending) for each of `errors`: arrays (endings, some errors) in turn."""
    points = stop_points(plan.accept, plan.reject)
    errors_law = Law(plan.lot_size, plan.max_sample)
    step = max(1, 500_000 // len(points.n))
    for start in range(0, len(errors), step):
        d = errors[None, start : start + step]
        chance = errors_law.pmf(points.x[:, None], points.n[:, None], d)
        yield points.share[:, None] * chance


def after_stopping(plan: SamplingPlan, ends: pd.DataFrame, errors: Array):
    """Exact properties of both intervals and both estimates for each of `errors`.

    A row for each number of errors: coverage and expected length of the plan's
    own interval and of Clopper and Pearson's at the n where it stopped (fixed);
    mean and root mean square error of x / n (rate) and of the middle.
    """
    size, rows, start = plan.lot_size, [], 0
    at = {"own": in_counts(ends["low"], ends["high"], size)}
    at["fixed"] = in_counts(ends["fixed_low"], ends["fixed_high"], size)
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
