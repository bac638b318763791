"""Intervals after a plan has stopped: by enumeration, and in processes on a grid."""

from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import labelaudit as la
import oracles
from interval_oracles import as_counts
from regions import limits, lots

CONFIDENCES = (0.5, 0.8, 0.95)


def tail(masses, point, sign):
    """P(the share of errors is no larger, sign 1, or no smaller than at `point`)."""
    n, x = point
    return sum(p for (m, y), p in masses.items() if sign * y * n <= sign * x * m)


@given(lots())
def test_any_region(case):
    """With the masses of every D, in fractions."""
    plan, lot_size = la.SamplingPlan(*case), case[2]
    masses = [oracles.stops(*case, d) for d in range(lot_size + 1)]
    points = {point for found in masses for point in found}
    for confidence in CONFIDENCES:
        half = (1 - oracles.decimal(confidence)) / 2
        covered = [Fraction(0)] * (lot_size + 1)
        for point in points:
            low = [d for d, p in enumerate(masses) if tail(p, point, -1) > half]
            high = [d for d, p in enumerate(masses) if tail(p, point, 1) > half]
            ends = as_counts(plan.interval(*point, confidence), lot_size)
            n, x = point  # so many are wrong at least, and at most
            told = np.clip([min(low), max(high)], x, lot_size - n + x)
            assert ends == tuple(sorted(told))
            for d in range(ends[0], ends[1] + 1):
                covered[d] += masses[d].get(point, 0)
        assert min(covered) >= oracles.decimal(confidence)


@settings(max_examples=40)
@given(limits(), st.sampled_from(CONFIDENCES))
def test_any_region_in_a_process(case, confidence):
    plan, tolerance = la.SamplingPlan(*case), 1e-9
    rates = np.linspace(0, 1, 401)
    masses = oracles.stops(*case, None, rates)
    half, covered = (1 - confidence) / 2, np.zeros(len(rates))
    for point in masses:
        low, high = plan.interval(*point, confidence)
        above = rates[tail(masses, point, 1) > half + 1e-12]
        assert high >= above[-1] - tolerance
        assert low <= rates[tail(masses, point, -1) > half + 1e-12][0] + tolerance
        inside = (low - tolerance <= rates) & (rates <= high + tolerance)
        covered += masses[point] * inside
        for end, sign in ((high, 1), (low, -1)):  # limits solve their equation
            at_end = oracles.stops(*case, None, np.array([end]))
            p = float(np.squeeze(tail(at_end, point, sign)))
            if 0 < end < 1:
                assert p == pytest.approx(half, rel=1e-8)
            else:
                assert p >= half
    assert covered.min() >= confidence - 1e-9
