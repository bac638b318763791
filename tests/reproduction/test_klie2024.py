"""What the notebooks on Klie et al. 2024 lean on, against enumeration by hand."""

import itertools

import numpy as np
import pytest

import labelaudit as la
import oracles
from reproduction.klie2024 import methods, simulated

SMALL = la.QualityLevels(p_a=0.1, p_r=0.5, alpha=0.1, beta=0.2)


def inspected(plan, errors, size):
    """Inspections in each order of a lot, all orders equally likely."""
    limits = plan.accept.tolist(), plan.reject.tolist()
    for where in itertools.combinations(range(size), errors):
        yield oracles.verdict(*limits, [k in where for k in range(size)])[1]


@pytest.mark.parametrize("errors", [0, 1, 3, 6, 10])
def test_spread_is_that_of_all_orders(errors):
    plan = la.curtail(la.single_plan(SMALL, 10))
    taken = np.array(list(inspected(plan, errors, 10)))
    spread, usual = simulated.spread(plan, np.array([errors]))
    commonest = np.unique(taken, return_counts=True)[1].max() / len(taken)
    assert spread[0] == pytest.approx(taken.std(), abs=1e-12)
    assert usual[0] == pytest.approx(commonest, abs=1e-12)


def half_width(rate, n, size, confidence):
    low, high = la.proportion_interval(round(rate * n), n, size, confidence=confidence)
    return (high - low) / 2


def test_interval_sizes_are_the_first_and_the_last_crossing():
    size, width = 300, 0.05
    found = methods.interval_sizes(la.RELAXED, width, size)["p_r"]
    short = [
        half_width(la.RELAXED.p_r, n, size, 1 - la.RELAXED.alpha) <= width + 1e-12
        for n in range(1, size + 1)
    ]
    assert found["exact first"] == 1 + short.index(True)
    assert found["exact"] == 1 + max(i for i, s in enumerate(short, 1) if not s)
