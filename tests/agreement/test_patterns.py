"""Patterns of judgments with how often they occur: the same as the items one by one."""

import numpy as np
import pandas as pd
import pytest

import labelaudit as la

pytestmark = pytest.mark.filterwarnings("ignore:.*can be expected to carry")

ROWS = [
    ["a", "a", "a"],
    ["a", "b", None],
    ["b", "b", "c"],
    ["c", None, "c"],
    ["b", "a", "b"],
    [None, "c", None],
    ["a", "a", "a"],  # twice
    ["b", "c", "c"],
]
TIMES = [40, 7, 9, 21, 5, 3, 2, 6]


def expanded(rows=ROWS, times=TIMES):
    return la.Ratings.from_matrix(
        [row for row, n in zip(rows, times) for _ in range(n)]
    )


def patterns(rows=ROWS, times=TIMES):
    return la.Ratings.from_patterns(rows, times)


def two(r):
    return r.between(0, 1)


COEFFICIENTS = {
    "s": la.bennett_s,
    "s linear": lambda r: la.bennett_s(r, distance=FAR),
    "fleiss": la.fleiss_kappa,
    "fleiss by item": lambda r: la.fleiss_kappa(r, weigh="items"),
    "alpha": la.krippendorff_alpha,
    "alpha far": lambda r: la.krippendorff_alpha(r, FAR),
    "iota": la.janson_olsson_iota,
    "iota by item": lambda r: la.janson_olsson_iota(r, weigh="items"),
    "ac1": la.gwet_ac1,
    "ac2 by item": lambda r: la.gwet_ac2(r, FAR, weigh="items"),
    "pi": lambda r: la.scott_pi(two(r)),
    "kappa": lambda r: la.cohen_kappa(two(r)),
    "weighted": lambda r: la.weighted_kappa(two(r), FAR),
}
FAR = np.array([[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]])


@pytest.mark.parametrize("call", COEFFICIENTS.values(), ids=COEFFICIENTS)
def test_coefficients_are_those_of_the_items(call):
    one, other = call(patterns()), call(expanded())
    for name in ("value", "observed_disagreement", "expected_disagreement"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-13)
    assert one.standard_error == pytest.approx(other.standard_error, abs=1e-12)
    assert (one.n_items, one.n_ratings) == (other.n_items, other.n_ratings)
    assert one.dropped == other.dropped
    for method in (None, "jackknife"):
        np.testing.assert_allclose(
            one.interval(method=method), other.interval(method=method), atol=1e-12
        )


@pytest.mark.parametrize("kinds", [8, 400], ids=["few kinds", "hardly any alike"])
def test_units_are_the_patterns_however_many_there_are(kinds):
    random = np.random.default_rng(kinds)
    rows = random.integers(0, 9, (kinds, 6)).tolist()
    times = random.integers(0, 5, kinds)
    one = la.fleiss_kappa(patterns(rows, times))
    other = la.fleiss_kappa(expanded(rows, times.tolist()))
    assert one.value == pytest.approx(other.value, abs=1e-13)
    assert one.standard_error == pytest.approx(other.standard_error, abs=1e-12)
    assert len(one.without) == (times > 0).sum()


def test_counts_of_labels_as_patterns():
    counts, times = [[3, 0], [2, 1], [0, 3], [1, 0]], [50, 8, 20, 4]
    one = la.Ratings.from_patterns(counts, times, ["yes", "no"], raters=False)
    rows = [row for row, n in zip(counts, times) for _ in range(n)]
    other = la.Ratings.from_counts(rows, ["yes", "no"])
    for call in (la.fleiss_kappa, la.krippendorff_alpha, la.gwet_ac1, la.bennett_s):
        a, b = call(one), call(other)
        assert a.value == pytest.approx(b.value, abs=1e-13)
        assert a.standard_error == pytest.approx(b.standard_error, abs=1e-12)
        np.testing.assert_allclose(a.interval(), b.interval(), atol=1e-12)
    assert one.raters is None and one.n_ratings == other.n_ratings


def test_one_row_per_pattern_where_items_are_told():
    r = patterns()
    assert r.items.equals(pd.RangeIndex(8))
    assert r.counts.tolist()[:2] == [[3, 0, 0], [1, 1, 0]]
    assert (r.n_items, r.n_ratings) == (93, 245)
    a, b = la.krippendorff_alpha(r), la.krippendorff_alpha(expanded())
    table = a.per_item()
    assert [*table.columns][:1] == ["times"]
    assert [*table.index] == [0, 1, 2, 3, 4, 6, 7]
    assert table["times"].tolist() == [40, 7, 9, 21, 5, 2, 6]
    times = table["times"].to_numpy()
    np.testing.assert_allclose(np.repeat(a.without, times), b.without, atol=1e-12)
    np.testing.assert_allclose(
        np.repeat(table["disagreement"], times), b.per_item()["disagreement"]
    )


def test_breakdowns_are_those_of_the_items():
    a, b = la.krippendorff_alpha(patterns()), la.krippendorff_alpha(expanded())
    pd.testing.assert_frame_equal(a.per_label(), b.per_label())
    one, other = a.per_rater_pair(), b.per_rater_pair()
    pd.testing.assert_frame_equal(one, other)


def test_suggested_labels_are_one_for_each_pattern():
    shown = ["a", "b", "b", "c", "a", "c", "b", "c"]
    one = la.dipietro_hazari_kappa(patterns(), shown)
    each = [label for label, n in zip(shown, TIMES) for _ in range(n)]
    other = la.dipietro_hazari_kappa(expanded(), each)
    assert one.value == pytest.approx(other.value, abs=1e-13)
    assert one.standard_error == pytest.approx(other.standard_error, abs=1e-12)
    np.testing.assert_allclose(one.interval(), other.interval(), atol=1e-12)
    assert (one.n_items, one.dropped) == (other.n_items, other.dropped)
    pd.testing.assert_frame_equal(one.per_label(), other.per_label())
    with pytest.raises(ValueError, match="one label for each pattern"):
        la.dipietro_hazari_kappa(patterns(), pd.Series(shown))


def test_suggested_labels_with_two_labels_have_the_same_interval():
    rows, times = [["y", "y"], ["y", "n"], ["n", "n"]], [40, 6, 30]
    shown = ["y", "n", "n"]
    one = la.dipietro_hazari_kappa(patterns(rows, times), shown)
    each = [label for label, n in zip(shown, times) for _ in range(n)]
    other = la.dipietro_hazari_kappa(expanded(rows, times), each)
    np.testing.assert_allclose(one.interval(), other.interval(), atol=1e-12)


def test_latent_classes_are_those_of_the_items():
    one, other = la.dawid_skene(patterns()), la.dawid_skene(expanded())
    assert one.log_likelihood == pytest.approx(other.log_likelihood, rel=1e-9)
    np.testing.assert_allclose(one.prevalence, other.prevalence, atol=1e-6)
    assert one.posterior.shape == (8, 3)


def test_difference_of_two_coefficients_of_the_same_patterns():
    r, items = patterns(), expanded()
    one = la.difference(la.krippendorff_alpha(r), la.gwet_ac1(r))
    other = la.difference(la.krippendorff_alpha(items), la.gwet_ac1(items))
    assert one.value == pytest.approx(other.value, abs=1e-13)
    assert one.standard_error == pytest.approx(other.standard_error, abs=1e-12)


def test_the_bootstrap_draws_items():
    a = la.krippendorff_alpha(patterns())
    low, high = a.interval(method="bootstrap", seed=1)
    b = la.krippendorff_alpha(expanded())
    expected = b.interval(method="bootstrap", seed=2)
    np.testing.assert_allclose((low, high), expected, atol=0.03)


def test_patterns_that_no_item_has_are_as_if_not_there():
    rows = [*ROWS, ["z", "z", "a"]]
    r = patterns(rows, [*TIMES, 0])
    assert [*r.labels] == ["a", "b", "c"]
    assert r.counts[8].tolist() == [0, 0, 0]
    assert la.bennett_s(r).value == pytest.approx(la.bennett_s(expanded()).value)


def test_ten_to_the_fifteenth_items():
    times = [6 * 10**14, 10**14, 3 * 10**14]
    r = patterns([["y", "y"], ["y", "n"], ["n", "n"]], times)
    a = la.cohen_kappa(r)
    assert a.n_items == 10**15 and a.n_ratings == 2 * 10**15
    assert a.value == pytest.approx(0.36 / 0.46, rel=1e-12)  # A_o .9, A_e .54
    fewer = la.cohen_kappa(
        patterns([[*"yy"], [*"yn"], [*"nn"]], [6 * 10**4, 10**4, 3 * 10**4])
    )
    assert a.standard_error * 1e5 == pytest.approx(fewer.standard_error, rel=1e-4)


@pytest.mark.parametrize("call", COEFFICIENTS.values(), ids=COEFFICIENTS)
def test_errors_of_very_many_items_go_on_where_the_jackknife_ends(call):
    """On either side of the number from which influences take its place."""
    errors = []
    for k in (10**6, 10**7):  # 9.3e7 and 9.3e8 items
        errors.append(call(patterns(times=[k * n for n in TIMES])).standard_error)
    assert errors[0] / errors[1] == pytest.approx(np.sqrt(10), rel=1e-6)


def test_a_table_grouped_by_pandas():
    random = np.random.default_rng(4)
    table = pd.DataFrame(random.integers(0, 2, (5000, 3)), columns=["x", "y", "z"])
    grouped = table.value_counts().reset_index(name="n")
    r = la.Ratings.from_patterns(grouped[["x", "y", "z"]], grouped["n"])
    other = la.Ratings.from_matrix(table)
    assert [*r.raters] == ["x", "y", "z"]
    assert la.fleiss_kappa(r).value == pytest.approx(la.fleiss_kappa(other).value)


def test_joins_on_items_are_refused():
    r = patterns()
    calls = [
        lambda: la.cross_kappa(r, expanded()),
        lambda: la.cross_kappa(expanded(), r),
        lambda: la.normalized_cross_kappa(r, r),
        lambda: la.difference(la.gwet_ac1(r), la.gwet_ac1(expanded())),
        lambda: la.difference(la.gwet_ac1(r), la.gwet_ac1(patterns())),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="from_patterns"):
            call()


REFUSED = [
    ((ROWS, TIMES[:-1]), "times must be a sequence of 8"),
    ((ROWS, [*TIMES[:-1], -1]), "times must be whole numbers.*-1"),
    ((ROWS, [*TIMES[:-1], 0.5]), "times must be whole numbers.*0.5"),
    ((ROWS, [*TIMES[:-1], np.nan]), "times must be whole numbers"),
    ((ROWS, [*TIMES[:-1], 2**53]), "at most 2.53 items"),
    ((ROWS, [0] * 8), "above 0"),
    ((ROWS, [0, 0, 0, 0, 0, 0, 0, "many"]), "times must be"),
    ((ROWS, 7), "times must be a sequence"),
    ((ROWS, "12345678"), "times must be a sequence"),
    ((ROWS, None), "times must be a sequence"),
    (([], []), "patterns must be"),
    (([["a", "b"], ["a"]], [1, 2]), "patterns must be"),
    ((ROWS, TIMES, None, "no"), "raters must be True or False"),
    (([[1, -1]], [3], None, False), "patterns must be whole numbers"),
    (([[1, 1]], [3], ["a"], False), "columns of patterns"),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSED)
def test_what_does_not_fit_is_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        la.Ratings.from_patterns(*arguments)


def test_times_of_another_index_are_refused():
    frame = pd.DataFrame(ROWS)
    with pytest.raises(ValueError, match="times must be a Series with the index of"):
        la.Ratings.from_patterns(frame, pd.Series(TIMES, index=range(8, 16)))


def test_words_count_items():
    assert repr(patterns()) == (
        "Ratings: 93 items in 8 patterns, 3 raters, 245 judgments (34 cells empty),"
        " labels a, b, c"
    )
