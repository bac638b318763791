"""What printed decimals tell of counts that nobody printed; exact arithmetic.

d_o and d_e of Eqs. 9 and 10 are ratios of whole numbers. Printed to 16 digits they
allow few denominators, which count the ratings on the items that two cities share.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from . import stand_in

APART = Fraction(1, 10**15)  # of a printed value and a fraction: rounding errors


def printed(label: str, pools: str) -> tuple[str, str]:
    """d_o and d_e of two cities on the whole file, as a public demo prints them."""
    cells = stand_in.known_cells(as_text=True)
    here = cells[(cells["label"] == label) & (cells["pools"] == pools)]
    value = here.set_index("statistic")["value"]
    return value["d_o"], value["d_e"]


def shared_ratings(d_o: str, d_e: str, rows: list[int]) -> list[tuple[int, int]]:
    """The numbers of ratings on shared items that a printed d_o and d_e allow.

    At most two ratings an item and city are taken for granted. With R ratings of one
    city and S of the other on an item, d_o is a sum of halves over the total of all
    R + S, and d_e = (u S + v R - 2 u v) / (R S) for u and v positive ratings among
    the totals R and S. Every total and every split of it is tried.

    Parameters
    ----------
    d_o, d_e : str
        Decimals of 16 digits.
    rows : list of int
        How many ratings either city has in all.

    Returns
    -------
    list of (int, int)
        Fewer and more ratings, without regard to whose.
    """
    within, between = Fraction(d_o), Fraction(d_e)
    found = []
    least, most = sorted(rows)
    for total in range(2, least + most + 1):
        if not _near(within, 2 * total):
            continue
        start = max(-(-total // 3), total - most)
        for fewer in range(start, min(total // 2, least) + 1):
            product = fewer * (total - fewer)
            if _near(between, product):
                unlike = round(between * product)
                if _positives(fewer, total - fewer, unlike):
                    found.append((fewer, total - fewer))
    return found


def _near(value: Fraction, denominator: int) -> bool:
    """Whether the value is a fraction with this denominator, but for rounding."""
    top = round(value * denominator)
    return abs(Fraction(top, denominator) - value) <= APART


def _positives(R: int, S: int, unlike: int) -> bool:  # noqa: N803
    """Whether some u of R and v of S have u S + v R - 2 u v = unlike."""
    for u in range(R + 1):
        left, by = unlike - u * S, R - 2 * u
        if by == 0 and left == 0:
            return True
        if by and left % by == 0 and 0 <= left // by <= S:
            return True
    return False


def greatest_error(
    kappa_x: float, ratings: tuple[int, int], items: int | None = None, steps: int = 50
) -> float:
    """The greatest standard error that a kappa_x can have, whatever was judged.

    Every shared item has one or two judgments of each city, so many in all as
    `ratings` says; there are so many items, or any number of them. The cities' shares
    p and q of yes take all multiples of 1 / steps. Given them and kappa_x, the squared
    error is linear in the numbers of items of each of 25 kinds, so its greatest value
    is a linear program.
    """
    kinds = [
        (i, j, u, v)
        for i, j in itertools.product((1, 2), repeat=2)
        for u, v in itertools.product(range(i + 1), range(j + 1))
    ]
    r, s, u, v = np.array(kinds, float).T
    R, S = ratings  # noqa: N806
    unlike = (r + s) * (u / r * (1 - v / s) + v / s * (1 - u / r))
    rows = np.array([r, s, u, v, unlike] + ([] if items is None else [r / r]))
    largest = 0.0
    for i in range(1, steps // 2 + 1):  # a yes is a no: p and q, or 1 - p and 1 - q
        for j in range(1, steps):
            p, q = i / steps, j / steps
            d_e = p + q - 2 * p * q
            d_o = (1 - kappa_x) * d_e
            observed = (unlike - (r + s) * d_o) / (R + S)
            expected = (u - p * r) / R * (1 - 2 * q) + (v - q * s) / S * (1 - 2 * p)
            square = ((R + S) * (observed / d_e - d_o * expected / d_e**2)) ** 2
            told = [R, S, p * R, q * S, d_o * (R + S), items][: len(rows)]
            found = linprog(-square, A_eq=rows, b_eq=told)
            if found.status == 0:
                largest = max(largest, -found.fun)
    return float(np.sqrt(largest)) / (R + S)
