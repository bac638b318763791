"""What reliability() warns of, and what it leaves unsaid."""

import re
from dataclasses import replace
from types import SimpleNamespace

import krippendorff
import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from known import rows
from labelaudit import _words
from labelaudit.agreement.normalized import _no_divisor
from labelaudit.reports.collection import warnings
from studies import made, pairs, scaled, words

GOOD = pairs(aa=60, bb=60, ab=2, ba=1, cc=30, ca=1, cb=1)
STRANGE = [[one] * 3 + [x] for one in "ab" for x in "aab"] * 20
SKEWED = pairs(aa=95, bb=3, ab=3, ba=3)
FEW = pairs(aa=20, bb=20, ab=9)


def rare(labels):
    """Two labels, and so many others of one item each."""
    return pairs(aa=60, bb=60) + [[label] * 2 for label in "cdefgh"[:labels]]


ONCE = [["a", None], [None, "b"]]
TWINS = [list("aba"), list("bbb"), list("bab"), ["a", "b", None]]


@pytest.mark.parametrize(("matrix", "says"), rows("warned"))
def test_a_danger_is_said(matrix, says):
    found = words(eval(matrix))
    assert re.search(says, found), found


SILENT = (
    "undefined|only .* items|labelled once|dropped|below|as low as|wider|no interval"
    "|has 9|too rare|no two of|one file|gives|disagrees|different labels|suggest"
    "|collections"
)


def test_no_danger_is_no_warning():
    assert not re.search(SILENT, words(GOOD))
    assert words(GOOD).startswith("two raters")
    three = [[a, b, a] for a, b in pairs(aa=100, bb=90, ab=4, ba=4)]
    three += [[a, b, b] for a, b in pairs(aa=100, bb=95, ab=4, ba=4)]
    assert words(three) == ""
    low = words(pairs(ab=6, ba=6, aa=4, bb=4))
    assert "wider than 0.2, one step" in low and "from poor to poor" not in low


@pytest.mark.parametrize(("said", "there", "not_there"), rows("thresholds"))
def test_thresholds_are_met_from_both_sides(said, there, not_there):
    assert [said in words(eval(one)) for one in (there, not_there)] == [True, False]


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


# Raters -------------------------------------------------------------------------------


def test_a_rater_is_named_for_a_quarter_more_disagreement():
    """Five raters of 4,000 items; luck explains neither difference."""
    random = np.random.default_rng(4)
    truth = random.integers(3, size=(4000, 1))
    for errors, named in ((0.36, False), (0.5, True)):
        wrong = random.random((4000, 5)) < [*[0.3] * 4, errors]
        labels = np.where(wrong, random.integers(3, size=(4000, 5)), truth)
        assert ("rater 4 disagrees with the others" in words(labels)) == named


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_a_rater_is_named_from_a_twentieth_of_what_chance_would_give(factor):
    """An excess on either side of the rule, by scaling what chance gives."""
    found = scaled("interval")
    alpha = la.krippendorff_alpha(found.ratings, "interval")
    expected = factor * found.raters.loc[3, "excess"] / 0.05
    vars(alpha)["expected_disagreement"] = expected
    of = {"krippendorff_alpha": alpha}
    assert bool(warnings.rater(replace(found, of=of))) == (factor < 1)


@pytest.mark.parametrize("distance", ["interval", "ordinal", "ratio"])
def test_disagreement_of_numbers_is_told_by_what_chance_would_give(distance):
    found = scaled(distance)
    unit = la.krippendorff_alpha(found.ratings, distance).expected_disagreement
    own, others = found.raters.loc[3, ["disagreement", "among_others"]] / unit
    said = next(text for text in found.warnings if "disagrees with" in text)
    assert said.startswith(
        f"rater 3 disagrees with the others in {_words.percent(own)} of what chance"
        " would give; on the same items these disagree with each other in"
        f" {_words.percent(others)};"
    )


def test_a_rater_by_chance_off_is_not_accused():
    """60 items, as good as the others: 5 % of all sets may say so, over all raters."""
    accused = 0
    for seed in range(40):
        text = words(made(n=60, raters=5, seed=seed, missing=0.1))
        accused += "disagrees with the others" in text
    assert accused <= 6  # P(X > 6) < .01 for 40 sets at 5 %


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_nothing_is_said_of_raters_with_few_items(distance):
    """120 equally good raters, each with as many items, who differ by slips alone."""
    for items, seed in ((3, 1), (4, 2), (19, 3), (19, 4)):
        random = np.random.default_rng(seed)
        order = np.concatenate([random.permutation(120) for _ in range(items)])
        true = np.repeat(random.integers(0, 2, len(order) // 3), 3)
        said = np.where(random.random(len(order)) < 0.15, 1 - true, true)
        item = np.repeat(np.arange(len(order) // 3), 3)
        table = pd.DataFrame({"item": item, "rater": order, "label": said})
        r = la.Ratings.from_long(table.drop_duplicates(["item", "rater"]))
        text = " | ".join(la.reliability(r, distance).warnings)
        assert "disagrees with" not in text


def test_twenty_shared_items_are_enough_to_be_spoken_of():
    """The last rater says b throughout, three others the truth."""
    for each, said in ((9, False), (10, True)):
        text = words([["a", "a", "a", "b"], ["b"] * 4] * each)
        assert bool(re.search("rater 3 disagrees with", text)) == said
    # Many items, but of only two of them more than one other rater spoke.
    rows = [["a", None, None, "b"], ["b", None, None, "b"]] * 20
    assert "disagrees with" not in words([*rows, *[["a", "a", "a", "b"]] * 2])


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
    assert "alpha is highest for" in text
    one = la.Ratings.from_matrix([["a", "a"], ["a", "a"]], labels=["a", "b"])
    said = la.reliability(one).report()
    assert "is undefined: " in said and "Left out" not in said


def test_a_reliability_of_nothing_is_written_as_0():
    part = SimpleNamespace(undefined="", value=-4.44e-16, name="iota")
    assert "of y (iota) is 0, not above 0" in _no_divisor("y", part)
    part.value = -0.25
    assert "of y (iota) is -0.25, not above 0" in _no_divisor("y", part)


@pytest.mark.parametrize(("call", "said"), rows("written"))
def test_how_numbers_and_names_are_written(call, said):
    assert eval(f"_words.{call}") == said
