"""Printed tables, values worked by hand, and other packages."""

import importlib
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import quietly, ratings
from known import at_printed_precision, known

ARTSTEIN = known("artstein_2007")
FLEISS = known("fleiss_1971")


def printed(value, text):
    """Whether a value is the printed decimal."""
    return at_printed_precision(value, float(text), len(text.partition(".")[2]))


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
    labels = slide["labels"]
    r = ratings(oracles.from_table(slide["table"], labels), labels)
    weights = slide["disagreements"]
    found = la.weighted_kappa(r, weights)
    for name in ("observed_disagreement", "expected_disagreement"):
        assert getattr(found, name) == pytest.approx(slide[name])
    assert printed(found.value, slide["value"])
    named = pd.DataFrame(weights, index=labels, columns=labels)
    assert la.weighted_kappa(r, named).value == pytest.approx(found.value)


def test_four_coders_of_slide_28():
    slide = ARTSTEIN["coders"]
    r = la.Ratings.from_matrix(slide["rows"])
    assert dict(zip(r.labels, r.counts.sum(axis=0))) == slide["counts"]
    found = la.fleiss_kappa(r)
    assert found.observed == pytest.approx(132 / 150, abs=1e-12)
    assert printed(found.observed, slide["observed"])
    assert printed(found.expected, slide["expected"])
    assert printed(found.value, slide["value"])
    assert (found.n_items, found.n_ratings) == (25, 100)
    assert la.krippendorff_alpha(r).value == pytest.approx(found.value, abs=0.002)


def test_magnitudes_of_slide_35():
    """Interval alpha is 1 - error variance / total variance; distances are twice."""
    slide = ARTSTEIN["magnitudes"]
    rows = np.array(slide["rows"])
    assert rows.mean(axis=1) == pytest.approx(slide["means"])
    assert rows.var(axis=1, ddof=1) == pytest.approx(slide["variances"])
    r = la.Ratings.from_matrix(rows)
    assert [*r.labels] == [*range(1, 10)]
    assert [*r.counts.sum(axis=0)] == slide["counts"]
    found = la.krippendorff_alpha(r, "interval")
    assert printed(found.value, slide["alpha"])
    assert found.observed_disagreement / 2 == pytest.approx(slide["mean_variance"])
    assert at_printed_precision(found.expected_disagreement / 2, slide["variance"], 3)
    within, total = rows.var(axis=1, ddof=1).mean(), rows.var(ddof=1)
    assert found.value == pytest.approx(1 - within / total, abs=1e-12)


def test_number_of_labels_of_s():
    """Artstein, slide 16: the same table with two labels and with four."""
    r = ratings(oracles.from_table([[44, 6], [6, 44]], ["A", "B"]))
    assert la.bennett_s(r).value == pytest.approx(0.76)
    r = ratings(oracles.from_table([[44, 6], [6, 44]], ["A", "B"]), list("ABCD"))
    assert la.bennett_s(r).value == pytest.approx(0.84)
    assert la.bennett_s(r).expected == pytest.approx(0.25)


def test_lims_example_for_cohen():
    example = FLEISS["cohen"]
    labels = example["labels"]
    found = la.cohen_kappa(ratings(oracles.from_table(example["table"], labels)))
    assert found.value == pytest.approx(example["value"], abs=1e-12)
    assert found.observed == pytest.approx(example["observed"], abs=1e-12)
    assert found.expected == pytest.approx(example["expected"], abs=1e-12)


def test_fleiss_example_as_lim_prints_it():
    r = la.Ratings.from_counts(FLEISS["counts"])
    found = la.fleiss_kappa(r)
    assert found.value == pytest.approx(float(Fraction(*FLEISS["exact"])), abs=1e-12)
    assert printed(found.value, FLEISS["value"])
    assert printed(found.observed, FLEISS["observed"])
    assert printed(found.expected, FLEISS["expected"])
    assert printed(found.observed * 10, FLEISS["sum_of_item_agreement"])
    assert (found.n_items, found.n_ratings) == (10, FLEISS["total"])
    shares = r.counts.sum(axis=0) / r.counts.sum()
    assert all(map(printed, shares, FLEISS["shares"]))
    for item, text in FLEISS["item_agreement"].items():
        alone = la.Ratings.from_counts([FLEISS["counts"][int(item)]])
        assert printed(quietly(la.bennett_s, alone).observed, text)


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        ([[1, 1], [2, 2], [1, 1]], {"alpha": 1, "K": 1, "kappa": 1, "S": 1, "ac1": 1}),
        ([[1, 2]], {"alpha": 0, "K": -1, "kappa": 0, "S": -1}),
        ([[1, 2], [2, 1]], {"alpha": -0.5, "K": -1, "kappa": -1, "S": -1, "ac1": -1}),
        ([[1, 1, None], [1, 1, 1], [2, None, 2]], {"alpha": 1, "K": 1, "iota": 1}),
        ([[1, 1], [None, None], [2, 2], [1, 2]], {"alpha": 4 / 9, "K": 1 / 3}),
        ([[1, 1], [None, None], [2, 2], [1, 2]], {"kappa": 0.4, "S": 1 / 3}),
        ([[0, 0], [0, 1], [1, 1], [2, 2]], {"alpha": 2 / 3, "ratio": 26 / 47}),
    ],
    ids=str,
)  # fmt: skip
def test_small_tables_worked_by_hand(rows, values):
    """Values that independent packages agree on, where they give one."""
    calls = {
        "alpha": la.krippendorff_alpha,
        "K": la.fleiss_kappa,
        "kappa": la.cohen_kappa,
        "S": la.bennett_s,
        "ac1": la.gwet_ac1,
        "iota": la.janson_olsson_iota,
        "ratio": lambda r: la.krippendorff_alpha(r, "ratio"),
    }
    r = la.Ratings.from_matrix(rows)
    for name, value in values.items():
        assert quietly(calls[name], r).value == pytest.approx(value, abs=1e-12), name


def peer(name):
    """Another package, its own warnings aside; the test is skipped without it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip(name.split(".")[0])
        return importlib.import_module(name)


def columns(judgments):
    """Items by raters, NaN where a judgment is missing."""
    frame = pd.DataFrame(judgments, columns=["item", "rater", "label"])
    return frame.pivot(index="item", columns="rater", values="label")


def two_raters(seed, n_labels=4, n_items=60):
    return oracles.random_judgments(seed, n_items, 2, range(n_labels))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_sklearn(seed, weights):
    metrics = peer("sklearn.metrics")
    judgments = two_raters(seed)
    r = ratings(judgments)
    found = la.weighted_kappa(r, weights) if weights else la.cohen_kappa(r)
    theirs = metrics.cohen_kappa_score(
        *columns(judgments).to_numpy(int).T, weights=weights
    )
    assert found.value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_statsmodels(seed):
    inter_rater = peer("statsmodels.stats.inter_rater")
    matrix = columns(oracles.random_judgments(seed, 40, 5, range(3))).to_numpy(int)
    counts = np.array([(matrix == label).sum(axis=1) for label in range(3)]).T
    for r in (la.Ratings.from_matrix(matrix), la.Ratings.from_counts(counts)):
        found = la.fleiss_kappa(r)
        theirs = inter_rater.fleiss_kappa(counts, method="fleiss")
        assert found.value == pytest.approx(theirs, abs=1e-12)
        uniform = inter_rater.fleiss_kappa(counts, method="uniform")
        assert la.bennett_s(r).value == pytest.approx(uniform, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_nltk(seed):
    """Complete data: S, pi, kappa; multi-kappa (Davies and Fleiss 1982) is iota."""
    agreement = peer("nltk.metrics.agreement")
    judgments = two_raters(seed, 3, 30)
    task = agreement.AnnotationTask([(r, i, label) for i, r, label in judgments])
    r = ratings(judgments)
    assert la.bennett_s(r).value == pytest.approx(task.S(), abs=1e-12)
    assert la.scott_pi(r).value == pytest.approx(task.pi(), abs=1e-12)
    assert la.cohen_kappa(r).value == pytest.approx(task.kappa(), abs=1e-12)
    assert la.krippendorff_alpha(r).value == pytest.approx(task.alpha(), abs=1e-12)
    judgments = oracles.random_judgments(seed, 12, 4, range(3))
    task = agreement.AnnotationTask([(r, i, label) for i, r, label in judgments])
    r = ratings(judgments)
    assert la.fleiss_kappa(r).value == pytest.approx(task.pi(), abs=1e-12)
    assert la.janson_olsson_iota(r).value == pytest.approx(
        task.multi_kappa(), abs=1e-12
    )
    assert la.krippendorff_alpha(r).value == pytest.approx(task.alpha(), abs=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(5))
def test_krippendorffs_package(seed, missing):
    package = peer("krippendorff")
    judgments = oracles.random_judgments(seed, 20, 4, [1, 2, 3, 5, 8], missing)
    data = columns(judgments).to_numpy(float).T
    r = ratings(judgments)
    for distance in ("nominal", "ordinal", "interval", "ratio"):
        theirs = package.alpha(reliability_data=data, level_of_measurement=distance)
        found = quietly(la.krippendorff_alpha, r, distance)
        assert found.value == pytest.approx(theirs, abs=1e-12), distance


@pytest.mark.parametrize(
    ("value", "word"),
    [(-0.3, "poor"), (0, "slight"), (0.1, "slight"), (0.2, "slight"), (0.21, "fair"),
     (0.4, "fair"), (0.41, "moderate"), (0.6, "moderate"), (0.61, "substantial"),
     (0.8, "substantial"), (0.81, "almost perfect"), (1, "almost perfect")],
)  # fmt: skip
def test_landis_and_koch(value, word):
    """Landis and Koch 1977, bounds as printed there; Wong et al., Fig. 1."""
    assert la.landis_koch(value).lower() == word


@pytest.mark.parametrize(
    ("edge", "below"),
    [(0, "slight"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"),
     (0.8, "substantial"), (1, "almost perfect")],
)  # fmt: skip
def test_values_within_1e_12_of_an_edge_are_on_it(edge, below):
    """Rounding decides no name: 0 has the tolerance of the other edges."""
    for value in (edge - 9e-13, edge, edge + 9e-13):
        assert la.landis_koch(value) == below
    beyond = "poor" if edge == 0 else below
    assert la.landis_koch(edge - 1.1e-12) == beyond
    if edge < 1:
        assert (la.landis_koch(edge + 1.1e-12) == below) == (edge == 0)
