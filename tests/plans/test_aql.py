"""The plans of MIL-STD-105E, cell by cell.

tests/data/mil_std_105e.json has the standard's tables (public domain) as the R package
AQLSchemes 1.7-2 codes them.
"""

import json
import re

import pytest
from scipy.stats import hypergeom

import labelaudit as la
from labelaudit.plans import aql
from labelaudit.plans.aql import AQLS, LETTERS, LEVELS, TABLES
from reproduction.machinery import paths

FILE = paths.ROOT / "tests" / "data" / "mil_std_105e.json"
CASES = json.loads(FILE.read_text(encoding="utf-8"))
NAMES = {"normal": "Normal", "tightened": "Tightened", "reduced": "Reduced"}


def cells(severity, what):
    """By letter and AQL in percent."""
    name = f"ANSIASQSingle{NAMES[severity]}{what}"
    table = CASES.get(name) or CASES[name.replace("ANSI", "ANS", 1)]
    assert table["rows"] == list(LETTERS)
    return {
        (letter, float(rate)): value
        for letter, row in zip(table["rows"], table["values"])
        for rate, value in zip(table["cols"], row)
    }


@pytest.mark.parametrize("severity", sorted(TABLES))
def test_every_cell(severity):
    columns = [cells(severity, what) for what in ("ss", "ac", "re")]
    for i, letter in enumerate(LETTERS):
        for j, rate in enumerate(AQLS):
            wanted = tuple(column[letter, rate] for column in columns)
            assert TABLES[severity].plan(i, j) == wanted, (letter, rate)


def lots():
    """Both ends of each range of lot sizes, with the code letters."""
    table = CASES["SSCodeLetters"]
    for name, letters in zip(table["rows"], table["values"]):
        ends = [int(n.replace(",", "")) for n in re.findall(r"[\d,]+", name)]
        for size in ends if len(ends) == 2 else (ends[0], 10 * ends[0]):
            for level, letter in zip(table["cols"], letters):
                if level in LEVELS:  # the special ones are not here
                    yield size, level, letter


def test_every_lot_and_level():
    seen = 0
    sizes, numbers = cells("normal", "ss"), cells("normal", "ac")
    for size, level, letter in lots():
        plan = la.aql_plan(size, 1.0, level)
        assert plan.note.endswith(f"code letter {letter}")
        assert plan.max_sample == min(size, sizes[letter, 1.0])
        assert plan.accept[-1] == numbers[letter, 1.0]
        assert plan.reject[-1] == plan.accept[-1] + 1
        seen += 1
    assert seen == 15 * 2 * len(LEVELS)


@pytest.mark.parametrize("severity", sorted(TABLES))
@pytest.mark.parametrize(("size", "rate"), [(60, 4), (1000, 1), (20_000, 0.65)])
def test_what_it_accepts_is_the_lots_law(severity, size, rate):
    plan = la.aql_plan(size, rate, severity=severity)
    n, c = plan.max_sample, int(plan.accept[-1])
    errors = range(0, size + 1, size // 20)
    found = plan.acceptance_probability(list(errors))
    assert found == pytest.approx(hypergeom.cdf(c, size, list(errors), n), abs=1e-12)


def test_a_reduced_plan_says_where_the_standard_rejects():
    """J at 1 %: 32 are inspected, 1 or fewer go on, 3 or more reject (table II-C)."""
    assert aql.numbers(1000, 1.0, severity="reduced") == ("J", 32, 1, 3)
    plan = la.aql_plan(1000, 1.0, severity="reduced")
    assert (plan.accept[-1], plan.reject[-1]) == (1, 2)
    assert plan.note.endswith("code letter J; the standard rejects from 3 errors on")
    for severity in ("normal", "tightened"):
        assert "rejects from" not in la.aql_plan(1000, 1.0, severity=severity).note
    # 0 and 1 leave nothing between them.
    assert "rejects from" not in la.aql_plan(1000, 0.1, severity="reduced").note


def test_a_lot_smaller_than_the_sample_is_inspected_whole():
    plan = la.aql_plan(7, 0.01)
    assert (plan.max_sample, plan.accept[-1], plan.levels) == (7, 0, None)
    small = la.aql_plan(2, 10.0)
    assert (small.max_sample, small.accept[-1]) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1000, 0.7), "aql must be 0.65 or 1, the nearest in the table, got 0.7"),
        ((1000, 15), "aql must be one of the standard's from 0.01 to 10"),
        ((1000, 0), "aql must be one of the standard's from 0.01 to 10"),
        ((1000, "1"), "aql must be"),
        ((1, 1.0), "lot_size must be"),
        ((1000, 1.0, "IV"), "level must be"),
        ((1000, 1.0, "II", "strict"), "severity must be"),
    ],
)
def test_what_the_standard_does_not_have_is_refused(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        la.aql_plan(*arguments)
