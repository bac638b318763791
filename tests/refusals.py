"""What is refused, a table for each wing: tests/data/refused.

A row has a call of the names below and of the test's, which may hold VALUE; the values
that are tried for it; and what the sentence must say, as a regular expression that may
hold the VALUE that is tried.
"""

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from known import rows

NAN, INF = float("nan"), float("inf")
NAMES = {"la": la, "np": np, "pd": pd, "R": la.Ratings, "NAN": NAN, "INF": INF}
NAMES |= {"Decimal": Decimal, "Fraction": Fraction}
NAMES["NOT_UNITS"] = [NAN, INF, -0.1, 0.0, 1.0, 1.5]


def table(wing):
    """A mark: the test has each row of the wing's table."""
    found = rows(f"refused/{wing}")
    return pytest.mark.parametrize("row", found, ids=lambda row: row[0])


def check(row, names, kind=ValueError):
    """Each call is refused in one sentence, with such words."""
    call, values, words = row
    names = NAMES | names
    for value in eval(f"[{values or None}]", names):
        wanted = words.replace("VALUE", re.escape(str(value)))
        with pytest.raises(kind, match=wanted) as refused:
            eval(call, names | {"VALUE": value})
        assert "\n" not in str(refused.value)
