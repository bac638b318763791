"""What intervals and their sample sizes refuse, and in which words."""

import pytest

import labelaudit as la

interval, size, strata = (
    la.proportion_interval,
    la.interval_sample_size,
    la.stratified_interval,
)
LOT = r"lot_size must be the lot's size for the method 'optimal'.*, got None"
TOO_MANY = "half_width must be wide enough for 2000000 inspections .*, got 1e-05"

CASES = [
    (
        "errors_found must be whole numbers from 0 to sample_size, which is 20, got 21",
        interval,
        (21, 20),
        {},
    ),
    (
        r"errors_found must be .*, which is 4 at \[1, 0\], got 5",
        interval,
        ([[3], [5]], [4, 6], 9),
        {},
    ),
    (
        r"sample_size must be of a shape that .* \(3,\), got 'the shape \(2,\)'",
        interval,
        ([1, 2, 3], [4, 6], 9),
        {},
    ),
    (LOT, interval, (3, 20), {"method": "optimal"}),
    (LOT, size, (0.1, 0.1, None), {"method": "optimal"}),
    (TOO_MANY, size, (0.5, 1e-5, None), {}),
    (
        "half_width must be wide enough for a search of a minute with the method"
        r" 'optimal' \(it would compute some .* intervals one by one.*",
        size,
        (0.3, 0.001, 1_000_000),
        {"method": "optimal"},
    ),
    (
        r"errors_found must be a pair of whole numbers, one for a stratum, got \[1\]",
        strata,
        ([1], (2, 3), (4, 5)),
        {},
    ),
    (
        r"errors_found must be .* to sample_sizes, which are \[2, 3\], got \[3, 0\]",
        strata,
        ((3, 0), (2, 3), (4, 5)),
        {},
    ),
    (
        r"sample_sizes must be .* to lot_sizes, which are \[4, 5\], got \[2, 6\]",
        strata,
        ((0, 0), (2, 6), (4, 5)),
        {},
    ),
    (
        r"lot_sizes must be pairs with a sum from 1 to 10,000,000, got \[0, 0\]",
        strata,
        ((0, 0), (0, 0), (0, 0)),
        {},
    ),
    (
        r"sample_sizes must be pairs with a sum of at most 2,000 .*, got \(2000, 1\)",
        strata,
        ((0, 0), (2000, 1), (10**5, 10**5)),
        {},
    ),
]


@pytest.mark.parametrize(("message", "call", "args", "options"), CASES)
def test_refusals(message, call, args, options):
    with pytest.raises(ValueError, match=rf"^{message}$"):
        call(*args, **options)
