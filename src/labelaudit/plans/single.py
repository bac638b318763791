"""Single sampling: inspect n annotations, accept when at most c are erroneous."""

from bisect import bisect_left
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


def _search(task: Task, law: Law, reach: int) -> tuple[int, int] | None:
    """The first c whose smallest n for the consumer also serves the producer.

    For each c the smallest n for the consumer is also the best for the
    producer, and it grows with c, so that the first c that serves both has the
    smallest n of all. The c whose n is below `least_sample` cannot serve both
    and are not tried: levels close together have many thousands of them.
    """

    def producer_kept(n: int, c: int) -> bool:
        risk = float(law.tails(c + 1, n, task.d_a)[1])
        return at_most(risk, task.alpha, lambda: 1 - law.exact_cdf(c, n, task.d_a))

    n = least_sample(task, law, reach)
    c = largest_acceptance(task, law, n - 1)
    while n <= reach:
        c += 1
        n = consumers_sample(task, law, c, n, reach)
        if n <= reach and producer_kept(n, c):
            return n, c
    return None


def least_sample(task: Task, law: Law, reach: int) -> int:
    """A bound that no plan beats: some path of it inspects so many or more.

    Every plan of at most n inspections is a test of n outcomes, the later ones
    unused; it may also toss a coin. The outcomes are exchangeable, so that the number
    of errors x is sufficient, and the likelihood ratio of D_r to D_a grows with x. By
    the lemma of Neyman and Pearson the best such test accepts up to the largest c that
    keeps the consumer's risk, and tosses at c + 1 for the rest of it. Where rejecting
    from c + 2 on is too much for the producer, no plan of at most n keeps both risks.
    """

    def enough(n: int) -> bool:
        c = largest_acceptance(task, law, n)
        missed = float(law.tails(c + 2, n, task.d_a)[1]) if c + 2 <= n else 0.0
        return missed <= float(task.alpha) * (1 + NEAR)

    return 1 + bisect_left(range(1, reach + 1), True, key=enough)


def _kept(task: Task, law: Law, n: int, c: int) -> bool:
    """Whether P(X <= c | D_r) is at most beta in a sample of n."""
    risk = float(law.tails(c, n, task.d_r)[0])
    return at_most(risk, task.beta, lambda: law.exact_cdf(c, n, task.d_r))


def largest_acceptance(task: Task, law: Law, n: int) -> int:
    """The largest c that keeps the consumer's risk in a sample of n, or -1."""
    lost = bisect_left(range(n), True, key=lambda c: not _kept(task, law, n, c))
    return lost - 1


def consumers_sample(task: Task, law: Law, c: int, least: int, reach: int) -> int:
    """The least n from `least` to reach with P(X <= c | D_r) <= beta, or reach + 1."""
    kept = partial(_kept, task, law, c=c)
    return least + bisect_left(range(least, reach + 1), True, key=kept)


def fixed_sample(n: int, lot_size: int | None = None) -> SamplingPlan:
    """A plan that inspects n annotations and decides nothing: for an estimate.

    As a stopping region it stops at n, whatever was found (and calls that accepted).

    Examples
    --------
    >>> fixed_sample(60, 1000).interval(60, 3)
    (0.012, 0.136)
    """
    return SamplingPlan.from_stages([(n, n, n + 1)], lot_size)
