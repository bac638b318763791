"""What agreement refuses: tests/data/refused/agreement.csv, with the names below.

Values of a wrong type are for tests/repo/test_every_input.py.
"""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
import refusals
from agreement_helpers import long

NAN, INF = refusals.NAN, refusals.INF
R, K, frame = la.Ratings, la.fleiss_kappa, pd.DataFrame
ROWS = [["a", "a", "b"], ["b", "b", "b"], ["a", None, "a"], ["c", "a", "c"]]
TWO = [["a", "a"], ["a", "b"], ["b", "b"], ["c", "c"], ["c", "a"]]
GOOD = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]


LONG = long(ROWS)
NAMED, PAIR = R.from_matrix(ROWS), R.from_matrix(TWO)
DAYS = pd.Series([f"document {i % 2}" for i in range(5)])
CLUSTERED, MOVED = (R.from_matrix(TWO, clusters=[*"efgh", c]) for c in ("c", "d"))
SIDE = R.from_matrix([[0, 1], [1, 1], [0, 0]] * 20)
declared = partial(R.from_matrix, [[0, 1], [1, 1], [0, 0]] * 20)
COUNTS = R.from_counts([[2, 0, 0], [1, 1, 0], [0, 0, 2]])
AGAIN = long([["a", "a"], ["b", "b"], ["a", "b"]]).iloc[[0, 1, 2, 3, 4, 5, 2]]
TWICE = R.from_long(AGAIN, repeats=True)
CHANGED = long([["a", "a"], ["c", "c"]]).iloc[[0, 0, 0, 2, 2]].assign(label=[*"abacc"])
SOME = [["a", "b"], ["b", "b"]]
PATTERNS = R.from_patterns([["a", "a"], ["a", "b"]], [8, 4])
LINEAR = partial(la.weighted_kappa, distance="linear")
CROSS = la.cross_kappa, la.normalized_cross_kappa
KAPPA, NORMAL = (call(SIDE, SIDE) for call in CROSS)
RESULTS = [K(PAIR), KAPPA, NORMAL]
ONE = la.bennett_s(R.from_matrix([["a", "a"]] * 9, labels=["a", "b"]))
TABLE = frame({"label": [*"aba"], "item": [0, 1, 1]})
NEEDED = {"kappa": 0.6, "prevalence": 0.3, "half_width": 0.1, "raters": 2}
MODEL = [*"ababa"]


@refusals.table("agreement")
def test_agreement_refuses(row):
    refusals.check(row, globals())


def test_a_frame_of_distances_goes_by_its_names():
    """Rows in another order than r.labels': the same answer; a good call, too."""
    table = frame(GOOD, [*"abc"], [*"abc"])
    straight = la.weighted_kappa(PAIR, table.to_numpy()).value
    for rows, columns in (("abc", "abc"), ("cab", "cab"), ("cab", "abc")):
        found = la.weighted_kappa(PAIR, table.loc[[*rows], [*columns]])
        assert found.value == pytest.approx(straight)
    for call in (la.krippendorff_alpha, la.janson_olsson_iota):
        assert np.isfinite(call(PAIR, GOOD).value)
