"""cross_kappa: what test_brute_force.py does not say of it: joins, words, edges."""

import re
from math import isnan

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from agreement_helpers import quietly, ratings, same, warned
from replications import crossed, many

matrix = la.Ratings.from_matrix


@pytest.mark.parametrize(
    "sizes", [((3, 3), (1, 3)), ((1, 3), (3, 3)), ((2, 5), (1, 2))]
)
def test_counts_are_as_their_judgments(sizes):
    """Also where the one has as many judgments on every item, the other has not."""
    rng = np.random.default_rng(7)
    m = [rng.integers(a, b + 1, 200) for a, b in sizes]
    yes = [rng.binomial(k, 0.4) for k in m]
    rows = [[[1] * y + [0] * (k - y) + [None] * (5 - k) for y, k in zip(*one)]
            for one in zip(yes, m)]  # fmt: skip
    counts = [la.Ratings.from_counts(np.stack([k - y, y], 1)) for y, k in zip(yes, m)]
    found = la.cross_kappa(*counts)
    same(found, la.cross_kappa(*(matrix(pd.DataFrame(one)) for one in rows)))
    assert found.n_ratings == sum(map(sum, m))


# Joins and labels -------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["item {}".format, lambda i: (f"clip {i // 7}", i % 7), lambda i: 7 * i + 3]
)
def test_join_on_items(name):
    """In another order; items of one replication only are dropped, and said."""
    x, y = many(1, 60, (2, 2), 2, 0.2)
    order = np.random.default_rng(4).permutation(60)

    def rows(m, items):
        return ratings([(name(i), r, m[i, r]) for i in items for r in range(2)])

    found = la.cross_kappa(rows(x, range(50)), rows(y, order[order >= 10].tolist()))
    plain = la.cross_kappa(*(matrix(m[10:50]) for m in (x, y)))
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


@pytest.mark.parametrize("call", [la.cross_kappa, la.normalized_cross_kappa])
def test_declared_labels_must_agree(call):
    x, y = many(0, 50)
    for other in ([0, 1, 2], [1, 0]):
        order = " in the same order" * (len(other) == 2)
        with pytest.raises(ValueError, match=rf"x and y .*same labels{order}"):
            call(matrix(x, labels=[0, 1]), matrix(y, labels=other))
    # one declares: the other's must be among them
    one = call(matrix(x, labels=[0, 1]), matrix(y))
    assert one.value == call(matrix(x, labels=[0, 1]), matrix(y, labels=[0, 1])).value
    with pytest.raises(ValueError, match=r"label.*2"):
        call(matrix(x, labels=[0, 1]), matrix(y + 1))


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
@pytest.mark.parametrize("call", [la.cross_kappa, la.normalized_cross_kappa])
def test_items_that_look_alike_are_shown(call, x, y, seen):
    """None is the same; or some are, and one id that is no number made others text."""
    rows = [[i % 2] * 2 for i in range(10)]
    found, told = warned(call, *(matrix(pd.DataFrame(rows, of)) for of in (x, y)))
    assert any(seen in message for message in told) and seen in repr(found)
    assert isnan(found.value) == (y is not NEVER_THE_SAME[-1][1])


def test_no_label_in_common_is_one_warning():
    x, y = (matrix([[word] * 2 for word in words] * 20)
            for words in (["Yes", "No"], ["yes", "no"]))  # fmt: skip
    found, (message,) = warned(la.cross_kappa, x, y)
    assert found.value == 0  # D_o = D_e = 1
    assert "no label of x is a label of y" in message
    assert "x has 'No' (text), y has 'no' (text)" in message
    assert all(map(isnan, quietly(found.interval)))
    # numbers on a scale need not coincide
    x, y = (matrix(np.array([[1, 2], [4, 5]] * 9) + k) for k in (0, 9))
    assert not warned(la.cross_kappa, x, y, "interval")[1]
    # but two of them, one each, say nothing
    x, y = (matrix([[k, k]] * 30) for k in (1, 2))
    found, (message,) = warned(la.cross_kappa, x, y, "interval")
    assert "no label of x is a label of y" in message
    assert all(map(isnan, quietly(found.interval)))


@pytest.mark.parametrize(
    ("x", "y", "cause"),
    [
        ([["a"], ["a"]], [["a"], ["a"]], "every judgment is '?a'?"),
        ([["a", None], [None, "a"]], [["a"], ["a"]], "every judgment is '?a'?"),
        ([["a"], [None]], [[None], ["b"]], "no item was judged in both"),
    ],
)
def test_undefined_is_nan_and_says_why(x, y, cause):
    x, y = matrix(x), matrix(y)
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
