"""Plans with inspectors who make mistakes, by enumeration. Slow and obvious.

Every placement of the errors in a lot, and every outcome of every inspection,
as fractions. Nothing here imports labelaudit.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb

from oracles import decimal, verdict


@dataclass
class Outcome:
    """What becomes of a lot, on average."""

    accepted: Fraction
    stops: list  # P(stop at n)
    flags: dict  # P(stop at (n, x))
    left_rectified: Fraction  # errors that go out where rejected lots are rectified
    inspected_rectified: Fraction
    left_accepted: Fraction  # errors that go out in accepted lots


def enumerate_lot(accept, reject, lot_size, errors, sensitivity, specificity):
    """Every placement of the errors and all flags: 2^N C(N, D) cases."""
    seen, wrong = decimal(sensitivity), 1 - decimal(specificity)
    result = Outcome(Fraction(0), [Fraction(0)] * len(accept), {}, *[Fraction(0)] * 3)
    for placed in combinations(range(lot_size), errors):
        lot = [int(i in placed) for i in range(lot_size)]
        for flags in product((0, 1), repeat=lot_size):
            weight = Fraction(1, comb(lot_size, errors))
            for error, flag in zip(lot, flags):
                rate = seen if error else wrong
                weight *= rate if flag else 1 - rate
            if not weight:
                continue
            word, n, x = verdict(accept, reject, flags[: len(accept) - 1])
            assert word != "continue"
            result.stops[n] += weight
            result.flags[n, x] = result.flags.get((n, x), 0) + weight
            looked_at = n if word == "accept" else lot_size
            corrected = sum(e and f for e, f in zip(lot[:looked_at], flags))
            result.left_rectified += weight * (errors - corrected)
            result.inspected_rectified += weight * looked_at
            if word == "accept":
                result.accepted += weight
                result.left_accepted += weight * (errors - corrected)
    return result


@cache
def flagged_pmf(x, n, lot_size, errors, sensitivity, specificity):
    """P(x flags among n): the true errors among them, then the flags of each kind."""
    seen, wrong = decimal(sensitivity), 1 - decimal(specificity)
    if lot_size is None:
        p = decimal(errors)
        return binomial(x, n, p * seen + (1 - p) * wrong)
    total = Fraction(0)
    for t in range(max(0, n - (lot_size - errors)), min(n, errors) + 1):
        ways = comb(errors, t) * comb(lot_size - errors, n - t)
        total += ways * among(x, n, t, seen, wrong)
    return total / comb(lot_size, n)


@cache
def binomial(k, size, rate):
    if not 0 <= k <= size:
        return Fraction(0)
    return comb(size, k) * rate**k * (1 - rate) ** (size - k)


@cache
def among(x, n, t, seen, wrong):
    """P(x flags among n of which t are errors)."""
    return sum(
        binomial(j, t, seen) * binomial(x - j, n - t, wrong) for j in range(x + 1)
    )


@cache
def flagged_cdf(x, n, *rest):
    if x < 0:
        return Fraction(0)
    return flagged_cdf(x - 1, n, *rest) + flagged_pmf(x, n, *rest)


def two_samples_pmf(n1, n2, lot_size, errors, sensitivity, specificity):
    """{(i, j): P(i flags among the first n1, j among the next n2)}.

    The true errors among both, then the flags of each.
    """
    seen, wrong = decimal(sensitivity), 1 - decimal(specificity)

    def flags(n, t):
        law = [Fraction(1)]
        for rate in [seen] * t + [wrong] * (n - t):
            law = [(1 - rate) * a + rate * b for a, b in zip([*law, 0], [0, *law])]
        return law

    result = dict.fromkeys(product(range(n1 + 1), range(n2 + 1)), Fraction(0))
    for t1 in range(min(n1, errors) + 1):
        for t2 in range(min(n2, errors - t1) + 1):
            rest = lot_size - n1 - n2
            if errors - t1 - t2 > rest:
                continue
            ways = comb(n1, t1) * comb(n2, t2) * comb(rest, errors - t1 - t2)
            weight = Fraction(ways, comb(lot_size, errors))
            for i, a in enumerate(flags(n1, t1)):
                for j, b in enumerate(flags(n2, t2)):
                    result[i, j] += weight * a * b
    return result
