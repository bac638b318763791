"""optimal_plan: against every plan of small lots, and against its bound elsewhere."""

import copy
import json
import random
import re
from fractions import Fraction

import numpy as np
import pytest

import labelaudit as la
import oracles
from known import rows
from labelaudit.plans.optimal import exhaustive
from optimal_oracles import (
    Problem,
    best_region,
    dual_bound,
    objective_of,
    programme,
    weights_of,
)

LEVELS = {
    "strict": (0.01, 0.03, 0.01, 0.05),
    "relaxed": (0.02, 0.05, 0.05, 0.10),
    "far": (0.05, 0.15, 0.1, 0.1),
    "even": (0.02, 0.08, 0.3, 0.1),
}
OBJECTIVES = {
    "balanced": "balanced",
    "p_a": "p_a",
    "p_r": "p_r",
    "minimax": "minimax",
    "three rates": {0: 1, 0.5: 2.5, 1: 0.1},
    "one rate": {0.3: 4},
}
MIXED = {0.005: 1, 0.02: 3, 0.06: 0.5}  # for large lots


def default_cap(levels, lot_size):
    """ceil(1.5 x the single plan's n), never above the lot."""
    n, _ = oracles.smallest_single(levels, lot_size)
    cap = -(-3 * n // 2)
    return cap if lot_size is None else min(cap, lot_size)


def optimal(levels, lot_size=None, objective="balanced", max_sample=None):
    return la.optimal_plan(
        la.QualityLevels(*levels), lot_size, objective=objective, max_sample=max_sample
    )


def limits(plan):
    return plan.accept.tolist(), plan.reject.tolist()


# Small lots: the best of all ------------------------------------------------------


def tiny_levels(seed, how_many, largest):
    """Random levels, and lots that can tell them apart."""
    rng = random.Random(seed)
    while how_many:
        p_a = rng.choice([0.01, 0.1, 0.2, 0.25, 0.4])
        p_r = round(p_a + rng.choice([0.1, 0.2, 0.3, 0.4, 0.55]), 2)
        alpha = rng.choice([0.001, 0.05, 0.1, 0.25, 0.4])
        beta = rng.choice([0.001, 0.05, 0.1, 0.25, 0.4])
        levels, lot_size = (p_a, p_r, alpha, beta), rng.randint(2, largest)
        d_a, d_r = oracles.in_counts(levels, lot_size)
        if d_a < d_r:
            how_many -= 1
            yield levels, lot_size


def check_best(levels, lot_size, objective, max_sample=None):
    """The best of all regions is returned, or refused where there is none."""
    cap = default_cap(levels, lot_size) if max_sample is None else max_sample
    problem = Problem(levels, lot_size, objective, cap)
    best = best_region(problem)
    case = levels, lot_size, objective, max_sample
    if best is None:
        with pytest.raises(ValueError, match="max_sample"):
            optimal(*case)
        return
    plan = optimal(*case)
    near = 1 if lot_size else Fraction(1001, 1000)
    assert best <= objective_of(problem, limits(plan)) <= near * best, case
    assert plan.keeps_risks == (True, True), case
    assert plan.lot_size == lot_size and plan.max_sample <= plan.cap == cap, case
    relaxed = programme(problem)
    assert plan.lower_bound <= relaxed * (1 + 1e-9) + 1e-12, case
    # The certificate is worth having: the optimum of randomised plans, nearly. Of
    # the largest ASN it may be less, where no single D is the least favourable.
    if objective != "minimax":
        assert plan.lower_bound >= relaxed * (1 - 1e-3), case


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_best_region_is_returned(name):
    """Under caps too, some of them too low; where nearly all of the lot is needed."""
    for levels in ((0.1, 0.5, 0.2, 0.3), (0.2, 0.6, 0.1, 0.2), (0.2, 0.5, 0.01, 0.05)):
        check_best(levels, 6, OBJECTIVES[name])
    for max_sample in (1, 3, 4, 5, 6, 8):
        check_best((0.2, 0.6, 0.1, 0.25), 8, OBJECTIVES[name], max_sample)
    check_best((0.1, 0.3, 0.01, 0.01), 8, OBJECTIVES[name])


def test_the_best_region_for_random_levels():
    rng = random.Random(8)
    for levels, lot_size in tiny_levels(seed=7, how_many=16, largest=8):
        cap = rng.choice([None, lot_size])
        check_best(levels, lot_size, rng.choice([*OBJECTIVES.values()]), cap)


@pytest.mark.parametrize("name", ["balanced", "p_a", "three rates"])
def test_plans_for_a_process(name):
    """Small enough for the best region: never beaten, and the bound holds."""
    check_best((0.1, 0.6, 0.1, 0.2), None, OBJECTIVES[name])


def test_a_risk_that_is_met_exactly_is_kept():
    """Beta of exactly the best plan's own risk gives it again; one digit less, not."""
    # A lot of 6 with D_r = 3: two clean ones are accepted with C(4, 3) / C(6, 3) = 1/5.
    less = oracles.last_digit_below(0.2)
    plan = optimal((0.01, 0.5, 0.001, 0.2), 6, "p_a")
    assert plan.exact_acceptance_probability(3) == Fraction(1, 5)
    assert plan.average_sample_number(0) == 2
    plan = optimal((0.01, 0.5, 0.001, less), 6, "p_a")
    assert plan.exact_acceptance_probability(3) < Fraction(1, 5)
    assert plan.average_sample_number(0) == 3


# The bound in lots too large for all regions ----------------------------------------


@pytest.mark.parametrize("row", rows("far_from_bound"), ids=" ".join)
def test_how_far_from_every_plan(row):
    """Both risks in fractions, of levels read as decimals; better than others."""
    kind, lot_size, name, cap, far, _ = row
    lot_size, cap, far = map(eval, (lot_size, cap, far))
    levels, objective = LEVELS[kind], MIXED if name == "mixed" else name
    plan = optimal(levels, lot_size, objective, cap)
    single = la.single_plan(plan.levels, lot_size)
    cap = cap or min(-(-3 * single.max_sample // 2), lot_size or np.inf)
    assert plan.max_sample <= plan.cap == cap
    d_a, d_r = oracles.in_counts(levels, lot_size)
    alpha, beta = (oracles.decimal(v) for v in levels[2:])
    assert 1 - plan.exact_acceptance_probability(d_a) <= alpha
    assert plan.exact_acceptance_probability(d_r) <= beta
    errors, weights = np.linspace(0, 1, 20_001), [1]
    if name != "minimax":
        weights = weights_of(objective, levels, lot_size)
        errors = np.array([*weights], dtype=int if lot_size else float)
    elif lot_size:
        errors = np.arange(lot_size + 1)

    def value(other):
        asn = other.average_sample_number(errors)
        if name == "minimax":
            return asn.max()
        return asn @ [*map(float, weights.values())]

    found = value(plan)
    assert plan.lower_bound <= found <= (1 + far) * plan.lower_bound
    assert found < 0.95 * value(la.curtail(single))
    if name == "minimax":  # its bound may rest on more than the worst D
        worst = errors[plan.average_sample_number(errors).argmax()].item()
        assert dual_bound(levels, lot_size, {worst: 1}, cap) * (1 - 1e-6) <= found
    else:
        least = dual_bound(levels, lot_size, weights, cap)
        assert least * (1 - 1e-6) <= found <= 1.03 * least
        assert plan.lower_bound == pytest.approx(least, rel=2e-5)
        assert plan.lower_bound <= least * (1 + 3e-6)


# Weights, cap and bound -------------------------------------------------------------


@pytest.mark.parametrize("objective", ["p_a", "minimax"])
def test_plans_for_something_else_are_looked_at(objective):
    """With risks this lax the balanced plan is the better start."""
    levels, every = la.QualityLevels(0.1, 0.16, 0.3, 0.05), np.arange(41)
    at = levels.errors(40)[0] if objective == "p_a" else every
    own, balanced = (
        la.optimal_plan(levels, 40, objective=name).average_sample_number(at)
        for name in (objective, "balanced")
    )
    assert np.max(own) <= np.max(balanced) * (1 + 1e-12)


def test_weights_are_normalised_and_rates_become_counts():
    def bound(weights, lot_size=20):
        plan = optimal((0.05, 0.6, 0.1, 0.1), lot_size, weights)
        return plan.lower_bound, limits(plan)

    assert bound({0.1: 1, 0.3: 3}) == bound({0.1: 5, 0.3: 15})
    assert bound({0.1: 1e100, 0.3: 1e100}) == bound({0.1: 1, 0.3: 1})
    # Decimals, half to even: 1.5 and 2.5 errors are 2.
    assert bound({0.075: 1}) == bound({0.1: 7}) == bound({0.125: 1})
    # Rates that are the same count count together.
    assert bound({0.1: 2, 0.3: 1}) == bound({0.1: 1, 0.101: 1, 0.3: 1})
    # The named objectives are weights of this kind.
    assert bound({0.05: 1, 0.6: 1}) == bound("balanced")
    assert bound({0.05: 3}) == bound("p_a")
    assert bound({0.6: 1}) == bound("p_r")
    assert bound({0.05: 1, 0.6: 1}, None) == bound("balanced", None)


@pytest.mark.parametrize("objective", ["minimax", "balanced"])
def test_risks_that_a_coin_keeps_leave_no_bound(objective):
    plan = optimal((0.125, 0.425, 0.5, 0.499999999), 5, objective)
    assert plan.keeps_risks == (True, True)
    assert 0 <= plan.lower_bound < 1e-6
    assert "gap" not in repr(plan)


def test_least_of_all_is_said_only_where_every_plan_was_tried(monkeypatch):
    levels, said = (0.1, 0.2, 0.2, 0.2), "; the least of all deterministic plans"
    assert optimal(levels, 16).note.endswith(said)
    monkeypatch.setattr(exhaustive, "NODES", 1)
    assert said not in optimal(levels, 16).note


@pytest.mark.parametrize(
    ("lot_size", "max_sample", "cap"),
    [(1000, None, 368), (100, 100, 100), (60, None, 60)],
)
def test_cap_and_bound_are_kept_and_no_other_plan_has_them(lot_size, max_sample, cap):
    """By default 1.5 n with the single plan's n (245, Klie et al. 2024), or the lot."""
    plan = la.optimal_plan(la.RELAXED, lot_size, max_sample=max_sample)
    assert plan.max_sample <= plan.cap == cap
    for copied in (la.SamplingPlan.from_json(plan.to_json()), copy.deepcopy(plan)):
        assert copied == plan and copied.cap == cap
        assert copied.lower_bound == plan.lower_bound > 0
    older = json.loads(plan.to_json())
    del older["cap"]
    assert la.SamplingPlan.from_json(json.dumps(older)).cap is None
    for other in (la.single_plan(la.STRICT, 1000), la.curtail(plan)):
        assert other.lower_bound is None and other.cap is None
    if lot_size == 1000:
        least = int(100 * plan.lower_bound) / 100  # rounded down: a bound stays one
        assert re.search(rf"at least {least:.2f} .*gap [\d.]+ %", repr(plan))
