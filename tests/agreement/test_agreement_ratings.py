"""Ratings: the ways in, labels and their order, what is left alone, what is said."""

import re

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from agreement_helpers import COLUMNS, long, quietly, warned
from known import known

R = la.Ratings
NAN = float("nan")
ROWS = [["a", "a", "b"], ["b", "b", "b"], ["a", None, "a"], ["c", "a", "c"]]


def table(r):
    """{item: {label: judgments}} without zeros."""
    return {
        item: {label: int(n) for label, n in zip(r.labels, row) if n}
        for item, row in zip(r.items, np.asarray(r.counts))
    }


# Names ------------------------------------------------------------------------------


def test_names_of_a_frame_are_those_of_items_raters_and_labels():
    frame = pd.DataFrame(ROWS, index=[*"pqrs"], columns=["ann", "bob", "cat"])
    r = R.from_matrix(frame)
    assert [*r.items] == [*"pqrs"] and [*r.raters] == ["ann", "bob", "cat"]
    assert table(r)["s"] == {"a": 1, "c": 2}
    counts = pd.DataFrame([[2, 1], [0, 3]], index=["p", "q"], columns=["no", "yes"])
    assert table(R.from_counts(counts)) == {"p": {"no": 2, "yes": 1}, "q": {"yes": 3}}
    r = R.from_counts([[2, 1], [0, 3]], labels=["no", "yes"])
    assert table(r) == {0: {"no": 2, "yes": 1}, 1: {"yes": 3}}
    ordered = pd.DataFrame([[0, 1, 2], [3, 0, 0]])
    shuffled = R.from_counts(ordered[[2, 0, 1]])
    assert [*shuffled.labels] == [0, 1, 2]
    assert shuffled.counts.tolist() == ordered.to_numpy().tolist()


def test_several_columns_name_an_item_together():
    columns = {"document": [*"aabb"], "line": [1, 2, 1, 1], "rater": [*"xxxy"]}
    frame = pd.DataFrame(columns | {"label": [*"pqpq"]})
    r = R.from_long(frame, item=["document", "line"])
    assert [*r.items] == [("a", 1), ("a", 2), ("b", 1)]
    assert r.counts.tolist() == [[1, 0], [0, 1], [1, 1]]
    index = pd.MultiIndex.from_tuples(r.items)
    gold = pd.Series([*"ppp"], index)[::-1]
    assert la.accuracy(r, gold).value == 0.5
    matrix = R.from_matrix(pd.DataFrame([[1, 1], [2, 2], [1, 2]], index))
    assert la.cohen_kappa(matrix).per_item().index.tolist() == index.tolist()


def test_parts_keep_the_order():
    r = R.from_matrix([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])
    one, other = r.on([2, 0]), r.on([0, 2])
    assert one.counts.tolist() == other.counts.tolist()
    assert [*one.items] == [0, 2]


# Labels ---------------------------------------------------------------------------


def test_declared_labels_keep_their_order_and_may_be_unused():
    labels = ["c", "z", "b", "a"]
    for r in (R.from_matrix(ROWS, labels), R.from_long(long(ROWS), labels=labels)):
        assert [*r.labels] == labels and r.counts[3].tolist() == [2, 0, 0, 1]


def test_an_ordered_categorical_gives_its_order():
    frame = long([["mid", "low"], ["high", "mid"], ["low", "low"]])
    order = ["low", "mid", "high", "top"]
    kind = pd.CategoricalDtype(order, ordered=True)
    typed = frame.astype({"label": kind})
    assert [*R.from_long(typed).labels] == order
    ways = R.from_long(typed), R.from_long(frame, labels=order)
    one, other = (la.krippendorff_alpha(r, "ordinal").value for r in ways)
    assert one == other
    assert [*R.from_long(typed, labels=order[::-1]).labels] == order[::-1]
    unordered = pd.Categorical(frame["label"], order, ordered=False)
    assert [*R.from_long(frame.assign(label=unordered)).labels] == sorted(order[:3])


def test_an_ordered_column_gives_the_order_of_labels_to_the_others():
    order = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    table = pd.DataFrame({"a": ["low", "mid", "high"], "b": ["low", "high", "mid"]})
    r = R.from_matrix(table.astype({"a": order}))
    assert r.labels.tolist() == ["low", "mid", "high"]
    table.loc[0, "b"] = "none"  # which the order does not know
    labels = R.from_matrix(table.astype({"a": order})).labels
    assert labels.tolist() == sorted(["low", "mid", "high", "none"])


def test_other_labels_are_sorted():
    assert [*R.from_matrix([[10, 9], [2, 10]]).labels] == [2, 9, 10]
    assert [*R.from_matrix([["b", "a"], ["C", "a"]]).labels] == ["C", "a", "b"]
    r = R.from_matrix([["NA", "nan"], ["", "None"], ["NA", "NA"]])
    assert [*r.labels] == ["", "NA", "None", "nan"]  # text that reads as missing


@pytest.mark.parametrize(
    "labels",
    [
        [True, False],
        [("a", 1), ("b", 2)],
        ["", " "],
        [-1.5, 2.25],
        [frozenset("a"), frozenset("b")],
        [1, "one"],
        [None.__class__, "type"],
        [pd.Timestamp("2020-01-01"), pd.Timestamp("2021-01-01")],
    ],
    ids=str,
)
def test_any_hashable_label(labels):
    """The coefficients see only which labels are equal."""
    x, y = labels
    rows = [[x, x], [x, y], [y, y], [y, y], [x, x]]
    numbers = [[int(label == y) for label in row] for row in rows]
    reference = la.cohen_kappa(R.from_matrix(numbers))
    for r in (R.from_long(long(rows), labels=labels), R.from_matrix(rows, labels)):
        assert [*r.labels] == labels
        assert la.cohen_kappa(r).value == reference.value


def test_large_labels_stay_apart():
    """Beside a gap, beside unsigned numbers, in a masked column."""
    big = 2**53
    two = [big, big + 1]
    for columns in (
        {"a": two, "b": [float(big), np.nan]},
        {"a": two, "b": np.array(two, "u8")},
        {"a": pd.array([*two, None], "Int64")},
    ):
        assert R.from_matrix(pd.DataFrame(columns)).labels.tolist() == two


# What is missing, what is read, what is left alone ----------------------------------

MISSING = [[1, 1], [1, NAN], [2, 2], [NAN, 2]]


@pytest.mark.parametrize(
    "matrix",
    [
        *([[none if x != x else x for x in row] for row in MISSING]
          for none in (None, NAN, pd.NA)),
        [[1, 1], [1, None], [2, 2], [NAN, 2]],
        np.array(MISSING),
        np.array(MISSING).astype(object),
        pd.DataFrame(MISSING),
        pd.DataFrame(MISSING).astype("Int64"),
        pd.DataFrame(MISSING).astype("category"),
    ],
    ids=lambda m: type(m).__name__,
)  # fmt: skip
def test_missing_judgments_in_a_matrix(matrix):
    r = R.from_matrix(matrix)
    assert [*r.labels] == [1, 2]
    assert np.array_equal(r.counts, [[2, 0], [1, 0], [0, 2], [0, 1]])
    found = la.cohen_kappa(r)
    assert (found.value, found.n_items, found.n_ratings) == (1, 2, 4)


def test_dropped_items_are_said():
    """Three of five items take part, and who reads the result learns it."""
    r = R.from_matrix([[1, 1], [None, 1], [2, 2], [1, 2], [2, None]])
    found, told = warned(la.krippendorff_alpha, r)
    said = repr(found) + str(found) + " ".join(told)
    assert "dropped" in said and re.search(r"\b2 of 5\b", said)


def test_input_is_left_alone():
    frame = long(ROWS)
    before = frame.copy()
    quietly(la.fleiss_kappa(R.from_long(frame)).interval)
    pd.testing.assert_frame_equal(frame, before)
    matrix, counts = np.array([[1.0, 1.0], [2.0, NAN]]), np.array([[2, 0], [0, 1]])
    for make, given in ((R.from_matrix, matrix), (R.from_counts, counts)):
        r = make(given)
        given[:] = 1
        assert r.counts.tolist() == [[2, 0], [0, 1]]


def test_what_is_an_array_or_a_frame_is_read_as_one():
    class Arrayed:
        def __array__(self, dtype=None, copy=None):
            return np.array([[1, 2, 2], [2, 2, 1]])

        def __iter__(self):
            raise AssertionError("columns, not rows")

    class Framed:
        def to_pandas(self):
            return pd.DataFrame([[1, 2], [2, 2]], index=["x", "y"])

    assert R.from_matrix(Arrayed()).counts.tolist() == [[1, 2], [1, 2]]
    assert list(R.from_matrix(Framed()).items) == ["x", "y"]


# Probable mistakes ----------------------------------------------------------------


def test_probable_mistakes_are_noticed():
    counts = known("fleiss_1971")["counts"]
    for given in (counts, np.array(counts), pd.DataFrame(counts)):
        with pytest.warns(UserWarning, match="from_counts"):
            R.from_matrix(given)
    labels = np.random.default_rng(4).integers(0, 3, (3, 100))
    with pytest.warns(UserWarning, match="transpose"):
        R.from_matrix(labels)
    R.from_matrix(labels.T)
    r = R.from_matrix([["low", "high"], ["mid", "mid"], ["low", "low"]])
    for call in (la.gwet_ac2, la.weighted_kappa):
        with pytest.warns(UserWarning, match=r"in the order \['high', 'low', 'mid'\]"):
            call(r, "linear")


def test_ordinary_small_matrices_pass_without_a_warning():
    """A warning is an error here."""
    for rows in (
        [[1, 2], [2, 1]],
        [[1, 1, None], [1, 1, 1], [2, None, 2]],
        [[1, 2, 3], [2, 1, 3]],
        [["a", "b", "a", "b"]],
        [[True, False], [False, True], [True, False]],
        [[0, 1], [1, 0], [0, 1], [1, 0]],
        [[0, 2], [2, 0]],
        [[5, 4, 5], [3, 3, 4], [1, 2, 1], [2, 2, 2], [4, 4, 5], [5, 5, 5]],
        [[0.5, 0.25], [0.75, 1.0], [0.0, 0.25]],
    ):
        R.from_matrix(rows)


# Second judgments -----------------------------------------------------------------


def settled_by_hand(rows, how):
    """The same by a dictionary of lists."""
    said = {}
    for item, rater, label in rows:
        if label is not None:
            said.setdefault((item, rater), []).append(label)
    if how == "drop":
        return {pair: labels[0] for pair, labels in said.items() if len(labels) == 1}
    return {pair: labels[-(how == "last")] for pair, labels in said.items()}


@pytest.mark.parametrize("how", ["first", "last", "drop"])
@pytest.mark.parametrize("seed", range(3))
def test_repeats_are_settled_as_by_hand(how, seed):
    random = np.random.default_rng(seed)
    n = 60
    labels = random.choice(np.array(["a", "b", None], dtype=object), n)
    rows = [*zip(random.integers(9, size=n), random.integers(4, size=n), labels)]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    r = R.from_long(frame, repeats=how)
    j = r.judgments
    found = {
        (r.items[i], r.raters[a]): r.labels[c]
        for i, a, c in zip(j.item, j.rater, j.label)
    }
    assert found == settled_by_hand(rows, how)
    assert len(j.item) == len(found) and not r.repeats
    assert [*r.items] == [*frame["item"].unique()]
    assert (np.diff(j.item) >= 0).all()
