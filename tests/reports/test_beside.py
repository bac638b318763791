"""reliability() with suggestions, and with a second collection."""

from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

import labelaudit as la
from agreement_helpers import quietly
from labelaudit.reports.collection.following import following
from studies import judged, made, words

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


def pull(told, weight):
    """(the pull, what is given anyway, judgments), at the mix of labels of all."""
    there, hit, elsewhere, anyway, mix = (Counter() for _ in range(5))
    for i, c, s, label in told:
        mix[c, s] += 1
        there[c, s] += weight[i]
        hit[c, s] += weight[i] * (label == s)
        for other in set("abcd") - {s}:
            elsewhere[c, other] += weight[i]
            anyway[c, other] += weight[i] * (label == other)
    used = [k for k in mix if k[0] != k[1] and elsewhere[k]]
    base = [mix[k] * anyway[k] / elsewhere[k] for k in used]
    value = sum(mix[k] * hit[k] / there[k] for k in used) - sum(base)
    n = sum(mix[k] for k in used)
    return value / n, sum(base) / n, n


@pytest.mark.parametrize(("n", "seed", "right"), [(200, 5, 0.6), (60, 6, 0.4)])
def test_following_by_counting(n, seed, right):
    """The pull's error by moving each item's weight a little: it adds up squares."""
    matrix = made(n=n, raters=6, seed=seed)
    suggested = told(matrix, right=right)
    suggested[3] = None
    r = la.Ratings.from_matrix(matrix)
    table, each = following(r, suggested), seen(matrix, suggested)
    for name, same in (("others agree", True), ("others differ", False)):
        chosen = [x[3] == x[2] for x in each if (x[1] == x[2]) == same]
        row = table.loc[f"followed, {name}"]
        assert row["judgments"] == len(chosen)
        assert row["value"] == pytest.approx(np.mean(chosen))
        assert row["low"] < row["value"] < row["high"]
    value, base, weight = pull(each, np.ones(n))
    row = table.loc["pull"]
    assert (row["value"], row["judgments"]) == (pytest.approx(value), weight)
    assert table.loc["given anyway", "value"] == pytest.approx(base)
    moved, step = [], 1e-6
    for i in {one[0] for one in each}:
        up, down = np.ones(n), np.ones(n)
        up[i], down[i] = 1 + step, 1 - step
        moved.append((pull(each, up)[0] - pull(each, down)[0]) / (2 * step))
    g = len(moved)
    expected = np.sqrt(np.square(moved).sum() * g / (g - 1))
    found = (row["high"] - row["low"]) / 2 / 1.959964
    assert found == pytest.approx(expected, rel=1e-5)
    kappa, right = la.dipietro_hazari_kappa(r, suggested), la.accuracy(r, suggested)
    assert table.loc["dipietro_hazari_kappa", "value"] == kappa.value
    ends = quietly(right.interval)
    assert tuple(table.loc["followed", ["value", "low", "high"]]) == (
        right.value,
        *ends,
    )


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


@pytest.mark.parametrize(("items", "known"), [(9, False), (10, True)])
def test_a_pull_from_few_judgments_has_no_interval(items, known):
    """Five judgments each of items on which most others are against the suggestion."""
    against = [["a"] * 5] * 2 + [["a"] * 4 + ["b"]] * (items - 2)
    suggested = ["b"] * items + ["a"] * 40
    r = la.Ratings.from_matrix([*against, *[["a"] * 5] * 40])
    row = following(r, suggested).loc["pull"]
    assert row["judgments"] == 5 * items
    assert row["value"] == pytest.approx((items - 2) / (5 * items))
    assert np.isfinite(row["low"]) == np.isfinite(row["high"]) == known


def test_a_pull_stays_within_its_range():
    """Of aab only the last has others who agree: 60 follow, 12 do not."""
    matrix = [["a", "a", "b"]] * 60 + [["a"] * 3] * 44
    suggested = ["b"] * 64 + ["a"] * 40
    table = following(la.Ratings.from_matrix(matrix), suggested, confidence=0.9999)
    row = table.loc["pull"]
    assert row["value"] == pytest.approx(60 / 72)
    assert 0 < row["low"] < row["value"] < row["high"] == 1


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
    for label in "abc":
        sides, row = (x.collapsed(label), y.collapsed(label)), []
        for one in (la.cross_kappa(*sides), la.normalized_cross_kappa(*sides)):
            row += [one.value, *quietly(one.interval)]
        counts = [r.on(range(20, 150)).counts for r in (x, y)]
        shares = [c[:, "abc".index(label)].sum() / c.sum() for c in counts]
        assert [*found.other_labels.loc[label]] == pytest.approx([*shares, *row])


def test_each_label_of_two_collections_by_scikit_learn():
    """One judgment each: then cross-kappa is Cohen's kappa."""
    matrix = made(n=150, raters=2, missing=0, seed=4)
    x, y = (la.Ratings.from_matrix(matrix[:, [k]]) for k in (0, 1))
    table = la.reliability(x, other=y).other_labels
    for label in "abc":
        expected = cohen_kappa_score(matrix[:, 0] == label, matrix[:, 1] == label)
        assert table["cross_kappa"][label] == pytest.approx(expected)


# In words ---------------------------------------------------------------------------


def test_suggestions_that_pull_and_that_do_not():
    random = np.random.default_rng(2)
    true = random.integers(0, 2, 400)
    suggested = np.where(random.random(400) < 0.3, 1 - true, true)
    seen = np.where(random.random((400, 5)) < 0.1, 1 - true[:, None], true[:, None])
    led = np.where(random.random((400, 5)) < 0.3, suggested[:, None], seen)
    said = words(led, suggested=list(suggested))
    assert "judgments lean to the sugg" in said
    assert "or it is right where most of them are wrong; only items labelled" in said
    free = la.reliability(la.Ratings.from_matrix(seen), suggested=list(suggested))
    assert not any("suggest" in text for text in free.warnings)
    assert free.suggested.loc["pull", "low"] < 0 < free.suggested.loc["pull", "high"]


@pytest.mark.parametrize(("raters", "said"), [(3, True), (2, False)])
def test_suggestions_may_know_more_than_others_of_whom_there_are_two(raters, said):
    """Nobody is led, but suggestions are right more often than not."""
    random = np.random.default_rng(3)
    true = random.integers(0, 2, 400)
    suggested = list(np.where(random.random(400) < 0.8, true, 1 - true))
    slip = random.random((400, raters)) < 0.2
    r = la.Ratings.from_matrix(np.where(slip, 1 - true[:, None], true[:, None]))
    found = la.reliability(r, suggested=suggested)
    assert found.suggested.loc["pull", "low"] > 0
    assert any("judgments lean to" in text for text in found.warnings) == said


@pytest.mark.parametrize(
    ("matrix", "suggested", "says"),
    [
        (
            [["a"] * 3, ["b"] * 3] * 100,
            ["a", "b"] * 100,
            "100 % of judgments are the suggested label, and in 0 judgments most",
        ),
        (
            [["a"] * 3, ["b"] * 3] * 500,
            ["a", "b"] * 480 + ["b", "a"] * 20,
            "96 % of judgments are the suggested label, and in 120 judgments most",
        ),
        (
            [["a", "a", "b"], ["b"] * 3] * 20,
            ["b", "b"] + ["a", "b"] * 19,
            "and in 1 judgment most other raters gave another label",
        ),
    ],
)
def test_what_cannot_tell_following_from_agreement_is_said(matrix, suggested, says):
    text = words(matrix, suggested=suggested)
    assert "cannot be told apart in these data" in text and "lean to" not in text
    assert says in text


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
