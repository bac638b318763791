"""Intervals for an error rate, and the sample sizes that make them short enough."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.inspection import Inspection
from ..laws.inspection import checked as checked_inspection
from .flagged_limits import FlagsOfLot, FlagsOfProcess
from .methods import (
    Blaker,
    ClopperPearson,
    Method,
    MidP,
    Optimal,
    PriorAssisted,
)

METHODS = ("clopper-pearson", "mid-p", "blaker", "optimal", "prior-assisted")


# With an imperfect inspection, sample sizes are searched in lots of at most this.
LARGEST_FLAGGED_LOT = 50_000

# What a prior of interval_sample_size counts for, in annotations, unless given.
PRIOR_WEIGHT = 20

# No prior may count for more in either number: beyond, rounding would decide.
LARGEST_PRIOR = 1_000_000_000


def proportion_interval(
    errors_found: Any,
    sample_size: Any,
    lot_size: int | None = None,
    *,
    confidence: float = 0.95,
    method: str = "clopper-pearson",
    prior: tuple[float, float] | None = None,
    inspection: Inspection | None = None,
) -> tuple[Any, Any]:
    """Confidence interval for the error rate, from a sample of fixed size.

    Parameters
    ----------
    errors_found : int or integer array in [0, sample_size]
    sample_size : int or integer array of at least 1
        The two are broadcast: an interval for each entry.
    lot_size : int of at least sample_size, optional
        The sample was drawn without replacement from a lot of this size; None
        is a process.
    confidence : float in (0, 1)
    method : str
        All but "mid-p" cover with at least the confidence asked for, whatever the
        error rate.

        - "clopper-pearson": two one-sided tests, each at half of what the
          interval may miss.
        - "blaker": within Clopper and Pearson's, by a two-sided test.
        - "optimal": for lots alone; the shortest in total over all outcomes.
        - "prior-assisted": short where a prior expects the outcome, at the price
          of longer intervals elsewhere: an outcome that the prior all but rules
          out may get one much longer than Clopper and Pearson's.
        - "mid-p": counts half of the observed outcome's probability; shorter, and
          its coverage can fall below the confidence.
    prior : pair of positive numbers up to 10^9, for "prior-assisted" alone
        (a, b) of a Beta(a, b) prior for the error rate, to be fixed before the
        sample is seen. It decides how long the interval is, not how often it
        covers. With an inspection, a prior for the share of flags.
    inspection : Inspection, optional
        How often the inspection is right; errors_found are then flags, and the
        interval is for the true error rate. In a lot for "clopper-pearson" and
        "mid-p" alone.

    Returns
    -------
    low, high : float, or float arrays of the shape that the two have together
        Error rates; in a lot multiples of 1 / lot_size, both ends included. Both
        are 0 where the flags are too few for any error rate, both 1 where they
        are too many.

    Raises
    ------
    ValueError
        Where an argument is out of range (of arrays an entry is given), the shapes
        do not go together, the method is unknown, "optimal" is asked for without
        lot_size, or prior or inspection does not go with the method.

    References
    ----------
    Clopper and Pearson 1934, as in Klie et al. 2024, section 3.2: the upper
    limit is the largest rate at which P(X <= errors_found) > (1 - confidence)/2.
    In a lot the rate runs over the counts D = 0 .. lot_size. Blaker 2000, the
    limits those of the smallest interval around his set; Bartroff, Lorden and
    Wang 2022; prior-assisted after Pratt 1961, the smallest interval around
    {D: P_D(r(X) <= r(x)) > 1 - confidence} with r(x) the probability of x given D
    over that under the prior.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.proportion_interval(5, 100, lot_size=1000)
    (0.018, 0.109)
    >>> low, high = la.proportion_interval([0, 5], [60, 100], lot_size=1000)
    >>> high.tolist()
    [0.057, 0.109]
    >>> low, high = la.proportion_interval(15, 148, method="mid-p")
    >>> round(low, 4), round(high, 4)
    (0.0601, 0.1581)
    >>> la.proportion_interval(5, 100, lot_size=1000, method="optimal")
    (0.021, 0.108)
    >>> la.proportion_interval(
    ...     5, 100, lot_size=1000, method="prior-assisted", prior=(1, 19)
    ... )
    (0.021, 0.1)
    >>> inspection = la.Inspection(sensitivity=0.9, specificity=0.98)
    >>> la.proportion_interval(5, 100, lot_size=1000, inspection=inspection)
    (0.0, 0.102)
    """
    lot_size = _checks.lot_size(lot_size)
    largest = _checks.LARGEST_SAMPLE if lot_size is None else lot_size
    n = _checks.counts("sample_size", sample_size, 1, largest)
    x, n = _together(_checks.counts("errors_found", errors_found), n)
    rule = chosen_method(method, lot_size, confidence, prior, inspection)
    low, high = rule.limits(x.ravel(), n.ravel())
    if isinstance(rule, FlagsOfProcess):
        low, high = (np.clip(rule.inspection.error_rate(v), 0, 1) for v in (low, high))
    scale = 1 if lot_size is None else lot_size
    low, high = (limit.reshape(x.shape) / scale for limit in (low, high))
    return (low, high) if x.ndim else (float(low), float(high))


def _together(x: Array, n: Array) -> tuple[Array, Array]:
    """Errors and sample sizes, an entry each, none of them impossible."""
    try:
        shape = np.broadcast_shapes(x.shape, n.shape)
    except ValueError:
        accepted = f"of a shape that goes with that of errors_found, {x.shape}"
        raise _checks.refuse("sample_size", f"the shape {n.shape}", accepted) from None
    x, n = np.broadcast_to(x, shape), np.broadcast_to(n, shape)
    for at in np.argwhere(x > n)[:1].tolist():
        place = f" at {at}" if at else ""
        accepted = f"whole numbers from 0 to sample_size, which is {n[*at]}{place}"
        raise _checks.refuse("errors_found", int(x[*at]), accepted)
    return x, n


def chosen_method(
    name: str,
    lot_size: int | None,
    confidence: float,
    prior: tuple[float, float] | None,
    inspection: Inspection | None,
) -> Method:
    """The method by its name, all arguments checked."""
    _checks.confidence(confidence)
    alpha = 1 - _checks.fraction(confidence)
    name = _checks.one_of("method", name, METHODS)
    inspection = checked_inspection(inspection)
    if inspection is not None:
        if lot_size is None:
            rule = chosen_method(name, lot_size, confidence, prior, None)
            return FlagsOfProcess(rule, inspection)
        if name not in ("clopper-pearson", "mid-p"):
            raise _checks.refuse(
                "inspection",
                inspection,
                f"None or perfect for the method {name!r} in a lot",
            )
        chosen_method(name, lot_size, confidence, prior, None)  # the prior is checked
        return FlagsOfLot(lot_size, alpha, inspection, name == "mid-p")
    if name == "prior-assisted":
        return PriorAssisted(lot_size, alpha, _prior(prior))
    if prior is not None:
        raise _checks.refuse("prior", prior, f"None for the method {name!r}")
    if name == "optimal" and lot_size is None:
        raise _checks.refuse(
            "lot_size", None, "the lot's size for the method 'optimal' (lots alone)"
        )
    methods = {
        "clopper-pearson": ClopperPearson,
        "mid-p": MidP,
        "blaker": Blaker,
        "optimal": Optimal,
    }
    return methods[name](lot_size, alpha)


def _prior(prior: Any) -> tuple[float, float]:
    accepted = (
        f"two positive numbers (a, b) of at most {LARGEST_PRIOR:,} for the method"
        " 'prior-assisted'"
    )
    try:
        a, b = (
            _checks.number("prior", value)
            for value in _checks.entries("prior", prior, accepted)
        )
    except ValueError:
        raise _checks.refuse("prior", prior, accepted) from None
    if not all(0 < part <= LARGEST_PRIOR for part in (a, b)):
        raise _checks.refuse("prior", prior, accepted)
    return a, b
