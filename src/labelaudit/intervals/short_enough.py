"""Which sample sizes make an interval short enough.

An interval's width is a sawtooth in n, so every n must be judged, but few of them
one by one. With more errors and fewer correct annotations in the sample,
Clopper-Pearson limits rise. So for all n from n1 to n2, whose planned outcomes
have x1 .. x2 errors and g1 .. g2 correct ones, the limits lie between those of
the samples (x1, g2) and (x2, g1): a whole range of n is settled at once where
both say the same, and is halved where they do not. The other methods have bounds
of this kind too; an n that they leave open gets its interval.
"""

from __future__ import annotations

import numpy as np

from .._checks import Array
from .methods import Method, Samples

# Widths this much (relative) too large are equal to what is wanted.
TIE = 1e-10

# A search that would take longer, in seconds, is not begun. To tell, so many sample
# sizes are looked at where there are more.
LONGEST = 60
LOOKED_AT = 512


class TooLongError(Exception):
    """Too many intervals would have to be computed: how many, and in what time."""

    def __init__(self, number: int, seconds: float) -> None:
        super().__init__(number, seconds)
        self.number, self.seconds = number, seconds


def short_enough(planned: Samples, method: Method, widest: float) -> Array:
    """Whether each sample's interval is at most so wide.

    Both counts of the planned samples are nondecreasing. In a lot `widest` is a
    number of errors, of which the interval may hold one more.
    """
    answer = np.zeros(len(planned.x), bool)
    some = np.unique(np.geomspace(1, len(answer), LOOKED_AT).astype(int)) - 1
    samples = planned.only(some)
    left = ~np.logical_or(*_settled(samples, samples, method, widest))
    if left.any():
        number = int(np.diff(some, append=len(answer))[left].sum())
        seconds = number * float(method.seconds(samples.n[left]).mean())
        if seconds > LONGEST:
            raise TooLongError(number, seconds)
    first, last = np.array([0]), np.array([len(answer) - 1])
    while len(first):
        fewest = Samples(planned.x[first], planned.good[last])
        most = Samples(planned.x[last], planned.good[first])
        short, wide = _settled(fewest, most, method, widest)
        for i, j in zip(first[short].tolist(), last[short].tolist()):
            answer[i : j + 1] = True
        one = first[(first == last) & ~short & ~wide]
        if len(one):
            samples = planned.only(one)
            low, high = method.limits(samples.x, samples.n)
            answer[one] = high - low <= widest * (1 + TIE)
        open_ = (first < last) & ~short & ~wide
        first, last = first[open_], last[open_]
        middle = (first + last) // 2
        first, last = np.append(first, middle + 1), np.append(middle, last)
    return answer


def _settled(
    fewest: Samples, most: Samples, method: Method, widest: float
) -> tuple[Array, Array]:
    """Whether the intervals of all samples between are short, and whether wide.

    Wide, if errors more than `widest` apart are within all limits; short, if all
    limits lie between errors so far apart.
    """
    x, n = (fewest.x + most.x) / 2, (fewest.n + most.n) / 2
    size = method.lot_size
    whole = size or 1.0
    share = method.centre(x, n)
    if size is None:
        low = np.clip(share - widest / 2, 0.0, max(1.0 - widest, 0.0))
        high, outside = low + widest, low
    else:
        low = np.floor(share * size - widest / 2).astype(np.int64)
        low = np.clip(low, 0, max(size - int(widest) - 1, 0))
        high, outside = low + int(widest) + 1, low - 1
    reverse, mirrored = (most.mirror(), fewest.mirror()), method.mirror()

    short = (high > whole) if size else (high >= whole)
    rows = np.flatnonzero(~short)
    short[rows] = method.beyond(fewest.only(rows), most.only(rows), high[rows])
    rows = np.flatnonzero(short & ((outside >= 0) if size else (outside > 0)))
    short[rows] = mirrored.beyond(
        reverse[0].only(rows), reverse[1].only(rows), whole - outside[rows]
    )
    wide = ~short & (high <= whole)
    rows = np.flatnonzero(wide)
    wide[rows] = method.not_above(fewest.only(rows), high[rows])
    rows = np.flatnonzero(wide)
    wide[rows] = mirrored.not_above(reverse[0].only(rows), whole - low[rows])
    return short, wide
