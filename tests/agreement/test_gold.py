"""Accuracy against gold labels: in every form, by hand, and of patterns."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import labelaudit as la

ITEMS = ["i1", "i2", "i3", "i4", "i5"]
ROWS = [["a", "a"], ["a", "b"], ["b", "b"], ["c", None], [None, "a"]]
GOLD = {"i1": "a", "i2": "a", "i3": "a", "i4": "c"}


def ratings():
    return la.Ratings.from_matrix(pd.DataFrame(ROWS, index=ITEMS, columns=["x", "y"]))


def frame():
    return pd.DataFrame({"label": [*GOLD.values()], "item": [*GOLD], "why": "checked"})


FORMS = {
    "dict": GOLD,
    "series": pd.Series(GOLD),
    "frame": frame(),
    "frame in another order": frame().iloc[::-1],
    "sequence": ["a", "a", "a", "c", None],
    "more items than were judged": GOLD | {"i9": "b"},
    "a missing label": GOLD | {"i5": None},
}


@pytest.mark.parametrize("gold", FORMS.values(), ids=FORMS)
def test_gold_in_every_form(gold):
    found = la.accuracy(ratings(), gold)
    assert (found.value, found.n_items, found.n_ratings) == (4 / 7, 4, 7)
    table = found.confusions()
    assert table.loc["a", "a"] == 3 and table.loc["a", "b"] == 3
    assert table.loc["c", "c"] == 1 and table.to_numpy().sum() == 7
    labels = found.per_label()
    assert labels["ratings"].to_dict() == {"a": 6, "b": 0, "c": 1}
    assert labels["accuracy"].dropna().to_dict() == {"a": 0.5, "c": 1.0}
    raters = found.per_rater()
    assert raters["accuracy"].to_dict() == {"x": 0.75, "y": pytest.approx(1 / 3)}


def test_one_judgment_an_item_has_the_exact_interval():
    random = np.random.default_rng(2)
    labels = random.choice(["y", "n"], 80)
    r = la.Ratings.from_matrix([[label, None] for label in labels])
    found = la.accuracy(r, ["y"] * 80)
    right = int((labels == "y").sum())
    exact = binomtest(right, 80).proportion_ci(0.9, method="exact")
    assert found.interval(0.9) == pytest.approx((exact.low, exact.high))
    assert "(exact)" in repr(found)
    assert "(clustered by item)" in repr(la.accuracy(ratings(), GOLD))


def test_patterns_are_as_their_items():
    times = [30, 4, 9, 5, 2]
    rows = [row for row, n in zip(ROWS, times) for _ in range(n)]
    each = ["a", "a", "a", "c", None]
    gold = [label for label, n in zip(each, times) for _ in range(n)]
    one = la.accuracy(la.Ratings.from_patterns(ROWS, times), each)
    other = la.accuracy(la.Ratings.from_matrix(rows), gold)
    assert one.value == pytest.approx(other.value)
    assert one.standard_error == pytest.approx(other.standard_error)
    assert one.interval() == pytest.approx(other.interval())
    assert (one.n_items, one.n_ratings) == (other.n_items, other.n_ratings)
    pd.testing.assert_frame_equal(one.per_label(), other.per_label())
    pd.testing.assert_frame_equal(one.per_rater(), other.per_rater())
    pd.testing.assert_frame_equal(one.confusions(), other.confusions())


TWICE = pd.concat([frame(), frame().iloc[[1]]])
REFUSED = [
    (TWICE, "gold must be one label for each item, not two, got 'i2'"),
    (frame().rename(columns={"item": "id"}), "columns? item and .*'id'"),
    (pd.DataFrame({"item": [], "label": []}), "gold must be"),
    ({}, "gold must be"),
    ({"i7": "a"}, "names items, such as 'i1'"),
    ({"i1": ["a"]}, "hashable"),
    (["a", "b"], "5 items"),
    (None, "gold must be"),
    ("aabca", "gold must be"),
    (dict.fromkeys(ITEMS), "gold must be given for at least one judged item"),
]


@pytest.mark.parametrize(("gold", "words"), REFUSED)
def test_other_gold_is_refused(gold, words):
    with pytest.raises(ValueError, match=words):
        la.accuracy(ratings(), gold)
