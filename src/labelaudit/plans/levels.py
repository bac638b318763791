"""Quality levels: which error rates are good, which are bad, and at what risk."""

from dataclasses import dataclass
from typing import Any

from .. import _checks
from ..laws.errors import rate_to_count


@dataclass(frozen=True)
class QualityLevels:
    """Two error rates to tell apart, and the risks of mistaking one for the other.

    Parameters
    ----------
    p_a : float in (0, 1)
        Acceptable error rate: a lot this good should be accepted.
    p_r : float in (p_a, 1)
        Rejectable error rate: a lot this bad should be rejected.
    alpha : float in (0, 1)
        Producer's risk, the largest probability of rejecting at p_a.
    beta : float in (0, 1 - alpha)
        Consumer's risk, the largest probability of accepting at p_r.

    Raises
    ------
    ValueError
        Unless 0 < p_a < p_r < 1 and 0 < beta < 1 - alpha < 1, and where p_a or a
        risk is below 1e-12: nobody could check such a promise.

    References
    ----------
    Klie et al. 2024, Eq. 1.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.QualityLevels(p_a=0.01, p_r=0.03, alpha=0.01, beta=0.05) == la.STRICT
    True
    """

    p_a: float
    p_r: float
    alpha: float
    beta: float

    def __post_init__(self) -> None:
        for name in vars(self):
            number = float(_checks.open_unit(name, getattr(self, name)))
            object.__setattr__(self, name, number)
        for name in ("p_a", "alpha", "beta"):
            if (number := getattr(self, name)) < _checks.LEAST_RISK:
                raise _checks.refuse(name, number, f"at least {_checks.LEAST_RISK:g}")
        if not self.p_a < self.p_r:
            raise _checks.refuse("p_r", self.p_r, f"greater than p_a = {self.p_a}")
        if not _checks.fraction(self.beta) < 1 - _checks.fraction(self.alpha):
            accepted = f"less than 1 - alpha with alpha = {self.alpha}"
            raise _checks.refuse("beta", self.beta, accepted)

    def errors(self, lot_size: int | None = None) -> tuple[float, float]:
        """The two levels on the scale of `errors`: counts in a lot, else rates.

        Parameters
        ----------
        lot_size : int, optional
            Annotations in the lot; None for a process.

        Returns
        -------
        at_a, at_r : int in a lot (D_a, D_r), float for a process (p_a, p_r)

        Raises
        ------
        ValueError
            Where the lot is too small to tell the levels apart.

        Examples
        --------
        >>> import labelaudit as la
        >>> la.STRICT.errors(1000), la.STRICT.errors()
        ((10, 30), (0.01, 0.03))
        """
        size = _checks.lot_size(lot_size)
        if size is None:
            return self.p_a, self.p_r
        d_a, d_r = rate_to_count(self.p_a, size), rate_to_count(self.p_r, size)
        if d_a == d_r:
            accepted = f"large enough to tell p_a = {self.p_a} from p_r = {self.p_r}"
            accepted += f" (both are {d_a} errors here)"
            raise _checks.refuse("lot_size", size, accepted)
        return d_a, d_r


def check_levels(levels: Any, more: str = "") -> None:
    if not isinstance(levels, QualityLevels):
        raise _checks.refuse("levels", levels, f"QualityLevels{more}")


class Task:
    """What a plan is sought for: the checked arguments of all designs.

    Attributes
    ----------
    levels : QualityLevels
    lot_size : int, or None for a process
    errors : d_a and d_r, the two levels on the scale of errors
    alpha, beta : the two risks as the decimals that they were written as
    """

    def __init__(self, levels: QualityLevels, lot_size: int | None = None) -> None:
        check_levels(levels)
        self.levels, self.lot_size = levels, _checks.lot_size(lot_size)
        self.errors = self.d_a, self.d_r = levels.errors(self.lot_size)
        self.alpha = _checks.fraction(levels.alpha)
        self.beta = _checks.fraction(levels.beta)


STRICT = QualityLevels(p_a=0.01, p_r=0.03, alpha=0.01, beta=0.05)
"""The strict configuration of Klie et al. 2024, as their numbers use it."""

RELAXED = QualityLevels(p_a=0.02, p_r=0.05, alpha=0.05, beta=0.10)
"""The relaxed configuration of Klie et al. 2024, as their numbers use it."""
