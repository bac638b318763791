"""The tests that others have proposed, against their definitions."""

import math

import numpy as np
import pytest
from scipy.stats import hypergeom

import labelaudit as la
from reproduction.beyond import endings, rivals, savings

LEVELS = la.QualityLevels(0.02, 0.05, 0.05, 0.10)
N = 300
D_A, D_R = 6, 15


@pytest.mark.filterwarnings("ignore:this plan")
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("levels", [LEVELS, la.QualityLevels(0.05, 0.15, 0.01, 0.05)])
@pytest.mark.parametrize("lot_size", [200, 1000])
def test_walds_own_thresholds_give_the_librarys_test(levels, lot_size):
    test = rivals.wald(levels, lot_size)
    ours = test.plan(
        math.log((1 - levels.alpha) / levels.beta),
        math.log((1 - levels.beta) / levels.alpha),
    )
    its = la.sequential_plan(levels, lot_size)
    errors = np.arange(0, lot_size + 1, 7)
    for measure in ("acceptance_probability", "average_sample_number"):
        expected = getattr(its, measure)(errors)
        np.testing.assert_allclose(getattr(ours, measure)(errors), expected, rtol=1e-9)


def product(order, p, null, d):
    """Stark's martingale along one order of outcomes (1: an error)."""
    value, found = 1.0, 0
    for seen, wrong in enumerate(order):
        estimate = (d * p + found) / (d + seen)
        left = (null - found) / (N - seen)
        value *= estimate / left if wrong else (1 - estimate) / (1 - left)
        found += wrong
    return value


@pytest.mark.parametrize("d", [10, 100])
def test_alpha_along_any_order(d):
    test = rivals.alpha(LEVELS, N, d)
    rng = np.random.default_rng(5)
    for n, x, table, p, null in [
        (50, 1, test.accepting, LEVELS.p_a, D_R),
        (120, 4, test.accepting, LEVELS.p_a, D_R),
        (50, 4, test.rejecting, LEVELS.p_r, D_A),
        (120, 5, test.rejecting, LEVELS.p_r, D_A),
    ]:
        order = rng.permutation([1] * x + [0] * (n - x)).tolist()
        expected = math.log(product(order, p, null, d))
        assert table[n, x] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    "levels", [LEVELS, la.QualityLevels(0.1, 0.2, 0.1, 0.1), la.STRICT]
)
def test_villes_inequality_keeps_both_risks(levels):
    plan = rivals.valid(rivals.alpha(levels, N, 100))
    assert plan.keeps_risks == (True, True)
    assert plan.producers_risk < levels.alpha and plan.consumers_risk < levels.beta


def test_two_sprt_is_two_tests_of_the_middle():
    test = rivals.two_sprt(LEVELS, N, 10)
    for n, x in [(30, 0), (80, 3), (150, 5)]:
        at = {d: hypergeom.logpmf(x, N, d, n) for d in (D_A, 10, D_R)}
        assert test.accepting[n, x] == pytest.approx(at[10] - at[D_R], rel=1e-9)
        assert test.rejecting[n, x] == pytest.approx(at[10] - at[D_A], rel=1e-9)


def walked(test, accept_at, reject_at):
    """P(accept) and the ASN at D_a and at D_r, (2, pairs), one draw after the other.

    For many pairs of thresholds at once, from the statistics themselves.
    """
    for_it = test.accepting[:, None, :] - accept_at[:, None]
    against = test.rejecting[:, None, :] - reject_at[:, None]
    accepted = (for_it >= -rivals.REACHED) & (for_it >= against)
    stopped = accepted | (against >= -rivals.REACHED)
    errors, x = np.array([D_A, D_R])[:, None, None], np.arange(stopped.shape[2])
    at = np.zeros((2, *stopped.shape[1:]))
    at[:, :, 0] = 1.0
    yes, asn = np.zeros((2, 2, len(accept_at)))
    for n in range(N + 1):
        yes += (at * accepted[n]).sum(axis=2)
        at = at * ~stopped[n]
        if not at.any():
            return yes, asn
        asn += at.sum(axis=2)
        bad = at * np.clip((errors - x) / (N - n), 0, 1)
        at -= bad
        at[:, :, 1:] += bad[:, :, :-1]
    raise AssertionError("a test that does not end")


def test_no_pair_of_thresholds_on_a_grid_is_better_than_the_tuned_one():
    """Every pair of multiples of .05 up to 4, by brute force."""
    test = rivals.wald(LEVELS, N)
    plan = rivals.tuned(test, [D_A, D_R])
    value = plan.average_sample_number([D_A, D_R]).mean()
    assert all(plan.keeps_risks)
    grid = np.arange(1.5, 4, 0.05)
    yes, asn = walked(test, *(each.ravel() for each in np.meshgrid(grid, grid)))
    kept = (1 - yes[0] <= LEVELS.alpha) & (yes[1] <= LEVELS.beta)
    best = asn.mean(axis=0)[kept].min()
    assert 0 < kept.sum() < len(kept)
    assert value <= best * 1.005


@pytest.mark.parametrize(
    ("levels", "lot", "objective"),
    [
        ((0.05, 0.15, 0.05, 0.1), 137, "balanced"),
        # The bound differs in some digit where the induction begins elsewhere: at two
        # sizes of the single plan or at the lot's; at three sizes of a small plan.
        ((0.01, 0.03, 0.05, 0.1), 1000, "p_r"),
        ((0.05, 0.15, 0.2, 0.3), 600, {0.1: 1}),
    ],
)
def test_a_bound_without_a_plan_is_the_librarys(levels, lot, objective):
    levels = la.QualityLevels(*levels)
    plan = la.optimal_plan(levels, lot, objective=objective, max_sample=lot)
    assert savings.lower_bound(levels, lot, objective) == plan.lower_bound


def test_the_intervals_of_all_endings_are_the_librarys():
    usual = la.optimal_plan(la.QualityLevels(0.05, 0.15, 0.05, 0.1), 137)
    # Stops early for errors alone: at low confidences an interval's ends cross.
    odd = la.SamplingPlan([-1] * 9 + [5], [1, 2, 2, 3, 3, 4, 5, 5, 6, 6], 20)
    for plan, confidence in ((usual, 0.9), (odd, 0.01)):
        ends = endings.endings(plan, confidence)
        pairs = zip(ends["n"], ends["x"])
        each = [plan.interval(n, x, confidence) for n, x in pairs]
        assert [*zip(ends["low"], ends["high"])] == each
