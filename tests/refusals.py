"""What is refused, a table for each wing: tests/data/refused.

A row has a call of the names below and of the test's, which may hold VALUE; the values
that are tried for it; and what the sentence must say, as a regular expression that may
hold the VALUE that is tried.
"""

import csv
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from known import DATA

NAN, INF = float("nan"), float("inf")
NAMES = {"la": la, "np": np, "pd": pd, "R": la.Ratings, "NAN": NAN, "INF": INF}
NAMES |= {"Decimal": Decimal, "Fraction": Fraction}
NAMES["NOT_UNITS"] = [NAN, INF, -0.1, 0.0, 1.0, 1.5]


def table(wing):
    """A mark: the test has each row of the wing's table."""
    with (DATA / "refused" / f"{wing}.csv").open(newline="", encoding="utf-8") as file:
        rows = [[*row.values()] for row in csv.DictReader(file)]
    return pytest.mark.parametrize("row", rows, ids=lambda row: row[0])


def check(row, names):
    """Each call is a ValueError in such words."""
    call, values, words = row
    names = NAMES | names
    for value in eval(f"[{values or None}]", names):
        wanted = words.replace("VALUE", re.escape(str(value)))
        with pytest.raises(ValueError, match=wanted):
            eval(call, names | {"VALUE": value})
