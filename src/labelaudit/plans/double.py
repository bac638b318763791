"""Double sampling: a first sample decides the clear cases, a second the others."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.errors import Hypergeometric, Law
from ..laws.near import NEAR, at_most
from .levels import QualityLevels
from .plan import SamplingPlan
from .single import consumers_sample_sizes, smallest_single
from .task import Task

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
        raise _checks.refuse(
            "levels",
            levels,
            f"far enough apart for a single plan of at most {LARGEST_SINGLE}"
            f" inspections (here {single_n}); the search would take hours",
        )
    half = None if task.lot_size is None else task.lot_size // 2
    reach = single_n if half is None else min(single_n, half)
    # The ASN is at least n: a plan found with an ASN of less than the next n is
    # the best of all. Where none is found, look further, up to half of the lot.
    while reach:
        found = _Search(task, task.law(2 * reach)).best(reach)
        needed = 2 * reach if found is None else int(found[0])
        following = needed if half is None else min(needed, half)
        if following <= reach:
            if found is None:
                break
            return found[1].plan(task, curtailed)
        reach = following
    raise _checks.refuse(
        "lot_size",
        task.lot_size,
        "large enough for two equal samples that keep both risks",
    )


@dataclass(frozen=True, order=True)
class Stages:
    """A double plan's numbers: two samples of n, and 0 <= c1 < c2."""

    n: int
    c1: int
    c2: int

    def plan(self, task: Task, curtailed: bool = False) -> SamplingPlan:
        """The stopping region; curtailed stops the second sample at error c2 + 1."""
        last = 2 * self.n
        accept, reject = np.full(last + 1, -1), np.arange(1, last + 2)
        if curtailed:
            reject[self.n :] = self.c2 + 1
        accept[self.n], accept[last] = self.c1, self.c2
        reject[self.n] = reject[last] = self.c2 + 1
        return task.plan(accept, reject)

    def keeps(
        self, task: Task, whose: Literal["producer", "consumer"], risk: float
    ) -> bool:
        """Whether the plan keeps a risk, which is about `risk`, exactly."""
        producers = whose == "producer"

        def exact() -> Fraction:
            d = task.d_a if producers else task.d_r
            accepted = self.plan(task).exact_acceptance_probability(d)
            return 1 - accepted if producers else accepted

        return at_most(risk, task.alpha if producers else task.beta, exact)

    def exact_asn(self, law: Law, errors: float) -> Fraction:
        """The average sample number as a fraction, to break ties by."""
        on = [law.exact_pmf(x, self.n, errors) for x in range(self.c1 + 1, self.c2 + 1)]
        return self.n * (1 + sum(on, Fraction(0)))


class _Search:
    """Exhaustive search, first samples in order of a lower bound on the ASN."""

    def __init__(self, task: Task, errors_law: Law) -> None:
        self.task, self.law = task, errors_law
        self.d_a, self.d_r = task.d_a, task.d_r

    def best(self, reach: int) -> tuple[float, Stages] | None:
        """The best plan with n <= reach and its ASN at p_a."""
        # c1 is at most the largest acceptance number that keeps the consumer's
        # risk in one sample of n, c2 at most that of one sample of 2 n.
        sizes = list(consumers_sample_sizes(self.task, self.law, 2 * reach))
        n = np.arange(1, reach + 1)
        c1_max = np.searchsorted(sizes, n, side="right") - 1
        c2_max = np.searchsorted(sizes, 2 * n, side="right") - 1
        n, c1_max, c2_max = (v[c1_max >= 0] for v in (n, c1_max, c2_max))
        if not len(n):
            return None
        # A second sample is drawn where c1 < X1 <= c2, and X1 > c2 is a reject:
        # P(c1 < X1 <= c2) >= P(X1 > c1_max) - alpha at p_a.
        beyond = self.law.tails(c1_max + 1, n, self.d_a)[1] - float(self.task.alpha)
        bound = n * (1 + np.maximum(beyond, 0))
        found: list[tuple[float, Stages]] = []
        least = np.inf
        for i in np.argsort(bound, kind="stable"):
            if bound[i] > least * (1 + NEAR):
                break
            for asn, stages in self._feasible(
                int(n[i]), int(c1_max[i]), int(c2_max[i])
            ):
                if asn <= least * (1 + NEAR):
                    found.append((asn, stages))
                    least = min(least, asn)
        close = [s for asn, s in found if asn <= least * (1 + NEAR)]
        if len(close) > 1:
            close.sort(key=lambda s: (s.exact_asn(self.law, self.d_a), s))
        return (least, close[0]) if close else None

    def _feasible(self, n: int, c1_max: int, c2_max: int) -> list[tuple[float, Stages]]:
        """For each c1 the least c2 that keeps both risks, with its ASN at p_a.

        Acceptance grows with c2 and so does the ASN: the least c2 that serves
        the producer is the best, and serves the consumer if any does.
        """
        reject_a, reached = self._rejection(n, c1_max, c2_max)
        accept_r = self._acceptance(n, c1_max, c2_max)
        maybe = reject_a <= float(self.task.alpha) * (1 + NEAR)
        found = []
        for c1 in range(c1_max + 1):
            for c2 in (c1 + 1 + np.flatnonzero(maybe[c1, c1 + 1 :])).tolist():
                stages = Stages(n, c1, c2)
                if not stages.keeps(self.task, "producer", reject_a[c1, c2]):
                    continue
                if stages.keeps(self.task, "consumer", accept_r[c1, c2]):
                    asn = n * (1 + reached[c1 + 1 : c2 + 1].sum())
                    found.append((float(asn), stages))
                break
        return found

    def _joint(self, n: int, rows: int, columns: int, errors: float) -> Array:
        """P(X1 = i, X1 + X2 = t) for rows i and columns t.

        It is P(t errors in 2 n) C(n, i) C(n, t - i) / C(2 n, t), the second
        sample drawn from what the first has left.
        """
        i, t = np.arange(rows + 1)[:, None], np.arange(columns + 1)
        shares = Hypergeometric(2 * n).pmf(i, t, n)
        return shares * self.law.pmf(t, 2 * n, errors)

    def _acceptance(self, n: int, c1_max: int, c2_max: int) -> Array:
        """P(accept) at p_r for all (c1, c2)."""
        joint = self._joint(n, c2_max, c2_max, self.d_r)
        within = np.cumsum(joint, axis=1)  # P(X1 = i, total <= c2)
        later = np.cumsum(within[::-1], axis=0)[::-1] - within  # X1 > c1
        first = np.cumsum(self.law.pmf(np.arange(c1_max + 1), n, self.d_r))
        return first[:, None] + later[: c1_max + 1]

    def _rejection(self, n: int, c1_max: int, c2_max: int) -> tuple[Array, Array]:
        """P(reject) at p_a for all (c1, c2), and P(X1 = i), i = 0 .. c2_max.

        Summed from its terms up to a total that is never reached.
        """
        last = min(c2_max + 1, 2 * n)
        nothing = 1e-4 * NEAR * float(self.task.alpha)
        while last < 2 * n and self.law.tails(last, 2 * n, self.d_a)[1] > nothing:
            last = min(last + 8 + last // 4, 2 * n)
        joint = self._joint(n, c2_max, last, self.d_a)
        above = np.cumsum(joint[:, ::-1], axis=1)[:, ::-1]  # P(X1 = i, total >= t)
        above = np.pad(above, ((0, 0), (0, 1)))[:, 1 : c2_max + 2]
        above = np.triu(above)  # X1 <= c2 < total
        later = np.cumsum(above[::-1], axis=0)[::-1] - above  # X1 > c1
        first = self.law.pmf(np.arange(last + 1), n, self.d_a)
        beyond = np.append(np.cumsum(first[::-1])[::-1], 0)[1 : c2_max + 2]
        return beyond + later[: c1_max + 1], first[: c2_max + 1]
