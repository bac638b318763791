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
ANONYMOUS = (la.bennett_s, la.fleiss_kappa, la.krippendorff_alpha, la.gwet_ac1)
NAMED = (la.cohen_kappa, la.janson_olsson_iota)
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


def test_matrix_of_lists_is_numbered_from_0():
    r = la.Ratings.from_matrix(ROWS)
    assert [*r.items] == [0, 1, 2, 3]
    assert [*r.raters] == [0, 1, 2]
    assert [*r.labels] == ["a", "b", "c"]
    assert np.array_equal(r.counts, [[2, 1, 0], [0, 3, 0], [2, 0, 0], [1, 0, 2]])


def test_matrix_as_a_frame_names_items_and_raters():
    frame = pd.DataFrame(ROWS, index=[*"pqrs"], columns=["ann", "bob", "cat"])
    r = la.Ratings.from_matrix(frame)
    assert [*r.items] == [*"pqrs"]
    assert [*r.raters] == ["ann", "bob", "cat"]
    assert table(r)["s"] == {"a": 1, "c": 2}


def test_long_names_items_raters_and_labels():
    frame = long(ROWS).sample(frac=1, random_state=3)
    r = la.Ratings.from_long(frame)
    assert sorted(r.items) == [0, 1, 2, 3]
    assert sorted(r.raters) == [0, 1, 2]
    assert [*r.labels] == ["a", "b", "c"]
    assert table(r) == table(la.Ratings.from_matrix(ROWS))


def test_long_with_other_column_names():
    frame = long(ROWS).set_axis(["text", "who", "tag"], axis=1)
    r = la.Ratings.from_long(frame, item="text", rater="who", label="tag")
    assert table(r) == table(la.Ratings.from_matrix(ROWS))


def test_counts_are_anonymous_and_numbered_from_0():
    r = la.Ratings.from_counts([[2, 1, 0], [0, 3, 0]])
    assert r.raters is None
    assert [*r.items] == [0, 1]
    assert [*r.labels] == [0, 1, 2]
    assert np.array_equal(r.counts, [[2, 1, 0], [0, 3, 0]])


def test_counts_take_names_from_a_frame_or_the_declared_labels():
    frame = pd.DataFrame([[2, 1], [0, 3]], index=["p", "q"], columns=["no", "yes"])
    r = la.Ratings.from_counts(frame)
    assert [*r.items] == ["p", "q"]
    assert table(r) == {"p": {"no": 2, "yes": 1}, "q": {"yes": 3}}
    r = la.Ratings.from_counts([[2, 1], [0, 3]], labels=["no", "yes"])
    assert [*r.labels] == ["no", "yes"]
    assert table(r) == {0: {"no": 2, "yes": 1}, 1: {"yes": 3}}


def test_counts_may_be_whole_numbers_as_floats():
    r = la.Ratings.from_counts(np.array([[2.0, 1.0], [0.0, 3.0]]))
    assert table(r) == {0: {0: 2, 1: 1}, 1: {1: 3}}


def test_three_routes_give_the_same_coefficients():
    by_matrix = la.Ratings.from_matrix(ROWS)
    by_long = la.Ratings.from_long(long(ROWS))
    by_counts = la.Ratings.from_counts(by_matrix.counts, labels=["a", "b", "c"])
    assert table(by_matrix) == table(by_long) == table(by_counts)
    for coefficient in ANONYMOUS:
        one = coefficient(by_matrix)
        for other in (coefficient(by_long), coefficient(by_counts)):
            assert other.value == pytest.approx(one.value, abs=1e-12)
            assert other.standard_error == pytest.approx(one.standard_error, abs=1e-12)
    one, other = map(la.janson_olsson_iota, (by_matrix, by_long))
    assert other.value == pytest.approx(one.value, abs=1e-12)


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


def test_a_frame_of_ordered_categoricals_gives_its_order():
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    frame = pd.DataFrame({"x": ["mid", "low"], "y": ["high", "low"]}).astype(kind)
    assert [*la.Ratings.from_matrix(frame).labels] == ["low", "mid", "high"]


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


@pytest.mark.parametrize("labels", [[True, False], [("a", 1), ("b", 2)]], ids=str)
def test_labels_of_one_type_need_no_declaration(labels):
    x, y = labels
    for r in (
        la.Ratings.from_matrix([[x, x], [x, y], [y, y]]),
        la.Ratings.from_long(long([[x, x], [x, y], [y, y]])),
    ):
        assert [*r.labels] == sorted(labels)
        assert la.cohen_kappa(r).value == pytest.approx(0.4)


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


@pytest.mark.parametrize("gap", [None, NAN, pd.NA], ids=str)
def test_missing_text_labels(gap):
    rows = [["a", "a"], ["a", gap], ["b", "b"]]
    kinds = [rows, pd.DataFrame(rows), pd.DataFrame(rows).astype("string")]
    for matrix in kinds:
        r = la.Ratings.from_matrix(matrix)
        assert [*r.labels] == ["a", "b"]
        assert la.krippendorff_alpha(r).n_items == 2


def test_text_that_reads_as_missing_is_a_label():
    r = la.Ratings.from_matrix([["NA", "nan"], ["", "None"], ["NA", "NA"]])
    assert [*r.labels] == ["", "NA", "None", "nan"]


def test_items_without_a_judgment_stay_and_take_no_part():
    for r in (
        la.Ratings.from_matrix([[1, 1], [None, None], [2, 2], [1, 2]]),
        la.Ratings.from_counts([[2, 0], [0, 0], [0, 2], [1, 1]], labels=[1, 2]),
    ):
        assert len(r.items) == 4
        found = la.krippendorff_alpha(r)
        assert (found.n_items, found.n_ratings) == (3, 6)
        assert found.value == pytest.approx(4 / 9)


def test_dropped_items_are_said():
    """Three of five items take part, and who reads the result learns it."""
    r = la.Ratings.from_matrix([[1, 1], [None, 1], [2, 2], [1, 2], [2, None]])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = la.krippendorff_alpha(r)
    said = repr(found) + str(found) + " ".join(str(w.message) for w in caught)
    assert "dropped" in said and re.search(r"\b2 of 5\b", said)


def test_what_two_raters_did_not_both_judge_is_said():
    found = la.cohen_kappa(la.Ratings.from_matrix([[1, 1], [2, 1], [2, 2], [1, None]]))
    assert found.dropped == "1 of 4 items dropped: not judged by both raters"


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


def repeated():
    frame = long([["a", "a"], ["b", "b"], ["a", "b"]])
    return pd.concat([frame, frame.iloc[[2]]], ignore_index=True)


def test_a_second_judgment_is_refused_and_named():
    refused(la.Ratings.from_long, repeated(), names=["repeats", 1, 0])
    frame = repeated().replace({"item": {1: "page 7"}, "rater": {0: "ann"}})
    refused(la.Ratings.from_long, frame, names=["page 7", "ann"])


@pytest.mark.parametrize(
    "call",
    [
        *ANONYMOUS,
        *NAMED,
        la.scott_pi,
        lambda r: la.weighted_kappa(r, "linear"),
        lambda r: la.dipietro_hazari_kappa(r, ["a", "b", "a"]),
    ],
)
def test_coefficients_refuse_repeats(call):
    r = la.Ratings.from_long(repeated(), repeats=True)
    assert np.array_equal(np.asarray(r.counts)[1], [0, 3])
    with pytest.raises(ValueError, match="repeat"):
        call(r)


def test_repeats_allowed_but_absent_are_no_repeats():
    r = la.Ratings.from_long(long(ROWS), repeats=True)
    one, other = map(la.fleiss_kappa, (r, la.Ratings.from_matrix(ROWS)))
    assert one.value == pytest.approx(other.value)


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


def test_ordinary_random_matrices_pass_without_a_warning():
    rng = np.random.default_rng(12)
    for n_items, n_raters in [(10, 2), (12, 3), (30, 5), (8, 8), (6, 7)]:
        for n_labels in (2, 3, 5):
            la.Ratings.from_matrix(rng.integers(0, n_labels, (n_items, n_raters)))


# Refused: the three constructors --------------------------------------------------

MALFORMED = {
    # a matrix
    "matrix of one dimension": ("from_matrix", [[1, 2, 3]], {}, ["matrix"]),
    "matrix of three dimensions": (
        "from_matrix", [np.ones((2, 2, 2))], {}, ["matrix"]
    ),
    "matrix that is a number": ("from_matrix", [3], {}, ["matrix", 3]),
    "matrix that is text": ("from_matrix", ["abc"], {}, ["matrix"]),
    "matrix that is None": ("from_matrix", [None], {}, ["matrix", None]),
    "ragged matrix": ("from_matrix", [[[1, 2], [1]]], {}, ["matrix", 1]),
    "longer row": ("from_matrix", [[[1, 2], [1, 2], [1, 2, 3]]], {}, ["matrix", 2]),
    "empty matrix": ("from_matrix", [[]], {}, ["matrix"]),
    "matrix of empty rows": ("from_matrix", [[[], []]], {}, ["matrix"]),
    "empty frame": ("from_matrix", [pd.DataFrame()], {}, ["matrix"]),
    "matrix without judgments": (
        "from_matrix", [[[None, NAN], [pd.NA, None]]], {}, ["matrix"]
    ),
    "label outside the declared": (
        "from_matrix", [[["a", "b"], ["q", "a"]]], {"labels": ["a", "b"]},
        ["labels", "q"],
    ),
    "number outside the declared": (
        "from_matrix", [[[1, 2], [7, 1]]], {"labels": [1, 2]}, ["labels", 7]
    ),
    "duplicate items": (
        "from_matrix", [pd.DataFrame([[1, 1], [2, 2]], index=["p", "p"])], {}, ["p"]
    ),
    "duplicate raters": (
        "from_matrix", [pd.DataFrame([[1, 1], [2, 2]], columns=["x", "x"])], {}, ["x"]
    ),
    "duplicate labels": (
        "from_matrix", [[[1, 2], [2, 1]]], {"labels": [1, 2, 1]}, ["labels", 1]
    ),
    "NaN among the labels": (
        "from_matrix", [[[1, 2], [2, 1]]], {"labels": [1, 2, NAN]}, ["labels"]
    ),
    "None among the labels": (
        "from_matrix", [[[1, 2], [2, 1]]], {"labels": [1, 2, None]}, ["labels"]
    ),
    "NA among the labels": (
        "from_matrix", [[[1, 2], [2, 1]]], {"labels": [1, 2, pd.NA]}, ["labels"]
    ),
    "no labels": ("from_matrix", [[[1, 2]]], {"labels": []}, ["labels"]),
    "labels that are a number": ("from_matrix", [[[1, 2]]], {"labels": 3}, ["labels"]),
    "unhashable label": (
        "from_matrix", [pd.DataFrame({"x": [[1], [2]], "y": [[1], [2]]})], {}, []
    ),
    # counts
    "negative count": ("from_counts", [[[2, 1], [3, -1]]], {}, ["counts", -1, "row 1"]),
    "fractional count": ("from_counts", [[[2, 1], [2.5, 1]]], {}, ["counts", 2.5]),
    "NaN count": ("from_counts", [[[2, 1], [NAN, 1]]], {}, ["counts", "nan"]),
    "infinite count": (
        "from_counts", [[[2, 1], [float("inf"), 1]]], {}, ["counts", "inf"]
    ),
    "text count": ("from_counts", [[["2", "1"]]], {}, ["counts"]),
    "ragged counts": ("from_counts", [[[2, 1], [3]]], {}, ["counts"]),
    "counts of one dimension": ("from_counts", [[2, 1]], {}, ["counts"]),
    "empty counts": ("from_counts", [[]], {}, ["counts"]),
    "empty counts frame": ("from_counts", [pd.DataFrame()], {}, ["counts"]),
    "counts of nothing": ("from_counts", [[[0, 0], [0, 0]]], {}, ["counts"]),
    "counts that are None": ("from_counts", [None], {}, ["counts", None]),
    "too few labels": (
        "from_counts", [[[2, 1, 0]]], {"labels": ["a", "b"]}, ["labels"]
    ),
    "duplicate count labels": (
        "from_counts", [[[2, 1]]], {"labels": ["a", "a"]}, ["labels", "a"]
    ),
    "duplicate columns": (
        "from_counts", [pd.DataFrame([[1, 1]], columns=["z", "z"])], {}, ["z"]
    ),
    "duplicate items of counts": (
        "from_counts", [pd.DataFrame([[1, 1], [2, 0]], index=["p", "p"])], {}, ["p"]
    ),
    "columns outside the declared": (
        "from_counts", [pd.DataFrame([[1, 1]], columns=["a", "q"])],
        {"labels": ["a", "b"]}, ["labels", "q"],
    ),
    # one row per judgment
    "missing item column": ("from_long", [long(ROWS)], {"item": "text"}, ["text"]),
    "missing rater column": ("from_long", [long(ROWS)], {"rater": "who"}, ["who"]),
    "missing label column": ("from_long", [long(ROWS)], {"label": "tag"}, ["tag"]),
    "empty long frame": ("from_long", [long([])], {}, ["frame"]),
    "long frame without labels": (
        "from_long", [long(ROWS).assign(label=None)], {}, ["label"]
    ),
    "list for a long frame": ("from_long", [[(1, 2, 3)]], {}, ["frame"]),
    "None for a long frame": ("from_long", [None], {}, ["frame", None]),
    "label of a long frame outside the declared": (
        "from_long", [long(ROWS)], {"labels": ["a", "b"]}, ["labels", "c"]
    ),
    "judgment of no item": (
        "from_long", [long(ROWS).astype(object).replace({"item": {3: None}})], {},
        ["item"],
    ),
    "judgment by no rater": (
        "from_long", [long(ROWS).astype(object).replace({"rater": {1: None}})], {},
        ["rater"],
    ),
    "duplicate labels of a long frame": (
        "from_long", [long(ROWS)], {"labels": ["a", "b", "c", "b"]}, ["labels", "b"]
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MALFORMED.values(), ids=MALFORMED)
def test_malformed_ratings(case):
    route, args, kwargs, names = case
    refused(getattr(la.Ratings, route), *args, names=names, **kwargs)


@pytest.mark.parametrize("rows", [[0, 0], np.array([7, 7])], ids=str)
def test_a_repeated_item_is_shown_as_it_is_written(rows):
    table = pd.DataFrame([[1, 1], [2, 2]], index=rows)
    with pytest.raises(ValueError, match=f"got 'row {rows[0]} twice'"):
        la.Ratings.from_matrix(table)
    with pytest.raises(ValueError, match=f"got 'column {rows[0]} twice'"):
        la.Ratings.from_matrix(table.T)


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


def test_refused_repeats_are_counted_and_the_ways_on_are_named():
    rows = [(1, "x", "a"), (1, "x", "b"), (1, "x", "a"), (2, "y", "c"), (2, "y", "c")]
    frame = pd.DataFrame(rows, columns=["item", "rater", "label"])
    named = ["2 pairs", "in 1 of them", "'first', 'last' or 'drop'", "row 1"]
    refused(la.Ratings.from_long, frame, names=named)
    refused(la.Ratings.from_long, frame.iloc[3:], names=["1 pair", "alike"])


def test_a_table_that_drop_leaves_empty_is_refused():
    rows = [(1, "x", "a"), (1, "x", "b")]
    frame = pd.DataFrame(rows, columns=["item", "rater", "label"])
    with pytest.raises(ValueError, match="judgment"):
        la.Ratings.from_long(frame, repeats="drop")


@pytest.mark.parametrize("wrong", ["", "both", "First", None, 1, 0, ["first"]])
def test_another_way_to_settle_repeats_is_refused(wrong):
    frame = pd.DataFrame({"item": [1], "rater": [1], "label": ["a"]})
    with pytest.raises(ValueError, match="repeats must be False, True, 'first'"):
        la.Ratings.from_long(frame, repeats=wrong)


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
