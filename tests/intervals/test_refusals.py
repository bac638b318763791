"""What intervals and their sample sizes refuse, beside tests/repo/test_bad_input.py."""

from functools import partial

import pytest

import labelaudit as la

OPTIMAL = {"method": "optimal"}
LOT = r"lot_size must be the lot's size for the method 'optimal'.*, got None"
STRATA = la.stratified_interval

CASES = [
    (
        partial(la.proportion_interval, 21, 20),
        "from 0 to sample_size, which is 20, got",
    ),
    (
        partial(la.proportion_interval, [[3], [5]], [4, 6], 9),
        r"errors_found must be .*, which is 4 at \[1, 0\], got 5",
    ),
    (
        partial(la.proportion_interval, [1, 2, 3], [4, 6], 9),
        r"sample_size must be of a shape that .* \(3,\), got 'the shape \(2,\)'",
    ),
    (partial(la.proportion_interval, 3, 20, **OPTIMAL), LOT),
    (partial(la.interval_sample_size, 0.1, 0.1, **OPTIMAL), LOT),
    (
        partial(la.interval_sample_size, 0.5, 1e-5),
        "half_width must be wide enough for 2000000 inspections .*, got 1e-05",
    ),
    (
        partial(la.interval_sample_size, 0.3, 0.001, 1_000_000, **OPTIMAL),
        "half_width must be wide enough for a search of a minute with the method",
    ),
    (partial(STRATA, [1], (2, 3), (4, 5)), "errors_found must be a pair of whole numb"),
    (partial(STRATA, (3, 0), (2, 3), (4, 5)), r"which are \[2, 3\], got \[3, 0\]"),
    (partial(STRATA, (0, 0), (2, 6), (4, 5)), r"which are \[4, 5\], got \[2, 6\]"),
    (partial(STRATA, (0, 0), (0, 0), (0, 0)), r"from 1 to 10,000,000, got \[0, 0\]"),
    (
        partial(STRATA, (0, 0), (2000, 1), (10**5, 10**5)),
        r"at most 2,000 .*\(2000, 1\)",
    ),
]


@pytest.mark.parametrize(("call", "words"), CASES)
def test_refusals(call, words):
    with pytest.raises(ValueError, match=words):
        call()
