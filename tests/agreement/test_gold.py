"""Accuracy against gold labels: in every form, by hand, and of patterns."""

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
FRAME = pd.DataFrame({"label": [*GOLD.values()], "item": [*GOLD], "why": "checked"})
FORMS = {
    "dict": GOLD,
    "series": pd.Series(GOLD),
    "frame": FRAME,
    "frame in another order": FRAME.iloc[::-1],
    "sequence": ["a", "a", "a", "c", None],
    "more items than were judged": GOLD | {"i9": "b"},
    "a missing label": GOLD | {"i5": None},
}


@pytest.mark.parametrize("gold", FORMS.values(), ids=FORMS)
def test_gold_in_every_form(gold):
    r = la.Ratings.from_matrix(pd.DataFrame(ROWS, index=ITEMS, columns=["x", "y"]))
    found = la.accuracy(r, gold)
    assert (found.value, found.n_items, found.n_ratings) == (4 / 7, 4, 7)
    assert found.dropped == "1 of 5 items dropped: no gold label or judgment"
    assert "(clustered by item)" in repr(found)
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


@pytest.mark.parametrize(("raters", "missing"), [(1, 0.0), (3, 0.0), (3, 0.3)])
def test_the_jackknife_of_right_judgments_over_judgments(raters, missing):
    """Each rater's share has the exact interval; so have all, with one judgment an
    item, and labels."""
    judgments = oracles.random_judgments(11, 40, raters, "abc", missing)
    gold = {item: "aabbc"[int(item[5:]) % 5] for item, _, _ in judgments}
    judgments = [(i, r, gold[i] if int(i[5:]) % 2 else c) for i, r, c in judgments]

    def right(rest):
        return [label == gold[item] for item, _, label in rest]

    def share(rest):
        return Fraction(sum(right(rest)), len(rest))

    found = la.accuracy(ratings(judgments, [*"abc"]), pd.Series(gold)[::-1])
    assert found.value == pytest.approx(float(share(judgments)))
    without = [share(oracles.without(judgments, item)) for item in gold]
    assert found.standard_error == pytest.approx(oracles.jackknife(without), rel=1e-10)
    for k, table in ((1, found.per_rater()), (None, found.per_label())):
        for name, row in table.iterrows():
            own = [j for j in judgments if (j[k] if k else gold[j[0]]) == name]
            assert row["accuracy"] == pytest.approx(float(share(own)))
            if k or raters == 1:
                assert (row["low"], row["high"]) == exact(right(own))
    assert ("(exact)" in repr(found)) == (raters == 1)
    for confidence in (0.8, 0.95, 0.9999999999) if raters == 1 else ():
        assert found.interval(confidence) == exact(right(judgments), confidence)


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
    half = la.Ratings.from_matrix([["a", "b"]] * 60)  # no item unlike another
    assert la.accuracy(half, gold).interval() == exact([True, False] * 60)
    for given, right in (("a", [True] * 20), ("b", [False] * 20)):
        r = la.Ratings.from_matrix([["a"] * 3] * 20, [*"ab"])
        assert la.accuracy(r, [given] * 20).interval() == exact(right)


def test_patterns_are_as_their_items():
    times, each = [30, 4, 9, 5, 2], ["a", "a", "a", "c", None]
    patterns = la.Ratings.from_patterns(ROWS, times)
    one = la.accuracy(patterns, each)
    other = la.accuracy(patterns.expanded(), np.repeat(np.array(each, object), times))
    assert (one.n_items, one.n_ratings) == (other.n_items, other.n_ratings)
    for get in (float, lambda a: a.standard_error, lambda a: a.interval()):
        assert get(one) == pytest.approx(get(other))
    for part in ("per_label", "per_rater", "confusions"):
        pd.testing.assert_frame_equal(getattr(one, part)(), getattr(other, part)())
