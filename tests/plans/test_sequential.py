"""Sequential plans: Meeker's and Duncan's tables, and Wald's definition."""

from fractions import Fraction

import numpy as np
import pytest

import labelaudit as la
import oracles
from known import at_printed_precision, known
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


def where_the_limits_meet(levels, lot_size):
    """The first n where nothing is left between them; the lot, where all is known."""
    for n in range(lot_size):
        words = limits_by_definition(levels, lot_size, n)
        accept = max((x for x, w in enumerate(words) if w == "accept"), default=-1)
        reject = min((x for x, w in enumerate(words) if w == "reject"), default=n + 1)
        if accept + 1 >= reject:
            return n
    return lot_size


@pytest.mark.parametrize(
    ("levels", "lot_size"),
    [
        ((0.1, 0.3, 0.05, 0.1), 20),
        ((0.1, 0.3, 0.05, 0.1), 60),
        ((0.05, 0.2, 0.05, 0.1), 120),
        ((0.02, 0.5, 0.3, 0.3), 24),  # D_a = 0
        ((0.25, 0.75, 0.1, 0.1), 40),
        ((0.4, 0.6, 0.2, 0.2), 30),
        ((0.2, 0.9, 0.01, 0.001), 17),
        ((0.1, 0.9, 0.5, 0.25), 10),
    ],
)
def test_meekers_limits_by_definition(levels, lot_size):
    """Every verdict on a path, to the first n where the limits meet."""
    plan = quietly(la.sequential_plan, la.QualityLevels(*levels), lot_size)
    last = where_the_limits_meet(levels, lot_size)
    assert plan.max_sample == last
    for n in range(last + 1):
        words = limits_by_definition(levels, lot_size, n)
        for x, word in enumerate(words):
            found = "accept" if x <= plan.accept[n] else "continue"
            found = "reject" if x >= plan.reject[n] else found
            assert word in (None, found), (n, x)


def test_a_ratio_that_equals_a_bound_goes_on():
    """N = 10, D 2 and 4, n = 1: the ratio is 3/4 at no error and 2 at one.

    beta / (1 - alpha) = 0.6 / 0.8 and (1 - beta) / alpha = 0.4 / 0.2.
    """
    assert oracles.pmf(0, 1, 10, 4) / oracles.pmf(0, 1, 10, 2) == Fraction(3, 4)
    assert oracles.pmf(1, 1, 10, 4) / oracles.pmf(1, 1, 10, 2) == 2
    for alpha, beta, limits in (
        (0.2, 0.6, (-1, 2)),
        (0.2, 0.601, (0, 1)),
        (0.201, 0.6, (0, 1)),
        (0.2, 0.6000000001, (0, 1)),  # where doubles do not decide
        (0.2, 0.5999999999, (-1, 2)),
    ):
        plan = quietly(la.sequential_plan, la.QualityLevels(0.2, 0.4, alpha, beta), 10)
        assert (plan.accept[1], plan.reject[1]) == limits


# Wald's lines ---------------------------------------------------------------------


@pytest.mark.parametrize("row", WALD["slopes"] + WALD["r_dodge"], ids=str)
def test_intercepts_and_slopes(row):
    """Duncan 1959, Table R, and R's Dodge: limits are s n - h1 and s n + h2.

    Where the line is not nearer to a whole number than the printed digits.
    """
    levels = la.QualityLevels(row["p1"], row["p2"], row["alpha"], row["beta"])
    plan = quietly(la.sequential_plan, levels)
    n = np.arange(plan.max_sample)
    for line, found in (
        (row["s"] * n - row["h1"], plan.accept[:-1]),
        (row["s"] * n + row["h2"], plan.reject[:-1] - 1),
    ):
        sure = np.abs(line - np.rint(line)) > 5e-5 + 5e-6 * n
        sure &= (line >= 0) & (line < n)
        assert sure.sum() > 0.8 * ((line >= 0) & (line < n)).sum() > 10
        assert (found[sure] == np.floor(line[sure])).all()


def test_duncans_limits():
    """Duncan 1959, Fig. 49."""
    plan = quietly(la.sequential_plan, la.QualityLevels(0.01, 0.08, 0.05, 0.10))
    for row in WALD["limits"]:
        n = row["n"]
        assert (plan.accept[n], plan.reject[n]) == errors_or_impossible(row)


@pytest.mark.parametrize(
    ("levels", "ties"),  # (n, x) with the ratio equal to a bound, in fractions
    [
        ((0.01, 0.03, 0.01, 0.05), []),
        ((0.02, 0.04, 0.1, 0.2), [(3, 3)]),
        ((0.04, 0.6, 0.4, 0.25), [(1, 0)]),
        ((0.2, 0.4, 0.05, 0.1), [(7, 5)]),
        ((0.2, 0.8, 0.2, 0.05), [(2, 0), (4, 1), (6, 2)]),
        ((0.6, 0.8, 0.1, 0.1), [(6, 2)]),
        ((0.25, 0.75, 0.1, 0.1), [(2, 0), (4, 1), (6, 2)]),
        # a ratio is a hair beyond a bound
        ((0.25, 0.75, 0.1, 0.09999999999999999), []),
        ((0.25, 0.75, 0.09999999999999999, 0.1), []),
    ],
)
def test_walds_lines_by_definition(levels, ties):
    """The likelihood ratio of n trials, in fractions, against the two bounds."""
    p_a, p_r, alpha, beta = (oracles.decimal(v) for v in levels)
    plan = quietly(la.sequential_plan, la.QualityLevels(*levels))
    low, high = beta / (1 - alpha), (1 - beta) / alpha
    for n in range(1, min(plan.max_sample, 90)):
        for x in range(n + 1):
            ratio = (p_r / p_a) ** x * ((1 - p_r) / (1 - p_a)) ** (n - x)
            assert (x <= plan.accept[n]) == (ratio < low)
            assert (x >= plan.reject[n]) == (ratio > high)
            if (n, x) in ties:
                assert ratio in (low, high)


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
