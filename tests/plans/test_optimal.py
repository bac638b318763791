"""optimal_plan: against every plan of small lots, and against its bound elsewhere."""

import copy
import json
import random
import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import labelaudit as la
import optimal_oracles
import oracles
from labelaudit import as_published
from optimal_oracles import Problem

STRICT = (0.01, 0.03, 0.01, 0.05)
LEVELS = {
    "strict": STRICT,
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

# The programme and the direct search for multipliers are floating point; they agree
# with each other and with a right bound to 1e-6 in relative terms, and better.
SLACK = 1e-6


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


def exact_value(problem, plan):
    """The plan's objective as a Fraction; None where it misses a risk."""
    return optimal_oracles.objective_of(problem, optimal_oracles.region(limits(plan)))


@cache
def made(kind, lot_size, name, factor=None):
    """A plan, its cap, its value, {D: weight} of the objective; each made once."""
    levels = la.QualityLevels(*LEVELS[kind])
    single = la.single_plan(levels, lot_size).max_sample
    objective = MIXED if name == "mixed" else name
    cap = None if factor is None else min(factor * single, lot_size or np.inf)
    plan = optimal(LEVELS[kind], lot_size, objective, cap)
    cap = cap or min(-(-3 * single // 2), lot_size or np.inf)
    if name == "minimax":
        errors = np.linspace(0, 1, 20_001)
        errors = errors if lot_size is None else np.arange(lot_size + 1)
        asn = plan.average_sample_number(errors)
        value, weights = asn.max(), {errors[asn.argmax()].item(): 1}
    else:
        weights = optimal_oracles.weights_of(objective, LEVELS[kind], lot_size)
        errors = np.array([*weights], dtype=float if lot_size is None else int)
        value = plan.average_sample_number(errors) @ [*map(float, weights.values())]
    return plan, int(cap), float(value), weights


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


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_search_finds_what_enumeration_finds(name):
    """The oracle against every region one by one."""
    for levels, lot_size in tiny_levels(seed=5, how_many=8, largest=5):
        problem = Problem(levels, lot_size, OBJECTIVES[name])
        plans = optimal_oracles.interval_plans(lot_size)
        best = optimal_oracles.best_of(problem, map(optimal_oracles.region, plans))
        found = optimal_oracles.best_region(problem)
        assert (None if found is None else found[0]) == best


def check_best(levels, lot_size, objective, max_sample=None):
    """The enumerated best is returned, or refused where there is none."""
    cap = default_cap(levels, lot_size) if max_sample is None else max_sample
    problem = Problem(levels, lot_size, objective, cap)
    best = optimal_oracles.best_region(problem)
    case = levels, lot_size, objective, max_sample
    if best is None:
        with pytest.raises(ValueError, match="max_sample"):
            optimal(*case)
        return
    plan = optimal(*case)
    assert exact_value(problem, plan) == best[0], case
    assert plan.keeps_risks == (True, True), case
    assert plan.max_sample <= plan.cap == cap, case
    relaxed = optimal_oracles.programme(problem)
    assert plan.lower_bound <= relaxed * (1 + 1e-9) + 1e-12, case
    # The certificate is worth having: the optimum of randomised plans, nearly. Of
    # the largest ASN it may be less, where no single D is the least favourable.
    if objective != "minimax":
        assert plan.lower_bound >= relaxed * (1 - 1e-3), case


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_enumerated_best_is_returned(name):
    """Under caps too, some of them too low."""
    for levels in ((0.1, 0.5, 0.2, 0.3), (0.2, 0.6, 0.1, 0.2), (0.2, 0.5, 0.01, 0.05)):
        check_best(levels, 6, OBJECTIVES[name])
    for max_sample in (1, 3, 4, 5, 6, 8):
        check_best((0.2, 0.6, 0.1, 0.25), 8, OBJECTIVES[name], max_sample)


def test_the_enumerated_best_for_random_levels():
    rng = random.Random(8)
    for levels, lot_size in tiny_levels(seed=7, how_many=16, largest=8):
        cap = rng.choice([None, lot_size])
        check_best(levels, lot_size, rng.choice([*OBJECTIVES.values()]), cap)


@pytest.mark.parametrize("name", ["balanced", "p_a", "three rates"])
def test_plans_for_a_process(name):
    """Small enough for the best region: never beaten, and the bound holds."""
    levels = (0.1, 0.6, 0.1, 0.2)
    cap = default_cap(levels, None)
    problem = Problem(levels, None, OBJECTIVES[name], cap)
    plan = optimal(levels, None, OBJECTIVES[name])
    value = exact_value(problem, plan)  # None where a risk is missed
    relaxed = optimal_oracles.programme(problem)
    best, _ = optimal_oracles.best_region(problem)
    assert relaxed * (1 - 1e-3) <= plan.lower_bound <= relaxed * (1 + 1e-9)
    assert best <= value <= 1.001 * best
    assert plan.lot_size is None and plan.max_sample <= plan.cap == cap


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


# The bound in lots too large for enumeration --------------------------------------


@pytest.mark.parametrize("name", ["p_a", "minimax", "three rates"])
@pytest.mark.parametrize(
    ("levels", "lot_size", "max_sample"),
    [
        ((0.1, 0.4, 0.1, 0.1), 30, None),  # n* = 11: 16, not 17, would show
        ((0.1, 0.4, 0.1, 0.1), 30, 20),
        ((0.1, 0.3, 0.4, 0.4), 50, 50),  # of mixtures with no inspection at all
        ((0.02, 0.2, 0.05, 0.1), 45, 45),
    ],
)
def test_the_bound_is_the_randomised_optimum(levels, lot_size, max_sample, name):
    plan = optimal(levels, lot_size, OBJECTIVES[name], max_sample)
    cap = max_sample or default_cap(levels, lot_size)
    problem = Problem(levels, lot_size, OBJECTIVES[name], cap)
    relaxed = optimal_oracles.programme(problem)
    assert plan.lower_bound <= relaxed * (1 + 1e-9)
    assert plan.lower_bound >= relaxed * (1 - (0.05 if name == "minimax" else 1e-4))
    value = exact_value(problem, plan)  # None where a risk is missed
    assert relaxed * (1 - 1e-9) <= value <= 3 * relaxed  # loose in small lots
    assert plan.max_sample <= plan.cap == cap


LARGE = [  # the last: how far from the bound at most
    ("strict", 1000, "balanced", None, 1e-4),
    ("relaxed", 1000, "minimax", None, 1e-4),
    ("relaxed", 24799, "balanced", None, 0.02),
    ("relaxed", 1000, "mixed", None, 0.02),
    ("relaxed", 400, "p_a", 2, 0.01),
    ("relaxed", 150, "p_r", 150, 0.03),  # the cap is the lot
    ("even", 1000, "minimax", None, 0.01),  # one D alone is 5 % from the bound
    ("far", None, "balanced", None, 0.02),
    ("far", None, "minimax", None, 0.02),
]


@pytest.mark.parametrize(("kind", "lot_size", "name", "factor", "far"), LARGE)
def test_how_far_from_every_plan(kind, lot_size, name, factor, far):
    """Both risks in fractions, of levels read as decimals."""
    plan, cap, value, weights = made(kind, lot_size, name, factor)
    assert plan.max_sample <= plan.cap == cap
    assert plan.lot_size == lot_size
    assert plan.levels == la.QualityLevels(*LEVELS[kind])
    d_a, d_r = oracles.in_counts(LEVELS[kind], lot_size)
    alpha, beta = (oracles.decimal(v) for v in LEVELS[kind][2:])
    assert 1 - plan.exact_acceptance_probability(d_a) <= alpha
    assert plan.exact_acceptance_probability(d_r) <= beta
    assert plan.lower_bound <= value <= (1 + far) * plan.lower_bound
    least = optimal_oracles.dual_bound(LEVELS[kind], lot_size, weights, cap)
    assert least * (1 - SLACK) <= value
    if name != "minimax":  # its bound may rest on more than the worst D
        assert value <= 1.03 * least
        assert plan.lower_bound == pytest.approx(least, rel=2e-5)
        assert plan.lower_bound <= least * (1 + 3 * SLACK)


def test_plans_that_others_design_do_not_beat_the_bound():
    """Whatever keeps both risks under the same cap costs at least lower_bound."""
    balanced, cap, _, _ = made("strict", 1000, "balanced")
    others = [la.single_plan(la.STRICT, 1000), la.double_plan(la.STRICT, 1000)]
    for other in [*others, *map(la.curtail, others)]:
        assert other.max_sample <= cap
        assert other.average_sample_number([10, 30]).mean() > balanced.lower_bound
    _, _, value, _ = made("relaxed", 1000, "minimax")
    single = la.curtail(la.single_plan(la.RELAXED, 1000))
    for other in (single, made("relaxed", 1000, "mixed")[0]):
        assert value <= other.average_sample_number(np.arange(1001)).max()


def test_a_largest_number_away_from_where_it_is_counted():
    """What a plan inspects at its own worst D decides whether it is taken."""
    plan, _, value, _ = made("even", 400, "minimax")
    single = la.curtail(la.single_plan(plan.levels, 400))
    assert value < 0.9 * single.average_sample_number(np.arange(401)).max()


@pytest.mark.parametrize(("kind", "lot_size"), [("strict", 1000), ("relaxed", 24799)])
def test_what_a_balanced_plan_saves(kind, lot_size):
    """42-55 % of the single plan's inspections at p_a, 43-54 % at p_r; 24-32 % of
    the published double plan's at p_a: the prototype's range over 12 settings."""
    plan, *_ = made(kind, lot_size, "balanced")
    levels = plan.levels
    at_a, at_r = plan.average_sample_number(np.array(levels.errors(lot_size)))
    single = la.single_plan(levels, lot_size).max_sample
    assert 0.415 < 1 - at_a / single < 0.555
    assert 0.425 < 1 - at_r / single < 0.545
    n, c1, c2 = as_published.double_plan(levels, lot_size)
    d_a, _ = levels.errors(lot_size)
    second = sum(oracles.pmf(x, n, lot_size, d_a) for x in range(c1 + 1, c2 + 1))
    assert 0.235 < 1 - at_a / float(n * (1 + second)) < 0.325


# Caps and weights -------------------------------------------------------------------


def test_the_default_cap_is_never_above_the_lot():
    """Levels this strict need nearly all of the lot."""
    levels = (0.1, 0.3, 0.01, 0.01)
    assert 1.5 * oracles.smallest_single(levels, 10)[0] > 10
    check_best(levels, 10, "balanced")


def test_weights_are_normalised_and_rates_become_counts():
    def bound(weights, lot_size=40):
        plan = optimal((0.05, 0.6, 0.1, 0.1), lot_size, weights)
        return plan.lower_bound, limits(plan)

    assert bound({0.1: 1, 0.3: 3}) == bound({0.1: 5, 0.3: 15})
    assert bound({0.1: 1e100, 0.3: 1e100}) == bound({0.1: 1, 0.3: 1})
    # Decimals, half to even: 1.5 and 2.5 errors are 2.
    assert bound({0.0375: 1}) == bound({0.05: 7}) == bound({0.0625: 1})
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
        assert re.search(rf"{plan.lower_bound:.2f}.*gap [\d.]+ %", repr(plan))


# Refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "objective",
    [
        "fast", {}, {0.1: -1}, {0.1: 2, 0.2: -1}, {0.1: 0}, {0.1: float("nan")},
        {0.1: float("inf")}, {0.1: "1"}, {0.1: True}, {1.2: 1}, {-0.1: 1},
        {float("nan"): 1}, {"p_a": 1}, {None: 1}, {10: 1},
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("lot_size", [100, None])
def test_refused_objectives(objective, lot_size):
    with pytest.raises(ValueError, match="objective"):
        optimal((0.05, 0.2, 0.1, 0.1), lot_size, objective)


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
        optimal(STRICT, lot_size, objective, max_sample)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (((0.05, 0.2, 0.1, 0.1), 100, "balanced", 101), "max_sample"),  # over the lot
        (((0.05, 0.2, 0.1, 0.1), 100, "balanced", 0), "max_sample"),
        (((0.05, 0.2, 0.1, 0.1), 2), "lot_size"),  # too small to tell them apart
        (((0.1, 0.105, 0.05, 0.1),), "levels must be far enough apart, or max_s"),
    ],
)
def test_refused_arguments(arguments, words):
    with pytest.raises(ValueError, match=words):
        optimal(*arguments)
