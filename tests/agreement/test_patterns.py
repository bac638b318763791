"""Patterns with how often they occur: what test_brute_force.py does not say of them."""

from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from agreement_helpers import close, quietly, same

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
SHOWN = ["a", "b", "b", "c", "a", "c", "b", "c"]
PATTERNS = la.Ratings.from_patterns(ROWS, TIMES)
ITEMS = la.Ratings.from_matrix(np.repeat(np.array(ROWS, object), TIMES, axis=0))


def suggested(r):
    given = SHOWN if r is PATTERNS else np.repeat(SHOWN, TIMES).tolist()
    return la.dipietro_hazari_kappa(r, given)


@pytest.mark.parametrize(
    "call",
    [la.krippendorff_alpha, lambda r: la.cohen_kappa(r.between(0, 1)), suggested],
)
def test_results_are_those_of_the_items(call):
    one, other = call(PATTERNS), call(ITEMS)
    same(one, other)
    assert one.dropped == other.dropped
    pd.testing.assert_frame_equal(quietly(one.per_label), quietly(other.per_label))
    if call is not suggested:
        pairs = quietly(one.per_rater_pair), quietly(other.per_rater_pair)
        pd.testing.assert_frame_equal(*pairs)


def test_one_row_per_pattern_where_items_are_told():
    r = PATTERNS
    assert r.items.equals(pd.RangeIndex(8))
    assert r.counts.tolist()[:2] == [[3, 0, 0], [1, 1, 0]]
    assert (r.n_items, r.n_ratings) == (93, 245)
    assert repr(r) == (
        "Ratings: 93 items in 8 patterns, 3 raters, 245 judgments (34 cells empty),"
        " labels a, b, c"
    )
    table = la.krippendorff_alpha(r).per_item()
    assert [*table.columns][:1] == ["times"]
    assert [*table.index] == [0, 1, 2, 3, 4, 6, 7]
    assert table["times"].tolist() == [40, 7, 9, 21, 5, 2, 6]
    each = np.repeat(table["disagreement"], table["times"]).to_numpy()
    items = la.krippendorff_alpha(ITEMS).per_item()
    assert each == close(items["disagreement"].to_numpy())


def test_latent_classes_and_the_bootstrap_are_those_of_the_items():
    one, other = la.dawid_skene(PATTERNS), la.dawid_skene(ITEMS)
    assert one.log_likelihood == pytest.approx(other.log_likelihood, rel=1e-9)
    np.testing.assert_allclose(one.prevalence, other.prevalence, atol=1e-6)
    assert one.posterior.shape == (8, 3)
    assert repr(one) == repr(other)
    one, other = (
        partial(la.krippendorff_alpha(r).interval, method="bootstrap")
        for r in (PATTERNS, ITEMS)
    )
    assert one(seed=1) == pytest.approx(other(seed=1), abs=0.03)
    assert one(seed=1) == one(repetitions=2000, seed=1) != one(seed=2)


def test_patterns_that_no_item_has_are_as_if_not_there():
    table = pd.DataFrame([*ROWS, ["z", "z", "a"]], [*"abcdefghi"], ["x", "y", "z"])
    r = la.Ratings.from_patterns(table, [*TIMES, 0])
    assert [*r.raters] == ["x", "y", "z"] and r.items.equals(pd.RangeIndex(9))
    assert [*r.labels] == ["a", "b", "c"]
    assert r.counts[8].tolist() == [0, 0, 0]
    assert la.bennett_s(r).value == pytest.approx(la.bennett_s(ITEMS).value)


def test_ten_to_the_fifteenth_items():
    """One item fewer is less than a value's rounding, and yet nothing jumps."""
    rows, few = [["y", "y"], ["y", "n"], ["n", "n"]], [6, 1, 3]
    errors = []
    for k in (10**6, 9 * 10**6, 11 * 10**6, 10**14):
        a = la.cohen_kappa(la.Ratings.from_patterns(rows, [k * n for n in few]))
        assert a.n_items == 10 * k and a.n_ratings == 20 * k
        assert a.value == pytest.approx(0.36 / 0.46, rel=1e-12)  # A_o .9, A_e .54
        errors.append(a.standard_error * k**0.5)
    assert errors == pytest.approx([errors[0]] * 4, rel=1e-6)


def jackknife(value, times):
    """The delete-one standard error of a function of how often there is which item."""
    n = sum(times)
    without = [value(times[:k] + [t - 1] + times[k + 1 :]) for k, t in enumerate(times)]
    mean = sum(t * v for t, v in zip(times, without)) / n
    square = sum(t * (v - mean) ** 2 for t, v in zip(times, without)) * (n - 1) / n
    return float(square) ** 0.5


def apart(times):
    """Cohen's kappa less Scott's pi, of yes and no by two."""
    (a, b, c, d), n = map(Fraction, times), sum(times)
    one, two = (a + b) / n, (a + c) / n
    both = (one + two) / 2
    agree, (by_each, by_both) = (
        (a + d) / n,
        (x * y + (1 - x) * (1 - y) for x, y in ((one, two), (both, both))),
    )
    return (agree - by_each) / (1 - by_each) - (agree - by_both) / (1 - by_both)


@pytest.mark.parametrize("n", [100, 10**7, 10**13])
def test_a_difference_and_an_accuracy_of_many_items(n):
    rows = [["y", "y"], ["y", "n"], ["n", "y"], ["n", "n"]]
    times = [n // 2, n // 10, n // 25, n - n // 2 - n // 10 - n // 25]
    r = la.Ratings.from_patterns(rows, times)
    found = la.difference(la.cohen_kappa(r), la.scott_pi(r))
    assert found.standard_error == pytest.approx(jackknife(apart, times), rel=1e-6)
    right = la.accuracy(r, ["y", "y", "y", "n"])
    exact = jackknife(lambda t: 1 - Fraction(t[1] + t[2], 2 * sum(t)), times)
    assert right.standard_error == pytest.approx(exact, rel=1e-9)


def test_a_difference_that_rounding_hides_has_no_error():
    rows, times = [["y", "y"], ["y", "n"], ["n", "n"]], [6 * 10**12, 10**12, 3 * 10**12]
    r = la.Ratings.from_patterns(rows, times)
    found = la.difference(la.fleiss_kappa(r), la.krippendorff_alpha(r))
    with pytest.warns(UserWarning, match="none moves the value by more than rounding"):
        assert np.isnan(found.standard_error)
