"""What agreement refuses: the call, and what its sentence must say.

Values of a wrong type are for tests/repo/test_every_input.py.
"""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import labelaudit as la

NAN, INF = float("nan"), float("inf")
R = la.Ratings
ROWS = [["a", "a", "b"], ["b", "b", "b"], ["a", None, "a"], ["c", "a", "c"]]
TWO = [["a", "a"], ["a", "b"], ["b", "b"], ["c", "c"], ["c", "a"]]
GOOD = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]


def long(rows):
    """One row per judgment; items and raters numbered from 0."""
    cells = [(i, r, c) for i, row in enumerate(rows) for r, c in enumerate(row)]
    frame = pd.DataFrame(cells, columns=["item", "rater", "label"], dtype=object)
    return frame[frame["label"].notna()]


def frame(rows, index=None, columns=None):
    return pd.DataFrame(rows, index, columns)


LONG = long(ROWS)
NAMED, PAIR = R.from_matrix(ROWS), R.from_matrix(TWO)
SIDE = R.from_matrix([[0, 1], [1, 1], [0, 0]] * 20)
COUNTS = R.from_counts([[2, 0, 0], [1, 1, 0], [0, 0, 2]])
AGAIN = long([["a", "a"], ["b", "b"], ["a", "b"]]).iloc[[0, 1, 2, 3, 4, 5, 2]]
TWICE = R.from_long(AGAIN, repeats=True)
CHANGED = pd.DataFrame(
    [(1, "x", "a"), (1, "x", "b"), (1, "x", "a"), (2, "y", "c"), (2, "y", "c")],
    columns=["item", "rater", "label"],
)
PATTERNS = R.from_patterns([["a", "a"], ["a", "b"]], [8, 4])
DAYS = pd.Series([f"document {i % 2}" for i in range(5)])

# A way in, its arguments, and words of the sentence.
MATRIX = [
    ([[1, 2, 3]], {}, "matrix"),
    ([np.ones((2, 2, 2))], {}, "matrix"),
    ([[[1, 2], [1]]], {}, r"matrix .*\b1\b"),
    ([[[1, 2], [1, 2], [1, 2, 3]]], {}, r"matrix .*\b2\b"),
    ([[]], {}, "matrix"),
    ([[[], []]], {}, "matrix"),
    ([pd.DataFrame()], {}, "matrix"),
    ([[[None, NAN], [pd.NA, None]]], {}, "matrix"),
    (
        [np.ma.array([["a", "a"], ["b", "z"]], mask=[[0, 0], [0, 1]])],
        {},
        "masked array",
    ),
    ([[["a", "b"], ["q", "a"]]], {"labels": ["a", "b"]}, "labels .*q"),
    ([frame([[1, 1], [2, 2]], [7, 7])], {}, "got 'row 7 twice'"),
    ([frame([[1, 1], [2, 2]], None, ["x", "x"])], {}, "column 'x' twice"),
    ([[[1, 2], [2, 1]]], {"labels": [1, 2, 1]}, r"labels .*\b1\b"),
    ([[[1, 2], [2, 1]]], {"labels": [1, 2, NAN]}, "labels"),
    ([[[1, 2], [2, 1]]], {"labels": [1, 2, None]}, "labels"),
    ([[[1, 2], [2, 1]]], {"labels": [1, 2, pd.NA]}, "labels"),
    ([[[1, 2]]], {"labels": []}, "labels"),
    ([[[1, 1]]], {"labels": [[1], [2]]}, "labels must be"),
    ([[[1, 1]]], {"labels": {1, 2}}, "labels must be a sequence"),
    ([[[[1], 1]]], {}, "label must be hashable .* row 0"),
    ([[[{"a"}, {"b"}]]], {}, "a frozenset"),
    ([[[1, "a"], [2, "a"]]], {}, "labels"),
    ([TWO], {"clusters": DAYS[:4]}, "^clusters must be .*nothing for item 4"),
    ([TWO], {"clusters": [*DAYS[:4], None]}, "^clusters must be .*nothing for item 4"),
    ([TWO], {"clusters": [*DAYS[:4]]}, "^clusters must be .*4 clusters"),
    ([TWO], {"clusters": "document"}, "^clusters must be .*got 'document'"),
    ([TWO], {"clusters": pd.concat([DAYS, DAYS])}, "one cluster for each item"),
    (
        [TWO],
        {"clusters": DAYS.rename(str)},
        "a Series whose index names items, such as",
    ),
]
OF_COUNTS = [
    ([[[2, 1], [3, -1]]], {}, "counts .*-1.*row 1|counts .*row 1.*-1"),
    ([[[2, 1], [2.5, 1]]], {}, "counts .*2.5"),
    ([[[2, 1], [NAN, 1]]], {}, "counts .*nan"),
    ([[[2, 1], [INF, 1]]], {}, "counts .*inf"),
    ([[["2", "1"]]], {}, "counts"),
    ([[[2, 1], [3]]], {}, "counts"),
    ([[2, 1]], {}, "counts"),
    ([[]], {}, "counts"),
    ([[[0, 0], [0, 0]]], {}, "counts"),
    ([[[2, 1, 0]]], {"labels": ["a", "b"]}, "labels"),
    ([[[2, 1]]], {"labels": ["a", "a"]}, "labels .*a"),
    ([frame([[1, 1]], None, ["z", "z"])], {}, "z"),
    ([frame([[1, 1], [2, 0]], ["p", "p"])], {}, "p"),
    ([frame([[1, 1]], None, ["a", "q"])], {"labels": ["a", "b"]}, "labels .*q"),
]
OF_LONG = [
    ([LONG], {"item": "text"}, "text"),
    ([LONG], {"item": ["item", "page"]}, "item must be one of the columns"),
    ([LONG], {"rater": "who"}, "who"),
    ([LONG], {"label": "tag"}, "tag"),
    ([LONG[:0]], {}, "frame"),
    ([LONG.assign(label=None)], {}, "label"),
    ([LONG], {"labels": ["a", "b"]}, "labels .*c"),
    ([LONG], {"labels": ["a", "b", "c", "b"]}, "labels .*b"),
    ([LONG.replace({"item": {3: None}})], {}, "item must be given for every row"),
    ([LONG.replace({"rater": {1: None}})], {}, "rater"),
    ([LONG.assign(of=[*"aabb"] * 2 + [*"ccc"])], {"cluster": "of"}, "item 0 has two"),
    ([LONG.assign(of=[*"aaa"] + [None] * 8)], {"cluster": "of"}, "nothing for item"),
    ([AGAIN], {}, "repeats .*row 2.*|repeats"),
    ([CHANGED], {}, "2 pairs.*in 1 of them.*'first', 'last' or 'drop'"),
    ([CHANGED[3:]], {}, "1 pair.*alike"),
    ([CHANGED[:2]], {"repeats": "drop"}, "judgment"),
    *(([LONG], {"repeats": how}, "repeats must be False, True, 'first'")
      for how in ("", "both", "First", None, 1, 0, ["first"])),
]  # fmt: skip
SOME, TIMES = [["a", "b"], ["b", "b"]], [3, 4]
OF_PATTERNS = [
    ([SOME, [3]], {}, "times must be a sequence of 2"),
    ([SOME, [3, -1]], {}, "times must be whole numbers.*-1"),
    ([SOME, [3, 0.5]], {}, "times must be whole numbers.*0.5"),
    ([SOME, [3, NAN]], {}, "times must be whole numbers"),
    ([SOME, [3, 2**53]], {}, "at most 2.53 items"),
    ([SOME, [0, 0]], {}, "above 0"),
    ([SOME, [3, "many"]], {}, "times must be"),
    ([SOME, "12"], {}, "times must be a sequence"),
    ([[], []], {}, "patterns must be"),
    ([[["a", "b"], ["a"]], TIMES], {}, "patterns must be"),
    ([[[1, -1]], [3]], {"raters": False}, "patterns must be whole numbers"),
    ([[[1, 1]], [3]], {"raters": False, "labels": ["a"]}, "columns of patterns"),
    (
        [frame(SOME), pd.Series(TIMES, [8, 9])],
        {},
        "times must be a Series with the index",
    ),
]
WAYS_IN = [
    (partial(way, *given, **options), words)
    for way, rows in (
        (R.from_matrix, MATRIX),
        (R.from_counts, OF_COUNTS),
        (R.from_long, OF_LONG),
        (R.from_patterns, OF_PATTERNS),
    )
    for given, options, words in rows
]

# Distances --------------------------------------------------------------------------

TABLES = [  # of three labels, none of them distances
    [[0, 1], [1, 0]],
    np.ones((4, 4)) - np.eye(4),
    [[0, 1, 2], [1, 0, 1]],
    [0, 1, 2],
    [[0, 1, 2], [1, 0], [2, 1, 0]],
    [[0, 1, 2], [1, 0.5, 1], [2, 1, 0]],
    [[0, 1, -2], [1, 0, 1], [-2, 1, 0]],
    [[0, 1, 2], [1, 0, 1], [3, 1, 0]],
    np.eye(3),  # weights of agreement
    [[0, 1, NAN], [1, 0, 1], [NAN, 1, 0]],
    [[0, 1, INF], [1, 0, 1], [INF, 1, 0]],
    [["0", "far", "2"], ["far", "0", "1"], ["2", "1", "0"]],
    frame(GOOD, [*"abd"], [*"abd"]),
    frame(GOOD, [*"abc"], [*"abd"]),
    "euclid",
    "",
]
EVERY = "nominal.*ordinal.*interval.*ratio.*jaccard.*masi.*callable.*matrix"
TINY = R.from_matrix([[1e-200, 2e-200], [1e-200, 1e-200]])
DISTANCES = [
    *(
        (partial(call, PAIR, table), "distance")
        for call in (la.krippendorff_alpha, la.janson_olsson_iota, la.weighted_kappa)
        for table in TABLES
    ),
    *(
        (partial(la.krippendorff_alpha, PAIR, name), EVERY)
        for name in ("linear", "MASI")
    ),
    *(
        (partial(call, PAIR, name), f"{name}.*'a'|order")
        for call in (la.krippendorff_alpha, la.janson_olsson_iota)
        for name in ("interval", "ratio", "ordinal")
    ),
    (partial(la.krippendorff_alpha, R.from_matrix([["1", "2"]]), "ratio"), "ratio"),
    *(
        (partial(la.krippendorff_alpha, PAIR, name), f"frozensets for the {name}.*'a'")
        for name in ("jaccard", "masi")
    ),
    (partial(la.krippendorff_alpha, TINY, "interval"), "labels must be numbers.* got "),
    (partial(la.krippendorff_alpha, SIDE, [[0, 1e200], [1e200, 0]]), "size from"),
    (partial(la.krippendorff_alpha, PAIR, lambda a: 1), "distance must be a number"),
    (partial(la.krippendorff_alpha, SIDE, lambda a, b: NAN), "labels 0 and 0, got nan"),
    (partial(la.gwet_ac2, SIDE, "interval"), "distance must be 'nominal' or 'linear'"),
    (partial(la.gwet_ac2, SIDE, [[0, 2], [2, 0]]), r"values in \[0, 1\], got 2.0"),
    (partial(la.gwet_ac2, SIDE, lambda a, b: abs(a - b)), "distance must be 'nominal'"),
    (partial(la.bennett_s, SIDE, distance="ordinal"), "distance must be 'nominal'"),
    (
        partial(la.gwet_ac1, SIDE, weigh="raters"),
        "weigh must be 'judgments' or 'items'",
    ),
]

# Raters, repeats, joins -------------------------------------------------------------

LINEAR = partial(la.weighted_kappa, distance="linear")
SUGGESTED = partial(la.dipietro_hazari_kappa, suggested=["a", "b", "a"])
OTHER, K = R.from_matrix([*TWO[:-1], ["a", None]]), la.fleiss_kappa
CLUSTERED, MOVED = (R.from_matrix(TWO, clusters=[*"efgh", c]) for c in ("c", "d"))
JOINS = [
    *((partial(call, NAMED), "janson_olsson_iota|fleiss_kappa")
      for call in (la.cohen_kappa, la.scott_pi, LINEAR)),
    *((partial(call, COUNTS), "from_counts")
      for call in (la.cohen_kappa, la.janson_olsson_iota, LINEAR, la.dawid_skene)),
    *((partial(call, TWICE), "repeat")
      for call in (la.bennett_s, K, la.krippendorff_alpha, la.gwet_ac1, la.cohen_kappa,
                   la.scott_pi, la.janson_olsson_iota, LINEAR, SUGGESTED)),
    *((partial(la.dipietro_hazari_kappa, PAIR, given), words) for given, words in [
        ([*"abbc"], "suggested"),
        ([*"abbcaa"], "suggested"),
        (np.ones((5, 2)), "suggested must be"),
        (pd.Series([*"abbca"], [0, 1, 2, 3, 3]), "suggested .*3"),
    ]),
    (partial(la.dipietro_hazari_kappa, R.from_matrix(TWO, [*"abc"]), [*"abbcq"]), "q"),
    (partial(la.dipietro_hazari_kappa, PATTERNS, pd.Series([*"aa"])), "each pattern"),
    *((partial(la.difference, K(PAIR), K(other)), "item") for other in (
        R.from_matrix(TWO[:-1]), R.from_matrix([*TWO, ["a", "a"]]), OTHER,
        R.from_matrix(frame(TWO, [*"pqrst"])))),
    (partial(la.difference, K(CLUSTERED), K(MOVED)), "same clusters, got 'c' and 'd'"),
    (partial(la.difference, K(CLUSTERED), K(PAIR)), "or neither; b has none"),
    (partial(la.difference, K(PATTERNS), la.gwet_ac1(PAIR)), "from_patterns"),
    (partial(la.cross_kappa, CLUSTERED, MOVED), "same clusters, got 'c' and 'd'"),
    (partial(la.cross_kappa, PATTERNS, PAIR), "from_patterns"),
    (partial(la.cross_kappa, PAIR, PATTERNS), "from_patterns"),
    (partial(la.normalized_cross_kappa, PATTERNS, PATTERNS), "from_patterns"),
    *((partial(call, *given), words)
      for call in (la.cross_kappa, la.normalized_cross_kappa)
      for given, words in [
          ((SIDE, SIDE, [[0, 1], [2, 0]]), "distance.*symmetric"),
          ((SIDE, SIDE, [[1, 0], [0, 1]]), "distance.*diagonal"),
          ((SIDE, SIDE, [[0, -1], [-1, 0]]), "distance.*-1"),
          ((SIDE, SIDE, np.zeros((3, 3))), "distance.*2 x 2"),
          ((TWICE, PAIR), "^x .*repeats"),
          ((PAIR, TWICE), "^y .*repeats"),
          ((SIDE, PAIR), "labels must be declared"),
          ((PAIR, PAIR, "interval"), "interval.*'a'"),
          ((PAIR, PAIR, "ordinal"), "ordinal"),
      ]),
    (partial(la.normalized_cross_kappa, SIDE, SIDE, irr="alpha"), "irr must be"),
    (partial(la.normalized_cross_kappa, SIDE, SIDE, irr=lambda r: 0.8), "irr .*0.8"),
    (partial(la.normalized_cross_kappa, SIDE, SIDE, by="z"), "by must be.*z"),
    *((partial(part, NAMED, wrong), "must be different .* at least one")
      for part in (R.on, R.by) for wrong in ([0, 0], [0, 7], [])),
]  # fmt: skip

# Gold, latent classes, intervals, sizes ---------------------------------------------

TABLE = frame({"label": [*"aba"], "item": [0, 1, 1]})
SKENE = partial(la.dawid_skene, R.from_matrix(TWO, [*"abc"]))
KAPPA, NORMAL = la.cross_kappa(SIDE, SIDE), la.normalized_cross_kappa(SIDE, SIDE)
ONE = la.bennett_s(R.from_matrix([["a", "a"]] * 9, labels=["a", "b"]))
NEEDED = {"kappa": 0.6, "prevalence": 0.3, "half_width": 0.1, "raters": 2}
OTHERS = [
    *((partial(la.accuracy, PAIR, gold), words) for gold, words in [
        (TABLE, "gold must be one label for each item, not two, got 1"),
        (TABLE.rename(columns={"item": "id"}), "columns? item and .*'id'"),
        (TABLE[:0], "gold must be"),
        ({}, "gold must be"),
        ({"i7": "a"}, "names items, such as 0"),
        ({0: ["a"]}, "hashable"),
        (["a", "b"], "5 items"),
        ("aabca", "gold must be"),
        (np.ma.array([*"aabca"], mask=[0, 1, 0, 0, 0]), "gold .*a masked array"),
        (dict.fromkeys(range(5)), "gold must be given for at least one judged item"),
    ]),
    (partial(SKENE, gold={0: "z"}), "^gold must be one of the labels .*got 'z'"),
    (partial(SKENE, tolerance=-1e-6), "tolerance .*-1e-06"),
    (partial(SKENE, max_iterations=0), "max_iterations .*0"),
    (partial(la.dawid_skene, R.from_matrix([[k, k] for k in range(10_001)])),
     "10,001 items and 10,001 labels are too many"),
    *((partial(a.interval, **{name: value}, method=method), rf"{name} .*{value}")
      for a in (K(PAIR), KAPPA, NORMAL)
      for method in ("jackknife", "bootstrap")
      for name, value in [("confidence", 0), ("confidence", 1), ("confidence", 95)]),
    *((partial(a.interval, method="bootstrap", repetitions=n), rf"repetitions .*{n}")
      for a in (K(PAIR), KAPPA, NORMAL) for n in (0, -5, 2.5)),
    *((partial(a.interval, method=method), words) for a, method, words in [
        (KAPPA, "fieller", "method .*fieller"),
        (ONE, "fieller", "method .*fieller"),
        (KAPPA, "wald", "method .*wald"),
        (NORMAL, "wald", "method .*wald"),
        (ONE, "adjusted", "method must be None.*one label"),
    ]),
    *((partial(la.items_needed, **NEEDED | {name: value}), rf"\b{name} .*{value}")
      for name, value in [("kappa", 1.2), ("prevalence", 0), ("prevalence", 1),
                          ("half_width", 0), ("raters", 1), ("raters", 2.5),
                          ("model", "normal")]),
    (partial(la.items_needed, 0.6, 0.3, 0.1, raters=5), "beta-binomial.*two-class"),
    (partial(la.items_needed, 0.5, 0.3, 1e-300), "half_width must be"),
    (partial(la.items_needed, 0.5, 1e-320, 0.1), "prevalence must be"),
    (partial(la.landis_koch, True), "value must be"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "words"), [*WAYS_IN, *DISTANCES, *JOINS, *OTHERS])
def test_refused_in_a_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_the_good_call_beside_bad_tables():
    for call in (la.krippendorff_alpha, la.janson_olsson_iota, la.weighted_kappa):
        assert np.isfinite(call(PAIR, GOOD).value)


def test_a_frame_of_distances_goes_by_its_names():
    """Rows in another order than r.labels': the same answer."""
    table = frame([[0, 1, 5], [1, 0, 2], [5, 2, 0]], [*"abc"], [*"abc"])
    straight = la.weighted_kappa(PAIR, table.to_numpy()).value
    for rows, columns in (("abc", "abc"), ("cab", "cab"), ("cab", "abc")):
        found = la.weighted_kappa(PAIR, table.loc[[*rows], [*columns]])
        assert found.value == pytest.approx(straight)
