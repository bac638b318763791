"""Single sampling: inspect n annotations, accept when at most c are erroneous."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.errors import NEAR, Law, at_most, largest
from .levels import QualityLevels, Task
from .plan import SamplingPlan

SEVERAL = 64  # acceptance numbers that are looked at together


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
        Where the lot is too small to tell the levels apart, or a process's levels
        so close that 10,000,000 inspections would not do.

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
    task = Task(levels, lot_size)
    n, c = smallest_single(task)
    return SamplingPlan.from_stages([(n, c, c + 1)], task.lot_size, levels)


def smallest_single(task: Task) -> tuple[int, int]:
    """(n, c) of the single plan."""
    reach = task.lot_size or 1024
    while (found := _search(task, Law(task.lot_size, reach), reach)) is None:
        if reach >= _checks.LARGEST_LOT:
            accepted = f"far enough apart for at most {_checks.LARGEST_LOT} inspections"
            raise _checks.refuse("levels", task.levels, accepted)
        reach = min(4 * reach, _checks.LARGEST_LOT)
    return found


def _search(task: Task, law: Law, reach: int) -> tuple[int, int] | None:
    """The first c whose smallest n for the consumer also serves the producer.

    For each c the smallest n for the consumer is also the best for the producer, and it
    grows with c, so that the first c that serves both has the smallest n of all.

    Levels close together have many thousands of c that cannot serve both, most of which
    are passed over. Every plan of at most n inspections is a test of n outcomes, the
    later ones unused; it may also toss a coin. The outcomes are exchangeable, so that
    the number of errors x is sufficient, and the likelihood ratio of D_r to D_a grows
    with x. By the lemma of Neyman and Pearson the best such test accepts up to the
    largest c that keeps the consumer's risk, and tosses at c + 1 for the rest of it.
    Where rejecting from c + 2 on is too much for the producer, no plan of at most n
    keeps both risks.
    """
    low, high, most = 0, reach, float(task.alpha) * (1 + NEAR)
    while high - low > SEVERAL:
        some = np.unique(np.geomspace(low + 1, high, SEVERAL).astype(int)) - 1
        n_last = _least(task, law, some + 1, reach) - 1  # with each
        hopeless = int((law.tails(some + 2, n_last, task.d_a)[1] > most).sum())
        low, high = int(some[max(hopeless - 1, 0)]), int([*some, high][hopeless])

    def serves(c: int, n: int) -> bool:
        risk = law.tails(c + 1, n, task.d_a)[1]
        return at_most(risk, task.alpha, lambda: 1 - law.exact_cdf(c, n, task.d_a))

    found = ((n, c) for c, n in samples(task, law, low, reach) if serves(c, n))
    return next(found, None)


def samples(task: Task, law: Law, c: int, reach: int) -> Iterator[tuple[int, int]]:
    """c, c + 1, ..., each with its least n for the consumer, while that is in reach."""
    least = [0]
    while least[-1] <= reach:
        numbers = np.arange(c, c + SEVERAL)
        least = _least(task, law, numbers, reach).tolist()
        yield from ((c, n) for c, n in zip(numbers.tolist(), least) if n <= reach)
        c += SEVERAL


def _least(task: Task, law: Law, c: Array, reach: int) -> Array:
    """For each c the least n to reach with P(X <= c | D_r) <= beta, or more than it."""

    def missed(rows: Array, n: Array) -> Array:
        at = c[rows], n
        risk = law.tails(*at, task.d_r)[0]
        return ~at_most(risk, task.beta, partial(law.exact_cdf, errors=task.d_r), *at)

    return largest(missed, c, np.maximum(c, reach + 1)) + 1


def fixed_sample(n: int, lot_size: int | None = None) -> SamplingPlan:
    """A plan that inspects n annotations and decides nothing: for an estimate.

    As a stopping region it stops at n, whatever was found (and calls that accepted).

    Examples
    --------
    >>> fixed_sample(60, 1000).interval(60, 3)
    (0.012, 0.136)
    """
    return SamplingPlan.from_stages([(n, n, n + 1)], lot_size)
