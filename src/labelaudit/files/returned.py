"""A sheet that comes back, filled in by people and saved by a spreadsheet.

It is refused unless it is what was written: its steps, items, limits, plan and what
stood beside the items.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ..plans.draw import MOST_DRAWN
from ..plans.levels import QualityLevels
from ..plans.plan import SamplingPlan
from ..plans.single import fixed_sample
from . import parts
from .sheets import ABOUT, COLUMNS, INTERVAL, LEVELS, beside_of, check, row_sums
from .sums import canonical, formula
from .tables import UnreadableError, at, table

# Words for an outcome, in any case. "1.0": a column of numbers with empty cells.
WRONG = {"1", "1.0", "1.00", "1,0", "1,00", "yes", "y", "true", "x"}
WRONG |= {"wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar"}
RIGHT = {"0", "0.0", "0.00", "0,0", "0,00", "no", "n", "false"}
RIGHT |= {"falsch", "faux", "falso", "onwaar"}


@dataclass(frozen=True)
class Sheet:
    """A file: its rows in the order of their steps, and what it says of its plan."""

    path: Path
    frame: pd.DataFrame
    told: dict[str, str]

    @property
    def part(self) -> int | None:
        return int(self.told["part"]) if "part" in self.told else None

    @property
    def steps(self) -> list[int]:
        """Those that it should have."""
        most = int(self.told["max_sample"])
        if self.part is None:
            return list(range(1, most + 1))
        of, overlap = int(self.told["parts"]), float(self.told["overlap"])
        return parts.steps_of(self.part, most, of, overlap)

    def at(self, row: int) -> str:
        return at(self.path, self.frame, row)


def sheet(path: Path) -> Sheet:
    """Its cells by step, and what it says about its plan."""
    read = table(path)
    cells = {formula(name): [c and formula(c) for c in read[name]] for name in read}
    frame = pd.DataFrame(cells, read.index, dtype=object)
    absent = [name for name in (*COLUMNS, ABOUT) if name not in frame.columns]
    if absent:
        raise UnreadableError(
            f"{path} is no inspection sheet: it has no column {absent[0]!r}; a sheet is"
            " what --sheet of labelaudit plan or estimate has written"
        )
    cell = next((cell for cell in frame[ABOUT].dropna() if "kind=" in cell), "")
    told = dict(part.split("=", 1) for part in cell.split() if "=" in part)
    lacks = {"kind", "max_sample", "items", "check"} - set(told)
    if lacks:
        raise UnreadableError(
            f"{at(path, frame, 0)}: no cell in column {ABOUT!r} says which plan this is"
            f" (it lacks {min(lacks)})"
        )
    told.pop("row", None)
    for row, words in enumerate(frame[ABOUT]):
        if words is not None and not words.endswith(f"check={told['check']}"):
            raise UnreadableError(f"{at(path, frame, row)}: the row of another sheet")
    if not _sound(told):
        raise _changed(path)
    found = Sheet(path, frame, told)
    found = Sheet(path, _by_step(found), told)
    _unchanged(found)
    return found


def _changed(path: Path) -> UnreadableError:
    return UnreadableError(
        f"{path}: the cell in column {ABOUT!r} that says which plan this is was changed"
    )


def _sound(told: dict[str, str]) -> bool:
    """Whether what is read before any sum is compared makes sense."""
    try:
        most = int(told["max_sample"])
        size = int(told.get("lot_size", most))
        if "part" in told:
            part, of = int(told["part"]), int(told["parts"])
            if not (1 <= part <= of <= most and of > 1):
                return False
            if not 0 <= float(told["overlap"]) <= 1:
                return False
    except (KeyError, ValueError):
        return False
    return 1 <= most <= size and most <= MOST_DRAWN


def _by_step(sheet: Sheet) -> pd.DataFrame:
    """The rows in the order of their steps, each of which is there once."""
    wanted, place = sheet.steps, dict[float, int]()
    known = set(wanted)
    for row, step in enumerate(sheet.frame["step"]):
        number = _number(step)
        if number not in known:
            shown = "empty" if step is None else repr(step)
            raise UnreadableError(
                f"{sheet.at(row)}: its step is {shown}, and this sheet has the steps"
                f" {wanted[0]} to {wanted[-1]}: a row was added or changed"
            )
        if number in place:
            before = sheet.at(place[number]).removeprefix(f"{sheet.path}, ")
            raise UnreadableError(
                f"{sheet.at(row)}: step {step} is there for the second time, after"
                f" {before}"
            )
        place[number] = row
    for step in wanted:
        if step not in place:
            raise UnreadableError(
                f"{sheet.path}: step {step} of {wanted[-1]} is missing: rows were lost"
            )
    return sheet.frame.iloc[[place[step] for step in wanted]]


def _number(step: object) -> float:
    """NaN where it is none."""
    try:
        return float(canonical(step))
    except ValueError:
        return float("nan")


def _unchanged(sheet: Sheet) -> None:
    """Items, limits, plan and what stood beside the items are as written."""
    path, frame, told = sheet.path, sheet.frame, sheet.told
    absent = [name for name in beside_of(told) if name not in frame.columns]
    if absent:
        raise UnreadableError(
            f"{path} was written with a column {absent[0]!r}, which is not there"
        )
    marks = [f" {cell or ''}".partition(" row=")[2][:6] for cell in frame[ABOUT]]
    sums = row_sums(told, frame)
    changed = [k for k, (one, two) in enumerate(zip(marks, sums)) if one != two]
    whole = sheet.part is None and check(told, frame) == told["check"]
    if whole or (sheet.part is not None and not changed):
        return
    again = "write the sheet again with the same options and seed, and copy the"
    again += " outcomes into it"
    if len(changed) < len(frame):
        columns = ", ".join(["item", *beside_of(told), "or a limit"])
        raise UnreadableError(
            f"{sheet.at(changed[0])}: not the row that was written: {columns} was"
            f" changed; {again}"
        )
    raise UnreadableError(
        f"{path}: its items, limits or plan are not those that were written; {again}"
    )


def plan(sheet: Sheet) -> SamplingPlan:
    told, most = sheet.told, int(sheet.told["max_sample"])
    size = int(told["lot_size"]) if "lot_size" in told else None
    if told["kind"] == INTERVAL:
        return fixed_sample(most, size)
    levels = None
    if "p_a" in told:
        levels = QualityLevels(*(float(told[name]) for name in LEVELS))
    there = [
        np.array([int(float(canonical(cell) or -1)) for cell in sheet.frame[name]])
        for name in COLUMNS[3:]
    ]
    accept, reject = (np.append(-1, limits) for limits in there)
    if sheet.part is not None:
        try:
            accept, reject = (parts.limits(told[k], most) for k in ("accept", "reject"))
        except (KeyError, ValueError):
            raise _changed(sheet.path) from None
        # No sum is over these words, but the rows say the same.
        for limits, ours in zip((accept, reject), there):
            if (limits[sheet.steps] != ours).any():
                raise _changed(sheet.path)
    never = np.arange(most + 1) + 1  # where a rejection is impossible
    return SamplingPlan(accept, np.where(reject < 0, never, reject), size, levels)


def rows(sheet: Sheet) -> pd.DataFrame:
    """By step: the item, and all that stands beside it, added columns too."""
    own = (*COLUMNS, ABOUT)
    kept = [name for name in sheet.frame if name == "item" or name not in own]
    steps = pd.Index(sheet.steps, name="step")
    return sheet.frame[kept].fillna("").set_axis(steps)


def outcomes(sheet: Sheet, words: tuple[str, str] | None) -> list[bool]:
    """True for wrong; up to the last cell that is filled in."""
    wrong, right = (WRONG, RIGHT) if words is None else ({words[0]}, {words[1]})
    given = [(word or "").lower() for word in sheet.frame["wrong"]]
    while given and not given[-1]:
        given.pop()
    for row, word in enumerate(given):
        if not word:
            raise UnreadableError(
                f"{sheet.at(row)}: wrong is empty, and filled in further down; every"
                " item must have its outcome, 0 or no where it is right"
            )
        if word not in wrong | right:
            may = "1, yes, y, true or x, or 0, no, n or false; --wrong-words has others"
            if words is not None:
                may = f"{words[0]} or {words[1]}, as --wrong-words says"
            raise UnreadableError(
                f"{sheet.at(row)}: wrong is {sheet.frame['wrong'].iloc[row]!r}; it may"
                f" be {may}"
            )
    return [word in wrong for word in given]
