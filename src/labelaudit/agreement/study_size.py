"""How many items does an agreement study need, and what is the value called?"""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from scipy.special import gammaln, ndtri

from .. import _checks
from .._checks import Array
from .._digits import significant

MODELS = ("beta-binomial", "two-class")
MOST_RATERS = 1_000_000

# A number of items this much (relative) above a whole one is that whole one.
TIE = 1e-12


def items_needed(
    kappa: float,
    prevalence: float,
    half_width: float,
    raters: int = 2,
    *,
    confidence: float = 0.95,
    model: str | None = None,
) -> int:
    """Items for an interval of a wanted half width around kappa; two labels.

    Parameters
    ----------
    kappa : float in (-1, 1); in [0, 1) for more than two raters
        The agreement that one expects (Fleiss' kappa; pi for two raters).
    prevalence : float in (0, 1)
        Share of judgments with one of the two labels.
    half_width : float in (0, 1)
    raters : int
        Judgments of each item.
    confidence : float in (0, 1)
    model : "beta-binomial" or "two-class"
        For more than two raters kappa and prevalence do not settle how judgments
        fall together, so a model must. "beta-binomial": every item has a rate of
        its own. "two-class": every item has a true label, and each judgment is it
        with probability sqrt(kappa), else drawn by prevalence (Artstein 2007,
        slide 46). The two differ by up to a third.

    Returns
    -------
    int
        n = z^2 sigma^2 / half_width^2, rounded up, sigma^2 being the variance of
        an item's influence on Fleiss' kappa.

    Raises
    ------
    ValueError
        For a value out of range, a combination that cannot be, or no model where
        one is needed.

    References
    ----------
    For two raters Donner and Eliasziw 1992:
    sigma^2 = (1 - k) [(1 - k)(1 - 2k) + k (2 - k) / (2 p (1 - p))].

    Examples
    --------
    >>> import labelaudit as la
    >>> la.items_needed(0.6, 0.3, 0.1)
    296
    >>> la.items_needed(0.6, 0.3, 0.1, raters=5, model="two-class")
    101
    """
    raters = _checks.count("raters", raters, 2, MOST_RATERS)
    p = _checks.open_unit("prevalence", prevalence)
    if not 1e-9 < p < 1 - 1e-9:
        raise _checks.refuse("prevalence", prevalence, "further than 1e-9 from 0 and 1")
    rarer = min(_checks.fraction(p), 1 - _checks.fraction(p))
    p = float(rarer)  # both labels alike: the digits of 1 - p are not lost
    half_width = _checks.open_unit("half_width", half_width)
    confidence = _checks.confidence(confidence)
    if model is not None:
        _checks.one_of("model", model, MODELS)
    elif raters > 2:
        raise _checks.refuse("model", None, f"one of {MODELS} for {raters} raters")
    shares = _patterns(_kappa(kappa, p, raters), p, raters, model)
    influence = _influence(shares, raters)
    variance = float(shares @ influence**2)
    z = float(ndtri((1 + confidence) / 2))
    n = z**2 * variance / half_width / half_width
    if not n < 1e15:
        raise _checks.refuse(
            "half_width", half_width, "wide enough for fewer than 1e15 items"
        )
    return max(2, ceil(n * (1 - TIE)))


def _kappa(kappa: Any, p: float, raters: int) -> float:
    """A kappa that judgments with this prevalence can have."""
    lowest = -min(p, 1 - p) / max(p, 1 - p) if raters == 2 else 0.0
    value = _checks.number("kappa", kappa)
    if not lowest <= value < 1:
        accepted = (
            f"from {significant(lowest)} to less than 1 at this prevalence and"
            f" {raters} raters"
        )
        raise _checks.refuse("kappa", kappa, accepted)
    return value


def _patterns(kappa: float, p: float, raters: int, model: str | None) -> Array:
    """Probability of 0 .. raters judgments with the label."""
    k = np.arange(raters + 1)
    if raters == 2:
        both = p * p + kappa * p * (1 - p)
        return np.array([1 - 2 * p + both, 2 * (p - both), both])
    if model == "beta-binomial":
        # Drawn one by one: after i of a kind, its rate is (p + i step)/(1 + n step).
        step = kappa / (1 - kappa)
        so_far = np.arange(raters)
        with_it, without, all_of = (
            np.append(0.0, np.cumsum(np.log(rate + step * so_far)))
            for rate in (p, 1 - p, 1.0)
        )
        ways = gammaln(raters + 1) - gammaln(k + 1) - gammaln(raters - k + 1)
        return np.exp(ways + with_it + without[::-1] - all_of[-1])
    from scipy.stats import binom  # half a second to import

    sure = np.sqrt(kappa)
    of_it, of_other = p + (1 - p) * sure, p * (1 - sure)
    return p * binom.pmf(k, raters, of_it) + (1 - p) * binom.pmf(k, raters, of_other)


def _influence(shares: Array, raters: int) -> Array:
    """Influence of an item with k = 0 .. raters such judgments on Fleiss' kappa."""
    k = np.arange(raters + 1)
    differ = 2 * k * (raters - k) / (raters * (raters - 1))
    p, observed = shares @ k / raters, shares @ differ
    expected = 2 * p * (1 - p)
    moved = 2 * (1 - 2 * p) * (k / raters - p)
    return -(differ - observed) / expected + observed * moved / expected**2
