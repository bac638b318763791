"""Limits from two strata and policies with a model's doubts, against enumeration."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import hypergeom

import labelaudit as la
from reproduction.beyond import doubts
from reproduction.beyond.strata import (
    Strata,
    expected_plain,
    plain_floor,
    plain_limits,
    power,
    tailored,
)

SIZES = (6, 8)
SAMPLES = [*product(range(1, 7), range(1, 9))]


def ways(size, n):
    """How many samples of n have x errors (columns), for each number of errors."""
    return np.array(
        [
            [comb(d, x) * comb(size - d, n - x) for x in range(n + 1)]
            for d in range(size + 1)
        ]
    )


class Counted:
    """Everything about two strata in whole numbers of samples."""

    def __init__(self, sizes, samples):
        self.sizes, self.samples = sizes, samples
        self.first, self.second = (ways(*each) for each in zip(sizes, samples))
        self.all = comb(sizes[0], samples[0]) * comb(sizes[1], samples[1])
        self.splits = [*product(range(sizes[0] + 1), range(sizes[1] + 1))]
        self.outcomes = [*product(range(samples[0] + 1), range(samples[1] + 1))]

    def estimate(self, x1, x2):
        pairs = zip(self.sizes, self.samples, (x1, x2))
        return sum(Fraction(size * x, n) for size, n, x in pairs)

    def samples_of(self, split):
        return np.outer(self.first[split[0]], self.second[split[1]])

    def possible(self, x1, x2):
        """The splits under which this can be found."""
        return [s for s in self.splits if self.samples_of(s)[x1, x2]]

    def limits(self, x1, x2, confidence):
        """Straight from the definition."""
        tail = (1 - Fraction(str(confidence))) / 2
        ours, kept = self.estimate(x1, x2), {"low": [], "high": []}
        low = np.array([self.estimate(*o) <= ours for o in self.outcomes])
        high = np.array([self.estimate(*o) >= ours for o in self.outcomes])
        for split in self.possible(x1, x2):
            counts = self.samples_of(split).ravel()
            if Fraction(int(counts[low].sum()), self.all) >= tail:
                kept["high"].append(sum(split))
            if Fraction(int(counts[high].sum()), self.all) >= tail:
                kept["low"].append(sum(split))
        return min(kept["low"]), max(kept["high"])

    def share(self, split, inside):
        """The share of samples with these outcomes (True, in order), as a fraction."""
        counts = self.samples_of(split).ravel()
        return Fraction(int(counts[inside].sum()), self.all)


@pytest.mark.parametrize(
    ("sizes", "samples"),
    [*((SIZES, s) for s in SAMPLES[::5]), ((10, 5), (5, 5)), ((12, 4), (6, 3))],
)
@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_limits_are_those_of_the_definition(sizes, samples, confidence):
    ours, counted = Strata(sizes, samples), Counted(sizes, samples)
    for outcome in counted.outcomes:
        got = ours.lower(*outcome, confidence), ours.upper(*outcome, confidence)
        assert got == counted.limits(*outcome, confidence), outcome


@pytest.mark.parametrize("samples", [(2, 4), (3, 5), (5, 3)])
def test_limits_over_likely_splits_are_those_of_the_definition(samples):
    tail, slack = Fraction("0.05"), Fraction("0.03")
    ours, counted = Strata(SIZES, samples), Counted(SIZES, samples)
    differ = 0
    for x1, x2 in counted.outcomes:
        alone = [
            d
            for d, row in enumerate(counted.first)
            if min(row[: x1 + 1].sum(), row[x1:].sum()) * 2 > slack * row.sum()
        ]
        no_higher = np.array(
            [counted.estimate(*o) <= counted.estimate(x1, x2) for o in counted.outcomes]
        )
        chances = {
            split: counted.share(split, no_higher)
            for split in counted.possible(x1, x2)
            if split[0] in alone
        }
        expected, other = (
            max(sum(split) for split, chance in chances.items() if chance >= bound)
            for bound in (tail - slack, tail)
        )
        assert ours.upper(x1, x2, 0.9, float(slack)) == expected
        differ += expected != other
    assert differ


@pytest.mark.parametrize("slack", [0.0, 0.01])
@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_coverage_is_kept_for_every_split_and_sample_size(confidence, slack):
    tail = (1 - Fraction(str(confidence))) / 2
    for samples in SAMPLES:
        ours, counted = Strata(SIZES, samples), Counted(SIZES, samples)
        outcomes = counted.outcomes
        high = np.array([ours.upper(*o, confidence, slack) for o in outcomes])
        low = np.array([ours.lower(*o, confidence) for o in outcomes])
        for split in counted.splits:
            assert counted.share(split, high < sum(split)) <= tail
            assert counted.share(split, low > sum(split)) <= tail


@pytest.mark.parametrize("guess", [(0, 0), (2, 1), (1, 4), (6, 8)])
def test_limits_made_for_a_guess_keep_their_coverage_for_every_split(guess):
    tail = Fraction(1, 20)
    for samples in SAMPLES[::3]:
        ours, counted = Strata(SIZES, samples), Counted(SIZES, samples)
        high = tailored(ours, guess, 0.9, sum(SIZES)).ravel()
        for split in counted.splits:
            assert counted.share(split, high < sum(split)) <= tail
        mean = counted.samples_of(guess).ravel() / counted.all @ high
        assert ours.mean(high.reshape(-1, samples[1] + 1), guess) == pytest.approx(
            mean, rel=1e-5
        )
        assert mean >= ours.floor(guess, 0.9) - 1e-9


def test_limits_made_for_a_guess_by_their_definition():
    samples, guess, tail = (3, 4), (2, 3), Fraction(1, 20)
    counted = Counted(SIZES, samples)
    truth = [int(n) for n in counted.samples_of(guess).ravel()]
    expected = [0] * len(truth)
    for split in counted.splits:
        null = [int(n) for n in counted.samples_of(split).ravel()]
        for k, ours in enumerate(truth):
            worse = [n for n, t in zip(null, truth) if t * null[k] >= ours * n]
            if Fraction(sum(worse), counted.all) >= tail:
                expected[k] = max(expected[k], sum(split))
    got = tailored(Strata(SIZES, samples), guess, 0.9, sum(SIZES)).ravel().tolist()
    possible = [k for k, ours in enumerate(truth) if ours]
    assert [got[k] for k in possible] == [expected[k] for k in possible]


def test_the_order_in_which_limits_are_asked_for_does_not_matter():
    counted = Counted(SIZES, (3, 5))
    up, down = Strata(SIZES, (3, 5)), Strata(SIZES, (3, 5))
    for slack in (0.0, 0.01):
        one = {o: up.upper(*o, 0.9, slack) for o in counted.outcomes}
        other = {o: down.upper(*o, 0.9, slack) for o in counted.outcomes[::-1]}
        assert one == other


@pytest.mark.parametrize(
    ("confidence", "strata", "plain"), [(0.95, 221, 214), (0.9, 194, 190)]
)
def test_the_example_by_scipy(confidence, strata, plain):
    """1,000 and 9,000, samples of 100 and 300, 8 and 0 errors; 3 in a sample of 400."""
    tail = (1 - confidence) / 2

    def largest(errors):
        d1, x1 = np.arange(errors + 1)[:, None], np.arange(9)
        first = hypergeom.pmf(x1, 1000, d1, 100)
        rest = hypergeom.cdf((80 - 10 * x1) // 30, 9000, errors - d1, 300)
        return (first * rest).sum(axis=1).max()

    assert largest(strata) > tail > largest(strata + 1)
    assert Strata((1000, 9000), (100, 300)).upper(8, 0, confidence) == strata
    cdf = hypergeom.cdf(3, 10_000, [plain, plain + 1], 400)
    assert cdf[0] > tail > cdf[1]
    assert plain_limits(10_000, 400, confidence)[3] == plain


@pytest.mark.parametrize("slack", [0.0, 0.01])
def test_mean_limits_are_sums_over_all_samples(slack):
    samples = (3, 5)
    ours, counted = Strata(SIZES, samples), Counted(SIZES, samples)
    for split in counted.splits:
        chance = counted.samples_of(split) / counted.all
        each = [ours.upper(*o, 0.9, slack) for o in counted.outcomes]
        mean = chance.ravel() @ each
        assert ours.expected_upper(split, 0.9, slack) == pytest.approx(mean, rel=1e-5)
    for errors in range(9):
        mean = ways(8, 3)[errors] / comb(8, 3) @ plain_limits(8, 3, 0.9)
        assert expected_plain(8, 3, errors, 0.9) == pytest.approx(mean, rel=1e-12)


def test_power_is_that_of_the_best_test_by_linear_programming():
    rng = np.random.default_rng(7)
    for tail in (0.025, 0.1, 0.5, 1.0):
        null, truth = (rng.dirichlet(np.full(12, 0.4)) for _ in range(2))
        null[:2] = 0  # the test may reject there for nothing
        best = linprog(-truth, A_ub=[null], b_ub=[tail], bounds=(0, 1))
        assert power(null, truth, tail) == pytest.approx(-best.fun, rel=1e-7)


def best_mean(counted, truth, tail):
    """A lower bound on any valid limit's mean, from tests that hold for all splits.

    By linear programming over all tests, randomised ones too. It can be no lower than
    `floor`, which has one split at a time.
    """
    chance = counted.samples_of(truth).ravel() / counted.all
    total = (1 - tail) * sum(truth)
    for errors in range(sum(truth) + 1, sum(counted.sizes) + 1):
        nulls = [
            counted.samples_of(split).ravel() / counted.all
            for split in counted.splits
            if sum(split) == errors
        ]
        best = linprog(-chance, A_ub=nulls, b_ub=[tail] * len(nulls), bounds=(0, 1))
        total += 1 + best.fun
    return total


@pytest.mark.parametrize("samples", [(3, 5), (2, 2), (6, 3), (1, 7)])
@pytest.mark.parametrize("truth", [(0, 0), (1, 0), (2, 1), (0, 3), (4, 2)])
def test_no_limit_has_a_smaller_mean_than_the_floor(samples, truth):
    ours, counted = Strata(SIZES, samples), Counted(SIZES, samples)
    floor = ours.floor(truth, 0.9)
    assert floor <= best_mean(counted, truth, 0.05) + 1e-6
    for slack in (0.0, 0.01):
        assert floor <= ours.expected_upper(truth, 0.9, slack) + 1e-9


def test_the_floor_of_a_plain_sample():
    for errors in (0, 1, 3, 8):
        chance, total = ways(14, 5) / comb(14, 5), 0.95 * errors
        for many in range(errors + 1, 15):
            best = linprog(
                -chance[errors], A_ub=[chance[many]], b_ub=[0.05], bounds=(0, 1)
            )
            total += 1 + best.fun
        assert plain_floor(14, 5, errors, 0.9) == pytest.approx(total, abs=1e-5)
        assert total <= expected_plain(14, 5, errors, 0.9) + 1e-9


# Policies ---------------------------------------------------------------------


def by_listing(plan, lot):
    """P(accepted), mean inspections, the same with rejected lots inspected whole.

    lot : True for an error; every order of inspection is listed.
    """
    orders = [*permutations(lot)]
    found = [plan.decide(order) for order in orders]
    whole = [len(lot) if d.verdict == "reject" else d.inspected for d in found]
    accepted = sum(d.verdict == "accept" for d in found)
    counts = accepted, sum(d.inspected for d in found), sum(whole)
    return [Fraction(count, len(orders)) for count in counts]


@pytest.mark.parametrize(("doubted", "caught"), [(2, 0), (2, 1), (3, 2), (3, 3)])
def test_inspections_of_all_policies_by_listing_all_orders(doubted, caught):
    once = la.SamplingPlan([-1, -1, 0, 0, 1], [1, 2, 2, 2, 2], 7)
    each = la.SamplingPlan([-1, -1, -1, 0], [1, 2, 2, 1], 7)
    errors = 3
    lot = [True] * caught + [False] * (doubted - caught)
    lot += [True] * (errors - caught) + [False] * (7 - doubted - errors + caught)
    mended = [wrong and k >= doubted for k, wrong in enumerate(lot)]
    accepted, inspected, _ = by_listing(each, lot)
    expected = {
        "audit": by_listing(once, lot)[2],
        "mend first": doubted + by_listing(once, mended)[2],
        "audit first": inspected
        + (1 - accepted) * (doubted + by_listing(each, mended)[2]),
    }
    got = doubts.inspections(once, each, doubted, errors, np.array(sum(mended)))
    assert {name: float(value) for name, value in got.items()} == pytest.approx(
        {name: float(value) for name, value in expected.items()}
    )


def accepting(plan, size, errors):
    """P(accepted), by listing which inspections find the errors."""
    accepted = 0
    for wrong in combinations(range(size), errors):
        order = [k in wrong for k in range(size)]
        accepted += plan.decide(order).verdict == "accept"
    return Fraction(accepted, comb(size, errors))


def test_a_bad_batch_is_accepted_by_neither_policy_too_often():
    levels, size = la.QualityLevels(0.1, 0.5, 0.2, 0.2), 10
    _, bad = levels.errors(size)
    once = la.optimal_plan(levels, size)
    each = la.optimal_plan(doubts.halved(levels), size)
    beta = Fraction("0.2")
    alone = [accepting(once, size, d) for d in range(size + 1)]
    twice = [accepting(each, size, d) for d in range(size + 1)]
    for before in range(size + 1):
        for left in range(before + 1):  # whatever the model doubts
            if left >= bad:
                assert alone[left] <= beta
            wrong = twice[before] if before >= bad else 0
            if left >= bad:
                wrong += (1 - twice[before]) * twice[left]
            assert wrong <= beta
    assert max(alone[bad:]) > beta / 2  # two such audits would not keep it


@pytest.mark.parametrize("attempts", [1, 2, 3])
def test_the_sample_with_the_fewest_doubted_by_listing_all_samples(attempts):
    one = doubts.Doubted((3, 4), (2, 1))
    doubted, wrong = {0, 1, 2}, {0, 1, 3}
    plan = la.SamplingPlan([-1, -1, -1, 1], [1, 2, 3, 2], 7)
    accepted = drawings = 0
    for drawn in product(combinations(range(7), 3), repeat=attempts):
        taken = min(drawn, key=lambda sample: len(doubted.intersection(sample)))
        accepted += len(wrong.intersection(taken)) <= 1
        drawings += 1
    share = accepted / drawings
    assert doubts.drawn_again(plan, one, attempts) == pytest.approx(share, rel=1e-12)


def test_lots_by_recall():
    one = doubts.Doubted.by(10_000, 0.05, 0.8, 0.1)
    assert (one.sizes, one.errors, one.lot_size) == ((1000, 9000), (400, 100), 10_000)
    *_, perfect = doubts.models(1000, 0.01, [0.5], 0.1)
    assert (perfect.sizes, perfect.errors) == ((10, 990), (10, 0))
    assert doubts.samples(perfect, 200, 0.25) == (10, 190)
    with pytest.raises(ValueError, match="400 of 500 errors, at a recall"):
        doubts.Doubted.by(10_000, 0.05, 0.8, 0.02)
