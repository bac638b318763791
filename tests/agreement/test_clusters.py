"""Clusters: standard errors by recomputing without each, and what else they change."""

import re
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, t as student

import labelaudit as la
from agreement_helpers import quietly

LABELS = [0.0, 1.0, 2.0]
TABLE = [[0, 1, 4], [1, 0, 2], [4, 2, 0]]


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


def without_each(call, frame=FRAME, of=OF):
    """sqrt of (G - 1) / G sum (v_g - mean)^2, every v_g computed from what is left."""
    left = [quietly(call, frame[(of != name).to_numpy()]) for name in of.unique()]
    away = np.array([a.value for a in left]) - np.mean([a.value for a in left])
    return np.sqrt((len(left) - 1) / len(left) * (away @ away))


ANY = {
    "S": la.bennett_s,
    "S, linear": partial(la.bennett_s, distance="linear"),
    "K": la.fleiss_kappa,
    "alpha": la.krippendorff_alpha,
    "alpha, interval": partial(la.krippendorff_alpha, distance="interval"),
    "alpha, ratio": partial(la.krippendorff_alpha, distance="ratio"),
    "alpha, matrix": partial(la.krippendorff_alpha, distance=TABLE),
    "iota": la.janson_olsson_iota,
    "iota, interval": partial(la.janson_olsson_iota, distance="interval"),
    "AC1": la.gwet_ac1,
    "AC2": partial(la.gwet_ac2, distance="quadratic"),
    "DiPietro and Hazari": partial(la.dipietro_hazari_kappa, suggested=GOLD),
    **{
        f"{call.__name__}, items": partial(call, weigh="items")
        for call in (la.bennett_s, la.fleiss_kappa, la.gwet_ac1, la.janson_olsson_iota)
    },
}
TWO = {
    "kappa": la.cohen_kappa,
    "pi": la.scott_pi,
    "weighted kappa": partial(la.weighted_kappa, distance="linear"),
}


@pytest.mark.parametrize("name", [*ANY, *TWO])
def test_the_standard_error_is_that_of_leaving_clusters_out(name):
    columns = [0, 1] if name in TWO else [0, 1, 2, 3]
    call, frame = (ANY | TWO)[name], FRAME[columns]
    a = quietly(call, matrix(frame, clusters=OF))
    wanted = without_each(lambda part: call(matrix(part)), frame)
    assert a.standard_error == pytest.approx(wanted, rel=1e-9)
    assert a.n_clusters == OF.nunique() and "9 clusters" in repr(a)
    plain = quietly(call, matrix(frame))
    assert a.value == plain.value and plain.n_clusters is None
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        low, high = a.interval(0.9, "jackknife")
    assert "9 clusters, worth" in str(said[-1].message)
    half = student.ppf(0.95, 8) * wanted / (1 - a.value**2)
    assert np.arctanh([low, high]) - np.arctanh(a.value) == pytest.approx([-half, half])
    assert quietly(a.interval, 0.9) == (low, high)


def test_the_ranks_of_ordinal_are_held_fixed():
    """As in the jackknife over items: so each cluster of one item gives that."""
    a = la.krippendorff_alpha(matrix(FRAME, clusters=OF), "ordinal")
    ranks = a.distance.table(3)
    wanted = without_each(lambda part: la.krippendorff_alpha(matrix(part), ranks))
    assert a.standard_error == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("distance", ["nominal", "interval"])
@pytest.mark.parametrize("call", [la.cross_kappa, la.normalized_cross_kappa])
def test_two_replications_lose_a_cluster_at_once(call, distance):
    def of(part, clusters=(None, None)):
        x, y = (
            matrix(part[columns], clusters=given)
            for columns, given in zip(([0, 1], [2, 3]), clusters)
        )
        return call(x, y, distance)

    wanted = without_each(of)
    for given in ((OF, None), (None, OF), (OF, OF)):
        a = quietly(of, FRAME, given)
        assert a.standard_error == pytest.approx(wanted, rel=1e-9)
        assert a.n_clusters == OF.nunique()
    low, high = quietly(a.interval)
    assert low < a.value < high


def test_items_of_one_replication_count_where_their_cluster_is_known():
    x, y = FRAME[[0, 1]].iloc[:50], FRAME[[2, 3]].iloc[10:]

    def of(left, clusters=None):
        sides = [side[side.index.isin(left.index)] for side in (x, y)]
        given = [matrix(side, clusters=clusters) for side in sides]
        return la.normalized_cross_kappa(*given)

    a = quietly(of, FRAME, OF)
    assert a.standard_error == pytest.approx(without_each(of), rel=1e-9)
    with pytest.raises(ValueError, match=r"clusters .*'nothing for item 50 of y'"):
        quietly(la.cross_kappa, matrix(x, clusters=OF), matrix(y))


def test_two_that_disagree_are_refused():
    other = OF.copy()
    other[7] = "another"
    other_one = r"same clusters, got 'doc.*' and 'an.*' for item 7"
    with pytest.raises(ValueError, match=other_one):
        la.cross_kappa(matrix(FRAME, clusters=OF), matrix(FRAME, clusters=other))
    a, b = (la.fleiss_kappa(matrix(FRAME, clusters=c)) for c in (OF, other))
    with pytest.raises(ValueError, match=other_one):
        la.difference(a, b)
    with pytest.raises(ValueError, match="or neither; b has none"):
        la.difference(a, la.fleiss_kappa(matrix(FRAME)))


def test_a_difference():
    r = matrix(FRAME, clusters=OF)
    d = la.difference(la.fleiss_kappa(r), la.gwet_ac1(r))
    left = [matrix(FRAME[(name != OF).to_numpy()]) for name in OF.unique()]
    values = [la.fleiss_kappa(part).value - la.gwet_ac1(part).value for part in left]
    wanted = np.sqrt(8 / 9 * ((values - np.mean(values)) ** 2).sum())
    assert d.standard_error == pytest.approx(wanted, rel=1e-9)
    half = student.ppf(0.975, 8) * wanted
    assert quietly(d.interval) == pytest.approx((d.value - half, d.value + half))


def test_accuracy():
    a = la.accuracy(matrix(FRAME, clusters=OF), GOLD)
    wanted = without_each(lambda part: la.accuracy(matrix(part), GOLD[part.index]))
    assert a.standard_error == pytest.approx(wanted, rel=1e-9)
    assert a.n_clusters == 9 and "9 clusters" in repr(a)
    low, high = quietly(a.interval)
    assert low < a.value < high
    # Korn and Graubard's, with Student's quantile: by scipy's beta distribution.
    n = a.n_ratings
    worth = min(n, a.value * (1 - a.value) / wanted**2 * n / (n - 1))
    worth *= (student.ppf(0.975, n - 1) / student.ppf(0.975, 8)) ** 2
    x = a.value * worth
    assert low == pytest.approx(beta.ppf(0.025, x, worth - x + 1))
    assert high == pytest.approx(beta.ppf(0.975, x + 1, worth - x))
    rows = quietly(a.per_rater)
    assert (rows["low"] < rows["accuracy"]).all()


@pytest.mark.parametrize("name", [*ANY])
def test_each_item_its_own_cluster_gives_the_items_error(name):
    own = quietly(ANY[name], matrix(FRAME, clusters=range(60)))
    alone = quietly(ANY[name], matrix(FRAME))
    assert own.standard_error == pytest.approx(alone.standard_error, rel=1e-9)


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
    for method in (None, "jackknife", "bootstrap"):
        with pytest.warns(UserWarning, match=worth):
            assert np.isnan(la.fleiss_kappa(r).interval(method=method)).all()
    assert la.fleiss_kappa(r).standard_error > 0
    d = la.difference(la.fleiss_kappa(r), la.gwet_ac1(r))
    with pytest.warns(UserWarning, match="too few for an interval"):
        assert np.isnan(d.interval()).all()
    with pytest.warns(UserWarning, match="too few for an interval"):
        assert np.isnan(la.accuracy(r, GOLD).interval()).all()
    x, y = matrix(FRAME[[0, 1]], clusters=few), matrix(FRAME[[2, 3]])
    kappa = quietly(la.normalized_cross_kappa, x, y)
    with pytest.warns(UserWarning, match="too few for an interval"):
        assert np.isnan(kappa.interval()).all()
    equal = la.fleiss_kappa(matrix(FRAME, clusters=np.arange(60) % 25))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        equal.interval()
    one = la.fleiss_kappa(matrix(FRAME, clusters=["a"] * 60))
    with pytest.warns(UserWarning, match="at least two clusters"):
        assert np.isnan(one.standard_error)


def test_a_column_of_a_long_table():
    long = FRAME.stack().rename_axis(["item", "rater"]).rename("label").reset_index()
    long["document"] = OF[long["item"]].to_numpy()
    r = la.Ratings.from_long(long, cluster="document")
    matrices = matrix(FRAME, clusters=OF)
    assert la.fleiss_kappa(r).standard_error == pytest.approx(
        la.fleiss_kappa(matrices).standard_error, rel=1e-12
    )
    assert [*r.clusters] == [*OF[r.items]]
    assert [*r.on(r.items[5:9]).clusters] == [*OF[r.items[5:9]]]
    assert len(r.between(0, 1).clusters) == len(r.between(0, 1).items)
    counts = la.Ratings.from_counts(matrices.counts, clusters=[*OF])
    assert la.fleiss_kappa(counts).standard_error == pytest.approx(
        la.fleiss_kappa(matrices).standard_error, rel=1e-12
    )
    long.loc[3, "document"] = "elsewhere"
    with pytest.raises(ValueError, match=r"cluster .*item 0 has two.*elsewhere"):
        la.Ratings.from_long(long, cluster="document")
    long.loc[3, "document"] = None
    with pytest.raises(ValueError, match="nothing for row 3"):
        la.Ratings.from_long(long, cluster="document")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (OF[:59], "nothing for item 59"),
        ([*OF[:59], None], "nothing for item 59"),
        ([*OF[:59]], "59 clusters"),
        ("document", "got 'document'"),
        (3, "got 3"),
        (pd.concat([OF, OF]), "one cluster for each item"),
        (OF.rename(str), r"a Series whose index names items, such as 0"),
    ],
)
def test_refused_clusters(given, said):
    with pytest.raises(ValueError, match=rf"^clusters must be .*{said}"):
        matrix(FRAME, clusters=given)


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


def test_a_reliability_keeps_the_clusters():
    def strange(r):
        own = la.Ratings.from_counts(r.counts, labels=[*r.labels], clusters=range(60))
        return la.fleiss_kappa(own)

    x, y = (matrix(FRAME[k], clusters=OF) for k in ([0, 1], [2, 3]))
    with pytest.raises(ValueError, match="irr must be a function that keeps the cl"):
        quietly(la.normalized_cross_kappa, x, y, irr=strange)


def test_a_report_has_the_errors_and_intervals_of_clusters():
    r = matrix(FRAME, clusters=OF)
    found, plain = la.reliability(r), la.reliability(matrix(FRAME))
    alpha = la.krippendorff_alpha(r)
    row = found.coefficients.loc["krippendorff_alpha"]
    assert row["standard_error"] == alpha.standard_error
    assert (row["low"], row["high"]) == quietly(alpha.interval)
    other = plain.coefficients.loc["krippendorff_alpha"]
    assert row["value"] == other["value"]
    assert row["standard_error"] != other["standard_error"]
