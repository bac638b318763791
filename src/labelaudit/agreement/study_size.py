"""How many items does an agreement study need?"""

from bisect import bisect_left

import numpy as np
from scipy.special import ndtri

from .. import _checks
from .._checks import Array
from .._digits import significant
from .uncertainty import end

MOST_RATERS = 1_000_000

LARGEST_STUDY = 10**15

# Of studies that keep the width: planned, so that with the approximations that are made
# it is 80 % at least.
PLANNED = 0.83


def items_needed(
    kappa: float,
    prevalence: float,
    half_width: float,
    raters: int = 2,
    *,
    confidence: float = 0.95,
) -> int:
    """Items so that the default interval is rarely wider than wanted; two labels.

    Parameters
    ----------
    kappa : float in [-1, 1); in [0, 1) for more than two raters
        The agreement that one expects (Fleiss' kappa; pi for two raters).
    prevalence : float in (0, 1)
        Share of judgments with one of the two labels.
    half_width : float in (0, 1)
    raters : int
        Judgments of each item.
    confidence : float in (0, 1)

    Returns
    -------
    int
        The fewest items with which half the length of the default interval of Fleiss'
        kappa (of alpha, with as good as the same) is at most this in 83 % of studies,
        so that it is 80 % at least with the approximation that is made, as in the
        settings that its tests simulate. The length varies with the items that are
        drawn; its mean and variance are those of the second order in their counts.

    Raises
    ------
    ValueError
        For a value out of range, or a combination that cannot be.

    Notes
    -----
    For more than two raters kappa and prevalence do not settle how judgments fall
    together, so a model must: every item has a true label, and each judgment is it with
    probability sqrt(kappa), else drawn by prevalence (Artstein 2007, slide 46). Under
    another model, such as rates of the items (beta-binomial), the number is another.

    References
    ----------
    With very many items n = z^2 sigma^2 / half_width^2, for two raters with Donner and
    Eliasziw's (1992) sigma^2 = (1 - k) [(1 - k)(1 - 2k) + k (2 - k) / (2 p (1 - p))].

    Examples
    --------
    >>> import labelaudit as la
    >>> la.items_needed(0.6, 0.3, 0.1)
    342
    >>> la.items_needed(0.6, 0.3, 0.1, raters=5)
    124
    """
    raters = _checks.count("raters", raters, 2, MOST_RATERS)
    p = _checks.open_unit("prevalence", prevalence)
    if not 1e-9 < p < 1 - 1e-9:
        raise _checks.refuse("prevalence", prevalence, "further than 1e-9 from 0 and 1")
    rarer = min(_checks.fraction(p), 1 - _checks.fraction(p))
    p = float(rarer)  # both labels alike: the digits of 1 - p are not lost
    half_width = _checks.open_unit("half_width", half_width)
    confidence = _checks.confidence(confidence)
    lowest = -p / (1 - p) if raters == 2 else 0.0
    value = _checks.number("kappa", kappa)
    if not lowest <= value < 1:
        accepted = (
            f"from {significant(lowest)} to less than 1 at this prevalence and"
            f" {raters} raters"
        )
        raise _checks.refuse("kappa", kappa, accepted)
    shares = _patterns(value, p, raters)
    z = float(ndtri((1 + confidence) / 2))
    mean, spread = _moments(shares, raters)

    def narrow(n: int) -> bool:
        one_label = shares[0] ** n + shares[-1] ** n  # then there is no interval
        rarely = one_label <= 1 - PLANNED
        return rarely and not _half_length(n, mean, spread, raters, z) > half_width

    n = 2 + bisect_left(range(2, LARGEST_STUDY), True, key=narrow)
    if n == LARGEST_STUDY:
        accepted = f"wide enough for fewer than {LARGEST_STUDY:.0e} items"
        raise _checks.refuse("half_width", half_width, accepted)
    return n


def _patterns(kappa: float, p: float, raters: int) -> Array:
    """Probability of 0 .. raters judgments with the label."""
    if raters == 2:
        both = p * p + kappa * p * (1 - p)
        return np.array([1 - 2 * p + both, 2 * (p - both), both])
    k = np.arange(raters + 1)
    from scipy.stats import binom  # half a second to import

    sure = np.sqrt(kappa)
    of_it, of_other = p + (1 - p) * sure, p * (1 - sure)
    return p * binom.pmf(k, raters, of_it) + (1 - p) * binom.pmf(k, raters, of_other)


def _moments(shares: Array, raters: int) -> tuple[Array, Array]:
    """Mean of an item's (1, x, d, x^2, x d, d^2), and its principal deviations, (6, 6).

    x : the share of its judgments with the label; d : that of its pairs which differ
    """
    x = np.arange(raters + 1) / raters
    d = 2 * x * (1 - x) * raters / (raters - 1)
    each = np.stack([np.ones_like(x), x, d, x * x, x * d, d * d])
    mean = each @ shares
    away = each - mean[:, None]
    variance, axes = np.linalg.eigh((away * shares) @ away.T)
    return mean, axes * np.sqrt(np.maximum(variance, 0))


def _half_length(n: int, mean: Array, spread: Array, raters: int, z: float) -> float:
    """What PLANNED of the studies of n items keep half of the interval's length below.

    Along each principal deviation of the moments: its first and second differences.
    """
    at, step = n * mean, 0.01
    here = _reach(at, raters, z)
    centre, variance = here, 0.0
    for one in spread.T:
        move = step * np.sqrt(n) * one
        above, below = (_reach(at + way * move, raters, z) for way in (1, -1))
        bent = (above - 2 * here + below) / step**2
        centre += bent / 2
        variance += ((above - below) / (2 * step)) ** 2 + bent**2 / 2
    return centre + float(ndtri(PLANNED)) * float(np.sqrt(variance))


def _reach(sums: Array, raters: int, z: float) -> float:
    """Half of the length of the interval of `uncertainty`, by sums over the items."""
    unlike, ends = raters / (2 * (raters - 1)), []
    agreed = np.array([1, 0.5, 0, 0.5, 0, 0])
    split = np.array([1, 0.5, unlike, 0.25, unlike / 2, unlike**2])
    for more, reach in ((agreed + split, z), (agreed, -z)):
        n, *rest = sums + more
        x, d, xx, xd, dd = np.array(rest) / n
        expected = 2 * x * (1 - x)
        by_x, by_d = 2 * d * (1 - 2 * x) / expected**2, -1 / expected
        variance = by_x**2 * (xx - x * x) + 2 * by_x * by_d * (xd - x * d)
        variance += by_d**2 * (dd - d * d)
        error = np.sqrt(max(variance, 0.0) / (n - 1))
        ends.append(end(d / expected, error, reach))
    return (ends[1] - max(ends[0], -1.0)) / 2
