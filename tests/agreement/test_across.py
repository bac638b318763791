"""cross_kappa: Eq. 6-11 by brute force, joins, and what is said of them."""

import re
from functools import partial
from math import isnan

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import check, check_error, close, parts, quietly, ratings, warned
from replications import LABELS, by_pairs, crossed, many, replicated, two

TABLE = [[0, 1, 0.5, 2], [1, 0, 3, 1], [0.5, 3, 0, 0.25], [2, 1, 0.25, 0]]
SHAPES = [  # seed, items, raters of X and of Y, labels, share missing
    (0, 6, (1, 1), 2, 0.0),
    (1, 8, (2, 1), 3, 0.0),
    (2, 9, (2, 3), 4, 0.3),
    (3, 10, (1, 3), 4, 0.5),
    (5, 40, (2, 2), 2, 0.1),  # most items are alike
    (4, 3, (1, 1), 1, 0.0),  # undefined
]


def left_out(exact, judgments):
    items = oracles.by_item(oracles.crossing(judgments))
    return oracles.leave_one_out(lambda rest: exact(rest).value, judgments, items)


def counted(judgments, labels):
    """Who judged does not matter: a table of counts does as well."""
    items = oracles.by_item(judgments)
    table = [[sum(c == k for _, c in item) for k in labels] for item in items.values()]
    return la.Ratings.from_counts(pd.DataFrame(table, [*items], labels))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval", "ratio", "given"])
def test_every_pair_of_judgments(name, shape):
    judgments = replicated(*shape)
    if name == "given":
        far, given = oracles.matrix(LABELS, TABLE), [
            TABLE,
            pd.DataFrame(TABLE, LABELS, LABELS),
            lambda a, b: TABLE[LABELS.index(a)][LABELS.index(b)],
        ]  # fmt: skip
    else:
        far, given = by_pairs(name, judgments), [name]
    exact = partial(oracles.cross_kappa, distance=far)
    left = left_out(exact, judgments)
    agrees = name in ("nominal", "ratio")
    items = [item for item, _, _ in judgments]
    for distance in given:
        for build in (ratings, counted):
            x, y = two(judgments, LABELS, build)
            for sides in ((x, y), (y, x)):
                call = partial(la.cross_kappa, *sides, distance)
                check(call, exact(judgments), left, agrees, len({*items}))


def test_enough_of_the_shapes_are_defined():
    judged = [replicated(*shape) for shape in SHAPES]
    errors = [oracles.jackknife(left_out(oracles.cross_kappa, j).values())
              for j in judged]  # fmt: skip
    assert sum(map(bool, errors)) >= 5
    assert sum(len(oracles.crossing(j)) < len(j) for j in judged) >= 2


@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval"])
def test_labels_that_are_real_numbers(name):
    """None twice, far from 0: no table of labels by labels."""
    rng = np.random.default_rng(3)
    numbers = (1e6 + rng.normal(size=60)).tolist()
    judgments = [
        (f"item {i // 5}", f"{'xxyyy'[i % 5]} {i % 5}", label)
        for i, label in enumerate(numbers)
    ]
    far = by_pairs(name, judgments, sorted(numbers))
    exact = partial(oracles.cross_kappa, distance=far)
    call = partial(la.cross_kappa, *two(judgments), name)
    found = quietly(call)
    assert found.value == pytest.approx(float(exact(judgments).value), abs=1e-9)
    error = oracles.jackknife(left_out(exact, judgments).values())
    assert found.standard_error == pytest.approx(error, rel=1e-7)


@pytest.mark.parametrize("name", ["nominal", "interval"])
def test_a_cluster_leaves_both_replications_at_once(name):
    judgments = replicated(7, 20, (2, 2), 3)
    cluster = {f"item {i}": f"document {i % 7 % 4}" for i in range(20)}
    far = by_pairs(name, judgments)
    left = []
    for one in {*cluster.values()}:
        rest = [j for j in judgments if cluster[j[0]] != one]
        left.append(oracles.cross_kappa(rest, far).value)

    def build(side, labels, named):
        columns = ["item", "rater", "label"]
        frame = pd.DataFrame(side, columns=columns)
        frame["document"] = frame["item"].map(cluster)
        of = "document" if named else None
        return la.Ratings.from_long(frame, labels=labels, cluster=of)

    for given in ((True, False), (False, True), (True, True)):
        sides = [
            build(oracles.side(judgments, side), LABELS, named)
            for side, named in zip("xy", given)
        ]
        found = quietly(la.cross_kappa, *sides, name)
        check_error(found, oracles.jackknife(left))
        assert found.n_clusters == 4


def same(a, b):
    for get in (parts, lambda a: [a.value, a.standard_error, a.n_items, a.n_ratings]):
        assert quietly(get, a) == close(quietly(get, b))
    assert quietly(a.interval) == close(quietly(b.interval))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_labels", [2, 3, 5])
def test_one_judgment_an_item_is_cohens_kappa(seed, n_labels):
    """The paper's section 3.2; with gaps: value, standard error and interval."""
    x, y = (side.astype(float) for side in many(seed, 250, (1, 1), n_labels, 0.5))
    x[:9], y[5:15] = np.nan, np.nan
    labels = [*range(n_labels)]
    r = la.Ratings.from_matrix(np.hstack([x, y]), labels)
    both = [la.Ratings.from_matrix(side, labels) for side in (x, y)]
    same(quietly(la.cross_kappa, *both), la.cohen_kappa(r))
    table = np.abs(np.subtract.outer(labels, labels)) ** 0.7
    same(quietly(la.cross_kappa, *both, table), la.weighted_kappa(r, table))
    squares = quietly(la.cross_kappa, *both, "interval")
    assert squares.value == close(la.weighted_kappa(r, "quadratic").value)


def test_cohens_kappa_of_a_printed_table():
    """Artstein 2007, slide 16: 44, 6, 6, 44."""
    found = la.cross_kappa(*crossed({"AA": 44, "AB": 6, "BA": 6, "BB": 44}))
    assert (found.value, found.observed) == pytest.approx((0.76, 0.88))
    assert found.expected == pytest.approx(0.5)


# Joins and labels -------------------------------------------------------------------


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

    def rows(m, items):
        return ratings([(names[i], r, m[i, r]) for i in items for r in range(2)])

    found = la.cross_kappa(rows(x, range(50)), rows(y, order[order >= 10]))
    plain = la.cross_kappa(*(la.Ratings.from_matrix(m[10:50]) for m in (x, y)))
    same(found, plain)
    assert "20 of 60 items" in found.dropped and found.dropped in repr(found)
    assert not plain.dropped


def test_labels_that_nobody_declared_are_those_of_both():
    x, y = crossed({"aa": 20, "ab": 3, "bb": 15, "bc": 4, "dc": 2})
    assert [*x.labels] == ["a", "b", "d"] and [*y.labels] == ["a", "b", "c"]
    found = quietly(la.cross_kappa, x, y)
    assert found.observed == pytest.approx(35 / 44)
    by_hand = (23 * 20 + 19 * 18) / 44**2  # a and b; c and d are in one only
    assert found.expected == pytest.approx(by_hand)
    table = pd.DataFrame(1 - np.eye(4), list("abcd"), list("abcd"))
    same(quietly(la.cross_kappa, x, y, table), found)


@pytest.mark.parametrize("name", ["cross_kappa", "normalized_cross_kappa"])
def test_declared_labels_must_agree(name):
    x, y = many(0, 50)
    make, call = la.Ratings.from_matrix, getattr(la, name)
    for other in ([0, 1, 2], [1, 0]):
        order = " in the same order" * (len(other) == 2)
        with pytest.raises(ValueError, match=rf"x and y .*same labels{order}"):
            call(make(x, labels=[0, 1]), make(y, labels=other))
    # one declares: the other's must be among them
    one = call(make(x, labels=[0, 1]), make(y))
    assert one.value == call(make(x, labels=[0, 1]), make(y, labels=[0, 1])).value
    with pytest.raises(ValueError, match=r"label.*2"):
        call(make(x, labels=[0, 1]), make(y + 1))


NUMBERS = [*range(1, 11)]
TEXT = [str(i) for i in NUMBERS]
DAYS = pd.date_range("2021-03-01", periods=10)
NEVER_THE_SAME = [
    (NUMBERS, TEXT, "x has 1 (number), y has '1' (text)"),
    (TEXT, [f"{i} " for i in NUMBERS], "x has '1' (text), y has '1 ' (text)"),
    (DAYS, DAYS.strftime("%Y-%m-%d"), "(Timestamp), y has '2021-03-01' (text)"),
    (NUMBERS, [*TEXT[:5], *NUMBERS[5:]], "x has 1 (number), y has '1' (text)"),
]


@pytest.mark.parametrize(("x", "y", "seen"), NEVER_THE_SAME, ids=range(4))
@pytest.mark.parametrize("name", ["cross_kappa", "normalized_cross_kappa"])
def test_items_that_look_alike_are_shown(name, x, y, seen):
    """None is the same; or some are, and one id that is no number made others text."""
    times = 2 if name.startswith("normal") else 1  # judgments of an item
    rows = [[i % 2] * times for i in range(10)]
    sides = [la.Ratings.from_matrix(pd.DataFrame(rows, items)) for items in (x, y)]
    found, told = warned(getattr(la, name), *sides)
    assert any(seen in message for message in told) and seen in repr(found)
    assert isnan(found.value) == (y is not NEVER_THE_SAME[-1][1])


def test_no_label_in_common_is_one_warning():
    rows = [[word] * 2 for word in ("Yes", "No")] * 20
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
    # but two of them, one each, say nothing
    x, y = (la.Ratings.from_matrix([[k, k]] * 30) for k in (1, 2))
    found, (message,) = warned(la.cross_kappa, x, y, "interval")
    assert "no label of x is a label of y" in message
    assert all(map(isnan, quietly(found.interval)))


# Undefined, bootstrap, differences --------------------------------------------------


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
    found, told = warned(la.cross_kappa, x, y)
    assert len(told) == 1 and re.search(f"undefined: {cause}", told[0])
    assert isnan(found.value) and re.search(cause, found.undefined)
    for ask in (found.interval, lambda: [found.standard_error]):
        with pytest.warns(UserWarning, match=cause):
            assert all(map(isnan, ask()))
    found, told = warned(la.normalized_cross_kappa, x, y)
    assert isnan(found.value) and f"undefined: {found.undefined}" in told[-1]
    for method in ("fieller", "jackknife", "bootstrap"):
        ends, told = warned(found.interval, method=method)
        assert all(map(isnan, ends))
        assert len(told) == 1 and found.undefined in told[0]


def test_the_bootstrap_is_percentiles_over_items():
    """Against items drawn here, many times: the ends agree to Monte Carlo error."""
    x, y = many(6, 120)
    rng = np.random.default_rng(1)

    def value(x, y):
        d_o = (x[:, :, None] != y[:, None, :]).mean()
        return 1 - d_o / (x.mean() * (1 - y.mean()) + y.mean() * (1 - x.mean()))

    drawn = [value(x[d], y[d]) for d in rng.integers(120, size=(4000, 120))]
    found = la.cross_kappa(la.Ratings.from_matrix(x), la.Ratings.from_matrix(y))
    ends = found.interval(method="bootstrap", repetitions=4000, seed=2)
    assert ends == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.015)
    assert ends == found.interval(method="bootstrap", repetitions=4000, seed=2)


def test_differences():
    """Of two replications from the same third, of distances, from a reliability."""
    judgments = replicated(8, 30, (2, 4), 2, noise=0.5)
    first, second = "y 0", "y 1"
    near = [j for j in judgments if j[1][0] == "x" or j[1] in (first, second)]
    other = [j for j in judgments if j[1] not in (first, second)][::-1]
    own = oracles.side(judgments, "x")
    squares = partial(oracles.cross_kappa, distance=oracles.interval)
    kappa = partial(oracles.agreement, "cohen_kappa")
    a = la.cross_kappa(*two(near))
    for exact, rest, b in (
        (oracles.cross_kappa, other, la.cross_kappa(*two(other))),
        (squares, near, la.cross_kappa(*two(near), "interval")),
        (kappa, own, la.cohen_kappa(ratings(own))),
    ):
        left = left_out(oracles.cross_kappa, near)
        values = oracles.leave_one_out(lambda rest: exact(rest).value, rest)  # noqa: B023
        found = la.difference(a, b)
        exactly = oracles.cross_kappa(near).value - exact(rest).value
        assert found.value == close(float(exactly))
        check_error(found, oracles.jackknife(left[i] - values[i] for i in left))
