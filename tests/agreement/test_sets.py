"""Sets as labels, and ratio distances of very many numbers."""

from fractions import Fraction

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import jaccard_distance

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import check, ratings

EMPTY = frozenset()


def masi(a, b):
    """1 - J M in fractions; nltk rounds 2/3 and 1/3 to two digits."""
    if a == b or not a & b:
        return Fraction(int(a != b))
    m = Fraction(2, 3) if a <= b or b <= a else Fraction(1, 3)
    return 1 - Fraction(len(a & b), len(a | b)) * m


def jaccard(a, b):
    return Fraction(0) if a == b else 1 - Fraction(len(a & b), len(a | b))


BY_HAND = {"jaccard": jaccard, "masi": masi}


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


@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize(
    ("seed", "members"), [(0, 4), (1, 4), (2, 2), (3, 300)], ids=str
)
def test_alpha_of_sets_by_all_pairs_in_fractions(name, seed, members):
    """Of few members, empty sets among them, and of more than a word has bits."""
    rows = some_sets(seed, members=members)
    judgments = oracles.from_rows(rows)
    labels = [*dict.fromkeys(label for _, _, label in judgments)]
    by_pairs = BY_HAND[name]

    def exact(rest):
        return oracles.agreement("krippendorff_alpha", rest, by_pairs, labels)

    left = oracles.leave_one_out(lambda rest: exact(rest).value, judgments)
    r = ratings(judgments)
    check(lambda: la.krippendorff_alpha(r, name), exact(judgments), left)


@pytest.mark.parametrize("name", ["jaccard", "masi"])
def test_alpha_of_sets_is_nltks(name):
    """nltk divides by 0 for two empty sets, so there are none; nobody is missing."""
    rows = [[s or frozenset("z") for s in row] for row in some_sets(7, missing=0)]
    given = [(a, i, s) for i, row in enumerate(rows) for a, s in enumerate(row)]
    distance = jaccard_distance if name == "jaccard" else lambda a, b: float(masi(a, b))
    expected = AnnotationTask(given, distance=distance).alpha()
    found = la.krippendorff_alpha(la.Ratings.from_matrix(rows), name).value
    assert found == pytest.approx(expected, abs=1e-9)


def test_sets_are_ordered_by_size_then_members_and_empty_ones_are_labels():
    rows = [[frozenset("b"), EMPTY], [frozenset("ab"), frozenset("a")], [EMPTY, None]]
    r = la.Ratings.from_matrix(rows)
    assert [*r.labels] == [EMPTY, *map(frozenset, ("a", "b", "ab"))]
    assert r.n_ratings == 5
    assert repr(r).endswith("labels {}, {a}, {b}, {a, b}")


# Ratio distances of many numbers ----------------------------------------------------

RANDOM = np.random.default_rng(11)
NUMBERS = {
    "spread over the scale": 10.0 ** RANDOM.uniform(-90, 90, 2100),
    "lengths": RANDOM.lognormal(3, 2, 2100),
    "from 0": np.arange(2100.0),
    "nearly equal": 1 + 1e-7 * RANDOM.random(2100),
    "few enough to be compared one by one": RANDOM.lognormal(0, 1, 1100),
    "nearly equal but one": np.append(1 + 1e-9 * np.arange(2099), 1000.0),
}


@pytest.mark.parametrize("values", NUMBERS.values(), ids=NUMBERS)
def test_alpha_of_many_numbers_is_that_of_all_pairs(values):
    """Each number twice, once beside a near one; without an item too."""
    values = np.sort(values)
    n, other = len(values), np.roll(values, 7)
    total = values[:, None] + values
    far = ((values[:, None] - values) / np.where(total > 0, total, 1)) ** 2
    apart = far[np.arange(n), np.roll(np.arange(n), 7)]

    def alpha(left_out=None):
        count, weight = np.full(n, 2.0), np.ones(n)
        if left_out is not None:
            weight[left_out] = 0
            count[[left_out, left_out - 7]] -= 1
        among = count @ far @ count / (count.sum() * (count.sum() - 1))
        return 1 - weight @ apart / weight.sum() / among

    r = la.Ratings.from_matrix(np.stack([values, other], axis=1))
    found = la.krippendorff_alpha(r, "ratio")
    assert found.value == pytest.approx(alpha(), rel=1e-10, abs=1e-10)
    for item in (0, 40, n - 1):
        assert found.without[item] == pytest.approx(alpha(item), rel=1e-9, abs=1e-10)
