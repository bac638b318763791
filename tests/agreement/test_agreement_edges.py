"""Inputs that ordinary tests do not have: huge, tiny, lopsided, oddly typed."""

import pickle
from functools import partial

import numpy as np
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
    items = [{("", c): n for c, n in zip(labels, row)} for row in rest]
    far = getattr(oracles, distance)
    d_o, d_e = oracles.disagreements("krippendorff_alpha", items, far, labels)
    found = la.krippendorff_alpha(r, distance)
    assert found.without[0] == pytest.approx(float(1 - d_o / d_e), rel=1e-12)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_one_replication_with_very_many_judgments_keeps_the_digits():
    """Sums between replications are not differences of sums within them."""
    x = [[10**9, 7], [3, 10**9], [10**8, 10**8], [5, 4]]
    y = [[1, 0], [0, 2], [1, 1], [2, 0]]
    items = [{(s, c): n for s, row in zip("xy", both) for c, n in enumerate(row) if n}
             for both in zip(x, y)]  # fmt: skip

    def exact(items):
        d_o, d_e = oracles.disagreements("cross_kappa", items, oracles.nominal, [0, 1])
        return float(1 - d_o / d_e)

    found = la.cross_kappa(R.from_counts(x), R.from_counts(y))
    assert found.value == pytest.approx(exact(items), rel=1e-12)
    left = [exact(items[:i] + items[i + 1 :]) for i in range(4)]
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


@pytest.mark.parametrize("size", [1e-99, 1e-50, 1e50, 1e99])
@pytest.mark.parametrize("of", [la.krippendorff_alpha, la.janson_olsson_iota])
def test_the_unit_of_an_interval_scale_is_nothing_to_agreement(of, size):
    rows = np.array([[1, -1], [1, 1], [-1, -1], [0, 0]] * 10)
    found, scaled = (of(R.from_matrix(rows * by), "interval") for by in (1.0, size))
    assert scaled.value == pytest.approx(found.value)
    assert scaled.interval() == pytest.approx(found.interval())


def test_a_suggestion_or_gold_label_that_nobody_used_keeps_its_name():
    r = R.from_matrix([["a", "a"], ["a", "b"], ["b", "b"]])
    table = la.dipietro_hazari_kappa(r, ["a", "c", "b"])
    assert table.per_item().suggested.tolist() == ["a", "c", "b"]
    assert table.per_label().index.tolist() == ["a", "b", "c"]
    assert la.accuracy(r, ["a", "c", "b"]).per_label().loc["c", "accuracy"] == 0


def test_a_result_can_be_pickled():
    r = R.from_matrix([[1, 1], [1, 2], [2, 2], [3, 3]])
    for a in (
        la.gwet_ac1(r),
        la.krippendorff_alpha(r, "ratio"),
        la.weighted_kappa(r, "linear"),
        la.dipietro_hazari_kappa(r, [1, 2, 2, 3]),
    ):
        again = pickle.loads(pickle.dumps(a))
        assert again.standard_error == a.standard_error
        assert repr(again) == repr(a)


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


# Very many values, sets -------------------------------------------------------------


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
def test_alpha_of_many_ratios_is_that_of_all_pairs(values):
    """Each number twice, once beside a near one; without an item too."""
    values = np.sort(values)
    n, other = len(values), np.roll(values, 7)
    total = values[:, None] + values
    far = ((values[:, None] - values) / np.where(total > 0, total, 1)) ** 2
    apart = far[np.arange(n), np.roll(np.arange(n), 7)]
    found = la.krippendorff_alpha(R.from_matrix(np.stack([values, other], 1)), "ratio")
    for item in (None, 0, 40, n - 1):
        count, weight = np.full(n, 2.0), np.ones(n)
        if item is not None:
            weight[item] = 0
            count[[item, item - 7]] -= 1
        among = count @ far @ count / (count.sum() * (count.sum() - 1))
        alpha = 1 - weight @ apart / weight.sum() / among
        ours = found.value if item is None else found.without[item]
        assert ours == pytest.approx(alpha, rel=1e-9, abs=1e-10)


def test_sets_are_ordered_by_size_then_members_and_empty_ones_are_labels():
    empty = frozenset()
    rows = [[frozenset("b"), empty], [frozenset("ab"), frozenset("a")], [empty, None]]
    r = R.from_matrix(rows)
    assert [*r.labels] == [empty, *map(frozenset, ("a", "b", "ab"))]
    assert r.n_ratings == 5
    assert repr(r).endswith("labels {}, {a}, {b}, {a, b}")
