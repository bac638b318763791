"""Rules for chance: D_e from a few sums over judgments.

They differ in whose pairs of judgments stand for chance:

    S        each label alike
    pi, K    any two judgments, the same one twice included
    alpha    any two different judgments
    kappa, weighted kappa, iota, kappa_x    any two judgments by different raters
             (kappa_x: one of each replication)
    AC1, AC2 Gwet's, from the label shares

Each judgment weighs 1; where items weigh alike, 1 / (judgments of its item), and for
iota 1 / (judgments of its rater). Agreement by chance, A_e, is 1 - D_e: for pi the sum
of the squared label shares.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple


class Sums(NamedTuple):
    """Sums over the judgments that take part; numbers, or arrays for many subsets.

    pairs : distances over all ordered pairs of judgments
    between : the part of them between raters
    n : judgments; items, where items weigh alike
    between_n : ordered pairs of judgments by different raters
    same : ordered pairs of judgments that are the same label
    """

    pairs: Any
    between: Any
    n: Any
    between_n: Any
    same: Any


# Of numbers, arrays (many samples at once) and complex numbers: the influences are
# derivatives by an imaginary step, so a rule is made of sums, products and quotients.
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


def uniform(mean_distance: float) -> Chance:
    """D_e of S: each label alike, so the mean over all pairs of labels (slide 15)."""
    return partial(_uniform, mean_distance)


def _uniform(mean_distance: float, s: Sums) -> Any:
    return mean_distance + 0 * s.pairs


def gwet(n_labels: int, near: float) -> Chance:
    """D_e of AC2: 1 - near / (q (q - 1)) sum p_c (1 - p_c) (Gwet 2014).

    near : the sum over all pairs of labels of 1 - distance, q for AC1 (Gwet 2008)
    """
    return partial(_gwet, n_labels, near)


def _gwet(n_labels: int, near: float, s: Sums) -> Any:
    if n_labels == 1:
        return 0 * s.pairs
    return 1 - (s.n**2 - s.same) / s.n**2 * (near / n_labels) / (n_labels - 1)
