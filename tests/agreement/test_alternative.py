"""The alternative annotator test: by hand, by scipy, and over all outcomes."""

import json
from fractions import Fraction
from math import comb, factorial, inf, prod, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, ttest_1samp, ttest_rel

import labelaudit as la
import studies
from agreement_helpers import ratings, warned
from known import DATA


def made(n_items=60, n_raters=4, missing=0.2, seed=3):
    """Ratings with gaps as a frame, and a model's labels."""
    table = studies.made(n_items, n_raters + 1, seed, missing=0, labels=[0, 1, 2])
    gaps = np.random.default_rng(seed).random((n_items, n_raters)) < missing
    frame = pd.DataFrame(table[:, 1:]).add_prefix("r")
    return frame.mask(gaps, None), table[:, 0].astype(int)


def by_hand(frame, model, score, min_raters=2):
    """d of each rater, item by item."""
    found = {name: [] for name in frame}
    for (_, row), label in zip(frame.iterrows(), model):
        given = row.dropna()
        if len(given) < min_raters:
            continue
        for name, own in given.items():
            others = [*given.drop(name)]
            model_score, own_score = score(label, others), score(own, others)
            d = int(own_score > model_score) - int(own_score < model_score)
            found[name].append(d)
    return {name: np.array(d) for name, d in found.items()}


SCORES = {
    "accuracy": lambda label, others: Fraction(others.count(label), len(others)),
    "neg_rmse": lambda label, others: -sum((label - one) ** 2 for one in others),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("scoring", SCORES)
def test_each_rater_by_hand_and_by_scipy(scoring, seed):
    """The function of a name scores as the name does."""
    frame, model = made(seed=seed)
    r = la.Ratings.from_matrix(frame)
    how = {"scoring": scoring, "epsilon": 0.1 * seed, "q": 0.2}
    found = la.alternative_annotator(r, model, **how)
    table = found.per_rater
    for name, d in by_hand(frame, model, SCORES[scoring]).items():
        row = table.loc[name]
        assert row["items"] == len(d) and not row["skipped"]
        assert row["advantage"] == pytest.approx((d <= 0).mean(), rel=1e-12)
        assert row["human_advantage"] == pytest.approx((d >= 0).mean(), rel=1e-12)
        one = ttest_1samp(d, 0.1 * seed, alternative="less").pvalue
        assert row["p_value"] == pytest.approx(one, rel=1e-10)
        two = (d >= 0) - 0.1 * seed, (d <= 0) * 1.0
        two = ttest_rel(*two, alternative="less").pvalue
        assert row["p_value"] == pytest.approx(two, rel=1e-10)
    adjusted = false_discovery_control(table["p_value"], method="by")
    assert table["rejected"].tolist() == (adjusted <= 0.2).tolist()
    assert found.winning_rate == (adjusted <= 0.2).mean()
    assert found.passed == (found.winning_rate >= 0.5)
    assert found.advantage == pytest.approx(table["advantage"].mean())
    how["scoring"] = lambda *given: float(SCORES[scoring](*given))
    other = la.alternative_annotator(r, model, **how)
    same(found, other)
    assert (found.scoring, other.scoring) == (scoring, "callable")


def test_a_recorded_case():
    """Made up and seeded; an independent script computed it from the description."""
    case = json.loads((DATA / "alternative_annotator.json").read_text(encoding="utf-8"))
    r, model = ratings(case["ratings"]), pd.Series(case["model"])
    for epsilon, wanted in case["results"].items():
        found = la.alternative_annotator(r, model, epsilon=float(epsilon))
        assert found.winning_rate == pytest.approx(wanted["winning_rate"], rel=1e-12)
        assert found.advantage == pytest.approx(wanted["advantage"], rel=1e-12)
        theirs = pd.DataFrame(wanted["per_rater"], columns=wanted["columns"])
        tested = found.per_rater[~found.per_rater["skipped"]]
        assert [*tested.index] == [*theirs["rater"]]
        for name in ("items", "advantage", "human_advantage", "p_value"):
            np.testing.assert_allclose(tested[name], theirs[name], rtol=1e-12)


# The score test made exact ------------------------------------------------------------


def outcomes(n):
    """(wins, losses) of a rater over the model among n items."""
    return [(w, x) for w in range(n + 1) for x in range(n + 1 - w)]


def exact_p(n, epsilon):
    """{(wins, losses): p}, for each outcome a pair of raters with their own items."""
    rows, times, model, every = [], [], [], outcomes(n)
    for k, (w, x) in enumerate(every):
        for count, own, shown in ((w, "a", "b"), (x, "b", "a"), (n - w - x, "a", "a")):
            row = [None] * (2 * len(every))
            row[2 * k : 2 * k + 2] = own, "a"
            rows.append(row)
            times.append(count)
            model.append(shown)
    r = la.Ratings.from_patterns(rows, times, [*"ab"])
    options = {"epsilon": float(epsilon), "min_items": 2, "test": "exact"}
    table = la.alternative_annotator(r, model, **options).per_rater
    return dict(zip(every, table["p_value"][::2]))


def score(n, w, x, epsilon):
    """Tango's statistic: the variance at the likeliest law with a mean of epsilon.

    Its chance of a win is the larger root of 2 n a^2 - b a + w epsilon (1 + epsilon).
    """
    b = w * (1 + 3 * epsilon) + x * (1 + epsilon) + 2 * (n - w - x) * epsilon
    win = (b + sqrt(b * b - 8 * n * w * epsilon * (1 + epsilon))) / (4 * n)
    variance = n * (2 * win - epsilon - epsilon**2)
    return (w - x - n * epsilon) / sqrt(variance) if variance > 0 else -inf


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 5), Fraction(3, 4)])
@pytest.mark.parametrize("n", [2, 3, 6])
def test_the_exact_score_p_is_the_supremum(n, epsilon):
    """Over all 3^n outcomes in fractions, for means of epsilon and above."""
    found, e = exact_p(n, epsilon), float(epsilon)
    scores = {each: score(n, *each, e) for each in found if sum(each) or e}
    laws = [
        ((1 - t + mean) / 2, (1 - t - mean) / 2, t)
        for mean in (epsilon, (1 + epsilon) / 2)
        for t in ((1 - mean) * Fraction(k, 40) for k in range(41))
    ]
    for (w, x), p in found.items():
        if w - x >= n * epsilon:
            assert p == 1
            continue
        below = [o for o, z in scores.items() if z <= scores[w, x] + 1e-9]
        sums = [
            sum(
                comb(n, i) * comb(n - i, j) * a**i * b**j * t ** (n - i - j)
                for i, j in below
            )
            for a, b, t in laws
        ]
        assert max(sums) <= Fraction(p)
        assert p <= 1.02 * float(max(sums[:41])) + 1e-9


@pytest.mark.parametrize(("n", "epsilon"), [(12, 0.1), (12, 0.5), (24, 0.2)])
def test_the_size_of_the_score_test_made_exact(n, epsilon):
    """No level is exceeded, at any of its p, on a grid of ties and means."""
    found = {o: p for o, p in exact_p(n, epsilon).items() if o[0] - o[1] < n * epsilon}
    (wins, losses), p = np.array([*found]).T, np.array([*found.values()])
    order = np.argsort(p)
    last = np.append(np.diff(p[order]) > 0, True)
    each = np.stack([wins, losses, n - wins - losses], axis=1)
    ways = np.array([factorial(n) / prod(map(factorial, k)) for k in each.tolist()])
    for mean in (epsilon, (1 + epsilon) / 2):
        for ties in np.unique([*np.linspace(0, 1 - mean, 60), 1 - mean - 0.1 / n]):
            shares = [(1 - ties + mean) / 2, max((1 - ties - mean) / 2, 0), ties]
            chance = ways * np.prod(np.array(shares) ** each, axis=1)
            below = np.cumsum(chance[order])
            assert (below[last] <= p[order][last] + 1e-12).all()


def test_a_mean_of_epsilon_speaks_for_nothing():
    """Exactly: .07 of 100 items is 7, though 100 * .07 is a little more."""
    rows, model = la.Ratings.from_matrix([["a", "a"]] * 100), ["b"] * 7 + ["a"] * 93
    found = la.alternative_annotator(rows, model, epsilon=0.07, test="exact")
    assert found.per_rater["p_value"].tolist() == [1.0, 1.0]


# What takes part ----------------------------------------------------------------------


def same(one, other):
    pd.testing.assert_frame_equal(one.per_rater, other.per_rater)
    assert (one.winning_rate, one.n_items) == (other.winning_rate, other.n_items)


def test_the_order_of_items_does_not_matter():
    frame, model = made()
    forward = la.alternative_annotator(la.Ratings.from_matrix(frame), model)
    back = la.Ratings.from_matrix(frame.iloc[::-1])
    same(forward, la.alternative_annotator(back, model[::-1]))
    same(forward, la.alternative_annotator(back, pd.Series(model, frame.index)))


def test_min_raters_counts_the_rater_under_test():
    frame, model = made(missing=0.4, n_items=150)
    r = la.Ratings.from_matrix(frame)
    for least in (2, 3, 4):
        found = la.alternative_annotator(r, model, min_raters=least, min_items=2)
        assert found.n_items == (frame.notna().sum(axis=1) >= least).sum()
        d = by_hand(frame, model, SCORES["accuracy"], least)
        assert found.per_rater["items"].to_dict() == {k: len(v) for k, v in d.items()}


def test_raters_with_few_items_are_in_neither_mean():
    frame, model = made(missing=0.0, n_items=50)
    frame.loc[29:, "r3"] = None
    found = la.alternative_annotator(la.Ratings.from_matrix(frame), model)
    row, tested = found.per_rater.loc["r3"], found.per_rater.drop("r3")
    assert row["items"] == 29 and row["skipped"] and not row["rejected"]
    assert row[["advantage", "human_advantage", "p_value"]].isna().all()
    assert found.advantage == pytest.approx(tested["advantage"].mean())
    assert found.winning_rate == pytest.approx(tested["rejected"].mean())


@pytest.mark.parametrize("test", ["t", "exact"])
def test_no_rater_left_and_patterns_stand_for_their_items(test):
    r = la.Ratings.from_matrix([["a", "b"], ["a", "a"]])
    with pytest.warns(UserWarning, match="no rater has 30 items"):
        found = la.alternative_annotator(r, ["a", "a"], test=test)
    assert np.isnan([found.winning_rate, found.advantage]).all()
    assert found.passed is False and found.per_rater["skipped"].all()
    assert "not passed" in repr(found)
    rows, times = [["a", "a", "b"], ["b", "b", "b"], ["a", "c", None]], [30, 12, 8]
    patterns, model = la.Ratings.from_patterns(rows, times), ["a", "c", "c"]
    one = la.alternative_annotator(patterns, model, test=test)
    each = np.repeat(model, times)
    same(one, la.alternative_annotator(patterns.expanded(), each, test=test))


@pytest.mark.parametrize(("epsilon", "p"), [(0.2, 0.0), (0.0, 1.0)])
def test_a_constant_difference(epsilon, p):
    r = la.Ratings.from_matrix([["a", "a"], ["b", "b"]] * 20)
    (found, nothing), (worse, again) = (
        warned(la.alternative_annotator, r, given * 20, epsilon=epsilon)
        for given in (["a", "b"], ["b", "a"])
    )
    assert nothing == again == []
    assert (found.per_rater["p_value"] == p).all() and found.passed == (p == 0)
    assert (worse.per_rater["p_value"] == 1).all() and worse.advantage == 0


def test_half_of_the_raters_are_enough_to_pass():
    """One of two says b now and then, the other what the model says."""
    r = la.Ratings.from_matrix([["a", "a"], ["b", "a"]] * 20)
    found = la.alternative_annotator(r, ["a"] * 40, epsilon=0)
    assert found.winning_rate == 0.5 and found.passed


@pytest.mark.parametrize("scale", [1, 0.1, 1e-9, 1e50])
def test_ties_of_squares_are_ties_in_any_unit(scale):
    """The others lie in the middle of the model and the rater."""
    rows = np.array([[1, 2, 2], [7, 5, 5]] * 20) * scale
    model = np.array([3, 3] * 20) * scale
    declared = np.unique([*rows.ravel(), *model])
    r = la.Ratings.from_matrix(rows, labels=declared)
    table = la.alternative_annotator(r, model, scoring="neg_rmse").per_rater
    assert table.loc[0, ["advantage", "human_advantage"]].tolist() == [1, 1]
