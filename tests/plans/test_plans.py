"""Single and double plans: against every plan there is, and against the paper."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

import labelaudit as la
import oracles

GRID = [
    (0.01, 0.2, 0.05, 0.1),
    (0.1, 0.3, 0.1, 0.2),
    (0.2, 0.4, 0.2, 0.5),
    (0.2, 0.5, 0.2, 0.3),
    (0.05, 0.5, 0.01, 0.01),
    (0.3, 0.7, 0.4, 0.05),
]


def single_numbers(plan):
    return plan.max_sample, int(plan.accept[-1])


def double_numbers(plan):
    """(n, c1, c2), after a look at the shape of the region."""
    n, odd = divmod(plan.max_sample, 2)
    assert not odd
    c1, c2 = int(plan.accept[n]), int(plan.accept[2 * n])
    assert plan.stages.values.tolist() == [[n, c1, c2 + 1], [2 * n, c2, c2 + 1]]
    return n, c1, c2


# Published numbers ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "lot_size", "n", "c"),
    [
        (la.STRICT, 1000, 428, 8),  # section 3.3
        (la.RELAXED, 1000, 245, 8),  # section 3.3 prints 425, 8: digits exchanged
        (la.STRICT, 3380, 585, 11),  # Table 3
        (la.RELAXED, 3380, 278, 9),
        (la.STRICT, 24799, 682, 13),
        (la.RELAXED, 24799, 305, 10),
    ],
)
def test_single_plans_of_klie(levels, lot_size, n, c):
    """Klie et al. 2024; that they are the smallest is checked with scipy."""
    assert single_numbers(la.single_plan(levels, lot_size)) == (n, c)
    d_a, d_r = oracles.in_counts((levels.p_a, levels.p_r), lot_size)
    for size, wanted in ((n, [c]), (n - 1, [])):
        kept = [
            k
            for k in range(40)
            if hypergeom.sf(k, lot_size, d_a, size) <= levels.alpha
            and hypergeom.cdf(k, lot_size, d_r, size) <= levels.beta
        ]
        assert kept == wanted


# Every single plan ----------------------------------------------------------------


@pytest.mark.parametrize("levels", GRID)
def test_single_plan_is_the_smallest_in_every_small_lot(levels):
    for lot_size in range(2, 31):
        d_a, d_r = oracles.in_counts(levels, lot_size)
        if d_a == d_r:
            continue
        plan = la.single_plan(la.QualityLevels(*levels), lot_size)
        n, numbers = oracles.smallest_single(levels, lot_size)
        assert (plan.max_sample, plan.accept[-1].item()) == (n, *numbers)
        assert plan.stages.values.tolist() == [[n, numbers[0], numbers[0] + 1]]


@pytest.mark.parametrize(
    "levels", [(0.05, 0.3, 0.05, 0.1), (0.1, 0.3, 0.05, 0.1), (0.2, 0.6, 0.01, 0.01)]
)
def test_single_plan_of_a_process_is_the_smallest(levels):
    plan = la.single_plan(la.QualityLevels(*levels))
    p_a, p_r, alpha, beta = levels
    smallest = next(
        (n, c)
        for n in range(200)
        for c in range(-1, n + 1)
        if binom.sf(c, n, p_a) <= alpha and binom.cdf(c, n, p_r) <= beta
    )
    assert plan.lot_size is None
    assert single_numbers(plan) == smallest
    assert oracles.smallest_single(levels, None) == (smallest[0], [smallest[1]])


# Risks that are met exactly -------------------------------------------------------


def exact_risks(lot_size):
    """(p_a, p_r, n, c, producer's, consumer's risk), the risks short decimals."""
    for d_a in range(lot_size // 2):
        for d_r in range(d_a + 1, lot_size):
            for n in range(1, lot_size):
                for c in range(min(n, d_r)):
                    alpha = 1 - oracles.cdf(c, n, lot_size, d_a)
                    beta = oracles.cdf(c, n, lot_size, d_r)
                    yield d_a / lot_size, d_r / lot_size, n, c, alpha, beta


@pytest.mark.parametrize("which", ["alpha", "beta"])
@pytest.mark.parametrize("lot_size", [5, 8, 10, 12])
def test_a_risk_that_equals_the_nominal_one_is_kept(lot_size, which):
    """n keeps a risk of exactly the nominal one; one decimal less needs more."""
    tried = 0
    for p_a, p_r, n, c, *risks in exact_risks(lot_size):
        at = ["alpha", "beta"].index(which)
        nominal = oracles.short_decimal(risks[at])
        if p_a == 0 or not nominal or not 0 < nominal < 0.5:
            continue
        levels = {"p_a": p_a, "p_r": p_r, "alpha": 0.5, "beta": 0.5} | {which: nominal}
        smallest = oracles.smallest_single(tuple(levels.values()), lot_size)
        if risks[1 - at] > Fraction(1, 2) or smallest != (n, [c]):
            continue
        tried += 1
        plan = la.single_plan(la.QualityLevels(**levels), lot_size)
        assert single_numbers(plan) == (n, c)
        assert plan.keeps_risks == (True, True)
        less = levels | {which: oracles.last_digit_below(nominal)}
        stricter = la.QualityLevels(**less)
        missed = la.SamplingPlan(plan.accept, plan.reject, lot_size, stricter)
        assert missed.keeps_risks == (which != "alpha", which != "beta")
        wanted_n, (wanted_c,) = oracles.smallest_single(tuple(less.values()), lot_size)
        larger = la.single_plan(stricter, lot_size)
        assert (n, c) != single_numbers(larger) == (wanted_n, wanted_c)
    assert tried >= 2


def test_a_process_counts_an_equal_risk_as_kept():
    """c = 0, n = 2: the consumer's risk at 0.9 is 0.1^2, the producer's at 0.1 .19."""
    levels = la.QualityLevels(0.1, 0.9, 0.19, 0.01)
    plan = la.single_plan(levels)
    assert single_numbers(plan) == (2, 0)
    assert plan.keeps_risks == (True, True)
    assert plan.exact_acceptance_probability(0.9) == Fraction(1, 100)
    for less in ((0.1, 0.9, 0.1899999999, 0.01), (0.1, 0.9, 0.19, 0.0099999999)):
        assert single_numbers(la.single_plan(la.QualityLevels(*less))) != (2, 0)


# Every double plan ----------------------------------------------------------------


def check_double(levels, lot_size):
    """Whether a double plan exists, after comparing it with every double plan."""
    best = oracles.double_plans(levels, lot_size)
    if not best:
        with pytest.raises(ValueError, match=f"lot_size .* got {lot_size}"):
            la.double_plan(la.QualityLevels(*levels), lot_size)
        return False
    plan = la.double_plan(la.QualityLevels(*levels), lot_size)
    assert double_numbers(plan) == best[0][1:], (levels, lot_size, best[:2])
    assert plan.keeps_risks == (True, True)
    return True


@pytest.mark.parametrize("levels", GRID)
def test_double_plan_is_the_best_in_every_small_lot(levels):
    outcomes = []
    for lot_size in (*range(2, 22), 32):
        d_a, d_r = oracles.in_counts(levels, lot_size)
        if d_a < d_r:
            outcomes.append(check_double(levels, lot_size))
    assert {True, False} == set(outcomes)  # both sides were tried


@pytest.mark.parametrize(("p_a", "beta"), [(0.02, 0.3), (0.05, 0.1)])
def test_a_double_plan_keeps_a_risk_of_one_in_a_thousand_million(p_a, beta):
    plan = la.double_plan(la.QualityLevels(p_a, 0.1, 1e-9, beta))
    n, c1, c2 = double_numbers(plan)
    i = np.arange(c1 + 1, c2 + 1)
    again = binom.pmf(i, n, p_a) @ binom.sf(c2 - i, n, p_a)
    assert again + binom.sf(c2, n, p_a) <= 1e-9


def double_process_oracle(levels, most):
    """Best (asn, n, c1, c2) of a process; nothing beyond n = asn can be better."""
    p_a, p_r, alpha, beta = levels
    best = None
    for n in range(1, most):
        if best and n > best[0]:
            return best
        for c1 in range(n):
            for c2 in range(c1 + 1, 2 * n):
                i = range(c1 + 1, min(c2, n) + 1)
                rejected, accepted = (
                    binom.cdf(c1, n, p)
                    + sum(binom.pmf(k, n, p) * binom.cdf(c2 - k, n, p) for k in i)
                    for p in (p_a, p_r)
                )
                if 1 - rejected <= alpha and accepted <= beta:
                    asn = n * (1 + binom.cdf(c2, n, p_a) - binom.cdf(c1, n, p_a))
                    best = min(best or (asn, n, c1, c2), (asn, n, c1, c2))
                    break  # a larger c2 only adds to the average
    return best


@pytest.mark.parametrize(
    "levels",
    [
        (0.05, 0.4, 0.05, 0.1),
        (0.1, 0.5, 0.05, 0.1),
        (0.1, 0.5, 0.2, 0.05),
        (0.2, 0.5, 0.2, 0.3),
        (0.01, 0.7, 0.1, 0.05),
    ],
)
def test_double_plan_of_a_process_is_the_best(levels):
    plan = la.double_plan(la.QualityLevels(*levels))
    asn, *numbers = double_process_oracle(levels, most=60)
    assert double_numbers(plan) == tuple(numbers)
    assert plan.average_sample_number(levels[0]) == pytest.approx(asn, rel=1e-12)


def test_a_double_plan_that_meets_a_risk_exactly_is_kept():
    """Nominal risks set to those of double plans that are short decimals."""
    tried = 0
    for lot_size, d_a, d_r in [(10, 1, 5), (10, 2, 6), (16, 1, 6)]:
        p_a, p_r = d_a / lot_size, d_r / lot_size
        for n in range(1, lot_size // 2 + 1):
            at_a, _ = oracles.double_acceptances(lot_size, n, d_a)
            at_r, _ = oracles.double_acceptances(lot_size, n, d_r)
            for c1 in range(n):
                for c2 in range(c1 + 1, 2 * n + 1):
                    exact = [
                        1 - Fraction(int(at_a[c1 + 1, c2]), comb(lot_size, d_a)),
                        Fraction(int(at_r[c1 + 1, c2]), comb(lot_size, d_r)),
                    ]
                    alpha, beta = (oracles.short_decimal(v) for v in exact)
                    alpha = alpha if alpha else 0.3 if exact[0] <= 0.3 else None
                    beta = beta if beta else 0.3 if exact[1] <= 0.3 else None
                    if not (alpha and beta) or alpha + beta >= 1:
                        continue
                    assert check_double((p_a, p_r, alpha, beta), lot_size)
                    tried += 1
    assert tried >= 30


@pytest.mark.parametrize(
    ("levels", "lot_size", "numbers"),
    [(la.STRICT, 1000, (243, 3, 8)), (la.RELAXED, 1000, (126, 2, 8))],
)
def test_best_double_plans_for_a_thousand(levels, lot_size, numbers):
    """Depletion counted, unlike Klie et al. 2024, section 3.3 (298, 4, 11; 144, 3, 9).

    Every plan that could inspect less at p_a (n <= its average, c2 <= 14) is tried.
    """
    plan = la.double_plan(levels, lot_size)
    assert double_numbers(plan) == numbers
    d_a, d_r = oracles.in_counts((levels.p_a, levels.p_r), lot_size)
    asn = plan.average_sample_number(d_a)
    i, j = np.indices((15, 21))
    sizes = np.arange(1, int(asn) + 1)[:, None, None]
    both = [
        hypergeom.pmf(i, lot_size, d, sizes)
        * np.nan_to_num(hypergeom.pmf(j, lot_size - sizes, np.maximum(d - i, 0), sizes))
        for d in (d_a, d_r)
    ]
    feasible = []
    for n, joint_a, joint_r in zip(sizes.ravel().tolist(), *both, strict=True):
        first = joint_a.sum(axis=1)
        for c1 in range(14):
            for c2 in range(c1 + 1, 15):
                accepting = (i <= c1) | ((i <= c2) & (i + j <= c2))
                if joint_r[accepting].sum() > levels.beta:
                    break
                if 1 - joint_a[accepting].sum() <= levels.alpha:
                    feasible.append((n * (1 + first[c1 + 1 : c2 + 1].sum()), n, c1, c2))
                    break
    assert min(feasible) == (pytest.approx(asn, rel=1e-9), *numbers)


def test_a_curtailed_double_plan_inspects_its_first_stage_whole():
    levels = la.QualityLevels(0.05, 0.2, 0.05, 0.1)
    for lot_size in (1000, None):
        plain = la.double_plan(levels, lot_size)
        curtailed = la.double_plan(levels, lot_size, curtailed=True)
        n, _, c2 = double_numbers(plain)
        assert curtailed.accept.tolist() == plain.accept.tolist()
        assert (curtailed.reject[:n] == range(1, n + 1)).all()
        assert (curtailed.reject[n:] == c2 + 1).all()
        errors = [5, 20, 50, 100] if lot_size else [0.005, 0.02, 0.05, 0.1]
        assert curtailed.acceptance_probability(errors) == pytest.approx(
            plain.acceptance_probability(errors), abs=1e-13
        )
        assert (
            curtailed.average_sample_number(errors)
            < plain.average_sample_number(errors)
        ).all()


# The form of a plan ---------------------------------------------------------------


@pytest.mark.parametrize("lot_size", [1000, None])
def test_limits_are_minus_one_and_n_plus_one_where_nothing_can_happen(lot_size):
    plan = la.double_plan(la.RELAXED, lot_size)
    stops = plan.stages.n.tolist()
    others = [n for n in range(plan.max_sample + 1) if n not in stops]
    assert (plan.accept[others] == -1).all()
    assert plan.reject[others].tolist() == [n + 1 for n in others]
    assert plan.accept.dtype.kind == plan.reject.dtype.kind == "i"
    assert len(plan.accept) == len(plan.reject) == plan.max_sample + 1
    assert (plan.lot_size, plan.levels) == (lot_size, la.RELAXED)


def test_limits_out_of_reach_are_stored_in_one_form():
    """-7 and -1 are one acceptance limit, n + 1 and n + 9 one rejection limit."""
    plan = la.SamplingPlan([-7, -1, 0], [9, 2, 1], lot_size=4)
    assert plan.accept.tolist() == [-1, -1, 0]
    assert plan.reject.tolist() == [1, 2, 1]
    assert plan == la.SamplingPlan([-1, -2, 0], [1, 5, 1], lot_size=4)


def test_stages_are_where_a_path_can_stop():
    """At n = 2 the accept limit 0 is out of reach: no error was accepted at 1."""
    plan = la.SamplingPlan([-1, 0, 0, 1], [1, 2, 3, 2], lot_size=5)
    assert plan.stages.columns.tolist() == ["n", "accept", "reject"]
    assert plan.stages.values.tolist() == [[1, 0, 2], [3, 1, 2]]


@pytest.mark.parametrize(("accept", "word"), [(0, "accept"), (-1, "reject")])
def test_a_plan_may_decide_without_looking(accept, word):
    plan = la.SamplingPlan([accept], [accept + 1], lot_size=3)
    assert plan.max_sample == 0
    assert plan.acceptance_probability([0, 3]).tolist() == [accept + 1.0] * 2
    assert plan.average_sample_number(2) == 0
    assert plan.decide([]) == la.Decision(word, 0, 0)
    assert (plan.simulate(1, 5, seed=0).inspected == 0).all()
