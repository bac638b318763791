"""The ledger: verdicts follow from numbers, and every condition can fail."""

import ast
import itertools
import math
from string import Formatter

import pytest

from known import rows
from reproduction.machinery import ledger

PUBLISHED = {entry.key: entry for entry in ledger.published()}
RECORDED = ledger.recorded()
CONDITIONS = sorted({e.condition for e in PUBLISHED.values() if e.condition})


def entry(kind="number", printed="1.5", **said):
    return ledger.Entry("d", "k", "p", "q", printed, kind, **said)


def asked(condition):
    """The values that a condition names."""
    named = compile(condition or "0", "condition", "eval").co_names
    return {*named} - {*ledger.MEANING}


def names(one):
    """The values that an entry's condition and cause ask for."""
    told = {name for _, name, _, _ in Formatter().parse(one.cause) if name}
    return told | asked(one.condition)


CLAIM = {"kind": "claim", "printed": "more", "condition": "x > 1"}


@pytest.mark.parametrize(("said", "values", "verdict", "why"), rows("ledger_verdicts"))
def test_verdict_follows_from_the_numbers(said, values, verdict, why):
    assert ledger.verdict(eval(f"entry({said})"), eval(values)) == verdict, why


def test_causes_say_the_numbers():
    one = entry(cause="from {low:.2f} to {high:.0%}", needs="the file")
    assert names(one) == {"low", "high"}
    told = ledger.row(one, {"low": 0.125, "high": 0.5}, "n")["cause"]
    assert told == "from 0.12 to 50 %"
    assert ledger.row(one, {}, "n")["cause"] == "needs the file"
    assert ledger.row(one, None, "n")["cause"] == "no notebook computes it"


@pytest.mark.parametrize(
    ("condition", "refusal"),
    [("a + 1", ValueError), ("b < 1", NameError), ("__import__('os') == 1", NameError)],
)
def test_a_condition_is_nothing_but_a_comparison(condition, refusal):
    with pytest.raises(refusal):
        ledger.holds(condition, {"a": 1})


@pytest.mark.parametrize("condition", CONDITIONS)
def test_each_condition_can_hold_and_can_fail(condition):
    """By some of the numbers that it names: none is true or false whatever comes."""
    limits = {
        node.value
        for node in ast.walk(ast.parse(condition))
        if isinstance(node, ast.Constant)
    }
    words = {limit for limit in limits if isinstance(limit, str)} | {"another word"}
    near = [0.0, 1.0, -1.0, 1e9, -1e9]
    for limit in limits - words:
        near += [limit, limit * (1 + 1e-6) + 1e-15, limit * (1 - 1e-6) - 1e-15]
    wanted = sorted(asked(condition))
    assert wanted, condition
    seen = set()
    tried = [*near, *words] if len(words) > 1 else near
    if len(tried) ** len(wanted) > 200_000:
        tried = [0.0, 1.0, *sorted(limits - words), 1e9, -1e9]
    for values in itertools.product(tried, repeat=len(wanted)):
        try:
            seen.add(ledger.holds(condition, dict(zip(wanted, values))))
        except (TypeError, ZeroDivisionError, OverflowError):
            continue
        if len(seen) == 2:
            return
    raise AssertionError(f"always {seen}: {condition}")


@pytest.mark.parametrize("key", sorted(set(PUBLISHED) & set(RECORDED)))
def test_an_entry_names_what_its_notebook_hands_over(key):
    one, (values, _) = PUBLISHED[key], RECORDED[key]
    if one.needs and not values:
        return  # its numbers come with what it needs
    assert names(one) <= set(values)
    assert set(values) <= names(one) | set(ledger.NUMBERS)
    for name, value in values.items():
        assert isinstance(value, (int, float, str)) and not isinstance(value, bool)
        assert not isinstance(value, float) or math.isfinite(value), name
