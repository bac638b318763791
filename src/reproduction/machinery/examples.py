"""The documents' worked examples, from data/worked_examples."""

import pandas as pd

import labelaudit as la

from . import paths


def load(name: str) -> pd.DataFrame:
    """A file of data/worked_examples; its first column is the index."""
    return pd.read_csv(paths.EXAMPLES / f"{name}.csv", index_col=0)


def slide(number: int, table: str) -> pd.DataFrame:
    """A contingency table of Artstein's tutorial: rows coder 1, columns coder 2."""
    cells = load("artstein2007_tables").loc[number].query("table == @table")
    return square(cells, "row", "column")


def square(cells: pd.DataFrame, row: str, column: str) -> pd.DataFrame:
    """A table from its cells, rows and columns in their order of appearance."""
    names = list(dict.fromkeys([*cells[row], *cells[column]]))
    wide = cells.pivot_table("count", row, column, aggfunc="sum", fill_value=0)
    return wide.reindex(index=names, columns=names, fill_value=0)


def ratings(table: pd.DataFrame) -> la.Ratings:
    """Two coders' judgments, one item after the other, from their contingency table."""
    pairs = pd.MultiIndex.from_product([table.index] * 2, names=["coder 1", "coder 2"])
    frame = pairs.repeat(table.to_numpy(int).ravel()).to_frame(index=False)
    return la.Ratings.from_matrix(frame, labels=list(table.index))


def with_totals(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its row and column totals, as documents print it."""
    wide = table.assign(Total=table.sum(axis=1))
    wide.loc["Total"] = wide.sum()
    return wide
