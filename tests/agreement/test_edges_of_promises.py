"""What the interface promises at its edges, one fact each."""

import numpy as np
import pandas as pd
import pytest

import labelaudit as la

PATTERNS = [["a", "a"], ["a", "b"], ["b", "b"]], [60, 10, 30]


def test_differences_of_suggestions_count_patterns_as_often_as_they_stand():
    r = la.Ratings.from_patterns(*PATTERNS)
    each, times, kappa = r.expanded(), PATTERNS[1], la.dipietro_hazari_kappa
    told = ["a", "a", "b"], ["a", "b", "b"]
    found = la.difference(*(kappa(r, given) for given in told))
    one_by_one = (kappa(each, np.repeat(given, times).tolist()) for given in told)
    expected = la.difference(*one_by_one)
    assert found.value == pytest.approx(expected.value)
    assert found.standard_error == pytest.approx(expected.standard_error)
    other = la.Ratings.from_patterns(*PATTERNS)
    with pytest.raises(ValueError, match="items are counted and not named"):
        la.difference(kappa(r, told[0]), kappa(other, told[0]))


@pytest.mark.parametrize("size", [1e-99, 1e-50, 1e50, 1e99])
@pytest.mark.parametrize("of", ["krippendorff_alpha", "janson_olsson_iota"])
def test_the_unit_of_an_interval_scale_is_nothing_to_agreement(of, size):
    rows = np.array([[1, -1], [1, 1], [-1, -1], [0, 0]] * 10)
    found, scaled = (
        getattr(la, of)(la.Ratings.from_matrix(rows * by), "interval")
        for by in (1.0, size)
    )
    assert scaled.value == pytest.approx(found.value)
    assert scaled.interval() == pytest.approx(found.interval())


def test_an_ordered_column_gives_the_order_of_labels_to_the_others():
    order = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    table = pd.DataFrame({"a": ["low", "mid", "high"], "b": ["low", "high", "mid"]})
    r = la.Ratings.from_matrix(table.astype({"a": order}))
    assert r.labels.tolist() == ["low", "mid", "high"]
    table.loc[0, "b"] = "none"  # which the order does not know
    labels = la.Ratings.from_matrix(table.astype({"a": order})).labels
    assert labels.tolist() == sorted(["low", "mid", "high", "none"])


def test_two_replications_do_not_take_true_for_1():
    truths, numbers = [[True, False], [True, True]], [[1, 0], [1, 1]]
    with pytest.raises(ValueError, match="declared where their types are mixed"):
        la.cross_kappa(*map(la.Ratings.from_matrix, (truths, numbers)))
    found, same = (
        la.cross_kappa(*map(la.Ratings.from_matrix, (rows, numbers)))
        for rows in (numbers, [[1.0, 0.0], [1.0, 1.0]])
    )
    assert found.value == same.value


def test_gold_of_no_item_is_no_gold():
    r = la.Ratings.from_matrix([["a", "a"], ["b", "b"], ["a", "b"]] * 5)
    alone = la.dawid_skene(r).posterior
    assert (la.dawid_skene(r, gold={}).posterior == alone).all()
    with pytest.warns(UserWarning, match="gold: 1 item not among the ratings"):
        found = la.dawid_skene(r, gold={99: "a"})
    assert (found.posterior == alone).all()


def test_a_mean_of_epsilon_speaks_for_nothing():
    """Exactly: .07 of 100 items is 7, though 100 * .07 is a little more."""
    rows = la.Ratings.from_matrix([["a", "a"]] * 100)
    model = ["b"] * 7 + ["a"] * 93
    found = la.alternative_annotator(rows, model, epsilon=0.07, test="exact")
    assert found.per_rater["p_value"].tolist() == [1.0, 1.0]
