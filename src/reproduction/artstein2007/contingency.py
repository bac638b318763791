"""Contingency tables of two coders: measured many at once, and made."""

from itertools import combinations

import numpy as np
import pandas as pd

from labelaudit._checks import Array

from ..machinery import style

COEFFICIENTS = ("S", "pi", "kappa")


def measures(tables: Array) -> pd.DataFrame:
    """S, pi and kappa of many tables at once, by the formulas of slides 15, 17, 22.

    Parameters
    ----------
    tables : array of shape (n_tables, n_labels, n_labels)
        Rows are coder 1, columns coder 2.

    Returns
    -------
    DataFrame, one row per table
        labels; observed; expected_S, expected_pi, expected_kappa; S, pi, kappa (NaN
        where chance agrees always); bias, half the sum of the absolute differences
        of the coders' shares: the largest share of items on which totals alone say
        that they differ.
    """
    tables = np.asarray(tables, dtype=float)
    labels = tables.shape[-1]
    shares = tables / tables.sum(axis=(1, 2), keepdims=True)
    one, other = shares.sum(axis=2), shares.sum(axis=1)
    observed = np.trace(shares, axis1=1, axis2=2)
    columns = {
        "labels": np.full(len(tables), labels),
        "observed": observed,
        "expected_S": np.full(len(tables), 1 / labels),
        "expected_pi": (((one + other) / 2) ** 2).sum(axis=1),
        "expected_kappa": (one * other).sum(axis=1),
    }
    for name in COEFFICIENTS:
        expected = columns[f"expected_{name}"]
        room = np.where(expected < 1 - 1e-12, 1 - expected, np.nan)
        columns[name] = style.settled(observed - expected) / room
    columns["bias"] = np.abs(style.settled(one - other)).sum(axis=1) / 2
    return pd.DataFrame(columns)


def cross(one: Array, other: Array, labels: int) -> Array:
    """Tables from judgments: (n_studies, n_items) each, labels as 0, 1, ...

    Returns
    -------
    int array of shape (n_studies, labels, labels)
    """
    one, other = np.atleast_2d(one), np.atleast_2d(other)
    study = np.arange(len(one))[:, None]
    cell = (study * labels + one) * labels + other
    counts = np.bincount(cell.ravel(), minlength=len(one) * labels**2)
    return counts.reshape(-1, labels, labels)


def random_tables(
    random: np.random.Generator, number: int, labels: int, items: int
) -> Array:
    """Tables of all sorts: even or one-sided shares, alike or biased coders.

    Each table is a multinomial sample of a mixture of knowing (the diagonal) and
    guessing by the coders' own shares; how much of each, how even the shares and
    how different the coders are is drawn anew for every table.

    Returns
    -------
    int array of shape (number, labels, labels)
    """
    tables = np.empty((number, labels, labels), dtype=int)
    for i in range(number):
        known, apart = random.random(), np.sqrt(random.random())
        even = 10 ** random.uniform(-1, 1)
        one, prior = random.dirichlet(np.full(labels, even), size=2)
        other = (1 - apart) * one + apart * prior
        chance = np.outer(one, other)
        cells = known * np.diag(one) + (1 - known) * chance
        drawn = random.multinomial(items, cells.ravel() / cells.sum())
        tables[i] = drawn.reshape(labels, labels)
    return tables


def all_tables(labels: int, items: int) -> Array:
    """Every table with so many labels and items, (n_tables, labels, labels)."""
    cells = labels * labels
    bars = np.array(list(combinations(range(items + cells - 1), cells - 1)))
    ends = {"prepend": -1, "append": items + cells - 1}
    counts = np.diff(bars, axis=1, **ends) - 1
    return counts.reshape(-1, labels, labels)
