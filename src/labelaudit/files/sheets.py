"""Inspection sheets as files, and lists of items: what people fill in and send back.

A sheet carries its plan in one cell, and in the same cell a check sum over
everything but the outcomes. So it can be read back alone, and a row that was moved,
lost or changed on the way is noticed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd

from .. import _whole
from ..laws.inspection import Inspection
from ..plans.draw import DRAW, draw
from ..plans.levels import QualityLevels
from ..plans.plan import SamplingPlan
from .tables import UnreadableError, at, table

COLUMNS = ("step", "item", "wrong", "accept_if_at_most", "reject_if_at_least")
ABOUT = "plan"  # the column whose first cell says all about the plan
LEVELS = ("p_a", "p_r", "alpha", "beta")
INSPECTION = ("sensitivity", "specificity")

# Words for an outcome, in any case. "1.0": a column of numbers with empty cells.
WRONG = {"1", "1.0", "1.00", "yes", "y", "true", "x"}
RIGHT = {"0", "0.0", "0.00", "no", "n", "false"}

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
FORMULA = ("=", "+", "-", "@")  # so begins what a spreadsheet would calculate


@dataclass(frozen=True)
class Filled:
    """What a sheet holds: its plan, that plan's kind, the draw's seed, outcomes.

    outcomes end with the last cell that is filled in; True is wrong.
    """

    plan: SamplingPlan
    kind: str
    seed: int | None
    outcomes: list[bool]


# A lot's items --------------------------------------------------------------------


def items(path: str | Path, column: str | None = None) -> pd.DataFrame:
    """The items of a lot, from a file with a row or line for each.

    Parameters
    ----------
    path : str or Path
        CSV or Parquet as `tables.table` reads them; or plain text (.txt), a line an
        item, without a header.
    column : str, optional
        By default "item", or the only column.

    Returns
    -------
    DataFrame of str
        Its index has the items, named as their column; its columns are the others of
        the file, such as a text and the label that it was given.

    Raises
    ------
    UnreadableError
        With the line, where an item is missing or there for the second time.
    """
    path = Path(path)
    if path.suffix.lower() == ".txt":
        if column is not None:
            raise UnreadableError(f"{path}: plain text has no column {column!r}")
        listed = _plain(path)
        others = pd.DataFrame(index=listed.index)
    else:
        frame = table(path)
        listed = frame[_item_column(path, frame, column)]
        others = frame.drop(columns=listed.name)
    for bad, why in (
        (listed.isna(), "is missing"),
        (listed.duplicated(), "is there twice"),
    ):
        if bad.any():
            row = int(bad.argmax())
            item = listed.iloc[row]
            what = "item" if item is None else f"item {item!r}"
            raise UnreadableError(f"{at(path, listed, row)}: {what} {why}")
    return others.set_index(pd.Index(listed, name=listed.name))


def _plain(path: Path) -> pd.Series:
    try:
        with path.open(encoding="utf-8-sig") as file:
            lines = [line.strip() or None for line in file]
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path}: not UTF-8") from error
    except OSError as error:
        raise UnreadableError(f"cannot read {path}: {error.strerror}") from error
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise UnreadableError(f"{path} is empty")
    where = pd.RangeIndex(1, len(lines) + 1, name="line")
    return pd.Series(lines, index=where, dtype=object)


def _item_column(path: Path, frame: pd.DataFrame, column: str | None) -> str:
    names = [str(name) for name in frame.columns]
    if column is None and "item" in names:
        return "item"
    if column is None and len(names) == 1:
        if NUMBER.fullmatch(names[0].strip()):
            raise UnreadableError(
                f"{path}, line 1: {names[0]!r} stands where the column's name"
                " belongs; a list without a header is read from a .txt file"
            )
        return names[0]
    if column not in names:
        lacks = f"no column {column or 'item'!r}"
        raise UnreadableError(f"{path} has {lacks}; its columns: {', '.join(names)}")
    return column


# Writing a sheet ------------------------------------------------------------------


def about(
    plan: SamplingPlan, *, kind: str, seed: int | None, listed: bool
) -> dict[str, str]:
    """What a sheet says about its plan; `listed`: its items come from a list."""
    told: dict[str, object] = {"kind": kind, "max_sample": plan.max_sample}
    told["lot_size"] = plan.lot_size
    for part, names in ((plan.levels, LEVELS), (plan.inspection, INSPECTION)):
        told |= {name: getattr(part, name) for name in names if part is not None}
    told |= {"items": "listed" if listed else "numbered", "seed": seed}
    told["draw"] = None if seed is None else DRAW
    return {name: str(value) for name, value in told.items() if value is not None}


def write(
    path: str | Path,
    sheet: pd.DataFrame,
    told: dict[str, str],
    lot: pd.DataFrame | None = None,
    separator: str = ",",
) -> None:
    """Write a sheet for people and spreadsheets; never over a file that exists.

    UTF-8 with a byte-order mark, by which spreadsheets know it. The file is there
    whole or not at all.

    Parameters
    ----------
    path : str or Path
    sheet : DataFrame
        From inspection_sheet.
    told : dict
        From about.
    lot : DataFrame, optional
        From items: its columns stand beside the items.
    separator : str

    Raises
    ------
    FileExistsError
    OSError
        Where the folder cannot be written to.
    """
    data = text(sheet, told, lot, separator).encode("utf-8-sig")
    try:
        _whole.write(Path(path), data, over=False)
    except FileExistsError as error:
        raise FileExistsError(f"{error}, and may hold outcomes") from None


def text(
    sheet: pd.DataFrame,
    told: dict[str, str],
    lot: pd.DataFrame | None = None,
    separator: str = ",",
) -> str:
    """A sheet as CSV, with its plan and check sum in the first cell of `plan`."""
    cells = pd.DataFrame({name: _cells(sheet[name]) for name in COLUMNS})
    full = told | {"check": _check(told, cells)}
    cells["item"] = [_no_formula(item) for item in cells["item"]]
    for place, (name, column) in enumerate(_beside(sheet, lot).items(), start=2):
        cells.insert(place, name, column)
    # In every row: where a last column is empty, spreadsheets drop separators.
    cells[ABOUT] = f"check={full['check']}"
    cells.loc[0, ABOUT] = " ".join(f"{name}={value}" for name, value in full.items())
    out = io.StringIO()
    cells.to_csv(out, sep=separator, index=False, lineterminator="\n")
    return out.getvalue()


def _beside(sheet: pd.DataFrame, lot: pd.DataFrame | None) -> dict[str, list[str]]:
    """What the list says of each item that was drawn; names are the list's own."""
    if lot is None:
        return {}
    drawn = lot.loc[sheet["item"]].fillna("")
    names = {str(name): f"{name} (list)" for name in (*COLUMNS, ABOUT)}
    return {
        names.get(str(name), str(name)): [_no_formula(str(cell)) for cell in column]
        for name, column in drawn.items()
    }


def _cells(column: pd.Series) -> list[str]:
    return ["" if value is pd.NA else str(value) for value in column]


def _no_formula(item: str) -> str:
    """With an apostrophe before what a spreadsheet would calculate."""
    risky = item.startswith(FORMULA) and not NUMBER.fullmatch(item)
    return f"'{item}" if risky else item


# Reading it back ------------------------------------------------------------------


def read(
    path: str | Path,
    listed: Sequence[str] | None = None,
    asked: dict[str, str] | None = None,
) -> Filled:
    """A filled sheet, refused unless it is what was written, in that order.

    Parameters
    ----------
    path : str or Path
        A sheet with outcomes in its column `wrong`, from the top down. Other columns
        may have been added.
    listed : sequence of str, optional
        The lot's items, to compare with.
    asked : dict, optional
        Parts of what `about` gives, which must agree with the sheet's.

    Raises
    ------
    UnreadableError
        With the line, where there is one.
    """
    path = Path(path)
    frame, told = _sheet(path)
    for name, value in (asked or {}).items():
        if told.get(name) != value:
            raise UnreadableError(
                f"{path} is the sheet of another plan: its {name} is"
                f" {told.get(name, 'not given')}, not {value}"
            )
    _in_order(path, frame, told)
    _unchanged(path, frame, told, listed)
    return Filled(
        plan=_plan(frame, told),
        kind=told["kind"],
        seed=int(told["seed"]) if "seed" in told else None,
        outcomes=_outcomes(path, frame),
    )


def _sheet(path: Path) -> tuple[pd.DataFrame, dict[str, str]]:
    """Its cells, and what it says about its plan."""
    frame = table(path)
    absent = [name for name in (*COLUMNS, ABOUT) if name not in frame.columns]
    if absent:
        raise UnreadableError(
            f"{path} is no inspection sheet: it has no column {absent[0]!r}"
        )
    cell = next((cell for cell in frame[ABOUT].dropna() if "kind=" in cell), "")
    told = dict(part.split("=", 1) for part in cell.split() if "=" in part)
    lacks = {"kind", "max_sample", "items", "check"} - set(told)
    if lacks:
        raise UnreadableError(
            f"{at(path, frame, 0)}: the cell in column {ABOUT!r} does not say which"
            f" plan this is (it lacks {min(lacks)})"
        )
    return frame, told


def _in_order(path: Path, frame: pd.DataFrame, told: dict[str, str]) -> None:
    """Every step is there, in order, and of this sheet."""
    for row, (step, cell) in enumerate(zip(frame["step"], frame[ABOUT])):
        if cell is not None and not cell.endswith(f"check={told['check']}"):
            raise UnreadableError(f"{at(path, frame, row)}: the row of another sheet")
        if canonical(step) != canonical(row + 1):
            shown = "empty" if step is None else repr(step)
            raise UnreadableError(
                f"{at(path, frame, row)}: its step is {shown} where {row + 1}"
                " belongs: rows were moved, added or lost"
            )
    if canonical(len(frame)) != canonical(told["max_sample"]):
        raise UnreadableError(
            f"{path} ends with step {len(frame)} of {told['max_sample']}: rows were"
            " added or lost"
        )


def _unchanged(
    path: Path,
    frame: pd.DataFrame,
    told: dict[str, str],
    listed: Sequence[str] | None,
) -> None:
    """Items, limits and plan are those that were written."""
    numbered = told["items"] == "numbered"
    if listed is not None and numbered:
        raise UnreadableError(f"{path} is the sheet of a numbered lot, not of a list")
    there = frame["item"].to_numpy(dtype=object)
    if _check(told, frame) == told["check"]:
        known = set(map(canonical, there if listed is None else listed))
        for row, item in enumerate(there):
            if canonical(item) not in known:
                raise UnreadableError(
                    f"{at(path, frame, row)}: item {item!r} is not in the list"
                )
        return
    try:
        size, seed = int(told["lot_size"]), int(told["seed"])
        lot = np.arange(1, size + 1) if numbered else np.array(listed, dtype=object)
        # Sheets of labelaudit 0.1 do not name the version of their draw.
        drawn = lot[draw(size, len(frame), seed, int(told.get("draw", "1")))]
    except (KeyError, ValueError, IndexError):
        drawn = there
    for row, (item, right) in enumerate(zip(there, drawn)):
        if canonical(item) != canonical(right):
            raise UnreadableError(
                f"{at(path, frame, row)}: item {item!r} stands where {str(right)!r}"
                " was drawn: items were moved, or changed by a spreadsheet"
            )
    raise UnreadableError(
        f"{path}: its items, limits or plan are not those that were written; write the"
        " sheet again with the same options and seed, and copy the outcomes into it"
    )


def _plan(frame: pd.DataFrame, told: dict[str, str]) -> SamplingPlan:
    n = np.arange(len(frame) + 1)
    accept, reject = np.full(len(n), -1.0), n + 1.0  # where a verdict is impossible
    for limits, name in ((accept, COLUMNS[3]), (reject, COLUMNS[4])):
        given = frame[name].notna().to_numpy()
        limits[1:][given] = frame[name][given].astype(float)
    levels = inspection = None
    if "p_a" in told:
        levels = QualityLevels(*(float(told[name]) for name in LEVELS))
    if INSPECTION[0] in told:
        inspection = Inspection(*(float(told[name]) for name in INSPECTION))
    size = int(told["lot_size"]) if "lot_size" in told else None
    return SamplingPlan(accept, reject, size, levels, inspection=inspection)


def _outcomes(path: Path, frame: pd.DataFrame) -> list[bool]:
    """True for wrong; up to the last cell that is filled in."""
    words = [(word or "").lower() for word in frame["wrong"]]
    while words and not words[-1]:
        words.pop()
    for row, word in enumerate(words):
        if not word:
            raise UnreadableError(
                f"{at(path, frame, row)}: wrong is empty, and filled in further"
                " down; every item must have its outcome, 0 or no where it is right"
            )
        if word not in WRONG | RIGHT:
            raise UnreadableError(
                f"{at(path, frame, row)}: wrong is {frame['wrong'].iloc[row]!r}; it may"
                " be 1, yes, y, true or x, or 0, no, n or false"
            )
    return [word in WRONG for word in words]


# What a spreadsheet may change without harm ---------------------------------------


def canonical(cell: object) -> str:
    """The same for 007, 7 and 7.0, whatever the spaces and an apostrophe before."""
    if cell is None:
        return ""
    plain = " ".join(str(cell).split()).removeprefix("'")
    return repr(float(plain)) if NUMBER.fullmatch(plain) else plain


def _check(told: dict[str, str], cells: pd.DataFrame) -> str:
    """A sum over all but the outcomes."""
    kept = [f"{name}={value}" for name, value in told.items() if name != "check"]
    columns = (cells[name].map(canonical) for name in COLUMNS if name != "wrong")
    rows = ["\t".join(row) for row in zip(*columns)]
    return sha256("\n".join([*kept, *rows]).encode()).hexdigest()[:12]
