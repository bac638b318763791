"""Sequential plans: Meeker's and Duncan's tables, and Wald's definition."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest

import labelaudit as la
import oracles
from known import at_printed_precision, known
from labelaudit.as_published import wald_slope
from labelaudit.plans.sequential import wald_limits
from regions import quietly

MEEKER = known("meeker_1975")
WALD = known("wald_lines")

HUNDRED = la.QualityLevels(0.25, 0.40, 0.05, 0.10)
THIRTY = la.QualityLevels(5 / 30, 15 / 30, 0.05, 0.10)


def plan_of_a_hundred():
    """Meeker's second example: the limits meet at 81."""
    return quietly(la.sequential_plan, HUNDRED, 100)


def plan_of_thirty():
    """Meeker's first: truncated at 13, accepting 4, and curtailed."""
    return la.curtail(
        quietly(la.sequential_plan, THIRTY, 30, max_sample=13, forced_acceptance=4)
    )


def errors_or_impossible(row):
    """A printed pair of limits in the library's form."""
    accept = -1 if row["accept"] is None else row["accept"]
    return accept, row["n"] + 1 if row["reject"] is None else row["reject"]


# Meeker 1975 ----------------------------------------------------------------------


def test_meekers_limits_for_a_hundred():
    """Table 2.2."""
    plan = plan_of_a_hundred()
    assert plan.max_sample == 81
    for row in MEEKER["limits_100"]:
        n = row["n"]
        assert (plan.accept[n], plan.reject[n]) == errors_or_impossible(row)


def test_meekers_limits_for_thirty():
    plan = plan_of_thirty()
    assert plan.max_sample == 13
    for row in MEEKER["limits_30"]:
        n = row["n"]
        assert (plan.accept[n], plan.reject[n]) == errors_or_impossible(row)


@pytest.mark.parametrize("row", MEEKER["average_sample_number"], ids=str)
def test_meekers_average_sample_numbers(row):
    plan = plan_of_a_hundred() if row["N"] == 100 else plan_of_thirty()
    assert at_printed_precision(plan.average_sample_number(row["D"]), row["asn"], 4)


@pytest.mark.parametrize(
    ("size", "errors"), [(100, 30), (30, 0), (30, 10), (30, 20), (30, 25)]
)
def test_meekers_decisive_sample_numbers(size, errors):
    """P(accept at n) + P(reject at n), printed to five decimals.

    The printed columns are good to four: at N = 30, D = 25, n = 5 they give .00009
    for a rejection that needs four errors, where three at n = 4 already reject.
    """
    plan = plan_of_a_hundred() if size == 100 else plan_of_thirty()
    stops = plan.sample_number_pmf(errors)
    rows = [r for r in MEEKER["decisive"] if (r["N"], r["D"]) == (size, errors)]
    assert len(rows) >= 9
    for row in rows:
        printed = row["accept"] + row["reject"]
        assert stops[row["n"]] == pytest.approx(printed, abs=1e-4)


def test_meekers_acceptance_probability_is_the_sum_of_his_column():
    rows = [r for r in MEEKER["decisive"] if (r["N"], r["D"]) == (30, 10)]
    assert plan_of_thirty().acceptance_probability(10) == pytest.approx(
        sum(r["accept"] for r in rows), abs=5e-6 * len(rows)
    )


# Meeker's definition in fractions -------------------------------------------------


def limits_by_definition(levels, lot_size, n):
    """Verdict at each x: the likelihood ratio against Wald's two bounds."""
    d_a, d_r = oracles.in_counts(levels, lot_size)
    alpha, beta = (oracles.decimal(v) for v in levels[2:])
    words = []
    for x in range(n + 1):
        at_a = oracles.pmf(x, n, lot_size, d_a)
        at_r = oracles.pmf(x, n, lot_size, d_r)
        if at_a == at_r == 0:
            words.append(None)
        elif at_r * (1 - alpha) < beta * at_a:
            words.append("accept")
        elif at_r * alpha > (1 - beta) * at_a:
            words.append("reject")
        else:
            words.append("continue")
    return words


@pytest.mark.parametrize(
    ("levels", "lot_size"),
    [
        ((0.1, 0.3, 0.05, 0.1), 20),
        ((0.1, 0.3, 0.05, 0.1), 53),
        ((0.02, 0.5, 0.3, 0.3), 24),  # D_a = 0
        ((0.25, 0.75, 0.1, 0.1), 40),
        ((0.4, 0.6, 0.2, 0.2), 30),
        ((0.2, 0.9, 0.01, 0.001), 17),
        ((0.1, 0.9, 0.5, 0.25), 10),
    ],
)
def test_meekers_limits_by_definition(levels, lot_size):
    """At every (n, x), also where one of the two levels makes x impossible."""
    accept, reject = wald_limits(la.QualityLevels(*levels), lot_size, lot_size)
    for n in range(lot_size + 1):
        words = limits_by_definition(levels, lot_size, n)
        for x, word in enumerate(words):
            found = "accept" if x <= accept[n] else "continue"
            found = "reject" if x >= reject[n] else found
            assert word in (None, found), (n, x)


def test_a_ratio_that_equals_a_bound_goes_on():
    """N = 10, D 2 and 4, n = 1: the ratio is 3/4 at no error and 2 at one.

    beta / (1 - alpha) = 0.6 / 0.8 and (1 - beta) / alpha = 0.4 / 0.2.
    """
    levels = (0.2, 0.4, 0.2, 0.6)
    assert oracles.pmf(0, 1, 10, 4) / oracles.pmf(0, 1, 10, 2) == Fraction(3, 4)
    assert oracles.pmf(1, 1, 10, 4) / oracles.pmf(1, 1, 10, 2) == 2
    plan = quietly(la.sequential_plan, la.QualityLevels(*levels), 10)
    assert (plan.accept[1], plan.reject[1]) == (-1, 2)
    for less in ((0.2, 0.4, 0.2, 0.601), (0.2, 0.4, 0.201, 0.6)):
        plan = quietly(la.sequential_plan, la.QualityLevels(*less), 10)
        assert (plan.accept[1], plan.reject[1]) != (-1, 2)
    # A tenth of a billionth beside the bounds, where doubles do not decide.
    for beta, limits in ((0.6000000001, (0, 1)), (0.5999999999, (-1, 2))):
        levels = la.QualityLevels(0.2, 0.4, 0.2, beta)
        accept, reject = wald_limits(levels, 10, 10)
        assert (accept[1], reject[1]) == limits


@pytest.mark.parametrize(
    ("levels", "lot_size"),
    [
        ((0.1, 0.3, 0.05, 0.1), 60),
        ((0.05, 0.2, 0.05, 0.1), 200),
        ((0.2, 0.4, 0.1, 0.1), 35),
    ],
)
def test_an_untruncated_plan_ends_where_the_limits_meet(levels, lot_size):
    accept, reject = wald_limits(la.QualityLevels(*levels), lot_size, lot_size)
    plan = quietly(la.sequential_plan, la.QualityLevels(*levels), lot_size)
    first = next(n for n in range(lot_size + 1) if accept[n] + 1 >= reject[n])
    assert plan.max_sample == first
    assert plan.accept.tolist() == accept[: first + 1].tolist()
    assert plan.reject.tolist() == reject[: first + 1].tolist()


# Wald's lines ---------------------------------------------------------------------


@pytest.mark.parametrize("row", WALD["slopes"], ids=str)
def test_duncans_intercepts_and_slopes(row):
    """Duncan 1959, Table R: four or five decimals."""
    levels = la.QualityLevels(row["p1"], row["p2"], row["alpha"], row["beta"])
    h1, h2, s = wald_slope(levels)
    assert at_printed_precision(h1, row["h1"], 4)
    assert at_printed_precision(h2, row["h2"], 4)
    assert at_printed_precision(s, row["s"], 5)


@pytest.mark.parametrize("row", WALD["r_dodge"], ids=str)
def test_intercepts_and_slopes_of_rs_dodge(row):
    levels = la.QualityLevels(row["p1"], row["p2"], row["alpha"], row["beta"])
    expected = [row["h1"], row["h2"], row["s"]]
    assert wald_slope(levels) == pytest.approx(expected, rel=1e-12)


def test_duncans_limits():
    """Duncan 1959, Fig. 49."""
    accept, reject = wald_limits(la.QualityLevels(0.01, 0.08, 0.05, 0.10), None, 70)
    for row in WALD["limits"]:
        n = row["n"]
        assert (accept[n], reject[n]) == errors_or_impossible(row)


@pytest.mark.parametrize(
    "levels",
    [
        (0.01, 0.03, 0.01, 0.05),
        (0.1, 0.4, 0.1, 0.2),
        (0.02, 0.05, 0.05, 0.1),
        (0.25, 0.75, 0.1, 0.09999999999999999),
        (0.25, 0.75, 0.09999999999999999, 0.1),
    ],
)
def test_walds_lines_by_definition(levels):
    """The likelihood ratio of n trials, in fractions, against the two bounds.

    In the last two a ratio is a hair beyond a bound.
    """
    p_a, p_r, alpha, beta = (oracles.decimal(v) for v in levels)
    accept, reject = wald_limits(la.QualityLevels(*levels), None, 120)
    for n in (1, 2, 5, 17, 40, 63, 119, 120):
        for x in range(n + 1):
            ratio = (p_r / p_a) ** x * ((1 - p_r) / (1 - p_a)) ** (n - x)
            assert (x <= accept[n]) == (ratio < beta / (1 - alpha))
            assert (x >= reject[n]) == (ratio > (1 - beta) / alpha)


@pytest.mark.parametrize(
    ("levels", "ties"),  # (n, x) with the ratio equal to a bound, in fractions
    [
        ((0.02, 0.04, 0.1, 0.2), [(3, 3)]),
        ((0.04, 0.6, 0.4, 0.25), [(1, 0)]),
        ((0.2, 0.4, 0.05, 0.1), [(7, 5)]),
        ((0.2, 0.6, 0.2, 0.1), [(3, 0), (3, 2)]),
        ((0.2, 0.8, 0.2, 0.05), [(2, 0), (4, 1), (6, 2), (8, 3)]),
        ((0.6, 0.8, 0.1, 0.1), [(6, 2)]),
    ],
)
def test_a_ratio_that_equals_a_bound_goes_on_in_a_process(levels, ties):
    p_a, p_r, alpha, beta = map(oracles.decimal, levels)
    plan = quietly(la.sequential_plan, la.QualityLevels(*levels))
    accept, reject = wald_limits(la.QualityLevels(*levels), None, 20)
    for n, x in ties:
        ratio = (p_r / p_a) ** x * ((1 - p_r) / (1 - p_a)) ** (n - x)
        assert ratio in (beta / (1 - alpha), (1 - beta) / alpha)
        assert accept[n] < x < reject[n]
        if n < plan.max_sample:
            assert plan.accept[n] < x < plan.reject[n]


def test_walds_lines_where_they_pass_through_whole_numbers():
    """p .25 and .75, both risks .1: s = 1/2 and h1 = h2 = 1, exactly.

    So the lines are n/2 - 1 and n/2 + 1, whole at every even n; a rounding of
    s or h may not move the limits at some of them.
    """
    accept, reject = wald_limits(la.QualityLevels(0.25, 0.75, 0.1, 0.1), None, 40)
    n = np.arange(2, 41)
    line = n // 2 - 1
    assert (accept[3::2] == line[1::2]).all()  # odd n: between two whole numbers
    assert (accept[2::2] == line[::2] - 1).all()  # even n: a tie, which goes on
    assert (accept[2:] + reject[2:] == n).all()  # errors and correct ones exchanged


# Truncation, notes and warnings ---------------------------------------------------


@pytest.mark.parametrize("levels", [la.STRICT, la.RELAXED])
def test_a_processs_plan_ends_at_three_times_the_single_plans_n(levels):
    single = la.single_plan(levels)
    plan = quietly(la.sequential_plan, levels)
    assert plan.max_sample == 3 * single.max_sample
    assert plan.accept[-1] == single.accept[-1]
    assert plan.reject[-1] == single.accept[-1] + 1
    assert f"3 x {single.max_sample}" in repr(plan)


@pytest.mark.parametrize("lot_size", [1000, None])
def test_a_truncation_changes_the_last_limits_alone(lot_size):
    single = la.single_plan(la.RELAXED, lot_size)
    whole = quietly(la.sequential_plan, la.RELAXED, lot_size)
    n = single.max_sample
    plan = quietly(la.sequential_plan, la.RELAXED, lot_size, max_sample=n)
    assert plan.max_sample == n
    assert (plan.accept[:n] == whole.accept[:n]).all()
    assert (plan.reject[:n] == whole.reject[:n]).all()
    c = single.accept[-1]
    assert (plan.accept[n], plan.reject[n]) == (c, c + 1)
    other = quietly(
        la.sequential_plan, la.RELAXED, lot_size, max_sample=n, forced_acceptance=3
    )
    assert (other.accept[n], other.reject[n]) == (3, 4)
    assert (other.accept[:n] == plan.accept[:n]).all()


def test_a_truncation_where_the_limits_meet_forces_its_own_verdict():
    """At 81 the limits for a hundred meet, at 25 and 26; there 20 is imposed."""
    plan = quietly(
        la.sequential_plan, HUNDRED, 100, max_sample=81, forced_acceptance=20
    )
    assert plan.max_sample == 81
    assert (plan.accept[81], plan.reject[81]) == (20, 21)
    assert (plan.accept[:81] == plan_of_a_hundred().accept[:81]).all()


def test_a_truncation_after_the_limits_meet_changes_nothing():
    whole = plan_of_a_hundred()
    late = quietly(la.sequential_plan, HUNDRED, 100, max_sample=95)
    assert late == whole


@pytest.mark.parametrize(
    ("levels", "lot_size", "producers", "consumers"),
    [
        (la.STRICT, 1000, None, 0.073),
        (la.RELAXED, 1000, None, 0.134),
        (la.STRICT, 3380, 0.0108, 0.074),
        (la.RELAXED, 3380, 0.0538, 0.133),
        (la.STRICT, 24799, 0.0112, 0.075),
        (la.RELAXED, 24799, 0.0510, 0.133),
    ],
)
def test_the_papers_truncation_misses_its_risks(levels, lot_size, producers, consumers):
    """Klie et al. 2024, section 3.3: stop at the single plan's n, use its c.

    The exact risks were found by running the authors' released code and by exact
    computation; they are printed to three or four decimals.
    """
    n = la.single_plan(levels, lot_size).max_sample
    with pytest.warns(UserWarning, match="risk is") as caught:
        plan = la.sequential_plan(levels, lot_size, max_sample=n)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    message = str(caught[0].message)
    assert f"consumer's risk is {plan.consumers_risk:.4g}" in message
    assert at_printed_precision(plan.consumers_risk, consumers, 3)
    if producers is not None:
        assert f"producer's risk is {plan.producers_risk:.4g}" in message
        assert at_printed_precision(plan.producers_risk, producers, 4)
    else:
        assert "producer's" not in message
        assert plan.producers_risk <= levels.alpha


@pytest.mark.parametrize(("lot_size", "risk"), [(1000, 0.10067), (3380, 0.10013)])
def test_the_untruncated_relaxed_test_misses_by_a_hair(lot_size, risk):
    with pytest.warns(UserWarning, match="misses"):
        plan = la.sequential_plan(la.RELAXED, lot_size)
    assert at_printed_precision(plan.consumers_risk, risk, 5)


@pytest.mark.parametrize(
    ("levels", "n", "c"), [(la.STRICT, 503, 8), (la.RELAXED, 347, 10)]
)
def test_truncations_that_keep_both_risks_do_not_warn(levels, n, c):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plan = la.sequential_plan(levels, 1000, max_sample=n, forced_acceptance=c)
    assert plan.keeps_risks == (True, True)


@pytest.mark.parametrize(
    ("levels", "errors", "asn"),
    [
        (la.STRICT, (217, 3380), 92.53),
        (la.RELAXED, (217, 3380), 100.62),
        (la.STRICT, (499, 24799), 620.2),
        (la.RELAXED, (499, 24799), 169.99),
    ],
)
def test_exact_averages_behind_table_3(levels, errors, asn):
    """Klie et al. 2024, Table 3, sequential: simulations of 1000 lots of these."""
    d, lot_size = errors
    plan = quietly(la.sequential_plan, levels, lot_size)
    decimals = len(str(asn).split(".")[1])
    assert at_printed_precision(plan.average_sample_number(d), asn, decimals)


def test_walds_inequalities_bound_the_risks():
    """Wald 1947: consumer's risk <= beta / (1 - alpha), producer's likewise.

    They hold for limits that are exactly the likelihood ratio's, and the end
    where the limits meet decides no worse here.
    """
    for lot_size in (200, 1000, 3380):
        for levels in (la.STRICT, la.RELAXED):
            plan = quietly(la.sequential_plan, levels, lot_size)
            assert plan.consumers_risk <= levels.beta / (1 - levels.alpha)
            assert plan.producers_risk <= levels.alpha / (1 - levels.beta)


# No state between plans -----------------------------------------------------------


@pytest.mark.parametrize("order", [(la.STRICT, la.RELAXED), (la.RELAXED, la.STRICT)])
def test_two_plans_of_one_lot_size_share_nothing(order):
    """The released code returned the strict limits for relaxed: a cache by lot size.

    Each plan is compared with the definition, whichever was asked for first.
    """
    plans = [quietly(la.sequential_plan, levels, 400) for levels in order]
    for levels, plan in zip(order, plans):
        tuple_of = (levels.p_a, levels.p_r, levels.alpha, levels.beta)
        for n in range(0, plan.max_sample, 7):
            words = limits_by_definition(tuple_of, 400, n)
            for x, word in enumerate(words[:40]):
                accepted, rejected = x <= plan.accept[n], x >= plan.reject[n]
                if word is not None:
                    assert (word == "accept") == accepted
                    assert (word == "reject") == rejected
    again = [quietly(la.sequential_plan, levels, 400) for levels in reversed(order)]
    assert again == plans[::-1]
    assert plans[0] != plans[1]
    assert math.isclose(
        again[1].average_sample_number(5), plans[0].average_sample_number(5)
    )
