"""Quality levels, and the error counts that rates become in a finite lot."""

import pytest

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
