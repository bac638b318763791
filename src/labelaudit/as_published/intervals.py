"""The published intervals and sample sizes."""

from math import ceil
from typing import Any

import numpy as np

from .. import _checks
from .._checks import Array
from ..intervals.proportion import together
from ..laws.errors import Law


def plug_in_interval(
    errors_found: Any, sample_size: Any, lot_size: int, *, confidence: float = 0.95
) -> tuple[Array, Array]:
    """The interval behind Fig. 3, called exact there: it is not.

    Quantiles of the number of errors in a sample from a lot whose error rate is
    the one just observed, divided by the sample size. Clopper and Pearson ask
    instead which lots make the observation plausible.

    Arrays of errors found and sample sizes broadcast; rates are returned.

    >>> low, high = plug_in_interval(5, 100, 1000)
    >>> round(low.item(), 4), round(high.item(), 4)
    (0.01, 0.09)
    """
    from scipy.stats import hypergeom  # half a second to import

    confidence = _checks.confidence(confidence)
    lot_size = checked_lot(lot_size)
    n = _checks.counts("sample_size", sample_size, 1, lot_size)
    x, n = together(_checks.counts("errors_found", errors_found), n)
    in_lot = np.rint(x / n * lot_size).astype(int)
    low, high = (
        hypergeom.ppf((1 + side * confidence) / 2, lot_size, in_lot, n) / n
        for side in (-1, 1)
    )
    return low, high


def interval_sample_size(
    rate: float, half_width: float, lot_size: int, *, alpha: float
) -> int:
    """The interval sample sizes of Table 3: a root of a sawtooth.

    Looks between n = 1 and n = lot_size for a root of both_tails - alpha, which
    jumps up and down through 0; which crossing Brent's method ends at depends
    on the bracket.

    >>> interval_sample_size(0.01, 0.01, 3380, alpha=0.01)
    803
    """
    from scipy.optimize import brentq  # it takes a while to import

    alpha = _checks.open_unit("alpha", alpha)

    def excess(n: float) -> float:
        return float(both_tails(np.asarray(n), rate, half_width, lot_size)) - alpha

    if lot_size is None or not excess(1) * excess(checked_lot(lot_size)) < 0:
        raise _checks.refuse(
            "rate, half_width, lot_size and alpha",
            (rate, half_width, lot_size, alpha),
            "such that the sum of both tails crosses alpha",
        )
    return ceil(brentq(excess, 1, lot_size))


def both_tails(n: Any, rate: float, half_width: float, lot_size: int) -> Any:
    """P(X >= x; rate - half_width) + P(X <= x; rate + half_width), x = rate n.

    The printed criterion of section 3.2 asks for this sum to equal alpha. It
    bounds the tails at the ends of the wanted interval, together rather than
    each by alpha / 2. n may be an array.

    >>> both_tails([802, 803], 0.01, 0.01, 3380).round(4)
    array([0.01  , 0.0099])
    """
    rate = float(_checks.unit("rate", rate))
    half_width = float(_checks.open_unit("half_width", half_width))
    lot_size = checked_lot(lot_size)
    sizes = _checks.counts("n", np.rint(_checks.numbers("n", n)), 0, lot_size)
    x, size = np.rint(rate * np.asarray(n, float)).astype(int), sizes
    lot = Law(lot_size)
    low = round(lot_size * max(0.0, rate - half_width))
    high = round(lot_size * min(1.0, rate + half_width))
    return lot.tails(x, size, low)[1] + lot.tails(x, size, high)[0]


def checked_lot(lot_size: Any) -> int:
    """These procedures are for lots alone."""
    return _checks.count("lot_size", lot_size, 1, _checks.LARGEST_LOT)
