"""Sequential sampling: Wald's probability ratio test, in a lot or a process."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from .._digits import significant
from ..laws.errors import Hypergeometric
from ..laws.halving import largest
from ..laws.near import NEAR, settled
from .levels import QualityLevels
from .plan import SamplingPlan
from .single import smallest_single
from .task import Task

# No path of the test is longer: that would take minutes.
LARGEST_SAMPLE = 2_000_000


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
        Acceptance number at the truncation; by default the single plan's c.

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
    task = Task(levels, lot_size)
    lot_size = task.lot_size
    note = "Wald's sequential test"
    if max_sample is not None:
        most = _checks.LARGEST_LOT if lot_size is None else lot_size
        end = _checks.count("max_sample", max_sample, 1, most)
        note += f", truncated at {end}"
    elif lot_size is None:
        single_n, _ = smallest_single(task)
        end = 3 * single_n
        note += f", truncated at 3 x {single_n}, the single plan's n"
    else:
        end = lot_size
    if end > LARGEST_SAMPLE:
        raise _checks.refuse(
            "max_sample",
            max_sample,
            f"at most {LARGEST_SAMPLE:,}, and given where the test might inspect more,"
            f" here {end:,}",
        )
    truncated = max_sample is not None or lot_size is None
    if forced_acceptance is not None:
        if not truncated:
            raise _checks.refuse(
                "forced_acceptance", forced_acceptance, "None where max_sample is None"
            )
        forced_acceptance = _checks.count(
            "forced_acceptance", forced_acceptance, 0, end
        )
    if lot_size is None:
        accept, reject = wald_lines(levels, end)
    else:
        accept, reject = meeker_limits(levels, lot_size, end)
    met = np.flatnonzero(accept + 1 >= reject)
    if len(met) and (met[0] < end or not truncated):
        end = int(met[0])
        note = f"Wald's sequential test (its limits meet at {end})"
    else:
        if forced_acceptance is None:
            _, forced_acceptance = smallest_single(task)
        accept[end], reject[end] = forced_acceptance, forced_acceptance + 1
        note += f", where it accepts at {forced_acceptance} errors or fewer"
    plan = task.plan(accept[: end + 1], reject[: end + 1], note=note)
    warn_of_missed_risks(plan)
    return plan


def warn_of_missed_risks(plan: SamplingPlan) -> None:
    """A UserWarning, addressed to the caller's caller, where a risk is missed."""
    levels, kept = plan.levels, plan.keeps_risks
    if levels is None or kept is None or all(kept):
        return
    missed = [
        f"{name} risk is {significant(risk, 4)}, above {limit:g}"
        for name, risk, limit, holds in zip(
            ("producer's", "consumer's"),
            (plan.producers_risk, plan.consumers_risk),
            (levels.alpha, levels.beta),
            kept,
        )
        if not holds
    ]
    warnings.warn(
        f"{plan.note} misses its levels: {'; '.join(missed)}.",
        UserWarning,
        stacklevel=3,
    )


def wald_lines(levels: QualityLevels, max_sample: int) -> tuple[Array, Array]:
    """Limits for n = 0 .. max_sample: floor(s n - h1) and ceil(s n + h2).

    Duncan 1959, Eq. 26; see wald_slope. A line that passes through a whole
    number is decided in exact arithmetic: the test goes on at the number on the
    line, where the likelihood ratio equals its bound, as it does in a lot.
    """
    h1, h2, s = wald_slope(levels)
    n = np.arange(max_sample + 1)
    p_a, p_r = _checks.fraction(levels.p_a), _checks.fraction(levels.p_r)
    low, high = _bounds(levels)
    wrong, right = p_r / p_a, (1 - p_r) / (1 - p_a)

    def nearest(line: Array, bound: Fraction, below: bool) -> Array:
        """floor (below) or ceil of the line."""
        whole = np.rint(line).astype(np.int64)
        rounded = np.floor(line) if below else np.ceil(line)
        close = (np.abs(line - whole) < NEAR) & (whole >= 0) & (whole <= n)

        def exact(x: int, size: int) -> int:
            # The likelihood ratio against the bound, in whole numbers.
            top = wrong.numerator**x * right.numerator ** (size - x)
            bottom = wrong.denominator**x * right.denominator ** (size - x)
            excess = top * bound.denominator - bottom * bound.numerator
            reached = excess < 0 if below else excess > 0
            return x if reached else (x - 1 if below else x + 1)

        return settled(rounded.astype(np.int64), close, exact, whole, n)

    accept = nearest(s * n - h1, low, True)
    reject = nearest(s * n + h2, high, False)
    return np.maximum(accept, -1), np.minimum(reject, n + 1)


def wald_slope(levels: QualityLevels) -> tuple[float, float, float]:
    """Intercepts h1, h2 and slope s of Wald's lines (Duncan 1959, p. 156).

    >>> import labelaudit as la
    >>> [round(v, 4) for v in wald_slope(la.QualityLevels(0.005, 0.01, 0.05, 0.10))]
    [3.2245, 4.1398, 0.0072]
    """
    p_a, p_r, alpha, beta = levels.p_a, levels.p_r, levels.alpha, levels.beta
    log_good = np.log1p(-p_a) - np.log1p(-p_r)
    scale = np.log(p_r / p_a) + log_good
    h1 = np.log((1 - alpha) / beta) / scale
    h2 = np.log((1 - beta) / alpha) / scale
    return float(h1), float(h2), float(log_good / scale)


def _bounds(levels: QualityLevels) -> tuple[Fraction, Fraction]:
    """Accept where the likelihood ratio is below the first, reject above the second."""
    alpha, beta = _checks.fraction(levels.alpha), _checks.fraction(levels.beta)
    return beta / (1 - alpha), (1 - beta) / alpha


def meeker_limits(
    levels: QualityLevels, lot_size: int, max_sample: int
) -> tuple[Array, Array]:
    """Limits for n = 0 .. max_sample in a lot (Meeker 1975, Eq. 2.12).

    The log ratio of the two hypergeometric probabilities rises with x, so each
    limit is found by bisection, for many n at once.
    """
    d_a, d_r = (int(d) for d in levels.errors(lot_size))
    errors_law = Hypergeometric(lot_size)
    n = np.arange(max_sample + 1)
    low, high = _bounds(levels)

    def log_ratio(x: Array, n: Array) -> Array:
        """log h(x; D_r) / h(x; D_a); +-inf where one of them is impossible."""
        never_a = (x > d_a) | (n - x > lot_size - d_a)
        never_r = (x > d_r) | (n - x > lot_size - d_r)
        x_a, x_r = np.clip(x, 0, d_a), np.clip(x, 0, d_r)
        top = errors_law.log_pmf(x_r, n, d_r)
        bottom = errors_law.log_pmf(x_a, n, d_a)
        with np.errstate(invalid="ignore"):
            value = top - bottom
        value = np.where(never_r & (x <= d_r), -np.inf, value)
        return np.where(never_a & (x > d_a), np.inf, value)

    def compare(x: Array, n: Array, bound: Any) -> Array:
        """Sign of (ratio - bound), exactly."""
        value = log_ratio(x, n)
        limit = float(np.log(float(bound)))

        def exact(x: int, n: int) -> int:
            good, bad = (errors_law.exact_pmf(x, n, d) for d in (d_a, d_r))
            return (bad / good > bound) - (bad / good < bound)

        close = np.abs(value - limit) < NEAR
        return settled(np.sign(value - limit), close, exact, x, n)

    def between(n: Array, below: Array, above: Array, bound: Any, at: bool) -> Array:
        """The smallest x in (below, above] whose ratio is above (or at) the bound."""

        def under(rows: Array, x: Array) -> Array:
            sign = compare(x, n[rows], bound)
            return sign < 0 if at else sign <= 0

        return largest(under, below, above) + 1

    def boundary(bound: Any, at: bool) -> Array:
        """The smallest x whose ratio is above (or at) the bound; n + 1 if none.

        It never falls with n (a correct annotation lowers the ratio), so every
        64th n, by bisection over all x, brackets the others.
        """
        coarse = np.append(n[::64], n[-1])
        limits = between(coarse, np.full(len(coarse), -1), coarse + 1, bound, at)
        block = n // 64
        below, above = limits[block] - 1, np.minimum(limits[block + 1], n + 1)
        return between(n, below, above, bound, at)

    return boundary(low, True) - 1, boundary(high, False)
