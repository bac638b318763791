"""Double sampling: a first sample decides the clear cases, a second the others."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.errors import NEAR, Law, at_most
from .levels import QualityLevels, Task
from .plan import SamplingPlan
from .single import samples, smallest_single

# The search for a double plan is not begun beyond this single plan's n.
LARGEST_SINGLE = 50_000


def double_plan(
    levels: QualityLevels,
    lot_size: int | None = None,
    *,
    curtailed: bool = False,
) -> SamplingPlan:
    """The double plan with the least average sample number at p_a.

    After a first sample of n accept at c1 errors or fewer and reject at c2 + 1 or
    more; else draw a second sample of n, and accept at c2 in total or fewer. Among
    all such plans with 0 <= c1 < c2 that keep both risks exactly, the one with the
    least (uncurtailed) average sample number at p_a; ties: smaller n, then c1, then
    c2.

    Parameters
    ----------
    levels : QualityLevels
    lot_size : int, optional
        Sample without replacement from a lot of this size; None is a process.
    curtailed : bool, default False
        Stop the second sample at error c2 + 1. The first is always inspected
        whole, so that it estimates the error rate (Klie et al. 2024).

    Returns
    -------
    SamplingPlan

    Raises
    ------
    ValueError
        Where the lot is too small to tell the levels apart or for two samples,
        or the levels so close that the single plan needs more than 50,000
        inspections. Near that the search takes minutes.

    References
    ----------
    Klie et al. 2024, section 3.3. Their plans come from a heuristic search that
    draws the second sample as if the first had been put back; see
    labelaudit.as_published. This search is exhaustive, with the second sample
    drawn from what the first has left.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.double_plan(la.STRICT, lot_size=1000).stages
         n  accept  reject
    0  243       3       9
    1  486       8       9
    """
    curtailed = _checks.switch("curtailed", curtailed)
    task = Task(levels, lot_size)
    single_n, _ = smallest_single(task)
    if single_n > LARGEST_SINGLE:
        accepted = f"far enough apart for a single plan of at most {LARGEST_SINGLE}"
        accepted += f" inspections (here {single_n}); the search would take hours"
        raise _checks.refuse("levels", levels, accepted)
    half = (task.lot_size or 2**40) // 2  # a process has no end
    reach, found = min(single_n, half), None
    # The ASN is at least n: a plan found with an ASN of less than the next n is
    # the best of all. Where none is found, look further, up to half of the lot.
    while reach:
        found = _best(task, Law(task.lot_size, 2 * reach), reach)
        needed = min(2 * reach if found is None else int(found[0]), half)
        if needed <= reach:
            break
        reach = needed
    if found is None:
        accepted = "large enough for two equal samples that keep both risks"
        raise _checks.refuse("lot_size", task.lot_size, accepted)
    return found[1].plan(task, curtailed)


class Stages(NamedTuple):
    """A double plan's numbers: two samples of n, and 0 <= c1 < c2."""

    n: int
    c1: int
    c2: int

    def plan(self, task: Task, curtailed: bool) -> SamplingPlan:
        """The stopping region; curtailed stops the second sample at error c2 + 1."""
        n, last, beyond = self.n, 2 * self.n, self.c2 + 1
        rows = [(n, self.c1, beyond), (last, self.c2, beyond)]
        if curtailed:
            rows[1:1] = [(later, -1, beyond) for later in range(n + 1, last)]
        return SamplingPlan.from_stages(rows, task.lot_size, task.levels)

    def rejected(self, task: Task) -> Fraction:
        """The producer's risk as a fraction."""
        return 1 - self.plan(task, False).exact_acceptance_probability(task.d_a)

    def accepted(self, task: Task) -> Fraction:
        """The consumer's risk as a fraction."""
        return self.plan(task, False).exact_acceptance_probability(task.d_r)

    def exact_asn(self, law: Law, errors: float) -> Fraction:
        """The average sample number as a fraction, to break ties by."""
        return self.n * (1 + law.exact_cdf(self.c2, self.n, errors, low=self.c1 + 1))


def _best(task: Task, law: Law, reach: int) -> tuple[float, Stages] | None:
    """The best plan with n <= reach and its ASN at p_a.

    First samples are tried in order of a lower bound on the ASN.
    """
    # c1 is at most the largest acceptance number that keeps the consumer's
    # risk in one sample of n, c2 at most that of one sample of 2 n.
    sizes = [size for _, size in samples(task, law, 0, 2 * reach)]
    n = np.arange(sizes[0] if sizes else reach + 1, reach + 1)
    c1_max, c2_max = (np.searchsorted(sizes, m, side="right") - 1 for m in (n, 2 * n))
    # A second sample is drawn where c1 < X1 <= c2, and X1 > c2 is a reject:
    # P(c1 < X1 <= c2) >= P(X1 > c1_max) - alpha at p_a.
    beyond = law.tails(c1_max + 1, n, task.d_a)[1] - float(task.alpha)
    bound = n * (1 + np.maximum(beyond, 0))
    found: list[tuple[float, Stages]] = []
    least = np.inf
    for i in np.argsort(bound, kind="stable"):
        if bound[i] > least * (1 + NEAR):
            break
        found += _feasible(task, law, int(n[i]), int(c1_max[i]), int(c2_max[i]))
        least = min((asn for asn, _ in found), default=np.inf)
        found = [one for one in found if one[0] <= least * (1 + NEAR)]
    alike = [(one.exact_asn(law, task.d_a), one) for _, one in found]
    return (least, min(alike)[1]) if alike else None


def _feasible(
    task: Task, law: Law, n: int, c1_max: int, c2_max: int
) -> Iterator[tuple[float, Stages]]:
    """For each c1 the least c2 that keeps both risks, with its ASN at p_a.

    Acceptance grows with c2 and so does the ASN: the least c2 that serves
    the producer is the best, and serves the consumer if any does.
    """
    reject_a, accept_r, first = _risks(task, law, n, c1_max, c2_max)
    for c1, some in enumerate(reject_a <= float(task.alpha) * (1 + NEAR)):
        for c2 in (c1 + 1 + np.flatnonzero(some[c1 + 1 :])).tolist():
            stages = Stages(n, c1, c2)
            if at_most(reject_a[c1, c2], task.alpha, partial(stages.rejected, task)):
                if at_most(accept_r[c1, c2], task.beta, partial(stages.accepted, task)):
                    yield n * (1 + float(first[c1 + 1 : c2 + 1].sum())), stages
                break


def _risks(
    task: Task, law: Law, n: int, c1_max: int, c2_max: int
) -> tuple[Array, Array, Array]:
    """P(reject) at p_a and P(accept) at p_r for all c1 < c2; P(X1 = i) at p_a.

    The two samples hold t errors, i of them the first, with P(t errors in 2 n)
    C(n, i) C(n, t - i) / C(2 n, t): the second is drawn from what the first has
    left. Rejection is summed from its terms up to a total that is never reached.
    """
    last, nothing = c2_max + 1, 1e-4 * NEAR * float(task.alpha)
    while last < 2 * n and law.tails(last, 2 * n, task.d_a)[1] > nothing:
        last = min(last + 8 + last // 4, 2 * n)
    i, t = np.arange(c2_max + 1)[:, None], np.arange(last + 1)
    shares = Law(2 * n).pmf(i, t, n)
    first_a, first_r = (law.pmf(t, n, d) for d in task.errors)
    both_a, both_r = (shares * law.pmf(t, 2 * n, d) for d in task.errors)
    rejected = np.triu(_beyond(both_a)[:, : c2_max + 1])  # X1 = i <= c2 < total
    accepted = np.cumsum(both_r, axis=1)[:, : c2_max + 1]  # X1 = i, total <= c2
    later_a, later_r = (_beyond(p.T).T[: c1_max + 1] for p in (rejected, accepted))
    reject_a = _beyond(first_a)[: c2_max + 1] + later_a
    accept_r = np.cumsum(first_r)[: len(later_r), None] + later_r
    return reject_a, accept_r, first_a


def _beyond(masses: Array) -> Array:
    """Along the last axis: the sums above all places but the last."""
    return np.cumsum(masses[..., :0:-1], axis=-1)[..., ::-1]
