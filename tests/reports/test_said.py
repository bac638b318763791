"""What reliability() warns of, and what it leaves unsaid."""

import re

import krippendorff
import numpy as np
import pytest

import labelaudit as la
from labelaudit import _words
from studies import made, pairs, words

GOOD = pairs(aa=60, bb=60, ab=2, ba=1, cc=30, ca=1, cb=1)
STRANGE = [[one] * 3 + [x] for one in "ab" for x in "aab"] * 20
SKEWED = pairs(aa=95, bb=3, ab=3, ba=3)
FEW = pairs(aa=20, bb=20, ab=9)


def rare(labels):
    """Two labels, and so many others of one item each."""
    return pairs(aa=60, bb=60) + [[label] * 2 for label in "cdefgh"[:labels]]


ONCE = [["a", None], [None, "b"]]
TWINS = [list("aba"), list("bbb"), list("bab"), ["a", "b", None]]
DANGERS = [
    (pairs(aa=9), "all coefficients are undefined: every judgment is 'a'"),
    ([[1.0, 1.0]] * 3, "every judgment is 1, so"),
    (ONCE, "no item was judged by both raters"),
    (pairs(aa=10, bb=10, ab=5), r"only 25 items with two judgments or more"),
    (pairs(aa=50, bb=50, ab=20), "two raters: where they differ nothing here says"),
    ([["a"]] * 5, "each item was labelled once; agreement needs two people on the"),
    (ONCE, "each item was labelled once; .* the truth: labelaudit plan$"),
    ([*GOOD, ["a", None]], "1 of 156 items dropped: not judged by both raters; no"),
    (pairs(aa=50, bb=50, ab=50), r"alpha is 0\.34 \(.*\), below 0\.667: Krippendorff"),
    (pairs(aa=80, bb=80, ab=20, ba=5), r"alpha is 0\.73 \(.*\), below 0\.8: Kripp"),
    (pairs(aa=50, bb=50, ab=9), r"alpha is 0\.84 \(.*\), but it may be as low as 0\.7"),
    (FEW, r"interval 0\.36 to 0\.82.*; the interval is wider than 0\.2, one step"),
    (SKEWED, r"'a' has 94 % of the judgments .* in 8\d %"),
    (SKEWED, r"of 94 % is then a Fleiss' kappa of 0\.4\d, but"),
    (SKEWED, r"AC1 is 0\.9\d and S 0\.88"),
    (SKEWED, r"labels are too rare .*, both .*: 'b' 3\.0 "),
    (STRANGE, r"rater 3 .*as if at random: same label as others in 50 %.* in 100 %"),
    (pairs(aa=30, Aa=30, AA=30), "'A' and 'a' are different labels here"),
    ([["1", "1.0"], ["01", "2"]] * 20, "'01' and '1' and '1.0' are different"),
    ([["WAHR", "TRUE"], ["yes", "ja"]] * 9, "'TRUE' and 'WAHR', 'ja' and 'yes' are"),
    ([["s\u00ed", "si\u0301"]] * 20, r"'si\\u0301' and 's\\xed' are different"),
    (TWINS * 10, "rater 0 and rater 2 gave .* all 30 items .* twice. Leave one out"),
    ([[k % 3] * 4 for k in range(60)], "no two of 240 judgments on one item differ"),
]


@pytest.mark.parametrize(("matrix", "says"), DANGERS)
def test_a_danger_is_said(matrix, says):
    found = words(matrix)
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


@pytest.mark.parametrize(
    ("said", "there", "not_there"),
    [
        # alpha is 0.799 and 0.801
        ("below 0.8", pairs(aa=45, bb=44, ab=10), pairs(aa=45, bb=45, ab=10)),
        # 0.6669 and 0.6672
        ("below 0.667", pairs(aa=250, bb=250, ab=100), pairs(aa=125, bb=125, ab=50)),
        # 80 % and 79.75 % of the judgments are a
        ("'a' has 80 % of", pairs(aa=158, bb=38, ab=4), pairs(aa=158, bb=39, ab=4)),
        ("too rare", pairs(aa=60, bb=4, ab=6), pairs(aa=60, bb=5, ab=6)),
        ("items with two judg", pairs(aa=15, bb=9, ab=5), pairs(aa=15, bb=9, ab=6)),
        ("wider than", pairs(aa=50, bb=50, ab=16), pairs(aa=99, bb=99, ab=16)),
        ("labelled once", ONCE * 9, [*ONCE * 9, ["a", "b"]]),
        ("no two of", [[k % 3] * 4 for k in range(50)], [[0, 1]] + [[1, 1]] * 100),
        ("no two of", [["a", "a"], ["b", "b"]] * 50, [["a", "a"], ["b", "b"]] * 49),
        ("one file", TWINS * 7, TWINS * 6),  # 21 and 18 items
        # Others agree in 1 of 3 items, or in 9 of 10, and so by chance in all of 20.
        ("one file", TWINS * 7, [list("aaa"), list("bbb")] * 9 + [list("aba")] * 2),
        ("one file", TWINS * 7, TWINS * 7 + [list("aab")]),
        ("one file", TWINS * 7, [list("aba"), list("aaa")] * 20),  # one label
        ("one file", TWINS * 7, [list("aaa"), list("bbb")] * 20),  # nobody differs
        ("and 1 more label", rare(_words.TOLD + 1), rare(_words.TOLD)),
    ],
)
def test_thresholds_are_met_from_both_sides(said, there, not_there):
    assert [said in words(one) for one in (there, not_there)] == [True, False]


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
    assert len(found.clusters) == 13 and "13 clusters" in found.report()
    said = "he interval takes 13 clusters, not the items, for a random sample; with so"
    said += " few (worth 12) it may be too short; the value itself is the same as"
    assert f"T{said}" in found.report() and f"; t{said}" in found.warnings[0]
    assert found.head.startswith("59 items, 5 raters, 222 judgments, 13 clusters;")
    assert plain.clusters is None and "cluster" not in plain.report()


# How things are written ---------------------------------------------------------------


def test_the_paragraph_says_what_was_measured():
    """Alpha by another implementation."""
    table = [list("aab"), list("bbb"), list("ccc"), list("aaa"), list("abc")] * 12
    table += [["a", None, None]] * 2
    text = la.reliability(la.Ratings.from_matrix(table)).report(name="Set")
    assert text.startswith("Set: 60 items, 3 raters, 180 judgments. Left out: 2 with")
    codes = {"a": 0, "b": 1, "c": 2, None: np.nan}
    data = np.array([[codes[x] for x in row] for row in table]).T
    alpha = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
    assert f"(nominal distance) is {alpha:.2f}" in text
    one = la.Ratings.from_matrix([["a", "a"], ["a", "a"]], labels=["a", "b"])
    said = la.reliability(one).report()
    assert "is undefined: " in said and "Left out" not in said
