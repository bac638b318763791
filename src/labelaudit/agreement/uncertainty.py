"""How sure a value is: its jackknife error, its default interval, the bootstrap.

The default interval: a few items are added, then the usual formula.

Where raters hardly ever differ, or labels are rare, the sample says little of its own
spread. So one item is added on which all agree, spread evenly over the labels in use,
and for the lower end one more that is split evenly between two labels, spread over the
pairs of labels. Each has as many judgments as items have in the mean. At either end
the value and its standard error are those of the sample with these items, on the scale
of the square root of 1 - value, on which a count of disagreements spreads the same
however many there are.

With clusters whole ones are added, of 1 + (mean - 1) r items, the design effect (Kish
1965) with the mean of the sizes of the items' clusters. The r is the correlation r' of
the influences of a cluster's items, drawn toward .8 as if four clusters more had shown
that, r = (g r' + 4 x .8) / (g + 4); in g, clusters count as far as the sums s of their
influences tell, g = (sum s^2)^2 / sum s^4; where no two judgments of an item differ,
nothing tells of it, and g is 0. The error is that of the values without each cluster.
The .8, the four and the degrees of freedom were chosen by simulation.

Added items are Agresti and Coull's (1998) idea for a proportion, the root is Bartlett's
(1936) for a count, and the item for one end is a correction for continuity.
"""

from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from .. import _checks
from .._checks import Array
from .._words import label_name, percent, several, warn, whole
from .clusters import Clusters
from .sample import MANY, PATIENCE, ROUNDING, Sample, cells

# Share of one label from which on the interval warns, where distances differ.
SKEWED = 3 / 4
FEW = 5  # items with a label, below which the interval warns of it

MORE, ALIKE = 4, 0.8  # clusters that stand for what is not known, and are so far alike

# What a repetition of the bootstrap takes for each item and judgment.
SECONDS = 6e-8


def jackknife(changes: Array, value: float, times: Array) -> float:
    """Jackknife standard error of a value; NaN where a change is, or where of very many
    none is more than rounding.

    changes, times : of the value without an item, or cluster, of each kind; how many
    """
    n = times.sum()
    away = changes - times @ changes / n
    most, size = n * np.abs(away).max(), max(1.0, abs(value), np.abs(changes).max())
    if most <= 10 * ROUNDING * size:
        return np.nan if most > 0 and n > MANY else 0.0
    return float(np.sqrt((n - 1) / n * (times @ away**2)))


def bootstrap(
    s: Any, confidence: float, repetitions: int, random: np.random.Generator
) -> tuple[float, float]:
    """Percentiles over items, or clusters, drawn with replacement."""
    each = SECONDS * len(s._times) * (1 + s.n_ratings / s.n_items)
    if repetitions * each > PATIENCE:
        accepted = f"at most {int(PATIENCE / each):,} for so many items (so many"
        accepted += f" would take about {repetitions * each / 60:.0f} minutes)"
        raise _checks.refuse("repetitions", repetitions, accepted)
    of, often, values = slice(None), s._times, np.empty(repetitions)
    if s.clusters is not None:
        of, often = s.clusters.of, np.ones(len(s.clusters))
    n = int(often.sum())
    for b in range(repetitions):
        values[b] = s._resampled(random.multinomial(n, often / n).astype(float)[of])
    known = values[~np.isnan(values)]
    if lost := repetitions - len(known):
        told = f"undefined in {lost} of {repetitions} bootstrap samples"
        warn(f"{s.name}: {told}, which are left out")
    if len(known) == 0:
        return np.nan, np.nan
    if known.min() == known.max():
        warn(f"{s.name}: every bootstrap sample gives {known[0]:g}")
    ends = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(ends[0]), float(ends[1])


def quantile(
    confidence: float, clusters: Clusters | None, *, root: bool = False
) -> float:
    """Of the normal distribution, or of Student's with one degree of freedom fewer than
    there are clusters, or than the root of this times what they are worth."""
    p = (1 + confidence) / 2
    if clusters is None:
        return float(ndtri(p))
    number = np.sqrt(len(clusters) * clusters.effective) if root else len(clusters)
    return float(stdtrit(number - 1, p))


def limits(s: Any, confidence: float) -> tuple[float, float]:
    """The ends of the interval: from -1 on, and never without the value."""
    size = 1.0 if s.clusters is None else items_of_added(s)
    z, ends = quantile(confidence, s.clusters, root=True), []
    for split, reach in ((1.0, z), (0.0, -z)):
        more = s._sample.plus(*s._sample.added(split), size)
        at, error = spread(more, s.clusters, size)
        ends.append(end(1 - at, error, reach))
    return min(max(ends[0], -1.0), s.value), max(ends[1], s.value)


def end(disagreement: float, error: float, reach: float) -> float:
    """So many standard errors from 1 - disagreement, on the scale of the root."""
    root = np.sqrt(max(disagreement, 0.0))
    if root > 0:
        root = max(root + reach * error / (2 * root), 0.0)
    return float(1 - root**2)


def items_of_added(s: Any) -> float:
    """1 + (mean - 1) r, how many items a cluster has that is added."""
    of, m = s.clusters.of, s.clusters.sizes
    *_, influence = s._sample.plus(*s._sample.added(1.0)).influences()
    influence = influence[: len(of)]
    squares = np.bincount(of, influence) ** 2
    told = squares.sum() ** 2 / max(squares @ squares, 1e-300)
    alike = s.clusters.alike(influence)
    if np.isnan(alike) or not s._sample.observed.any():  # nothing tells of it
        told = alike = 0.0
    r = (told * alike + MORE * ALIKE) / (told + MORE)
    return float(1 + (m @ m / m.sum() - 1) * r)


def spread(more: Sample, clusters: Clusters | None, size: float) -> tuple[float, float]:
    """A value, and its standard error: by the influences of items, or by the values
    without each cluster, if there are any of several items.

    clusters : of the first items; those after are of added ones, `size` items in each
    """
    value, times, influence = more.influences()
    n = times.sum()
    moves, scale = influence / n, n / (n - 1) if n > 1 else 0.0
    if clusters is not None and len(clusters) < len(clusters.of):
        k, groups = len(clusters.of), len(clusters)
        # What is added is a part of its own, which is not left out.
        part = np.append(clusters.of, np.full(len(times) - k, groups))
        changes = more.changes(part, groups + 1)[:groups]
        moves = np.append(-changes, size * moves[k:])
        times = np.append(np.ones(groups), times[k:] / size)
        n = times.sum()
        scale = (n - 1) / n
    away = moves - times @ moves / n
    return value, float(np.sqrt(times @ away**2 * scale))


def skewed(a: Any) -> str:
    """With distances that differ: whether one label has nearly all judgments."""
    s = a._sample
    if s is None or s.distance is None or s.distance.name == "nominal":
        return ""
    share = s.totals.max() / max(s.totals.sum(), 1)
    if a.undefined or len(s.labels) < 3 or share <= SKEWED:
        return ""
    return (
        f"{label_name(s.labels[s.totals.argmax()])} has {percent(share)} of the"
        " judgments, and a rare label that is far from it may be missing by chance: an"
        " interval may be far too short"
    )


def rare(a: Any) -> str:
    """Labels that few items have."""
    if a.distance is None or a.distance.name != "nominal":
        return ""
    unit, label, count, _ = a._sample.units.judgments
    unit, label, _ = cells(unit, label, count, len(a.labels))
    items = np.bincount(label, a._times[unit], len(a.labels))
    few = a.labels[(items > 0) & (items < FEW)]
    if len(few) == 0:
        return ""
    each = "each " * (len(few) > 1)
    told = f"{several(map(whole, few))}: {each}on fewer than {FEW} items, so that"
    return f"{told} an interval hangs on single ones"
