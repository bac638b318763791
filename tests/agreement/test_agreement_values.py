"""Agreement coefficients: published numbers, brute force, and other packages."""

import importlib
import random
import warnings
from collections import Counter
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import quietly, ratings
from known import at_printed_precision, known

ARTSTEIN = known("artstein_2007")
FLEISS = known("fleiss_1971")

TWO_RATERS = ("scott_pi", "cohen_kappa")
MANY_RATERS = (
    "bennett_s",
    "fleiss_kappa",
    "krippendorff_alpha",
    "janson_olsson_iota",
    "gwet_ac1",
)


def printed(value, text):
    """Whether a value is the printed decimal."""
    return at_printed_precision(value, float(text), len(text.partition(".")[2]))


def parts(found):
    """As oracles.parts."""
    agreement = found.observed, found.expected
    return [*agreement, found.observed_disagreement, found.expected_disagreement]


def check(call, exact, standard_error=None, agrees=True):
    """What call() returns against brute force: an Agreement, float() its value.

    Where brute force has None, NaN and a warning. The tolerance is what double
    precision leaves of sums over a hundred pairs.
    """
    if exact.value is None:
        with pytest.warns(UserWarning, match="undefined"):
            found = call()
        assert np.isnan(found.value) and np.isnan(float(found))
        assert (found.n_items, found.n_ratings) == (exact.n_items, exact.n_ratings)
        return
    found = call()
    assert isinstance(found, la.Agreement)
    assert (found.n_items, found.n_ratings) == (exact.n_items, exact.n_ratings)
    assert found.value == pytest.approx(float(exact.value), rel=1e-12, abs=1e-12)
    assert float(found) == found.value
    assert parts(found) == pytest.approx(
        oracles.parts(exact, agrees), rel=1e-12, abs=1e-12, nan_ok=True
    )
    if standard_error is None:
        with pytest.warns(UserWarning, match="standard error"):
            assert np.isnan(found.standard_error)
    else:
        assert found.standard_error == pytest.approx(
            standard_error, rel=1e-10, abs=1e-12
        )


# Artstein 2007 --------------------------------------------------------------------


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


def test_agreeing_pairs_of_slide_25():
    """Pairs of four coders who agree, of six; observed agreement item by item."""
    for *labels, pairs in ARTSTEIN["pairs"]["rows"]:
        r = la.Ratings.from_matrix(
            [labels], ["Boxcar", "Tanker", "Engine 1", "Engine 2"]
        )
        found = quietly(la.bennett_s, r)
        assert found.observed == pytest.approx(pairs / 6)


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


# Lim 2022 -------------------------------------------------------------------------


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


# Brute force ----------------------------------------------------------------------

# (seed, items, raters, labels, share missing); labels unevenly spaced
COMPLETE = [
    (seed, 4 + seed % 6, 2 + seed % 4, [1, 2, 4, 7, 11][: 2 + seed % 3], 0.0)
    for seed in range(16)
] + [(16, 8, 3, [1, 2, 4, 7, 11], 0.0), (17, 7, 4, [3, 5, 9, 10, 12], 0.0)]
INCOMPLETE = [
    (seed, 6 + seed % 5, 2 + seed % 4, [1, 2, 4, 7, 11][: 2 + seed % 4], 0.3)
    for seed in range(100, 120)
] + [(120, 12, 3, [*range(1, 200, 7)], 0.2)]  # more labels than items
CASES = [
    pytest.param(case, id="seed {} items {} raters {}".format(*case))
    for case in COMPLETE + INCOMPLETE
]


def drawn(case):
    """(judgments, their labels)."""
    _, _, _, labels, _ = case
    return oracles.random_judgments(*case), labels


@pytest.mark.parametrize("case", CASES)
def test_nominal_coefficients(case):
    """Value, observed, expected, jackknife and sizes, labels declared."""
    judgments, labels = drawn(case)
    names = MANY_RATERS + (TWO_RATERS if case[2] == 2 else ())
    r = ratings(judgments, labels)
    for name in names:
        exact = oracles.agreement(name, judgments, labels=labels)
        error = oracles.standard_error(name, judgments, labels=labels)
        check(partial(getattr(la, name), r), exact, error)


def test_enough_of_the_cases_are_defined():
    """The cases above mean something: most have a value and a standard error."""
    for name in MANY_RATERS:
        errors = [
            oracles.standard_error(name, drawn(case)[0], labels=case[3])
            for case in COMPLETE + INCOMPLETE
        ]
        assert sum(error is not None and error > 0 for error in errors) >= 30


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["krippendorff_alpha", "janson_olsson_iota"])
def test_distances(name, case):
    """Ordinal, interval, ratio, a callable and a matrix; ordinal's ranks held fixed."""
    judgments, labels = drawn(case)
    r = ratings(judgments, labels)
    table = [[abs(a - b) ** 0.5 for b in labels] for a in labels]
    small = max(labels) - min(labels) <= 1
    for distance, by_pairs, agrees in [
        ("ordinal", oracles.ordinal(judgments, labels), False),
        ("interval", oracles.interval, False),
        ("ratio", oracles.ratio, True),
        (lambda a, b: abs(a - b), lambda a, b: abs(a - b), small),
        (table, oracles.matrix(labels, table), small),
        (np.array(table), oracles.matrix(labels, table), small),
    ]:
        exact = oracles.agreement(name, judgments, by_pairs, labels)
        error = oracles.standard_error(name, judgments, by_pairs, labels)
        check(partial(getattr(la, name), r, distance), exact, error, agrees)


def in_units_of(most, distance):
    return lambda a, b: Fraction(distance(a, b), most)


@pytest.mark.parametrize(
    "seed_and_shape",
    [(seed, 5 + seed % 6, k, missing) for seed in range(10) for k, missing in
     [(2, 0.0), (3, 0.0), (4, 0.2), (5, 0.0)]],
    ids=str,
)  # fmt: skip
def test_weighted_kappa(seed_and_shape):
    """Linear, quadratic and a matrix, over the positions of text labels."""
    seed, n_items, n_labels, missing = seed_and_shape
    labels = ["low", "mid", "high", "top", "apex"][:n_labels]  # not alphabetical
    judgments = oracles.random_judgments(seed, n_items, 2, labels, missing)
    rng = random.Random(seed)
    table = [[0] * n_labels for _ in labels]
    for i in range(n_labels):
        for j in range(i):
            table[i][j] = table[j][i] = rng.randrange(1, 9) / 8
    r = ratings(judgments, labels)
    span = n_labels - 1
    for distance, by_pairs in [
        ("linear", in_units_of(span, oracles.linear(labels))),
        ("quadratic", in_units_of(span**2, oracles.quadratic(labels))),
        (table, oracles.matrix(labels, table)),
    ]:
        exact = oracles.agreement("weighted_kappa", judgments, by_pairs, labels)
        error = oracles.standard_error("weighted_kappa", judgments, by_pairs, labels)
        check(partial(la.weighted_kappa, r, distance), exact, error)


@pytest.mark.parametrize("case", CASES)
def test_dipietro_hazari(case):
    """Eqs. 4-13 with items weighing alike in R and S, judgments alike in C."""
    judgments, labels = drawn(case)
    rng = random.Random(case[0])
    suggested = {item: rng.choice(labels) for item, _, _ in sorted(judgments)}
    exact = oracles.dipietro_hazari(judgments, suggested, labels)
    errors = oracles.leave_one_out(
        lambda rest: oracles.dipietro_hazari(rest, suggested, labels).value, judgments
    )
    r = ratings(judgments, labels)
    backwards = pd.Series(dict(reversed(suggested.items())))
    error = oracles.jackknife(errors.values())
    check(partial(la.dipietro_hazari_kappa, r, backwards), exact, error)
    in_order = [suggested[item] for item in r.items]
    check(partial(la.dipietro_hazari_kappa, r, in_order), exact, error)


def test_labels_that_nobody_declared_are_those_in_use():
    """S and AC1 count the labels of the ratings, dropped items' ones included."""
    judgments = oracles.from_rows(
        [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"], ["a", None]]
    )
    for labels, declared in [(["a", "b"], None), (["a", "b", "z"], ["a", "b", "z"])]:
        for name in ("bennett_s", "gwet_ac1"):
            exact = oracles.agreement(name, judgments, labels=labels)
            error = oracles.standard_error(name, judgments, labels=labels)
            r = ratings(judgments, declared)
            check(partial(getattr(la, name), r), exact, error)


def test_number_of_labels_of_s():
    """Artstein, slide 16: the same table with two labels and with four."""
    r = ratings(oracles.from_table([[44, 6], [6, 44]], ["A", "B"]))
    assert la.bennett_s(r).value == pytest.approx(0.76)
    r = ratings(oracles.from_table([[44, 6], [6, 44]], ["A", "B"]), list("ABCD"))
    assert la.bennett_s(r).value == pytest.approx(0.84)
    assert la.bennett_s(r).expected == pytest.approx(0.25)


# Anonymous raters -----------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_counts(case):
    """A table of counts, for every coefficient that needs no rater's name."""
    judgments, labels = drawn(case)
    items = oracles.by_item(judgments)
    table = [
        [sum(label == column for _, label in given) for column in labels]
        for given in items.values()
    ]
    r = la.Ratings.from_counts(pd.DataFrame(table, list(items), labels))
    suggested = {item: given[0][1] for item, given in items.items()}
    for name in ("bennett_s", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1"):
        exact = oracles.agreement(name, judgments, labels=labels)
        error = oracles.standard_error(name, judgments, labels=labels)
        check(partial(getattr(la, name), r), exact, error)
    for name, distance in [
        ("ordinal", oracles.ordinal(judgments, labels)),
        ("interval", oracles.interval),
        ("ratio", oracles.ratio),
    ]:
        exact = oracles.agreement("krippendorff_alpha", judgments, distance, labels)
        error = oracles.standard_error(
            "krippendorff_alpha", judgments, distance, labels
        )
        agrees = name == "ratio"
        check(partial(la.krippendorff_alpha, r, name), exact, error, agrees)
    exact = oracles.dipietro_hazari(judgments, suggested, labels)
    errors = oracles.leave_one_out(
        lambda rest: oracles.dipietro_hazari(rest, suggested, labels).value, judgments
    )
    error = oracles.jackknife(errors.values())
    check(partial(la.dipietro_hazari_kappa, r, pd.Series(suggested)), exact, error)


# Agreement, or disagreement -------------------------------------------------------


SCALE = [[0, 0], [0, 1], [1, 1], [2, 2], [2, 0], [1, 1]]  # D_o of interval 5 / 6


def apart_by(most):
    """Distances of three labels with one largest value, as matrix and as callable."""
    table = [[0, 0.5, most], [0.5, 0, 0.25], [most, 0.25, 0]]
    return table, lambda a, b: table[a][b]


@pytest.mark.parametrize("form", [0, 1], ids=["matrix", "callable"])
@pytest.mark.parametrize(
    ("most", "agrees"),
    [(1, True), (0.25, True), (1 + 1e-9, False), (np.nextafter(1, 2), False)],
)
def test_agreement_is_for_distances_of_at_most_1(most, agrees, form):
    """One larger value is enough, on one side of the diagonal too."""
    distance = apart_by(most)[form]
    judgments = oracles.from_rows(SCALE)
    by_pairs = oracles.matrix([0, 1, 2], apart_by(most)[0])
    calls = ["krippendorff_alpha", "janson_olsson_iota"]
    for name in calls + ["weighted_kappa"] * (form == 0):
        exact = oracles.agreement(name, judgments, by_pairs, [0, 1, 2])
        error = oracles.standard_error(name, judgments, by_pairs, [0, 1, 2])
        call = partial(getattr(la, name), la.Ratings.from_matrix(SCALE), distance)
        check(call, exact, error, agrees)
    lopsided = np.array(apart_by(1.0)[0])
    lopsided[0, 2] += 5e-10  # which rounding may leave; more is refused
    found = la.krippendorff_alpha(la.Ratings.from_matrix(SCALE), lopsided)
    assert np.isnan(found.observed) and np.isnan(found.expected)


@pytest.mark.parametrize("distance", ["interval", "ordinal"])
def test_small_numbers_give_these_distances_no_agreement(distance):
    """The distance decides, whatever the labels: here none is further apart than 1."""
    r = la.Ratings.from_matrix([[0, 0.5], [0.5, 0.5], [0, 0]])
    found = la.krippendorff_alpha(r, distance)
    assert found.observed_disagreement > 0
    for table in (found.per_label(), found.per_rater_pair()):
        assert table[["observed", "expected"]].isna().all(axis=None)
        assert table.loc[:, "observed_disagreement":].notna().all(axis=None)
    d_o, d_e = found.observed_disagreement, found.expected_disagreement
    assert found.per_rater_pair()["expected_disagreement"].tolist() == [d_e]
    assert found.per_label()["observed_disagreement"].tolist() == [d_o, d_o]


def test_a_breakdown_agrees_where_the_whole_does():
    """The distances that involve label 1 are small, and yet no agreement."""
    r = la.Ratings.from_matrix(SCALE)
    found = quietly(la.krippendorff_alpha(r, apart_by(4)[0]).per_label)
    assert found.loc[1, "expected_disagreement"] < 1
    assert found["observed"].isna().all()
    found = quietly(la.krippendorff_alpha(r).per_label)
    assert found["observed"].tolist() == [*1 - found["observed_disagreement"]]


@pytest.mark.parametrize("name", ["interval", "ordinal", "ratio", "given", "nominal"])
def test_words_are_those_of_the_distance(name):
    """Brute force in fractions, written to three digits as the sentence has them."""
    judgments = oracles.from_rows(SCALE)
    table = apart_by(3)[0]
    by_pairs = {
        "interval": oracles.interval,
        "ordinal": oracles.ordinal(judgments, [0, 1, 2]),
        "ratio": oracles.ratio,
        "given": oracles.matrix([0, 1, 2], table),
        "nominal": oracles.nominal,
    }[name]
    exact = oracles.agreement("krippendorff_alpha", judgments, by_pairs)
    distance = table if name == "given" else name
    found = la.krippendorff_alpha(la.Ratings.from_matrix(SCALE), distance)
    agrees = name in ("ratio", "nominal")
    o, e = oracles.parts(exact)[:2] if agrees else oracles.parts(exact)[2:]
    what = "agreement" if agrees else "disagreement"
    words = f"observed {what} {o:.3g}, expected by chance {e:.3g}"
    words += f" ({name} distance)" * (name != "nominal")
    share = f"{100 * float(exact.value):.0f} %"
    meaning = f"removes {share} of the disagreement that chance alone would give"
    if agrees:
        meaning = f"{share} of the agreement that chance leaves room for"
    said = repr(found).split("\n")[1:3]
    assert said == [f"{words}, standard error {found.standard_error:.3g}", meaning]
    assert words in found._repr_html_() and meaning in found._repr_html_()


def test_words_where_nothing_differs():
    """D_o = D_e = 0, a disagreement and no agreement of 1."""
    r = la.Ratings.from_matrix([[2, 2], [2, 2]])
    found = quietly(la.krippendorff_alpha, r, "interval")
    assert parts(found) == pytest.approx([np.nan, np.nan, 0, 0], nan_ok=True)
    assert "\nobserved disagreement 0, expected by chance 0 (interval" in repr(found)


# Other packages -------------------------------------------------------------------


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


@pytest.mark.parametrize("seed", range(3))
def test_statsmodels_kappa_and_its_standard_error(seed):
    """The large-sample standard error is the jackknife's limit: 3 % at 2000 items."""
    inter_rater = peer("statsmodels.stats.inter_rater")
    matrix = columns(two_raters(seed, 3, 2000)).to_numpy(int)
    table = pd.crosstab(*matrix.T).to_numpy()
    r = la.Ratings.from_matrix(matrix)
    for weights in (None, "linear", "quadratic"):
        theirs = inter_rater.cohens_kappa(table, wt=weights)
        found = la.weighted_kappa(r, weights) if weights else la.cohen_kappa(r)
        assert found.value == pytest.approx(theirs.kappa, abs=1e-12)
        assert found.standard_error == pytest.approx(theirs.std_kappa, rel=0.03)


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


# Large inputs ---------------------------------------------------------------------


def test_many_different_values():
    """40000 values: no table of values by values, and the analysis of variance."""
    rng = np.random.default_rng(5)
    truth = rng.normal(1e6, 1, 20_000)  # far from 0: squares alone would lose digits
    rows = truth[:, None] + rng.normal(0, 0.5, (20_000, 2))
    r = la.Ratings.from_matrix(rows)
    found = la.krippendorff_alpha(r, "interval")
    within, total = rows.var(axis=1, ddof=1).mean(), rows.var(ddof=1)
    assert found.value == pytest.approx(1 - within / total, rel=1e-8)
    assert found.n_ratings == 40_000
    nominal = la.krippendorff_alpha(r)
    assert nominal.value == pytest.approx(0, abs=1e-6)
    ranks = rows.ravel().argsort().argsort().reshape(rows.shape)
    within, total = ranks.var(axis=1, ddof=1).mean(), ranks.var(ddof=1)
    assert la.krippendorff_alpha(r, "ordinal").value == pytest.approx(
        1 - within / total, rel=1e-8
    )


def test_any_distance_of_many_values():
    """Ratio with 1200 values, against all pairs at once; without an item likewise."""
    rng = np.random.default_rng(9)
    rows = rng.lognormal(0, 1, 600)[:, None] * rng.lognormal(0, 0.3, (600, 2))

    def alpha(rows):
        x = rows.ravel()
        table = (np.subtract.outer(x, x) / np.add.outer(x, x)) ** 2
        pairs = ((rows[:, 0] - rows[:, 1]) / rows.sum(axis=1)) ** 2
        return 1 - pairs.mean() / (table.sum() / (x.size * (x.size - 1)))

    found = la.krippendorff_alpha(la.Ratings.from_matrix(rows), "ratio")
    assert found.value == pytest.approx(alpha(rows), abs=1e-12)
    without = found.per_item()["without"]
    for item in (0, 1, 299, 598, 599):
        assert without[item] == pytest.approx(
            alpha(np.delete(rows, item, axis=0)), abs=1e-12
        )


@pytest.mark.parametrize("name", ["krippendorff_alpha", "janson_olsson_iota"])
def test_any_distance_of_many_items(name):
    """A third of a million items, from the table of how often labels meet."""
    labels = np.array([0.25, 0.5, 2, 3, 7])
    rng = np.random.default_rng(10)
    first = rng.integers(0, 5, 350_000)
    other = np.where(rng.random(350_000) < 0.6, first, rng.integers(0, 5, 350_000))
    met = np.bincount(5 * first + other, minlength=25).reshape(5, 5)
    n, rows, cols = met.sum(), met.sum(axis=1), met.sum(axis=0)
    chance = {
        "krippendorff_alpha": np.outer(rows + cols, rows + cols)
        / (2 * n * (2 * n - 1)),
        "janson_olsson_iota": np.outer(rows, cols) / n**2,
    }
    distance = np.subtract.outer(labels, labels) / np.add.outer(labels, labels)
    d_o, d_e = ((distance**2 * share).sum() for share in (met / n, chance[name]))
    r = la.Ratings.from_matrix(labels[np.array([first, other]).T])
    for given in ("ratio", distance**2):
        found = getattr(la, name)(r, given)
        assert found.value == pytest.approx(1 - d_o / d_e, abs=1e-10)
        assert found.expected == pytest.approx(1 - d_e, abs=1e-10)


def test_many_items_in_counts():
    """A hundred thousand items; K from the totals."""
    rng = np.random.default_rng(6)
    counts = rng.multinomial(5, [0.5, 0.3, 0.2], 100_000)
    found = la.fleiss_kappa(la.Ratings.from_counts(counts))
    observed = (counts * (counts - 1)).sum() / 20 / 100_000
    expected = ((counts.sum(axis=0) / counts.sum()) ** 2).sum()
    assert found.value == pytest.approx((observed - expected) / (1 - expected))
    assert found.standard_error < 0.002


# Awkward input, as other packages meet it -----------------------------------------


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


# By item, label and pair of raters ------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_per_item(case):
    """Judgments, mean pair distance, and the value without the item."""
    judgments, labels = drawn(case)
    r = ratings(judgments, labels)
    items = oracles.by_item(oracles.kept(judgments))
    for name, distance, by_pairs in [
        ("krippendorff_alpha", "interval", oracles.interval),
        ("fleiss_kappa", None, oracles.nominal),
    ]:
        if oracles.agreement(name, judgments, by_pairs, labels).value is None:
            continue
        args = (r, distance) if distance else (r,)
        table = quietly(getattr(la, name), *args).per_item()
        assert sorted(table.index) == sorted(items)
        for item, given in items.items():
            alone = [(item, rater, label) for rater, label in given]
            assert table.ratings[item] == len(given)
            assert table.disagreement[item] == pytest.approx(
                float(oracles.observed_disagreement(alone, by_pairs)), abs=1e-12
            )
            rest = oracles.agreement(
                name, oracles.without(judgments, item), by_pairs, labels
            )
            expected = np.nan if rest.value is None else float(rest.value)
            assert table["without"][item] == pytest.approx(
                expected, abs=1e-12, nan_ok=True
            )


@pytest.mark.parametrize("case", CASES)
def test_per_label_is_the_coefficient_of_the_label_and_the_rest(case):
    judgments, labels = drawn(case)
    r = ratings(judgments, labels)
    names = ("fleiss_kappa", "krippendorff_alpha", "janson_olsson_iota", "gwet_ac1")
    used = Counter(label for _, _, label in oracles.kept(judgments))
    for name in names + (TWO_RATERS if case[2] == 2 else ()):
        table = quietly(quietly(getattr(la, name), r).per_label)
        assert [*table.index] == labels
        for label in labels:
            assert table.ratings[label] == used[label]
            assert table.share[label] == pytest.approx(used[label] / used.total())
            two = [(i, rater, given == label) for i, rater, given in judgments]
            exact = oracles.agreement(name, two, labels=[False, True])
            if exact.value is None:
                assert np.isnan(table.value[label])
                continue
            assert table.value[label] == pytest.approx(float(exact.value), abs=1e-12)
            exactly = pytest.approx(oracles.parts(exact), abs=1e-12)
            assert parts(table.loc[label]) == exactly
            error = oracles.standard_error(name, two, labels=[False, True])
            if error is not None:
                assert table.standard_error[label] == pytest.approx(
                    error, rel=1e-10, abs=1e-12
                )


def test_per_label_of_a_distance_keeps_the_distances_of_the_label():
    judgments = oracles.random_judgments(3, 12, 3, [1, 2, 4, 7], 0.1)
    labels = [1, 2, 4, 7]
    table = la.krippendorff_alpha(ratings(judgments, labels), "interval").per_label()
    for label in labels:

        def own(a, b, label=label):
            return oracles.interval(a, b) if label in (a, b) else 0

        args = ("krippendorff_alpha", judgments, own, labels)
        exact = oracles.agreement(*args)
        assert table.value[label] == pytest.approx(float(exact.value), abs=1e-12)
        assert parts(table.loc[label]) == pytest.approx(
            oracles.parts(exact, agrees=False), abs=1e-12, nan_ok=True
        )
        assert table.standard_error[label] == pytest.approx(
            oracles.standard_error(*args), rel=1e-10
        )


@pytest.mark.parametrize("case", CASES)
def test_per_rater_pair_is_the_coefficient_of_two_columns(case):
    judgments, labels = drawn(case)
    r = ratings(judgments, labels)
    for name in MANY_RATERS:
        table = quietly(quietly(getattr(la, name), r).per_rater_pair)
        for pair in oracles.rater_pairs(judgments):
            two = [j for j in judgments if j[1] in pair]
            exact = oracles.agreement(name, two, labels=labels)
            if exact.n_items == 0:
                continue
            row = table.loc[pair if pair in table.index else pair[::-1]]
            assert row["items"] == exact.n_items
            expected = np.nan if exact.value is None else float(exact.value)
            assert row["value"] == pytest.approx(expected, abs=1e-12, nan_ok=True)
            assert parts(row) == pytest.approx(oracles.parts(exact), abs=1e-12)
            error = oracles.standard_error(name, two, labels=labels)
            if error is not None:
                assert row["standard_error"] == pytest.approx(
                    error, rel=1e-10, abs=1e-12
                )


def test_parts_of_s_keep_its_number_of_labels():
    """A pair of raters has as many labels as all; one label and the rest are two."""
    judgments = oracles.random_judgments(4, 12, 3, [1, 2, 3])
    found = la.bennett_s(ratings(judgments, [*range(6)]))
    pairs = found.per_rater_pair()
    for pair in oracles.rater_pairs(judgments):
        two = [j for j in judgments if j[1] in pair]
        exact = oracles.agreement("bennett_s", two, labels=range(6))
        row = pairs.loc[pair if pair in pairs.index else pair[::-1]]
        assert row["value"] == pytest.approx(float(exact.value))
    of_label = found.per_label()
    for label in (1, 2, 3):
        two = [(i, r, given == label) for i, r, given in judgments]
        exact = oracles.agreement("bennett_s", two, labels=[False, True])
        assert of_label.value[label] == pytest.approx(float(exact.value))


@pytest.mark.parametrize("far", [0.1, 0.3, 0.7])
def test_nothing_expected_between_raters_without_the_only_item_apart(far):
    # b is as good as a and as c, which differ. Without the last item one rater says
    # a or c, the other b: D_e is 0, while pairs within a rater are still apart.
    rows = [["a", "b"]] * 3 + [["c", "b"]] * 4 + [["a", "c"]]
    weights = [[0, 0, far], [0, 0, 0], [far, 0, 0]]
    found = la.weighted_kappa(la.Ratings.from_matrix(rows, ["a", "b", "c"]), weights)
    # D_o = far / 8; D_e = P(a and c) far = 4/8 1/8 far.
    assert found.value == pytest.approx(1 - (1 / 8) / (1 / 16))
    assert np.isnan(found.without[-1])


@pytest.mark.parametrize("n", [60, 101])
def test_values_that_differ_by_rounding_have_no_error(n):
    # Each of n items has two labels of its own, and only these differ: D_o = .3,
    # D_e = .3 / n, and all items do the same to the value, 1 - n.
    weights = np.kron([[0, 0.3], [0.3, 0]], np.eye(n))
    rows = [[k, n + k] for k in range(n)]
    r = quietly(la.Ratings.from_matrix, rows, range(2 * n))
    found = la.weighted_kappa(r, weights)
    assert found.value == pytest.approx(1 - n)
    assert found.without == pytest.approx(np.full(n, 2 - n))
    assert found.standard_error == 0


def test_per_item_where_nothing_is_left_without_one():
    table = quietly(la.bennett_s(la.Ratings.from_matrix([["a", "b"]])).per_item)
    assert table.disagreement.tolist() == [1]
    assert table["without"].isna().all()


# Accuracy -------------------------------------------------------------------------


def test_accuracy_of_one_judgment_an_item_is_a_proportion():
    """Its interval is 1 - Clopper and Pearson's for the errors."""
    rng = random.Random(8)
    gold = [rng.choice("abc") for _ in range(50)]
    given = [g if rng.random() < 0.8 else rng.choice("abc") for g in gold]
    r = ratings([(i, "x", label) for i, label in enumerate(given)], [*"abc"])
    errors = sum(a != b for a, b in zip(given, gold))
    assert 0 < errors < 25
    found = la.accuracy(r, gold)
    assert found.value == pytest.approx(1 - errors / 50)
    share = errors / 50
    assert found.standard_error == pytest.approx((share * (1 - share) / 49) ** 0.5)
    for confidence in (0.8, 0.95, 0.9999999999):
        low, high = la.proportion_interval(errors, 50, confidence=confidence)
        wanted = pytest.approx((1 - high, 1 - low), rel=1e-11)
        assert found.interval(confidence) == wanted
    of_label = found.per_label()
    for label in "abc":
        own = [a == b for a, b in zip(given, gold) if b == label]
        assert of_label.accuracy[label] == pytest.approx(sum(own) / len(own))
        low, high = la.proportion_interval(len(own) - sum(own), len(own))
        assert of_label.low[label] == pytest.approx(1 - high)
        assert of_label.high[label] == pytest.approx(1 - low)
    by_name = pd.Series(gold)[::-1]
    assert la.accuracy(r, by_name).value == found.value


def test_accuracy_counts_judgments_that_go_together_once():
    """Three raters who always agree are worth one, to the jackknife's n - 1."""
    gold = ["a"] * 60
    one = [["b" if i % 6 == 0 else "a"] for i in range(60)]
    alone, together = (
        la.accuracy(la.Ratings.from_matrix(rows, [*"ab"]), gold)
        for rows in (one, [row * 3 for row in one])
    )
    assert together.value == pytest.approx(alone.value)
    assert together.standard_error == pytest.approx(alone.standard_error)
    assert together.interval() == pytest.approx(alone.interval(), abs=0.005)
    perfect = la.accuracy(la.Ratings.from_matrix([["a"] * 3] * 20), ["a"] * 20)
    low, high = la.proportion_interval(0, 20)
    assert perfect.interval() == pytest.approx((1 - high, 1 - low))
    nothing = la.accuracy(la.Ratings.from_matrix([["a"] * 3] * 20, [*"ab"]), ["b"] * 20)
    assert nothing.interval() == pytest.approx((low, high))


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_standard_error_of_accuracy(missing):
    """The delete-one-item jackknife of right judgments over judgments."""
    judgments = oracles.random_judgments(11, 25, 3, "abc", missing)
    gold = {item: "abc"[int(item[5:]) % 3] for item, _, _ in judgments}

    def share(rest):
        return Fraction(sum(label == gold[item] for item, _, label in rest), len(rest))

    found = la.accuracy(ratings(judgments, [*"abc"]), pd.Series(gold))
    assert found.value == pytest.approx(float(share(judgments)))
    without = [share(oracles.without(judgments, item)) for item in gold]
    assert found.standard_error == pytest.approx(oracles.jackknife(without), rel=1e-10)


def test_accuracy_of_each_rater():
    judgments = oracles.random_judgments(9, 30, 3, "abc", missing=0.2)
    gold = {item: "abc"[int(item[5:]) % 3] for item, _, _ in judgments}
    found = la.accuracy(ratings(judgments, [*"abc"]), pd.Series(gold))
    right = [label == gold[item] for item, _, label in judgments]
    assert found.value == pytest.approx(sum(right) / len(right))
    table = found.per_rater()
    for rater in ("rater 0", "rater 1", "rater 2"):
        own = [ok for ok, (_, given, _) in zip(right, judgments) if given == rater]
        assert table.accuracy[rater] == pytest.approx(sum(own) / len(own))
        low, high = la.proportion_interval(len(own) - sum(own), len(own))
        assert (table.low[rater], table.high[rater]) == pytest.approx(
            (1 - high, 1 - low)
        )


# Sample sizes ---------------------------------------------------------------------


def test_items_needed_says_which_model():
    with pytest.raises(ValueError, match="model") as caught:
        la.items_needed(0.6, 0.3, 0.1, raters=5)
    assert "beta-binomial" in str(caught.value) and "two-class" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("kappa", 1.2), ("prevalence", 0), ("prevalence", 1), ("half_width", 0),
     ("raters", 1), ("raters", 2.5), ("confidence", 1), ("model", "normal")],
)  # fmt: skip
def test_items_needed_refuses(name, value):
    good = {"kappa": 0.6, "prevalence": 0.3, "half_width": 0.1, "raters": 2}
    with pytest.raises(ValueError, match=rf"\b{name}") as caught:
        la.items_needed(**{**good, name: value})
    assert str(value) in str(caught.value)


# The verbal scale -----------------------------------------------------------------


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
