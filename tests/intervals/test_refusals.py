"""What intervals and their sample sizes refuse, and in which words."""

import numpy as np
import pytest

import labelaudit as la

interval, size = la.proportion_interval, la.interval_sample_size
INSPECTION = la.Inspection(0.9, 0.95)
PRIORS = [
    3, "ab", (1,), (1, 2, 3), (0, 1), (1, -1), (1, np.inf), (1, 1.1e9), (np.nan, 1),
    (True, 1), ("1", 2),
]  # fmt: skip
LOT = r"lot_size must be the lot's size for the method 'optimal'.*, got None"
PRIOR = r"prior must be two positive numbers \(a, b\) .*, got .*"
TOO_MANY = "half_width must be wide enough for 2000000 inspections .*, got 1e-05"
NO_INSPECTION = "inspection must be an Inspection or None.*"

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
    *[
        (PRIOR, call, args, {"method": "prior-assisted", "prior": prior})
        for prior in PRIORS
        for call, args in ((interval, (3, 20)), (size, (0.1, 0.1, 50)))
    ],
    ("prior must be .* got None", interval, (3, 20), {"method": "prior-assisted"}),
    *[
        (
            f"prior must be given .* at rate {rate}, got None",
            size,
            (rate, 0.1, 50),
            {"method": "prior-assisted"},
        )
        for rate in (0.0, 1.0)
    ],
    *[
        (
            rf"prior must be None for the method '{method}', got \(1, 9\)",
            call,
            args,
            {"method": method, "prior": (1, 9)},
        )
        for method in ("clopper-pearson", "mid-p", "blaker")
        for call, args in ((interval, (3, 20)), (size, (0.1, 0.1, 50)))
    ],
    *[
        (TOO_MANY, size, (0.5, 1e-5, None), {"method": method})
        for method in ("clopper-pearson", "blaker", "prior-assisted")
    ],
    *[
        (
            f"inspection must be None or perfect for the method '{method}' in a lot.*",
            interval,
            (2, 10, 50),
            {"method": method, "inspection": INSPECTION},
        )
        for method in ("blaker", "optimal", "prior-assisted")
    ],
    (NO_INSPECTION, interval, (2, 10), {"inspection": 0.9}),
    (NO_INSPECTION, size, (0.1, 0.05), {"inspection": "good"}),
    (
        "lot_size must be at most 50000.*",
        size,
        (0.1, 0.05, 60_000),
        {"inspection": INSPECTION},
    ),
    (
        "prior must be None.*",
        interval,
        (2, 10, 50),
        {"prior": (1, 2), "inspection": INSPECTION},
    ),
    (
        "half_width must be wide enough for a search of a minute with the method"
        r" 'prior-assisted' \(it would compute some .* intervals one by one.*",
        size,
        (0.3, 0.001, 1_000_000),
        {"method": "prior-assisted"},
    ),
]


@pytest.mark.parametrize(("message", "call", "args", "options"), CASES)
def test_refusals(message, call, args, options):
    with pytest.raises(ValueError, match=rf"^{message}$"):
        call(*args, **options)
