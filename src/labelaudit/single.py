"""Single sampling: inspect n annotations, accept when at most c are erroneous."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np

from . import _checks
from .laws import Law, at_most, law
from .levels import QualityLevels
from .plan import SamplingPlan

# A process's search for n stops with an error here.
LARGEST_SAMPLE = 10_000_000


def single_plan(levels: QualityLevels, lot_size: int | None = None) -> SamplingPlan:
    """The smallest n, with its c, that keeps both risks.

    Parameters
    ----------
    levels : QualityLevels
    lot_size : int, optional
        Sample without replacement from a lot of this size; None is a process.

    Returns
    -------
    SamplingPlan
        Stops at n alone: accepts at c errors or fewer, else rejects. Both risks
        hold exactly, compared with <=, and no smaller n has a c for which they
        do.

    Raises
    ------
    ValueError
        Where the lot is too small to tell the levels apart.

    References
    ----------
    Klie et al. 2024, section 3.3, after Guenther 1969: for each c = 0, 1, ...,
    the smallest n that keeps the consumer's risk; the first c for which this n
    also keeps the producer's risk.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.single_plan(la.STRICT, lot_size=1000)
    >>> plan.max_sample, plan.accept[-1].item()
    (428, 8)
    """
    n, c = smallest_single(levels, lot_size)
    accept, reject = np.full(n + 1, -1), np.arange(1, n + 2)
    accept[n], reject[n] = c, c + 1
    return SamplingPlan(accept, reject, lot_size, levels)


def smallest_single(levels: QualityLevels, lot_size: int | None) -> tuple[int, int]:
    """(n, c) of the single plan."""
    check_levels(levels)
    lot_size = _checks.lot_size(lot_size)
    d_a, d_r = levels.errors(lot_size)
    reach = 1024 if lot_size is None else lot_size
    while True:
        found = _search(levels, law(lot_size, reach), d_a, d_r, reach)
        if found is not None:
            return found
        if reach >= LARGEST_SAMPLE:
            raise _checks.refuse(
                "levels", levels, f"such that n <= {LARGEST_SAMPLE} inspections do"
            )
        reach *= 4


def _search(
    levels: QualityLevels, errors_law: Law, d_a: float, d_r: float, reach: int
) -> tuple[int, int] | None:
    """The first c whose smallest n for the consumer also serves the producer."""
    alpha = _checks.fraction(levels.alpha)

    def producer_kept(n: int, c: int) -> bool:
        risk = float(errors_law.tails(c + 1, n, d_a)[1])
        return at_most(risk, alpha, lambda: 1 - errors_law.exact_cdf(c, n, d_a))

    for c, n in enumerate(consumers_sample_sizes(levels, errors_law, d_r, reach)):
        if producer_kept(n, c):
            return n, c
    return None


def consumers_sample_sizes(
    levels: QualityLevels, errors_law: Law, d_r: float, reach: int
) -> Iterator[int]:
    """For c = 0, 1, ...: the smallest n <= reach with P(X <= c | D_r) <= beta.

    Ends where no n up to reach will do. The risk falls in n, so the search
    gallops from the last c's n and then halves.
    """
    beta = _checks.fraction(levels.beta)

    def kept(n: int, c: int) -> bool:
        risk = float(errors_law.tails(c, n, d_r)[0])
        return at_most(risk, beta, lambda: errors_law.exact_cdf(c, n, d_r))

    n, step = 0, 1
    for c in count():
        low, high = max(n - 1, c), max(n, c) + step
        while high < reach and not kept(high, c):
            low, high = high, high + 2 * (high - low)
        high = min(high, reach)
        if high <= low or (high == reach and not kept(high, c)):
            return
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if kept(middle, c) else (middle, high)
        step, n = max(1, high - n), high
        yield n


def check_levels(levels: QualityLevels) -> None:
    if not isinstance(levels, QualityLevels):
        raise _checks.refuse("levels", levels, "QualityLevels")
