"""Whether the columns of a table with one row per item can be raters."""

from __future__ import annotations

import re
import shlex

import pandas as pd

from .._words import shown, warn
from .tables import UnreadableError

FEW_ROWS = 10  # on fewer, two raters may never agree
SEPARATORS = (",", ";", "|")
NUMBER = re.compile(r"[-+]?\d+([.,]\d*)?")


def are_raters(path: str, judged: pd.DataFrame) -> None:
    """Refuse columns that hold lists; warn of one with labels of its own.

    judged : the labels of each item (rows) in each column
    """
    used = {name: set(judged[name].dropna()) for name in judged}
    alone = []
    for name, own in used.items():
        others = set().union(*(used[one] for one in used if one != name))
        if own and not own & others:
            alone.append(name)
    if len(alone) == len(used):
        _no_lists(path, judged)
    if len(used) == 2 and len(judged.dropna()) < FEW_ROWS:
        return
    for name in alone:
        warn(
            f"column {name!r} shares no label with any other: is it a rater?"
            " --raters names those that are"
        )


def _no_lists(path: str, judged: pd.DataFrame) -> None:
    for name in judged.columns[::-1]:
        cells = judged[name].dropna()
        listed = [isinstance(c, str) and not NUMBER.fullmatch(c) for c in cells]
        cells = cells[listed]  # others: sets, and 2,5
        for mark in SEPARATORS:
            if len(cells) > 1 and cells.str.contains(mark, regex=False).mean() > 0.5:
                raise UnreadableError(
                    f"{path}: its columns have no label in common, and a cell of"
                    f" {name!r} is {shown(cells.iloc[0])}: if a cell holds several"
                    f" judgments, add --label {shlex.quote(name)} --split"
                    f" {mark!r}, and by --rater the column that says whose"
                )
