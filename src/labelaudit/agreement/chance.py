"""Rules for chance: D_e from four sums over judgments.

They differ in whose pairs of judgments stand for chance:

    S        each label alike
    pi, K    any two judgments, the same one twice included
    alpha    any two different judgments
    kappa, weighted kappa, iota, kappa_x    any two judgments by different raters,
        whom kappa_x has replications for
    AC1      Gwet's, from the label shares
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple


class Sums(NamedTuple):
    """Sums over the judgments that take part; numbers, or arrays for many subsets.

    pairs : distances over all ordered pairs of judgments
    between : the part of them between raters
    n : judgments
    between_n : ordered pairs of judgments by different raters
    """

    pairs: Any
    between: Any
    n: Any
    between_n: Any


Chance = Callable[[Sums], Any]


def any_two(s: Sums) -> Any:
    """D_e of pi and K: N' d N / N^2 (Artstein 2007, slides 17, 27)."""
    return s.pairs / s.n**2


def any_two_different(s: Sums) -> Any:
    """D_e of alpha: N' d N / (N (N - 1)) (Artstein 2007, slide 39)."""
    return s.pairs / (s.n * (s.n - 1))


def different_raters(s: Sums) -> Any:
    """D_e of kappa and iota: pairs of judgments by different raters (slide 22).

    With replications for raters it is that of kappa_x (Wong et al. 2021, Eq. 10).
    """
    return s.between / s.between_n


def uniform(n_labels: int) -> Chance:
    """D_e of S: each label alike (slide 15)."""
    return partial(_uniform, n_labels)


def _uniform(n_labels: int, s: Sums) -> Any:
    return 1 - 1 / n_labels + 0 * s.pairs


def gwet(n_labels: int) -> Chance:
    """D_e of AC1: 1 - sum p_c (1 - p_c) / (q - 1) (Gwet 2008)."""
    return partial(_gwet, n_labels)


def _gwet(n_labels: int, s: Sums) -> Any:
    if n_labels == 1:
        return 0 * s.pairs
    return 1 - s.pairs / s.n**2 / (n_labels - 1)
