"""How many must be looked at for an interval that is short enough?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.errors import rate_to_count
from ..laws.inspection import Inspection
from ..laws.inspection import checked as checked_inspection
from .flagged_limits import FlagsOfLot, FlagsOfProcess
from .methods import Samples
from .proportion import LARGEST_FLAGGED_LOT, METHODS, PRIOR_WEIGHT, _method
from .short_enough import TooLongError, short_enough

# A search for a process's sample size gives up beyond this many inspections.
LARGEST_SAMPLE = 2_000_000


@dataclass(frozen=True)
class SampleSize:
    """Two answers to "how many must be inspected for an interval this short?"

    The width of an exact interval is a sawtooth in n, so they differ.

    Attributes
    ----------
    first : int
        The smallest n whose interval is short enough.
    stable : int
        The n from which every larger one's interval is short enough too.
    """

    first: int
    stable: int


def interval_sample_size(
    rate: float,
    half_width: float,
    lot_size: int | None = None,
    *,
    confidence: float = 0.95,
    method: str = "clopper-pearson",
    prior: tuple[float, float] | None = None,
    inspection: Inspection | None = None,
) -> SampleSize:
    """How many annotations to inspect for an interval of a given half width.

    Plans for the outcome that the expected rate makes likely: round(rate n)
    errors among n.

    Parameters
    ----------
    rate : float in [0, 1]
        The error rate that is expected.
    half_width : float in (0, 1)
        Wanted: (high - low) / 2 <= half_width.
    lot_size : int, optional
        Sample without replacement from a lot of this size; None is a process.
    confidence, method
        As for proportion_interval.
    prior : pair of positive numbers, for "prior-assisted" alone
        As for proportion_interval, to which the same prior must go; by default
        (20 rate, 20 (1 - rate)), for a rate that is neither 0 nor 1.
    inspection : Inspection, optional
        As for proportion_interval. The plan is then for the flags that the rate
        makes likely, and rate, in the default prior too, for their share.

    Returns
    -------
    SampleSize
        first and stable; in a lot every n up to its size is judged, in a process
        up to 4 x first.

    Raises
    ------
    ValueError
        Where an argument is out of range, a process would need some two million
        inspections, or a lot with an imperfect inspection more than all it has.

    References
    ----------
    The aim of Klie et al. 2024, section 3.2. Their sizes follow another
    criterion, and a root finder on a sawtooth; see labelaudit.as_published.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.interval_sample_size(0.12, 0.025)
    SampleSize(first=686, stable=690)
    """
    rate, half_width = (
        _checks.unit("rate", rate),
        _checks.open_unit("half_width", half_width),
    )
    lot_size = _checks.lot_size(lot_size)
    share = _checks.fraction(rate)
    inspection = checked_inspection(inspection)
    if inspection is not None:
        share = inspection.flag_rate(share)
    _checks.one_of("method", method, METHODS)
    if method == "prior-assisted" and prior is None:
        prior = _default_prior(float(share))
    rule = _method(method, lot_size, confidence, prior, inspection)
    widest: float = 2 * half_width

    def judged(first: int, last: int) -> Array:
        """Whether samples of first .. last annotations are enough."""
        n = np.arange(first, last + 1)
        x = _rounded(share, n)
        try:
            return short_enough(Samples(x, n - x), rule, widest)
        except TooLongError as error:
            raise _checks.refuse(
                "half_width",
                half_width,
                f"wide enough for a search of a minute with the method {method!r} (it"
                f" would compute some {error.number:,} intervals one by one, in about"
                f" {error.seconds / 60:.0f} minutes)",
            ) from None

    if isinstance(rule, FlagsOfProcess):
        widest *= rule.most - rule.least
    if lot_size is not None:
        if lot_size > LARGEST_FLAGGED_LOT and isinstance(rule, FlagsOfLot):
            raise _checks.refuse(
                "lot_size",
                lot_size,
                f"at most {LARGEST_FLAGGED_LOT} with an imperfect inspection (the"
                " search would take long)",
            )
        exactly = 2 * lot_size * _checks.fraction(half_width)
        widest = int(exactly + Fraction(1, 10**9))
        enough = judged(1, lot_size)
        if not enough[-1]:  # flags leave doubt even about a lot inspected whole
            raise _checks.refuse(
                "half_width",
                half_width,
                "wide enough for inspecting the whole lot to do, with this inspection",
            )
        return _sample_size(enough)
    enough = np.zeros(0, bool)  # of n = 1, 2, ...
    while not enough.any() or len(enough) < 4 * (np.argmax(enough) + 1):
        if len(enough) >= LARGEST_SAMPLE:
            raise _checks.refuse(
                "half_width",
                half_width,
                f"wide enough for {LARGEST_SAMPLE} inspections to do at rate {rate}",
            )
        last = max(2 * len(enough), 256)
        enough = np.append(enough, judged(len(enough) + 1, last))
    return _sample_size(enough[: 4 * (np.argmax(enough) + 1)])


def _default_prior(rate: float) -> tuple[float, float]:
    """A Beta with the planning rate for its mean."""
    if not 0 < rate < 1:
        raise _checks.refuse(
            "prior", None, f"given for the method 'prior-assisted' at rate {rate}"
        )
    return PRIOR_WEIGHT * rate, PRIOR_WEIGHT * (1 - rate)


def _sample_size(enough: Array) -> SampleSize:
    """From whether n = 1, 2, ... is enough."""
    first = int(np.argmax(enough)) + 1
    failures = np.flatnonzero(~enough) + 1
    return SampleSize(first, max(first, int(failures.max(initial=0)) + 1))


def _rounded(rate: Fraction, n: Array) -> Array:
    """rate_to_count for an array of sizes."""
    top, bottom = rate.numerator, rate.denominator
    if bottom * 2 * int(n.max()) >= 2**62:
        return np.array([rate_to_count(rate, m) for m in n.tolist()])
    whole, rest = np.divmod(top * n, bottom)
    return whole + ((2 * rest > bottom) | ((2 * rest == bottom) & (whole % 2 == 1)))
