"""The published double and sequential plans, and formulas for what they inspect."""

from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.errors import Law
from ..plans.levels import QualityLevels, Task, check_levels
from ..plans.plan import SamplingPlan, checked_plan
from ..plans.properties import checked_errors
from ..plans.sequential import wald_limits
from ..plans.single import smallest_single
from .intervals import checked_lot

# Rates nearer to 0 or 1 have the average sample number of the ends.
END = 1e-12


def double_plan(levels: QualityLevels, lot_size: int) -> tuple[int, int, int]:
    """The published double plan (n1 = n2, c1, c2), which ignores depletion.

    Takes the second sample as if the first had been put back. For each c1 below
    the single plan's c it raises n from half of the single plan's, and c2 (with
    one more n) whenever the producer's risk is missed, up to the first n that
    keeps the consumer's; this is not a search over all plans.

    >>> import labelaudit as la
    >>> double_plan(la.STRICT, 1000)
    (298, 4, 11)
    """
    lot_size = checked_lot(lot_size)
    single_n, single_c = smallest_single(Task(levels, lot_size))
    lot, (d_a, d_r) = Law(lot_size), levels.errors(lot_size)
    tables: dict[tuple[int, float], tuple[Array, Array]] = {}

    def acceptance(n: int, c1: int, c2: int, errors: float) -> float:
        if (n, errors) not in tables:
            masses = lot.pmf(np.arange(4 * single_c + 8), n, errors)
            tables[n, errors] = masses, np.cumsum(masses)
        masses, cdf = tables[n, errors]
        between = np.arange(c1 + 1, c2 + 1)
        return float(cdf[c1] + masses[between] @ cdf[c2 - between])

    def kept(n: int, c1: int, c2: int) -> tuple[bool, bool]:
        return (
            1 - acceptance(n, c1, c2, d_a) <= levels.alpha,
            acceptance(n, c1, c2, d_r) <= levels.beta,
        )

    plans = []
    for c1 in range(single_c):
        c2 = max(single_c, c1 + 1)
        n = max(c2 + 1, single_n // 2)
        while kept(n, c1, c2) == (False, True):
            c2 += 1
        while not kept(n, c1, c2)[1]:
            searched = kept(n, c1, c2)[0]
            while kept(n, c1, c2) == (True, False):
                n += 1
            if not kept(n, c1, c2)[0]:
                c2 += 1
            n += searched
        _, cdf = tables[n, d_a]
        asn = n * (1 + cdf[c2] - cdf[c1])
        plans.append((float(asn), c1, c2, n - 1))
    if not plans:
        raise ValueError(
            f"lot_size must be large enough for a single plan with c > 0, which the"
            f" published search starts from, got {lot_size}"
        )
    _, c1, c2, n = min(plans)
    return n, c1, c2


def double_average_sample_number(
    n: int, c1: int, c2: int, errors: Any, lot_size: int | None
) -> Array:
    """The curtailed double plan's ASN by the formula printed in section 3.3.

    An identity for a process (with n_2 + 1 where the paper prints n + 1). In a
    lot the published code puts hypergeometric probabilities into it, and the
    second sample is again drawn as if the first had been put back.

    >>> double_average_sample_number(298, 4, 11, 10, 1000).round(1).item()
    340.7
    """
    lot_size = _checks.lot_size(lot_size)
    most = _checks.LARGEST_LOT if lot_size is None else lot_size - 1
    n = _checks.count("n", n, 1, most)
    c1, c2 = _checks.count("c1", c1, 0, n), _checks.count("c2", c2, 0, 2 * n)
    if lot_size is None:
        errors = _checks.units("errors", errors)
    else:
        errors = _checks.counts("errors", errors, 0, lot_size)
    some, rate = (
        Law(lot_size, 2 * n + 1),
        errors if lot_size is None else errors / lot_size,
    )
    total = np.full(errors.shape, float(n))
    for i in range(c1 + 1, c2 + 1):
        within, _ = some.tails(c2 - i, n, errors)
        _, beyond = some.tails(c2 - i + 2, n + 1, errors)
        share = np.divide(beyond, rate, out=np.zeros_like(beyond), where=beyond > 0)
        inner = n * within + (c2 - i + 1) * share
        total = total + some.pmf(i, n, errors) * inner
    return total


def wedge_plan(levels: QualityLevels, lot_size: int, cutoff: int) -> SamplingPlan:
    """The sequential plan as released: Meeker's limits with the end bent together.

    At the cutoff the rejection number stays where it was and everything below
    it is accepted; the acceptance number just before rises by one where it is
    behind. The paper's text describes another rule: accept at the single plan's
    c or fewer.

    >>> import labelaudit as la
    >>> plan = wedge_plan(la.STRICT, 1000, cutoff=428)
    >>> plan.accept[-1].item(), plan.reject[-1].item()
    (9, 10)
    >>> round(plan.consumers_risk, 3)  # 0.05 is promised
    0.096
    """
    check_levels(levels)
    cutoff = _checks.count("cutoff", cutoff, 1, checked_lot(lot_size))
    accept, reject = (limit.copy() for limit in wald_limits(levels, lot_size, cutoff))
    met = np.flatnonzero(accept + 1 >= reject)
    if len(met):  # the limits meet before the cutoff
        end = int(met[0]) + 1
        return SamplingPlan(accept[:end], reject[:end], lot_size, levels)
    reject[-1] = reject[-2]
    accept[-1] = reject[-1] - 1
    for n in range(cutoff, 0, -1):
        if accept[n] - accept[n - 1] <= 1:
            break
        accept[n - 1] += 1
    return SamplingPlan(accept, reject, lot_size, levels, note="wedge, as released")


def counted_average_sample_number(
    plan: SamplingPlan, errors: Any
) -> tuple[Array, Array]:
    """The released ASN of a sequential plan, and the probability it counts.

    Counts, at each n, the probability of the acceptance number and the one
    below, and of the rejection number and the one above. Where the wedge moves
    the acceptance number by more than that, mass is lost and the average with it.

    Returns (average, mass), each shaped like errors.

    >>> import labelaudit as la
    >>> plan = wedge_plan(la.STRICT, 1000, cutoff=428)
    >>> average, mass = counted_average_sample_number(plan, [10, 30])
    >>> average.round(1), mass.round(3)
    (array([236.9, 219.9]), array([1., 1.]))
    """
    checked_plan(plan)
    errors = checked_errors(plan, errors)
    points = plan.stop_points
    near_accept = points.x >= plan.accept[points.n] - 1
    near_reject = points.x <= plan.reject[points.n] + 1
    counted = points.share * np.where(points.accepted, near_accept, near_reject)
    average, mass = (
        plan.law.sums(points.x, points.n, weights, errors)
        for weights in (counted * points.n, counted)
    )
    return average, np.minimum(mass, 1.0)


def wald_slope(levels: QualityLevels) -> tuple[float, float, float]:
    """Intercepts h1, h2 and slope s of Wald's lines (Duncan 1959, p. 156).

    >>> import labelaudit as la
    >>> [round(v, 4) for v in wald_slope(la.QualityLevels(0.005, 0.01, 0.05, 0.10))]
    [3.2245, 4.1398, 0.0072]
    """
    check_levels(levels)
    p_a, p_r, alpha, beta = levels.p_a, levels.p_r, levels.alpha, levels.beta
    log_good = np.log1p(-p_a) - np.log1p(-p_r)
    scale = np.log(p_r / p_a) + log_good
    h1 = np.log((1 - alpha) / beta) / scale
    h2 = np.log((1 - beta) / alpha) / scale
    return float(h1), float(h2), float(log_good / scale)


def wald_average_sample_number(levels: QualityLevels, rates: Any) -> Array:
    """Wald's approximation to the ASN in a process, the limits hit exactly.

    The curve that the paper calls the sequential plan's for the binomial.
    Duncan 1959, Eq. 28 and 30.

    >>> import labelaudit as la
    >>> wald_average_sample_number(la.STRICT, [0.01, 0.03]).round(1)
    array([315.7, 317.4])
    """
    from scipy.optimize import brentq  # it takes a while to import

    rates = _checks.units("rates", rates)
    h1, h2, s = wald_slope(levels)
    p_a, p_r = levels.p_a, levels.p_r

    def rate_at(theta: float) -> float:
        good = ((1 - p_r) / (1 - p_a)) ** theta
        return float((1 - good) / ((p_r / p_a) ** theta - good))

    low = (1 - levels.alpha) / levels.beta
    high = (1 - levels.beta) / levels.alpha

    def asn(p: float) -> float:
        if p <= END:
            return h1 / s
        if p >= 1 - END:
            return h2 / (1 - s)
        if abs(p - s) < 1e-9:
            return h1 * h2 / (s * (1 - s))
        far = 60.0
        while (rate_at(-far) < p) if p > s else (rate_at(far) > p):
            far *= 2
        theta = brentq(
            lambda t: rate_at(t) - p, *((-far, -1e-9) if p > s else (1e-9, far))
        )
        accepted = (high**theta - 1) / (high**theta - low**-theta)
        return (accepted * -h1 + (1 - accepted) * h2) / (p - s)

    return np.array([asn(float(p)) for p in np.ravel(rates)]).reshape(np.shape(rates))
