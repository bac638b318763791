"""Stopping regions for hypothesis to try, and plans of every kind."""

from functools import cache

import hypothesis.strategies as st
import pytest

import labelaudit as la
from agreement_helpers import quietly

SMALL = la.QualityLevels(0.1, 0.4, 0.1, 0.2)


@st.composite
def limits(draw, longest=9):
    """(accept, reject): any sequences, monotone or not, with a verdict at the end."""
    size = draw(st.integers(0, longest))
    accept, reject = [], []
    for n in range(size):
        a = draw(st.integers(-2, n))
        accept.append(a)
        reject.append(draw(st.integers(a + 1, n + 2)))
    last = draw(st.integers(-1, size))
    return [*accept, last], [*reject, last + 1]


@st.composite
def lots(draw, largest=9):
    """(accept, reject, lot_size), the region no longer than the lot."""
    accept, reject = draw(limits(longest=largest))
    return accept, reject, draw(st.integers(max(1, len(accept) - 1), largest))


@cache
def every_kind(levels, lot_size, max_sample):
    """Plans of all kinds for a lot or a process."""
    single = la.single_plan(levels, lot_size)
    double = la.double_plan(levels, lot_size)
    truncated = quietly(la.sequential_plan, levels, lot_size, max_sample=max_sample)
    return {
        "single": single,
        "curtailed single": la.curtail(single),
        "double": double,
        "half curtailed": la.double_plan(levels, lot_size, curtailed=True),
        "curtailed double": la.curtail(double),
        "sequential": quietly(la.sequential_plan, levels, lot_size),
        "truncated": truncated,
        "curtailed truncated": la.curtail(truncated),
    }


def every_plan(*lots):
    """A mark: the test has each kind of plan for lots of a size (the last number is
    where the truncated ones end) and for a process."""
    *sizes, last = lots
    plans = [
        pytest.param(plan, id=f"{kind} {size}")
        for size in (*sizes, None)
        for kind, plan in every_kind(SMALL, size, last).items()
    ]
    return pytest.mark.parametrize("plan", plans)
