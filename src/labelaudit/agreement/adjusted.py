"""The default interval: a few items are added, then the usual formula.

Where raters hardly ever differ, or labels are rare, the sample says little of its own
spread. So one item is added on which all agree, spread evenly over the labels in use,
and for the lower end one more that is split evenly between two labels, spread over the
pairs of labels. Each has as many judgments as items have in the mean. At either end
the value and its standard error are those of the sample with these items, on the scale
of the square root of 1 - value, on which a count of disagreements spreads the same
however many there are.

With clusters whole ones are added, of 1 + (mean - 1) / 3 items, where the mean is that
of the sizes of the items' clusters, and the influences of a cluster's items are added
up. The third was chosen by simulation: as if items of a cluster were so far alike.

Added items are Agresti and Coull's (1998) idea for a proportion, the root is Bartlett's
(1936) for a count, and the item for one end is a correction for continuity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import Array
from .clusters import Clusters, quantile
from .units import Units

MOST = 2**21  # judgments of items that are added


def limits(s: Any, value: float, confidence: float) -> tuple[float, float]:
    """The ends of the interval: from -1 on, and never without the value.

    Each is so many standard errors further from 1, on the scale of the root.
    """
    z, ends = quantile(confidence, s.clusters, worth=True), []
    for split, reach in ((1.0, z), (0.0, -z)):
        at, times, influence = s._with_items(split)._influences()
        root = np.sqrt(max(1 - at, 0.0))
        if root > 0:
            error = spread(times, influence, s.clusters)
            root = max(root + reach * error / (2 * root), 0.0)
        ends.append(float(1 - root**2))
    return min(max(ends[0], -1.0), value), max(ends[1], value)


def spread(times: Array, influence: Array, clusters: Clusters | None = None) -> float:
    """Standard error of a value, by the influences of its items.

    clusters : of the first of them; those after are of clusters that are added
    """
    items = n = times.sum()
    if clusters is not None:
        k, size = len(clusters.of), clusters.added
        of_each = np.bincount(clusters.of, influence[:k])
        influence = np.append(of_each, size * influence[k:])
        times = np.append(np.ones(len(clusters)), times[k:] / size)
        n = times.sum()
    away = influence - times @ influence / n
    variance = float(times @ away**2) * n / (n - 1) if n > 1 else 0.0
    return float(np.sqrt(max(variance, 0.0))) / float(items)


def shown(labels: Array, judges: int, split: float) -> tuple[Array, Array]:
    """What each judge says of the items that are added, (n_items, n_judges, width),
    and how often each item stands: one in all, and `split` in all.

    First one item for each label, on which all agree; then those that are split: two
    judges give a label each, in either way; others, and one who stands for all, each
    give both labels half of the time (a width of 2). They are split between all pairs
    of labels; where that would be too many judgments, between each label and the next.
    """
    q = len(labels)
    a, b = labels, np.roll(labels, 1)
    if q * (q - 1) * judges <= MOST:
        a, b = labels[np.array(np.triu_indices(q, 1))]
    if judges == 2:
        halves = np.array([[*a, *b], [*b, *a]]).T[:, :, None]
    else:
        halves = np.repeat(np.stack([a, b], axis=1)[:, None, :], judges, axis=1)
    agreed = np.broadcast_to(labels[:, None, None], (q, *halves.shape[1:]))
    often = np.repeat([1 / q, split / len(halves)], [q, len(halves)])
    return np.concatenate([agreed, halves]), often


def extended(
    units: Units, said: Array, times: Array, given: Array, raters: Array
) -> Units:
    """Units, and items that are added, of which judges say so.

    given : (n_judges,), judgments by each, of all where they are anonymous
    raters : who they are; none where nobody knows
    """
    n, judges, width = said.shape
    unit, label, count, rater = units.judgments
    others = len(units.times) + np.repeat(np.arange(n), judges * width)
    counts = np.tile(np.repeat(given / width, width), n)
    who = None
    if rater is not None and len(raters):
        who = np.append(rater, np.tile(np.repeat(raters, width), n))
    judged = np.append(unit, others), np.append(label, said), np.append(count, counts)
    return units._replace(
        times=np.append(units.times, times),
        m=np.append(units.m, np.full(n, given.sum())),
        judgments=(*judged, who),
    )
