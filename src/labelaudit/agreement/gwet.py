"""Gwet's coefficients AC1 and AC2; `table` has what makes them.

With missing judgments Gwet's own estimates take label shares from items judged once,
too, and items weigh alike. Here items judged once are dropped, as for every
coefficient, and judgments weigh alike unless weigh="items" is asked for.
"""

from typing import Any

from .agreement import Agreement
from .ratings import Ratings
from .table import compute


def gwet_ac1(r: Ratings, *, weigh: str = "judgments") -> Agreement:
    """AC1: chance is highest where labels are used alike, 0 where one is alone.

    Parameters
    ----------
    r : Ratings
    weigh : "judgments" or "items"
        What weighs the same where items have different numbers of judgments.

    Returns
    -------
    Agreement
        1 - D_e = sum_c p_c (1 - p_c) / (q - 1) with q = len(r.labels).

    Raises
    ------
    ValueError
        For ratings with repeats, another word for weigh.

    References
    ----------
    Gwet 2008.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1], [1, 1], [1, 2], [2, 2]])
    >>> round(la.gwet_ac1(r).value, 4)
    0.5294
    """
    return compute("gwet_ac1", r, weigh=weigh)


def gwet_ac2(r: Ratings, distance: Any, *, weigh: str = "judgments") -> Agreement:
    """AC2: AC1 with some disagreements worse than others.

    Parameters
    ----------
    r : Ratings
    distance : "nominal", "linear", "quadratic", or square matrix
        Positions in r.labels apart, as for weighted_kappa; or a matrix of
        disagreements in [0, 1].
    weigh : "judgments" or "items"
        What weighs the same where items have different numbers of judgments.

    Returns
    -------
    Agreement
        1 - D_e = (q^2 - sum d) / (q (q - 1)) sum_c p_c (1 - p_c) with q = len(r.labels)
        and the sum of the distances over all ordered pairs of labels.

    Raises
    ------
    ValueError
        For ratings with repeats, a distance that is none of these, another word for
        weigh.

    References
    ----------
    Gwet 2014, chapter 4.

    Examples
    --------
    >>> import labelaudit as la
    >>> r = la.Ratings.from_matrix([[1, 1], [2, 3], [3, 3], [1, 2], [3, 1]])
    >>> round(la.gwet_ac2(r, "linear").value, 4)
    0.1429
    """
    return compute("gwet_ac2", r, distance, weigh)
