"""Reference implementations: slow, obvious, and independent of the library.

Nothing here imports labelaudit. Probabilities are fractions, and every search
looks at every candidate.
"""

from fractions import Fraction
from math import ceil, comb

import numpy as np

# Rates and laws -------------------------------------------------------------------


def decimal(number):
    """The decimal that a person wrote: 0.05 is 1/20."""
    return number if isinstance(number, Fraction) else Fraction(str(number))


def count_of(rate, size):
    """The errors that a rate means in so many annotations, half to even."""
    exact = decimal(rate) * size
    below = exact.numerator // exact.denominator
    rest = exact - below
    if rest == Fraction(1, 2):
        return below + below % 2
    return below + (rest > Fraction(1, 2))


def pmf(x, n, lot_size, errors):
    """P(x errors among n): from a lot with `errors` errors, or at an error rate."""
    if not 0 <= x <= n:
        return Fraction(0)
    if lot_size is None:
        p = decimal(errors)
        return comb(n, x) * p**x * (1 - p) ** (n - x)
    ways = comb(errors, x) * comb(lot_size - errors, n - x)
    return Fraction(ways, comb(lot_size, n))


def cdf(x, n, lot_size, errors):
    """P(at most x errors among n)."""
    return sum((pmf(i, n, lot_size, errors) for i in range(x + 1)), Fraction(0))


# Stopping regions -----------------------------------------------------------------


def verdict(accept, reject, outcomes):
    """(verdict, inspected, errors found) of a region on a sequence of outcomes."""
    x = 0
    for n in range(len(outcomes) + 1):
        if n:
            x += outcomes[n - 1]
        if x <= accept[n]:
            return "accept", n, x
        if x >= reject[n]:
            return "reject", n, x
    return "continue", len(outcomes), x


def stops(accept, reject, lot_size, errors):
    """{(n, x): P(the plan stops there)}, state by state; of an array of rates too.

    From n inspected with x errors the next one is an error with probability
    (D - x) / (N - n) in a lot, p in a process.
    """
    rate = errors if np.ndim(errors) else decimal(errors)
    found, live = {}, {0: rate * 0 + 1}
    for n in range(len(accept)):
        following = {}
        for x, mass in live.items():
            if not accept[n] < x < reject[n]:
                found[n, x] = mass
                continue
            wrong = rate if lot_size is None else Fraction(errors - x, lot_size - n)
            for step, share in ((0, 1 - wrong), (1, wrong)):
                if np.any(share):
                    following[x + step] = following.get(x + step, 0) + mass * share
        live = following
    assert not live
    return found


def by_recursion(accept, reject, lot_size, errors):
    """P(accept) and the sample-number pmf."""
    found, by_n = stops(accept, reject, lot_size, errors), [Fraction(0)] * len(accept)
    for (n, _), mass in found.items():
        by_n[n] += mass
    return sum(mass for (n, x), mass in found.items() if x <= accept[n]), by_n


# Single and double plans ----------------------------------------------------------


def risks_kept(rejected_at_a, accepted_at_r, levels):
    """Both risks against the levels (p_a, p_r, alpha, beta), with <=."""
    _, _, alpha, beta = levels
    return rejected_at_a <= decimal(alpha) and accepted_at_r <= decimal(beta)


def in_counts(levels, lot_size):
    """The two rates as errors in the lot; for a process as they are."""
    if lot_size is None:
        return levels[:2]
    return tuple(count_of(rate, lot_size) for rate in levels[:2])


def single_plans(levels, lot_size, n):
    """Every c for which one sample of n keeps both risks."""
    d_a, d_r = in_counts(levels, lot_size)
    return [
        c
        for c in range(-1, n + 1)
        if risks_kept(1 - cdf(c, n, lot_size, d_a), cdf(c, n, lot_size, d_r), levels)
    ]


def smallest_single(levels, lot_size, most=200):
    """(n, [c]) of the smallest sample that keeps both risks."""
    for n in range((lot_size or most) + 1):
        found = single_plans(levels, lot_size, n)
        if found:
            return n, found
    raise AssertionError("no single plan up to `most`")


def two_samples(lot_size, errors, n, i, j):
    """Placements with i and j errors in a first and a second sample of n each.

    Whole numbers, of comb(lot_size, errors) in all; int64 holds them to lots of 60.
    """
    assert lot_size <= 60
    of_sample = np.array([comb(n, k) for k in range(j.max() + 1)])
    of_rest = np.array([comb(lot_size - 2 * n, k) for k in range(errors + 1)])
    left = errors - i - j
    rest = np.where(left < 0, 0, of_rest[np.maximum(left, 0)])
    return of_sample[i] * of_sample[j] * rest


# Intervals ------------------------------------------------------------------------


def lot_interval(x, n, lot_size, confidence, method):
    """(low, high) error counts: every D tested, low and high the extremes kept."""
    tail = (1 - decimal(confidence)) / 2
    half = Fraction(1, 2) if method == "mid-p" else 0
    kept_high, kept_low = [], []
    for d in range(lot_size + 1):
        at = pmf(x, n, lot_size, d)
        below = cdf(x, n, lot_size, d)
        if below - half * at > tail:
            kept_high.append(d)
        if 1 - below + at - half * at > tail:
            kept_low.append(d)
    return min(kept_low), max(kept_high)


# Decimal fractions ----------------------------------------------------------------


def short_decimal(number, digits=12):
    """The float that prints as exactly this fraction, or None."""
    if (number * 10**digits).denominator != 1:
        return None
    value = float(number)
    return value if Fraction(str(value)) == number else None


def last_digit_below(value, digits=14):
    """The nearest shorter decimal strictly below a float."""
    return float(Fraction(ceil(decimal(value) * 10**digits) - 1, 10**digits))
