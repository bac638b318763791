"""Single sampling: inspect n annotations, accept when at most c are erroneous."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import partial

from .. import _checks
from ..laws.errors import Law
from ..laws.near import NEAR, at_most
from .levels import QualityLevels, Task
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
    while (found := _search(task, task.law(reach), reach)) is None:
        if reach >= LARGEST_SAMPLE:
            accepted = f"far enough apart for at most {LARGEST_SAMPLE} inspections"
            raise _checks.refuse("levels", task.levels, accepted)
        reach = min(4 * reach, LARGEST_SAMPLE)
    return found


def _search(task: Task, errors_law: Law, reach: int) -> tuple[int, int] | None:
    """The first c whose smallest n for the consumer also serves the producer.

    For each c the smallest n for the consumer is also the best for the
    producer, and it grows with c, so that the first c that serves both has the
    smallest n of all. The c whose n is below `least_sample` cannot serve both
    and are not tried: levels close together have many thousands of them.
    """

    def producer_kept(n: int, c: int) -> bool:
        risk = float(errors_law.tails(c + 1, n, task.d_a)[1])
        return at_most(
            risk, task.alpha, lambda: 1 - errors_law.exact_cdf(c, n, task.d_a)
        )

    n = least_sample(task, errors_law, reach) or reach + 1
    c = _largest_acceptance(task, errors_law, n - 1, task.beta, -1, n - 2)
    while n <= reach:
        c += 1
        n = consumers_sample(task, errors_law, c, n, reach)
        if n <= reach and producer_kept(n, c):
            return n, c
    return None


def least_sample(task: Task, errors_law: Law, reach: int) -> int | None:
    """A bound that no plan beats: some path of it inspects so many or more.

    The smallest n <= reach at which a test of n inspections that may also toss
    a coin keeps both risks; None where none does. Every plan of at most n
    inspections is such a test: a function of n outcomes, the later ones
    unused. The risks are widened by NEAR, which covers all rounding.

    The outcomes are exchangeable, so that the number of errors x is sufficient,
    and the likelihood ratio of D_r to D_a grows with x. By the lemma of Neyman
    and Pearson the best test accepts up to c and tosses at c + 1 for the rest
    of beta. Whoever has n + 1 outcomes can ignore one: what n does, n + 1 does,
    and n is found by halving.
    """
    d_a, d_r = task.d_a, task.d_r
    most_a, most_r = float(task.alpha) * (1 + NEAR), float(task.beta) * (1 + NEAR)
    found = {0: -1}  # c grows with n, as X does

    def enough(n: int) -> bool:
        low = max(c for size, c in found.items() if size < n)
        high = min((c for size, c in found.items() if size > n), default=n - 1)
        c = found[n] = _largest_acceptance(task, errors_law, n, most_r, low, high)
        accepted = float(errors_law.tails(c, n, d_r)[0]) if c >= 0 else 0.0
        point = float(errors_law.pmf(c + 1, n, d_r))
        toss = min(max((most_r - accepted) / point, 0.0), 1.0) if point else 1.0
        missed = (1 - toss) * float(errors_law.pmf(c + 1, n, d_a))
        if c + 2 <= n:
            missed += float(errors_law.tails(c + 2, n, d_a)[1])
        return missed <= most_a

    if not enough(reach):
        return None
    return 1 + bisect_left(range(1, reach), True, key=enough)


def _rare(task: Task, errors_law: Law, n: int, c: int, beta: float | Fraction) -> bool:
    """Whether P(X <= c | D_r) is at most beta in a sample of n."""
    risk = float(errors_law.tails(c, n, task.d_r)[0])
    return at_most(risk, beta, lambda: errors_law.exact_cdf(c, n, task.d_r))


def _largest_acceptance(
    task: Task, errors_law: Law, n: int, beta: float | Fraction, low: int, high: int
) -> int:
    """The largest c, from low to high, with P(X <= c | D_r) <= beta, else low."""
    tried = range(low + 1, high + 1)
    return low + bisect_left(
        tried, True, key=lambda c: not _rare(task, errors_law, n, c, beta)
    )


def consumers_sample(
    task: Task, errors_law: Law, c: int, least: int, reach: int
) -> int:
    """The least n from `least` to reach with P(X <= c | D_r) <= beta, or reach + 1."""
    sizes = range(least, reach + 1)
    kept = partial(_rare, task, errors_law, c=c, beta=task.beta)
    return least + bisect_left(sizes, True, key=kept)


def fixed_sample(n: int, lot_size: int | None = None) -> SamplingPlan:
    """A plan that inspects n annotations and decides nothing: for an estimate.

    As a stopping region it stops at n, whatever was found (and calls that accepted).

    Examples
    --------
    >>> fixed_sample(60, 1000).interval(60, 3)
    (0.012, 0.136)
    """
    return SamplingPlan.from_stages([(n, n, n + 1)], lot_size)
