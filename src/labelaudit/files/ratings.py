"""Ratings from files as people have them.

A file becomes a table of texts (`tables`), paths into objects become columns
(`nested`), rows are chosen and cells with several judgments taken apart, and columns
get their roles: of judgments (`long`) or of items (`wide`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from ..agreement.ratings import Ratings
from . import guesses, long, wide
from .asked import Asked
from .judged import Judged
from .tables import tables


@dataclass(frozen=True)
class Collection:
    """Ratings from files; what was suggested, is right, and a model says, if known."""

    ratings: Ratings
    suggested: pd.Series | None = None
    gold: Any = None  # as la.accuracy takes it
    model: pd.Series | None = None


def collection(path: str | Path | Sequence[str | Path], **options: Any) -> Collection:
    """The ratings in files, and what else they say of the items.

    Parameters
    ----------
    path : str or Path, or several
        CSV, JSON or Parquet, as tables.table reads them; several are one table.
    options
        As `asked.Asked` has them; an item of one column may be its name.

    Raises
    ------
    UnreadableError
        Where the file cannot be read, looks like something else than what it would be
        read as, lacks a column that was named, has an item or rater that is missing, a
        second judgment by a rater on an item with another label, a label that is no
        number or not among `labels`, two suggestions for an item (or gold labels, or
        labels by a model, or clusters), or one column in two roles.
    ValueError
        From Ratings.

    Warns
    -----
    UserWarning
        Where rows are repeated, rows are numbered as items, the last row looks like
        sums, a label may mean that there is none, a column may be no rater, or may say
        to what items belong.
    """
    if isinstance(options.get("item"), str):
        options["item"] = [options["item"]]
    asked = Asked(**options)
    paths = [path] if isinstance(path, (str, Path)) else [*path]
    frame = tables(paths, asked.names, stems=asked.rater_file, ours=asked.ours)
    table = Judged(", ".join(map(str, paths)), frame, asked)
    if not asked.names:
        guesses.headerless(table)
    names = [n for n in asked.columns() if n != asked.gold or not Path(n).is_file()]
    table.expand(names, whole=asked.split is not None)
    long.chosen(table)
    ignored = [table.find(name) for name in asked.ignored]
    table.frame = table.frame.drop(columns=[name for name in ignored if name])
    if asked.ours and not all(map(table.find, asked.raters)):
        table.asked = replace(asked, raters=())  # of the first collection alone
    if asked.table:
        return Collection(**wide.of_two(table))
    roles = long.roles(table)
    found = long.collected(table, roles) if roles else wide.collected(table)
    if (name := table.named("cluster")) is not None:
        found["ratings"].clusters.name = name  # as reports call it
    return Collection(**found)
