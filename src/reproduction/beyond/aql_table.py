"""What the single sampling plans of MIL-STD-105E promise, cell by cell."""

from bisect import bisect_left
from fractions import Fraction

import pandas as pd

import labelaudit as la
from labelaudit.plans import aql as tables

# The largest batch of each class of table I. The last class has no largest one.
LARGEST = (*tables.LOTS, 1_000_000)


def at_level(aql: float, lot_size: int) -> int:
    """The largest number of errors with which a batch is no worse than the AQL."""
    return int(Fraction(str(aql)) * lot_size // 100)


def least_errors(plan: la.SamplingPlan, probability: float) -> int:
    """The smallest number of errors that a lot's plan accepts with this or less.

    Acceptance by a single plan never becomes likelier with more errors.
    """
    errors = range((plan.lot_size or 0) + 1)
    return bisect_left(
        errors, True, key=lambda d: plan.acceptance_probability(d) <= probability
    )


def promise(lot_size: int, aql: float, level: str = "II") -> dict[str, float]:
    """One cell, on normal inspection.

    Returns
    -------
    dict
        Letter, n and Ac; whether the whole batch is inspected; the errors of a batch
        that is no worse than the AQL and the probability of rejecting it; the same
        for annotations that come with this rate; the smallest error rates accepted
        with at most 10 % and 5 %.
    """
    plan = la.aql_plan(lot_size, aql, level)
    n = plan.max_sample
    process = la.SamplingPlan(plan.accept, plan.reject)
    errors = at_level(aql, lot_size)
    return {
        "N": lot_size,
        "AQL": aql,
        "letter": plan.note.partition("code letter ")[2][0],
        "n": n,
        "Ac": int(plan.accept[-1]),
        "whole": n == lot_size,
        "errors": errors,
        "risk": 1 - plan.acceptance_probability(errors),
        "process risk": 1 - process.acceptance_probability(aql / 100),
        "rate at 10 %": least_errors(plan, 0.10) / lot_size,
        "rate at 5 %": least_errors(plan, 0.05) / lot_size,
    }


def enumerated(level: str = "II") -> pd.DataFrame:
    """Every class of batches, by its largest, and every AQL from 0.01 to 10 %."""
    return pd.DataFrame(
        [promise(size, aql, level) for size in LARGEST for aql in tables.AQLS]
    )
