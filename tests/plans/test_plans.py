"""Single and double plans: against every plan there is, and against the paper."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

import labelaudit as la
import oracles
from known import known, rows

GRID = [
    (0.01, 0.2, 0.05, 0.1),
    (0.1, 0.3, 0.1, 0.2),  # in a lot of 10 met exactly by the double (4, 0, 1)
    (0.2, 0.4, 0.2, 0.5),
    (0.2, 0.5, 0.2, 0.3),
    (0.05, 0.5, 0.01, 0.01),
    (0.3, 0.7, 0.4, 0.05),
    (0.125, 0.25, 0.425, 0.2),  # in a lot of 16 met exactly by (6, 0, 1)
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


# Every single plan ----------------------------------------------------------------


@pytest.mark.parametrize("row", known("klie_2024")["single"], ids=str)
def test_single_plans_of_klie(row):
    """That they are the smallest is checked with scipy."""
    levels, lot_size, n, c = getattr(la, row["levels"]), row["N"], row["n"], row["c"]
    plan = la.single_plan(levels, lot_size)
    assert single_numbers(plan) == (n, c)
    assert la.SamplingPlan.from_stages([(n, c, c + 1)], lot_size, levels) == plan
    d_a, d_r = oracles.in_counts((levels.p_a, levels.p_r), lot_size)
    k = np.arange(40)
    for size, wanted in ((n, [c]), (n - 1, [])):
        kept = hypergeom.sf(k, lot_size, d_a, size) <= levels.alpha
        kept &= hypergeom.cdf(k, lot_size, d_r, size) <= levels.beta
        assert k[kept].tolist() == wanted


@pytest.mark.parametrize("levels", GRID)
def test_single_plan_is_the_smallest_in_every_small_lot(levels):
    for lot_size in range(2, 31):
        d_a, d_r = oracles.in_counts(levels, lot_size)
        if d_a == d_r:
            continue
        plan = la.single_plan(la.QualityLevels(*levels), lot_size)
        n, numbers = oracles.smallest_single(levels, lot_size)
        assert single_numbers(plan) == (n, *numbers)
        assert plan.stages.values.tolist() == [[n, numbers[0], numbers[0] + 1]]


@pytest.mark.parametrize("p_r", [0.3, 0.4, 0.5, 0.7])
@pytest.mark.parametrize("p_a", [0.02, 0.1, 0.2])
def test_single_plan_of_a_process_is_the_smallest(p_a, p_r):
    for alpha, beta in ((0.05, 0.1), (0.2, 0.05), (0.01, 0.3)):
        plan = la.single_plan(la.QualityLevels(p_a, p_r, alpha, beta))
        n = np.arange(300)[:, None]
        c = binom.ppf(1 - alpha, n, p_a)  # the least that accepts at p_a
        kept = (binom.cdf(c, n, p_r) <= beta).ravel()
        smallest = int(kept.argmax())
        assert plan.lot_size is None
        assert single_numbers(plan) == (smallest, int(c[smallest, 0]))


# Risks that are met exactly -------------------------------------------------------


def exact_risks(lot_size):
    """(p_a, p_r, n, c, producer's, consumer's risk), the risks short decimals."""
    for d_a in range(1, lot_size // 2):
        for d_r in range(d_a + 1, lot_size):
            for n in range(1, lot_size):
                for c in range(min(n, d_r)):
                    alpha = 1 - oracles.cdf(c, n, lot_size, d_a)
                    beta = oracles.cdf(c, n, lot_size, d_r)
                    yield d_a / lot_size, d_r / lot_size, n, c, alpha, beta


@pytest.mark.parametrize("which", ["alpha", "beta"])
@pytest.mark.parametrize("lot_size", [5, 8, 10])
def test_a_risk_that_equals_the_nominal_one_is_kept(lot_size, which):
    """n keeps a risk of exactly the nominal one; one decimal less needs more."""
    tried = 0
    for p_a, p_r, n, c, *risks in exact_risks(lot_size):
        at = ["alpha", "beta"].index(which)
        nominal = oracles.short_decimal(risks[at])
        if not nominal or not 0 < nominal < 0.5:
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


@pytest.mark.parametrize("row", rows("risks_at_a_bound"), ids=" ".join)
def test_near_a_bound_fractions_decide(row):
    """A nominal risk of exactly the plan's own is kept; one digit less is not."""
    lot_size, p_r, n, risk = map(eval, row[:4])
    for beta, kept in ((risk, True), (np.nextafter(risk, 0).item(), False)):
        levels = la.QualityLevels(0.01, p_r, 0.45, beta)
        plan = la.SamplingPlan.from_stages([(n, 0, 1)], lot_size, levels)
        assert plan.keeps_risks[1] == kept


# Every double plan ----------------------------------------------------------------


def best_double(joint, rejected, accepted, largest, most, total=1):
    """(asn, n, c1, c2) of the least average at p_a, among n of at most `largest`.

    joint(n, i, j) : P(i, j errors in the first and the second sample) at p_a and at
        p_r, or how many of `total` placements at p_a
    rejected, accepted : the most at p_a and at p_r that keep the risks
    """
    i, j = np.indices((most, 2 * most))
    best = (np.inf,)
    for n in range(1, largest + 1):
        at_a, at_r = joint(n, i, j)
        first = at_a.sum(axis=1)
        for c1 in range(most - 1):
            for c2 in range(c1 + 1, most):
                accepting = (i <= c1) | ((i <= c2) & (i + j <= c2))
                if at_r[accepting].sum() > accepted:
                    break
                if total - at_a[accepting].sum() <= rejected:
                    asn = n * (1 + first[c1 + 1 : c2 + 1].sum() / total)
                    best = min(best, (asn, n, c1, c2))
                    break  # a larger c2 only adds to the average
    return best


def check_double(levels, lot_size):
    """Whether a double plan exists, after comparing it with every double plan."""
    both = oracles.in_counts(levels, lot_size)
    totals = [comb(lot_size, errors) for errors in both]
    kept = [oracles.decimal(v) * n // 1 for v, n in zip(levels[2:], totals)]

    def joint(n, i, j):
        return [oracles.two_samples(lot_size, errors, n, i, j) for errors in both]

    most = both[1] + 1  # with more than D_r every lot with D_r is accepted
    _, *numbers = best_double(joint, *kept, lot_size // 2, most, Fraction(totals[0]))
    if not numbers:
        with pytest.raises(ValueError, match=f"lot_size .* got {lot_size}"):
            la.double_plan(la.QualityLevels(*levels), lot_size)
        return False
    plan = la.double_plan(la.QualityLevels(*levels), lot_size)
    assert double_numbers(plan) == tuple(numbers), (levels, lot_size)
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
    levels = la.QualityLevels(*levels)
    plan = la.double_plan(levels)

    def joint(n, i, j):
        return [
            binom.pmf(i, n, p) * binom.pmf(j, n, p) for p in (levels.p_a, levels.p_r)
        ]

    found = plan.average_sample_number(levels.p_a)
    risks = levels.alpha, levels.beta
    asn, *numbers = best_double(joint, *risks, int(found), 16)
    assert double_numbers(plan) == tuple(numbers)
    assert found == pytest.approx(asn, rel=1e-12)


@pytest.mark.parametrize(
    ("levels", "numbers"), [(la.STRICT, (243, 3, 8)), (la.RELAXED, (126, 2, 8))]
)
def test_best_double_plans_for_a_thousand(levels, numbers):
    """Depletion counted, unlike Klie et al. 2024, section 3.3 (298, 4, 11; 144, 3, 9).

    Every plan that could inspect less at p_a (n <= its average, c2 <= 14) is tried.
    """
    lot_size = 1000
    plan = la.double_plan(levels, lot_size)
    assert double_numbers(plan) == numbers
    n, c1, c2 = numbers
    stages = [(n, c1, c2 + 1), (2 * n, c2, c2 + 1)]
    assert la.SamplingPlan.from_stages(stages, lot_size, levels) == plan
    both = oracles.in_counts((levels.p_a, levels.p_r), lot_size)

    def joint(n, i, j):
        for d in both:
            second = hypergeom.pmf(j, lot_size - n, np.maximum(d - i, 0), n)
            yield hypergeom.pmf(i, lot_size, d, n) * np.nan_to_num(second)

    asn = plan.average_sample_number(both[0])
    assert best_double(joint, levels.alpha, levels.beta, int(asn), 15) == (
        pytest.approx(asn, rel=1e-9),
        *numbers,
    )


@pytest.mark.parametrize("lot_size", [1000, None])
def test_a_curtailed_double_plan_inspects_its_first_stage_whole(lot_size):
    levels = la.QualityLevels(0.05, 0.2, 0.05, 0.1)
    plain, curtailed = (
        la.double_plan(levels, lot_size, curtailed=short) for short in (False, True)
    )
    n, _, c2 = double_numbers(plain)
    assert curtailed.accept.tolist() == plain.accept.tolist()
    assert (curtailed.reject[:n] == range(1, n + 1)).all()
    assert (curtailed.reject[n:] == c2 + 1).all()
    errors = np.array([5, 20, 50, 100]) if lot_size else [0.005, 0.02, 0.05, 0.1]
    (p, asn), (q, shorter) = (
        (plan.acceptance_probability(errors), plan.average_sample_number(errors))
        for plan in (plain, curtailed)
    )
    assert q == pytest.approx(p, abs=1e-13) and (shorter < asn).all()


# The form of a plan ---------------------------------------------------------------


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
    for lot_size in (None, 1, 30):
        plan = la.SamplingPlan([accept], [accept + 1], lot_size)
        assert plan.interval(0, 0) == (0.0, 1.0)


# Decimals -------------------------------------------------------------------------


@pytest.mark.parametrize(("rate", "size", "count", "_"), rows("counts_of_rates"))
def test_counts_are_rounded_as_decimals(rate, size, count, _):
    rate, size = float(rate), int(size)
    levels = la.QualityLevels(rate, 0.9, 0.01, 0.05)
    assert levels.errors(size)[0] == int(count) == oracles.count_of(rate, size)
