"""What a judge calls wrong in a batch, and the rest: two strata and their samples."""

from __future__ import annotations

from urllib.parse import quote

import numpy as np
import pandas as pd

from .._checks import Array
from ..plans.draw import draw
from .said import refused
from .sheets import names, sizes
from .sums import canonical

MOST_TOLD = 28_000  # characters of both kinds of sizes; a spreadsheet's cell has 32,767


def suspects(lot: pd.DataFrame, column: str, value: str) -> Array:
    """Which items of a lot the judge calls wrong: those with a value in a column."""
    if column not in lot:
        there = ", ".join(map(str, lot)) or "none"
        raise refused("no judge", name=column, has=there)
    cells = lot[column].fillna("").astype(str)
    found = (cells == value).to_numpy()
    if found.all() or not found.any():
        values = ", ".join(map(repr, cells.unique()[:5]))
        every = "every" if found.all() else "no"
        told = {"value": value, "name": column, "values": values}
        raise refused("no strata", every=every, **told)
    alike = {cell for cell in {*cells} - {value} if canonical(cell) == canonical(value)}
    if alike:
        raise refused("judge alike", value=value, other=min(alike), name=column)
    return found


def drawn(suspect: Array, sample_sizes: tuple[int, int], seed: int) -> Array:
    """Positions of both samples: the first of each stratum in a shuffle of the lot."""
    order = draw(len(suspect), len(suspect), seed)
    called = suspect[order]
    place = np.where(called, called.cumsum(), (~called).cumsum())
    return order[place <= np.where(called, *sample_sizes)]


def about(lot: pd.DataFrame, judge: tuple[str, str], drawn: int) -> dict[str, str]:
    """What a sheet says of its strata, of which so many are drawn from the first."""
    column, value = judge
    suspect = lot[suspects(lot, column, value)]
    told = {"judge": quote(names(lot)[column], safe="")}
    told |= {"value": quote(value, safe=""), "suspects": str(len(suspect))}
    told["suspects_drawn"] = str(drawn)
    among = sizes(lot, suspect, MOST_TOLD - len(sizes(lot) or ""))
    return told | ({"suspect_sizes": among} if among else {})
