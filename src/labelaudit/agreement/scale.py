"""Words for values of kappa."""

from typing import Any

import numpy as np

from .. import _checks
from .agreement import Agreement

# Values this close to an edge of the scale are on it.
EDGE = 1e-12


SCALE = (
    (0.0, "poor"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)


def landis_koch(value: Any) -> str:
    """The name of an agreement value on the scale of Landis and Koch.

    Parameters
    ----------
    value : float or Agreement
        At most 1.

    Returns
    -------
    str
        "poor" below 0, "slight" to 0.20, "fair" to 0.40, "moderate" to 0.60,
        "substantial" to 0.80, "almost perfect" to 1; "undefined" for NaN. The
        bounds are a convention: the authors call them arbitrary.

    Raises
    ------
    ValueError
        For anything but a number of at most 1.

    References
    ----------
    Landis and Koch 1977, p. 165.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.landis_koch(0.4), la.landis_koch(0.41), la.landis_koch(-0.1)
    ('fair', 'moderate', 'poor')
    """
    number = value.value if isinstance(value, Agreement) else _checks.real(value)
    if number is not None and number != number:
        return "undefined"
    if number is None or not -np.inf < number <= 1 + EDGE:
        raise _checks.refuse("value", value, "a number of at most 1")
    if number < -EDGE:
        return "poor"
    return next(name for top, name in SCALE[1:] if number <= top + EDGE)
