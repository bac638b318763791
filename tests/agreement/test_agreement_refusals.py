"""Everything that coefficients refuse, and how they say it."""

import contextlib
from functools import partial

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from agreement_helpers import refused

NAN = float("nan")
ANONYMOUS = (la.bennett_s, la.fleiss_kappa, la.krippendorff_alpha, la.gwet_ac1)
NAMED = (la.cohen_kappa, la.janson_olsson_iota)
ROWS = [["a", "a", "b"], ["b", "b", "b"], ["a", None, "a"], ["c", "a", "c"]]
TWO = [["a", "a"], ["a", "b"], ["b", "b"], ["c", "c"], ["c", "a"]]
GOOD = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]


def test_two_rater_coefficients_name_the_way_out():
    for rows in (ROWS, [["a"], ["b"]]):
        r = la.Ratings.from_matrix(rows)
        for call in (
            la.cohen_kappa,
            la.scott_pi,
            lambda r: la.weighted_kappa(r, "linear"),
        ):
            with pytest.raises(ValueError, match=r"janson_olsson_iota|fleiss_kappa"):
                call(r)


@pytest.mark.parametrize(
    "call",
    [la.cohen_kappa, la.janson_olsson_iota, lambda r: la.weighted_kappa(r, GOOD)],
)
def test_coefficients_of_named_raters_refuse_counts(call):
    with pytest.raises(ValueError, match="from_counts"):
        call(la.Ratings.from_counts([[2, 0, 0], [1, 1, 0], [0, 0, 2]]))


@pytest.mark.parametrize(
    "call", [la.krippendorff_alpha, la.janson_olsson_iota, la.weighted_kappa]
)
@pytest.mark.parametrize("distance", ["euclid", "", 3, None], ids=str)
def test_unknown_distances(call, distance):
    refused(call, la.Ratings.from_matrix(TWO), distance, names=["distance"])
    if distance:
        refused(call, la.Ratings.from_matrix(TWO), distance, names=[distance])


@pytest.mark.parametrize("distance", ["linear", "euclid", None], ids=str)
def test_an_unknown_distance_is_told_all_that_there_are(distance):
    accepted = ["nominal", "ordinal", "interval", "ratio", "callable", "matrix"]
    names = ["distance", distance, *accepted]
    refused(la.krippendorff_alpha, la.Ratings.from_matrix(TWO), distance, names=names)


@pytest.mark.parametrize("call", [la.krippendorff_alpha, la.janson_olsson_iota])
@pytest.mark.parametrize("distance", ["interval", "ratio"])
def test_numbers_needed(call, distance):
    refused(call, la.Ratings.from_matrix(TWO), distance, names=[distance, "a"])
    declared = la.Ratings.from_matrix(TWO, labels=["a", "b", "c"])
    refused(call, declared, distance, names=[distance])
    refused(call, la.Ratings.from_matrix([["1", "2"], ["2", "2"]]), distance,
            names=[distance])  # fmt: skip


@pytest.mark.parametrize("call", [la.krippendorff_alpha, la.janson_olsson_iota])
def test_ordinal_needs_an_order(call):
    refused(call, la.Ratings.from_matrix(TWO), "ordinal", names=["ordinal"])
    assert np.isfinite(call(la.Ratings.from_matrix(TWO, [*"abc"]), "ordinal").value)


BAD_MATRICES = {
    "too small": [[0, 1], [1, 0]],
    "too large": np.ones((4, 4)) - np.eye(4),
    "not square": [[0, 1, 2], [1, 0, 1]],
    "one dimension": [0, 1, 2],
    "ragged": [[0, 1, 2], [1, 0], [2, 1, 0]],
    "diagonal": [[0, 1, 2], [1, 0.5, 1], [2, 1, 0]],
    "negative": [[0, 1, -2], [1, 0, 1], [-2, 1, 0]],
    "asymmetric": [[0, 1, 2], [1, 0, 1], [3, 1, 0]],
    "agreement weights": np.eye(3),
    "weights": [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]],
    "NaN": [[0, 1, NAN], [1, 0, 1], [NAN, 1, 0]],
    "infinite": [[0, 1, np.inf], [1, 0, 1], [np.inf, 1, 0]],
    "text": [["0", "far", "2"], ["far", "0", "1"], ["2", "1", "0"]],
    "frame of other labels": pd.DataFrame(GOOD, [*"abd"], [*"abd"]),
    "frame of rows and columns that differ": pd.DataFrame(GOOD, [*"abc"], [*"abd"]),
}


@pytest.mark.parametrize("matrix", BAD_MATRICES.values(), ids=BAD_MATRICES)
@pytest.mark.parametrize(
    "call", [la.krippendorff_alpha, la.janson_olsson_iota, la.weighted_kappa]
)
def test_bad_matrices(call, matrix):
    r = la.Ratings.from_matrix(TWO)
    assert np.isfinite(call(r, GOOD).value)
    refused(call, r, matrix, names=["distance"])


def test_a_frame_of_distances_goes_by_its_names():
    """Rows in another order than r.labels': the same answer, or none."""
    r = la.Ratings.from_matrix(TWO)
    table = [[0, 1, 5], [1, 0, 2], [5, 2, 0]]
    frame = pd.DataFrame(table, [*"abc"], [*"abc"])
    straight = la.weighted_kappa(r, table).value
    assert la.weighted_kappa(r, frame).value == straight
    for shuffled in (
        frame.loc[[*"cab"], [*"cab"]],
        frame.loc[[*"cab"], [*"abc"]],
    ):
        with contextlib.suppress(ValueError):
            assert la.weighted_kappa(r, shuffled).value == pytest.approx(straight)


@pytest.mark.parametrize(
    ("suggested", "names"),
    [
        (["a", "b", "b", "c"], ["suggested"]),
        (["a", "b", "b", "c", "a", "a"], ["suggested"]),
        (["a", "b", "b", "c", "q"], ["suggested", "q"]),
        ("a", ["suggested"]),
        (3, ["suggested"]),
        (pd.Series([*"abbca"], index=[0, 1, 2, 3, 3]), ["suggested", 3]),
    ],
    ids=repr,
)
def test_suggested_labels(suggested, names):
    r = la.Ratings.from_matrix(TWO, labels=[*"abc"])
    assert np.isfinite(la.dipietro_hazari_kappa(r, [*"abbca"]).value)
    refused(la.dipietro_hazari_kappa, r, suggested, names=names)


@pytest.mark.parametrize(
    "call",
    [
        *ANONYMOUS,
        *NAMED,
        la.scott_pi,
        la.dawid_skene,
        lambda r: la.weighted_kappa(r, "linear"),
        lambda r: la.dipietro_hazari_kappa(r, ["a"]),
    ],
)
@pytest.mark.parametrize(
    "given", [[["a", "a"]], None, "a", pd.DataFrame(TWO)], ids=repr
)
def test_what_is_no_ratings(call, given):
    with pytest.raises(ValueError, match="Ratings"):
        call(given)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, "0.95", None, NAN], ids=repr)
@pytest.mark.parametrize("method", ["jackknife", "bootstrap"])
def test_confidence(confidence, method):
    found = la.fleiss_kappa(la.Ratings.from_matrix(TWO))
    refused(found.interval, confidence, method, names=["confidence", confidence])


def test_method_and_repetitions():
    found = la.fleiss_kappa(la.Ratings.from_matrix(TWO))
    for method in ("bayes", "fieller", 3):
        refused(found.interval, method=method, names=["method", method])
    for repetitions in (0, -5, 2.5, "10", None):
        refused(found.interval, method="bootstrap", repetitions=repetitions,
                names=["repetitions", repetitions])  # fmt: skip


@pytest.mark.parametrize("seed", ["1", -1, 1.5, NAN, {}], ids=repr)
def test_seed_of_the_bootstrap(seed):
    found = la.fleiss_kappa(la.Ratings.from_matrix(TWO))
    refused(found.interval, method="bootstrap", seed=seed, names=["seed", seed])


def test_difference_of_other_items():
    a = la.fleiss_kappa(la.Ratings.from_matrix(TWO))
    for rows in (TWO[:-1], [*TWO, ["a", "a"]]):
        b = la.fleiss_kappa(la.Ratings.from_matrix(rows))
        with pytest.raises(ValueError, match="item"):
            la.difference(a, b)
    renamed = pd.DataFrame(TWO, index=[*"pqrst"])
    with pytest.raises(ValueError, match="item"):
        la.difference(a, la.fleiss_kappa(la.Ratings.from_matrix(renamed)))
    # the same items, of which one takes no part on one side
    other = la.Ratings.from_matrix([*TWO[:-1], ["a", None]])
    with pytest.raises(ValueError, match="item"):
        la.difference(a, la.fleiss_kappa(other))


# One sentence each ----------------------------------------------------------------

R = la.Ratings
PAIR = R.from_matrix([[1, 1], [2, 1]])
SIDE = R.from_matrix([[0, 1], [1, 1], [0, 0]] * 20)
TEXT = R.from_matrix([["a", "b"], ["b", "b"]])
TWICE = R.from_long(
    pd.DataFrame({"item": [0, 0, 1, 1], "rater": [1, 1, 1, 2], "label": [0, 1, 1, 0]}),
    repeats=True,
)
OF_TWO = [
    (([[0, 1]], SIDE), "^x must be Ratings"),
    ((SIDE, pd.DataFrame([[0, 1]])), "^y must be Ratings"),
    ((SIDE, None), "^y must be Ratings"),
    ((SIDE, SIDE, "euclidean"), "distance.*euclidean"),
    ((SIDE, SIDE, [[0, 1], [2, 0]]), "distance.*symmetric"),
    ((SIDE, SIDE, [[1, 0], [0, 1]]), "distance.*diagonal"),
    ((SIDE, SIDE, [[0, -1], [-1, 0]]), "distance.*-1"),
    ((SIDE, SIDE, np.zeros((3, 3))), "distance.*2 x 2"),
    ((SIDE, SIDE, 7), "distance"),
    ((TWICE, SIDE), "^x .*repeats"),
    ((SIDE, TWICE), "^y .*repeats"),
    ((SIDE, TEXT), "labels must be declared"),
    ((TEXT, TEXT, "interval"), r"interval.*'a'"),
    ((TEXT, TEXT, "ordinal"), "ordinal"),
]
NORMALIZED = [
    ({"irr": "alpha"}, "irr must be.*alpha"),
    ({"irr": 0.8}, "irr must be"),
    ({"irr": lambda r: 0.8}, "irr must be.*0.8"),
    ({"by": "z"}, "by must be.*z"),
]
INTERVAL = [
    *(({"confidence": value}, "confidence") for value in (0, 1, 95, "x")),
    ({"method": "wald"}, "method"),
    ({"method": "bootstrap", "repetitions": 0}, "repetitions"),
]
KAPPA, NORMAL = la.cross_kappa(SIDE, SIDE), la.normalized_cross_kappa(SIDE, SIDE)
REFUSED = [
    (partial(R.from_matrix, [[1, 1]], labels=[[1], [2]]), "labels must be"),
    (partial(R.from_matrix, [[1, 1]], labels={1, 2}), "labels must be a sequence"),
    (partial(R.from_matrix, [[[1], 1]]), r"label must be hashable .* row 0"),
    (partial(la.dipietro_hazari_kappa, PAIR, np.ones((2, 2))), "suggested must be"),
    (partial(la.krippendorff_alpha, PAIR, None), "distance must be"),
    (
        partial(la.krippendorff_alpha, PAIR, lambda a: 1),
        "distance must be a number",
    ),
    (
        partial(la.krippendorff_alpha, PAIR, lambda a, b: np.nan),
        "labels 1 and 1, got nan",
    ),
    (partial(la.items_needed, 0.5, 0.3, 1e-300), "half_width must be"),
    (partial(la.items_needed, 0.5, 1e-320, 0.1), "prevalence must be"),
    (partial(la.items_needed, np.array([0.1, 0.2]), 0.3, 0.1), "kappa must be"),
    (partial(la.landis_koch, True), "value must be"),
    (partial(la.landis_koch, "0.5"), "value must be"),
    *((partial(la.cross_kappa, *given), told) for given, told in OF_TWO),
    *((partial(la.normalized_cross_kappa, *given), told) for given, told in OF_TWO),
    *(
        (partial(la.normalized_cross_kappa, SIDE, SIDE, **given), told)
        for given, told in NORMALIZED
    ),
    *((partial(KAPPA.interval, **given), told) for given, told in INTERVAL),
    *((partial(NORMAL.interval, **given), told) for given, told in INTERVAL),
    (partial(KAPPA.interval, method="fieller"), "method"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_refused_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()
