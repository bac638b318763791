"""Items that were judged alike are one unit: the same results as item by item."""

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracle
import labelaudit as la
from labelaudit.agreement import units

COEFFICIENTS = {
    "S": la.bennett_s,
    "K": la.fleiss_kappa,
    "AC1": la.gwet_ac1,
    "iota": la.janson_olsson_iota,
    "alpha": la.krippendorff_alpha,
    "alpha, interval": lambda r: la.krippendorff_alpha(r, "interval"),
    "alpha, ordinal": lambda r: la.krippendorff_alpha(r, "ordinal"),
    "iota, ratio": lambda r: la.janson_olsson_iota(r, "ratio"),
}


def matrix(seed, n_items, n_raters, n_labels, missing):
    random = np.random.default_rng(seed)
    values = random.integers(n_labels, size=(n_items, n_raters)).astype(float)
    values[random.random(values.shape) < 0.4] = 1
    values[random.random(values.shape) < missing] = np.nan
    return values


def results(a):
    table = a.per_item()
    parts = a.observed_disagreement, a.expected_disagreement
    numbers = [a.value, *parts, a.standard_error, a.n_items]
    return [*numbers, a.n_ratings, table.to_numpy(), table.index]


def same(one, other):
    assert all(np.allclose(a, b, rtol=1e-11, atol=1e-13) for a, b in zip(one, other))


def joined(r):
    return len(units.units(r).times) < len(r.items) / 4


def both(monkeypatch, coefficient, r):
    """Results by units, and with every item a unit of its own."""
    assert joined(r)
    together = results(coefficient(r))
    monkeypatch.setattr(units, "numbers", lambda *_: None)
    assert not joined(r)
    return together, results(coefficient(r))


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize(("n_raters", "n_labels"), [(2, 4), (3, 2)])
def test_units_give_what_items_give(monkeypatch, name, missing, n_raters, n_labels):
    r = la.Ratings.from_matrix(matrix(1, 400, n_raters, n_labels, missing))
    same(*both(monkeypatch, COEFFICIENTS[name], r))


def test_units_of_counts_give_what_items_give(monkeypatch):
    counts = np.random.default_rng(2).multinomial(3, [0.5, 0.3, 0.2], size=300)
    counts[:20] = [1, 0, 0]  # too few judgments
    r = la.Ratings.from_counts(counts)
    together, alone = both(monkeypatch, la.fleiss_kappa, r)
    assert together[4] == 280
    same(together, alone)


def test_one_label_against_the_rest_of_anonymous_judgments():
    """The rest have more judgments of an item than any label of the table."""
    counts = np.random.default_rng(3).integers(0, 3, size=(400, 3))
    parts = la.fleiss_kappa(la.Ratings.from_counts(counts)).per_label()
    for label, own in enumerate(counts.T):
        two = la.Ratings.from_counts(np.stack([counts.sum(axis=1) - own, own], axis=1))
        assert parts["value"][label] == pytest.approx(la.fleiss_kappa(two).value, 1e-12)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval", "ratio"])
def test_units_of_two_replications_give_what_items_give(monkeypatch, distance):
    values = matrix(7, 600, 3, 2, 0.2)
    sides = [la.Ratings.from_matrix(part) for part in (values[:, :2], values[:, 2:])]
    together = la.cross_kappa(*sides, distance)
    assert len(together.times) < together.n_items / 4
    monkeypatch.setattr(units, "numbers", lambda *_: None)
    alone = la.cross_kappa(*sides, distance)
    assert len(alone.times) == alone.n_items
    same(results(together), results(alone))


def test_repeated_judgments_are_not_taken_for_other_labels():
    rows = [(i, a, int(i % 3 == 0)) for i in range(90) for a in (0, 0, 1)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "label"])
    found = la.dawid_skene(la.Ratings.from_long(frame, repeats=True))
    assert found.prevalence == pytest.approx([2 / 3, 1 / 3])
    assert found.confusion == pytest.approx(np.stack([np.eye(2)] * 2))


def test_raters_in_another_order_in_every_item():
    values = matrix(3, 200, 2, 2, 0.0)
    random = np.random.default_rng(4)
    rows = [(i, a, values[i, a]) for i in range(200) for a in random.permutation(2)]
    long = la.Ratings.from_long(pd.DataFrame(rows, columns=["item", "rater", "label"]))
    assert joined(long)
    wide = la.Ratings.from_matrix(values)
    for coefficient in (la.cohen_kappa, la.janson_olsson_iota):
        same(results(coefficient(long)), results(coefficient(wide)))


@pytest.mark.parametrize("name", ["cohen_kappa", "fleiss_kappa", "krippendorff_alpha"])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_units_against_brute_force(name, missing):
    judgments = oracle.random_judgments(5, 60, 2, ["a", "b"], missing)
    frame = pd.DataFrame(judgments, columns=["item", "rater", "label"])
    r = la.Ratings.from_long(frame)
    assert joined(r)
    brute = oracle.agreement(name, judgments)
    a = getattr(la, name)(r)
    assert a.value == pytest.approx(float(brute.value), rel=1e-12)
    assert a.observed == pytest.approx(float(brute.observed), rel=1e-12)
    assert a.expected == pytest.approx(float(brute.expected), rel=1e-12)
    error = oracle.standard_error(name, judgments)
    assert a.standard_error == pytest.approx(float(error), rel=1e-10)


def test_bootstrap_of_units_draws_items():
    values = matrix(6, 300, 2, 2, 0.0)
    a = la.cohen_kappa(la.Ratings.from_matrix(values))
    random = np.random.default_rng(7)
    drawn = [
        la.cohen_kappa(la.Ratings.from_matrix(values[random.integers(300, size=300)]))
        for _ in range(1500)
    ]
    expected = np.quantile([d.value for d in drawn], [0.025, 0.975])
    found = a.interval(method="bootstrap", repetitions=4000, seed=8)
    # Monte Carlo error of a 2.5 % quantile of 1500 draws: about .05 half widths
    assert np.abs(found - expected).max() < 0.2 * a.standard_error
