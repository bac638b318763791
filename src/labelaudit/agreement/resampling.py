"""Values of other samples: without an item or a cluster, or drawn with replacement."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from .._words import shown, warn
from .clusters import Clusters

# Values that differ by rounding only are equal: to each other, or to 0.
ROUNDING = 1e-13

# Below this share of the whole, what is left of a sum without an item is computed
# anew rather than by subtraction, which would lose its digits.
CANCELLED = 1e-6

# A bootstrap that would take longer, in seconds, is not begun; a repetition takes
# about so many seconds for each item and judgment.
LONGEST = 120
SECONDS = 6e-8


def anew(of: Any, values: Array, part: Array, *left: Array) -> Array:
    """Values without each part, computed anew where subtraction lost their digits.

    left: what is left of the sums behind D_e, as shares of the whole.
    """
    for one in np.flatnonzero(~(np.min(left, axis=0) > CANCELLED)):
        values[one] = of._resampled(of._times - (part == one))
    return values


def share(left: Array, whole: Any) -> Array:
    """What is left of a sum; all of it where the sum is 0."""
    return left / whole if whole > 0 else np.ones(np.shape(left))


def jackknife(
    values: Array,
    of: Any = None,
    times: Array | None = None,
    clusters: Clusters | None = None,
) -> tuple[float, str]:
    """Jackknife standard error of leave-one-out values, or why there is none.

    values: of items, each `times`, or of the units `of` an Estimate, or of clusters.
    """
    if np.isnan(values).any():
        what = "item"
        if clusters is not None:
            what = f"cluster {shown(clusters.names[int(np.argmax(np.isnan(values)))])}"
        elif of is not None:
            what += f" {shown(of.items[int(np.argmax(np.isnan(of._each(values))))])}"
        return np.nan, f"without {what} the value is undefined"
    if times is None:
        times = np.ones(len(values)) if of is None else of._times
    n = times.sum()
    away = values - times @ values / n
    if np.abs(away).max() <= ROUNDING * max(1.0, np.abs(values).max()):
        return 0.0, ""
    return float(np.sqrt((n - 1) / n * (times @ away**2))), ""


def unmoved(clusters: Clusters | None) -> str:
    """Why a standard error of 0 makes no interval."""
    what = "item" if clusters is None else "cluster"
    return f"the standard error is 0: without any {what} the value is the same"


def bootstrap(
    s: Any, confidence: float, repetitions: int, random: np.random.Generator
) -> tuple[float, float]:
    """Percentiles over items, or clusters, drawn with replacement."""
    each = SECONDS * len(s._times) * (1 + s.n_ratings / s.n_items)
    if repetitions * each > LONGEST:
        accepted = f"at most {int(LONGEST / each):,} for so many items (so many"
        accepted += f" would take about {repetitions * each / 60:.0f} minutes)"
        raise _checks.refuse("repetitions", repetitions, accepted)
    drawn, often = s.n_items, s._times / s.n_items
    if s.clusters is not None:
        drawn = len(s.clusters)
        often = np.full(drawn, 1 / drawn)
    values = np.empty(repetitions)
    for b in range(repetitions):
        times = random.multinomial(drawn, often).astype(float)
        values[b] = s._resampled(times if s.clusters is None else times[s.clusters.of])
    lost = int(np.isnan(values).sum())
    if lost:
        told = f"undefined in {lost} of {repetitions} bootstrap samples"
        warn(f"{s.name}: {told}, which are left out")
    if lost == repetitions:
        return np.nan, np.nan
    if np.nanmin(values) == np.nanmax(values):
        warn(f"{s.name}: every bootstrap sample gives {values[0]:g}")
    ends = np.nanquantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(ends[0]), float(ends[1])
