"""A sheet that comes back, filled in by people and saved by a spreadsheet.

It is refused unless it is what was written: its steps, items, limits, plan and what
stood beside the items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ..plans.levels import QualityLevels
from ..plans.plan import SamplingPlan
from ..plans.single import fixed_sample
from . import parts
from .sheets import ABOUT, COLUMNS, INTERVAL, LEVELS, beside_of, row_sums
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
        if not (1 <= self.part <= of <= most and of > 1 and 0 <= overlap <= 1):
            raise ValueError(self.part)
        return parts.steps_of(self.part, most, of, overlap)

    def at(self, row: int) -> str:
        return at(self.path, self.frame, row)


def sheet(path: Path) -> Sheet:
    """Its cells by step, and what it says about its plan."""
    read = table(path)
    cells = {formula(name): [c and formula(c) for c in read[name]] for name in read}
    frame = pd.DataFrame(cells, read.index, dtype=object)
    _has(path, frame, (*COLUMNS, ABOUT), "is no inspection sheet: it has no column")
    cell = next((cell for cell in frame[ABOUT].dropna() if "kind=" in cell), "")
    told = dict(part.split("=", 1) for part in cell.split() if "=" in part)
    lacks = {"kind", "max_sample", "items", "check"} - set(told)
    if lacks:
        raise UnreadableError(
            f"{at(path, frame, 0)}: no cell in column {ABOUT!r} says which plan this is"
            f" (it lacks {min(lacks)})"
        )
    told.pop("row", None)
    _has(path, frame, beside_of(told), "was written with a column that is not there:")
    _unchanged(path, frame, told)
    try:
        found = Sheet(path, frame, told)
        return Sheet(path, _by_step(found), told)
    except (KeyError, ValueError) as error:
        if isinstance(error, UnreadableError):
            raise
        raise _changed(path) from None


def _has(path: Path, frame: pd.DataFrame, names: Sequence[str], said: str) -> None:
    for name in names:
        if name not in frame.columns:
            raise UnreadableError(
                f"{path} {said} {name!r}; a sheet is what --sheet of labelaudit plan or"
                " estimate has written"
            )


def _changed(path: Path) -> UnreadableError:
    return UnreadableError(
        f"{path}: the cell in column {ABOUT!r} that says which plan this is was changed"
    )


def _unchanged(path: Path, frame: pd.DataFrame, told: dict[str, str]) -> None:
    """Each row is as written, with this plan; what only parts say is not summed."""
    ends = [f" {cell or ''}".rpartition(" row=")[2] for cell in frame[ABOUT]]
    sums = [f"{one} check={told['check']}" for one in row_sums(told, frame)]
    changed = [k for k, (one, two) in enumerate(zip(ends, sums)) if one != two]
    if not changed:
        return
    row = changed[0]
    again = "write the sheet again with the same options and seed, and copy the"
    again += " outcomes into it"
    if not ends[row].endswith(f"check={told['check']}"):
        raise UnreadableError(f"{at(path, frame, row)}: the row of another sheet")
    if len(changed) < len(frame):
        columns = ", ".join(["step", "item", *beside_of(told), "or a limit"])
        raise UnreadableError(
            f"{at(path, frame, row)}: not the row that was written: {columns} was"
            f" changed; {again}"
        )
    raise UnreadableError(
        f"{path}: its items, limits or plan are not those that were written; {again}"
    )


def _by_step(sheet: Sheet) -> pd.DataFrame:
    """The rows in the order of their steps, each of which is there once."""
    place: dict[int, int] = {}
    wanted = sheet.steps
    for row, cell in enumerate(sheet.frame["step"]):
        step = int(float(canonical(cell)))
        if step in place:
            before = sheet.at(place[step]).removeprefix(f"{sheet.path}, ")
            raise UnreadableError(
                f"{sheet.at(row)}: step {step} is there for the second time, after"
                f" {before}"
            )
        place[step] = row
    for step in wanted:
        if step not in place:
            raise UnreadableError(
                f"{sheet.path}: step {step} of {wanted[-1]} is missing: rows were lost"
            )
    if len(place) > len(wanted):
        row = min(place[step] for step in set(place) - set(wanted))
        raise UnreadableError(f"{sheet.at(row)}: the row of another part")
    return sheet.frame.iloc[[place[step] for step in wanted]]


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
