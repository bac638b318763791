"""Double plans with free stages: against every plan there is; single plans again."""

import random
from fractions import Fraction
from functools import cache
from math import comb, floor

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import binom, hypergeom
from test_plans import levels_and_lots, single_numbers

import labelaudit as la
import oracles
from labelaudit.plans import double_free
from labelaudit.plans.stages import Stages
from labelaudit.plans.task import Task
from labelaudit.plans.two_samples import TwoSamples


def numbers(plan):
    """(n1, n2, c1, r1, c2), after a look at the shape of the region."""
    (n1,) = np.flatnonzero(
        (plan.accept[:-1] >= 0) | (plan.reject[:-1] <= np.arange(plan.max_sample))
    )
    last = plan.max_sample
    others = np.delete(np.arange(last), n1)
    assert (plan.accept[others] == -1).all()
    assert (plan.reject[others] == others + 1).all()
    c1, r1, c2 = (int(v) for v in (plan.accept[n1], plan.reject[n1], plan.accept[-1]))
    assert plan.reject[-1] == c2 + 1
    return int(n1), last - int(n1), c1, r1, c2


def free(levels, lot_size=None, **kwargs):
    levels = (
        levels if isinstance(levels, la.QualityLevels) else la.QualityLevels(*levels)
    )
    return la.double_plan(levels, lot_size, equal_stages=False, **kwargs)


# Every plan in a small lot --------------------------------------------------------


@cache
def every_plan(lot_size, errors):
    """Placements of the errors for all plans: {(n1, n2): (first, later)}.

    first[i]: placements with i errors in the first sample; later[i, c2]: those
    that have c2 or fewer in both samples besides. Whole numbers.
    """
    tables = {}
    for n1 in range(1, lot_size):
        for n2 in range(1, lot_size - n1 + 1):
            rest = lot_size - n1 - n2
            ways = np.zeros((n1 + 1, n1 + n2 + 1), dtype=np.int64)
            for i in range(min(n1, errors) + 1):
                for j in range(min(n2, errors - i) + 1):
                    left = comb(rest, errors - i - j)
                    ways[i, i + j] = comb(n1, i) * comb(n2, j) * left
            tables[n1, n2] = ways.sum(axis=1), ways.cumsum(axis=1)
    return tables


def all_kept(levels, lot_size):
    """(asn, n1 + n2, n1, c1, r1, c2) of the plans that keep both risks.

    Of those that differ in c2 alone the least c2.
    """
    d_a, d_r = oracles.in_counts(levels, lot_size)
    total_a, total_r = comb(lot_size, d_a), comb(lot_size, d_r)
    alpha, beta = (oracles.decimal(v) for v in levels[2:])
    rejects, accepts = floor(alpha * total_a), floor(beta * total_r)
    at_a, at_r = every_plan(lot_size, d_a), every_plan(lot_size, d_r)
    for n1, n2 in at_a:
        first_a, later_a = at_a[n1, n2]
        first_r, later_r = at_r[n1, n2]
        for c1 in range(-1, n1):
            for r1 in range(c1 + 2, n1 + 2):
                inner = slice(c1 + 1, r1)
                accepted_a = first_a[: c1 + 1].sum() + later_a[inner].sum(axis=0)
                accepted_r = first_r[: c1 + 1].sum() + later_r[inner].sum(axis=0)
                kept = (total_a - accepted_a <= rejects) & (accepted_r <= accepts)
                kept[: r1 - 1] = False  # c2 >= r1 - 1
                if kept.any():
                    asn = n1 + n2 * Fraction(int(first_a[inner].sum()), total_a)
                    yield asn, n1 + n2, n1, c1, r1, int(kept.argmax())


def check(levels, lot_size):
    """Compare with the best of all plans; also that it has the value it should."""
    asn, total, n1, *limits = min(all_kept(levels, lot_size))
    plan = free(levels, lot_size)
    assert numbers(plan) == (n1, total - n1, *limits), (levels, lot_size)
    assert plan.keeps_risks == (True, True)
    d_a, _ = oracles.in_counts(levels, lot_size)
    assert plan.average_sample_number(d_a) == pytest.approx(float(asn), rel=1e-12)


def test_it_is_the_best_of_all_plans_in_small_lots():
    for levels, lot_size in levels_and_lots(seed=5, how_many=40, largest=13):
        check(levels, lot_size)


def test_blocks_of_any_size_leave_the_best_in(monkeypatch):
    """One block for all n1: small plans have blocks of a single n1 otherwise."""
    monkeypatch.setattr(double_free, "BLOCKS", 1)
    for levels, lot_size in levels_and_lots(seed=8, how_many=15, largest=13):
        check(levels, lot_size)


@pytest.mark.parametrize("levels", [(0.01, 0.3, 0.05, 0.1), (0.3, 0.7, 0.4, 0.05)])
@pytest.mark.parametrize("lot_size", range(2, 15))
def test_it_is_the_best_in_every_small_lot(levels, lot_size):
    """The first levels mean no error at all in the good lot: all averages tie."""
    d_a, d_r = oracles.in_counts(levels, lot_size)
    if d_a < d_r:
        check(levels, lot_size)


def test_ties_go_to_the_smaller_plan():
    """No error is good: n1 + n2 = 9 without a verdict before costs 9 however cut."""
    levels = (0.01, 0.2, 0.05, 0.1)
    best = sorted(all_kept(levels, 12))
    assert best[1][0] == best[0][0]  # there is a tie to break
    assert numbers(free(levels, 12))[:2] == (1, best[0][1] - 1)
    assert numbers(free(levels, 12))[2:] == best[0][3:]
    # 6 + 1 and 5 + 3 both cost 20/3: the smaller sum, with the larger n1.
    levels = (0.1, 0.3, 0.1, 0.1)
    best = sorted(all_kept(levels, 9))
    assert [row[:3] for row in best[:2]] == [
        (Fraction(20, 3), n, 13 - n) for n in (7, 8)
    ]
    assert numbers(free(levels, 9))[:2] == (6, 1)


def test_risks_that_are_met_exactly_are_kept():
    """Nominal risks set to those of random double plans, as short decimals."""
    rng, met = random.Random(3), 0
    for lot_size, d_a, d_r in 12 * [(8, 1, 4), (10, 1, 5), (10, 2, 6), (16, 1, 6)]:
        at_a, at_r = every_plan(lot_size, d_a), every_plan(lot_size, d_r)
        n1, n2 = rng.choice(list(at_a))
        c1 = rng.randint(-1, n1 - 1)
        r1 = rng.randint(c1 + 2, n1 + 1)
        if r1 > n1 + n2 - 1:
            continue
        c2 = rng.randint(r1 - 1, n1 + n2 - 1)
        risks = []
        for table, errors in ((at_a, d_a), (at_r, d_r)):
            first, later = table[n1, n2]
            ways = first[: c1 + 1].sum() + later[c1 + 1 : r1, c2].sum()
            risks.append(Fraction(int(ways), comb(lot_size, errors)))
        alpha = oracles.short_decimal(1 - risks[0]) or 0.3
        beta = oracles.short_decimal(risks[1]) or 0.2
        if alpha + beta >= 1:
            continue
        levels = (d_a / lot_size, d_r / lot_size, alpha, beta)
        check(levels, lot_size)
        plan = free(levels, lot_size)
        met += 1 - plan.exact_acceptance_probability(d_a) == oracles.decimal(alpha)
        met += plan.exact_acceptance_probability(d_r) == oracles.decimal(beta)
    assert met >= 7


# Processes ------------------------------------------------------------------------


def best_of_a_process(levels, most):
    """The best (asn, n1 + n2, n1, c1, r1, c2) with an average of at most `most`."""
    p_a, p_r, alpha, beta = levels
    best = (most + 1e-9,)
    for n1 in range(1, most + 1):
        x = np.arange(n1 + 1)
        first_a, first_r = binom.pmf(x, n1, p_a), binom.pmf(x, n1, p_r)
        for c1 in range(-1, n1):
            for r1 in range(c1 + 2, n1 + 2):
                i = np.arange(c1 + 1, r1)
                ask = first_a[i].sum()
                if first_r[: c1 + 1].sum() > beta or first_a[r1:].sum() > alpha:
                    continue
                for n2 in range(1, int((best[0] - n1) / ask) + 1):
                    c2 = np.arange(r1 - 1, n1 + n2)
                    j = c2 - i[:, None]
                    rejected = first_a[r1:].sum() + first_a[i] @ binom.sf(j, n2, p_a)
                    accepted = first_r[: c1 + 1].sum() + first_r[i] @ binom.cdf(
                        j, n2, p_r
                    )
                    kept = (rejected <= alpha) & (accepted <= beta)
                    if kept.any():
                        found = (n1 + n2 * ask, n1 + n2, n1, c1, r1, c2[kept][0].item())
                        best = min(best, found)
                        break
    return best


PROCESSES = [
    (0.05, 0.4, 0.05, 0.1),
    (0.1, 0.5, 0.05, 0.1),
    (0.1, 0.5, 0.2, 0.05),
    (0.2, 0.5, 0.2, 0.3),
    (0.01, 0.7, 0.1, 0.05),
    (0.05, 0.25, 0.1, 0.1),
    (0.3, 0.6, 0.05, 0.1),
]


@pytest.mark.parametrize("levels", PROCESSES)
def test_it_is_the_best_of_all_plans_in_a_process(levels):
    single_n, _ = single_numbers(la.single_plan(la.QualityLevels(*levels)))
    asn, total, n1, *limits = best_of_a_process(levels, single_n)
    plan = free(levels)
    assert numbers(plan) == (n1, total - n1, *limits)
    assert plan.average_sample_number(levels[0]) == pytest.approx(asn, rel=1e-12)
    assert plan.keeps_risks == (True, True)


# Larger plans ---------------------------------------------------------------------

KLIE = [(la.STRICT, 1000), (la.RELAXED, 24_799), (la.RELAXED, None)]


@pytest.mark.parametrize(("levels", "lot_size"), KLIE)
def test_free_stages_are_never_worse_than_equal_ones(levels, lot_size):
    plan, equal = free(levels, lot_size), la.double_plan(levels, lot_size)
    single = la.single_plan(levels, lot_size)
    d_a, _ = levels.errors(lot_size)
    asn = plan.average_sample_number(d_a)
    assert asn < equal.average_sample_number(d_a) < single.max_sample
    n1, n2, c1, r1, c2 = numbers(plan)
    assert asn == pytest.approx(
        n1 + n2 * chance(range(c1 + 1, r1), n1, lot_size, d_a), rel=1e-10
    )
    for errors, limit, rejected in zip(
        levels.errors(lot_size), (levels.alpha, levels.beta), (True, False)
    ):
        accepted = chance(range(c1 + 1), n1, lot_size, errors) + sum(
            chance([x], n1, lot_size, errors)
            * chance(range(c2 - x + 1), n2, *left(lot_size, errors, n1, x))
            for x in range(c1 + 1, r1)
        )
        assert (1 - accepted if rejected else accepted) <= limit * (1 + 1e-9)


def left(lot_size, errors, n1, x):
    """What n1 annotations, x of them wrong, leave: (lot_size, errors)."""
    return (None, errors) if lot_size is None else (lot_size - n1, errors - x)


def chance(counts, n, lot_size, errors):
    """P(one of these numbers of errors in a sample of n), by scipy."""
    x = np.array(counts, dtype=int)
    if lot_size is None:
        return binom.pmf(x, n, errors).sum()
    return hypergeom.pmf(x, lot_size, errors, n).sum()


def log_ways(n, k):
    """log C(n, k), -inf where there is no way."""
    inside = np.clip(k, 0, n)
    ways = gammaln(n + 1) - gammaln(inside + 1) - gammaln(n - inside + 1)
    return np.where(k == inside, ways, -np.inf)


def best_of_a_lot(levels, lot_size, most, columns=24):
    """The best (asn, n1 + n2, n1, c1, r1, c2), all with fewer errors than `columns`.

    Every n1 and n2 that can do with an average of at most `most`.
    """
    d_a, d_r = levels.errors(lot_size)
    best = (most + 1e-9,)
    t = np.arange(columns)
    for n1 in range(1, int(most) + 1):
        first_a, first_r = (
            np.append(0, hypergeom.pmf(t, lot_size, d, n1).cumsum()) for d in (d_a, d_r)
        )
        c1, r1 = np.indices((columns, columns + 1)) - [[[1]], [[0]]]
        can = (first_r[c1 + 1] <= levels.beta) & (1 - first_a[r1] <= levels.alpha)
        can &= (r1 >= c1 + 2) & (r1 <= n1 + 1)
        c1, r1 = c1[can], r1[can]
        ask = first_a[r1] - first_a[c1 + 1]
        for n2 in range(1, lot_size - n1 + 1):
            some = n1 + n2 * ask <= best[0]
            if not some.any():
                break
            a, r = c1[some], r1[some]
            accepted = []
            for d, first in ((d_a, first_a), (d_r, first_r)):
                joint = log_ways(n1, t[:, None]) + log_ways(n2, t - t[:, None])
                joint += log_ways(lot_size - n1 - n2, d - t) - log_ways(lot_size, d)
                joint = np.exp(joint)
                rows = np.cumsum(joint.cumsum(axis=1), axis=0)
                rows = np.vstack([np.zeros(columns), rows])
                accepted.append(first[a + 1][:, None] + rows[r] - rows[a + 1])
            kept = (1 - accepted[0] <= levels.alpha) & (accepted[1] <= levels.beta)
            kept &= t >= r[:, None] - 1
            for k in kept.any(axis=1).nonzero()[0]:
                asn = n1 + n2 * ask[some][k]
                limits = (a[k].item(), r[k].item(), kept[k].argmax().item())
                best = min(best, (asn, n1 + n2, n1, *limits))
    return best


def test_it_is_the_best_of_all_plans_in_a_lot_of_150():
    """Four errors are good, twelve bad; the equal stages' average is the most."""
    levels, lot_size = la.QualityLevels(0.03, 0.08, 0.05, 0.1), 150
    most = la.double_plan(levels, lot_size).average_sample_number(4)
    asn, total, n1, *limits = best_of_a_lot(levels, lot_size, most)
    plan = free(levels, lot_size)
    assert numbers(plan) == (n1, total - n1, *limits)
    assert plan.average_sample_number(4) == pytest.approx(asn, rel=1e-9)
    assert asn < most - 1


@pytest.mark.parametrize(
    ("levels", "lot_size", "found"),
    [
        (la.STRICT, 1000, (200, 283, 2, 7, 8)),
        (la.RELAXED, 1000, (111, 157, 2, 8, 8)),
        (la.STRICT, 3380, (264, 422, 3, 10, 12)),
        (la.RELAXED, 3380, (143, 181, 3, 8, 10)),
        (la.STRICT, 24_799, (312, 540, 4, 11, 15)),
        (la.RELAXED, 24_799, (142, 219, 3, 9, 11)),
    ],
)
def test_what_trying_every_plan_has_found(levels, lot_size, found):
    """The numbers are of best_of_a_lot, which takes up to a minute for each."""
    assert numbers(free(levels, lot_size)) == found


@pytest.mark.parametrize("lot_size", [1000, None])
def test_a_curtailed_plan_inspects_its_first_stage_whole(lot_size):
    plain, curtailed = (free(la.RELAXED, lot_size, curtailed=c) for c in (False, True))
    n1, _, _, r1, c2 = numbers(plain)
    assert curtailed.accept.tolist() == plain.accept.tolist()
    assert curtailed.reject[: n1 + 1].tolist() == [*range(1, n1 + 1), r1]
    assert (curtailed.reject[n1 + 1 :] == c2 + 1).all()
    errors = [5, 20, 50, 100] if lot_size else [0.005, 0.02, 0.05, 0.1]
    assert curtailed.acceptance_probability(errors) == pytest.approx(
        plain.acceptance_probability(errors), abs=1e-13
    )


# What is refused ------------------------------------------------------------------


@pytest.mark.parametrize("equal", ["no", None, 0, 1])
def test_equal_stages_is_a_switch(equal):
    with pytest.raises(ValueError, match="equal_stages must be True or False"):
        la.double_plan(la.STRICT, 1000, equal_stages=equal)


def test_a_lot_of_one_has_no_two_samples():
    with pytest.raises(ValueError, match=r"lot_size must be .* two samples .* got 1"):
        free((0.4, 0.6, 0.1, 0.1), 1)


def test_levels_too_close_for_the_search():
    with pytest.raises(ValueError, match=r"20000 inspections \(here 43946\)"):
        free((0.02, 0.022, 0.05, 0.1))


# Single plans with levels close together ------------------------------------------


@pytest.mark.parametrize(
    "levels",
    [(0.02, 0.0215, 0.01, 0.05), (0.4, 0.42, 0.05, 0.1), (0.01, 0.02, 0.001, 0.2)],
)
def test_no_smaller_sample_does_for_levels_close_together(levels):
    """At every smaller n, the largest c that serves the consumer is tried."""
    p_a, p_r, alpha, beta = levels
    plan = la.single_plan(la.QualityLevels(*levels))
    n, c = single_numbers(plan)
    assert plan.keeps_risks == (True, True)
    sizes = np.arange(1, n + 1)
    largest = binom.ppf(beta, sizes, p_r)
    largest -= binom.cdf(largest, sizes, p_r) > beta
    kept = binom.sf(largest, sizes, p_a) <= alpha
    assert kept.nonzero()[0].tolist() == [n - 1]
    assert largest[-1] == c


def test_the_single_plan_of_a_large_lot_with_levels_close_together():
    """One less: the largest c for the consumer fails the producer."""
    levels, lot_size = la.QualityLevels(0.02, 0.021, 0.01, 0.05), 1_000_000
    n, c = single_numbers(la.single_plan(levels, lot_size))
    for size in (n - 40, n - 7, n - 1, n):
        c_r = max(
            k
            for k in range(c - 40, c + 1)
            if hypergeom.cdf(k, lot_size, 21_000, size) <= levels.beta
        )
        served = hypergeom.sf(c_r, lot_size, 20_000, size) <= levels.alpha
        assert served == (size == n)
    assert c_r == c


def test_levels_that_no_sample_tells_apart_are_refused():
    with pytest.raises(ValueError, match="at most 10000000 inspections"):
        la.single_plan(la.QualityLevels(0.02, 0.0201, 0.01, 0.05))


@pytest.mark.parametrize("lot_size", [None, 60])
def test_ties_between_double_plans_are_broken_by_their_exact_average(lot_size):
    """n1 + n2 P(c1 < X1 < r1), which n1 n2 P or n1 P + n2 would order otherwise."""
    task = Task(la.QualityLevels(0.1, 0.4, 0.1, 0.2), lot_size)
    stages = Stages(7, 5, 0, 3, 3)
    p = Fraction(1, 10)
    if lot_size is None:
        on = 7 * p * (1 - p) ** 6 + 21 * p**2 * (1 - p) ** 5
    else:
        on = oracles.pmf(1, 7, lot_size, 6) + oracles.pmf(2, 7, lot_size, 6)
    average = stages.exact_asn(task.law(12), task.d_a)
    assert average == 7 + 5 * on
    plan = stages.plan(task)
    assert float(average) == pytest.approx(plan.average_sample_number(task.d_a))


@pytest.mark.parametrize("beta", [0.1, 0.2, 0.5])
@pytest.mark.parametrize(
    ("n1", "c1", "n2"), [(5, 0, 4), (6, 1, 5), (8, 2, 3), (4, -1, 6)]
)
def test_the_best_test_after_a_first_sample_by_neyman_and_pearson(n1, c1, n2, beta):
    """Accept X1 <= c1, then the smallest totals while beta lasts, and toss."""
    levels, lot_size = (0.3, 0.6, 0.2, beta), 20
    task = Task(la.QualityLevels(*levels), lot_size)

    def chances(errors):
        """P(X1 <= c1), and P(X1 > c1, T = t) by t."""
        first, later = Fraction(0), [Fraction(0)] * (n1 + n2 + 1)
        for i in range(n1 + 1):
            p = oracles.pmf(i, n1, lot_size, errors)
            for j in range(n2 + 1) if i > c1 else ():
                q = oracles.pmf(j, n2, lot_size - n1, errors - i) if p else 0
                later[i + j] += p * q
            first += p if i <= c1 else 0
        return first, later

    accepted, at_r = chances(task.d_r)
    first, at_a = chances(task.d_a)
    left, rejected = oracles.decimal(beta) - accepted, 1 - first
    for a, r in zip(at_a, at_r, strict=True):
        toss = min(max(left, Fraction(0)) / r, Fraction(1)) if r else Fraction(1)
        left, rejected = left - toss * r, rejected - toss * a
    one = (np.array([value]) for value in (n1, c1, n2))
    samples = TwoSamples(task, lot_size)
    found = samples.least_rejected(*one, np.array([float(accepted)]), beta)
    assert found[0] == pytest.approx(float(rejected), abs=1e-12)
