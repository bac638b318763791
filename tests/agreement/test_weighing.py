"""Coefficients with distances, and items that weigh alike: against their definitions.

Every value is computed from scratch, judgment by judgment, in fractions.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

import labelaudit as la

WEIGH = ("judgments", "items")
LABELS = (1, 2, 3)
TABLE = [[0, 0.25, 1], [0.25, 0, 0.5], [1, 0.5, 0]]
FAR = {
    "nominal": [[Fraction(int(i != k)) for k in range(3)] for i in range(3)],
    "linear": [[Fraction(abs(i - k), 2) for k in range(3)] for i in range(3)],
    "quadratic": [[Fraction(abs(i - k), 2) ** 2 for k in range(3)] for i in range(3)],
    "matrix": [[Fraction(value) for value in row] for row in TABLE],
}


def given(name):
    return TABLE if name == "matrix" else name


def some_rows(seed, n_items=11, n_raters=4, missing=0.35):
    random = np.random.default_rng(seed)
    rows = random.integers(1, 4, (n_items, n_raters)).astype(object)
    rows[random.random(rows.shape) < missing] = None
    rows[0] = [1, 2, 3, 1][:n_raters]  # all labels are used
    return rows.tolist()


def kept(rows):
    """Items with two judgments or more, as {rater: position of the label}."""
    items = [
        {a: LABELS.index(label) for a, label in enumerate(row) if label is not None}
        for row in rows
    ]
    return [item for item in items if len(item) > 1]


def observed(items, far, weigh):
    total = weight = Fraction(0)
    for item in items:
        pairs = [far[i][k] for i, k in permutations(item.values(), 2)]
        w = len(item) if weigh == "judgments" else 1
        total += w * sum(pairs) / len(pairs)
        weight += w
    return total / weight


def shares(items, weigh):
    """Of the labels, over judgments or as the mean over items."""
    p, n = [Fraction(0)] * 3, Fraction(0)
    for item in items:
        w = Fraction(1, 1 if weigh == "judgments" else len(item))
        for label in item.values():
            p[label] += w
            n += w
    return [one / n for one in p]


def by_two(p, far):
    return sum(p[i] * p[k] * far[i][k] for i, k in product(range(3), repeat=2))


def expected_iota(items, far, weigh):
    raters = sorted({a for item in items for a in item})
    total = weight = Fraction(0)
    for a, b in permutations(raters, 2):
        mine = Counter(item[a] for item in items if a in item)
        theirs = Counter(item[b] for item in items if b in item)
        pairs = mine.total() * theirs.total()
        w = pairs if weigh == "judgments" else 1
        far_in_all = sum(mine[i] * theirs[k] * far[i][k] for i in mine for k in theirs)
        total += w * far_in_all / pairs
        weight += w
    return total / weight


def by_hand(name, rows, far, weigh):
    """The coefficient in fractions; None where it is undefined."""
    items = kept(rows)
    if not items:
        return None
    p = shares(items, weigh)
    total = sum(far[i][k] for i, k in product(range(3), repeat=2))
    chance = {
        "bennett_s": total / 9,
        "fleiss_kappa": by_two(p, far),
        "gwet": 1 - (9 - total) / 6 * sum(one * (1 - one) for one in p),
        "janson_olsson_iota": expected_iota(items, far, weigh),
    }[name]
    return None if chance == 0 else 1 - observed(items, far, weigh) / chance


def by_library(name, rows, distance, weigh):
    r = la.Ratings.from_matrix(rows, labels=LABELS)
    if name == "fleiss_kappa":
        return la.fleiss_kappa(r, weigh=weigh)
    if name == "gwet":
        return la.gwet_ac2(r, given(distance), weigh=weigh)
    if name == "bennett_s":
        return la.bennett_s(r, distance=given(distance), weigh=weigh)
    return la.janson_olsson_iota(
        r, TABLE if distance == "matrix" else np.array(matrix(distance)), weigh=weigh
    )


def matrix(distance):
    return [[float(value) for value in row] for row in FAR[distance]]


CASES = [
    (name, distance, weigh)
    for name in ("bennett_s", "fleiss_kappa", "gwet", "janson_olsson_iota")
    for distance in FAR
    for weigh in WEIGH
    if not (name == "fleiss_kappa" and distance != "nominal")
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "distance", "weigh"), CASES)
def test_value_is_the_definitions(name, distance, weigh, seed):
    rows = some_rows(seed)
    a = by_library(name, rows, distance, weigh)
    assert a.value == pytest.approx(
        float(by_hand(name, rows, FAR[distance], weigh)), abs=1e-12
    )


@pytest.mark.parametrize(("name", "distance", "weigh"), CASES)
@pytest.mark.parametrize("n_items", [11, 60])  # items alone, and alike as one unit
def test_value_without_each_item_is_that_of_the_other_items(
    name, distance, weigh, n_items
):
    rows = some_rows(5, n_items, 3)
    rows[3] = [None, None, 2]
    a = by_library(name, rows, distance, weigh)
    at = [i for i, row in enumerate(rows) if sum(x is not None for x in row) > 1]
    without = {  # of rows that are alike, one
        tuple(rows[i]): float(
            by_hand(name, rows[:i] + rows[i + 1 :], FAR[distance], weigh)
        )
        for i in {tuple(rows[i]): i for i in at}.values()
    }
    expected = [without[tuple(rows[i])] for i in at]
    np.testing.assert_allclose(a.without, expected, atol=1e-11)
    n, mean = len(expected), np.mean(expected)
    error = np.sqrt((n - 1) / n * ((np.array(expected) - mean) ** 2).sum())
    assert a.standard_error == pytest.approx(error, abs=1e-11)


def test_a_rater_with_one_judgment_leaves_with_the_item():
    rows = [*some_rows(2, 8, 3), [2, 3, None]]
    rows = [[*row, None] for row in rows[:-1]] + [[2, 3, None, 1]]
    r = la.Ratings.from_matrix(rows, labels=LABELS)
    a = la.janson_olsson_iota(r, weigh="items")
    expected = by_hand("janson_olsson_iota", rows[:-1], FAR["nominal"], "items")
    assert a.without[-1] == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(("name", "distance", "weigh"), CASES)
def test_influences_are_derivatives_by_the_weight_of_an_item(name, distance, weigh):
    """Central differences of the value with a little more and less of each unit."""
    statistic = by_library(name, some_rows(4), distance, weigh)
    value, times, influence = statistic.influences()
    step = 1e-5
    for unit in range(len(times)):
        moved = []
        for by in (step, -step):
            more = times.copy()
            more[unit] += by
            moved.append(statistic.resampled(more))
        expected = (moved[0] - moved[1]) / (2 * step) * times.sum()
        assert influence[unit] == pytest.approx(expected, abs=1e-6)
    assert statistic.resampled(times * 1.0) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", ["bennett_s", "fleiss_kappa", "gwet"])
def test_complete_data_weigh_the_same_either_way(name):
    rows = some_rows(9, missing=0)
    one, other = (by_library(name, rows, "nominal", weigh) for weigh in WEIGH)
    assert one.value == pytest.approx(other.value, abs=1e-14)
    assert one.standard_error == pytest.approx(other.standard_error, abs=1e-12)


def test_one_name_for_one_thing():
    r = la.Ratings.from_matrix(some_rows(6))
    assert la.gwet_ac2(r, "nominal").value == la.gwet_ac1(r).value
    assert la.bennett_s(r, distance="nominal").value == la.bennett_s(r).value
    halves = la.bennett_s(r, distance=matrix("linear")).value
    assert halves == pytest.approx(la.bennett_s(r, distance="linear").value)


def test_two_declared_labels_of_which_one_is_used():
    r = la.Ratings.from_matrix([[1, 1], [1, 1]], labels=[1, 2])
    for weigh in WEIGH:
        assert la.gwet_ac2(r, "linear", weigh=weigh).value == 1
        assert la.bennett_s(r, distance="linear", weigh=weigh).value == 1
        with pytest.warns(UserWarning, match="every judgment is 1"):
            assert np.isnan(la.fleiss_kappa(r, weigh=weigh).value)


def test_breakdowns_keep_the_way_of_weighing():
    rows = some_rows(8, 40)
    r = la.Ratings.from_matrix(rows, labels=LABELS)
    a = la.fleiss_kappa(r, weigh="items")
    two = [[None if x is None else int(x == 2) for x in row] for row in rows]
    alone = la.fleiss_kappa(la.Ratings.from_matrix(two), weigh="items").value
    assert a.per_label().loc[2, "value"] == pytest.approx(alone)
    for weigh in WEIGH:
        pairs = la.gwet_ac2(r, "linear", weigh=weigh).per_rater_pair()
        of_two = la.gwet_ac2(r.between(0, 1), "linear", weigh=weigh).value
        assert pairs.loc[(0, 1), "value"] == pytest.approx(of_two)
        la.gwet_ac2(r, "linear", weigh=weigh).per_label()


REFUSED = [
    (lambda r: la.gwet_ac2(r, "interval"), "distance must be 'nominal' or 'linear'"),
    (lambda r: la.gwet_ac2(r, "jaccard"), "distance must be 'nominal' or 'linear'"),
    (lambda r: la.gwet_ac2(r, [[0, 2], [2, 0]]), r"values in \[0, 1\], got 2.0"),
    (lambda r: la.gwet_ac2(r, lambda a, b: abs(a - b)), "distance must be 'nominal'"),
    (lambda r: la.gwet_ac2(r, None), "distance must be"),
    (lambda r: la.bennett_s(r, distance="ordinal"), "distance must be 'nominal'"),
    (lambda r: la.gwet_ac1(r, weigh="raters"), "weigh must be 'judgments' or 'items'"),
    (lambda r: la.fleiss_kappa(r, weigh=None), "weigh must be"),
    (lambda r: la.bennett_s(r, weigh=1), "weigh must be"),
    (lambda r: la.janson_olsson_iota(r, weigh="item"), "weigh must be"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_what_does_not_fit_is_refused(call, words):
    r = la.Ratings.from_matrix([[1, 2], [2, 2], [1, 1]])
    with pytest.raises(ValueError, match=words):
        call(r)


def test_labels_without_an_order_of_their_own_are_told():
    r = la.Ratings.from_matrix([["low", "high"], ["mid", "mid"], ["low", "low"]])
    for call in (la.gwet_ac2, lambda r, d: la.bennett_s(r, distance=d)):
        with pytest.warns(UserWarning, match=r"in the order \['high', 'low', 'mid'\]"):
            call(r, "linear")
