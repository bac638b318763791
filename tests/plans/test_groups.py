"""Intervals for a group after a plan has stopped: exact coverage in lots of 12."""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import perm

import pytest

import labelaudit as la
import oracles
from interval_oracles import as_counts
from labelaudit.plans.groups import group_interval

LOT = 12

# accept and reject by n
LONG = [-1, -1, -1, -1, 0, 0, 0, 1, 1, 1, 1, 2], [2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3]
# it accepts early, so that the tail is likelier with more errors than with few
EARLY = (
    [-1, 0, 1, -1, 0, 0, 0, 1, 1, 2, -1, 4],
    [3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 5],
)
PLANS = {
    "full": ([-1] * 6 + [1], [*range(1, 7), 2]),
    "curtailed": ([-1] * 5 + [0, 1], [*range(1, 3), *[2] * 5]),
    "double": ([-1] * 4 + [0] + [-1] * 3 + [2], [1, 2, 3, 4, 3, 6, 7, 8, 3]),
    "sequential": ([-1, -1, -1, 0, 0, 0, 1, 1, 2], [1, 2, 2, 2, 3, 3, 3, 3, 3]),
    "long sequential": LONG,
}

# Brute force ----------------------------------------------------------------------


def outcomes(accept, reject, size, d, e):
    """P(stop at (n, x, m, y)) as fractions, from path to path: the ways to draw."""
    found = {}
    live = {(0, 0, 0, 0): 1}  # errors and correct ones of the group, of the others
    kinds = d, size - d, e, LOT - size - e
    for n in range(len(accept)):
        following = defaultdict(int)
        for state, ways in live.items():
            y, good, z, _ = state
            if not accept[n] < y + z < reject[n]:
                at = n, y + z, y + good, y
                found[at] = found.get(at, 0) + Fraction(ways, perm(LOT, n))
                continue
            for kind in range(4):
                left = kinds[kind] - state[kind]
                if left:
                    after = tuple(c + (i == kind) for i, c in enumerate(state))
                    following[after] += ways * left
        live = following
    assert not live
    return found


def every_lot(accept, reject, size):
    """(d, e) to the probabilities of all outcomes."""
    return {
        (d, e): outcomes(accept, reject, size, d, e)
        for d in range(size + 1)
        for e in range(LOT - size + 1)
    }


@pytest.mark.parametrize("size", [1, 4, 6, 11])
@pytest.mark.parametrize("name", PLANS)
def test_every_lot_is_covered(name, size):
    accept, reject = PLANS[name]
    plan = la.SamplingPlan(accept, reject, lot_size=LOT)
    lots = every_lot(accept, reject, size)
    at = {outcome[2:]: outcome for found in lots.values() for outcome in found}

    @cache
    def ends(m, y, confidence):  # the same wherever the plan stopped, see below
        n, x, _, _ = at[m, y]
        found = group_interval(plan, n, x, size, m, y, confidence)
        low, high = as_counts(found, size)
        assert y <= low <= high <= size - (m - y)
        return low, high

    for (d, _), found in lots.items():
        assert sum(found.values()) == 1
        for confidence in (0.5, 0.8, 0.95):
            covered = 0
            for (_, _, m, y), p in found.items():
                low, high = ends(m, y, confidence)
                covered += p * (low <= d <= high)
            assert covered >= oracles.decimal(confidence)


# Particular cases -----------------------------------------------------------------


def test_a_process_with_one_end_gives_clopper_and_pearsons():
    plan = la.SamplingPlan([-1] * 40 + [3], [*range(1, 41), 4])
    expected = la.proportion_interval(2, 17, confidence=0.9)
    found = group_interval(plan, 40, 5, None, 17, 2, 0.9)
    assert found == pytest.approx(expected, rel=1e-11)
    assert group_interval(plan, 40, 5, None, 0, 0) == (0, 1)


@pytest.mark.parametrize(
    ("region", "size", "confidence", "longer"),
    [(LONG, 6, 0.8, 0.1), (EARLY, 4, 0.5, 0)],
)
def test_the_tail_is_as_the_recursion_of_paths_says(region, size, confidence, longer):
    """The limits are those of the worst (d, e), but for the bound over the others."""
    half = (1 - oracles.decimal(confidence)) / 2
    plan = la.SamplingPlan(*region, lot_size=LOT)
    accept, reject = ([n - c for n, c in enumerate(limits)] for limits in region[::-1])
    mirror = la.SamplingPlan(accept, reject, lot_size=LOT)
    lots, shorter, total = every_lot(*region, size), 0, 0
    limits = {(0, 0): size}
    for m in range(1, size + 1):
        for y in range(m + 1):
            alone = oracles.lot_interval(y, m, size, confidence, "clopper-pearson")
            limits[m, y] = alone[1]
    at = {outcome[2:]: outcome for found in lots.values() for outcome in found}
    for (m, y), (n, x, _, _) in at.items():
        if m:
            accepted = {y} | {
                d
                for (d, _), found in lots.items()
                if y <= d <= size - (m - y)
                and half
                < sum(p for o, p in found.items() if limits[o[2:]] <= limits[m, y])
            }
            found = group_interval(plan, n, x, size, m, y, confidence)
            high = as_counts(found, size)[1]
            # right and wrong exchanged
            turned = group_interval(mirror, n, n - x, size, m, m - y, confidence)
            assert as_counts(turned, size)[0] == size - high
            assert high >= max(accepted)
            shorter += high > max(accepted)
            total += 1
    assert shorter <= longer * total
