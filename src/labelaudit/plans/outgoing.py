"""What a plan leaves behind and what it costs: errors, inspections, money.

Rectifying inspection (Dodge and Romig): every flagged annotation is looked into
and, if wrong, corrected; what is inspected of an accepted lot is its sample, of a
rejected lot the whole. All of it counts true errors, whatever the inspection.

Take one erroneous annotation of a lot of N with D errors. It goes out wrong where
the inspection would not flag it (probability 1 - sensitivity), or would but does
not see it: the lot is accepted at some (n, x) and the annotation is not among the
n, so that the x flags come from the other N - 1 annotations with D - 1 errors:

    C = sum over accepting points of (1 - n/N) k(n, x) P(X_n = x | N - 1, D - 1),
    AOQ = D/N [(1 - sensitivity) + sensitivity C],

k being the share of orders of evaluation.py. In a process the other annotations
follow the same law as all, and n/N vanishes where the lots are large.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from .. import _checks
from .._checks import Array
from ..laws.flags import law
from . import evaluation
from .plan import SamplingPlan, checked_errors, checked_plan, shaped


def average_outgoing_quality(
    plan: SamplingPlan, errors: Any, *, lot_size: int | None = None
) -> Any:
    """Expected error rate after rectifying inspection, exactly.

    Errors found are corrected, rejected lots are inspected whole, and a flag on a
    correct annotation does no harm.

    Parameters
    ----------
    plan : SamplingPlan
    errors : int or integer array in [0, plan.lot_size]; for a process float or
        array in [0, 1]
    lot_size : int of at least plan.max_sample, optional
        For a process's plan only: the size of the lots that it fills. None means
        lots that are large beside the sample.

    Returns
    -------
    float, or float array shaped like errors
        Errors left, divided by the lot's size.

    References
    ----------
    Dodge and Romig 1929, with depletion and for any plan; the effect of the
    inspection's own mistakes after Case, Bennett and Schmidt 1975.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.single_plan(la.STRICT, lot_size=1000)
    >>> quality = la.average_outgoing_quality(plan, [0, 10, 20, 40])
    >>> (1000 * quality).round(2)  # errors that go out of a lot of 1000
    array([0.  , 5.72, 6.53, 0.06])
    """
    size = _size(plan, lot_size)
    checked = checked_errors(plan, errors)
    return shaped(_rate(plan, checked) * _stays_wrong(plan, checked, size))


def average_outgoing_quality_limit(
    plan: SamplingPlan, *, lot_size: int | None = None
) -> tuple[float, float]:
    """The worst average outgoing quality, and the errors at which it is reached.

    Parameters
    ----------
    plan : SamplingPlan
    lot_size : int of at least plan.max_sample, optional
        As for average_outgoing_quality.

    Returns
    -------
    limit : float
        Largest average outgoing quality over all numbers (or rates) of errors.
    errors : int, or float for a process
        The first at which it is reached. An inspection with a sensitivity below
        1 lets errors through however many it inspects, so this may be the very
        worst lot.

    References
    ----------
    Dodge and Romig 1929.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.single_plan(la.STRICT, lot_size=1000)
    >>> limit, errors = la.average_outgoing_quality_limit(plan)
    >>> round(limit, 5), errors
    (0.00789, 16)
    """
    size = _size(plan, lot_size)
    if plan.lot_size is not None:
        quality = average_outgoing_quality(plan, np.arange(plan.lot_size + 1))
        return float(quality.max()), evaluation.first_largest(quality)

    def outgoing(rate: Any) -> Array:
        rate = np.asarray(rate, float)
        return rate * _stays_wrong(plan, rate, size)

    # Nothing changes faster than a binomial law of max_sample, whose standard
    # deviation on the scale of arcsin sqrt(p) is 1 / (2 sqrt(n)) everywhere.
    steps = 256 + 16 * int(np.sqrt(plan.max_sample))
    angle = np.linspace(0, np.pi / 2, steps + 1)
    values = outgoing(np.sin(angle) ** 2)
    found = [(float(values[0]), 0.0)]
    inner = np.arange(1, steps)
    peaks = inner[(values[1:-1] >= values[:-2]) & (values[1:-1] >= values[2:])]
    for at in peaks[values[peaks] >= 0.9 * values.max()].tolist():
        around = (np.sin(angle[at - 1]) ** 2, np.sin(angle[at + 1]) ** 2)
        found.append(_peak(outgoing, *around))
    found.append((float(values[-1]), 1.0))
    # Of equal ones the first: a plan that lets nothing out reaches 0 at 0.
    return found[evaluation.first_largest(np.array(found)[:, 0])]


def _peak(outgoing: Any, low: float, high: float) -> tuple[float, float]:
    """A function's largest value between two rates, and where it is.

    Where it is largest it is flat, and rounding decides between rates 1e-8 apart; its
    slope, by differences over some width, is not flat there.
    """
    least = minimize_scalar(
        lambda rate: -float(outgoing(rate)),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-12},
    )
    rate, step = float(least.x), (high - low) / 64
    near = max(low, rate - step), min(high, rate + step)

    def slope(at: float) -> float:
        one, two = (
            float(outgoing(at + k * step)) - float(outgoing(at - k * step))
            for k in (1, 2)
        )
        return 8 * one - two

    inside = near[0] >= 2 * step and near[1] <= 1 - 2 * step
    if inside and slope(near[0]) > 0 > slope(near[1]):
        rate = brentq(slope, *near, xtol=1e-15)
    return float(outgoing(rate)), rate


def average_total_inspection(
    plan: SamplingPlan, errors: Any, *, lot_size: int | None = None
) -> Any:
    """Expected inspections per lot where a rejected lot is inspected whole, exactly.

    Parameters
    ----------
    plan, errors
        As for average_outgoing_quality.
    lot_size : int of at least plan.max_sample, optional
        For a process's plan, and needed there: the size of the lots.

    Returns
    -------
    float, or float array shaped like errors

    Raises
    ------
    ValueError
        For a process's plan without lot_size.

    References
    ----------
    Dodge and Romig 1929.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.single_plan(la.STRICT, lot_size=1000)
    >>> la.average_total_inspection(plan, [0, 10, 20, 40]).round(1)
    array([428. , 429.6, 717.8, 999. ])
    """
    size = _needed(_size(plan, lot_size), "average_total_inspection")
    checked = checked_errors(plan, errors)
    points = plan.stop_points.only(plan.stop_points.accepted)
    spared = (size - points.n).astype(float)
    return shaped(size - evaluation.weighted_sum(points, plan.law, checked, spared))


def expected_cost(
    plan: SamplingPlan,
    errors: Any,
    *,
    per_inspection: float = 1.0,
    per_rejected_lot: float = 0.0,
    per_accepted_error: float = 0.0,
    rectify: bool = False,
    lot_size: int | None = None,
) -> Any:
    """Expected cost per lot: inspections, rejections and errors let through.

    Parameters
    ----------
    plan, errors
        As for average_outgoing_quality.
    per_inspection : float of at least 0
        Of looking at one annotation.
    per_rejected_lot : float of at least 0
        Of one rejection: of the lot's return, or of annotating it again.
    per_accepted_error : float of at least 0
        Of one error that goes out; errors found have been corrected.
    rectify : bool, default False
        False: a rejected lot goes back after its sample, and its errors are not
        counted. True: it is inspected whole and goes out corrected.
    lot_size : int of at least plan.max_sample, optional
        For a process's plan: the size of the lots; needed where errors cost or
        rejected lots are inspected whole.

    Returns
    -------
    float, or float array shaped like errors

    Raises
    ------
    ValueError
        Where a cost is negative, or a process's plan needs a lot_size.

    References
    ----------
    The three costs of Guthrie and Johns 1959, for a given number of errors.

    Examples
    --------
    Which plan is cheapest where four lots in five have 10 errors, the fifth 40,
    a rejection costs as much as 500 inspections and an error as much as 50?

    >>> import labelaudit as la
    >>> plans = {
    ...     "single": la.single_plan(la.STRICT, 1000),
    ...     "double": la.double_plan(la.STRICT, 1000),
    ...     "accept unseen": la.SamplingPlan([0], [1], 1000),
    ... }
    >>> for name, plan in plans.items():
    ...     cost = la.expected_cost(
    ...         plan, [10, 40], per_rejected_lot=500, per_accepted_error=50
    ...     )
    ...     print(name, round(cost @ [0.8, 0.2]))
    single 758
    double 691
    accept unseen 800
    """
    each = [
        _checks.number(name, value, 0)
        for name, value in (
            ("per_inspection", per_inspection),
            ("per_rejected_lot", per_rejected_lot),
            ("per_accepted_error", per_accepted_error),
        )
    ]
    rectify = _checks.switch("rectify", rectify)
    size = _size(plan, lot_size)
    checked = checked_errors(plan, errors)
    points, errors_law = plan.stop_points, plan.law
    if rectify:
        size = _needed(size, "rectify=True")
        inspected = np.asarray(
            average_total_inspection(plan, checked, lot_size=lot_size)
        )
    else:
        inspected = np.asarray(plan.average_sample_number(checked))
    rejected = evaluation.probability(
        points.only(~points.accepted), errors_law, checked
    )
    cost = each[0] * inspected + each[1] * rejected
    if each[2]:
        size = _needed(size, "per_accepted_error")
        wrong = (_stays_wrong if rectify else _accepted_wrong)(plan, checked, size)
        cost = cost + each[2] * size * _rate(plan, checked) * wrong
    return shaped(cost)


def _stays_wrong(plan: SamplingPlan, errors: Array, size: int | None) -> Array:
    """P(an erroneous annotation goes out wrong), rejected lots rectified."""
    seen, missed = _sensitivity(plan)
    return missed + seen * _unseen(plan, errors, size)


def _accepted_wrong(plan: SamplingPlan, errors: Array, size: int) -> Array:
    """P(an erroneous annotation goes out wrong), rejected lots sent back.

    It is not in the sample, or is and not flagged: then the x flags are among the
    other n - 1 inspections.
    """
    _, missed = _sensitivity(plan)
    found = _unseen(plan, errors, size)
    if missed:
        points = plan.stop_points.only(
            plan.stop_points.accepted & (plan.stop_points.n > 0)
        )
        points = points.only(points.x < points.n)
        others = evaluation.StopPoints(
            points.n - 1, points.x, points.share, points.accepted
        )
        found = found + missed * _others(plan, others, errors, points.n / size)
    return found


def _unseen(plan: SamplingPlan, errors: Array, size: int | None) -> Array:
    """P(accepted, and one erroneous annotation is not in the sample): C above."""
    points = plan.stop_points.only(plan.stop_points.accepted)
    if size is None:
        return evaluation.probability(points, plan.law, errors)
    points = points.only(points.n < size)
    return _others(plan, points, errors, 1 - points.n / size)


def _others(
    plan: SamplingPlan, points: evaluation.StopPoints, errors: Array, weight: Array
) -> Array:
    """Sum of weight * k P(X_n = x) among the annotations other than one error."""
    if plan.lot_size is None:
        return evaluation.weighted_sum(points, plan.law, errors, weight)
    rest = plan.lot_size - 1
    if not rest:  # nothing is left to sample: only n = 0 is possible
        return np.full(errors.shape, float(points.share @ weight))
    others = law(rest, min(plan.max_sample, rest), plan.inspection)
    return evaluation.weighted_sum(points, others, np.maximum(errors - 1, 0), weight)


def _sensitivity(plan: SamplingPlan) -> tuple[float, float]:
    """Probability that an error is flagged, and that it is not."""
    if plan.inspection is None:
        return 1.0, 0.0
    flagged, _ = plan.inspection.fractions
    return float(flagged), float(1 - flagged)


def _rate(plan: SamplingPlan, errors: Array) -> Array:
    return errors if plan.lot_size is None else errors / plan.lot_size


def _size(plan: SamplingPlan, lot_size: Any) -> int | None:
    """The size of the lots; None for large lots from a process."""
    checked_plan(plan)
    if lot_size is None:
        return plan.lot_size
    if plan.lot_size is not None:
        raise _checks.refuse(
            "lot_size", lot_size, f"left out: the plan is for a lot of {plan.lot_size}"
        )
    least = max(1, plan.max_sample)
    return _checks.count("lot_size", lot_size, least, _checks.LARGEST_COUNT)


def _needed(size: int | None, what: str) -> int:
    if size is None:
        raise _checks.refuse(
            "lot_size", None, f"given for a process's plan ({what} depends on it)"
        )
    return size
