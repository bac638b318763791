"""Accuracy against gold labels: in every form, by hand, and of patterns."""

import random
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import ratings

ITEMS = ["i1", "i2", "i3", "i4", "i5"]
ROWS = [["a", "a"], ["a", "b"], ["b", "b"], ["c", None], [None, "a"]]
GOLD = {"i1": "a", "i2": "a", "i3": "a", "i4": "c"}


def some():
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
    found = la.accuracy(some(), gold)
    assert (found.value, found.n_items, found.n_ratings) == (4 / 7, 4, 7)
    table = found.confusions()
    assert table.loc["a", "a"] == 3 and table.loc["a", "b"] == 3
    assert table.loc["c", "c"] == 1 and table.to_numpy().sum() == 7
    labels = found.per_label()
    assert labels["ratings"].to_dict() == {"a": 6, "b": 0, "c": 1}
    assert labels["accuracy"].dropna().to_dict() == {"a": 0.5, "c": 1.0}
    raters = found.per_rater()
    assert raters["accuracy"].to_dict() == {"x": 0.75, "y": pytest.approx(1 / 3)}


def exact(right, confidence=0.95):
    """Clopper and Pearson's interval, by scipy."""
    test = binomtest(sum(right), len(right))
    return pytest.approx(tuple(test.proportion_ci(confidence, method="exact")))


def test_one_judgment_an_item_has_the_exact_interval():
    """By label too; its standard error is that of a proportion."""
    rng = random.Random(8)
    gold = [rng.choice("abc") for _ in range(50)]
    given = [g if rng.random() < 0.8 else rng.choice("abc") for g in gold]
    right = [a == b for a, b in zip(given, gold)]
    share = sum(right) / 50
    assert 0.5 < share < 1
    r = ratings([(i, "x", label) for i, label in enumerate(given)], [*"abc"])
    found = la.accuracy(r, gold)
    assert found.value == pytest.approx(share)
    assert found.standard_error == pytest.approx((share * (1 - share) / 49) ** 0.5)
    for confidence in (0.8, 0.95, 0.9999999999):
        assert found.interval(confidence) == exact(right, confidence)
    rows = found.per_label()
    for label in "abc":
        own = [ok for ok, wanted in zip(right, gold) if wanted == label]
        assert rows.accuracy[label] == pytest.approx(sum(own) / len(own))
        assert (rows.low[label], rows.high[label]) == exact(own)
    assert la.accuracy(r, pd.Series(gold)[::-1]).value == found.value
    assert "(exact)" in repr(found)
    assert "(clustered by item)" in repr(la.accuracy(some(), GOLD))


def test_judgments_that_go_together_count_once():
    """Three raters who always agree are worth one, to the jackknife's n - 1."""
    gold = ["a"] * 60
    one = [["b" if i % 6 == 0 else "a"] for i in range(60)]
    alone, together = (
        la.accuracy(la.Ratings.from_matrix(rows, [*"ab"]), gold)
        for rows in (one, [row * 3 for row in one])
    )
    assert together.standard_error == pytest.approx(alone.standard_error)
    assert together.interval() == pytest.approx(alone.interval(), abs=0.005)
    for given, right in (("a", [True] * 20), ("b", [False] * 20)):
        r = la.Ratings.from_matrix([["a"] * 3] * 20, [*"ab"])
        assert la.accuracy(r, [given] * 20).interval() == exact(right)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_the_jackknife_of_right_judgments_over_judgments(missing):
    """And each rater's share, with the exact interval."""
    judgments = oracles.random_judgments(11, 25, 3, "abc", missing)
    gold = {item: "abc"[int(item[5:]) % 3] for item, _, _ in judgments}

    def share(rest):
        return Fraction(sum(label == gold[item] for item, _, label in rest), len(rest))

    found = la.accuracy(ratings(judgments, [*"abc"]), pd.Series(gold))
    assert found.value == pytest.approx(float(share(judgments)))
    without = [share(oracles.without(judgments, item)) for item in gold]
    assert found.standard_error == pytest.approx(oracles.jackknife(without), rel=1e-10)
    rows = found.per_rater()
    for name in rows.index:
        own = [label == gold[item] for item, rater, label in judgments if rater == name]
        assert rows.accuracy[name] == pytest.approx(sum(own) / len(own))
        assert (rows.low[name], rows.high[name]) == exact(own)


def test_patterns_are_as_their_items():
    times = [30, 4, 9, 5, 2]
    each = ["a", "a", "a", "c", None]
    gold = np.repeat(np.array(each, object), times).tolist()
    rows = np.repeat(np.array(ROWS, object), times, axis=0).tolist()
    one = la.accuracy(la.Ratings.from_patterns(ROWS, times), each)
    other = la.accuracy(la.Ratings.from_matrix(rows), gold)
    assert one.value == pytest.approx(other.value)
    assert one.standard_error == pytest.approx(other.standard_error)
    assert one.interval() == pytest.approx(other.interval())
    assert (one.n_items, one.n_ratings) == (other.n_items, other.n_ratings)
    for part in ("per_label", "per_rater", "confusions"):
        pd.testing.assert_frame_equal(getattr(one, part)(), getattr(other, part)())
