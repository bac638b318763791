"""Every public function, every argument, every hostile value: an answer or a refusal.

One good call of each function is written down below, with the hostile values that
each argument accepts. Every other value must be refused by a ValueError of one
sentence that names the argument. A public function, or an argument, that is not in
the table fails.
"""

import contextlib
import inspect
import re
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
import sweeping
from labelaudit import as_published, figures


def failing(*_):
    raise ZeroDivisionError("a caller's own mistake")


HOSTILE = {
    "None": None,
    "True": True,
    "np.True_": np.True_,
    "text": "text",
    "digits": "3",
    "no text": "",
    "bytes": b"3",
    "list": [1, 2],
    "empty list": [],
    "tuple": (0.5, "x"),
    "dict": {"a": 1},
    "set": {0, 1},
    "frozenset": frozenset({0, 1}),
    "complex": 3j,
    "real complex": 1 + 0j,
    "np.complex128": np.complex128(1),
    "np.timedelta64": np.timedelta64(1, "D"),
    "np.datetime64": np.datetime64("2024-01-01"),
    "Timedelta": pd.Timedelta(1),
    "Decimal NaN": Decimal("NaN"),
    "Decimal sNaN": Decimal("sNaN"),
    "NaN": float("nan"),
    "inf": float("inf"),
    "-inf": float("-inf"),
    "np.float32 inf": np.float32("inf"),
    "huge": 10**400,
    "-huge": -(10**400),
    "unprintable": 10**5000,
    "huge fraction": Fraction(10**400),
    "1e308": 1e308,
    "5e-324": 5e-324,
    "2**63": 2**63,
    "-1": -1,
    "2.5": 2.5,
    "array": np.array([0.25, 0.5]),
    "array of complex": np.array([1j, 0]),
    "array of text": np.array(["mid-p", "optimal"]),
    "array of objects": np.array([None, 1], dtype=object),
    "array of timedelta64": np.array([1, 2], "m8[s]"),
    "empty array": np.array([]),
    "masked": np.ma.masked,
    "NA": pd.NA,
    "NaT": pd.NaT,
    "object": object(),
    "class": int,
    "function": failing,
    "DataFrame": pd.DataFrame({"a": [1]}),
    "Series": pd.Series([1, 0]),
    "range": range(2),
}

# What kinds of arguments accept.
NOTHING: set[str] = set()
OPTIONAL = {"None"}
SWITCH = {"True", "np.True_"}
TEXT = {"text", "digits", "no text"}
SEED = {"None", "huge", "2**63", "1e308", "list"}
NUMBER = {"2.5", "5e-324", "2**63"}

PLAN = la.SamplingPlan(
    [-1, -1, -1, 0], [1, 2, 2, 1], 10, la.QualityLevels(0.1, 0.5, 0.4, 0.4)
)
PROCESS = la.SamplingPlan([-1, -1, -1, 0], [1, 2, 2, 1])
LEVELS = la.QualityLevels(0.1, 0.4, 0.2, 0.2)
TWO = la.Ratings.from_matrix([[1, 1], [2, 2], [1, 2], [2, 1], [1, 1], [2, 2]] * 5)
FRAME = pd.DataFrame({"item": [1, 1, 2], "rater": [1, 2, 1], "label": [1, 1, 2]})

# For each: the good call, and what each argument accepts of the hostile values.
ANY_LEVELS = {"levels": (LEVELS, NOTHING), "lot_size": (20, OPTIONAL)}
RATED = {"r": (TWO, NOTHING)}
WEIGHED = {**RATED, "weigh": ("judgments", NOTHING)}
DISTANT = {**RATED, "distance": ("nominal", NOTHING)}
GIVEN = [1, 2] * 15

ONE = {"real complex", "np.complex128"}  # equal to the label 1
LOT_ERRORS = {"list", "empty list", "empty array", "range", "Series", "DataFrame"}
RATES = {"5e-324", "array", "empty list", "empty array", "range", "Series", "DataFrame"}
CONFIDENT = {"confidence": (0.9, NOTHING)}
SEEN = {"plan": (PLAN, NOTHING), "errors": (3, LOT_ERRORS)}
FOUND = la.fleiss_kappa(TWO)
AUDIT = la.audit(PLAN, [0, 0, 1])
OUTCOMES = {"empty list", "empty array", "range", "Series"}
STUDY = la.reliability(TWO)
RELIABLE = {"x": (TWO, NOTHING), "y": (TWO, NOTHING), "distance": ("nominal", NOTHING)}
INTERVALS = {
    "lot_size": (50, OPTIONAL),
    **CONFIDENT,
    "method": ("clopper-pearson", NOTHING),
}
TWO_NAMES = {
    "None",
    "list",
    "tuple",
    "array",
    "array of complex",
    "array of text",
    "array of timedelta64",
    "Series",
    "range",
}
LABELS = {"labels": (None, {"None", "list"})}

FUNCTIONS = {
    la.accuracy: {**RATED, "gold": (GIVEN, {"Series"})},
    la.alternative_annotator: {
        **RATED,
        "model": (GIVEN, {"Series"}),
        "scoring": ("accuracy", NOTHING),
        "epsilon": (0.2, {"5e-324"}),
        "q": (0.05, {"5e-324"}),
        "min_raters": (2, NOTHING),
        "min_items": (30, NOTHING),
        "test": ("t", NOTHING),
    },
    la.audit: {"plan": (PLAN, NOTHING), "outcomes": ([0], OUTCOMES), **CONFIDENT},
    la.aql_plan: {
        "lot_size": (100, NOTHING),
        "aql": (1.0, {"2.5"}),
        "level": ("II", NOTHING),
        "severity": ("normal", NOTHING),
    },
    la.bennett_s: {
        **WEIGHED,
        "distance": ("nominal", NOTHING),
    },
    la.cohen_kappa: RATED,
    la.cross_kappa: RELIABLE,
    la.curtail: {"plan": (PLAN, NOTHING)},
    la.dawid_skene: {
        **RATED,
        "gold": (None, OPTIONAL),
        "tolerance": (1e-3, NOTHING),
        "max_iterations": (50, NOTHING),
    },
    la.difference: {"a": (FOUND, NOTHING), "b": (la.scott_pi(TWO), NOTHING)},
    la.dipietro_hazari_kappa: {**RATED, "suggested": (GIVEN, {"Series"})},
    la.double_plan: {
        **ANY_LEVELS,
        "curtailed": (False, SWITCH),
    },
    la.fleiss_kappa: WEIGHED,
    la.gwet_ac1: WEIGHED,
    la.gwet_ac2: {**WEIGHED, "distance": ("nominal", NOTHING)},
    la.inspection_sheet: {
        "plan": (PLAN, NOTHING),
        "items": (None, OPTIONAL),
        "seed": (1, {"huge", "unprintable", "2**63", "1e308"}),
    },
    la.interval_sample_size: {
        "rate": (0.1, {"5e-324"}),
        "half_width": (0.2, {"5e-324"}),
        **INTERVALS,
    },
    la.items_needed: {
        "kappa": (0.5, {"5e-324"}),
        "prevalence": (0.3, NOTHING),
        "half_width": (0.1, NOTHING),
        "raters": (3, NOTHING),
        **CONFIDENT,
        "model": ("two-class", NOTHING),
    },
    la.janson_olsson_iota: {**DISTANT, **WEIGHED},
    la.krippendorff_alpha: DISTANT,
    la.landis_koch: {"value": (0.5, {"NaN", "-1", "-huge", "5e-324"})},
    la.normalized_cross_kappa: {
        **RELIABLE,
        "irr": (None, OPTIONAL),
        "by": ("both", NOTHING),
    },
    la.optimal_plan: {
        **ANY_LEVELS,
        "objective": ("balanced", NOTHING),
        "max_sample": (None, OPTIONAL),
    },
    la.proportion_interval: {
        "errors_found": (1, {*LOT_ERRORS}),
        "sample_size": (20, {*LOT_ERRORS} - {"range", "Series"}),
        **INTERVALS,
    },
    la.record: {
        "values": (
            1,
            {
                *SWITCH,
                *TEXT,
                *NUMBER,
                "NaN",
                "inf",
                "-inf",
                "np.float32 inf",
                "1e308",
                "-1",
            },
        ),
    },
    la.reliability: {
        "ratings": (TWO, NOTHING),
        "distance": ("nominal", NOTHING),
        "suggested": (None, {"None", "Series"}),
        "other": (None, OPTIONAL),
        **CONFIDENT,
    },
    la.scott_pi: RATED,
    la.sequential_plan: {
        **ANY_LEVELS,
        "max_sample": (10, OPTIONAL),
        "forced_acceptance": (None, OPTIONAL),
    },
    la.single_plan: ANY_LEVELS,
    la.stratified_interval: {
        "errors_found": ((1, 0), {"list", "range", "Series"}),
        "sample_sizes": ((3, 2), {"list", "Series"}),
        "lot_sizes": ((9, 8), NOTHING),
        **CONFIDENT,
    },
    la.weighted_kappa: {**RATED, "distance": ("linear", NOTHING)},
    # Classes
    la.QualityLevels: dict.fromkeys(["p_a", "p_r", "alpha", "beta"], (0.1, NOTHING))
    | {"p_r": (0.4, NOTHING)},
    la.SamplingPlan: {
        "accept": ([-1, 0], NOTHING),
        "reject": ([1, 1], {"range"}),
        "lot_size": (10, OPTIONAL),
        "levels": (None, OPTIONAL),
        "note": ("", TEXT),
        "lower_bound": (None, {"None", "-1", *NUMBER}),
        "cap": (None, OPTIONAL),
    },
    # Their methods
    LEVELS.errors: {"lot_size": (20, OPTIONAL)},
    PLAN.acceptance_probability: {"errors": (1, LOT_ERRORS)},
    PLAN.average_sample_number: {"errors": (1, LOT_ERRORS)},
    PLAN.sample_number_pmf: {"errors": (1, LOT_ERRORS)},
    PLAN.exact_acceptance_probability: {"errors": (1, NOTHING)},
    PROCESS.acceptance_probability: {"errors": (0.1, RATES)},
    PROCESS.average_sample_number: {"errors": (0.1, RATES)},
    PROCESS.sample_number_pmf: {"errors": (0.1, RATES)},
    PROCESS.exact_acceptance_probability: {"errors": (0.1, {"5e-324"})},
    PLAN.interval: {
        "inspected": (3, NOTHING),
        "errors_found": (0, NOTHING),
        **CONFIDENT,
    },
    PLAN.simulate: {
        "errors": (2, NOTHING),
        "repetitions": (5, NOTHING),
        "seed": (1, SEED),
    },
    PLAN.decide: {"outcomes": ([0], OUTCOMES)},
    PLAN.to_json: {},
    la.SamplingPlan.from_stages: {
        "stages": ([(5, 0, 1)], NOTHING),
        "lot_size": (20, OPTIONAL),
        "levels": (LEVELS, OPTIONAL),
    },
    la.SamplingPlan.from_json: {"text": (PLAN.to_json(), NOTHING)},
    la.Ratings.from_long: {
        "frame": (FRAME, NOTHING),
        "item": ("item", NOTHING),
        "rater": ("rater", NOTHING),
        "label": ("label", NOTHING),
        **LABELS,
        "repeats": (False, SWITCH),
        "cluster": (None, OPTIONAL),
    },
    la.Ratings.from_matrix: {
        "matrix": ([[1, 2], [2, 2]] * 3, {"DataFrame"}),
        **LABELS,
        "clusters": (None, OPTIONAL),
    },
    la.Ratings.from_counts: {
        "counts": ([[1, 2], [2, 2]] * 3, {"DataFrame"}),
        "labels": (None, TWO_NAMES),
        "clusters": (None, OPTIONAL),
    },
    la.Ratings.from_patterns: {
        "patterns": ([[1, 2], [2, 2]], NOTHING),
        "times": ([3, 4], {"list", "range", "Series"}),
        **LABELS,
        "raters": (True, SWITCH),
    },
    TWO.expanded: {},
    TWO.collapsed: {"label": (1, ONE)},
    TWO.between: {
        "first": (0, NOTHING),
        "second": (1, ONE),
    },
    TWO.on: {"items": ([0, 1], {"list", "set", "frozenset", "range", "Series"})},
    TWO.by: {"raters": ([0, 1], {"set", "frozenset", "range", "Series"})},
    TWO.item_labels: {"name": ("gold", TEXT), "given": (GIVEN, {"Series"})},
    FOUND.interval: {
        **CONFIDENT,
        "method": ("jackknife", OPTIONAL),
        "repetitions": (20, NOTHING),
        "seed": (1, SEED),
    },
    la.normalized_cross_kappa(TWO, TWO).interval: {
        **CONFIDENT,
        "method": ("fieller", OPTIONAL),
        "repetitions": (20, NOTHING),
        "seed": (1, SEED),
    },
    FOUND.per_item: {},
    FOUND.per_label: {},
    FOUND.per_rater_pair: {},
    la.difference(FOUND, FOUND).interval: CONFIDENT,
    la.accuracy(TWO, GIVEN).interval: CONFIDENT,
    la.accuracy(TWO, GIVEN).per_label: CONFIDENT,
    la.accuracy(TWO, GIVEN).per_rater: CONFIDENT,
    la.accuracy(TWO, GIVEN).confusions: {},
    AUDIT.report: {
        "name": ("", TEXT),
        "kind": ("", TEXT),
        "seed": (1, SEED - {"list"}),
    },
    STUDY.disputed: {"most": (3, NOTHING)},
    STUDY.report: {"name": ("", TEXT)},
    # What others published
    as_published.both_tails: {
        "n": (20, {*LOT_ERRORS, "array", "5e-324", "2.5"}),
        "rate": (0.1, {"5e-324"}),
        "half_width": (0.05, {"5e-324"}),
        "lot_size": (100, NOTHING),
    },
    as_published.counted_average_sample_number: SEEN,
    as_published.double_average_sample_number: {
        "n": (5, NOTHING),
        "c1": (0, NOTHING),
        "c2": (1, NOTHING),
        "errors": (1, LOT_ERRORS),
        "lot_size": (20, OPTIONAL),
    },
    as_published.double_plan: {
        "levels": (la.RELAXED, NOTHING),
        "lot_size": (500, NOTHING),
    },
    as_published.interval_sample_size: {
        "rate": (0.1, NOTHING),
        "half_width": (0.1, NOTHING),
        "lot_size": (100, NOTHING),
        "alpha": (0.05, {"5e-324"}),
    },
    as_published.plug_in_interval: {
        "errors_found": (1, LOT_ERRORS),
        "sample_size": (20, {*LOT_ERRORS} - {"range", "Series"}),
        "lot_size": (100, NOTHING),
        **CONFIDENT,
    },
    as_published.replay: {
        "lot_size": (20, NOTHING),
        "errors": (3, NOTHING),
        "double": ((4, 0, 1), NOTHING),
        "single": ((8, 1), {"list", "range", "Series"}),
        "sequential": ((PLAN, PLAN), NOTHING),
        "repetitions": (2, NOTHING),
    },
    as_published.wald_average_sample_number: {
        "levels": (LEVELS, NOTHING),
        "rates": (0.1, RATES),
    },
    as_published.wedge_plan: {
        "levels": (la.RELAXED, NOTHING),
        "lot_size": (500, NOTHING),
        "cutoff": (100, NOTHING),
    },
    figures.draw_plan: {"plan": (PLAN, NOTHING), "axis": (None, OPTIONAL)},
}

# Results, which users do not build.
RESULTS = {
    la.Accuracy, la.Agreement, la.AlternativeAnnotator, la.Audit, la.Decision,
    la.Difference, la.LatentClasses, la.Ratings, la.Reliability, la.SampleSize,
}  # fmt: skip


def name(function):
    return f"{function.__module__.split('.')[-1]}.{function.__qualname__}"


CASES = [
    pytest.param(function, argument, id=f"{name(function)}-{argument}")
    for function, arguments in FUNCTIONS.items()
    for argument in arguments
]


def call(function, **changed):
    """The good call of a function, with some arguments changed."""
    arguments = {name: good for name, (good, _) in FUNCTIONS[function].items()}
    # What all others are left at their defaults for.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return function(**arguments | changed)


@pytest.mark.parametrize("function", FUNCTIONS, ids=name)
def test_good_calls(function):
    call(function)


# What a refusal may name instead: a part of the argument, or what it is called.
ALSO = {"frame": "item", "labels": "label", "given": "gold", "values": "number"}


def found(function, argument, value):
    """None for an answer, "" for a refusal as it should be, else what is wrong."""
    try:
        call(function, **{argument: value})
    except ValueError as error:
        message = str(error)
        named = re.search(rf"\b({argument}|{ALSO.get(argument)})\b", message)
        sentence = len(message) < 500 and "\n" not in message
        return "" if named and sentence else message
    except Exception as error:
        return repr(error)
    return None


@pytest.mark.parametrize(("function", "argument"), CASES)
def test_an_answer_or_a_refusal(function, argument):
    accepted = FUNCTIONS[function][argument][1]
    wrong = {}
    for key, value in HOSTILE.items():
        said = found(function, argument, value)
        if said != (None if key in accepted else ""):
            wrong[key] = said or ("refused" if said == "" else "answered")
    assert not wrong


def public(of):
    """Public functions of a module, or methods of a class."""
    names = getattr(of, "__all__", None) or [n for n in vars(of) if n[0] != "_"]
    found = [getattr(of, name) for name in names]
    return [f for f in found if callable(f) and not isinstance(f, la.QualityLevels)]


def test_the_table_is_complete():
    """Each public function, class and method with each of its arguments."""
    wanted = {name(f) for f in [*public(la), *public(as_published), figures.draw_plan]}
    for kind in filter(inspect.isclass, public(la)):
        methods = [f for f in public(kind) if inspect.isroutine(f)]
        wanted |= {name(f) for f in methods}
    wanted -= {name(kind) for kind in (*RESULTS, la.sweep)}  # a sweep: see below
    assert wanted <= {name(f) for f in FUNCTIONS}
    for function, arguments in FUNCTIONS.items():
        assert set(inspect.signature(function).parameters) == set(arguments)


# Labels, items and raters of every kind -----------------------------------------------


@pytest.mark.parametrize("key", HOSTILE)
def test_any_label(key):
    """Ratings are refused, or every coefficient of them is an answer or refused."""
    value = HOSTILE[key]
    table = {"item": [1, 1, 2, 2, 3, 3], "rater": [1, 2] * 3}
    table["label"] = pd.Series([value, value, 1, 1, value, 1], dtype=object)
    rows = [[value, value], [1, 1], [value, 1]]
    counts = pd.DataFrame([[2, 0], [0, 2], [1, 1]])
    for make in (
        lambda: la.Ratings.from_long(pd.DataFrame(table)),
        lambda: la.Ratings.from_matrix(rows),
        lambda: la.Ratings.from_matrix(rows, labels=[1, value]),
        lambda: la.Ratings.from_matrix(pd.DataFrame(rows, dtype=object)),
        lambda: la.Ratings.from_counts(counts, labels=[1, value]),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            try:
                r = make()
            except ValueError:
                continue
            repr(r)
            for coefficient in (la.fleiss_kappa, la.gwet_ac1, la.bennett_s):
                repr(coefficient(r))
            for distance in ("nominal", "ordinal", "interval", "ratio", failing):
                with contextlib.suppress(ValueError):
                    repr(la.krippendorff_alpha(r, distance))


# What was merged, lost or changed ---------------------------------------------------

BIG = 2**53


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [BIG, BIG + 1], "b": [float(BIG), np.nan]}),
        pd.DataFrame({"a": [BIG, BIG + 1], "b": np.array([BIG, BIG + 1], "u8")}),
        pd.DataFrame({"a": pd.array([BIG, BIG + 1, None], "Int64")}),
    ],
    ids=["beside NaN", "beside unsigned", "masked"],
)
def test_large_labels_stay_apart(frame):
    assert la.Ratings.from_matrix(frame).labels.tolist() == [BIG, BIG + 1]


@pytest.mark.parametrize("labels", [None, [0, 1], [False, True], [1, True]])
def test_true_is_not_1(labels):
    with pytest.raises(ValueError, match="label"):
        la.Ratings.from_matrix([[True, 1], [0, 0]], labels=labels)


def test_the_interval_distance_of_large_numbers():
    """A shift changes no difference."""
    rows = np.array([[1, 2], [3, 3], [2, 5], [5, 5]])
    near = la.krippendorff_alpha(la.Ratings.from_matrix(rows), "interval").value
    far = la.Ratings.from_matrix(rows.astype(object) + 2**70)
    assert la.krippendorff_alpha(far, "interval").value == pytest.approx(near, 1e-12)


def test_items_needed_near_no_agreement():
    """kappa = 1e-15 is as good as 0, where the label's number is binomial."""
    for model in ("beta-binomial", "two-class"):
        near, none = (la.items_needed(k, 0.3, 0.1, 3, model=model) for k in (1e-15, 0))
        assert near == none > 129  # by the variance alone


def test_a_result_does_not_change_with_what_it_gave():
    before = FOUND.standard_error
    with pytest.raises(ValueError, match="read-only"):
        FOUND.without[:] = 0
    with pytest.raises(ValueError, match="read-only"):
        TWO.per_item[:] = 0
    assert la.fleiss_kappa(TWO).standard_error == before == FOUND.standard_error


def test_risks_are_right_however_small():
    """As fractions say; sums that leave out what is small gave 0 for the second."""
    for alpha, beta in ((1e-12, 0.1), (0.1, 1e-12), (1e-12, 1e-12)):
        levels = la.QualityLevels(0.02, 0.3, alpha, beta)
        plan = la.double_plan(levels, 600)
        d_a, d_r = levels.errors(600)
        accepted = [plan.exact_acceptance_probability(d) for d in (d_a, d_r)]
        assert 1 - accepted[0] <= Fraction(str(alpha))
        assert accepted[1] <= Fraction(str(beta))
        assert plan.producers_risk == pytest.approx(float(1 - accepted[0]), rel=1e-9)
        assert plan.consumers_risk == pytest.approx(float(accepted[1]), rel=1e-9)
    plan = la.SamplingPlan([-1] * 300 + [0], [1] * 301, 600, la.STRICT)
    assert plan.acceptance_probability(290) == pytest.approx(
        float(plan.exact_acceptance_probability(290)), rel=1e-9
    )


# A sweep ------------------------------------------------------------------------------

OF_A_SWEEP = {  # what would run
    "notebook": NOTHING,
    "grid": NOTHING,
    "out": {"text", "digits"},
    "jobs": {"None"},
    "scheduler": {"None", "text", "digits", "no text"},
    "timeout": {"None", "digits", "2.5", "5e-324", "2**63"},
    "memory": {"None", "digits"},
}


@pytest.mark.parametrize("argument", OF_A_SWEEP)
def test_a_sweep_refuses_before_it_runs(argument, tmp_path):
    good = {
        "notebook": sweeping.notebook(tmp_path / "a.ipynb"),
        "grid": {"vary": {"x": [1]}},
        "out": tmp_path / "out",
    }
    assert {*inspect.signature(la.sweep).parameters} == {*OF_A_SWEEP}
    for key in HOSTILE.keys() - OF_A_SWEEP[argument]:
        with pytest.raises(ValueError, match=r"\w") as refused:
            la.sweep(**(good | {argument: HOSTILE[key]}))
        assert "\n" not in str(refused.value), key
        named = argument in str(refused.value) or key in ("text", "digits", "dict")
        assert named, (key, str(refused.value))
    assert not (tmp_path / "out").exists()
