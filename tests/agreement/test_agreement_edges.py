"""Inputs that ordinary tests do not have: huge, tiny, lopsided, oddly typed."""

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la

R = la.Ratings


def alpha(judgments, distance):
    """Krippendorff's alpha of lists of judgments by exact fractions."""
    n = sum(map(len, judgments))
    observed = Fraction(0)
    for item in judgments:
        m = len(item)
        pairs = sum(Fraction(distance(a, b)) for a in item for b in item)
        observed += m * pairs / (m * (m - 1))
    every = [label for item in judgments for label in item]
    expected = sum(Fraction(distance(a, b)) for a in every for b in every)
    return 1 - (observed / n) / (expected / (n * (n - 1)))


def squared(a, b):
    return (a - b) ** 2


def squared_exactly(a, b):
    return squared(Fraction(a), Fraction(b))


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_one_item_with_very_many_judgments_keeps_the_digits(distance):
    many = 10**8
    rest = [[3, 0, 1], [0, 2, 1], [1, 0, 4], [0, 5, 1]]
    labels = [1, 7, 13]
    a = la.krippendorff_alpha(
        R.from_counts([[many, many + 1, 7], *rest], labels=labels), distance
    )
    items = [[x for x, k in zip(labels, row) for _ in range(k)] for row in rest]
    measure = squared if distance == "interval" else lambda x, y: int(x != y)
    assert a.without[0] == pytest.approx(float(alpha(items, measure)), rel=1e-12)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_one_replication_with_very_many_judgments_keeps_the_digits():
    """Sums between replications are not differences of sums within them."""
    x = [[10**9, 7], [3, 10**9], [10**8, 10**8], [5, 4]]
    y = [[1, 0], [0, 2], [1, 1], [2, 0]]

    def exact(of):
        d_o, total = Fraction(0), sum(sum(x[i]) + sum(y[i]) for i in of)
        for i in of:
            r, s = sum(x[i]), sum(y[i])
            apart = x[i][0] * y[i][1] + x[i][1] * y[i][0]
            d_o += Fraction((r + s) * apart, r * s * total)
        p, q = (sum(side[i][0] for i in of) for side in (x, y))
        n, m = (sum(sum(side[i]) for i in of) for side in (x, y))
        d_e = Fraction(p * (m - q) + (n - p) * q, n * m)
        return float(1 - d_o / d_e)

    found = la.cross_kappa(R.from_counts(x), R.from_counts(y))
    assert found.value == pytest.approx(exact(range(4)), rel=1e-12)
    left = [exact([k for k in range(4) if k != i]) for i in range(4)]
    assert found.without == pytest.approx(left, rel=1e-12)


@pytest.mark.parametrize("first", [True, False])
def test_an_item_far_away_does_not_blur_the_others(first):
    near = [[1, 2], [3, 3], [5, 4], [2, 2]]
    far = [[10**15, 10**15]]
    rows = far + near if first else near + far
    a = la.krippendorff_alpha(R.from_matrix(rows), "interval")
    exact = [float(alpha(rows[:i] + rows[i + 1 :], squared)) for i in range(5)]
    assert a.without == pytest.approx(exact, rel=1e-11)


@pytest.mark.parametrize(
    "name", ["krippendorff_alpha", "janson_olsson_iota", "cross_kappa"]
)
@pytest.mark.parametrize(("far", "anew"), [(500.0, True), (250.0, False)])
def test_leave_one_out_is_computed_anew_where_little_is_left(
    name, far, anew, monkeypatch
):
    """Without the item far away 5e-7, or 2e-6, of the squares are left."""
    near = [[0.1, 0.2], [0.3, 0.3], [0.5, 0.4], [0.2, 0.2], [0.4, 0.1], [0.5, 0.5]]
    rows = [*near, [far, far + 0.1]]
    sides = [R.from_matrix([[row[k]] for row in rows]) for k in (0, 1)]
    given = sides if name == "cross_kappa" else [R.from_matrix(rows)]
    a = getattr(la, name)(*given, "interval")
    statistic = type(a)
    resampled, calls = statistic.resampled, []

    def counted(*args):
        calls.append(args)
        return resampled(*args)

    monkeypatch.setattr(statistic, "resampled", counted)
    # With one judgment in each replication, cross_kappa and iota are the same.
    same = "janson_olsson_iota" if name == "cross_kappa" else name
    exact = oracles.agreement(same, oracles.from_rows(near), squared_exactly).value
    assert a.without[-1] == pytest.approx(float(exact), rel=1e-13 if anew else 1e-9)
    assert len(calls) == anew


@pytest.mark.parametrize("shift", [0, 2**53, 2**60, -(2**61)])
def test_large_whole_numbers_keep_their_differences(shift):
    rows = [[1, 1], [2, 3], [4, 4], [5, 4]]
    moved = [[a + shift, b + shift] for a, b in rows]
    value = la.krippendorff_alpha(R.from_matrix(moved), "interval").value
    assert value == pytest.approx(float(alpha(rows, squared)), rel=1e-12)


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_numbers_that_cannot_be_squared_are_refused(size):
    r = R.from_matrix([[size, 2 * size], [size, size]])
    with pytest.raises(ValueError, match=r"labels must be numbers.* got "):
        la.krippendorff_alpha(r, "interval")
    with pytest.raises(ValueError, match="size from"):
        la.krippendorff_alpha(r, [[0, size], [size, 0]])


def test_masked_arrays_are_refused():
    with pytest.raises(ValueError, match=r"matrix must be .*a masked array"):
        R.from_matrix(np.ma.array([["a", "a"], ["b", "z"]], mask=[[0, 0], [0, 1]]))
    r = R.from_matrix([["a", "a"], ["b", None]])
    with pytest.raises(ValueError, match=r"gold must be .*a masked array"):
        la.accuracy(r, np.ma.array(["a", "b"], mask=[0, 1]))


def test_what_is_an_array_or_a_frame_is_read_as_one():
    class Arrayed:
        def __array__(self, dtype=None, copy=None):
            return np.array([[1, 2, 2], [2, 2, 1]])

        def __iter__(self):
            raise AssertionError("columns, not rows")

    class Framed:
        def to_pandas(self):
            return pd.DataFrame([[1, 2], [2, 2]], index=["x", "y"])

    assert R.from_matrix(Arrayed()).counts.tolist() == [[1, 2], [1, 2]]
    assert list(R.from_matrix(Framed()).items) == ["x", "y"]


def test_items_of_a_multiindex():
    index = pd.MultiIndex.from_tuples([("d", 1), ("d", 2), ("e", 1)])
    r = R.from_matrix(pd.DataFrame([[1, 1], [2, 2], [1, 2]], index=index))
    assert la.cohen_kappa(r).per_item().index.tolist() == index.tolist()
    gold = pd.Series([1, 2, 1], index=index[::-1])
    assert la.accuracy(r, gold).n_items == 3


def test_columns_of_counts_are_sorted_like_labels():
    ordered = pd.DataFrame([[0, 1, 2], [3, 0, 0], [1, 1, 1], [0, 3, 0]])
    shuffled = ordered[[2, 0, 1]]
    one, other = R.from_counts(ordered), R.from_counts(shuffled)
    assert list(other.labels) == [0, 1, 2]
    assert other.counts.tolist() == one.counts.tolist()
    values = [la.krippendorff_alpha(r, "ordinal").value for r in (one, other)]
    assert values[0] == values[1]


def test_a_suggestion_or_gold_label_that_nobody_used_keeps_its_name():
    r = R.from_matrix([["a", "a"], ["a", "b"], ["b", "b"]])
    table = la.dipietro_hazari_kappa(r, ["a", "c", "b"])
    assert table.per_item().suggested.tolist() == ["a", "c", "b"]
    assert table.per_label().index.tolist() == ["a", "b", "c"]
    assert la.accuracy(r, ["a", "c", "b"]).per_label().loc["c", "accuracy"] == 0


@pytest.mark.parametrize(
    "coefficient",
    [
        la.bennett_s,
        la.cohen_kappa,
        la.gwet_ac1,
        lambda r: la.krippendorff_alpha(r, "ratio"),
        lambda r: la.weighted_kappa(r, "linear"),
        lambda r: la.dipietro_hazari_kappa(r, [1, 2, 2, 3]),
    ],
)
def test_a_result_can_be_pickled(coefficient):
    a = coefficient(R.from_matrix([[1, 1], [1, 2], [2, 2], [3, 3]]))
    again = pickle.loads(pickle.dumps(a))
    assert again.standard_error == a.standard_error
    assert repr(again) == repr(a)
