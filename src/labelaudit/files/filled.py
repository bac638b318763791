"""Filled sheets: the outcomes of one that comes back, or of several inspectors' parts.

People fill a sheet in, and spreadsheets save it. It is refused unless it is what was
written: its steps, items, limits, plan and what stood beside the items.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pandas as pd

from .._checks import Array
from ..plans.levels import QualityLevels
from ..plans.plan import SamplingPlan
from ..plans.single import fixed_sample
from . import sheets
from .said import note, refused
from .sums import canonical
from .tables import Table, table
from .text import UnreadableError

# For an outcome, in any case, as `canonical` has them.
WRONG = {"1.0", "true", "yes", "y", "x"}
RIGHT = {"0.0", "false", "no", "n"}
FEW = 5  # outcomes: of fewer, most may be wrong by chance
LOGICAL = {"true", "false"}  # of the label, perhaps: one is known by the other


@dataclass(frozen=True)
class Filled:
    """What a sheet holds: its plan, that plan's kind, the draw's seed, outcomes.

    outcomes are those of the steps from the first on, as far as none is open; True is
    wrong. waiting is how many more steps are judged, from an open one on. rows are the
    steps' items and what the list says of them. twice are the items that two inspectors
    judged, with both parts and judgments (wrong). lacking are parts not given.
    """

    plan: SamplingPlan
    kind: str
    seed: int | None
    outcomes: list[bool]
    told: dict[str, str]
    rows: pd.DataFrame
    waiting: int
    lacking: list[int]
    twice: list[dict[str, Any]]

    @property
    def called(self) -> Array | None:
        """Which steps have items that the judge calls wrong; None without one."""
        if "judge" not in self.told:
            return None
        cells = self.rows[unquote(self.told["judge"])].map(canonical)
        return (cells == canonical(unquote(self.told["value"]))).to_numpy()

    def sizes(self, column: str, of: str = "sizes") -> dict[str, int] | None:
        """How many items of the lot have each value; None where the sheet is silent.

        of : "sizes", or "suspect_sizes" for those that a judge calls wrong
        """
        for entry in self.told.get(of, "").split(";"):
            name, *pairs = map(unquote, entry.split(":"))
            if name == column and pairs:
                return dict(zip(pairs[::2], map(int, pairs[1::2])))
        return None


def read(
    paths: str | Path | Sequence[str | Path], words: tuple[str, str] | None = None
) -> Filled:
    """A filled sheet, or the parts of one, refused unless it is what was written.

    Parameters
    ----------
    paths : str or Path, or several
        A sheet with outcomes in its column `wrong`, from the first step on; or parts
        of one. Rows may be in any order, and other columns may have been added.
    words : (str, str), optional
        For wrong and for right, in place of WRONG and RIGHT.

    Raises
    ------
    UnreadableError
        With the line, where there is one.
    """
    several = [paths] if isinstance(paths, (str, Path)) else list(paths)
    found = [sheet(Path(path)) for path in several]
    _one_draw(found)
    told, plan = found[0].told, found[0].plan
    rows = pd.concat([one.rows for one in found]).groupby(level=0).first()
    said = {one.part: one.outcomes(words) for one in found}
    decided, twice = dict[int, bool](), list[dict[str, Any]]()
    for step, to in enumerate(holders := dealt(told), start=1):
        given = [said[part][step] for part in to if step in said.get(part, {})]
        if step in said.get(to[0], {}):
            decided[step] = given[0]
        if len(given) == 2:
            twice.append({"item": rows["item"][step], "parts": [*to], "wrong": given})
    end = next(k for k in range(1, plan.max_sample + 2) if k not in decided)
    return Filled(
        plan=plan,
        kind=told["kind"],
        seed=int(told["seed"]) if "seed" in told else None,
        outcomes=[decided[step] for step in range(1, end)],
        told=told,
        rows=rows,
        waiting=sum(step >= end for step in set().union(*said.values())),
        lacking=sorted({part for to in holders for part in to}.difference(said)),
        twice=twice,
    )


def _one_draw(found: list["Sheet"]) -> None:
    """Several files are parts of one draw, each there once."""
    same = {"check", *sheets.OF_PART} - {"part"}
    for one, other in combinations(found, 2):
        bad = {
            "sheet twice": one.path == other.path,
            "no parts": 0 in (one.part, other.part),
            "other parts": any(one.told.get(k) != other.told.get(k) for k in same),
            "same part": one.part == other.part,
        }
        for kind in (kind for kind, so in bad.items() if so):
            both = {"one": one.path, "other": other.path, "part": one.part}
            raise refused(kind, at=one.path, **both)


# One file -----------------------------------------------------------------------------


@dataclass(kw_only=True)
class Sheet(Table):
    """A file: its rows in the order of their steps, and what it says of its plan.

    part : from 1; 0 for a whole sheet
    steps : those that it has
    """

    told: dict[str, str]
    plan: SamplingPlan
    part: int
    steps: list[int]

    @property
    def rows(self) -> pd.DataFrame:
        """By step: the item, and all that stands beside it, added columns too."""
        own = {*sheets.COLUMNS, sheets.ABOUT} - {"item"}
        kept = self.frame[[name for name in self.frame if name not in own]]
        return kept.fillna("").set_axis(pd.Index(self.steps, name="step"))

    def outcomes(self, words: tuple[str, str] | None) -> dict[int, bool]:
        """By step: True for wrong; up to the last cell that is filled in."""
        wrong, right = (WRONG, RIGHT) if words is None else ({words[0]}, {words[1]})
        form = canonical if words is None else str
        given = [form(word or "").lower() for word in self.frame["wrong"]]
        while given and not given[-1]:
            given.pop()
        for row in (row for row, w in enumerate(given) if w not in wrong | right):
            told = {"seen": self.frame["wrong"].iloc[row], "words": words}
            raise self.refused("no word" if given[row] else "gap", row, **told)
        if words is None:
            self._read_as(given)
        return {step: word in wrong for step, word in zip(self.steps, given)}

    def _read_as(self, given: list[str]) -> None:
        """Refuse true or false beside another word for it; tell a doubtful reading."""
        written = dict(reversed([*zip(given, self.frame["wrong"])]))  # the first each
        logical = LOGICAL & {*given}
        alike = RIGHT if "false" in logical else WRONG
        others = [word for word in given if word in alike - LOGICAL]
        if len(logical) == 1 and others:
            one, other = (written[word] for word in (*logical, others[0]))
            both = [one, other] if others[0] in RIGHT else [other, one]
            row = given.index(min(logical))
            raise self.refused("true or false", row, word=one, other=other, words=both)
        wrong = [written[word] for word in given if word in WRONG]
        right = [written[word] for word in given if word in RIGHT]
        if logical or 2 * len(wrong) > len(given) >= FEW:
            one, other = [*wrong, "true"][0], [*right, "false" if logical else "0"][0]
            told = {"word": one, "wrong": len(wrong), "rows": len(given)}
            note("read as", at=self.path, words=[other, one], **told)


def sheet(path: Path) -> Sheet:
    """What a file says, if it is what was written."""
    read = Table(path, table(path, ours=True))
    for name in (*sheets.COLUMNS, sheets.ABOUT):
        if name not in read.frame:
            raise read.refused("no sheet", name=name)
    words = (cell for cell in read.frame[sheets.ABOUT].dropna() if "kind=" in cell)
    told = dict(part.split("=", 1) for part in next(words, "").split() if "=" in part)
    for lacks in sorted({"kind", "max_sample", "items", "check"} - set(told)):
        raise read.refused("no plan", 0, lacks=lacks)
    told.pop("row", None)
    for name in sheets.beside_of(told):
        if name not in read.frame:
            raise read.refused("column lost", name=name)
    _unchanged(read, told)
    try:
        part = int(told.get("part", 0))
        steps = [k for k, to in enumerate(dealt(told), start=1) if part in to]
        frame = _by_step(read, steps)
        plan = _plan(told, frame, steps)
    except UnreadableError:
        raise
    except (KeyError, ValueError):
        raise read.refused("plan changed") from None
    return Sheet(path, frame, told=told, plan=plan, part=part, steps=steps)


def _unchanged(read: Table, told: dict[str, str]) -> None:
    """Each row is as written, with this plan; what only parts say is not summed."""
    end, frame = f"check={told['check']}", read.frame
    ends = [f" {cell or ''}".rpartition(" row=")[2] for cell in frame[sheets.ABOUT]]
    sums = [f"{row} {end}" for row in sheets.row_sums(told, frame)]
    changed = [k for k, (one, two) in enumerate(zip(ends, sums)) if one != two]
    for row in changed:
        whys = {
            "no row of it": not ends[row].strip(),
            "another sheet": not ends[row].endswith(end),
            "sheet changed": len(changed) == len(frame),
            "row changed": True,
        }
        why = next(why for why, so in whys.items() if so)
        columns = ["step", "item", *sheets.beside_of(told), "or a limit"]
        where = None if why == "sheet changed" else row
        raise read.refused(why, where, columns=columns)


# What follows raises KeyError or ValueError where the words of a plan were changed.


def dealt(told: dict[str, str]) -> list[tuple[int, ...]]:
    """The parts that each step goes to; of a whole sheet there is one, 0."""
    most, part = int(told["max_sample"]), int(told.get("part", 0))
    if not part:
        return [(0,)] * most
    of, overlap = int(told["parts"]), float(told["overlap"])
    if not (1 <= part <= of <= most and of > 1 and 0 <= overlap <= 1):
        raise ValueError(part)
    return sheets.holders(most, of, overlap)


def _by_step(read: Table, steps: list[int]) -> pd.DataFrame:
    """The rows in the order of their steps, each of which is there once."""
    found = pd.Series([int(float(canonical(cell))) for cell in read.frame["step"]])
    read.check(~found.isin(steps), "another part")
    for row in found.index[found.duplicated()]:
        before = read.at(int((found == found[row]).argmax()))
        told = {"step": found[row], "before": before.removeprefix(f"{read.path}, ")}
        raise read.refused("step twice", row, **told)
    for lost in sorted({*steps}.difference(found)):
        raise read.refused("step lost", step=lost, last=steps[-1])
    return read.frame.iloc[found.argsort()]


def _plan(told: dict[str, str], frame: pd.DataFrame, steps: list[int]) -> SamplingPlan:
    """What it is for; of a part its words say so, which its rows repeat."""
    most, found = int(told["max_sample"]), list[Array]()
    size = int(told["lot_size"]) if "lot_size" in told else None
    if told["kind"] == sheets.INTERVAL:
        return fixed_sample(most, size)
    for word, name in sheets.LIMITS.items():
        cells = [int(float(canonical(cell) or -1)) for cell in frame[name]]
        limits = np.append(-1, cells)
        limits = sheets.limits(told[word], most) if "part" in told else limits
        if (limits[steps] != cells).any():
            raise ValueError(word)
        found.append(limits)
    accept, reject = found
    # -1 where a rejection is impossible
    reject = np.where(reject < 0, np.arange(most + 1) + 1, reject)
    levels = [float(told[name]) for name in sheets.LEVELS if name in told]
    known = QualityLevels(*levels) if levels else None
    return SamplingPlan(accept, reject, size, known)
