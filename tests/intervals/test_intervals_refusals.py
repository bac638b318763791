"""What intervals refuse: tests/data/refused/intervals.csv, with the names below."""

from functools import partial

import labelaudit as la
import refusals

INTERVAL = partial(la.proportion_interval, 3, 20)
SIZE = partial(la.interval_sample_size, rate=0.1, half_width=0.1)


@refusals.table("intervals")
def test_intervals_refuse(row):
    refusals.check(row, globals())
