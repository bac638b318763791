"""Ratings: three ways in, labels and their order, and everything that is refused."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from agreement_helpers import quietly, refused
from known import known

NAN = float("nan")
ROWS = [["a", "a", "b"], ["b", "b", "b"], ["a", None, "a"], ["c", "a", "c"]]


def long(rows):
    """One row per judgment; items and raters numbered from 0."""
    return pd.DataFrame(
        [
            (i, r, label)
            for i, row in enumerate(rows)
            for r, label in enumerate(row)
            if not (label is None or label != label or label is pd.NA)
        ],
        columns=["item", "rater", "label"],
    )


def table(r):
    """{item: {label: judgments}} without zeros."""
    return {
        item: {label: int(n) for label, n in zip(r.labels, row) if n}
        for item, row in zip(r.items, np.asarray(r.counts))
    }


# Three ways in --------------------------------------------------------------------


def test_matrix_as_a_frame_names_items_and_raters():
    frame = pd.DataFrame(ROWS, index=[*"pqrs"], columns=["ann", "bob", "cat"])
    r = la.Ratings.from_matrix(frame)
    assert [*r.items] == [*"pqrs"]
    assert [*r.raters] == ["ann", "bob", "cat"]
    assert table(r)["s"] == {"a": 1, "c": 2}


def test_counts_take_names_from_a_frame_or_the_declared_labels():
    frame = pd.DataFrame([[2, 1], [0, 3]], index=["p", "q"], columns=["no", "yes"])
    r = la.Ratings.from_counts(frame)
    assert [*r.items] == ["p", "q"]
    assert table(r) == {"p": {"no": 2, "yes": 1}, "q": {"yes": 3}}
    r = la.Ratings.from_counts([[2, 1], [0, 3]], labels=["no", "yes"])
    assert [*r.labels] == ["no", "yes"]
    assert table(r) == {0: {"no": 2, "yes": 1}, 1: {"yes": 3}}


# Labels ---------------------------------------------------------------------------


def test_declared_labels_keep_their_order_and_may_be_unused():
    r = la.Ratings.from_matrix(ROWS, labels=["c", "z", "b", "a"])
    assert [*r.labels] == ["c", "z", "b", "a"]
    assert np.array_equal(r.counts[3], [2, 0, 0, 1])
    r = la.Ratings.from_long(long(ROWS), labels=["c", "z", "b", "a"])
    assert [*r.labels] == ["c", "z", "b", "a"]


def test_an_ordered_categorical_gives_its_order():
    frame = long([["mid", "low"], ["high", "mid"], ["low", "low"]])
    kind = pd.CategoricalDtype(["low", "mid", "high", "top"], ordered=True)
    frame["label"] = frame["label"].astype(kind)
    r = la.Ratings.from_long(frame)
    assert [*r.labels] == ["low", "mid", "high", "top"]
    declared = la.Ratings.from_long(
        frame.astype({"label": object}), labels=["low", "mid", "high", "top"]
    )
    one, other = (la.krippendorff_alpha(x, "ordinal") for x in (r, declared))
    assert one.value == other.value
    r = la.Ratings.from_long(frame, labels=["top", "high", "mid", "low"])
    assert [*r.labels] == ["top", "high", "mid", "low"]  # declared comes first


def test_other_labels_are_sorted():
    assert [*la.Ratings.from_matrix([[10, 9], [2, 10]]).labels] == [2, 9, 10]
    assert [*la.Ratings.from_matrix([["b", "a"], ["C", "a"]]).labels] == ["C", "a", "b"]
    frame = long([["b", "a"], ["c", "a"]])
    frame["label"] = pd.Categorical(frame["label"], ["c", "a", "b"], ordered=False)
    assert [*la.Ratings.from_long(frame).labels] == ["a", "b", "c"]


@pytest.mark.parametrize("rows", [[[1, "a"], [2, "a"]], [[(1, 2), "a"], ["a", "a"]]])
def test_mixed_types_must_be_declared(rows):
    for r in (lambda **k: la.Ratings.from_matrix(pd.DataFrame(rows), **k),
              lambda **k: la.Ratings.from_long(long(rows), **k)):  # fmt: skip
        refused(r, names=["labels"])
        distinct = list(dict.fromkeys(label for row in rows for label in row))
        assert [*r(labels=distinct).labels] == distinct


@pytest.mark.parametrize(
    "labels",
    [
        [True, False],
        [("a", 1), ("b", 2)],
        ["", " "],
        [0, 1],
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
    reference = la.cohen_kappa(
        la.Ratings.from_matrix([[0, 0], [0, 1], [1, 1], [1, 1], [0, 0]])
    )
    r = la.Ratings.from_long(long(rows), labels=labels)
    assert [*r.labels] == labels
    assert la.cohen_kappa(r).value == reference.value
    r = la.Ratings.from_matrix(rows, labels=labels)
    assert [*r.labels] == labels
    assert la.cohen_kappa(r).value == reference.value


@pytest.mark.parametrize(
    "matrix",
    [
        [[1, 1], [1, None], [2, 2], [None, 2]],
        [[1, 1], [1, NAN], [2, 2], [NAN, 2]],
        [[1, 1], [1, pd.NA], [2, 2], [pd.NA, 2]],
        [[1, 1], [1, None], [2, 2], [NAN, 2]],
        np.array([[1, 1], [1, NAN], [2, 2], [NAN, 2]]),
        np.array([[1, 1], [1, None], [2, 2], [None, 2]], dtype=object),
        pd.DataFrame([[1, 1], [1, NAN], [2, 2], [NAN, 2]]),
        pd.DataFrame([[1, 1], [1, pd.NA], [2, 2], [pd.NA, 2]], dtype="Int64"),
        pd.DataFrame([[1, 1], [1, None], [2, 2], [None, 2]], dtype="category"),
    ],
    ids=lambda m: type(m).__name__,
)
def test_missing_judgments_in_a_matrix(matrix):
    r = la.Ratings.from_matrix(matrix)
    assert [*r.labels] == [1, 2]
    assert np.array_equal(r.counts, [[2, 0], [1, 0], [0, 2], [0, 1]])
    found = la.cohen_kappa(r)
    assert (found.value, found.n_items, found.n_ratings) == (1, 2, 4)


def test_text_that_reads_as_missing_is_a_label():
    r = la.Ratings.from_matrix([["NA", "nan"], ["", "None"], ["NA", "NA"]])
    assert [*r.labels] == ["", "NA", "None", "nan"]


def test_dropped_items_are_said():
    """Three of five items take part, and who reads the result learns it."""
    r = la.Ratings.from_matrix([[1, 1], [None, 1], [2, 2], [1, 2], [2, None]])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = la.krippendorff_alpha(r)
    said = repr(found) + str(found) + " ".join(str(w.message) for w in caught)
    assert "dropped" in said and re.search(r"\b2 of 5\b", said)


@pytest.mark.parametrize("part", [la.Ratings.on, la.Ratings.by])
def test_parts_keep_the_order_and_are_named_once(part):
    r = la.Ratings.from_matrix([["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]])
    one, other = part(r, [2, 0]), part(r, [0, 2])
    assert one.counts.tolist() == other.counts.tolist()
    kept = one.items if part is la.Ratings.on else one.raters
    assert list(kept) == [0, 2]
    for wrong in ([0, 0], [0, 7], []):
        with pytest.raises(ValueError, match=r"must be different .* at least one"):
            part(r, wrong)


def test_input_is_left_alone():
    frame = long(ROWS)
    before = frame.copy()
    matrix = np.array([[1.0, 1.0], [2.0, NAN], [1.0, 2.0]])
    copy = matrix.copy()
    quietly(la.fleiss_kappa(la.Ratings.from_long(frame)).interval)
    r = la.Ratings.from_matrix(matrix)
    matrix[:] = 1
    assert np.array_equal(r.counts, [[2, 0], [0, 1], [1, 1]])
    pd.testing.assert_frame_equal(frame, before)
    assert np.isnan(copy[1, 1])
    counts = np.array([[2, 0], [0, 2]])
    r = la.Ratings.from_counts(counts)
    counts[:] = 1
    assert np.array_equal(r.counts, [[2, 0], [0, 2]])


# Repeats --------------------------------------------------------------------------


# Probable mistakes ----------------------------------------------------------------


def test_a_table_of_counts_given_as_a_matrix_is_noticed():
    counts = known("fleiss_1971")["counts"]
    for given in (counts, np.array(counts), pd.DataFrame(counts)):
        with pytest.warns(UserWarning, match="from_counts"):
            la.Ratings.from_matrix(given)


def test_a_transposed_matrix_is_noticed():
    labels = np.random.default_rng(4).integers(0, 3, (3, 100))
    with pytest.warns(UserWarning, match="transpose"):
        la.Ratings.from_matrix(labels)
    la.Ratings.from_matrix(labels.T)


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 1], [1, 1], [1, 1]],
        [[1, 2]],
        [[1, 2], [2, 1]],
        [[1, 1], [2, 2], [1, 1]],
        [[1, 1, None], [1, 1, 1], [2, None, 2]],
        [[0, 0], [0, 1], [1, 1], [2, 2]],
        [[1, 2, 3], [2, 1, 3]],
        [["a", "b", "a", "b"]],
        [[True, False], [False, True], [True, False]],
        [[0, 1], [1, 0], [0, 1], [1, 0]],
        [[5, 4, 5], [3, 3, 4], [1, 2, 1], [2, 2, 2], [4, 4, 5], [5, 5, 5]],
        [[0.5, 0.25], [0.75, 1.0], [0.0, 0.25]],
    ],
    ids=str,
)
def test_ordinary_small_matrices_pass_without_a_warning(rows):
    la.Ratings.from_matrix(rows)  # a warning is an error here


# Refused: the three constructors --------------------------------------------------


# Second judgments -----------------------------------------------------------------


def settled_by_hand(rows, how):
    """The same by a dictionary of lists."""
    said = {}
    for item, rater, label in rows:
        if label is not None:
            said.setdefault((item, rater), []).append(label)
    if how == "drop":
        return {pair: labels[0] for pair, labels in said.items() if len(labels) == 1}
    at = {"first": 0, "last": -1}[how]
    return {pair: labels[at] for pair, labels in said.items()}


@pytest.mark.parametrize("how", ["first", "last", "drop"])
@pytest.mark.parametrize("seed", range(5))
def test_repeats_are_settled_as_by_hand(how, seed):
    random = np.random.default_rng(seed)
    n = 60
    labels = random.choice(np.array(["a", "b", None], dtype=object), n)
    rows = [*zip(random.integers(9, size=n), random.integers(4, size=n), labels)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "label"])
    r = la.Ratings.from_long(frame, repeats=how)
    j = r.judgments
    found = {
        (r.items[i], r.raters[a]): r.labels[c]
        for i, a, c in zip(j.item, j.rater, j.label)
    }
    assert found == settled_by_hand(rows, how)
    assert len(j.item) == len(found) and not r.repeats
    assert [*r.items] == [*frame["item"].unique()]
    assert (np.diff(j.item) >= 0).all()


def test_several_columns_name_an_item_together():
    table = {"document": [*"aabb"], "line": [1, 2, 1, 1], "rater": [*"xxxy"]}
    frame = pd.DataFrame(table | {"label": [*"pqpq"]})
    r = la.Ratings.from_long(frame, item=["document", "line"])
    assert [*r.items] == [("a", 1), ("a", 2), ("b", 1)]
    assert r.counts.tolist() == [[1, 0], [0, 1], [1, 1]]
    gold = pd.Series([*"ppp"], pd.MultiIndex.from_tuples(r.items))
    assert la.accuracy(r, gold).value == 0.5
    with pytest.raises(ValueError, match="item must be one of the columns"):
        la.Ratings.from_long(frame, item=["document", "page"])
    frame.loc[2, "line"] = None
    with pytest.raises(ValueError, match="item must be given for every row"):
        la.Ratings.from_long(frame, item=["document", "line"])
