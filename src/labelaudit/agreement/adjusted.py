"""The default interval: a few items are added, then the usual formula.

Where raters hardly ever differ, or labels are rare, the sample says little of its own
spread. So one item is added on which all agree, spread evenly over the labels in use,
and for the lower end one more that is split evenly between two labels, spread over the
pairs of labels. Each has as many judgments as items have in the mean. At either end
the value and its standard error are those of the sample with these items, on the scale
of the square root of 1 - value, on which a count of disagreements spreads the same
however many there are.

Added items are Agresti and Coull's (1998) idea for a proportion, the root is Bartlett's
(1936) for a count, and the item for one end is a correction for continuity.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import ndtri

from .._checks import Array
from .units import Judged, Units

MOST = 2**21  # judgments of items that are added


class Added(NamedTuple):
    """Items that are added: of each how often it stands, and its judgments.

    times, m : (n_added,); judgments : unit, label, count, rater
    """

    times: Array
    m: Array
    judgments: Judged


class Adjustable(Protocol):
    """A statistic that can be computed with more items, and parts of one."""

    def with_items(self, split: float) -> Adjustable:
        """With one item on which all agree, and `split` that are split."""
        ...

    def influences(self) -> tuple[float, Array, Array]:
        """The coefficient; of each unit how many items it is, and its influence.

        The influence is n times the change of the value for a share of an item more.
        """
        ...


def limits(s: Adjustable, value: float, confidence: float) -> tuple[float, float]:
    """The ends of the interval: from -1 on, and never without the value."""
    z = float(ndtri((1 + confidence) / 2))
    low, high = _end(s, z, 1.0), _end(s, -z, 0.0)
    return min(max(low, -1.0), value), max(high, value)


def _end(s: Adjustable, z: float, split: float) -> float:
    """One end: so many standard errors further from 1, on the scale of the root."""
    value, times, influence = s.with_items(split).influences()
    root = np.sqrt(max(1 - value, 0.0))
    if root == 0:
        return 1.0
    return float(1 - max(root + z * spread(times, influence) / (2 * root), 0.0) ** 2)


def spread(times: Array, influence: Array) -> float:
    """Standard error of a value, by the influences of its items."""
    n = times.sum()
    away = influence - times @ influence / n
    variance = float(times @ away**2) / n / (n - 1) if n > 1 else 0.0
    return float(np.sqrt(max(variance, 0.0)))


def pairs(labels: Array, judges: int) -> Array:
    """Pairs of labels to split items between, (2, n_pairs).

    All; where that would be too many judgments, each label and the next.
    """
    q = len(labels)
    if q * (q - 1) * judges <= MOST:
        return labels[np.array(np.triu_indices(q, 1))]
    return np.array([labels, np.roll(labels, 1)])


def shown(labels: Array, judges: int) -> Array:
    """What each judge says of the items that are added, (n_items, n_judges, width).

    First one item for each label, on which all agree; then those that are split: two
    judges give a label each, in either way; others, and one who stands for all, each
    give both labels half of the time (a width of 2).
    """
    a, b = pairs(labels, judges)
    if judges == 2:
        split = np.array([[*a, *b], [*b, *a]]).T[:, :, None]
    else:
        split = np.repeat(np.stack([a, b], axis=1)[:, None, :], judges, axis=1)
    agreed = np.broadcast_to(labels[:, None, None], (len(labels), *split.shape[1:]))
    return np.concatenate([agreed, split])


def often(labels: int, items: int, split: float) -> Array:
    """How often each of these stands: one in all, and `split` in all."""
    rest = items - labels
    return np.repeat([1 / labels, split / rest], [labels, rest])


def added(said: Array, times: Array, given: Array) -> Added:
    """Items of which judges say so; given : (n_judges,), judgments by each, of all
    where they are anonymous."""
    n, judges, width = said.shape
    unit = np.repeat(np.arange(n), judges * width)
    count = np.tile(np.repeat(given / width, width), n)
    rater = np.tile(np.repeat(np.arange(judges), width), n)
    return Added(times, np.full(n, given.sum()), (unit, said.ravel(), count, rater))


def items(labels: Array, given: Array, split: float) -> Added:
    """One item on which all agree, and `split` that are split, over labels in use."""
    said = shown(labels, len(given))
    return added(said, often(len(labels), len(said), split), given)


def extended(units: Units, added: Added, raters: Array | None = None) -> Units:
    """Units, and items that are added; raters: those who are the judges."""
    unit, label, count, rater = units.judgments
    more, labels, counts, judges = added.judgments
    who = None
    if rater is not None and raters is not None and len(raters):
        who = np.append(rater, raters[judges])
    judgments = (
        np.append(unit, more + len(units.times)),
        np.append(label, labels),
        np.append(count, counts),
        who,
    )
    times, m = np.append(units.times, added.times), np.append(units.m, added.m)
    return units._replace(times=times, m=m, judgments=judgments)
