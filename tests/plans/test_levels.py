"""Quality levels, and the error counts that rates become in a finite lot."""

from fractions import Fraction

import hypothesis.strategies as st
import pytest
from hypothesis import given

import labelaudit as la
import oracles


@pytest.mark.parametrize(
    ("rate", "size", "count"),
    [
        (0.015, 100, 2),  # halves, to even
        (0.025, 100, 2),
        (0.035, 100, 4),
        (0.009, 1500, 14),  # 13.5, which is 13.499999999999998 in binary
        (0.145, 1500, 218),  # 217.5, 217.49999999999997
        (0.035, 1500, 52),  # 52.5, 52.50000000000001
        (0.275, 1500, 412),  # 412.5, 412.50000000000006
        (0.5, 3, 2),
        (0.5, 5, 2),
        (0.01, 24799, 248),
        (0.03, 3380, 101),
        (1e-05, 50000, 0),  # a half, printed with an exponent
        (3e-05, 50000, 2),
    ],
)
def test_counts_are_rounded_as_decimals(rate, size, count):
    levels = la.QualityLevels(rate, 0.9, 0.01, 0.05)
    assert levels.errors(size)[0] == count == oracles.count_of(rate, size)


@given(
    rate=st.decimals("0.0001", "0.5", places=4).map(float),
    size=st.integers(10, 100_000),
)
def test_counts_are_the_nearest_whole_numbers(rate, size):
    levels = la.QualityLevels(rate, 0.9999, 0.01, 0.05)
    d_a, d_r = levels.errors(size)
    assert abs(d_a - Fraction(str(rate)) * size) <= Fraction(1, 2)
    assert d_a == oracles.count_of(rate, size)
    assert d_r == oracles.count_of(0.9999, size)


def test_the_two_risks_must_leave_room_for_each_other():
    """beta < 1 - alpha in decimals: 0.9 + 0.1 is refused, 0.9 + 0.0999 is not."""
    la.QualityLevels(0.1, 0.2, 0.9, 0.0999)
    with pytest.raises(ValueError, match="beta"):
        la.QualityLevels(0.1, 0.2, 0.9, 0.1)
    with pytest.raises(ValueError, match="beta"):
        la.QualityLevels(0.1, 0.2, 0.7, 0.3)  # 1 - 0.7 is 0.30000000000000004


@pytest.mark.parametrize(
    "plan_for", [la.single_plan, la.double_plan, la.sequential_plan]
)
def test_a_lot_too_small_for_the_levels_is_refused(plan_for):
    """In 25 annotations 1 % and 2 % round to 0 errors."""
    with pytest.raises(ValueError, match=r"lot_size .* got 25"):
        plan_for(la.QualityLevels(0.01, 0.02, 0.05, 0.1), 25)
    with pytest.raises(ValueError, match="lot_size"):
        la.SamplingPlan([0], [1], 25, la.QualityLevels(0.01, 0.02, 0.05, 0.1))
