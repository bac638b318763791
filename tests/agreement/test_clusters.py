"""Clusters: what they change beside the errors, which test_brute_force.py has.

The default interval with clusters is in test_adjusted.py.
"""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, norm, t as student

import agreement_oracles as oracles
import labelaudit as la
import studies
from agreement_helpers import quietly, warned

LABELS = [0.0, 1.0, 2.0]


FRAME = pd.DataFrame(studies.made(60, 4, missing=0.2, labels=LABELS)).astype(float)
OF = pd.Series([f"document {k * k // 400}" for k in range(60)])  # of unlike sizes
GOLD = FRAME.mode(axis=1)[0]
matrix = partial(la.Ratings.from_matrix, labels=LABELS)


def test_the_interval_has_students_quantile():
    a = la.fleiss_kappa(matrix(FRAME, clusters=OF))
    assert a.n_clusters == 9 and "9 clusters" in repr(a)
    (low, high), told = warned(a.interval, 0.9, "jackknife")
    assert "9 clusters, worth" in told[-1]
    half = student.ppf(0.95, 8) * a.standard_error / (1 - a.value**2)
    assert np.arctanh([low, high]) - np.arctanh(a.value) == pytest.approx([-half, half])
    d = la.difference(a, la.gwet_ac1(matrix(FRAME, clusters=OF)))
    half = student.ppf(0.975, 8) * d.standard_error
    assert quietly(d.interval) == pytest.approx((d.value - half, d.value + half))
    alone = la.fleiss_kappa(matrix(FRAME, clusters=range(len(FRAME))))
    z = student.ppf(0.975, alone.n_clusters - 1)
    plain = la.fleiss_kappa(matrix(FRAME)).interval(2 * norm.cdf(z) - 1)
    assert quietly(alone.interval) == pytest.approx(plain, rel=1e-9)


def test_accuracy():
    a = la.accuracy(matrix(FRAME, clusters=OF), GOLD)

    def share(part):
        right = part.eq(GOLD[part.index], axis=0).to_numpy().sum()
        return right / part.notna().to_numpy().sum()

    left_out = (share(FRAME[name != OF]) for name in OF.unique())
    wanted = oracles.jackknife(left_out)
    assert a.standard_error == pytest.approx(wanted, rel=1e-9)
    assert a.n_clusters == 9 and "9 clusters" in repr(a)
    low, high = quietly(a.interval)
    # Korn and Graubard's, with Student's quantile: by scipy's beta distribution.
    n = a.n_ratings
    worth = min(n, a.value * (1 - a.value) / wanted**2 * n / (n - 1))
    worth *= (student.ppf(0.975, n - 1) / student.ppf(0.975, 8)) ** 2
    x = a.value * worth
    assert low == pytest.approx(beta.ppf(0.025, x, worth - x + 1))
    assert high == pytest.approx(beta.ppf(0.975, x + 1, worth - x))
    rows = quietly(a.per_rater)
    assert (rows["low"] < rows["accuracy"]).all()


def test_the_bootstrap_draws_clusters():
    """Where all items of a cluster are alike it draws so many different samples."""
    frame = pd.DataFrame([["a", "a"]] * 40 + [["a", "b"]] * 40 + [["b", "b"]] * 40)
    of = np.repeat([1, 2, 3], 40)
    a = la.fleiss_kappa(la.Ratings.from_matrix(frame, clusters=of))
    low, high = quietly(a.interval, method="bootstrap", seed=1)
    assert (low, high) == (-1, 1)  # one draw in 27 is of 2 alone
    items = la.fleiss_kappa(la.Ratings.from_matrix(frame))
    assert np.ptp(quietly(items.interval, method="bootstrap", seed=1)) < 0.5


def test_few_clusters_are_told_and_fewer_have_no_interval():
    few = np.repeat([*"abc"], [30, 20, 10])
    r = matrix(FRAME, clusters=few)
    m = np.unique(few[FRAME.notna().sum(axis=1) >= 2], return_counts=True)[1]
    worth = re.escape(f"3 clusters, worth {m.sum() ** 2 / (m @ m):.3g}: too few")
    kappa = la.fleiss_kappa(r)
    assert kappa.standard_error > 0
    x, y = matrix(FRAME[[0, 1]], clusters=few), matrix(FRAME[[2, 3]])
    for ask, words in (
        (kappa.interval, worth),
        (partial(kappa.interval, method="jackknife"), worth),
        (partial(kappa.interval, method="bootstrap"), worth),
        (la.difference(kappa, la.gwet_ac1(r)).interval, "too few for an interval"),
        (la.accuracy(r, GOLD).interval, "too few for an interval"),
        (quietly(la.normalized_cross_kappa, x, y).interval, "too few for an interval"),
    ):
        with pytest.warns(UserWarning, match=words):
            assert np.isnan(ask()).all()
    equal = la.fleiss_kappa(matrix(FRAME, clusters=np.arange(60) % 25))
    assert not warned(equal.interval)[1]
    one = la.fleiss_kappa(matrix(FRAME, clusters=["a"] * 60))
    with pytest.warns(UserWarning, match="at least two clusters"):
        assert np.isnan(one.standard_error)


def test_parts_of_ratings_keep_the_clusters():
    """And truths name the same clusters as numbers."""
    r = matrix(FRAME, clusters=OF)
    assert [*r.clusters] == [*OF[r.items]]
    assert [*r.on(r.items[5:9]).clusters] == [*OF[r.items[5:9]]]
    assert len(r.between(0, 1).clusters) == len(r.between(0, 1).items)
    counts = la.Ratings.from_counts(r.counts, clusters=[*OF])
    errors = [la.fleiss_kappa(each).standard_error for each in (r, counts)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-12)
    of = [True, False] * 30
    one, other = (matrix(FRAME, clusters=c) for c in (of, [*map(int, of)]))
    errors = [la.difference(la.fleiss_kappa(x), la.gwet_ac1(y)).standard_error
              for x in (one, other) for y in (one, other)]  # fmt: skip
    assert errors == pytest.approx([errors[0]] * 4, rel=1e-12)


def test_what_the_normalised_kappa_cannot_say_has_a_reason():
    """Two labels: no half items are added where clusters are left out."""
    rows = pd.DataFrame([*map(list, ("aaaa", "bbbb", "abab", "aabb"))] * 10)
    of = np.repeat(range(10), 4)  # all alike, so that the standard error is 0
    x, y = la.Ratings.from_matrix(rows[[0, 1]], clusters=of), rows[[2, 3]]
    a = quietly(la.normalized_cross_kappa, x, la.Ratings.from_matrix(y))
    with pytest.warns(UserWarning, match="without any cluster the value is the same"):
        assert np.isnan(a.interval()).all()
    x, y = np.full((60, 2), "a", object), np.full((60, 2), "a", object)
    x[48:54], x[54:, 1], y[48:56], y[56:, 1] = "b", "b", "b", "b"
    of = [*np.arange(48) % 8, *[8] * 12]  # without cluster 8 one label is left
    sides = [la.Ratings.from_matrix(side, clusters=of) for side in (x, y)]
    a = quietly(la.normalized_cross_kappa, *sides)
    assert quietly(a.interval) == (-np.inf, np.inf)
    assert "without some cluster it is not above 0" in repr(a)
    # items of one replication count where their cluster is known
    x, y = matrix(FRAME[[0, 1]][:50], clusters=OF), matrix(FRAME[[2, 3]], clusters=OF)
    assert quietly(la.normalized_cross_kappa, x, y).n_clusters == 9


@pytest.mark.parametrize("name", ["bennett_s", "fleiss_kappa"])
@pytest.mark.parametrize(("documents", "hard"), [(10, 0.2), (20, 0.1)])
def test_documents_without_any_disagreement(name, documents, hard):
    """None of ten is hard with probability .11, of twenty .12: where people toss coins
    on 99 of 100 items of a hard one, such studies must not miss."""
    truth = np.tile([0, 1], documents * 5)
    r = la.Ratings.from_matrix(
        np.stack([truth, truth], axis=1), clusters=np.arange(len(truth)) // 10
    )
    low, high = quietly(getattr(la, name)(r).interval)
    assert low < 1 - 2 * (hard * 0.99 * 0.5) < high == 1
