"""Tests of a model against a rater: sizes and passing, by enumeration of everything."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp

import labelaudit as la
from labelaudit.agreement import regions
from reproduction.beyond import model_laws, model_measures, model_tests
from reproduction.machinery import examples, paths

P_VALUES = {**regions.P_VALUES, "score": regions.score}
TESTS = ("t", "score", "exact")


def p_of(d, epsilon, test):
    """By scipy where it can."""
    if test == "t" and len(set(d)) > 1:
        return ttest_1samp(d, epsilon, alternative="less").pvalue
    counts = np.array([[len(d)], [d.count(1)], [d.count(-1)]])
    return P_VALUES[test](*counts, epsilon)[0]


# One rater's test ---------------------------------------------------------------------


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(("n", "level"), [(4, 0.2), (6, 0.05), (7, 0.3)])
def test_rejection_is_the_sum_over_all_sequences(n, level, test):
    """All 3^n, in fractions, at shares of ties from none to the most there can be."""
    epsilon = Fraction(1, 5)
    rejected, p = Counter(), {}
    for d in product((-1, 0, 1), repeat=n):
        key = d.count(1), d.count(-1)
        if key not in p:
            p[key] = p_of(d, 0.2, test)
        if p[key] <= level:
            rejected[key] += 1
    for k in range(9):
        ties = (1 - epsilon) * Fraction(k, 8)
        win, loss = (1 - ties + epsilon) / 2, (1 - ties - epsilon) / 2
        expected = sum(
            times * win**w * loss**x * ties ** (n - w - x)
            for (w, x), times in rejected.items()
        )
        found = model_tests.by_ties(n, 0.2, level, test, np.array([float(ties)]))
        assert found[0] == pytest.approx(float(expected), abs=1e-13)


@pytest.mark.parametrize("level", [0.05, 0.01])
def test_the_exact_tests_limits_are_its_p(level):
    n = 40
    most = model_tests.most_wins(n, 0.2, level, "exact")
    for apart in (0, 7, 20, 39, 40):
        wins = np.arange(apart + 1)
        p = P_VALUES["exact"](np.full(apart + 1, n), wins, apart - wins, 0.2)
        assert ((wins <= most[apart]) == (p <= level)).all()


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("n", [30, 150])
def test_the_size_is_not_between_the_shares_that_are_tried(n, test):
    level = model_tests.levels(5, 0.05)[0]
    size, at = model_tests.size(n, 0.2, level, test)
    near = np.geomspace(1e-4 / n, 0.4, 1500)
    fine = np.unique([*np.linspace(0, 0.8, 3001), *near, *(0.8 - near)])
    largest = model_tests.by_ties(n, 0.2, level, test, fine).max()
    assert size == pytest.approx(largest, rel=1e-3)
    assert 0 <= at <= 0.8


def test_the_exact_test_keeps_its_level():
    for epsilon, raters in product((0.1, 0.3), (1, 4, 10)):
        level = model_tests.levels(raters, 0.05)[0]
        for n in (30, 75):
            assert 0 < model_tests.size(n, epsilon, level, "exact")[0] <= level


# Whether a model passes ---------------------------------------------------------------


def test_the_law_of_patterns_in_fractions():
    right, says, yes = [(9, 7), (8, 6)], (2, 8), Fraction(1, 4)
    expected = Counter()
    for truth, weight in ((0, 1 - yes), (1, yes)):
        for labels in product((0, 1), repeat=2):
            for model in (0, 1):
                share = weight * Fraction(
                    says[truth] if model else 10 - says[truth], 10
                )
                for (no, positive), label in zip(right, labels):
                    good = Fraction((no, positive)[truth], 10)
                    share *= good if label == truth else 1 - good
                expected[*labels, model] += share
    law = model_laws.law(np.array(right) / 10, np.array(says) / 10, 0.25)
    found = {
        (*map(int, labels), int(model)): share
        for labels, model, share in zip(law.labels, law.model, law.shares)
    }
    assert found.keys() == expected.keys()
    for key, share in expected.items():
        assert found[key] == pytest.approx(float(share), abs=1e-15)


def ratings(law, drawn):
    labels = la.Ratings.from_matrix(law.labels[drawn], labels=[0, 1])
    return labels, law.model[drawn]


def test_d_is_what_the_library_counts():
    law = model_laws.law([(0.9, 0.6)] * 4, (0.2, 0.7), 0.4)
    assert law.shares.sum() == pytest.approx(1, abs=1e-12)
    random = np.random.default_rng(3)
    drawn = random.integers(len(law.shares), size=300)
    r, model = ratings(law, drawn)
    table = la.alternative_annotator(r, model, min_items=2).per_rater
    assert table["items"].tolist() == [300] * 4
    wins, losses = ((law.d[drawn] == s).mean(axis=0) for s in (1, -1))
    np.testing.assert_allclose(table["advantage"], 1 - wins, rtol=1e-12)
    np.testing.assert_allclose(table["human_advantage"], 1 - losses, rtol=1e-12)


@pytest.mark.parametrize("raters", [3, 4])
@pytest.mark.parametrize("test", ["t", "exact"])
def test_a_simulated_study_passes_as_the_library_says(test, raters):
    law, _ = model_laws.worse_by(0.1, [(0.9, 0.9)] * raters, 0.3)
    n, epsilon, q = 45, 0.25, 0.3  # so that some pass
    counted = model_laws.counts(law, n, 8, np.random.default_rng(5))
    passed = model_laws.passed(counted, n, epsilon, q, test)
    draws = np.random.default_rng(5).random((8, n))
    edges = np.cumsum(law.shares)[:-1]
    expected = []
    for row in draws:
        r, model = ratings(law, np.searchsorted(edges, row, side="right"))
        how = {"epsilon": epsilon, "q": q, "test": test, "min_items": 2}
        expected.append(la.alternative_annotator(r, model, **how).passed)
    assert passed.tolist() == expected
    assert len(set(expected)) > 1


@pytest.mark.parametrize("raters", [2, 3, 6])
def test_a_worse_model_is_worse_by_epsilon_for_every_rater(raters):
    right = [(0.95, 0.85)] * raters
    law, flip = model_laws.worse_by(0.15, right, 0.1)
    np.testing.assert_allclose(law.margins(), 0.15, rtol=1e-12)
    assert 0 < flip < 1
    equal = model_laws.flipped(right, right[0], 0.0, 0.1)
    np.testing.assert_allclose(equal.margins(), 0, atol=1e-12)


# The data -----------------------------------------------------------------------------


def test_the_example_is_the_librarys_case():
    file = paths.ROOT / "tests" / "data" / "alternative_annotator.json"
    case = json.loads(file.read_text(encoding="utf-8"))
    table = examples.load("alternative_annotator")
    long = table.drop(columns="model").stack().dropna()
    expected = {(item, rater): label for item, rater, label in case["ratings"]}
    assert long.to_dict() == expected
    assert table["model"].dropna().to_dict() == case["model"]


def test_models_fail_as_they_are_said_to():
    shares = [0.88, 0.09, 0.03]
    made = model_measures.studies(4000, 5, shares, 1)
    assert not (made["never says threat"].runs == "threat").any(axis=None)
    assert (made["always says fine"].runs == "fine").all(axis=None)
    copied = made["copy of one person"]
    assert (copied.model == copied.people["person 1"]).all()
    alone, seen = made["poor"], made["poor, but people saw it"]
    assert alone.runs.equals(seen.runs) and alone.gold.equals(seen.gold)
    agree = [one.people.eq(one.model, axis=0).mean(axis=None) for one in (alone, seen)]
    apart = (1 - agree[1]) / (1 - agree[0])  # of those that differed, not followed
    assert apart == pytest.approx(1 - model_measures.FOLLOWED, abs=0.02)
    person = alone.people.eq(alone.gold, axis=0).mean(axis=None)
    rates = np.diag(model_measures.PERSON) @ shares
    assert person == pytest.approx(rates, abs=0.01)


def test_what_is_measured_is_the_librarys():
    study = model_measures.studies(200, 4, [0.6, 0.3, 0.1], 2)["as good as people"]
    row = model_measures.measured(study, 0.2, "exact")
    people = la.Ratings.from_matrix(study.people, labels=model_measures.LABELS)
    tested = la.alternative_annotator(people, study.model, test="exact")
    assert row["winning rate"] == tested.winning_rate
    right = study.model == study.gold
    assert row["accuracy"] == pytest.approx(right.mean())
    threats = study.gold == "threat"
    assert row["threats found"] == pytest.approx(right[threats].mean())
    both = pd.concat([study.people, study.model], axis=1)
    alphas = [
        la.krippendorff_alpha(la.Ratings.from_matrix(one)).value
        for one in (both, study.people)
    ]
    assert row["alpha, with less without"] == pytest.approx(alphas[0] - alphas[1])
