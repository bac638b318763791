"""Printed tables, values worked by hand, and other packages."""

import importlib
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import quietly, ratings, wide
from known import at_printed_precision, known

ARTSTEIN = known("artstein_2007")
FLEISS = known("fleiss_1971")
LANDIS = known("landis_koch_1977")


def printed(value, text):
    """Whether a value is the printed decimal."""
    return at_printed_precision(value, float(text), len(text.partition(".")[2]))


def of_table(example):
    return ratings(oracles.from_table(example["table"], example["labels"]))


@pytest.mark.parametrize(
    ("table", "row"),
    [
        pytest.param(t, p, id=f"slide {t['slide']}: {' '.join(p)}")
        for t in ARTSTEIN["tables"]
        for p in t["printed"]
    ],
)
def test_contingency_tables(table, row):
    name, quantity, text = row
    labels = table["labels"]
    r = ratings(oracles.from_table(table["table"], labels), labels)
    assert printed(getattr(getattr(la, name)(r), quantity), text)


def test_weighted_kappa_of_slide_32():
    slide = ARTSTEIN["weights"]
    found = la.weighted_kappa(of_table(slide), slide["disagreements"])
    for name in ("observed_disagreement", "expected_disagreement"):
        assert getattr(found, name) == pytest.approx(slide[name])
    assert printed(found.value, slide["value"])


def test_four_coders_of_slide_28():
    slide = ARTSTEIN["coders"]
    r = la.Ratings.from_matrix(slide["rows"])
    assert dict(zip(r.labels, r.counts.sum(axis=0))) == slide["counts"]
    found = la.fleiss_kappa(r)
    for name in ("observed", "expected", "value"):
        assert printed(getattr(found, name), slide[name])
    assert (found.n_items, found.n_ratings) == (25, 100)


def test_magnitudes_of_slide_35():
    """Interval alpha is 1 - error variance / total variance; distances are twice."""
    slide = ARTSTEIN["magnitudes"]
    rows = np.array(slide["rows"])
    found = la.krippendorff_alpha(la.Ratings.from_matrix(rows), "interval")
    assert printed(found.value, slide["alpha"])
    assert found.observed_disagreement / 2 == pytest.approx(slide["mean_variance"])
    assert at_printed_precision(found.expected_disagreement / 2, slide["variance"], 3)
    within, total = rows.var(axis=1, ddof=1).mean(), rows.var(ddof=1)
    assert found.value == pytest.approx(1 - within / total, abs=1e-12)


def test_examples_as_lim_prints_them():
    cohen, found = FLEISS["cohen"], la.cohen_kappa(of_table(FLEISS["cohen"]))
    for name in ("value", "observed", "expected"):
        assert getattr(found, name) == pytest.approx(cohen[name], abs=1e-12)
    r = la.Ratings.from_counts(FLEISS["counts"])
    found = la.fleiss_kappa(r)
    assert found.value == pytest.approx(float(Fraction(*FLEISS["exact"])), abs=1e-12)
    for name in ("value", "observed", "expected"):
        assert printed(getattr(found, name), FLEISS[name])
    assert (found.n_items, found.n_ratings) == (10, FLEISS["total"])
    shares = r.counts.sum(axis=0) / r.counts.sum()
    assert all(map(printed, shares, FLEISS["shares"]))
    for item, text in FLEISS["item_agreement"].items():
        alone = la.Ratings.from_counts([FLEISS["counts"][int(item)]])
        assert printed(quietly(la.bennett_s, alone).observed, text)


@pytest.mark.parametrize("table", known("small_tables")["tables"], ids=str)
def test_small_tables_worked_by_hand(table):
    r = la.Ratings.from_matrix(table["rows"])
    for call, value in table["values"]:
        name, *distance = call.split()
        found = quietly(getattr(la, name), r, *distance)
        assert found.value == pytest.approx(float(Fraction(value)), abs=1e-12), call


@pytest.mark.parametrize(("value", "word"), LANDIS["words"])
def test_landis_and_koch(value, word):
    assert la.landis_koch(value).lower() == word


@pytest.mark.parametrize(("edge", "below", "above"), LANDIS["edges"])
def test_values_within_1e_12_of_an_edge_are_on_it(edge, below, above):
    """Rounding decides no name: 0 has the tolerance of the other edges."""
    on = above if edge == 0 else below
    for value in (edge - 9e-13, edge, edge + 9e-13):
        assert la.landis_koch(value) == on
    assert la.landis_koch(edge - 1.1e-12) == below
    assert la.landis_koch(edge + 1.1e-12) == above
    assert la.landis_koch(1 + 9e-13) == "almost perfect"
    assert la.landis_koch(float("nan")) == "undefined"


# Other packages -------------------------------------------------------------------


def peer(name):
    """Another package, its own warnings aside; the test is skipped without it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip(name.split(".")[0])
        return importlib.import_module(name)


def sklearn(judgments):
    """Two raters."""
    score = peer("sklearn.metrics").cohen_kappa_score
    columns = wide(judgments).to_numpy(int).T
    yield "cohen_kappa", score(*columns)
    for weights in ("linear", "quadratic"):
        yield f"weighted_kappa {weights}", score(*columns, weights=weights)


def statsmodels(judgments):
    kappa = peer("statsmodels.stats.inter_rater").fleiss_kappa
    table = pd.crosstab(*zip(*((item, label) for item, _, label in judgments)))
    yield "fleiss_kappa", kappa(table.to_numpy(), method="fleiss")
    yield "bennett_s", kappa(table.to_numpy(), method="uniform")


def nltk(judgments):
    """Multi-kappa (Davies and Fleiss 1982) is iota."""
    task = peer("nltk.metrics.agreement").AnnotationTask(
        [(rater, item, label) for item, rater, label in judgments]
    )
    yield from (("krippendorff_alpha", task.alpha()), ("fleiss_kappa", task.pi()))
    yield "janson_olsson_iota", task.multi_kappa()
    if len({rater for _, rater, _ in judgments}) == 2:
        yield from (("scott_pi", task.pi()), ("cohen_kappa", task.kappa()))
        yield "bennett_s", task.S()


def krippendorff(judgments):
    alpha, data = peer("krippendorff").alpha, wide(judgments).to_numpy(float).T
    for level in ("nominal", "ordinal", "interval", "ratio"):
        value = alpha(reliability_data=data, level_of_measurement=level)
        yield f"krippendorff_alpha {level}", value


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("package", "raters", "missing"),
    [
        (sklearn, 2, 0),
        (statsmodels, 5, 0),
        (nltk, 2, 0),
        (nltk, 4, 0),
        (krippendorff, 4, 0),
        (krippendorff, 4, 0.3),
    ],
)
def test_other_packages(package, raters, missing, seed):
    labels = [1, 2, 3, 5, 8]
    judgments = oracles.random_judgments(seed, 25, raters, labels, missing)
    r = ratings(judgments)
    for call, value in package(judgments):
        name, *distance = call.split()
        found = quietly(getattr(la, name), r, *distance)
        assert found.value == pytest.approx(value, abs=1e-12), call


@pytest.mark.parametrize("members", [4, 300])  # more than a word has bits
@pytest.mark.parametrize("name", ["jaccard", "masi"])
def test_alpha_of_sets_is_nltks(name, members):
    """nltk divides by 0 for two empty sets, so there are none; its MASI is rounded."""
    random = np.random.default_rng(7)
    chosen = random.random((12, 3, members)) < 0.5
    sets = [[frozenset(np.flatnonzero(one).tolist()) or frozenset("z") for one in row]
            for row in chosen]  # fmt: skip
    given = [(r, i, s) for i, r, s in oracles.from_rows(sets)]
    far = peer("nltk.metrics.distance").jaccard_distance
    if name == "masi":
        far = lambda a, b: float(oracles.masi(a, b))  # noqa: E731
    task = peer("nltk.metrics.agreement").AnnotationTask(given, distance=far)
    r = quietly(la.Ratings.from_matrix, sets)
    found = la.krippendorff_alpha(r, name).value
    assert found == pytest.approx(task.alpha(), abs=1e-9)
