"""Inputs that ordinary tests do not have: huge, tiny, lopsided, oddly typed."""

import pickle
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import quietly

R = la.Ratings


def check_digits(name, rows, call, distance="interval", rel=1e-12):
    """Value and leave-one-out of rows of labels, in fractions."""
    by_pairs = getattr(oracles, distance)

    def exact(rest):
        return float(oracles.agreement(name, oracles.from_rows(rest), by_pairs).value)

    found = call(distance)
    assert found.value == pytest.approx(exact(rows), rel=rel)
    left = [exact(rows[:i] + rows[i + 1 :]) for i in range(len(rows))]
    assert found.without == pytest.approx(left, rel=rel)


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_one_item_with_very_many_judgments_keeps_the_digits(distance):
    many, labels = 10**8, [1, 7, 13]
    rest = [[3, 0, 1], [0, 2, 1], [1, 0, 4], [0, 5, 1]]
    r = R.from_counts([[many, many + 1, 7], *rest], labels=labels)
    judgments = oracles.from_counts(rest, labels)
    by_pairs = getattr(oracles, distance)
    exact = oracles.agreement("krippendorff_alpha", judgments, by_pairs).value
    found = la.krippendorff_alpha(r, distance)
    assert found.without[0] == pytest.approx(float(exact), rel=1e-12)


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


@pytest.mark.parametrize(
    "name", ["krippendorff_alpha", "janson_olsson_iota", "cross_kappa"]
)
@pytest.mark.parametrize(("far", "rel"), [(10.0**15, 1e-11), (500, 1e-12), (250, 1e-9)])
def test_an_item_far_away_does_not_blur_the_others(name, far, rel):
    """Without it 5e-7, or 2e-6, of the squares are left, or hardly anything."""
    near = [[0.1, 0.2], [0.3, 0.3], [0.5, 0.4], [0.2, 0.2], [0.4, 0.1], [0.5, 0.5]]
    rows = [near[0], [far, far + 0.125], *near[1:]]
    if name == "cross_kappa":  # with one judgment in each, it and iota are the same
        name, sides = "janson_olsson_iota", [[[row[k]] for row in rows] for k in (0, 1)]
        call = partial(la.cross_kappa, *map(R.from_matrix, sides))
    else:
        call = partial(getattr(la, name), R.from_matrix(rows))
    check_digits(name, rows, call, rel=rel)


@pytest.mark.parametrize("shift", [0, 2**53, 2**60, -(2**61)])
def test_large_whole_numbers_keep_their_differences(shift):
    rows = [[a + shift, b + shift] for a, b in [[1, 1], [2, 3], [4, 4], [5, 4]]]
    call = partial(la.krippendorff_alpha, R.from_matrix(rows))
    check_digits("krippendorff_alpha", rows, call)


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


BIG = 2**53


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [BIG, BIG + 1], "b": [float(BIG), np.nan]}),
        pd.DataFrame({"a": [BIG, BIG + 1], "b": np.array([BIG, BIG + 1], "u8")}),
        pd.DataFrame({"a": pd.array([BIG, BIG + 1, None], "Int64")}),
    ],
    ids=["beside NaN", "beside unsigned", "masked"],
)
def test_large_labels_stay_apart(frame):
    assert la.Ratings.from_matrix(frame).labels.tolist() == [BIG, BIG + 1]


@pytest.mark.parametrize("labels", [None, [0, 1], [False, True], [1, True]])
def test_true_is_not_1(labels):
    with pytest.raises(ValueError, match="label"):
        la.Ratings.from_matrix([[True, 1], [0, 0]], labels=labels)


def test_many_different_values():
    """40,000: no table of values by values, and the analysis of variance."""
    rng = np.random.default_rng(5)
    truth = rng.normal(1e6, 1, 20_000)  # far from 0: squares alone would lose digits
    rows = truth[:, None] + rng.normal(0, 0.5, (20_000, 2))
    r = R.from_matrix(rows)
    ranks = rows.ravel().argsort().argsort().reshape(rows.shape)
    for distance, x in (("interval", rows), ("ordinal", ranks)):
        within, total = x.var(axis=1, ddof=1).mean(), x.var(ddof=1)
        found = la.krippendorff_alpha(r, distance)
        assert found.value == pytest.approx(1 - within / total, rel=1e-8)
    assert la.krippendorff_alpha(r).value == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("far", [0.1, 0.3, 0.7])
def test_nothing_expected_between_raters_without_the_only_item_apart(far):
    # b is as good as a and as c, which differ. Without the last item one rater says
    # a or c, the other b: D_e is 0, while pairs within a rater are still apart.
    rows = [["a", "b"]] * 3 + [["c", "b"]] * 4 + [["a", "c"]]
    weights = [[0, 0, far], [0, 0, 0], [far, 0, 0]]
    found = la.weighted_kappa(R.from_matrix(rows, ["a", "b", "c"]), weights)
    # D_o = far / 8; D_e = P(a and c) far = 4/8 1/8 far.
    assert found.value == pytest.approx(1 - (1 / 8) / (1 / 16))
    assert np.isnan(found.without[-1])


@pytest.mark.parametrize("n", [60, 101])
def test_values_that_differ_by_rounding_have_no_error(n):
    # Each of n items has two labels of its own, and only these differ: D_o = .3,
    # D_e = .3 / n, and all items do the same to the value, 1 - n.
    weights = np.kron([[0, 0.3], [0.3, 0]], np.eye(n))
    r = quietly(R.from_matrix, [[k, n + k] for k in range(n)], range(2 * n))
    found = la.weighted_kappa(r, weights)
    assert found.value == pytest.approx(1 - n)
    assert found.without == pytest.approx(np.full(n, 2 - n))
    assert found.standard_error == 0


def test_labels_without_an_order_of_their_own_are_told():
    r = R.from_matrix([["low", "high"], ["mid", "mid"], ["low", "low"]])
    for call in (la.gwet_ac2, la.weighted_kappa):
        with pytest.warns(UserWarning, match=r"in the order \['high', 'low', 'mid'\]"):
            call(r, "linear")
