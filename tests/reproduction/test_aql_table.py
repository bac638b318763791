"""What the tables promise, against sums of hypergeometric terms in fractions."""

from fractions import Fraction
from functools import partial

import pytest

import oracles
from labelaudit.plans.aql import AQLS
from reproduction.beyond import aql_table


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
        accepted = partial(oracles.cdf, accept, n, size)
        risk = 1 - accepted(row["errors"])
        assert row["risk"] == pytest.approx(float(risk), abs=1e-12)
        for name, beta in (("rate at 10 %", 10), ("rate at 5 %", 20)):
            errors = round(row[name] * size)
            assert accepted(errors) <= Fraction(1, beta)
            assert accepted(errors - 1) > Fraction(1, beta)


def test_the_risk_in_a_process_is_binomial(cells):
    for row in cells[cells["n"] <= 200].to_dict("records"):
        p = oracles.decimal(row["AQL"]) / 100
        wanted = 1 - oracles.cdf(row["Ac"], row["n"], None, p)
        assert row["process risk"] == pytest.approx(float(wanted), abs=1e-12)
