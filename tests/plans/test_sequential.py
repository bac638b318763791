"""Sequential plans: Meeker's and Duncan's tables, and Wald's definition."""

import numpy as np
import pytest

import labelaudit as la
import oracles
from known import at_printed_precision, known, rows
from regions import quietly

MEEKER, WALD, KLIE = (known(n) for n in ("meeker_1975", "wald_lines", "klie_2024"))
HUNDRED = la.QualityLevels(0.25, 0.40, 0.05, 0.10)
THIRTY = la.QualityLevels(5 / 30, 15 / 30, 0.05, 0.10)


def plan_of(size):
    """Meeker's examples: truncated at 13 and curtailed; limits that meet at 81."""
    if size == 100:
        return quietly(la.sequential_plan, HUNDRED, 100)
    cut = {"max_sample": 13, "forced_acceptance": 4}
    return la.curtail(quietly(la.sequential_plan, THIRTY, 30, **cut))


def check_limits(plan, table):
    """A printed pair of limits, None where there is none."""
    for row in table:
        n, accept, reject = (row[name] for name in ("n", "accept", "reject"))
        assert plan.accept[n] == (-1 if accept is None else accept)
        assert plan.reject[n] == (n + 1 if reject is None else reject)


# Printed tables ---------------------------------------------------------------------


def test_meekers_and_duncans_limits():
    """Table 2.2; Duncan 1959, Fig. 49."""
    for size, last in ((100, 81), (30, 13)):
        assert plan_of(size).max_sample == last
        check_limits(plan_of(size), MEEKER[f"limits_{size}"])
    levels = la.QualityLevels(0.01, 0.08, 0.05, 0.10)
    check_limits(quietly(la.sequential_plan, levels), WALD["limits"])


@pytest.mark.parametrize("row", MEEKER["average_sample_number"], ids=str)
def test_meekers_average_sample_numbers(row):
    found = plan_of(row["N"]).average_sample_number(row["D"])
    assert at_printed_precision(found, row["asn"], 4)


def test_meekers_decisive_sample_numbers():
    """P(accept at n) + P(reject at n), printed to five decimals.

    The printed columns are good to four: at N = 30, D = 25, n = 5 they give .00009
    for a rejection that needs four errors, where three at n = 4 already reject.
    """
    for row in MEEKER["decisive"]:
        stops = plan_of(row["N"]).sample_number_pmf(row["D"])
        printed = row["accept"] + row["reject"]
        assert stops[row["n"]] == pytest.approx(printed, abs=1e-4)


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


# By definition, in fractions ----------------------------------------------------------


def words(levels, lot_size, n):
    """Verdict at each x: the likelihood ratio against Wald's two bounds."""
    d_a, d_r = oracles.in_counts(levels, lot_size)
    alpha, beta = (oracles.decimal(v) for v in levels[2:])
    found = []
    for x in range(n + 1):
        at_a, at_r = (oracles.pmf(x, n, lot_size, d) for d in (d_a, d_r))
        if at_a == at_r == 0:
            found.append(None)
        elif at_r * (1 - alpha) < beta * at_a:
            found.append("accept")
        elif at_r * alpha > (1 - beta) * at_a:
            found.append("reject")
        else:
            found.append("continue")
    return found


@pytest.mark.parametrize("row", rows("wald_levels"), ids=",".join)
def test_limits_by_definition(row):
    """Every verdict on a path; in a lot to the first n where the limits meet."""
    levels, lot_size = tuple(map(float, row[:4])), int(row[4]) if row[4] else None
    plan = quietly(la.sequential_plan, la.QualityLevels(*levels), lot_size)
    last = lot_size or min(plan.max_sample - 1, 60)
    for n in range(last + 1):
        wanted = words(levels, lot_size, n)
        for x, word in enumerate(wanted):
            found = "accept" if x <= plan.accept[n] else "continue"
            found = "reject" if x >= plan.reject[n] else found
            assert word in (None, found), (n, x)
        accept = max((x for x, w in enumerate(wanted) if w == "accept"), default=-1)
        reject = min((x for x, w in enumerate(wanted) if w == "reject"), default=n + 1)
        if lot_size and (accept + 1 >= reject or n == lot_size):
            assert plan.max_sample == n
            return
    assert lot_size is None


# Truncation, notes and warnings ---------------------------------------------------


@pytest.mark.parametrize("levels", [la.STRICT, la.RELAXED])
def test_a_processs_plan_ends_at_three_times_the_single_plans_n(levels):
    single = la.single_plan(levels)
    plan = quietly(la.sequential_plan, levels)
    assert plan.max_sample == 3 * single.max_sample
    assert plan.accept[-1] == plan.reject[-1] - 1 == single.accept[-1]
    assert f"3 x {single.max_sample}" in repr(plan)


@pytest.mark.parametrize("lot_size", [1000, None])
def test_a_truncation_changes_the_last_limits_alone(lot_size):
    single = la.single_plan(la.RELAXED, lot_size)
    whole = quietly(la.sequential_plan, la.RELAXED, lot_size)
    n = single.max_sample
    for options, c in (({}, single.accept[-1]), ({"forced_acceptance": 3}, 3)):
        plan = quietly(
            la.sequential_plan, la.RELAXED, lot_size, max_sample=n, **options
        )
        assert plan.max_sample == n
        assert (plan.accept[:n] == whole.accept[:n]).all()
        assert (plan.reject[:n] == whole.reject[:n]).all()
        assert (plan.accept[n], plan.reject[n]) == (c, c + 1)


@pytest.mark.parametrize("row", KLIE["missed_risks"], ids=str)
def test_the_papers_truncation_misses_its_risks(row):
    levels, lot_size = getattr(la, row["levels"]), row["N"]
    n = la.single_plan(levels, lot_size).max_sample
    with pytest.warns(UserWarning, match="risk is") as caught:
        plan = la.sequential_plan(levels, lot_size, max_sample=n)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    message = str(caught[0].message)
    assert f"consumer's risk is {plan.consumers_risk:.4g}" in message
    assert at_printed_precision(plan.consumers_risk, row["consumers"], 3)
    if row["producers"] is not None:
        assert f"producer's risk is {plan.producers_risk:.4g}" in message
        assert at_printed_precision(plan.producers_risk, row["producers"], 4)
    else:
        assert "producer's" not in message
        assert plan.producers_risk <= levels.alpha


@pytest.mark.parametrize("row", KLIE["sequential_asn"], ids=str)
def test_exact_averages_behind_table_3(row):
    plan = quietly(la.sequential_plan, getattr(la, row["levels"]), row["N"])
    asn = plan.average_sample_number(row["D"])
    assert at_printed_precision(asn, row["asn"], row["decimals"])
