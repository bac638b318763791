"""Intervals for an error rate: the methods, and the function that users call."""

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import betainc, betaincc, betainccinv, betaincinv, ndtri

from .. import _checks
from .._checks import Array
from ..laws.errors import Law, at_most, largest
from .shortest import shortest_limits, wilson


class Method:
    """Limits by two one-sided tests: Clopper and Pearson's, or mid-P.

    Both limits rise with more errors and fall with more correct annotations in the
    sample: P(X <= x) falls with a correct one more, and P(X + 1 <= x + 1) is no larger
    than that of x + 1 in a sample of one more.

    Attributes
    ----------
    tail : Fraction
        Errors with P(X <= x) and P(X >= x) above this are in the interval for x.
    less : Fraction
        Of P(X = x), what either of the two leaves out: 0, with mid-P 1/2.
    """

    less = Fraction(0)

    def __init__(self, lot_size: int | None, alpha: Fraction) -> None:
        self.alpha, self.tail = alpha, alpha / 2
        self.law: Any = None if lot_size is None else Law(lot_size)

    def limits(self, x: Array, n: Array) -> tuple[Array, Array]:
        """Limits on the scale of errors, for arrays x and n."""
        if self.law is None:
            return self.rates(x, n, float(self.tail))
        # Exchanging errors and correct annotations turns one limit into the other.
        ends = self.law.total - self._last(n - x, n), self._last(x, n)
        # At confidences below 1/2 mid-P may leave no errors; its limits then cross.
        return np.minimum(*ends), np.maximum(*ends)

    def rates(self, x: Array, n: Array, tail: float) -> tuple[Array, Array]:
        """In a process: p with P(X >= x) = tail and p with P(X <= x) = tail."""
        return _rate(betaincinv, x, n, tail), _rate(betainccinv, x + 1, n, tail)

    def _last(self, x: Array, n: Array) -> Array:
        """In a lot: the largest D with P(X <= x) above the bound.

        D = x is always one; a D that leaves fewer than n - x correct is none.
        """
        law, size, less = self.law, self.law.total, self.less

        def not_too_many(rows: Array, d: Array) -> Array:
            at = x[rows], n[rows], d
            below = law.tails(*at)[0] - float(less) * law.pmf(*at)
            return ~at_most(below, self.tail, exact, *at)

        def exact(x: int, *at: int) -> Fraction:
            return law.exact_cdf(x, *at) - less * law.exact_cdf(x, *at, low=x)

        z = -float(ndtri(float(self.tail)))
        guess = np.rint(size * wilson(x, n, size, z)).astype(np.int64)
        margin = 2 + guess // 64
        most = size - n + x + 1
        return largest(not_too_many, x, most, guess - margin, guess + margin)


class MidP(Method):
    """The same, with half of the observed outcome's probability."""

    less = Fraction(1, 2)

    def rates(self, x: Array, n: Array, tail: float) -> tuple[Array, Array]:
        """p with P(X > x) + P(X = x)/2 = tail, and the same for X < x.

        Each limit lies between Clopper and Pearson's for x and for the next count
        inwards.
        """
        from scipy.optimize.elementwise import find_root  # it takes a while

        def root(x: Array, share: Any, inverse: Any) -> Array:
            def excess(p: Array, x: Array, n: Array) -> Array:
                def of(a: Array) -> Array:
                    beta = share(np.maximum(a, 1.0), np.maximum(n - a, 0) + 1.0, p)
                    return np.where((a > 0) & (a <= n), beta, 0.0)

                return (of(x) + of(x + 1)) / 2 - tail

            ends = _rate(inverse, x, n, tail), _rate(inverse, x + 1, n, tail)
            return find_root(excess, ends, args=(x, n)).x

        low = root(np.maximum(x, 1), betainc, betaincinv)
        high = root(np.minimum(x, n - 1), betaincc, betainccinv)
        low, high = np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high)
        return np.minimum(low, high), np.maximum(low, high)


def _rate(inverse: Any, x: Array, n: Array, tail: float) -> Array:
    """p with P(X >= x), or with P(X < x), of `tail`: a beta quantile."""
    p = inverse(np.maximum(x, 1.0), np.maximum(n - x, 0) + 1.0, tail)
    return np.where(x < 1, 0.0, np.where(x > n, 1.0, p))


class Optimal(Method):
    """The length-optimal intervals of shortest.py, for lots alone."""

    def limits(self, x: Array, n: Array) -> tuple[Array, Array]:
        return shortest_limits(self.law, x, n, self.alpha)


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
    most = lot_size or _checks.LARGEST_SAMPLE
    n = _checks.counts("sample_size", sample_size, 1, most)
    x, n = together(_checks.counts("errors_found", errors_found), n)
    rule = chosen_method(method, lot_size, confidence)
    low, high = rule.limits(x.ravel(), n.ravel())
    low, high = (limit.reshape(x.shape) / (lot_size or 1) for limit in (low, high))
    return (low, high) if x.ndim else (float(low), float(high))


def together(x: Array, n: Array) -> tuple[Array, Array]:
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
        accepted = "the lot's size for the method 'optimal' (lots alone)"
        raise _checks.refuse("lot_size", None, accepted)
    return METHODS[name](lot_size, 1 - _checks.fraction(confidence))
