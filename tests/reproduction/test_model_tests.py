"""Tests of a model against a rater: sizes and passing, by enumeration of everything."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.stats import ttest_1samp

import labelaudit as la
from labelaudit.agreement import regions
from reproduction.beyond import model_laws, model_tests
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


def test_the_exact_test_keeps_its_level():
    for epsilon, raters in product((0.1, 0.3), (1, 4, 10)):
        level = model_tests.levels(raters, 0.05)[0]
        for n in (30, 75):
            assert 0 < model_tests.size(n, epsilon, level, "exact")[0] <= level


# Whether a model passes ---------------------------------------------------------------


def ratings(law, drawn):
    labels = la.Ratings.from_matrix(law.labels[drawn], labels=[0, 1])
    return labels, law.model[drawn]


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


# The data -----------------------------------------------------------------------------


def test_the_example_is_the_librarys_case():
    file = paths.ROOT / "tests" / "data" / "alternative_annotator.json"
    case = json.loads(file.read_text(encoding="utf-8"))
    table = examples.load("alternative_annotator")
    long = table.drop(columns="model").stack().dropna()
    expected = {(item, rater): label for item, rater, label in case["ratings"]}
    assert long.to_dict() == expected
    assert table["model"].dropna().to_dict() == case["model"]
