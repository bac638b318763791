"""Every public function, every argument, every hostile value: an answer or a refusal.

One good call of each function is made from tests/data/arguments.csv, which says what
hostile values (tests/data/hostile.csv) each argument accepts. Every other one must be
refused by a ValueError of one sentence that names the argument. A public function, or
an argument, that is not in the table fails.
"""

import contextlib
import inspect
import re

import pandas as pd
import pytest

import labelaudit as la
import refusals
import sweeping
from agreement_helpers import quietly
from known import rows
from labelaudit import as_published, figures


def failing(*_):
    raise ZeroDivisionError("a caller's own mistake")


def table(name):
    """Rows of a table in tests/data, the second column an expression."""
    names = refusals.NAMES | globals()
    return [(one, eval(two, names), *more) for one, two, *more in rows(name)]


HOSTILE = dict(table("hostile"))
PLAN = la.SamplingPlan(
    [-1, -1, -1, 0], [1, 2, 2, 1], 10, la.QualityLevels(0.1, 0.5, 0.4, 0.4)
)
LEVELS = la.QualityLevels(0.1, 0.4, 0.2, 0.2)
TWO = la.Ratings.from_matrix([[1, 1], [2, 2], [1, 2], [2, 1], [1, 1], [2, 2]] * 5)
FRAME = pd.DataFrame({"item": [1, 1, 2], "rater": [1, 2, 1], "label": [1, 1, 2]})
GIVEN = [1, 2] * 15
FOUND = la.fleiss_kappa(TWO)
OF = {  # whose methods are public
    "levels": LEVELS,
    "plan": PLAN,
    "process": la.SamplingPlan([-1, -1, -1, 0], [1, 2, 2, 1]),
    "ratings": TWO,
    "agreement": FOUND,
    "normalized": la.normalized_cross_kappa(TWO, TWO),
    "difference": la.difference(FOUND, FOUND),
    "accuracy": la.accuracy(TWO, GIVEN),
    "audit": la.audit(PLAN, [0, 0, 1]),
    "study": la.reliability(TWO),
}
# Results, which users do not build; and a sweep, see below.
RESULTS = {
    ("", name)
    for name in ("Accuracy", "Agreement", "AlternativeAnnotator", "Audit", "Decision",
                 "Difference", "LatentClasses", "Ratings", "Reliability", "SampleSize",
                 "sweep")
}  # fmt: skip

# A good value of some arguments, and which hostile ones they accept: by their names,
# or by that of the function, or of the object whose method it is, and theirs. Others
# have a default that is good.
GOOD = {
    name: (good, {*filter(None, accepts.split(", "))})
    for names, good, accepts in table("arguments")
    for name in names.split(", ")
}


def public():
    """{(owner, name): function}, all that people call."""
    found = {}
    for owner, of in (("", la), ("as_published", as_published)):
        for name in of.__all__:
            function = getattr(of, name)
            if inspect.isroutine(function) or inspect.isclass(function):
                found[owner, name] = function
    found["figures", "draw_plan"] = figures.draw_plan
    for owner, of in OF.items():
        for name, method in (vars(type(of).__base__) | vars(type(of))).items():
            of_class = isinstance(method, classmethod)
            public = name[0] != "_" and (of_class or inspect.isfunction(method))
            if public and (owner != "normalized" or name == "interval"):
                found[owner, name] = getattr(of, name)
    return {key: f for key, f in found.items() if key not in RESULTS}


FUNCTIONS = public()


def accepted(key, argument):
    """A good value of the argument, and the hostile ones that it takes."""
    owner, function = key
    for name in (f"{owner} {function} {argument}", f"{owner} {argument}",
                 f"{function} {argument}", argument):  # fmt: skip
        if name in GOOD:
            return GOOD[name]
    default = inspect.signature(FUNCTIONS[key]).parameters[argument].default
    if default is None:
        return None, {"None"}
    if not isinstance(default, (bool, str)):
        raise KeyError(f"{key} has an argument {argument} that is not in the table")
    return default, {"True"} if isinstance(default, bool) else set()


CASES = [
    pytest.param(key, argument, id=f"{' '.join(key)} {argument}".strip())
    for key, function in FUNCTIONS.items()
    for argument in inspect.signature(function).parameters
]


def call(key, **changed):
    """The good call of a function, with some arguments changed."""
    names = inspect.signature(FUNCTIONS[key]).parameters
    arguments = {name: accepted(key, name)[0] for name in names}
    return quietly(FUNCTIONS[key], **arguments | changed)


@pytest.mark.parametrize("key", FUNCTIONS, ids=str)
def test_good_calls(key):
    call(key)


# What a refusal may name instead: a part of the argument, or what it is called.
ALSO = {"frame": "item", "labels": "label", "given": "gold", "values": "number"}


def found(key, argument, value):
    """None for an answer, "" for a refusal as it should be, else what is wrong."""
    try:
        call(key, **{argument: value})
    except ValueError as error:
        message = str(error)
        named = re.search(rf"\b({argument}|{ALSO.get(argument)})\b", message)
        sentence = len(message) < 500 and "\n" not in message
        return "" if named and sentence else message
    except Exception as error:
        return repr(error)
    return None


@pytest.mark.parametrize(("key", "argument"), CASES)
def test_an_answer_or_a_refusal(key, argument):
    _, fine = accepted(key, argument)
    assert fine <= {*HOSTILE}
    wrong = {}
    for name, value in HOSTILE.items():
        said = found(key, argument, value)
        if said != (None if name in fine else ""):
            wrong[name] = said or ("refused" if said == "" else "answered")
    assert not wrong


# Labels, items and raters of every kind -----------------------------------------------


def coefficients(make):
    """Ratings, and each coefficient of them, in words, or refused."""
    r = make()
    repr(r)
    for coefficient in (la.fleiss_kappa, la.gwet_ac1, la.bennett_s):
        repr(coefficient(r))
    for distance in ("nominal", "ordinal", "interval", "ratio", failing):
        with contextlib.suppress(ValueError):
            repr(la.krippendorff_alpha(r, distance))


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
        with contextlib.suppress(ValueError):
            quietly(coefficients, make)


# A sweep ------------------------------------------------------------------------------


@pytest.mark.parametrize("argument", inspect.signature(la.sweep).parameters)
def test_a_sweep_refuses_before_it_runs(argument, tmp_path):
    good = {
        "notebook": sweeping.notebook(tmp_path / "a.ipynb"),
        "grid": {"vary": {"x": [1]}},
        "out": tmp_path / "out",
    }
    for key in HOSTILE.keys() - GOOD[f"sweep {argument}"][1]:
        with pytest.raises(ValueError, match=r"\w") as refused:
            la.sweep(**(good | {argument: HOSTILE[key]}))
        assert "\n" not in str(refused.value), key
        named = argument in str(refused.value) or key in ("text", "digits", "dict")
        assert named, (key, str(refused.value))
    assert not (tmp_path / "out").exists()
