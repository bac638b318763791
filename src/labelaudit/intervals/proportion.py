"""Intervals for an error rate, and the sample sizes that make them short enough."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from .methods import Method, MidP, Optimal

METHODS: dict[str, type[Method]] = {
    "clopper-pearson": Method,
    "mid-p": MidP,
    "optimal": Optimal,
}


def proportion_interval(
    errors_found: Any,
    sample_size: Any,
    lot_size: int | None = None,
    *,
    confidence: float = 0.95,
    method: str = "clopper-pearson",
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
        - "optimal": for lots alone; the shortest in total over all outcomes.
        - "mid-p": counts half of the observed outcome's probability; shorter, and
          its coverage can fall below the confidence.

    Returns
    -------
    low, high : float, or float arrays of the shape that the two have together
        Error rates; in a lot multiples of 1 / lot_size, both ends included.

    Raises
    ------
    ValueError
        Where an argument is out of range (of arrays an entry is given), the shapes
        do not go together, the method is unknown, or "optimal" is asked for
        without lot_size.

    References
    ----------
    Clopper and Pearson 1934, as in Klie et al. 2024, section 3.2: the upper
    limit is the largest rate at which P(X <= errors_found) > (1 - confidence)/2.
    In a lot the rate runs over the counts D = 0 .. lot_size. "optimal": Bartroff,
    Lorden and Wang 2022.

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
    """
    lot_size = _checks.lot_size(lot_size)
    largest = _checks.LARGEST_SAMPLE if lot_size is None else lot_size
    n = _checks.counts("sample_size", sample_size, 1, largest)
    x, n = _together(_checks.counts("errors_found", errors_found), n)
    rule = chosen_method(method, lot_size, confidence)
    low, high = rule.limits(x.ravel(), n.ravel())
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


def chosen_method(name: str, lot_size: int | None, confidence: float) -> Method:
    """The method by its name, all arguments checked."""
    _checks.confidence(confidence)
    name = _checks.one_of("method", name, tuple(METHODS))
    if name == "optimal" and lot_size is None:
        raise _checks.refuse(
            "lot_size", None, "the lot's size for the method 'optimal' (lots alone)"
        )
    return METHODS[name](lot_size, 1 - _checks.fraction(confidence))
