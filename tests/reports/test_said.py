"""What reliability() warns of, and what it leaves unsaid."""

import re

import pytest

import labelaudit as la
from known import rows
from labelaudit import _words
from labelaudit.reports.collection.findings import Findings
from studies import alpha_of, made, pairs, words

GOOD = pairs(aa=60, bb=60, ab=2, ba=1, cc=30, ca=1, cb=1)
STRANGE = [[one] * 3 + [x] for one in "ab" for x in "aab"] * 20
SKEWED = pairs(aa=95, bb=3, ab=3, ba=3)
FEW = pairs(aa=20, bb=20, ab=9)


def rare(more):
    """Two labels, and so many more than are told of one item each."""
    others = "cdefgh"[: _words.TOLD + more]
    return pairs(aa=60, bb=60) + [[label] * 2 for label in others]


ONCE = [["a", None], [None, "b"]]


@pytest.mark.parametrize(("matrix", "says"), rows("dangers"))
def test_a_danger_is_said(matrix, says):
    found = words(eval(matrix))
    assert re.search(says, found), found


SILENT = (
    "undefined|only .* items|labelled once|dropped|below|as low as|wider|no interval"
    "|has 9|too rare|no two of|gives|different labels|suggest"
    "|collections"
)


def test_no_danger_is_no_warning():
    assert not re.search(SILENT, words(GOOD))
    assert words(GOOD).startswith("two raters")
    three = [[a, b, a] for a, b in pairs(aa=100, bb=90, ab=4, ba=4)]
    three += [[a, b, b] for a, b in pairs(aa=100, bb=95, ab=4, ba=4)]
    assert words(three) == ""
    low = words(pairs(ab=6, ba=6, aa=4, bb=4))
    assert "wider than 0.2, one step" in low


@pytest.mark.parametrize(("said", "there", "not_there", "why"), rows("thresholds"))
def test_thresholds_are_met_from_both_sides(said, there, not_there, why):
    found = [said in words(eval(one)) for one in (there, not_there)]
    assert found == [True, False], why


@pytest.mark.parametrize(("last", "said"), [("b", False), (None, True)])
def test_what_weighs_more_is_said_where_items_differ(last, said):
    r = la.Ratings.from_matrix([["a", "a", "b"], ["b", "b", last], ["a", None, None]])
    assert ("more judgments weigh more" in Findings(la.reliability(r)).text()) == said


def test_what_is_said_is_of_the_items_that_coefficients_see():
    both = pairs(xx=16, yy=16, xy=4, yx=4)
    more = [*both, *[["x", None]] * 500]
    text = words(more)
    assert "500 of 540 items dropped" in text and "of the judgments" not in text
    found = la.reliability(la.Ratings.from_matrix(more))
    assert found.labels["ratings"].to_dict() == {"x": 540, "y": 40}  # of all


def test_clusters_are_counted_and_few_of_them_are_said():
    r = la.Ratings.from_matrix(made(), clusters=[k // 4 % 13 for k in range(60)])
    found, plain = la.reliability(r), la.reliability(la.Ratings.from_matrix(made()))
    assert len(found.alpha.clusters) == 13 and "13 clusters" in found.report()
    said = "he interval takes 13 clusters, not the items, for a random sample; with so"
    said += " few (worth 12) it may be too short; the value itself is the same as"
    assert f"T{said}" in found.report() and f"; t{said}" in found.warnings[0]
    assert found.head.startswith("59 items, 5 raters, 222 judgments, 13 clusters;")
    assert plain.alpha.clusters is None and "cluster" not in plain.report()


# How things are written ---------------------------------------------------------------


def test_the_paragraph_says_what_was_measured():
    """Alpha by another implementation."""
    table = [list("aab"), list("bbb"), list("ccc"), list("aaa"), list("abc")] * 12
    table += [["a", None, None]] * 2
    text = la.reliability(la.Ratings.from_matrix(table)).report(name="Set")
    assert text.startswith("Set: 60 items, 3 raters, 180 judgments. Left out: 2 with")
    assert f"(nominal distance) is {alpha_of(table):.2f}" in text
    one = la.Ratings.from_matrix([["a", "a"], ["a", "a"]], labels=["a", "b"])
    said = la.reliability(one).report()
    assert "is undefined: " in said and "Left out" not in said


def test_the_level_is_said_and_the_unknown_have_no_row():
    """Of the intervals; and of raters whom nobody knows."""
    r = la.Ratings.from_counts([[2, 0], [1, 1], [0, 2]] * 9, labels=["a", "b"])
    gold = la.accuracy(r, [*"abb"] * 9)
    told = Findings(la.reliability(r, confidence=0.9), gold=gold).text()
    assert "90 %" in told and "rater 0" not in told
