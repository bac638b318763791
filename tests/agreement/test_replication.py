"""cross_kappa and normalized_cross_kappa: brute force over Eq. 6-13 in fractions."""

import random
import re
import warnings
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import inf, isnan, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import quietly, ratings

# Replications ---------------------------------------------------------------------


def replications(seed, n_items, raters, labels, missing=0.0, noise=0.4):
    """Judgments of X and of Y by `raters` = (of X, of Y), of the same truth."""
    judgments = oracles.random_judgments(
        seed, n_items, sum(raters), labels, missing, noise
    )
    first = {f"rater {r}" for r in range(raters[0])}
    x = [j for j in judgments if j[1] in first]
    return x, [j for j in judgments if j[1] not in first]


def crossed(pairs):
    """X and Y with one judgment of each an item, from {(label, label): items}."""
    rows = [pair for pair, n in pairs.items() for _ in range(n)]
    x, y = zip(*rows)
    return tuple(la.Ratings.from_matrix([[label] for label in side]) for side in (x, y))


def many(seed, n_items=300, raters=(2, 2), n_labels=2, noise=0.4, missing=0.0):
    """Two matrices of 0, 1, ...: far more items than there are kinds of them."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, n_labels + 1)
    share /= share.sum()
    truth = rng.choice(n_labels, (n_items, 1), p=share)
    shape = (n_items, sum(raters))
    other = rng.choice(n_labels, shape, p=share)
    both = np.where(rng.random(shape) < noise, other, truth).astype(float)
    both[rng.random(shape) < missing] = np.nan
    return both[:, : raters[0]], both[:, raters[0] :]


def warned(call, *args, **kwargs):
    """(what the call returns, the messages of its warnings)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call(*args, **kwargs)
    assert all(w.category is UserWarning for w in caught)
    return found, [str(w.message) for w in caught]


# Eq. 6-11 as printed --------------------------------------------------------------


def shared(x, y):
    """Items with a judgment in both: the others make Eq. 9 zero by zero."""
    return [i for i in oracles.by_item(x) if i in oracles.by_item(y)]


def cross(x, y, distance=oracles.nominal):
    """kappa_x; value None where it is undefined."""
    of_x, of_y = oracles.by_item(x), oracles.by_item(y)
    items = shared(x, y)
    if not items:
        return oracles.Brute(None, None, None, 0, 0)
    R = {i: len(of_x[i]) for i in items}  # noqa: N806
    S = {i: len(of_y[i]) for i in items}  # noqa: N806
    total_r, total_s = sum(R.values()), sum(S.values())
    d_o = d_e = Fraction(0)
    for i in items:
        pairs = [distance(a, b) for _, a in of_x[i] for _, b in of_y[i]]
        mean = Fraction(sum(map(Fraction, pairs)), R[i] * S[i])
        d_o += Fraction(R[i] + S[i], total_r + total_s) * mean
    pairs = Counter(
        (a, b) for i, j in product(items, items) for _, a in of_x[i] for _, b in of_y[j]
    )
    d_e = sum((n * Fraction(distance(a, b)) for (a, b), n in pairs.items()), d_e)
    d_e /= total_r * total_s
    value = 1 - d_o / d_e if d_e else None
    return oracles.Brute(value, 1 - d_o, 1 - d_e, len(items), total_r + total_s)


def cross_error(x, y, distance=oracles.nominal):
    return oracles.jackknife(
        cross(oracles.without(x, i), oracles.without(y, i), distance).value
        for i in shared(x, y)
    )


def pooled_ranks(x, y, order):
    """Krippendorff's distance by the counts of both, over the items that count."""
    items = set(shared(x, y))
    return oracles.ordinal([j for j in x + y if j[0] in items], order)


PARTS = "observed", "expected", "observed_disagreement", "expected_disagreement"


def check(call, exact, error, agrees=True):
    """An Agreement against brute force; None: NaN, with a warning that says why."""
    found, messages = warned(call)
    assert isinstance(found, la.Agreement)
    assert (found.n_items, found.n_ratings) == (exact.n_items, exact.n_ratings)
    if exact.value is None:
        assert any("undefined" in message for message in messages)
        assert isnan(found.value) and isnan(float(found))
        return
    assert not any("undefined" in message for message in messages)
    assert found.value == pytest.approx(float(exact.value), rel=1e-12, abs=1e-12)
    assert [getattr(found, part) for part in PARTS] == pytest.approx(
        oracles.parts(exact, agrees), rel=1e-12, abs=1e-12, nan_ok=True
    )
    assert float(found) == found.value
    if error is None:
        with pytest.warns(UserWarning, match="standard error"):
            assert isnan(found.standard_error)
    else:
        assert found.standard_error == pytest.approx(error, rel=1e-10, abs=1e-12)


# (seed, items, (raters of X, of Y), labels, share missing); labels unevenly spaced
COMPLETE = [
    (
        seed,
        4 + seed % 6,
        (1 + seed % 3, 1 + seed // 3 % 3),
        [1, 2, 4, 7, 11][: 2 + seed % 3],
        0.0,
    )
    for seed in range(18)
]
INCOMPLETE = [
    (
        seed,
        6 + seed % 5,
        (1 + seed % 4, 1 + seed // 4 % 3),
        [1, 2, 4, 7, 11][: 2 + seed % 4],
        0.3,
    )
    for seed in range(100, 124)
] + [(124, 10, (2, 2), [*range(1, 200, 7)], 0.2)]  # more labels than items
CASES = [
    pytest.param(case, id="seed {} items {} raters {}".format(*case[:3]))
    for case in COMPLETE + INCOMPLETE
]


@pytest.mark.parametrize("case", CASES)
def test_quadruple_sum(case):
    x, y = replications(*case)
    labels = case[3]
    found = partial(la.cross_kappa, ratings(x, labels), ratings(y, labels))
    check(found, cross(x, y), cross_error(x, y))


@pytest.mark.parametrize("case", CASES)
def test_distances(case):
    """Ordinal (ranks of both, held fixed), interval, ratio, callables, matrices."""
    x, y = replications(*case)
    labels = case[3]
    table = [[abs(a - b) ** 0.5 for b in labels] for a in labels]
    both = ratings(x, labels), ratings(y, labels)
    small = max(labels) - min(labels) <= 1
    for distance, by_pairs, agrees in [
        ("nominal", oracles.nominal, True),
        ("ordinal", pooled_ranks(x, y, labels), False),
        ("interval", oracles.interval, False),
        ("ratio", oracles.ratio, True),
        (lambda a, b: abs(a - b), lambda a, b: abs(a - b), small),
        (table, oracles.matrix(labels, table), small),
        (pd.DataFrame(table, labels, labels), oracles.matrix(labels, table), small),
    ]:
        found = partial(la.cross_kappa, *both, distance)
        check(found, cross(x, y, by_pairs), cross_error(x, y, by_pairs), agrees)


def test_enough_of_the_cases_are_defined():
    """The cases above mean something, most of them."""
    errors = []
    for case in COMPLETE + INCOMPLETE:
        x, y = replications(*case)
        errors.append(cross_error(x, y))
        dropped = {i for i, _, _ in x + y} - set(shared(x, y))
        errors[-1] = errors[-1], bool(dropped)
    assert sum(bool(error) for error, _ in errors) >= 30
    assert sum(bool(error) and dropped for error, dropped in errors) >= 8


@pytest.mark.parametrize("seed", range(8))
def test_ordinal_text_labels(seed):
    """A declared order; text labels that are not in alphabetical order."""
    labels = ["low", "mid", "high", "top"]
    x, y = replications(seed, 9, (2, 3), labels, 0.2)
    distance = pooled_ranks(x, y, labels)
    found = partial(la.cross_kappa, ratings(x, labels), ratings(y, labels), "ordinal")
    check(found, cross(x, y, distance), cross_error(x, y, distance), agrees=False)


@pytest.mark.parametrize("seed", range(6))
def test_anonymous_raters(seed):
    """Who judged does not matter: tables of counts do as well."""
    labels = [1, 2, 4]
    x, y = replications(seed, 10, (3, 2), labels, 0.2)
    tables = []
    for judgments in (x, y):
        items = oracles.by_item(judgments)
        counts = [
            [sum(label == c for _, label in given) for c in labels]
            for given in items.values()
        ]
        table = pd.DataFrame(counts, list(items), labels)
        tables.append(la.Ratings.from_counts(table))
    for name, distance in [
        ("nominal", oracles.nominal),
        ("interval", oracles.interval),
        ("ordinal", pooled_ranks(x, y, labels)),
    ]:
        found = partial(la.cross_kappa, *tables, name)
        agrees = name == "nominal"
        check(found, cross(x, y, distance), cross_error(x, y, distance), agrees)


# Many items, alike --------------------------------------------------------------


def of_counts(a, b):
    """(value, observed, expected) of two tables of counts, item by item."""
    r, s = a.sum(axis=1), b.sum(axis=1)
    o = 1 - (a * b).sum(axis=1) / (r * s)
    d_o = ((r + s) * o).sum() / (r + s).sum()
    d_e = 1 - (a.sum(axis=0) / r.sum()) @ (b.sum(axis=0) / s.sum())
    return 1 - d_o / d_e, 1 - d_o, 1 - d_e


def tables_of(x, y, n_labels):
    """Counts per item and label, of the items that both judged."""
    a, b = (
        np.stack([(m == c).sum(axis=1) for c in range(n_labels)], 1) for m in (x, y)
    )
    both = (a.sum(axis=1) > 0) & (b.sum(axis=1) > 0)
    return a[both], b[both]


def errors_of(values):
    values = np.asarray(values)
    return sqrt((len(values) - 1) * np.mean((values - values.mean()) ** 2))


ALIKE = [
    (0, 200, (2, 2), 2, 0.4, 0.0),
    (1, 400, (2, 2), 3, 0.3, 0.0),
    (2, 300, (2, 2), 2, 0.5, 0.25),
    (3, 300, (2, 2), 3, 0.5, 0.25),
    (4, 250, (1, 3), 3, 0.2, 0.1),
    (5, 400, (2, 1), 2, 0.9, 0.3),
]


@pytest.mark.parametrize("shape", ALIKE, ids=str)
def test_items_that_repeat(shape):
    """The library may join items that are alike; the jackknife leaves out one."""
    x, y = many(*shape)
    a, b = tables_of(x, y, shape[3])
    found = la.cross_kappa(la.Ratings.from_matrix(x), la.Ratings.from_matrix(y))
    value, observed, expected = of_counts(a, b)
    assert (found.n_items, found.n_ratings) == (len(a), a.sum() + b.sum())
    assert len({*map(tuple, np.hstack([a, b]))}) < len(a) / 2
    assert found.value == pytest.approx(value, rel=1e-11, abs=1e-12)
    assert found.observed == pytest.approx(observed, rel=1e-11, abs=1e-12)
    assert found.expected == pytest.approx(expected, rel=1e-11, abs=1e-12)
    left = [
        of_counts(*(np.delete(t, i, axis=0) for t in (a, b))) for i in range(len(a))
    ]
    values = [value for value, _, _ in left]
    assert found.without == pytest.approx(values, rel=1e-11, abs=1e-11)
    assert found.standard_error == pytest.approx(errors_of(values), rel=1e-9)
    low, high = quietly(found.interval, 0.9, "jackknife")
    reach = norm.ppf(0.95) * found.standard_error / (1 - value**2)
    assert np.arctanh([low, high]) == pytest.approx(
        [np.arctanh(value) - reach, np.arctanh(value) + reach], rel=1e-11, abs=1e-10
    )


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval", "ratio"])
def test_items_that_repeat_with_a_distance(distance):
    """60 items against the quadruple sum, each kind several times."""
    labels = [1, 2, 4]
    x, y = replications(7, 60, (2, 2), labels, 0.1)
    by_pairs = {
        "nominal": oracles.nominal,
        "ordinal": pooled_ranks(x, y, labels),
        "interval": oracles.interval,
        "ratio": oracles.ratio,
    }[distance]
    both = ratings(x, labels), ratings(y, labels)
    found = partial(la.cross_kappa, *both, distance)
    agrees = distance in ("nominal", "ratio")
    check(found, cross(x, y, by_pairs), error_by_kind(x, y, by_pairs), agrees)


def error_by_kind(x, y, distance):
    """cross_error with one quadruple sum for items that are alike."""
    of_x, of_y = oracles.by_item(x), oracles.by_item(y)
    kinds = {}
    for i in shared(x, y):
        key = tuple(tuple(sorted(c for _, c in of[i])) for of in (of_x, of_y))
        kinds.setdefault(key, []).append(i)
    values = []
    for items in kinds.values():
        rest = (oracles.without(j, items[0]) for j in (x, y))
        values += [cross(*rest, distance).value] * len(items)
    return oracles.jackknife(values)


def test_real_numbers():
    """Real numbers, none twice: interval and ordinal distance without a table."""
    rng = np.random.default_rng(3)
    truth = rng.normal(size=(40, 1))
    x, y = (1e6 + truth + 0.5 * rng.normal(size=(40, k)) for k in (2, 3))
    found = la.cross_kappa(*map(la.Ratings.from_matrix, (x, y)), "interval")

    def value(keep):
        a, b = x[keep] - 1e6, y[keep] - 1e6
        d_o = np.mean((a[:, :, None] - b[:, None, :]) ** 2)
        return 1 - d_o / np.mean((a.reshape(-1, 1) - b.reshape(1, -1)) ** 2)

    every = np.arange(40)
    assert found.value == pytest.approx(value(every), abs=1e-9)
    left = [value(np.delete(every, i)) for i in every]
    assert found.standard_error == pytest.approx(errors_of(left), rel=1e-7)


# Cohen's kappa --------------------------------------------------------------------


def same(a, b):
    for part in ("value", *PARTS, "standard_error"):
        assert quietly(getattr, a, part) == pytest.approx(
            quietly(getattr, b, part), rel=1e-11, abs=1e-12, nan_ok=part in PARTS[:2]
        )
    assert (a.n_items, a.n_ratings) == (b.n_items, b.n_ratings)
    assert quietly(a.interval) == pytest.approx(
        quietly(b.interval), rel=1e-11, abs=1e-12, nan_ok=True
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n_labels", [2, 3, 5])
def test_one_judgment_an_item_is_cohens_kappa(seed, n_labels):
    """Value, standard error and interval, with gaps; the paper's section 3.2."""
    x, y = many(seed, 250, (1, 1), n_labels, 0.5, missing=0.1 * (seed % 2))
    labels = [*range(n_labels)]
    r = la.Ratings.from_matrix(np.hstack([x, y]), labels)
    both = la.Ratings.from_matrix(x, labels), la.Ratings.from_matrix(y, labels)
    same(quietly(la.cross_kappa, *both), la.cohen_kappa(r))
    table = np.abs(np.subtract.outer(labels, labels)) ** 0.7
    weighted = la.weighted_kappa(r, table)
    same(quietly(la.cross_kappa, *both, table), weighted)
    squares = quietly(la.cross_kappa, *both, "interval")
    quadratic = la.weighted_kappa(r, "quadratic")
    assert squares.value == pytest.approx(quadratic.value, rel=1e-11, abs=1e-12)
    assert squares.standard_error == pytest.approx(
        quadratic.standard_error, rel=1e-11, abs=1e-12
    )


def test_cohens_kappa_of_a_printed_table():
    """Artstein 2007, slide 16: 44, 6, 6, 44."""
    x, y = crossed({"AA": 44, "AB": 6, "BA": 6, "BB": 44})
    found = la.cross_kappa(x, y)
    assert (found.value, found.observed) == pytest.approx((0.76, 0.88))
    assert found.expected == pytest.approx(0.5)


# Symmetry, joins, labels ----------------------------------------------------------


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("seed", range(4))
def test_x_and_y_are_interchangeable(seed, distance):
    labels = [1, 2, 4, 7]
    x, y = replications(seed, 80, (2, 3), labels, 0.2)
    x, y = ratings(x[10:], labels), ratings(y[25:], labels)
    same(
        quietly(la.cross_kappa, x, y, distance), quietly(la.cross_kappa, y, x, distance)
    )
    a = quietly(la.normalized_cross_kappa, x, y, distance)
    b = quietly(la.normalized_cross_kappa, y, x, distance)
    assert a.value == pytest.approx(b.value, rel=1e-11, abs=1e-12)
    errors = [quietly(getattr, each, "standard_error") for each in (a, b)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-11, abs=1e-12, nan_ok=True)
    assert quietly(a.interval) == pytest.approx(
        quietly(b.interval), rel=1e-11, abs=1e-10, nan_ok=True
    )


@pytest.mark.parametrize("kind", ["text", "tuples", "numbers"])
def test_join_on_items(kind):
    """In another order; items of one replication only are dropped, and said."""
    names = {
        "text": [f"item {i}" for i in range(60)],
        "tuples": [(f"clip {i // 7}", i % 7) for i in range(60)],
        "numbers": [7 * i + 3 for i in range(60)],
    }[kind]
    x, y = many(1, 60, (2, 2), 2, 0.2)
    order = np.random.default_rng(4).permutation(60)
    mine = [i for i in range(60) if i < 50]  # 10 .. 49 are in both
    other = [i for i in order if i >= 10]

    def rows(m, items):
        frame = pd.DataFrame(
            [(names[i], r, m[i, r]) for i in items for r in range(2)],
            columns=["item", "rater", "label"],
        )
        return la.Ratings.from_long(frame)

    found = la.cross_kappa(rows(x, mine), rows(y, other))
    plain = la.cross_kappa(*(la.Ratings.from_matrix(m[10:50]) for m in (x, y)))
    same(found, plain)
    assert found.n_items == 40 and found.n_ratings == 160
    assert "20 of 60 items" in found.dropped and found.dropped in repr(found)
    assert not plain.dropped
    if kind != "tuples":
        index = pd.DataFrame(x, names).loc[[names[i] for i in mine]]
        shuffled = pd.DataFrame(y, names).loc[[names[i] for i in other]]
        same(la.cross_kappa(*map(la.Ratings.from_matrix, (index, shuffled))), plain)


def test_an_item_without_a_judgment_is_not_there():
    """A row of gaps is an item that the replication lacks."""
    x, y = many(2, 80)
    y[:5] = np.nan
    x[5:9] = np.nan
    found = la.cross_kappa(la.Ratings.from_matrix(x), la.Ratings.from_matrix(y))
    same(found, la.cross_kappa(*(la.Ratings.from_matrix(m[9:]) for m in (x, y))))
    assert "9 of 80 items" in found.dropped


def test_labels_that_nobody_declared_are_those_of_both():
    x, y = crossed({"aa": 20, "ab": 3, "bb": 15, "bc": 4, "dc": 2})
    assert [*x.labels] == ["a", "b", "d"] and [*y.labels] == ["a", "b", "c"]
    found = quietly(la.cross_kappa, x, y)
    assert found.observed == pytest.approx(35 / 44)
    by_hand = (23 * 20 + 19 * 18) / 44**2  # a and b; c and d are in one only
    assert found.expected == pytest.approx(by_hand)
    table = pd.DataFrame(1 - np.eye(4), list("abcd"), list("abcd"))
    same(quietly(la.cross_kappa, x, y, table), found)


def test_declared_labels_must_agree():
    x, y = many(0, 50)
    make = la.Ratings.from_matrix
    for other in ([0, 1, 2], [1, 0]):
        with pytest.raises(ValueError, match=r"x and y .*labels"):
            la.cross_kappa(make(x, labels=[0, 1]), make(y, labels=other))
        with pytest.raises(ValueError, match=r"x and y .*labels"):
            la.normalized_cross_kappa(make(x, labels=[0, 1]), make(y, labels=other))
    # one declares: the other's must be among them
    same(
        la.cross_kappa(make(x, labels=[0, 1]), make(y)),
        la.cross_kappa(make(x, labels=[0, 1]), make(y, labels=[0, 1])),
    )
    with pytest.raises(ValueError, match=r"label.*2"):
        la.cross_kappa(make(x, labels=[0, 1]), make(y + 1))


def test_declared_labels_in_another_order():
    """What differs is the order alone, so the message says that it counts."""
    x, y = ([["no", "no"], ["yes", "no"]], [["yes", "yes"], ["no", "no"]])
    x = la.Ratings.from_matrix(x, labels=["no", "yes"])
    y = la.Ratings.from_matrix(y, labels=["yes", "no"])
    for name in ("cross_kappa", "normalized_cross_kappa"):
        with pytest.raises(ValueError, match="the same labels in the same order"):
            getattr(la, name)(x, y)


# Items and labels that look alike --------------------------------------------------


def two_sided(x_items, y_items, n_labels=2):
    """Two replications of ten judgments each; names of their items as given."""
    rows = [[i % n_labels] * 2 for i in range(10)]
    return tuple(
        la.Ratings.from_matrix(pd.DataFrame(rows, index=items))
        for items in (x_items, y_items)
    )


NUMBERS = [*range(1, 11)]
TEXT = [str(i) for i in NUMBERS]
DAYS = pd.date_range("2021-03-01", periods=10)
NEVER_THE_SAME = [
    (NUMBERS, TEXT, "x has 1 (number), y has '1' (text)"),
    (TEXT, [f"{i} " for i in NUMBERS], "x has '1' (text), y has '1 ' (text)"),
    (DAYS, DAYS.strftime("%Y-%m-%d"), "(Timestamp), y has '2021-03-01' (text)"),
    (DAYS, DAYS.tz_localize("UTC"), "+0000', tz='UTC') (Timestamp)"),
    (NUMBERS, [(i, 0) for i in NUMBERS], "y has (1, 0) (tuple)"),
]


@pytest.mark.parametrize(("x", "y", "seen"), NEVER_THE_SAME, ids=range(5))
def test_no_item_in_common_shows_one_of_each(x, y, seen):
    x, y = two_sided(x, y)
    for name in ("cross_kappa", "normalized_cross_kappa"):
        found, messages = warned(getattr(la, name), x, y)
        assert isnan(found.value)
        (message,) = messages
        assert "no item was judged in both replications: x has" in message
        assert seen in message and seen in repr(found)


def test_items_that_are_partly_of_another_type():
    """One id that is no number makes a column of ids text: not in silence."""
    y = [*TEXT[:5], *NUMBERS[5:]]
    x, y = two_sided(NUMBERS, y)
    for name in ("cross_kappa", "normalized_cross_kappa"):
        found, messages = warned(getattr(la, name), x, y)
        told = "10 of 15 items dropped: not judged in both replications;"
        told += " x has 1 (number), y has '1' (text)"
        assert any(told in message for message in messages)
        assert told in found.dropped and told in repr(found)


def test_items_of_one_type_that_are_dropped_give_no_warning():
    x, y = map(la.Ratings.from_matrix, many(1, 200))
    x, y = x.on(range(150)), y.on(range(50, 200))
    found, messages = warned(la.cross_kappa, x, y)
    assert not messages
    expected = "100 of 200 items dropped: not judged in both replications"
    assert found.dropped == expected


@pytest.mark.parametrize("n", [2, 3])
def test_no_label_in_common_is_one_warning(n):
    words = ["Yes", "No", "Unsure"][:n]
    rows = [[word] * 2 for word in words] * 20
    x = la.Ratings.from_matrix(rows)
    y = la.Ratings.from_matrix([[word.lower() for word in row] for row in rows])
    found, (message,) = warned(la.cross_kappa, x, y)
    assert found.value == 0  # D_o = D_e = 1
    assert "no label of x is a label of y" in message
    assert "x has 'No' (text), y has 'no' (text)" in message
    assert all(map(isnan, quietly(found.interval)))
    # numbers on a scale need not coincide
    x, y = (la.Ratings.from_matrix(np.array([[1, 2], [4, 5]] * 9) + k) for k in (0, 9))
    assert not warned(la.cross_kappa, x, y, "interval")[1]


def test_no_label_in_common_of_two_labels_has_no_interval():
    x = la.Ratings.from_matrix([["yes"]] * 30)
    y = la.Ratings.from_matrix([["Yes"]] * 30)
    found, (message,) = warned(la.cross_kappa, x, y)
    assert found.value == 0 and "no label of x is a label of y" in message
    assert all(map(isnan, quietly(found.interval)))
    # on a scale, with two numbers, whatever the distance
    x, y = (la.Ratings.from_matrix([[k, k]] * 30) for k in (1, 2))
    found, (message,) = warned(la.cross_kappa, x, y, "interval")
    assert "no label of x is a label of y" in message
    assert all(map(isnan, quietly(found.interval)))


# Undefined ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "cause"),
    [
        ([["a"], ["a"]], [["a"], ["a"]], "every judgment is '?a'?"),
        ([["a", None], [None, "a"]], [["a"], ["a"]], "every judgment is '?a'?"),
        ([["a"], [None]], [[None], ["b"]], "no item was judged in both"),
    ],
)
def test_undefined_is_nan_and_says_why(x, y, cause):
    x, y = la.Ratings.from_matrix(x), la.Ratings.from_matrix(y)
    found, messages = warned(la.cross_kappa, x, y)
    assert len(messages) == 1 and re.search(f"undefined: {cause}", messages[0])
    assert isnan(found.value) and re.search(cause, found.undefined)
    with pytest.warns(UserWarning, match=cause):
        assert all(map(isnan, found.interval()))
    with pytest.warns(UserWarning, match=cause):
        assert isnan(found.standard_error)
    found, messages = warned(la.normalized_cross_kappa, x, y)
    assert isnan(found.value) and found.undefined
    assert f"undefined: {found.undefined}" in messages[-1]
    for method in ("fieller", "jackknife", "bootstrap"):
        ends, messages = warned(found.interval, method=method)
        assert all(map(isnan, ends))
        assert len(messages) == 1 and found.undefined in messages[0]


def test_no_item_in_common():
    x = la.Ratings.from_matrix(pd.DataFrame([[0, 1], [1, 1]], ["a", "b"]))
    y = la.Ratings.from_matrix(pd.DataFrame([[0, 1], [1, 1]], ["c", "d"]))
    with pytest.warns(UserWarning, match="undefined: no item was judged in both"):
        found = la.cross_kappa(x, y)
    assert isnan(found.value) and (found.n_items, found.n_ratings) == (0, 0)


def test_total_agreement_has_no_interval_by_the_jackknife():
    x, y = crossed({"aa": 30, "bb": 20})
    found = la.cross_kappa(x, y)
    assert found.value == 1 and found.standard_error == 0
    with pytest.warns(UserWarning, match="no interval"):
        assert all(map(isnan, found.interval(method="jackknife")))
    low, high = found.interval()
    assert 0.5 < low < high == 1


# Bootstrap, differences -----------------------------------------------------------


def test_bootstrap():
    x, y = map(la.Ratings.from_matrix, many(5, 200))
    for name in ("cross_kappa", "normalized_cross_kappa"):
        found = getattr(la, name)(x, y)
        ends = found.interval(method="bootstrap", seed=3)
        assert ends == found.interval(method="bootstrap", seed=3)
        assert ends != found.interval(method="bootstrap", seed=4)
        low, high = found.interval()
        assert ends[0] < found.value < ends[1]
        assert (ends[1] - ends[0]) / (high - low) == pytest.approx(1, abs=0.15)
        narrow = found.interval(0.5, method="bootstrap", seed=3)
        assert ends[0] < narrow[0] < narrow[1] < ends[1]


def test_bootstrap_is_percentiles_over_items():
    """Against items drawn here, many times: the ends agree to Monte Carlo error."""
    x, y = many(6, 120)
    a, b = tables_of(x, y, 2)
    rng = np.random.default_rng(1)
    draws = rng.integers(120, size=(4000, 120))
    values = [of_counts(a[d], b[d])[0] for d in draws]
    found = la.cross_kappa(la.Ratings.from_matrix(x), la.Ratings.from_matrix(y))
    ends = found.interval(method="bootstrap", repetitions=4000, seed=2)
    assert ends == pytest.approx(np.quantile(values, [0.025, 0.975]), abs=0.015)


def test_difference():
    """Of two replications from the same third, item by item."""
    x, y = many(8, 150, (2, 4), noise=0.5)
    y, z = y[:, :2], y[:, 2:]
    order = np.random.default_rng(0).permutation(150)
    make = la.Ratings.from_matrix
    a = la.cross_kappa(make(x), make(y))
    b = la.cross_kappa(make(pd.DataFrame(x).loc[order]), make(z))
    a_i, b_i = (
        np.array(
            [
                of_counts(*tables_of(*(np.delete(m, i, axis=0) for m in (x, w)), 2))[0]
                for i in range(150)
            ]
        )
        for w in (y, z)
    )
    found = la.difference(a, b)
    assert found.value == pytest.approx(a.value - b.value, rel=1e-11, abs=1e-12)
    assert found.standard_error == pytest.approx(errors_of(a_i - b_i), rel=1e-9)
    low, high = found.interval()
    assert low < found.value < high
    back = la.difference(b, a)
    assert back.value == pytest.approx(-found.value, rel=1e-11, abs=1e-12)
    assert back.standard_error == pytest.approx(found.standard_error, rel=1e-9)


def test_difference_between_distances():
    x, y = map(la.Ratings.from_matrix, many(9, 100, n_labels=3))
    a, b = (quietly(la.cross_kappa, x, y, d) for d in ("nominal", "interval"))
    found = la.difference(a, b)
    assert found.standard_error == pytest.approx(errors_of(a.without - b.without))


def test_difference_between_reliability_and_agreement():
    """Is kappa_x below the reliability of X? On the same items."""
    x, y = map(la.Ratings.from_matrix, many(3, 200))
    a, b = la.cross_kappa(x, y), la.cohen_kappa(x)
    found = la.difference(a, b)
    assert found.standard_error == pytest.approx(errors_of(a.without - b.without))


def test_difference_needs_the_same_items():
    x, y = many(4, 100)
    make = la.Ratings.from_matrix
    a, b = (la.cross_kappa(make(x[:n]), make(y)) for n in (100, 99))
    with pytest.raises(ValueError, match="items"):
        la.difference(a, b)


# Normalised -----------------------------------------------------------------------


def default_irr(judgments):
    """iota where every item that has a pair has the same raters, else alpha."""
    items = oracles.by_item(oracles.kept(judgments))
    raters = {frozenset(r for r, _ in given) for given in items.values()}
    return "janson_olsson_iota" if len(raters) == 1 else "krippendorff_alpha"


def reliability(name, judgments, distance):
    return oracles.agreement(name, judgments, distance).value


def parts(x, y, names, distances):
    """(kappa_x, sqrt(IRR_X IRR_Y)); None where either is undefined or not above 0."""
    k = cross(x, y, distances[0]).value
    irrs = [reliability(*each) for each in zip(names, (x, y), distances[1:])]
    if k is None or any(irr is None or irr <= 0 for irr in irrs):
        return None
    return float(k), sqrt(irrs[0]) * sqrt(irrs[1])


def normalised(x, y, names=None, distances=(oracles.nominal,) * 3):
    """{None: (k, g), item: (k, g) without it}, over the items that take part."""
    if names is None:
        names = default_irr(x), default_irr(y)
    used = {*shared(x, y)}.union(*(oracles.by_item(oracles.kept(j)) for j in (x, y)))
    of = {None: parts(x, y, names, distances)}
    for i in used:
        rest = (oracles.without(j, i) for j in (x, y))
        of[i] = parts(*rest, names, distances)
    return of


def check_normalised(call, exact):
    found, messages = warned(call)
    assert isinstance(found, la.Agreement)
    assert all(isnan(getattr(found, part)) for part in PARTS)
    if exact[None] is None:
        assert any("undefined" in message for message in messages)
        assert isnan(found.value) and found.undefined
        return None
    k, g = exact[None]
    assert found.value == pytest.approx(k / g, rel=1e-10, abs=1e-12)
    assert found.n_items == len(exact) - 1
    left = [v for i, v in exact.items() if i is not None]
    if None in left:
        with pytest.warns(UserWarning, match="standard error|undefined"):
            assert isnan(found.standard_error)
        return None
    error = errors_of([k / g for k, g in left])
    assert found.standard_error == pytest.approx(error, rel=1e-9, abs=1e-12)
    return found


NORMALISED = [
    (seed, 10 + seed % 6, (2 + seed % 2, 2 + seed // 2 % 2), [1, 2, 4][: 2 + seed % 2],
     0.25 * (seed % 3 > 0))
    for seed in range(200, 218)
]  # fmt: skip


@pytest.mark.parametrize("case", NORMALISED, ids=str)
def test_normalised(case):
    """Eq. 13 with the default reliability; the jackknife over all who take part."""
    x, y = replications(*case, noise=0.2)
    x = [j for j in x if j[0] not in ("item 1", "item 4")]  # these are Y's alone
    y = [j for j in y if j[0] not in ("item 0", "item 3", "item 6")]
    labels = case[3]
    exact = normalised(x, y)
    both = ratings(x, labels), ratings(y, labels)
    check_normalised(partial(la.normalized_cross_kappa, *both), exact)


def test_enough_of_the_normalised_cases_are_defined():
    defined, names = 0, Counter()
    for case in NORMALISED:
        x, y = replications(*case, noise=0.2)
        y = [j for j in y if j[0] not in ("item 0", "item 3", "item 6")]
        names.update([default_irr(x), default_irr(y)])
        defined += None not in normalised(x, y).values()
    assert defined >= 8 and min(names.values()) >= 10


@pytest.mark.parametrize("name", ["ordinal", "interval", "ratio"])
@pytest.mark.parametrize("seed", range(4))
def test_normalised_distances(seed, name):
    """Ordinal: ranks of both in kappa_x, of its own in each reliability."""
    labels = [1, 2, 4, 7]
    x, y = replications(seed, 12, (2, 3), labels, 0.15 * (seed % 2), noise=0.25)
    if name == "ordinal":
        distances = [pooled_ranks(x, y, labels)]
        distances += [oracles.ordinal(side, labels) for side in (x, y)]
    else:
        distances = [getattr(oracles, name)] * 3
    exact = normalised(x, y, distances=distances)
    both = ratings(x, labels), ratings(y, labels)
    check_normalised(partial(la.normalized_cross_kappa, *both, name), exact)


def without_one_label(seed, labels):
    """X without the first label, Y without the last: the two sets differ."""
    x, y = replications(seed, 12, (2, 3), labels, noise=0.2)
    x = [(*j[:2], labels[1] if j[2] == labels[0] else j[2]) for j in x]
    return x, [(*j[:2], labels[1] if j[2] == labels[-1] else j[2]) for j in y]


@pytest.mark.parametrize("kind", ["array", "frame", "callable"])
@pytest.mark.parametrize("seed", [3, 4, 6])
def test_normalised_with_labels_of_one_side_only(seed, kind):
    """A matrix over the labels of both serves each reliability too."""
    labels = [1, 2, 4, 7]
    x, y = without_one_label(seed, labels)
    table = [[abs(a - b) ** 0.5 for b in labels] for a in labels]
    distance = {
        "array": table,
        "frame": pd.DataFrame(table, labels, labels),
        "callable": lambda a, b: abs(a - b) ** 0.5,
    }[kind]
    exact = normalised(x, y, distances=[oracles.matrix(labels, table)] * 3)
    both = ratings(x), ratings(y)
    assert [*both[0].labels] != [*both[1].labels]
    call = partial(la.normalized_cross_kappa, *both, distance)
    assert check_normalised(call, exact) is not None


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("seed", [3, 4, 6])
def test_normalised_with_an_order_that_one_side_declares(seed, swapped):
    order = ["low", "mid", "high", "top"]
    x, y = without_one_label(seed, order)
    distances = [pooled_ranks(x, y, order)]
    distances += [oracles.ordinal(side, order) for side in (x, y)]
    exact = normalised(x, y, distances=distances)
    both = [ratings(x, order), ratings(y)]
    if swapped:
        both.reverse()
    call = partial(la.normalized_cross_kappa, *both, "ordinal")
    assert check_normalised(call, exact) is not None


def test_the_reliability_knows_the_labels_of_both():
    x, y = without_one_label(0, [1, 2, 4])
    seen = []

    def irr(r):
        seen.append([*r.labels])
        return la.krippendorff_alpha(r)

    quietly(la.normalized_cross_kappa, ratings(x), ratings(y), irr=irr)
    assert seen == [[1, 2, 4]] * 2
    # Ratings whose labels are those of both are given as they are
    given = [ratings(x, [1, 2, 4]), ratings(y, [1, 2, 4])]
    seen.clear()

    def same_irr(r):
        seen.append(any(r is one for one in given))
        return la.krippendorff_alpha(r)

    quietly(la.normalized_cross_kappa, *given, irr=same_irr)
    assert seen == [True, True]


@pytest.mark.parametrize("which", ["x", "y"])
def test_a_reliability_of_other_items_is_refused(which):
    x, y = map(la.Ratings.from_matrix, many(3, 60))
    other = pd.DataFrame(many(4, 100)[0], [f"other {i}" for i in range(100)])
    foreign = la.cohen_kappa(la.Ratings.from_matrix(other))
    of = {"x": foreign, "y": la.cohen_kappa(y)}
    if which == "y":
        of = {"x": la.cohen_kappa(x), "y": foreign}
    answers = iter(of.values())
    with pytest.raises(
        ValueError, match=f"^irr must be .*'other 0'.*those of {which}$"
    ):
        la.normalized_cross_kappa(x, y, irr=lambda r: next(answers))


@pytest.mark.parametrize("irr", ["krippendorff_alpha", "fleiss_kappa", "bennett_s"])
def test_normalised_with_another_reliability(irr):
    labels = [1, 2]
    x, y = replications(14, 14, (2, 3), labels, 0.1, noise=0.2)
    x = [j for j in x if j[0] not in ("item 1", "item 4")]
    y = [j for j in y if j[0] not in ("item 0", "item 3")]
    names = (irr, irr)
    exact = normalised(x, y, names)
    both = ratings(x, labels), ratings(y, labels)
    call = partial(la.normalized_cross_kappa, *both, irr=getattr(la, irr))
    assert check_normalised(call, exact) is not None


def test_the_reliability_is_asked_of_each_replication():
    """irr gets Ratings of its own items."""
    x, y = many(12, 60)
    make = la.Ratings.from_matrix
    x, y = make(pd.DataFrame(x).iloc[:50]), make(pd.DataFrame(y).iloc[10:])
    asked = []

    def irr(r):
        found = la.fleiss_kappa(r)
        asked.append(found.n_items)
        return found

    found = quietly(la.normalized_cross_kappa, x, y, irr=irr)
    assert asked[:2] == [50, 50] and found.n_items == 60
    k = quietly(la.cross_kappa, x, y)
    g = sqrt(la.fleiss_kappa(x).value * la.fleiss_kappa(y).value)
    assert found.value == pytest.approx(k.value / g, rel=1e-11, abs=1e-12)


def test_default_reliability():
    """Raters of dropped items do not count; anonymous raters leave alpha."""
    x, y = many(13, 100, (3, 3), noise=0.3)
    y[:, 2] += y[:, 0] == 1  # a label that the others lack: iota and alpha differ
    y = np.minimum(y, 1)
    make = la.Ratings.from_matrix
    k = la.cross_kappa(make(x), make(y)).value
    iota, alpha = la.janson_olsson_iota, la.krippendorff_alpha
    expected = k / sqrt(iota(make(x)).value * iota(make(y)).value)
    found = la.normalized_cross_kappa(make(x), make(y))
    assert found.value == pytest.approx(expected, rel=1e-11, abs=1e-12)
    assert abs(iota(make(y)).value - alpha(make(y)).value) > 1e-3
    # one item that another rater judged, alone: dropped, so still iota
    z = np.full((101, 4), np.nan)
    z[:100, :3], z[100, 3] = y, 1
    found = quietly(la.normalized_cross_kappa, make(x), make(z))
    assert found.value == pytest.approx(expected, rel=1e-11, abs=1e-12)
    # one judgment missing: alpha, for this replication alone
    z = y.copy()
    z[17, 1] = np.nan
    k = la.cross_kappa(make(x), make(z)).value
    expected = k / sqrt(iota(make(x)).value * alpha(make(z)).value)
    found = la.normalized_cross_kappa(make(x), make(z))
    assert found.value == pytest.approx(expected, rel=1e-11, abs=1e-12)
    # anonymous
    counts = np.stack([(y == c).sum(axis=1) for c in (0, 1)], 1)
    k = la.cross_kappa(make(x), make(y)).value
    expected = k / sqrt(iota(make(x)).value * alpha(make(y)).value)
    found = la.normalized_cross_kappa(make(x), la.Ratings.from_counts(counts))
    assert found.value == pytest.approx(expected, rel=1e-11, abs=1e-12)


def moments(k, g, left):
    """Jackknife variances and covariance of (k, g) from the leave-one-out values."""
    left = np.asarray(left, dtype=float)
    apart = left - left.mean(axis=0)
    return (len(left) - 1) / len(left) * apart.T @ apart


def fieller(k, g, V, confidence):  # noqa: N803
    """The t with (k - t g)^2 <= z^2 Var(k - t g): by root finding, out from k / g.

    (-inf, inf) where the set is not one bounded interval.
    """
    z = norm.ppf((1 + confidence) / 2)

    def over(t):
        return (k - t * g) ** 2 - z**2 * (V[0, 0] - 2 * t * V[0, 1] + t**2 * V[1, 1])

    if g**2 <= z**2 * V[1, 1]:  # far out the set holds every t
        return -inf, inf
    ends = []
    for side in (-1, 1):
        step = 1e-3
        while over(k / g + side * step) <= 0:
            step *= 2
        ends.append(brentq(over, k / g, k / g + side * step, xtol=1e-13))
    return tuple(ends)


@cache
def recomputed(seed, n_items, noise, missing, n_labels):
    """(X, Y, k, g, jackknife covariances), each leave-one-out anew."""
    x, y = many(seed, n_items, (2, 2), n_labels, noise, missing)
    every = np.arange(n_items)

    def both(keep):
        return (la.Ratings.from_matrix(m[keep]) for m in (x, y))

    def values(keep):
        a, b = both(keep)
        k = quietly(la.cross_kappa, a, b).value
        irrs = [la.krippendorff_alpha(r).value for r in (a, b)]
        return k, sqrt(irrs[0]) * sqrt(irrs[1]) if min(irrs) > 0 else None

    k, g = values(every)
    left = [values(np.delete(every, i)) for i in every]
    return (*both(every), k, g, moments(k, g, left))


FIELLER = [  # (seed, items, noise, share missing, labels), and what it comes to
    (0, 200, 0.3, 0.0, 2, "bounded"),
    (1, 150, 0.5, 0.0, 2, "bounded"),
    (2, 150, 0.4, 0.1, 3, "bounded"),
    (3, 100, 0.5, 0.0, 3, "bounded"),
    (2, 60, 0.7, 0.0, 2, "two pieces"),
    (1, 100, 0.7, 0.0, 2, "two pieces"),
    (4, 60, 0.7, 0.0, 2, "whole line"),
    (3, 100, 0.7, 0.0, 2, "whole line"),
]


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize(("case", "kind"), [(c[:-1], c[-1]) for c in FIELLER], ids=str)
def test_fieller(case, kind, confidence):
    x, y, k, g, V = recomputed(*case)  # noqa: N806
    found = quietly(la.normalized_cross_kappa, x, y, irr=la.krippendorff_alpha)
    assert found.value == pytest.approx(k / g, rel=1e-11, abs=1e-12)
    expected = fieller(k, g, V, confidence)
    (low, high), messages = warned(found.interval, confidence, "fieller")
    if confidence == 0.95:
        assert (expected == (-inf, inf)) == (kind != "bounded")
    if expected == (-inf, inf):
        assert (low, high) == expected
        assert len(messages) == 1
        assert re.search("too uncertain|unbounded", messages[0])
    else:
        assert (low, high) == pytest.approx(expected, rel=1e-6, abs=1e-7)
        assert not messages
    if confidence == 0.95:  # as printed
        reason = "unbounded, since the reliability that it is divided by is too uncerta"
        assert (reason in repr(found)) == (kind != "bounded")


def test_fieller_over_items_of_one_replication():
    """Items that only one replication has move its reliability and not kappa_x."""
    x, y = many(20, 160, noise=0.35)
    mine, other = np.arange(0, 120), np.arange(40, 160)
    frames = pd.DataFrame(x).iloc[mine], pd.DataFrame(y).iloc[other]

    def values(left_out=None):
        a, b = (la.Ratings.from_matrix(f[f.index != left_out]) for f in frames)
        k = quietly(la.cross_kappa, a, b).value
        return k, sqrt(la.cohen_kappa(a).value * la.cohen_kappa(b).value)

    k, g = values()
    left = [values(i) for i in range(160)]
    found = quietly(la.normalized_cross_kappa, *map(la.Ratings.from_matrix, frames))
    assert found.n_items == 160 and found.n_ratings == 480
    assert found.value == pytest.approx(k / g, rel=1e-11, abs=1e-12)
    error = errors_of([k / g for k, g in left])
    assert found.standard_error == pytest.approx(error, rel=1e-8)
    expected = fieller(k, g, moments(k, g, left), 0.95)
    assert found.interval(method="fieller") == pytest.approx(expected, rel=1e-6)


def test_normalised_beyond_one_has_an_interval():
    """1 is nothing special for a ratio of estimates."""
    x, y = many(1, 300, noise=0.4)
    for seed in range(20):
        x, y = many(seed, 300, noise=0.4)
        found = la.normalized_cross_kappa(
            la.Ratings.from_matrix(x), la.Ratings.from_matrix(y)
        )
        if found.value > 1:
            low, high = found.interval()
            assert low < 1 < found.value < high
            return
    pytest.fail("none of the samples is beyond 1")


def test_normalised_two_alike_replications():
    """Y is X: kappa_x exceeds the reliability, for raters agree with themselves."""
    x, _ = many(2, 200)
    r = la.Ratings.from_matrix(x)
    found = la.normalized_cross_kappa(r, r)
    k, irr = la.cross_kappa(r, r).value, la.cohen_kappa(r).value
    assert found.value == pytest.approx(k / irr, rel=1e-11, abs=1e-12) and k > irr


def test_reliability_that_is_not_above_zero():
    """Both below 0 would have a square root together: undefined all the same."""
    opposed = [[0, 1], [1, 0]] * 20 + [[0, 0], [1, 1]] * 5
    alike = [[0, 0], [1, 1]] * 20 + [[0, 1], [1, 0]] * 5
    below, above = la.Ratings.from_matrix(opposed), la.Ratings.from_matrix(alike)
    assert la.cohen_kappa(below).value < 0 < la.cohen_kappa(above).value
    for x, y in [(below, above), (above, below), (below, below)]:
        which = "x" if x is below else "y"
        told = rf"undefined: .*reliability of {which} .* is -0.6"
        with pytest.warns(UserWarning, match=told):
            found = la.normalized_cross_kappa(x, y)
        assert isnan(found.value) and found.undefined
        with pytest.warns(UserWarning, match="no interval"):
            assert all(map(isnan, found.interval()))
    # exactly 0
    zero = la.Ratings.from_matrix([[0, 0], [0, 1], [1, 0], [1, 1]] * 12)
    assert la.cohen_kappa(zero).value == 0
    with pytest.warns(UserWarning, match="undefined"):
        assert isnan(la.normalized_cross_kappa(zero, la.Ratings.from_matrix(
            alike[:48])).value)  # fmt: skip
    # a reliability that is itself undefined: one judgment an item
    single = la.Ratings.from_matrix([row[:1] for row in alike])
    told = "undefined: the reliability of y .* no item has two judgments"
    with pytest.warns(UserWarning, match=told):
        assert isnan(la.normalized_cross_kappa(above, single).value)


def test_an_undefined_normalised_value_says_that_alone():
    """Rare labels do not matter to a value that is not there."""
    x, y = crossed({"11": 4, "10": 6, "01": 6, "00": 84})  # J = 4
    found, messages = warned(la.normalized_cross_kappa, x, y)
    assert isnan(found.value) and len(messages) == 1
    assert "reliability of x" in messages[0]


def test_what_the_normalised_value_drops_is_cross_kappas():
    """Items of one replication do take part: in its reliability."""
    x, y = (pd.DataFrame(m) for m in many(20, 160, noise=0.35))
    make = la.Ratings.from_matrix
    found = quietly(la.normalized_cross_kappa, make(x[:120]), make(y[40:]))
    told = "160 items, 480 judgments; for cross-kappa, 80 of 160 items dropped"
    assert told in repr(found)


def test_no_standard_error_is_said_in_print():
    """Two alike items and more of them: nothing changes without any."""
    x = la.Ratings.from_matrix([[0, 0], [1, 1]] * 20)
    found = la.normalized_cross_kappa(x, x)
    assert found.value == 1 and found.standard_error == 0
    with pytest.warns(UserWarning, match="no interval: the standard error is 0"):
        assert all(map(isnan, found.interval(method="fieller")))


# Left as they are -----------------------------------------------------------------


def test_the_ratings_are_left_alone():
    x, y = many(30, 40)
    x, y = x.copy(), y.copy()
    before = x.copy(), y.copy()
    a, b = la.Ratings.from_matrix(x), la.Ratings.from_matrix(y)
    counts = a.counts.copy(), b.counts.copy()
    quietly(la.normalized_cross_kappa, a, b, "ordinal")
    assert (x == before[0]).all() and (y == before[1]).all()
    assert (a.counts == counts[0]).all() and (b.counts == counts[1]).all()


def test_order_of_items_and_raters_does_not_matter():
    rng = random.Random(5)
    x, y = replications(31, 50, (3, 2), [1, 2, 4], 0.2, noise=0.3)
    first = quietly(la.normalized_cross_kappa, ratings(x), ratings(y))
    rng.shuffle(x)
    rng.shuffle(y)
    again = quietly(la.normalized_cross_kappa, ratings(x), ratings(y))
    assert again.value == pytest.approx(first.value, rel=1e-11, abs=1e-12)
    assert again.standard_error == pytest.approx(
        first.standard_error, rel=1e-11, abs=1e-12
    )
    ends = [quietly(each.interval) for each in (first, again)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)
