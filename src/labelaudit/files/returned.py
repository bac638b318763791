"""A sheet that comes back, filled in by people and saved by a spreadsheet.

It is refused unless it is what was written: its steps, items, limits, plan and what
stood beside the items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from ..plans.levels import QualityLevels
from ..plans.plan import SamplingPlan
from ..plans.single import fixed_sample
from . import parts
from .said import refused
from .sheets import ABOUT, COLUMNS, INTERVAL, LEVELS, LIMITS, beside_of, row_sums
from .sums import canonical
from .tables import UnreadableError, at, tables

# Words for an outcome, in any case, as `canonical` has them.
WRONG = {"1.0", "true", "yes", "y", "x"}
RIGHT = {"0.0", "false", "no", "n"}


@dataclass(frozen=True)
class Sheet:
    """A file: its rows in the order of their steps, and what it says of its plan."""

    path: Path
    frame: pd.DataFrame
    told: dict[str, str]

    @property
    def part(self) -> int:
        """From 1; 0 for a whole sheet."""
        return int(self.told.get("part", 0))

    @cached_property
    def dealt(self) -> list[tuple[int, ...]]:
        """The parts that each step goes to; of a whole sheet there is one."""
        most = int(self.told["max_sample"])
        if not self.part:
            return [(0,)] * most
        of, overlap = int(self.told["parts"]), float(self.told["overlap"])
        if not (1 <= self.part <= of <= most and of > 1 and 0 <= overlap <= 1):
            raise ValueError(self.part)
        return parts.holders(most, of, overlap)

    @cached_property
    def steps(self) -> list[int]:
        """Those that it should have."""
        return [k for k, to in enumerate(self.dealt, start=1) if self.part in to]

    @cached_property
    def plan(self) -> SamplingPlan:
        """What it is for; of a part its words say so, which its rows repeat.

        KeyError or ValueError where they do not.
        """
        told, most = self.told, int(self.told["max_sample"])
        size = int(told["lot_size"]) if "lot_size" in told else None
        if told["kind"] == INTERVAL:
            return fixed_sample(most, size)
        found = []
        for word, name in LIMITS.items():
            cells = [int(float(canonical(cell) or -1)) for cell in self.frame[name]]
            limits = np.append(-1, cells)
            if self.part:
                limits = parts.limits(told[word], most)
            if (limits[self.steps] != cells).any():
                raise ValueError(word)
            found.append(limits)
        accept, reject = found
        never = np.arange(most + 1) + 1  # where a rejection is impossible
        reject = np.where(reject < 0, never, reject)
        levels = [float(told[name]) for name in LEVELS if name in told]
        known = QualityLevels(*levels) if levels else None
        return SamplingPlan(accept, reject, size, known)

    @property
    def rows(self) -> pd.DataFrame:
        """By step: the item, and all that stands beside it, added columns too."""
        own = {*COLUMNS, ABOUT} - {"item"}
        kept = self.frame[[name for name in self.frame if name not in own]]
        return kept.fillna("").set_axis(pd.Index(self.steps, name="step"))

    def outcomes(self, words: tuple[str, str] | None) -> dict[int, bool]:
        """By step: True for wrong; up to the last cell that is filled in."""
        wrong, right = (WRONG, RIGHT) if words is None else ({words[0]}, {words[1]})
        form = canonical if words is None else str
        given = [form(word or "").lower() for word in self.frame["wrong"]]
        while given and not given[-1]:
            given.pop()
        for row, word in enumerate(given):
            if not word:
                raise refused("gap", at=self.at(row))
            if word not in wrong | right:
                name = "no word" if words is None else "no such word"
                seen = self.frame["wrong"].iloc[row]
                raise refused(name, at=self.at(row), seen=seen, words=words)
        return {step: word in wrong for step, word in zip(self.steps, given)}

    def at(self, row: int) -> str:
        return at(self.path, self.frame, row)


# What is checked ----------------------------------------------------------------------


def sheet(path: Path) -> Sheet:
    """Its cells by step, and what it says about its plan."""
    frame = tables([path], ours=True)
    _has(path, frame, (*COLUMNS, ABOUT), "no sheet")
    cell = next((cell for cell in frame[ABOUT].dropna() if "kind=" in cell), "")
    told = dict(part.split("=", 1) for part in cell.split() if "=" in part)
    lacks = {"kind", "max_sample", "items", "check"} - set(told)
    if lacks:
        raise refused("no plan", at=at(path, frame, 0), lacks=min(lacks))
    told.pop("row", None)
    _has(path, frame, beside_of(told), "column lost")
    found = Sheet(path, frame, told)
    _unchanged(found)
    try:
        return Sheet(path, _by_step(found), told)
    except UnreadableError:
        raise
    except (KeyError, ValueError):
        raise changed(path) from None


def changed(path: Path) -> UnreadableError:
    return refused("plan changed", at=path)


def _has(path: Path, frame: pd.DataFrame, names: Sequence[str], why: str) -> None:
    for name in names:
        if name not in frame:
            raise refused(why, at=path, name=name)


def _unchanged(sheet: Sheet) -> None:
    """Each row is as written, with this plan; what only parts say is not summed."""
    told, frame = sheet.told, sheet.frame
    end = f"check={told['check']}"
    ends = [f" {cell or ''}".rpartition(" row=")[2] for cell in frame[ABOUT]]
    sums = [f"{row} {end}" for row in row_sums(told, frame)]
    changed = [k for k, (one, two) in enumerate(zip(ends, sums)) if one != two]
    if not changed:
        return
    row, end_of_row = sheet.at(changed[0]), ends[changed[0]]
    if not end_of_row.strip():
        raise refused("no row of it", at=row)
    if not end_of_row.endswith(end):
        raise refused("another sheet", at=row)
    if len(changed) < len(frame):
        columns = ", ".join(["step", "item", *beside_of(told), "or a limit"])
        raise refused("row changed", at=row, columns=columns)
    raise refused("sheet changed", at=sheet.path)


def _by_step(sheet: Sheet) -> pd.DataFrame:
    """The rows in the order of their steps, each of which is there once."""
    place: dict[int, int] = {}
    for row, cell in enumerate(sheet.frame["step"]):
        step = int(float(canonical(cell)))
        first = place.setdefault(step, row)
        if first != row:
            before = sheet.at(first).removeprefix(f"{sheet.path}, ")
            raise refused("step twice", at=sheet.at(row), step=step, before=before)
    for step in sheet.steps:
        if step not in place:
            last = sheet.steps[-1]
            raise refused("step lost", at=sheet.path, step=step, last=last)
    if more := {*place} - {*sheet.steps}:
        row = min(place[step] for step in more)
        raise refused("another part", at=sheet.at(row))
    return sheet.frame.iloc[[place[step] for step in sheet.steps]]
