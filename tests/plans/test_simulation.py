"""The simulator against the exact properties, at five standard errors."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import labelaudit as la
import oracles
from regions import KINDS, every_kind, lots

SMALL = la.QualityLevels(0.1, 0.4, 0.1, 0.2)
RUNS = 20_000


def check_simulation(plan, errors, seed, exact=None):
    """Acceptances, the mean and each frequency of the sample number."""
    limits = plan.accept.tolist(), plan.reject.tolist()
    accepted, stops = exact or oracles.by_recursion(*limits, plan.lot_size, errors)
    runs = plan.simulate(errors, RUNS, seed)
    # a frequency p has the standard error sqrt(p (1 - p) / runs); one run in
    # RUNS is let by where p is so small that the normal law says nothing
    frequencies = np.bincount(runs.inspected, minlength=len(stops)) / RUNS
    for seen, p in [
        (runs.accepted.mean(), float(accepted)),
        *zip(frequencies, map(float, stops)),
    ]:
        assert abs(seen - p) <= 5 * np.sqrt(p * (1 - p) / RUNS) + (p > 0) / RUNS
    n, p = np.arange(len(stops)), np.array([float(s) for s in stops])
    mean = n @ p
    error = np.sqrt(max((n - mean) ** 2 @ p, 0) / RUNS)
    assert abs(runs.inspected.mean() - mean) <= 5 * error + 1e-9
    # every row is a stopping point of the plan
    accept, reject = plan.accept[runs.inspected], plan.reject[runs.inspected]
    assert (runs.accepted == (runs.errors_found <= accept)).all()
    assert (runs.accepted != (runs.errors_found >= reject)).all()
    return runs


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("errors", [0, 4, 9, 16, 40])
def test_plans_in_a_lot(kind, errors):
    runs = check_simulation(every_kind(SMALL, 40, 10)[kind], errors, seed=11)
    assert (runs.errors_found <= errors).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.25, 1.0])
def test_plans_in_a_process(kind, rate):
    check_simulation(every_kind(SMALL, None, 10)[kind], rate, seed=12)


@settings(max_examples=30)
@given(lots(largest=9))
def test_any_region(case):
    accept, reject, lot_size = case
    plan = la.SamplingPlan(accept, reject, lot_size)
    check_simulation(plan, lot_size // 2, seed=13)


def test_the_form_of_the_answer():
    runs = la.single_plan(la.RELAXED, 1000).simulate(20, repetitions=7, seed=0)
    assert isinstance(runs, pd.DataFrame)
    assert runs.columns.tolist() == ["accepted", "inspected", "errors_found"]
    assert [runs[c].dtype.kind for c in runs] == ["b", "i", "i"]
    assert runs.index.tolist() == list(range(7))
    assert len(la.single_plan(la.RELAXED, 1000).simulate(20)) == 1000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("lot_size", "errors"), [(40, 8), (None, 0.2)])
def test_a_seed_fixes_the_runs(kind, lot_size, errors):
    plan = every_kind(SMALL, lot_size, 10)[kind]
    first = plan.simulate(errors, 300, seed=5)
    pd.testing.assert_frame_equal(first, plan.simulate(errors, 300, seed=5))
    pd.testing.assert_frame_equal(
        first, plan.simulate(errors, 300, seed=np.random.default_rng(5))
    )
    assert not first.equals(plan.simulate(errors, 300, seed=6))
