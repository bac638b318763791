"""Clusters: what they change beside the errors, which test_brute_force.py has."""

import re
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, norm, t as student

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import quietly, warned

LABELS = [0.0, 1.0, 2.0]


def made(seed=0, n=60, raters=4, clusters=9):
    """Labels with gaps, as a frame, and a cluster of each item, of unlike sizes."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, (n, 1))
    noise = rng.integers(0, 3, (n, raters))
    labels = np.where(rng.random((n, raters)) < 0.3, noise, truth).astype(float)
    labels[rng.random(labels.shape) < 0.2] = np.nan
    of = (clusters * rng.random(n) ** 2).astype(int)
    named = pd.Series([f"document {k}" for k in of])
    return pd.DataFrame(labels), named, pd.Series(truth[:, 0].astype(float))


FRAME, OF, GOLD = made()
matrix = partial(la.Ratings.from_matrix, labels=LABELS)


def without_each(value):
    """The jackknife of value(items left) over clusters left out."""
    return oracles.jackknife(value(FRAME[name != OF]) for name in OF.unique())


def test_the_interval_has_students_quantile():
    a = la.fleiss_kappa(matrix(FRAME, clusters=OF))
    assert a.n_clusters == 9 and "9 clusters" in repr(a)
    (low, high), told = warned(a.interval, 0.9, "jackknife")
    assert "9 clusters, worth" in told[-1]
    half = student.ppf(0.95, 8) * a.standard_error / (1 - a.value**2)
    assert np.arctanh([low, high]) - np.arctanh(a.value) == pytest.approx([-half, half])
    d = la.difference(a, la.gwet_ac1(matrix(FRAME, clusters=OF)))
    left = partial(map, lambda call, part: call(matrix(part)).value)
    values = without_each(
        lambda part: np.subtract(*left((la.fleiss_kappa, la.gwet_ac1), (part, part)))
    )
    assert d.standard_error == pytest.approx(values, rel=1e-9)
    half = student.ppf(0.975, 8) * values
    assert quietly(d.interval) == pytest.approx((d.value - half, d.value + half))


def test_items_of_one_replication_count_where_their_cluster_is_known():
    x, y = FRAME[[0, 1]].iloc[:50], FRAME[[2, 3]].iloc[10:]
    with pytest.raises(ValueError, match=r"clusters .*'nothing for item 50 of y'"):
        quietly(la.cross_kappa, matrix(x, clusters=OF), matrix(y))
    a = quietly(
        la.normalized_cross_kappa, matrix(x, clusters=OF), matrix(y, clusters=OF)
    )
    assert a.n_clusters == 9


def test_accuracy():
    a = la.accuracy(matrix(FRAME, clusters=OF), GOLD)

    def share(part):
        right = part.eq(GOLD[part.index], axis=0).to_numpy().sum()
        return right / part.notna().to_numpy().sum()

    wanted = without_each(share)
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
    of = ["one"] * 40 + ["two"] * 40 + ["three"] * 40
    a = la.fleiss_kappa(la.Ratings.from_matrix(frame, clusters=of))
    low, high = quietly(a.interval, method="bootstrap", seed=1)
    assert (low, high) == (-1, 1)  # one draw in 27 is of "two" alone
    items = la.fleiss_kappa(la.Ratings.from_matrix(frame))
    assert np.ptp(quietly(items.interval, method="bootstrap", seed=1)) < 0.5


def test_few_clusters_are_told_and_fewer_have_no_interval():
    few = np.repeat([*"abc"], [30, 20, 10])
    r = matrix(FRAME, clusters=few)
    m = np.unique(few[FRAME.notna().sum(axis=1) >= 2], return_counts=True)[1]
    worth = re.escape(f"3 clusters, worth {m.sum() ** 2 / (m @ m):.3g}: too few")
    kappa = la.fleiss_kappa(r)
    for method in (None, "jackknife", "bootstrap"):
        with pytest.warns(UserWarning, match=worth):
            assert np.isnan(kappa.interval(method=method)).all()
    assert kappa.standard_error > 0
    x, y = matrix(FRAME[[0, 1]], clusters=few), matrix(FRAME[[2, 3]])
    for other in (
        la.difference(kappa, la.gwet_ac1(r)),
        la.accuracy(r, GOLD),
        quietly(la.normalized_cross_kappa, x, y),
    ):
        with pytest.warns(UserWarning, match="too few for an interval"):
            assert np.isnan(other.interval()).all()
    equal = la.fleiss_kappa(matrix(FRAME, clusters=np.arange(60) % 25))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        equal.interval()
    one = la.fleiss_kappa(matrix(FRAME, clusters=["a"] * 60))
    with pytest.warns(UserWarning, match="at least two clusters"):
        assert np.isnan(one.standard_error)


def test_parts_of_ratings_keep_the_clusters():
    r = matrix(FRAME, clusters=OF)
    assert [*r.clusters] == [*OF[r.items]]
    assert [*r.on(r.items[5:9]).clusters] == [*OF[r.items[5:9]]]
    assert len(r.between(0, 1).clusters) == len(r.between(0, 1).items)
    counts = la.Ratings.from_counts(r.counts, clusters=[*OF])
    errors = [la.fleiss_kappa(each).standard_error for each in (r, counts)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-12)


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


def test_truths_and_numbers_name_the_same_clusters():
    of = [True, False] * 30
    a, b = (la.fleiss_kappa(matrix(FRAME, clusters=c)) for c in (of, [*map(int, of)]))
    other = [la.gwet_ac1(matrix(FRAME, clusters=c)) for c in (of, [*map(int, of)])]
    errors = [la.difference(x, y).standard_error for x in (a, b) for y in other]
    assert errors == pytest.approx([errors[0]] * 4, rel=1e-12)


@pytest.mark.parametrize("sizes", [[1] * 12, [5] * 8, [1, 2, 3, 7, 9, 4, 1, 12]])
def test_the_default_interval_adds_whole_clusters(sizes):
    """By its definition, for three judgments with two labels of each item."""
    random = np.random.default_rng(len(sizes))
    of = np.repeat(np.arange(len(sizes)), sizes)
    yes = random.integers(0, 4, len(of))
    a = la.fleiss_kappa(
        la.Ratings.from_counts(np.stack([yes, 3 - yes], 1), clusters=of)
    )
    m = np.array(sizes)
    size, worth = 1 + ((m @ m) / m.sum() - 1) / 3, m.sum() ** 2 / (m @ m)
    z, ends = student.ppf(0.975, worth - 1), []
    for split, sign in ((1, 1), (0, -1)):
        # Of each item its cluster, share of yes, share of unlike pairs, and how often.
        items = [(g, k / 3, k * (3 - k) / 3, 1) for g, k in zip(of, yes)]
        items += [("no", 0, 0, size / 2), ("yes", 1, 0, size / 2)]
        items += [("split", 1 / 2, 3 / 4, size)] * split
        often = {"no": 1 / 2, "yes": 1 / 2, "split": 1}
        n = sum(w for *_, w in items)
        p, d_o = (sum(item[k] * item[3] for item in items) / n for k in (1, 2))
        d_e = 2 * p * (1 - p)
        total, clusters = {}, 0
        for g, x, d, w in items:
            slope = d_o * 2 * (1 - 2 * p) * (x - p) / d_e**2 - (d - d_o) / d_e
            total[g] = total.get(g, 0) + slope * w / often.get(g, 1)
        clusters = sum(often.get(g, 1) for g in total)
        squares = sum(often.get(g, 1) * t**2 for g, t in total.items())
        error = np.sqrt(squares * clusters / (clusters - 1)) / n
        root = np.sqrt(d_o / d_e)
        ends.append(1 - max(root + sign * z * error / (2 * root), 0) ** 2)
    assert quietly(a.interval) == pytest.approx(ends, rel=1e-9)


def test_clusters_of_one_item_change_the_quantile_alone():
    alone = la.fleiss_kappa(matrix(FRAME, clusters=range(len(FRAME))))
    z = student.ppf(0.975, alone.n_clusters - 1)
    plain = la.fleiss_kappa(matrix(FRAME)).interval(2 * norm.cdf(z) - 1)
    assert quietly(alone.interval) == pytest.approx(plain, rel=1e-9)


SETTINGS = [(8, 10, 1), (20, 5, 3), (30, 4, 9)]


@pytest.mark.parametrize(("clusters", "size", "alike"), SETTINGS)
def test_the_default_interval_covers_with_clusters(clusters, size, alike):
    """Each cluster has a rate of its own, beta(alike, alike): then kappa is known."""
    random, held, studies = np.random.default_rng(alike), 0, 300
    kappa = 1 / (2 * alike + 1)  # the correlation of two judgments, within a cluster
    of = np.repeat(range(clusters), size)
    for _ in range(studies):
        rate = random.beta(alike, alike, clusters).repeat(size)
        yes = random.binomial(3, rate)
        r = la.Ratings.from_counts(np.stack([yes, 3 - yes], axis=1), clusters=of)
        low, high = quietly(la.fleiss_kappa(r).interval)
        held += low <= kappa <= high
    assert held / studies > 0.92 - 2 * np.sqrt(0.92 * 0.08 / studies)
