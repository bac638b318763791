"""What several notebooks on Klie et al. 2024 lean on, against enumeration."""

import numpy as np
import pytest

import labelaudit as la
from reproduction.klie2024 import methods
from reproduction.machinery.run import quietly


@pytest.mark.parametrize(
    ("levels", "size"),
    [(la.STRICT, 60), (la.STRICT, 200), (la.QualityLevels(0.1, 0.3, 0.1, 0.2), 50)],
)
def test_the_guaranteed_truncation_is_the_least_of_all(levels, size):
    full = quietly(la.sequential_plan, levels, size)
    tried = (
        quietly(
            la.sequential_plan, levels, size, max_sample=n, forced_acceptance=int(c)
        )
        for n in range(1, full.max_sample + 1)
        for c in range(max(0, full.accept[n]), full.reject[n])
    )
    first = la.curtail(next(plan for plan in tried if plan.keeps_risks == (True, True)))
    found = methods.guaranteed(levels, size)
    assert found.accept.tolist() == first.accept.tolist()
    assert found.reject.tolist() == first.reject.tolist()


def test_many_lots_at_once_are_as_one_after_the_other():
    """In shares and means, within four standard errors; a row a lot."""
    plan, errors, runs = la.single_plan(la.RELAXED, 300), np.array([3, 9, 30]), 4000
    generator = methods.streams(1, "a", "b")
    accepted, inspected = methods.many(la.curtail(plan), errors, runs, generator)
    assert accepted.shape == inspected.shape == (3, runs)
    p = plan.acceptance_probability(errors)
    assert np.all(np.abs(accepted.mean(1) - p) <= 4 * np.sqrt(p * (1 - p) / runs))
    off = np.abs(inspected.mean(1) - la.curtail(plan).average_sample_number(errors))
    assert np.all(off <= 4 * inspected.std(1) / np.sqrt(runs))
