"""reliability() with suggestions, and with a second collection."""

from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from agreement_helpers import quietly
from labelaudit.reports.collection.findings import findings
from studies import judged, made

MATRIX = made()
R = la.Ratings.from_matrix(MATRIX)

# Suggestions --------------------------------------------------------------------------


def others_say(row, rater):
    """The label that most others gave, or None."""
    count = Counter(label for a, label in judged(row) if a != rater).most_common(2)
    if not count or (len(count) > 1 and count[0][1] == count[1][1]):
        return None
    return count[0][0]


def told(matrix, seed=1, right=0.6):
    random = np.random.default_rng(seed)
    first = [next((v for v in row if v is not None), "a") for row in matrix]
    noise = random.choice(list("abcd"), len(matrix))
    return [a if random.random() < right else b for a, b in zip(first, noise)]


def seen(matrix, suggested):
    """(item, what most others gave, suggestion, label) of the judgments that tell."""
    each = [
        (i, others_say(row, rater), s, label)
        for i, (row, s) in enumerate(zip(matrix, suggested, strict=True))
        for rater, label in judged(row)
    ]
    return [one for one in each if one[1] is not None and one[2] is not None]


@pytest.mark.parametrize(("n", "seed", "right"), [(200, 5, 0.6), (60, 6, 0.4)])
def test_following_by_counting(n, seed, right):
    matrix = made(n=n, raters=6, seed=seed)
    suggested = told(matrix, right=right)
    suggested[3] = None
    r = la.Ratings.from_matrix(matrix)
    each = seen(matrix, suggested)
    table = la.reliability(r, suggested=suggested).suggested
    for name, same in (("others agree", True), ("others differ", False)):
        chosen = [x[3] == x[2] for x in each if (x[1] == x[2]) == same]
        row = table.loc[f"followed, {name}"]
        assert row["judgments"] == len(chosen)
        assert row["value"] == pytest.approx(np.mean(chosen))
        assert row["low"] < row["value"] < row["high"]
    kappa, right = la.dipietro_hazari_kappa(r, suggested), la.accuracy(r, suggested)
    for name, one in (("dipietro_hazari_kappa", kappa), ("followed", right)):
        expected = one.value, *quietly(one.interval), one.n_ratings
        assert tuple(table.loc[name]) == expected


def test_followed_by_label_and_rater():
    suggested = told(MATRIX)
    found = la.reliability(R, suggested=suggested)
    of_label, of_rater = defaultdict(list), defaultdict(list)
    for row, s in zip(MATRIX, suggested, strict=True):
        for rater, label in judged(row):
            of_label[s].append(label == s)
            of_rater[rater].append(label == s)
    for label in "abc":
        row = found.labels.loc[label]
        assert row["followed"] == pytest.approx(np.mean(of_label[label]))
        assert row["suggested"] == suggested.count(label)
    means = [np.mean(of_rater[rater]) for rater in range(5)]
    assert found.raters["followed"].tolist() == pytest.approx(means)
    top = found.disputed(3)
    assert list(top["suggested"]) == [suggested[item] for item in top.index]
    none = la.reliability(R, suggested=[None] * 60)
    assert none.suggested is None
    assert not any("suggest" in text for text in none.warnings)


# Two collections --------------------------------------------------------------------


@pytest.mark.parametrize("groups", [None, [k // 5 for k in range(150)]])
def test_two_collections_are_the_functions(groups):
    x = la.Ratings.from_matrix(made(n=150, seed=1), clusters=groups)
    y = la.Ratings.from_matrix(made(n=150, seed=1, slips=0.2)).on(range(20, 150))
    found = la.reliability(x, other=y)
    kappa, normal = la.cross_kappa(x, y), la.normalized_cross_kappa(x, y)
    table, names = found.other, ["value", "standard_error", "low", "high"]
    for name, one in (("cross_kappa", kappa), ("normalized_cross_kappa", normal)):
        ends = quietly(one.interval)
        assert [*table.loc[name, names]] == [one.value, one.standard_error, *ends]
    both = table["value"]["reliability_x"] * table["value"]["reliability_y"]
    assert normal.value == pytest.approx(kappa.value / np.sqrt(both))
    assert table["items"]["cross_kappa"] == kappa.n_items == 130


# In words ---------------------------------------------------------------------------


# Labels of the items' raters, suggestions, how many such items; what is said of them.
FOLLOWED = [
    ("aaa bbb", "ab", 100, "100 % of judgments are the suggested label, and in 0"),
    ("aaa " * 25, "a" * 24 + "b", 40, "label, and in 120 judgments most other"),
    ("aab", "b", 1, "and in 1 judgment most other raters gave another label"),
    # Only the last of aab has others who agree.
    ("aab aaa", "bb", 10, "17 % of judgments are the suggested label, and in 40 judg"),
    ("aaab aaaa aaaa", "bba", 10, "give another label, 12 % of judgments are the sugg"),
    ("aaaaa", "b", 10, "give another label, 0 % of judgments are the"),
    ("aaaaa", "b", 9, "and in 45 judgments most other raters gave"),
]


@pytest.mark.parametrize(("raters", "suggested", "times", "says"), FOLLOWED)
def test_what_following_the_suggestions_shows(raters, suggested, times, says):
    r = la.Ratings.from_matrix([[*labels] for labels in raters.split()] * times)
    found = la.reliability(r, suggested=[*suggested] * times)
    (said,) = [part.told for part in findings(found) if part.key == "suggested"]
    assert says in said
    assert ("cannot be told apart" in said) == ("and in" in says)


def test_what_two_collections_make_one_say():
    x = la.Ratings.from_matrix(made(n=200, seed=1, slips=0.2))
    shifted = made(n=200, seed=1, slips=0.2)
    shifted[:80] = np.where(shifted[:80] == "a", "b", shifted[:80])
    lost = la.Ratings.from_matrix(pd.DataFrame(made(n=9), index=list("stuvwxyz!")))
    loose = np.random.default_rng(0).integers(0, 2, (60, 2))
    one, other = la.Ratings.from_matrix(loose), la.Ratings.from_matrix(loose[::-1])
    shared = x.on(range(20, 50))
    for first, second, says in (
        (x, la.Ratings.from_matrix(shifted), "the collections differ by more than"),
        (x, lost, "cannot be compared: no item"),
        (one, other, "cannot be normalised"),
        (x, shared, "share 30 items; 170 more only the first has, 0 only the second"),
        (shared, x, "share 30 items; 0 more only the first has, 170 only the second"),
    ):
        said = la.reliability(first, other=second).warnings
        assert any(says in text for text in said), (says, said)
    same = la.reliability(x, other=x)
    assert not any("collections" in text for text in same.warnings)
    row = la.reliability(one, other=other).other.loc["normalized_cross_kappa"]
    assert row["why"] == "the reliability is too uncertain to divide by" or np.isnan(
        row["value"]
    )
