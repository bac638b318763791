"""Sequential sampling: Wald's probability ratio test, in a lot or a process."""

from fractions import Fraction

import numpy as np

from .. import _checks
from .._checks import Array
from .._digits import significant
from .._words import warn
from ..laws.errors import NEAR, Law, largest, settled
from .levels import QualityLevels, Task
from .plan import SamplingPlan
from .single import smallest_single
from .written import risks

# No path of the test is longer: that would take minutes.
LONGEST_TEST = 2_000_000


def sequential_plan(
    levels: QualityLevels,
    lot_size: int | None = None,
    *,
    max_sample: int | None = None,
    forced_acceptance: int | None = None,
) -> SamplingPlan:
    """Wald's sequential test as defined: Meeker's limits in a lot, lines in a process.

    With the likelihood ratio of p_r against p_a after n inspections: accept where
    it is below beta / (1 - alpha), reject where it is above (1 - beta) / alpha.

    Parameters
    ----------
    levels : QualityLevels
    lot_size : int, optional
        Sample without replacement from a lot of this size; None is a process.
    max_sample : int, optional
        Truncate: at this n, accept when at most forced_acceptance errors were
        found, else reject. Without it, a lot's plan ends where its limits meet;
        a process's is truncated at three times the single plan's n.
    forced_acceptance : int, optional
        Acceptance number at the truncation; by default the single plan's c. Not
        used where a lot's limits meet before.

    Returns
    -------
    SamplingPlan

    Warns
    -----
    UserWarning
        Where a risk is missed, with the exact risks: Wald's limits promise them
        approximately only, and truncation costs more.

    Raises
    ------
    ValueError
        Where the lot is too small to tell the levels apart, or max_sample or
        forced_acceptance is out of range.

    References
    ----------
    Wald 1947; Meeker 1975, Eq. 2.12 (lots); Duncan 1959, Part 2 VIII 2.1
    (processes); Klie et al. 2024, section 3.3.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.sequential_plan(la.STRICT, lot_size=1000)
    >>> plan.decide([0] * 300)
    Decision(verdict='accept', inspected=136, errors_found=0)
    """
    task, c, note = Task(levels, lot_size), forced_acceptance, "Wald's sequential test"
    end, cut = _truncation(task, max_sample)
    if c is not None:
        if not cut:
            accepted = "None where max_sample is None"
            raise _checks.refuse("forced_acceptance", c, accepted)
        c = _checks.count("forced_acceptance", c, 0, end)
    accept, reject = wald_limits(levels, task.lot_size, end)
    met = np.flatnonzero(accept + 1 >= reject)
    if len(met) and (met[0] < end or not cut):
        end = int(met[0])
        note += f" (its limits meet at {end})"
    else:
        c = smallest_single(task)[1] if c is None else c
        accept[end], reject[end] = c, c + 1
        note += f"{cut}, where it accepts at {c} errors or fewer"
    limits = accept[: end + 1], reject[: end + 1]
    plan = SamplingPlan(*limits, task.lot_size, levels, note)
    missed = [
        f"{whose} risk is {significant(risk, 4)}, above {limit:g}"
        for whose, risk, limit, kept, *_ in risks(plan)
        if not kept
    ]
    if missed:
        warn(f"{note} misses its levels: {'; '.join(missed)}.")
    return plan


def _truncation(task: Task, max_sample: int | None) -> tuple[int, str]:
    """The last n that is looked at, and what the note says where it cuts the test."""
    end, cut = task.lot_size or 0, ""
    if max_sample is not None:
        end = _checks.count("max_sample", max_sample, 1, end or LONGEST_TEST)
        cut = f", truncated at {end}"
    elif task.lot_size is None:
        single_n, _ = smallest_single(task)
        end, cut = 3 * single_n, f", truncated at 3 x {single_n}, the single plan's n"
    if end > LONGEST_TEST:
        accepted = f"at most {LONGEST_TEST:,}, and given where the test might inspect"
        raise _checks.refuse("max_sample", max_sample, f"{accepted} more, here {end:,}")
    return end, cut


def wald_limits(
    levels: QualityLevels, lot_size: int | None, max_sample: int
) -> tuple[Array, Array]:
    """Limits for n = 0 .. max_sample: Meeker's in a lot, Wald's lines in a process.

    Accept where the likelihood ratio P(x; D_r) / P(x; D_a) is below beta / (1 -
    alpha), reject where it is above (1 - beta) / alpha (Meeker 1975, Eq. 2.12). A
    ratio of n trials of a process is below or above beyond two lines in x and n
    (Duncan 1959, Eq. 26). The log ratio rises with x, so each limit is found by
    halving, for many n at once; what rounding could decide is settled exactly, so
    that the test goes on where the ratio equals its bound.
    """
    d_a, d_r = levels.errors(lot_size)
    alpha, beta = _checks.fraction(levels.alpha), _checks.fraction(levels.beta)
    errors_law, n = Law(lot_size, max_sample), np.arange(max_sample + 1)

    def log_ratio(x: Array, n: Array) -> Array:
        """Infinite where one of the two is impossible; of both, by whether x > D_a."""
        with np.errstate(invalid="ignore"):
            value = errors_law.log_pmf(x, n, d_r) - errors_law.log_pmf(x, n, d_a)
        return np.where(np.isnan(value), np.where(x > d_a, np.inf, -np.inf), value)

    def smallest(bound: Fraction, above: bool) -> Array:
        """The smallest x whose ratio is above (or at) the bound; n + 1 if none."""
        limit = float(np.log(float(bound)))

        def exact(x: int, n: int) -> int:
            good, bad = (errors_law.exact_cdf(x, n, d, low=x) for d in (d_a, d_r))
            return (bad / good > bound) - (bad / good < bound)

        def below(n: Array, x: Array) -> Array:
            excess = log_ratio(x, n) - limit
            sign = settled(np.sign(excess), np.abs(excess) < NEAR, exact, x, n)
            return sign <= 0 if above else sign < 0

        return largest(below, np.full_like(n, -1), n + 1) + 1

    accept = smallest(beta / (1 - alpha), above=False) - 1
    return accept, smallest((1 - beta) / alpha, above=True)
