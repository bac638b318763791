"""optimal_plan: against every plan of small lots, and against its bound elsewhere."""

import copy
import dataclasses
import json
import random
import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy.stats import hypergeom

import labelaudit as la
import optimal_oracles
import oracles
from labelaudit import as_published
from labelaudit.plans.optimal import bound as bounding, search
from labelaudit.plans.optimal.aims import peak
from labelaudit.plans.optimal.search import lower_bound
from optimal_oracles import BranchAndBound, Problem

STRICT = (0.01, 0.03, 0.01, 0.05)
RELAXED = (0.02, 0.05, 0.05, 0.10)
LEVELS = {
    "strict": STRICT,
    "relaxed": RELAXED,
    "far": (0.05, 0.15, 0.1, 0.1),
    "even": (0.02, 0.08, 0.3, 0.1),
    "coarse": (0.02, 0.16, 0.2, 0.1),
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

# The programme and the direct search for multipliers are floating point; they agree
# with each other and with a right bound to 1e-6 in relative terms, and better.
SLACK = 1e-6


def default_cap(levels, lot_size):
    """ceil(1.5 x the single plan's n), never above the lot."""
    n, _ = oracles.smallest_single(levels, lot_size)
    cap = -(-3 * n // 2)
    return cap if lot_size is None else min(cap, lot_size)


def limits(plan):
    return plan.accept.tolist(), plan.reject.tolist()


def exact_value(problem, plan):
    """The plan's objective as a Fraction; None where it misses a risk."""
    return optimal_oracles.objective_of(problem, optimal_oracles.region(limits(plan)))


def large_plan(kind, lot_size, name, factor=None):
    """A plan, its cap, its value, {D: weight} of the objective; each made once."""
    return made(kind, lot_size, name, factor)


@cache
def made(kind, lot_size, name, factor):
    levels = la.QualityLevels(*LEVELS[kind])
    single = la.single_plan(levels, lot_size).max_sample
    objective = MIXED if name == "mixed" else name
    cap = None if factor is None else min(factor * single, lot_size or np.inf)
    plan = la.optimal_plan(levels, lot_size, objective=objective, max_sample=cap)
    cap = cap or min(-(-3 * single // 2), lot_size or np.inf)
    if name == "minimax":
        errors = np.linspace(0, 1, 20_001)
        errors = errors if lot_size is None else np.arange(lot_size + 1)
        asn = plan.average_sample_number(errors)
        value, weights = asn.max(), {errors[asn.argmax()].item(): 1}
    else:
        weights = optimal_oracles.weights_of(objective, LEVELS[kind], lot_size)
        errors = np.array([*weights], dtype=float if lot_size is None else int)
        value = plan.average_sample_number(errors) @ [
            float(w) for w in weights.values()
        ]
    return plan, int(cap), float(value), weights


# The oracles against each other ---------------------------------------------------


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


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_search_finds_what_enumeration_finds(name):
    """Every region one by one, the branch and bound, the programme below both."""
    for levels, lot_size in tiny_levels(seed=5, how_many=8, largest=5):
        problem = Problem(levels, lot_size, OBJECTIVES[name])
        plans = optimal_oracles.interval_plans(lot_size)
        best = optimal_oracles.best_of(problem, map(optimal_oracles.region, plans))
        found = optimal_oracles.best_region(problem)
        relaxed = optimal_oracles.programme(problem)
        assert (None if found is None else found[0]) == best
        if best is not None:
            actions = optimal_oracles.region(found[1])
            assert optimal_oracles.objective_of(problem, actions) == best
            assert relaxed[0] <= float(best) * (1 + SLACK)


@pytest.mark.parametrize("lot_size", [3, 4])
def test_no_other_deterministic_plan_beats_the_best_region(lot_size):
    """Any verdict or none at any (n, x): limits lose nothing in lots this small."""
    for levels in [(0.2, 0.6, 0.1, 0.3), (0.3, 0.7, 0.3, 0.1), (0.01, 0.5, 0.25, 0.4)]:
        for name in ("balanced", "minimax"):
            problem = Problem(levels, lot_size, name)
            any_plan = optimal_oracles.all_plans(lot_size)
            best = optimal_oracles.best_of(problem, any_plan)
            assert optimal_oracles.best_region(problem)[0] == best


@pytest.mark.parametrize(
    ("levels", "lot_size", "max_sample"),
    [
        ((0.2, 0.6, 0.1, 0.2), 10, 10),
        ((0.1, 0.3, 0.1, 0.1), 60, 40),
        ((0.1, 0.3, 0.1, 0.1), None, 50),
    ],
)
def test_multipliers_reach_the_programme(levels, lot_size, max_sample):
    """Strong duality, by two programs that share nothing but the problem."""
    problem = Problem(levels, lot_size, "balanced", max_sample)
    value, _, _ = optimal_oracles.programme(problem)
    bound = optimal_oracles.dual_bound(levels, lot_size, problem.weights, max_sample)
    assert value * (1 - SLACK) <= bound <= value * (1 + 1e-9)


# Small lots: the best of all ------------------------------------------------------


def check_best(levels, lot_size, objective, max_sample=None):
    """The enumerated best is returned, or refused where there is none."""
    cap = default_cap(levels, lot_size) if max_sample is None else max_sample
    problem = Problem(levels, lot_size, objective, cap)
    best = BranchAndBound(problem).search()

    def design():
        return la.optimal_plan(
            la.QualityLevels(*levels),
            lot_size,
            objective=objective,
            max_sample=max_sample,
        )

    case = levels, lot_size, objective, max_sample
    if best is None:
        with pytest.raises(ValueError, match="max_sample"):
            design()
        return
    plan = design()
    assert exact_value(problem, plan) == best[0], case
    assert plan.keeps_risks == (True, True), case
    assert plan.max_sample <= cap, case
    relaxed, _, _ = optimal_oracles.programme(problem)
    assert plan.lower_bound <= relaxed * (1 + 1e-9) + 1e-12, case
    assert plan.lower_bound <= best[0], case
    # The certificate is worth having: the optimum of randomised plans, nearly. Of
    # the largest ASN it may be less, where no single D is the least favourable.
    if objective != "minimax":
        assert plan.lower_bound >= relaxed * (1 - 1e-3), case


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize("lot_size", [3, 6])
def test_the_enumerated_best_is_returned(lot_size, name):
    grid = [(0.1, 0.5, 0.2, 0.3), (0.2, 0.6, 0.1, 0.2), (0.2, 0.5, 0.01, 0.05)]
    for levels in grid:
        d_a, d_r = oracles.in_counts(levels, lot_size)
        if d_a < d_r:
            check_best(levels, lot_size, OBJECTIVES[name])


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_enumerated_best_under_caps(name):
    """Some feasible, some not."""
    levels, lot_size = (0.2, 0.6, 0.1, 0.25), 8
    for max_sample in (1, 3, 4, 5, 6, 8):
        check_best(levels, lot_size, OBJECTIVES[name], max_sample)


def test_the_enumerated_best_for_random_levels():
    rng = random.Random(8)
    for levels, lot_size in tiny_levels(seed=7, how_many=16, largest=8):
        cap = rng.choice([None, lot_size])
        check_best(levels, lot_size, rng.choice([*OBJECTIVES.values()]), cap)


def test_a_risk_that_is_met_exactly_is_kept():
    """Beta of exactly the best plan's own risk gives it again; one digit less, not."""
    # Lot of 8, D_a = 0, D_r = 4: three clean ones are accepted at D_r with
    # probability C(5, 1) / C(8, 4) = 1/14; two with 3/14; in a lot of 4 with
    # D_r = 2, one with 1/2, two with 1/6; in a lot of 6 with D_r = 3, two with 1/5.
    exact = la.QualityLevels(0.01, 0.5, 0.001, 0.2)
    less = la.QualityLevels(0.01, 0.5, 0.001, oracles.last_digit_below(0.2))
    plan = la.optimal_plan(exact, 6, objective="p_a")
    assert plan.exact_acceptance_probability(3) == Fraction(1, 5)
    assert plan.average_sample_number(0) == 2
    plan = la.optimal_plan(less, 6, objective="p_a")
    assert plan.exact_acceptance_probability(3) < Fraction(1, 5)
    assert plan.average_sample_number(0) == 3


# The bound in lots too large for enumeration --------------------------------------


@pytest.mark.parametrize("name", ["p_a", "minimax", "three rates"])
@pytest.mark.parametrize(
    ("levels", "lot_size", "max_sample"),
    [
        ((0.1, 0.4, 0.1, 0.1), 30, None),  # n* = 11: 16, not 17, would show
        ((0.1, 0.4, 0.1, 0.1), 30, 20),
        ((0.02, 0.2, 0.05, 0.1), 50, 30),
    ],
)
def test_the_bound_is_the_randomised_optimum(levels, lot_size, max_sample, name):
    plan = la.optimal_plan(
        la.QualityLevels(*levels),
        lot_size,
        objective=OBJECTIVES[name],
        max_sample=max_sample,
    )
    cap = max_sample or default_cap(levels, lot_size)
    problem = Problem(levels, lot_size, OBJECTIVES[name], cap)
    relaxed, _, _ = optimal_oracles.programme(problem)
    assert plan.lower_bound <= relaxed * (1 + 1e-9)
    assert plan.lower_bound >= relaxed * (1 - (0.05 if name == "minimax" else 1e-4))
    value = exact_value(problem, plan)  # None where a risk is missed
    assert relaxed * (1 - 1e-9) <= value <= 1.2 * relaxed  # loose in small lots
    assert plan.max_sample <= cap


# The bound on plans of any length --------------------------------------------------


@pytest.mark.parametrize("name", ["balanced", "minimax", "three rates"])
@pytest.mark.parametrize(
    ("levels", "lot_size", "first"),
    [
        ((0.1, 0.3, 0.1, 0.1), 30, 4),
        ((0.02, 0.2, 0.05, 0.1), 45, 15),
    ],
)
def test_the_bound_on_every_plan_wherever_the_induction_begins(
    monkeypatch, levels, lot_size, first, name
):
    """Against a linear programme over all randomised plans of up to the whole lot."""
    problem = Problem(levels, lot_size, OBJECTIVES[name], lot_size)
    relaxed, _, _ = optimal_oracles.programme(problem)
    monkeypatch.setattr(bounding, "LENGTHS", 0)
    monkeypatch.setattr(bounding, "SHORT", first)
    arguments = {"objective": OBJECTIVES[name], "max_sample": lot_size}
    found = lower_bound(la.QualityLevels(*levels), lot_size, **arguments)
    near = 0.05 if name == "minimax" else 1e-4
    assert relaxed * (1 - near) <= found <= relaxed * (1 + 1e-9)
    # Also where it is never begun again: less close, but never too high.
    monkeypatch.setattr(bounding, "FORGIVEN", np.inf)
    for early in (first, first + 1, 2 * first):
        monkeypatch.setattr(bounding, "SHORT", early)
        found = lower_bound(la.QualityLevels(*levels), lot_size, **arguments)
        assert found <= relaxed * (1 + 1e-9)


@pytest.mark.parametrize("name", ["p_r", "minimax"])
def test_a_cap_as_large_as_the_lot(name):
    """Against another induction over the whole lot, its prices sought directly."""
    lot_size = 150
    plan, cap, value, weights = large_plan("relaxed", lot_size, name, lot_size)
    assert cap == plan.cap == lot_size
    assert plan.keeps_risks == (True, True)
    whole = optimal_oracles.dual_bound(RELAXED, lot_size, weights, lot_size)
    assert plan.lower_bound <= value <= 1.03 * plan.lower_bound
    assert plan.lower_bound <= value <= 1.03 * whole
    if name != "minimax":  # its bound may rest on more than the worst D
        assert plan.lower_bound == pytest.approx(whole, rel=2e-5)
        assert plan.lower_bound <= whole * (1 + 3 * SLACK)
    shorter = lower_bound(la.RELAXED, lot_size, objective=name)
    assert plan.lower_bound <= shorter * (1 + SLACK)
    assert "for any plan (gap" in repr(plan)


def test_a_longer_plan_goes_below_the_bound_for_shorter_ones():
    """Wald's limits with log thresholds 2.51 and 2.23, computed by scipy's pmf."""
    n, x = np.arange(673)[:, None], np.arange(51)
    at_r, at_a = (hypergeom.logpmf(x, 1000, d, n) for d in (50, 20))
    with np.errstate(invalid="ignore"):  # where neither can be
        ratio = np.where(x > 20, np.inf, np.nan_to_num(at_r - at_a))
    inside = x <= n
    accept = np.where(inside & (ratio < -2.23), x, -1).max(axis=1)
    reject = np.where(inside & (ratio > 2.51), x, n + 1).min(axis=1)
    reject[-1] = accept[-1] + 1
    longer = la.SamplingPlan(accept, reject, 1000, la.RELAXED)
    mean = longer.average_sample_number([20, 50]).mean()
    assert longer.keeps_risks == (True, True)
    assert round(mean, 2) == 127.96
    assert mean < lower_bound(la.RELAXED, 1000) == pytest.approx(128.42, abs=0.005)
    assert lower_bound(la.RELAXED, 1000, max_sample=1000) < mean


LARGE = [  # the last: how far from the bound at most
    ("strict", 1000, "balanced", None, 1e-4),
    ("relaxed", 1000, "minimax", None, 1e-4),
    ("relaxed", 24799, "balanced", None, 0.02),
    ("relaxed", 1000, "mixed", None, 0.02),
    ("relaxed", 400, "p_a", 2, 0.01),
    ("far", None, "balanced", None, 0.02),
]


@pytest.mark.parametrize(("kind", "lot_size", "name", "factor", "far"), LARGE)
def test_how_far_from_every_plan(kind, lot_size, name, factor, far):
    """Both risks in fractions, of levels read as decimals."""
    plan, cap, value, weights = large_plan(kind, lot_size, name, factor)
    assert plan.max_sample <= cap
    assert plan.lot_size == lot_size
    assert plan.levels == la.QualityLevels(*LEVELS[kind])
    d_a, d_r = oracles.in_counts(LEVELS[kind], lot_size)
    alpha, beta = (oracles.decimal(v) for v in LEVELS[kind][2:])
    assert 1 - plan.exact_acceptance_probability(d_a) <= alpha
    assert plan.exact_acceptance_probability(d_r) <= beta
    assert plan.lower_bound <= value <= (1 + far) * plan.lower_bound
    least = optimal_oracles.dual_bound(LEVELS[kind], lot_size, weights, cap)
    assert least * (1 - SLACK) <= value <= 1.02 * least
    if name != "minimax":  # its bound may rest on more than the worst D
        assert plan.lower_bound == pytest.approx(least, rel=2e-5)
        assert plan.lower_bound <= least * (1 + 3 * SLACK)


def test_risks_by_another_evaluation():
    """State by state, not by the orders that arrive."""
    plan, *_ = large_plan("relaxed", 400, "p_a", 2)
    for errors, risk in ((8, 1 - Fraction("0.05")), (20, Fraction("0.10"))):
        accepted, stops = oracles.by_recursion(*limits(plan), 400, errors)
        assert accepted >= risk if errors == 8 else accepted <= risk
        asn = float(sum(n * mass for n, mass in enumerate(stops)))
        assert plan.average_sample_number(errors) == pytest.approx(asn, rel=1e-12)


def test_plans_that_others_design_do_not_beat_the_bound():
    """Whatever keeps both risks under the same cap costs at least lower_bound."""
    balanced, cap, _, _ = large_plan("strict", 1000, "balanced")
    others = [la.single_plan(la.STRICT, 1000), la.double_plan(la.STRICT, 1000)]
    for other in [*others, *map(la.curtail, others)]:
        assert other.keeps_risks == (True, True)
        assert other.max_sample <= cap
        assert other.average_sample_number([10, 30]).mean() > balanced.lower_bound
    worst, _, value, _ = large_plan("relaxed", 1000, "minimax")
    single = la.curtail(la.single_plan(la.RELAXED, 1000))
    every = np.arange(1001)
    assert worst.lower_bound <= value < single.average_sample_number(every).max()
    other, *_ = large_plan("relaxed", 1000, "mixed")
    assert value <= other.average_sample_number(every).max()


@pytest.mark.parametrize(("kind", "lot_size"), [("strict", 1000), ("relaxed", 24799)])
def test_what_a_balanced_plan_saves(kind, lot_size):
    """42-55 % of the single plan's inspections at p_a, 43-54 % at p_r; 24-32 % of
    the published double plan's at p_a: the prototype's range over 12 settings."""
    plan, *_ = large_plan(kind, lot_size, "balanced")
    levels = plan.levels
    at_a, at_r = plan.average_sample_number(np.array(levels.errors(lot_size)))
    single = la.single_plan(levels, lot_size).max_sample
    assert 0.415 < 1 - at_a / single < 0.555
    assert 0.425 < 1 - at_r / single < 0.545
    n, c1, c2 = as_published.double_plan(levels, lot_size)
    d_a, _ = levels.errors(lot_size)
    second = sum(oracles.pmf(x, n, lot_size, d_a) for x in range(c1 + 1, c2 + 1))
    assert 0.235 < 1 - at_a / float(n * (1 + second)) < 0.325


def test_what_a_minimax_plan_saves():
    """26-36 % fewer inspections at the worst D, in the prototype."""
    plan, _, value, _ = large_plan("relaxed", 1000, "minimax")
    assert 0.255 < 1 - value / la.single_plan(plan.levels, 1000).max_sample < 0.365


# Caps -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "lot_size", "single", "cap"),
    [
        ((0.1, 0.4, 0.1, 0.1), 30, 11, 17),
        ((0.05, 0.2, 0.1, 0.1), None, 32, 48),
    ],
)
def test_the_default_cap_is_half_more_than_the_single_plan(
    levels, lot_size, single, cap
):
    levels = la.QualityLevels(*levels)
    assert la.single_plan(levels, lot_size).max_sample == single
    plan = la.optimal_plan(levels, lot_size)
    wanted = la.optimal_plan(levels, lot_size, max_sample=cap)
    assert plan == wanted
    assert plan.lower_bound == wanted.lower_bound


def test_the_default_cap_is_never_above_the_lot():
    """Levels this strict need nearly all of the lot."""
    levels = (0.1, 0.3, 0.01, 0.01)
    assert 1.5 * oracles.smallest_single(levels, 10)[0] > 10
    check_best(levels, 10, "balanced")


# Weights --------------------------------------------------------------------------


def test_weights_are_normalised_and_rates_become_counts():
    def bound(weights, lot_size=40):
        levels = la.QualityLevels(0.05, 0.6, 0.1, 0.1)
        plan = la.optimal_plan(levels, lot_size, objective=weights)
        return plan.lower_bound, limits(plan)

    assert bound({0.1: 1, 0.3: 3}) == bound({0.1: 5, 0.3: 15})
    # Decimals, half to even: 1.5 and 2.5 errors are 2.
    assert bound({0.0375: 1}) == bound({0.05: 7}) == bound({0.0625: 1})
    # Rates that are the same count count together.
    assert bound({0.1: 2, 0.3: 1}) == bound({0.1: 1, 0.101: 1, 0.3: 1})
    # The named objectives are weights of this kind.
    assert bound({0.05: 1, 0.6: 1}) == bound("balanced")
    assert bound({0.05: 3}) == bound("p_a")
    assert bound({0.6: 1}) == bound("p_r")
    assert bound({0.05: 1, 0.6: 1}, None) == bound("balanced", None)


def test_weights_may_be_at_the_ends():
    levels = la.QualityLevels(0.05, 0.4, 0.1, 0.1)
    for objective, lot_size, errors in (
        ({0: 1}, 100, 0),
        ({1: 1}, 100, 100),
        ({0.0: 1}, None, 0.0),
        ({1.0: 1}, None, 1.0),
    ):
        plan = la.optimal_plan(levels, lot_size, objective=objective)
        assert plan.keeps_risks == (True, True)
        assert plan.lower_bound <= plan.average_sample_number(errors) * (1 + 1e-9)


@pytest.mark.parametrize("name", ["balanced", "p_a", "p_r"])
def test_mixtures_with_a_plan_that_inspects_nothing_count_too(name):
    """At risks so large the best mixture stops at once in some of the lots."""
    levels = la.QualityLevels(0.1, 0.3, 0.4, 0.4)
    bound = lower_bound(levels, 60, objective=name, max_sample=60)
    problem = Problem((0.1, 0.3, 0.4, 0.4), 60, OBJECTIVES[name], 60)
    relaxed, _, _ = optimal_oracles.programme(problem)
    assert bound == pytest.approx(relaxed, rel=1e-4)


# Processes ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["balanced", "p_a", "three rates"])
def test_plans_for_a_process(name):
    """Small enough for the best region: never beaten, and the bound holds."""
    levels = (0.1, 0.6, 0.1, 0.2)
    cap = default_cap(levels, None)
    problem = Problem(levels, None, OBJECTIVES[name], cap)
    plan = la.optimal_plan(la.QualityLevels(*levels), objective=OBJECTIVES[name])
    value = exact_value(problem, plan)  # None where a risk is missed
    relaxed, _, _ = optimal_oracles.programme(problem)
    best, _ = optimal_oracles.best_region(problem)
    assert relaxed * (1 - 1e-3) <= plan.lower_bound <= relaxed * (1 + 1e-9)
    assert best <= value
    assert plan.lot_size is None
    assert plan.max_sample <= cap


def test_minimax_for_a_process():
    """The largest ASN over all rates, near the bound for the worst rate alone."""
    plan, cap, value, weights = large_plan("far", None, "minimax")
    assert plan.keeps_risks == (True, True)
    assert plan.lower_bound <= value <= 1.02 * plan.lower_bound
    bound = optimal_oracles.dual_bound(LEVELS["far"], None, weights, cap)
    assert bound <= value <= 1.02 * bound


# The bound as a field -------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "lot_size", "rates"),
    [
        ("even", 1000, (0, 0.03)),
        ("coarse", 2500, (0.02, 0.16)),
        ("far", None, (0, 0.1)),
    ],
)
def test_no_mean_has_a_greater_bound_than_the_largest(kind, lot_size, rates):
    """A bound on any mean of ASNs is one on the largest of them too."""
    plan, cap, _, _ = large_plan(kind, lot_size, "minimax")
    mean = {"objective": dict.fromkeys(rates, 1), "max_sample": cap}
    assert lower_bound(plan.levels, lot_size, **mean) <= plan.lower_bound * 1.001


def test_a_largest_number_that_mixtures_even_out():
    """Levels at which the plan for one number of errors is 5 % from the bound."""
    plan, _, value, _ = large_plan("even", 1000, "minimax")
    assert value <= 1.01 * plan.lower_bound


def test_a_largest_number_away_from_where_it_is_counted():
    """What a plan inspects at its own worst D decides whether it is taken."""
    plan, _, value, _ = large_plan("even", 400, "minimax")
    single = la.curtail(la.single_plan(plan.levels, 400))
    assert value < 0.9 * single.average_sample_number(np.arange(401)).max()


@pytest.mark.parametrize("objective", ["minimax", "balanced"])
def test_risks_that_a_coin_keeps_leave_no_bound(objective):
    levels = la.QualityLevels(0.125, 0.425, 0.5, 0.499999999)
    plan = la.optimal_plan(levels, 5, objective=objective)
    assert plan.keeps_risks == (True, True)
    assert 0 <= plan.lower_bound < 1e-6
    assert "gap" not in repr(plan)


def test_huge_weights_are_weights():
    levels = la.QualityLevels(0.05, 0.2, 0.1, 0.1)
    huge, plain = (
        la.optimal_plan(levels, 30, objective={0.1: w, 0.4: w}) for w in (1e100, 1)
    )
    assert huge.lower_bound == plain.lower_bound


def test_levels_too_close_for_the_table_are_refused_at_once():
    with pytest.raises(ValueError, match="levels must be far enough apart, or max_s"):
        la.optimal_plan(la.QualityLevels(0.1, 0.105, 0.05, 0.1))


def test_only_optimal_plans_carry_a_bound():
    plan, *_ = large_plan("strict", 1000, "balanced")
    again = la.SamplingPlan.from_json(plan.to_json())
    assert again == plan
    assert again.lower_bound == plan.lower_bound > 0
    for other in (la.single_plan(la.STRICT, 1000), la.curtail(plan)):
        assert other.lower_bound is None and other.cap is None


@pytest.mark.parametrize(
    ("lot_size", "max_sample", "cap"),
    [(1000, None, 368), (100, 100, 100), (60, None, 60)],
)
def test_the_cap_that_was_asked_for_is_kept(lot_size, max_sample, cap):
    """By default 1.5 n with the single plan's n (245, Klie et al. 2024), or the lot."""
    plan = la.optimal_plan(la.RELAXED, lot_size, max_sample=max_sample)
    assert plan.max_sample <= plan.cap == cap
    for copied in (la.SamplingPlan.from_json(plan.to_json()), copy.deepcopy(plan)):
        assert copied.cap == cap
    older = json.loads(plan.to_json())
    del older["cap"]
    assert la.SamplingPlan.from_json(json.dumps(older)).cap is None
    with pytest.raises(ValueError, match="cap must be a whole number from"):
        dataclasses.replace(plan, cap=plan.max_sample - 1)


def test_all_plans_are_compared_where_few_inspections_are_allowed():
    levels, said = la.QualityLevels(0.1, 0.4, 0.1, 0.1), "least of all deterministic"
    for cap in (search.SMALL, search.SMALL + 1):
        plan = la.optimal_plan(levels, 60, max_sample=cap)
        assert (said in repr(plan)) == (cap == search.SMALL)


def test_the_gap_is_shown():
    plan, *_ = large_plan("strict", 1000, "balanced")
    assert f"{plan.lower_bound:.2f}" in repr(plan)
    assert re.search(r"gap [\d.]+ %", repr(plan))
    n = plan.stages.n
    assert f"limits decide, after {n.min()} inspections at the earliest\n" in repr(plan)


# Refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "objective",
    [
        "fast",
        "",
        None,
        3,
        0.5,
        [0.1, 0.2],
        {},
        {0.1: -1},
        {0.1: 2, 0.2: -1},
        {0.1: 0},
        {0.1: 0, 0.2: 0.0},
        {0.1: float("nan")},
        {0.1: float("inf")},
        {0.1: "1"},
        {0.1: None},
        {0.1: True},
        {1.2: 1},
        {-0.1: 1},
        {float("nan"): 1},
        {float("inf"): 1},
        {"p_a": 1},
        {None: 1},
        {10: 1},  # a count is not a rate
    ],
    ids=repr,
)
@pytest.mark.parametrize("lot_size", [100, None])
def test_refused_objectives(objective, lot_size):
    levels = la.QualityLevels(0.05, 0.2, 0.1, 0.1)
    with pytest.raises(ValueError, match="objective"):
        la.optimal_plan(levels, lot_size, objective=objective)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"max_sample": 0}, "max_sample"),
        ({"max_sample": -3}, "max_sample"),
        ({"max_sample": 20.5}, "max_sample"),
        ({"max_sample": "20"}, "max_sample"),
        ({"max_sample": True}, "max_sample"),
        ({"max_sample": 101}, "max_sample"),  # more than the lot
        ({"lot_size": 0}, "lot_size"),
        ({"lot_size": 100.5}, "lot_size"),
        ({"lot_size": 2}, "lot_size"),  # too small to tell the levels apart
        ({"levels": (0.05, 0.2, 0.1, 0.1)}, "levels"),
        ({"levels": None}, "levels"),
    ],
    ids=repr,
)
def test_refused_arguments(arguments, named):
    given = {"levels": la.QualityLevels(0.05, 0.2, 0.1, 0.1), "lot_size": 100}
    with pytest.raises(ValueError, match=named):
        la.optimal_plan(**(given | arguments))


@pytest.mark.parametrize("objective", ["balanced", "minimax", {0.02: 1}])
@pytest.mark.parametrize(("lot_size", "max_sample"), [(1000, 100), (None, 300)])
def test_a_cap_that_no_plan_can_keep_is_refused(lot_size, max_sample, objective):
    """By Neyman and Pearson no plan of so few inspections keeps both risks.

    The best randomised test of max_sample outcomes that rejects at p_a with
    probability alpha accepts at p_r with more than beta, and a sequential plan of at
    most max_sample is no better.
    """
    d_a, d_r = oracles.in_counts(STRICT, lot_size)
    alpha, beta = (oracles.decimal(v) for v in STRICT[2:])
    c = 0
    while 1 - oracles.cdf(c, max_sample, lot_size, d_a) > alpha:
        c += 1
    at = oracles.pmf(c, max_sample, lot_size, d_a)
    room = (alpha - 1 + oracles.cdf(c, max_sample, lot_size, d_a)) / at
    accepted = oracles.cdf(c, max_sample, lot_size, d_r)
    accepted -= room * oracles.pmf(c, max_sample, lot_size, d_r)
    assert accepted > beta
    with pytest.raises(ValueError, match=f"max_sample.*{max_sample}"):
        la.optimal_plan(la.STRICT, lot_size, objective=objective, max_sample=max_sample)


def test_the_single_plans_own_number_is_a_cap_that_does():
    n = la.single_plan(la.RELAXED, 500).max_sample
    plan = la.optimal_plan(la.RELAXED, 500, max_sample=n)
    assert plan.max_sample <= n
    assert plan.keeps_risks == (True, True)
    assert plan.average_sample_number(10) < n


def test_a_long_search_says_so_first(monkeypatch):
    monkeypatch.setattr(search, "SLOW_TABLE", 100)
    with pytest.warns(UserWarning, match="up to 28 inspections"):
        la.optimal_plan(la.QualityLevels(0.1, 0.4, 0.1, 0.1), max_sample=28)


@pytest.mark.parametrize("top", [5250, 7777])
def test_a_narrow_peak_beside_a_broad_one(top):
    """Two bells over D, the higher one as narrow as a sample of 1000 tells apart."""

    def bells(errors):
        d = np.asarray(errors, dtype=float)
        return np.exp(-(((d - 2000) / 1500) ** 2)) + 2 * np.exp(
            -(((d - top) / 40) ** 2)
        )

    found, at = peak(bells, 10_000, 1000)
    every = bells(np.arange(10_001))
    assert (found, at) == (pytest.approx(every.max(), rel=1e-3), every.argmax())
