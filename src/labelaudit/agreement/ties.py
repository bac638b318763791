"""The largest tail of a sum of wins, ties and losses, whatever the share of ties.

d is -1, 0 or 1 with mean epsilon and a share t of ties; S is the sum of n such. P(S <=
s) is a polynomial f(t), whose largest value on [0, 1 - epsilon] is bounded from above.

A tie more is half a loss and half a win less, so f' and f'' are differences of the
probabilities of n - 1 and n - 2 terms:

    f''(t) = n (n - 1) / 4 * [z^(s + 2)] (1 - z)^3 A(z)^(n - 2),  A(z) = b / z + t + a z

By Cauchy's formula on a circle |z| = r, |f''| is at most the integral of absolute
values. |A|^2 is convex in t and in cos(angle), so that on a rectangle of both it is
largest at a corner: an upper sum of the integral is a bound for all t between two
points, and f is at most the larger end plus an eighth of the bound times the squared
length. Stretches are halved until this says no more than the largest f that was seen.
"""

from __future__ import annotations

import numpy as np
from scipy.special import bdtr, gammaln

from .._checks import Array

LARGEST = 1_000_000  # n; beyond, sums take long
CLOSE = 1e-9  # how far the bound may be above the largest value, as a share of it
LEAST = 1e-15  # and as a number
ROUNDS = 200
ANGLES = 128  # on each quarter of the circle


def largest_tail(n: int, s: int, epsilon: float) -> float:
    """The largest P(S <= s) over the share of ties, or a little more.

    n : at least 1; s : from -n to n; epsilon : from 0, below 1

    More by 1e-9 of itself, 1e-14 for each of n, and 1e-15.
    """
    if s >= n:
        return 1.0
    ends = _first_grid(n, 1 - epsilon)
    low, high = ends[:-1], ends[1:]
    values = _tails(n, s, epsilon, ends)
    at_low, at_high = values[:-1], values[1:]
    best = values.max()
    bound = best
    for _ in range(ROUNDS):
        curved = _curvature(n, s, epsilon, low, high)
        bounds = np.maximum(at_low, at_high) + (high - low) ** 2 / 8 * curved
        # A stretch too short to halve is as good as its ends.
        middle = (low + high) / 2
        split = (low < middle) & (middle < high)
        open_ = (bounds > best * (1 + CLOSE / 2) + LEAST / 2) & split
        bound = best
        if not open_.any() or best >= 1:
            break
        bound = bounds[open_].max()
        low, high, middle = low[open_], high[open_], middle[open_]
        at_low, at_high = at_low[open_], at_high[open_]
        inside = _tails(n, s, epsilon, middle)
        best = max(best, inside.max())
        low, high = np.append(low, middle), np.append(middle, high)
        at_low, at_high = np.append(at_low, inside), np.append(inside, at_high)
    most = max(best, bound) * (1 + CLOSE / 2 + 1e-10 + 1e-14 * n) + LEAST
    return float(min(most, 1.0))


def _first_grid(n: int, most: float) -> Array:
    """Ends of stretches: short ones near 0, where even and odd sums differ."""
    near = np.geomspace(min(0.01 / n, most / 4), most, 24)
    return np.unique(np.concatenate([[0.0], near, np.linspace(0, most, 9)]))


def _tails(n: int, s: int, epsilon: float, ties: Array) -> Array:
    """P(S <= s) at each share of ties, (k,); to rounding and 1e-17.

    The number of wins and losses is binomial, and so are the wins among them. Its
    values beyond 9 standard deviations and 40 more have less than 1e-17 (Bernstein).
    """
    w = np.clip(1 - ties, epsilon, 1.0)
    reach = np.ceil(9 * np.sqrt(n * w * (1 - w)) + 40)
    first = np.maximum(np.floor(n * w - reach), 0)
    width = int(min(2 * reach.max() + 2, n)) + 1
    number = first[:, None] + np.arange(width)
    known = number <= n
    number = np.minimum(number, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        rise = np.where(number == 0, 0.0, number * np.log(w)[:, None])
        fall = np.where(number == n, 0.0, (n - number) * np.log1p(-w)[:, None])
        log = rise + fall - gammaln(number + 1) - gammaln(n - number + 1)
        win = np.where(w > 0, np.minimum((1 + epsilon / w) / 2, 1.0), 0.5)
    log = np.where(known, log, -np.inf)
    weight = np.exp(log - log.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    wins = np.floor((s + number) / 2)
    whole = number.astype(np.intp)  # bdtr warns of others
    tail = bdtr(np.clip(wins, 0, number), whole, win[:, None])
    tail = np.where(wins < 0, 0.0, np.where(wins >= number, 1.0, tail))
    total: Array = (weight * tail).sum(axis=1)
    return total


def _curvature(n: int, s: int, epsilon: float, low: Array, high: Array) -> Array:
    """A bound of |f''| on each stretch of shares of ties, (k,)."""
    if n < 2:
        return np.zeros(len(low))
    r = _radius(n, s, epsilon, (low + high) / 2)[:, None]
    angle, z = _angles(n), 0.0
    largest: Array = np.full((len(low), len(angle)), -np.inf)
    for t in (low, high):
        a, b = (1 - t + epsilon)[:, None] / 2, (1 - t - epsilon)[:, None] / 2
        b = np.maximum(b, 0.0)
        real = t[:, None] + (a * r + b / r) * np.cos(angle)
        size = real**2 + ((a * r - b / r) * np.sin(angle)) ** 2
        with np.errstate(divide="ignore"):
            largest = np.maximum(largest, np.log(size) / 2)
    power = (n - 2) * largest if n > 2 else np.zeros_like(largest)
    power = np.maximum(power[:, :-1], power[:, 1:]) - (s + 2) * np.log(r)
    z = np.sqrt((1 - r) ** 2 + 4 * r * np.sin(angle[1:] / 2) ** 2) ** 3
    with np.errstate(over="ignore"):
        integral = (z * np.exp(power) * np.diff(angle)).sum(axis=1) / np.pi
    bound: Array = n * (n - 1) / 4 * integral * (1 + 1e-9)
    return bound


def _angles(n: int) -> Array:
    """From 0 to pi, closest at both ends, where powers of A are largest."""
    steep = np.log(n) / 2 + 2
    quarter = np.sinh(steep * np.linspace(0, 1, ANGLES)) / np.sinh(steep) * np.pi / 2
    angles: Array = np.append(quarter, np.pi - quarter[-2::-1])
    return angles


def _radius(n: int, s: int, epsilon: float, t: Array) -> Array:
    """About where A(r)^n / r^s is smallest; any r gives a bound."""
    mean = min(max(s / n, -1 + 0.5 / n), 1 - 0.5 / n)
    a, b = (1 - t + epsilon) / 2, np.maximum((1 - t - epsilon) / 2, 1e-300)
    square, line, rest = a * (1 - mean), mean * t, b * (1 + mean)
    root = (line + np.sqrt(line**2 + 4 * square * rest)) / (2 * square)
    return np.clip(root, 1e-6, 1e6)
