"""Inspection sheets as files, for people to fill in; `filled` reads them back.

A sheet carries its plan in one cell, and in the same cell a check sum over everything
but the outcomes. Each row has a sum of its own. So a sheet can be read back alone, in
any order of its rows, and a row that was lost or changed on the way is noticed.

Of several inspectors part j of k has the steps j, j + k, j + 2k and so on, so that all
reach the same step at about the same time. With an overlap some steps are also in a
second part.
"""

from dataclasses import asdict
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pandas as pd

from .._checks import Array, fraction
from ..plans.draw import DRAW, draw
from ..plans.plan import SamplingPlan
from .said import refused
from .sums import as_csv, canonical, digest, plain

COLUMNS = ("step", "item", "wrong", "accept_if_at_most", "reject_if_at_least")
LIMITS = {"accept": COLUMNS[3], "reject": COLUMNS[4]}  # in a part's words, in rows
ABOUT = "plan"  # the column whose first cell says all about the plan
LEVELS = ("p_a", "p_r", "alpha", "beta")
ESTIMATE = ("half_width", "rate", "confidence")
INTERVAL = "interval"  # the kind of a sheet that is for an estimate, not a verdict
FORM = 2  # of sheets and sums
EXACT = "exact"  # where a spreadsheet could make one item of two: as they stand
OF_PART = ("part", "parts", "overlap", "accept", "reject")  # what only parts say
LONGEST_SIZES = 20_000  # characters; a spreadsheet's cell holds 32,767
MOST_TOLD = 28_000  # characters of sizes in the batch and among suspects


def about(
    plan: SamplingPlan,
    *,
    kind: str,
    seed: int | None,
    lot: pd.DataFrame | None = None,
    estimate: dict[str, Any] | None = None,
) -> dict[str, str]:
    """What a sheet says about its plan.

    lot : DataFrame, optional
        The items, as lots.items gives them, by default numbered: what stands beside
        them is summed, and the sizes of the groups in its columns are told.
    estimate : dict, optional
        half_width, rate and confidence of a sheet that is for an estimate.
    """
    told: dict[str, object] = {"kind": kind, "max_sample": plan.max_sample}
    told |= {"lot_size": plan.lot_size} | (asdict(plan.levels) if plan.levels else {})
    told |= {name: (estimate or {}).get(name) for name in ESTIMATE}
    told["items"] = "numbered" if lot is None else "listed"
    alike = lot is not None and pd.Series(map(canonical, lot.index)).duplicated().any()
    told |= {"form": EXACT if alike else FORM, "seed": seed}
    told["draw"] = None if seed is None else DRAW
    if lot is not None and len(lot.columns):
        told["beside"] = ",".join(quote(name, safe="") for name in names(lot).values())
        told["sizes"] = sizes(lot)
    return {name: str(value) for name, value in told.items() if value is not None}


def names(lot: pd.DataFrame) -> dict[str, str]:
    """The list's columns, and their names in a sheet, which has names of its own."""
    found = {str(k): str(k) for k in lot}
    for own in found.keys() & {*COLUMNS, ABOUT}:
        while found[own] in (own, *(found.keys() - {own})):
            found[own] += " (list)"
    return found


def sizes(
    lot: pd.DataFrame, among: pd.DataFrame | None = None, longest: int = LONGEST_SIZES
) -> str | None:
    """How often each value occurs, in all or among some: label:fine:69:rude:31;...

    Columns of few values first, as many as the cell holds; none whose values all
    differ.
    """
    some, left, entries = lot if among is None else among, longest, list[str]()
    for column, name in sorted(names(lot).items(), key=lambda k: lot[k[0]].nunique()):
        counts = some[column].fillna("").value_counts(sort=False)
        words = [name, *(str(w) for pair in counts.items() for w in pair)]
        entry = ":".join(quote(word, safe="") for word in words)
        if len(entry) < left and lot[column].fillna("").duplicated().any():
            entries.append(entry)
            left -= len(entry)
    return ";".join(entries) or None


def texts(
    sheet: pd.DataFrame,
    told: dict[str, str],
    lot: pd.DataFrame | None = None,
    separator: str = ",",
    dealt: tuple[int, float] | None = None,
) -> list[str]:
    """A sheet as CSV, with its plan and check sum in the first cell of `plan`.

    Parameters
    ----------
    sheet : DataFrame
        From inspection_sheet.
    told : dict
        From about.
    lot : DataFrame, optional
        From lots.items: its columns stand beside the items.
    separator : str
    dealt : (int, float), optional
        Inspectors and overlap, as holders takes them.

    Returns
    -------
    list of str
        The whole sheet, then each inspector's part.
    """
    cells = sheet[[*COLUMNS]].reset_index(drop=True)
    if lot is not None:  # what the list says of each item that was drawn
        for place, (column, name) in enumerate(names(lot).items(), start=2):
            cells.insert(place, name, lot.loc[sheet["item"], column].array)
    cells = cells.astype(object).where(cells.notna(), "").map(str)
    if told["kind"] == INTERVAL:
        cells[[*LIMITS.values()]] = ""
    end = f"check={check(told, cells)}"
    # In every row: where a last column is empty, spreadsheets drop separators.
    marks = [f"row={row} {end}" for row in row_sums(told, cells)]
    cells = cells.assign(**{ABOUT: marks})
    found = [_csv(cells, told, separator)]
    if dealt is not None:
        of: dict[str, Any] = {"parts": dealt[0], "overlap": dealt[1]}
        for word, name in LIMITS.items():
            of[word] = runs(np.append(-1, sheet[name].fillna(-1).to_numpy(dtype=int)))
        whose = holders(len(sheet), *dealt)
        for part in range(1, dealt[0] + 1):
            mine = cells[[part in to for to in whose]]
            found.append(_csv(mine, told | {"part": part, **of}, separator))
    return found


def _csv(cells: pd.DataFrame, told: dict[str, Any], separator: str) -> str:
    """As a file; its first row says what is told, too."""
    first = " ".join(f"{name}={value}" for name, value in told.items())
    marks = [f"{first} {cells[ABOUT].iloc[0]}", *cells[ABOUT].iloc[1:]]
    return as_csv(cells.assign(**{ABOUT: marks}), sep=separator)


# Parts for several inspectors ---------------------------------------------------------


def holders(max_sample: int, parts: int, overlap: float) -> list[tuple[int, ...]]:
    """The parts, from 1, that each step goes to; the first one's judgment counts.

    Parameters
    ----------
    max_sample : int
        Steps of the sheet.
    parts : int of at least 1
    overlap : float in [0, 1]
        The share of the steps that go to two parts: spread evenly over the sheet, and
        over the pairs of parts.

    Examples
    --------
    >>> holders(6, 3, 0.5)
    [(1,), (2, 3), (3,), (1, 3), (2,), (1, 3)]
    """
    share, shared, found = fraction(overlap), 0, []
    for step in range(max_sample):
        to = {step % parts + 1}
        if (step + 1) * share // 1 > step * share // 1:
            to.add((step + 1 + shared % (parts - 1)) % parts + 1)
            shared += 1
        found.append(tuple(sorted(to)))
    return found


def runs(limits: np.ndarray) -> str:
    """Limits as one word: where a new value begins, and the value.

    >>> runs(np.array([-1, -1, 0, 0, 2]))
    '0:-1,2:0,4:2'
    """
    new = np.flatnonzero(np.diff(limits, prepend=limits[0] - 1))
    return ",".join(f"{n}:{int(limits[n])}" for n in new)


def limits(word: str, max_sample: int) -> np.ndarray:
    """The limits that runs wrote; ValueError for another word.

    >>> limits("0:-1,2:0,4:2", 4).tolist()
    [-1, -1, 0, 0, 2]
    """
    found = np.zeros(max_sample + 1, dtype=int)
    for run in word.split(","):
        at, value = map(int, run.split(":"))
        found[at:] = value
    return found


# What a judge calls wrong, and the rest ---------------------------------------------


def suspects(lot: pd.DataFrame, column: str, value: str) -> Array:
    """Which items of a lot the judge calls wrong: those with a value in a column."""
    if column not in lot:
        raise refused("no judge", name=column, has=lot)
    cells = lot[column].fillna("").astype(str)
    found, values = (cells == value).to_numpy(), [*cells.unique()]
    told = {"value": value, "name": column}
    if found.all() or not found.any():
        raise refused("no strata", all=found.all(), values=values[:5], **told)
    form = canonical(value)
    if alike := [cell for cell in values if canonical(cell) == form and cell != value]:
        raise refused("judge alike", other=min(alike), **told)
    return found


def drawn(suspect: Array, sample_sizes: tuple[int, int], seed: int) -> Array:
    """Positions of both samples: the first of each stratum in a shuffle of the lot."""
    order = draw(len(suspect), len(suspect), seed)
    called = suspect[order]
    place = np.where(called, called.cumsum(), (~called).cumsum())
    return order[place <= np.where(called, *sample_sizes)]


def judged(lot: pd.DataFrame, judge: tuple[str, str], drawn: int) -> dict[str, str]:
    """What a sheet says of its strata, of which so many are drawn from the first."""
    column, value = judge
    suspect = lot[suspects(lot, column, value)]
    told = {"judge": quote(names(lot)[column], safe="")}
    told |= {"value": quote(value, safe=""), "suspects": str(len(suspect))}
    told["suspects_drawn"] = str(drawn)
    among = sizes(lot, suspect, MOST_TOLD - len(sizes(lot) or ""))
    return told | ({"suspect_sizes": among} if among else {})


# Sums -----------------------------------------------------------------------------


def beside_of(told: dict[str, str]) -> list[str]:
    """The columns that a sheet has from its list."""
    return [unquote(name) for name in told.get("beside", "").split(",") if name]


def check(told: dict[str, str], cells: pd.DataFrame) -> str:
    """A sum over all but the outcomes."""
    return digest([*_words(told), *_summed(told, cells)], 12)


def row_sums(told: dict[str, str], cells: pd.DataFrame) -> list[str]:
    """A sum over each row, but its outcome, and the plan."""
    head = " ".join(_words(told))
    return [digest([head, row], 6) for row in _summed(told, cells)]


def _summed(told: dict[str, str], cells: pd.DataFrame) -> list[str]:
    """Each row without its outcome as one text."""
    names = [name for name in COLUMNS if name != "wrong"] + beside_of(told)
    forms = dict.fromkeys(names, canonical)
    if told.get("form") == EXACT:
        forms["item"] = plain
    columns = [cells[name].map(form, na_action=None) for name, form in forms.items()]
    return ["\t".join(row) for row in zip(*columns)]


def _words(told: dict[str, str]) -> list[str]:
    """What is said of the plan, without sums and what only parts say."""
    apart = ("check", *OF_PART)
    return [f"{name}={value}" for name, value in told.items() if name not in apart]
