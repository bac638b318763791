"""Sets as labels, and ratio distances of many numbers."""

import re
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import jaccard_distance

import labelaudit as la
from labelaudit.agreement import distances, within

EMPTY = frozenset()


def masi(a, b):
    """1 - J M in fractions; nltk rounds 2/3 and 1/3 to two digits."""
    if a == b:
        return Fraction(0)
    if not a & b:
        return Fraction(1)
    m = Fraction(2, 3) if a <= b or b <= a else Fraction(1, 3)
    return 1 - Fraction(len(a & b), len(a | b)) * m


def jaccard(a, b):
    return Fraction(0) if a == b else 1 - Fraction(len(a & b), len(a | b))


def some_sets(seed, n_items=12, n_raters=3, members=4, missing=0.2):
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(n_items):
        row = []
        for _ in range(n_raters):
            chosen = np.flatnonzero(random.random(members) < 0.5).tolist()
            row.append(None if random.random() < missing else frozenset(chosen))
        rows.append(row)
    return rows


def alpha_by_pairs(rows, distance):
    """Krippendorff's alpha in fractions, pair by pair."""
    kept = [[s for s in row if s is not None] for row in rows]
    kept = [row for row in kept if len(row) > 1]
    judged = [s for row in kept for s in row]
    n = len(judged)
    within = sum(
        2 * sum(distance(a, b) for a, b in combinations(row, 2)) / (len(row) - 1)
        for row in kept
    )
    among = 2 * sum(distance(a, b) for a, b in combinations(judged, 2))
    return 1 - Fraction(within, 1) / n / (Fraction(among) / (n * (n - 1)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "by_hand"), [("jaccard", jaccard), ("masi", masi)])
def test_alpha_of_sets_is_that_of_all_pairs_in_fractions(name, by_hand, seed):
    rows = some_sets(seed)
    found = la.krippendorff_alpha(la.Ratings.from_matrix(rows), name)
    assert found.value == pytest.approx(float(alpha_by_pairs(rows, by_hand)), abs=1e-12)
    assert found.observed == 1 - found.observed_disagreement


@pytest.mark.parametrize("name", ["jaccard", "masi"])
def test_alpha_of_sets_is_nltks(name):
    """nltk divides by 0 for two empty sets, so there are none; nobody is missing."""
    rows = [[s or frozenset("z") for s in row] for row in some_sets(7, missing=0)]
    given = [(a, i, s) for i, row in enumerate(rows) for a, s in enumerate(row)]
    distance = jaccard_distance if name == "jaccard" else lambda a, b: float(masi(a, b))
    expected = AnnotationTask(given, distance=distance).alpha()
    found = la.krippendorff_alpha(la.Ratings.from_matrix(rows), name).value
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["jaccard", "masi"])
def test_sets_of_more_members_than_a_word_has_bits(name):
    random = np.random.default_rng(5)
    sets = [frozenset(random.choice(300, 40).tolist()) for _ in range(20)]
    r = la.Ratings.from_matrix([*zip(sets, sets[::-1])])
    table = la.krippendorff_alpha(r, name)._table
    by_hand = {"jaccard": jaccard, "masi": masi}[name]
    expected = [[float(by_hand(a, b)) for b in r.labels] for a in r.labels]
    np.testing.assert_allclose(table, expected, atol=1e-12)


def test_sets_are_ordered_by_size_then_members_and_empty_ones_are_labels():
    rows = [[frozenset("b"), EMPTY], [frozenset("ab"), frozenset("a")], [EMPTY, None]]
    r = la.Ratings.from_matrix(rows)
    assert [*r.labels] == [EMPTY, *map(frozenset, ("a", "b", "ab"))]
    assert r.n_ratings == 5
    assert repr(r).endswith("labels {}, {a}, {b}, {a, b}")


def test_two_empty_sets_are_alike_and_an_empty_one_is_far_from_all_others():
    r = la.Ratings.from_matrix([[EMPTY, EMPTY], [frozenset("a"), EMPTY]])
    for name in ("jaccard", "masi"):
        table = la.krippendorff_alpha(r, name)._table
        np.testing.assert_array_equal(table, [[0, 1], [1, 0]])


@pytest.mark.parametrize("name", ["jaccard", "masi"])
def test_labels_that_are_no_sets_are_refused(name):
    r = la.Ratings.from_matrix([["a", "b"], ["b", "b"]])
    with pytest.raises(ValueError, match=f"frozensets for the {name} distance.*'a'"):
        la.krippendorff_alpha(r, name)


def test_a_set_that_can_change_is_refused_with_the_way_on():
    with pytest.raises(ValueError, match="a frozenset"):
        la.Ratings.from_matrix([[{"a"}, {"b"}]])


def test_so_many_sets_that_pairs_would_take_hours_are_refused():
    distance = within.Distance("jaccard", True)
    many = np.arange(400_000)
    with pytest.raises(ValueError, match=r"400,000.*'jaccard'.*minutes"):
        distance.within(np.zeros(len(many), int), many, np.ones(len(many)), 1)


# Ratio distances of many numbers ----------------------------------------------------


def test_alpha_of_many_numbers_is_that_of_all_pairs():
    random = np.random.default_rng(3)
    true = random.lognormal(2, 1, 2000)
    rows = true[:, None] * random.lognormal(0, 0.3, (2000, 2))
    found = la.krippendorff_alpha(la.Ratings.from_matrix(rows), "ratio")
    flat = rows.ravel()
    among = ((flat[:, None] - flat) / (flat[:, None] + flat)) ** 2
    within = (((rows[:, 0] - rows[:, 1]) / rows.sum(axis=1)) ** 2).mean()
    n = len(flat)
    expected = 1 - within / (among.sum() / (n * (n - 1)))
    assert found.value == pytest.approx(expected, rel=1e-10)


def test_names_of_distances_in_a_refusal_are_all_there():
    r = la.Ratings.from_matrix([["a", "b"], ["b", "b"]])
    names = " or ".join(map(re.escape, map(repr, distances.NAMED)))
    with pytest.raises(ValueError, match=names):
        la.krippendorff_alpha(r, "MASI")
