"""What the tables promise, against sums of hypergeometric terms in fractions."""

from fractions import Fraction
from math import comb

import pytest

import labelaudit as la
from labelaudit.plans.aql import AQLS
from reproduction.beyond import aql_table


def accepted(size, errors, n, accept):
    ways = sum(
        comb(errors, x) * comb(size - errors, n - x)
        for x in range(max(0, n + errors - size), min(n, errors, accept) + 1)
    )
    return Fraction(ways, comb(size, n))


@pytest.fixture(scope="module")
def cells():
    return aql_table.enumerated()


def test_every_cell_of_the_smaller_batches_in_fractions(cells):
    small = cells[cells["N"] <= 1200]
    assert len(small) == 9 * len(AQLS)
    for row in small.to_dict("records"):
        size, n, accept = row["N"], row["n"], row["Ac"]
        assert row["errors"] / size <= row["AQL"] / 100 + 1e-12
        assert (row["errors"] + 1) / size > row["AQL"] / 100
        risk = 1 - accepted(size, row["errors"], n, accept)
        assert row["risk"] == pytest.approx(float(risk), abs=1e-12)
        for name, beta in (("rate at 10 %", 10), ("rate at 5 %", 20)):
            errors = round(row[name] * size)
            assert accepted(size, errors, n, accept) <= Fraction(1, beta)
            assert accepted(size, errors - 1, n, accept) > Fraction(1, beta)


def test_the_risk_in_a_process_is_binomial(cells):
    for row in cells[cells["n"] <= 200].to_dict("records"):
        p, n = Fraction(str(row["AQL"])) / 100, row["n"]
        wanted = 1 - sum(
            comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(row["Ac"] + 1)
        )
        assert row["process risk"] == pytest.approx(float(wanted), abs=1e-12)


def test_fewest_errors_by_trying_all():
    plan = la.aql_plan(90, 4.0)
    accepted = plan.acceptance_probability(range(91))
    for beta in (0.5, 0.1, 0.05, 0.001):
        first = next(d for d in range(91) if accepted[d] <= beta)
        assert aql_table.least_errors(plan, beta) == first
