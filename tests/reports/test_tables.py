"""reliability(): its tables against brute force and other programs."""

import itertools
import warnings
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import labelaudit as la
from agreement_helpers import quietly
from labelaudit.agreement.parts import NUMBERS
from labelaudit.agreement.table import TABLE
from labelaudit.reports.collection import study
from labelaudit.reports.collection.found import Reliability
from studies import alpha_of, judged, made

MATRIX = made()
R = la.Ratings.from_matrix(MATRIX)
FOUND = la.reliability(R)
GROUPS = [k // 4 % 13 for k in range(60)]
CLUSTERED = la.Ratings.from_matrix(MATRIX, clusters=GROUPS)


# Coefficients and labels --------------------------------------------------------------


@pytest.mark.parametrize("r", [R, CLUSTERED, R.between(0, 1)])
def test_coefficients_are_the_functions_with_their_intervals(r):
    found, two = la.reliability(r), len(r.raters) == 2
    for name, row in found.coefficients.iterrows():
        one = getattr(la, name)(r)
        for part in (*NUMBERS, "standard_error"):
            assert row[part] == getattr(one, part), (name, part)
        assert (row["low"], row["high"]) == quietly(one.interval)
    assert [*found.of] == [*found.coefficients.index]
    assert {*found.of, *found.unfit} == {*TABLE} and "weighted_kappa" in found.unfit
    assert ("cohen_kappa" in found.of) == ("scott_pi" in found.of) == two
    assert two or found.unfit["cohen_kappa"] == "for two raters; these are 5"


def test_confidence_is_that_of_all_intervals():
    narrow = la.reliability(R, confidence=0.5)
    assert "(50 % interval " in narrow.report()
    for table in ("coefficients", "labels"):
        one, other = getattr(narrow, table), getattr(FOUND, table)
        kept = other["low"].notna()
        lengths = (one["high"] - one["low"])[kept], (other["high"] - other["low"])[kept]
        assert (lengths[0] < 0.5 * lengths[1]).all()


def test_labels_by_counting_pairs():
    """Specific agreement, twice, shares; alpha by the krippendorff package."""
    everything = Counter(label for row in MATRIX for _, label in judged(row))
    table = FOUND.labels
    assert table["ratings"].to_dict() == everything
    assert table["share"].sum() == pytest.approx(1)
    for label in "abc":
        same = pairs = twice = 0.0
        for row in MATRIX:
            given = [label for _, label in judged(row)]
            for one, other in itertools.permutations(given, 2):
                both = one == other == label
                pairs += (one == label) / (len(given) - 1)
                same += both / (len(given) - 1)
                twice += both / (len(given) * (len(given) - 1))
        binary = [
            [None if v is None else "ab"[v == label] for v in row] for row in MATRIX
        ]
        expected = [same / pairs, twice, alpha_of(binary)]
        assert list(table.loc[label, ["agreement", "twice", "value"]]) == (
            pytest.approx(expected)
        )
        for found, r in ((FOUND, R), (la.reliability(CLUSTERED), CLUSTERED)):
            ends = quietly(la.krippendorff_alpha(r.collapsed(label)).interval)
            assert tuple(found.labels.loc[label, ["low", "high"]]) == ends


# Raters, pairs and items --------------------------------------------------------------

DISTANCES = {
    "nominal": lambda a, b: float(a != b),
    "interval": lambda a, b: (a - b) ** 2,
}


@pytest.mark.parametrize("distance", DISTANCES)
def test_raters_by_counting(distance):
    matrix, d = made(seed=3, labels=[1, 2, 5]), DISTANCES[distance]
    found = la.reliability(la.Ratings.from_matrix(matrix), distance)
    for rater in range(5):
        each = defaultdict(list)
        for row in matrix:
            rest = [label for a, label in judged(row) if a != rater]
            if row[rater] is None or not rest:
                continue
            each["same"].append(np.mean([row[rater] == label for label in rest]))
            each["own"].append(np.mean([d(row[rater], label) for label in rest]))
            if len(rest) > 1:
                couples = itertools.combinations(rest, 2)
                each["others"].append(np.mean([d(a, b) for a, b in couples]))
                excess = each["own"][-1] - each["others"][-1]
                each["excess"].append(excess)
        row = found.raters.loc[rater]
        assert row["ratings"] == sum(one[rater] is not None for one in matrix)
        assert row["shared"] == len(each["own"])
        names = ["agreement", "disagreement", "among_others", "excess"]
        means = [np.mean(each[name]) for name in ("same", "own", "others", "excess")]
        assert list(row[names]) == pytest.approx(means)


def test_items_are_ordered_by_dispute_with_their_votes():
    items, table = FOUND.items, FOUND.disputed(5)
    assert (items["disagreement"].diff().dropna() <= 0).all()
    assert list(table.index) == list(items.index[:5])
    for item, row in table.iterrows():
        count = Counter(label for _, label in judged(MATRIX[item]))
        votes = dict(one.split() for one in row["votes"].split(", "))
        assert {label: int(n) for label, n in votes.items()} == count
        assert list(votes.values()) == sorted(votes.values(), reverse=True)
    floats = la.Ratings.from_matrix([[1.0, 2.0], [1.0, 1.0]] * 3, labels=[1, 2])
    assert la.reliability(floats).disputed(1)["votes"].iloc[0] == "1 1, 2 1"


# What is left out ---------------------------------------------------------------------


def test_anonymous_raters_leave_what_needs_names_empty():
    found = la.reliability(la.Ratings.from_counts(R.counts, labels=list("abc")))
    for table in (found.raters, found.flags):
        assert len(table) == 0
    assert [*found.flags] == [*FOUND.flags]
    assert "all by rater: they are anonymous" in found.omitted
    assert found.unfit["janson_olsson_iota"].startswith("needs to know")
    kept = ["ratings", "agreement", "twice", "value"]
    both = found.labels[kept], FOUND.labels[kept]
    pd.testing.assert_frame_equal(*both, check_names=False)


def test_alpha_without_a_rater_is_that_of_the_krippendorff_package():
    for rater in range(5):
        left = np.delete(MATRIX, rater, axis=1)
        assert FOUND.raters["without"][rater] == pytest.approx(alpha_of(left))


def test_what_would_take_too_long_is_left_out_and_said(monkeypatch):
    monkeypatch.setattr(study, "BUDGET", 10)
    many = la.Ratings.from_matrix(made(raters=6, labels="abcdefg"))
    found = la.reliability(many)
    alone = found.labels.sort_values("ratings")["value"]
    assert alone.isna().tolist() == [True] * 2 + [False] * 5
    assert "without" not in found.raters
    assert found.omitted == (
        "alpha of all but the 5 commonest of 7 labels",
        "alpha without each rater: 6 raters",
    )
    few = la.reliability(la.Ratings.from_matrix(made(raters=2, labels="abcde")))
    assert few.omitted == () and few.labels["value"].notna().all()
    monkeypatch.setattr(study, "MOST_LABELS", 4)
    grades = la.Ratings.from_matrix(made(raters=2, labels=range(5)))
    for distance, left in (("interval", "at most 4"), ("nominal", "but the 4")):
        found = la.reliability(grades, distance)
        assert left in str(found.omitted), distance
        assert found.labels["value"].isna().sum() == (5 if left == "at most 4" else 1)


ROWS = [["a", "a", "b"], ["b", "b", None], ["a", "b", "b"], ["a", "a", "a"]]
SHOWN = ["a", "b", "b", "a"]


def test_patterns_are_reported_as_their_items(monkeypatch):
    """Above a limit with the tables that need no items."""
    times = [5, 20, 3, 30]
    each = [row for row, n in zip(ROWS, times) for _ in range(n)]
    of_items = [label for label, n in zip(SHOWN, times) for _ in range(n)]
    patterns = la.Ratings.from_patterns(ROWS, times)
    one = la.reliability(patterns, suggested=SHOWN)
    other = la.reliability(la.Ratings.from_matrix(each), suggested=of_items)
    for name in ("coefficients", "labels", "raters", "items", "suggested", "flags"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name))
    pd.testing.assert_frame_equal(one.disputed(40), other.disputed(40))
    assert one.warnings == other.warnings
    monkeypatch.setattr(study, "MOST_JUDGMENTS", 0)
    whole = la.reliability(patterns, suggested=SHOWN)
    for name in ("coefficients", "labels"):
        both = getattr(one, name), getattr(whole, name)
        pd.testing.assert_frame_equal(*both, check_dtype=False)
    assert whole.report() == one.report()
    pd.testing.assert_frame_equal(whole.suggested, one.suggested)
    assert len(whole.raters) == len(whole.flags) == 0
    assert "all by rater: above 0 judgments" in whole.omitted
    assert whole.disputed(1)["items"].tolist() == [5]
    assert set(whole.warnings) <= set(one.warnings)


# Odd but valid, and the example -------------------------------------------------------


@st.composite
def odd(draw):
    """A small matrix with gaps, at least one judgment, and perhaps one label."""
    n, raters = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    labels = draw(st.sampled_from([["x"], ["x", "y"], [1, 2, 3], [True, False], [0.5]]))
    row = st.lists(st.sampled_from([None, *labels]), min_size=raters, max_size=raters)
    rows = draw(st.lists(row, min_size=n, max_size=n))
    rows[0][0] = labels[0]
    return rows, labels


@given(odd(), odd(), st.booleans(), st.data())
def test_nothing_odd_breaks_it(first, second, counted, data):
    rows, labels = first
    numeric = isinstance(labels[0], (int, float)) and not isinstance(labels[0], bool)
    names = ["nominal", "ordinal", "interval", "ratio"] if numeric else ["nominal"]
    distance = data.draw(st.sampled_from(names))
    shown = [data.draw(st.sampled_from([None, *labels])) for _ in rows]
    other = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a matrix that looks transposed
        r = la.Ratings.from_matrix(rows)
        if second[1] == labels:
            other = la.Ratings.from_matrix(second[0])
        if counted:
            r = la.Ratings.from_counts(pd.DataFrame(r.counts, columns=list(r.labels)))
    found = la.reliability(r, distance, suggested=shown, other=other)
    assert isinstance(found, Reliability)
    assert all(isinstance(text, str) and "nan" not in text for text in found.warnings)
    assert len(found.disputed(3)) <= 3
    repr(found)
