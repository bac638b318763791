"""The plans of MIL-STD-105E, cell by cell.

tests/data/mil_std_105e.json has the standard's tables (public domain) as the R package
AQLSchemes 1.7-2 codes them.
"""

import json
import re

import pytest

import labelaudit as la
from known import DATA

CASES = json.loads((DATA / "mil_std_105e.json").read_text(encoding="utf-8"))
SEVERITIES = ("normal", "tightened", "reduced")


def cells(severity, what):
    """By letter and AQL in percent."""
    name = f"ANSIASQSingle{severity.title()}{what}"
    table = CASES.get(name) or CASES[name.replace("ANSI", "ANS", 1)]
    return {
        (letter, float(rate)): value
        for letter, row in zip(table["rows"], table["values"])
        for rate, value in zip(table["cols"], row)
        if float(rate) <= 10  # above, the standard counts errors per hundred items
    }


def lots():
    """Both ends of each range of lot sizes, with the code letters."""
    table = CASES["SSCodeLetters"]
    for name, letters in zip(table["rows"], table["values"]):
        ends = [int(n.replace(",", "")) for n in re.findall(r"[\d,]+", name)]
        for size in ends if len(ends) == 2 else (ends[0], 10 * ends[0]):
            for level, letter in zip(table["cols"], letters):
                if level in ("I", "II", "III"):  # the special ones are not here
                    yield size, level, letter


@pytest.mark.parametrize("severity", SEVERITIES)
def test_every_cell(severity):
    """At every lot size and level: the letter, the sample, both numbers."""
    sizes, accepted, rejected = (cells(severity, what) for what in ("ss", "ac", "re"))
    seen = set()
    for size, level, letter in lots():
        for at, n in sizes.items():
            if at[0] == letter and (at not in seen or at[1] == 1):
                seen.add(at)
                plan = la.aql_plan(size, at[1], level, severity)
                assert f"code letter {letter}" in plan.note
                assert plan.max_sample == min(size, n)
                assert (plan.accept[-1], plan.reject[-1] - 1) == (accepted[at],) * 2
                gap = re.search(r"rejects from (\d+) errors on", plan.note)
                assert bool(gap) == (rejected[at] > accepted[at] + 1)
                assert not gap or rejected[at] == int(gap[1])
    assert len(seen) >= 16 * 14


def test_a_lot_smaller_than_the_sample_is_inspected_whole():
    plan = la.aql_plan(7, 0.01)
    assert (plan.max_sample, plan.accept[-1], plan.levels) == (7, 0, None)
    small = la.aql_plan(2, 10.0)
    assert (small.max_sample, small.accept[-1]) == (2, 1)
