"""The interval with two labels: a few items are added, then the usual formula.

Where raters hardly ever differ, or one label is rare, the sample says little of its own
spread. So half an item is added on which two judges agree, for each of the two labels;
and for the lower end one item on which they differ. At either end the standard error is
that of the sample with these items, on the scale of the square root of 1 - value, on
which a count of disagreements spreads the same however many there are. Half items are
Agresti and Coull's (1998) idea for a proportion, the root is Bartlett's (1936) for a
count, and the item for one end a correction for continuity.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy.special import ndtri

from .._checks import Array
from .units import Units

HALF = 0.5  # of an item

# Items that are added: how many, and labels, each with who gave it and how often.
Added = list[tuple[float, list[tuple[int, int, int]]]]
Judges = list[tuple[int, int]]  # who is paired with whom


class Adjustable(Protocol):
    """A statistic that can be computed with more items, and parts of one."""

    @property
    def adjustable(self) -> bool:
        """Whether two labels are in use."""
        ...

    def with_halves(self, differ: float) -> Adjustable:
        """With half an item for each of the two labels in use, on which two judges
        agree, and `differ` on which they differ."""
        ...

    def influences(self) -> tuple[float, Array, Array]:
        """The coefficient; of each unit how many items it is, and its influence.

        The influence is n times the change of the value for a share of an item more.
        """
        ...


def limits(s: Adjustable, value: float, confidence: float) -> tuple[float, float]:
    """The ends of the interval, which never leaves out the value."""
    z = float(ndtri((1 + confidence) / 2))
    low, high = _end(s, z, 1.0), _end(s, -z, 0.0)
    return max(min(low, value), -1.0), max(high, value)


def _end(s: Adjustable, z: float, differ: float) -> float:
    """One end: so many standard errors further from 1, on the scale of the root."""
    changed = s.with_halves(differ)
    value, times, influence = changed.influences()
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


def halves(two: Array, differ: float, judges: Judges) -> Added:
    """The items that are added, shared evenly by the pairs of judges."""
    a, b = two.tolist()
    kinds = [(HALF, a, a), (HALF, b, b), (differ / 2, a, b), (differ / 2, b, a)]
    return [
        (times / len(judges), [(one, i, 1), (other, k, 1)])
        for i, k in judges
        for times, one, other in kinds
    ]


def extended(units: Units, added: Added) -> Units:
    """Units, and items that are added."""
    unit, label, count, rater = units.judgments
    size = [len(given) for _, given in added]
    more = np.repeat(np.arange(len(added)), size) + len(units.times)
    labels, judges, counts = np.array([one for _, given in added for one in given]).T
    judgments = (
        np.append(unit, more),
        np.append(label, labels),
        np.append(count, counts.astype(float)),
        None if rater is None else np.append(rater, judges),
    )
    m = [sum(count for *_, count in given) for _, given in added]
    times = np.append(units.times, [times for times, _ in added])
    return units._replace(times=times, m=np.append(units.m, m), judgments=judgments)
