"""What filled sheets say: the outcomes of one, or of several inspectors' parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote

import pandas as pd

from ..plans.plan import SamplingPlan
from .returned import Sheet, dealt, sheet
from .said import refused
from .sheets import OF_PART

# What stands at a step that two inspectors judged: the item, parts, judgments.
Twice = tuple[str, tuple[int, ...], tuple[bool, ...]]


@dataclass(frozen=True)
class Filled:
    """What a sheet holds: its plan, that plan's kind, the draw's seed, outcomes.

    outcomes are those of the steps from the first on, as far as none is open; True is
    wrong. waiting is how many more there are, after an open step. rows are the steps'
    items and what the list says of them. twice are the items that two inspectors
    judged.
    """

    plan: SamplingPlan
    kind: str
    seed: int | None
    outcomes: list[bool]
    told: dict[str, str]
    rows: pd.DataFrame
    waiting: int
    twice: list[Twice]

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
    decided: dict[int, bool] = {}
    twice: list[Twice] = []
    for step, (first, *rest) in enumerate(dealt(told), start=1):
        given = [
            said[part][step] for part in (first, *rest) if step in said.get(part, {})
        ]
        if step in said.get(first, {}):
            decided[step] = given[0]
        if len(given) == 2:
            twice.append((rows["item"][step], (first, *rest), tuple(given)))
    end = next(k for k in range(1, plan.max_sample + 2) if k not in decided)
    return Filled(
        plan=plan,
        kind=told["kind"],
        seed=int(told["seed"]) if "seed" in told else None,
        outcomes=[decided[step] for step in range(1, end)],
        told=told,
        rows=rows,
        waiting=len(decided) - end + 1,
        twice=twice,
    )


def _one_draw(found: list[Sheet]) -> None:
    """Several files are parts of one draw, each there once."""
    same = {"check", *OF_PART} - {"part"}
    for one, other in combinations(found, 2):
        both = {"one": one.path, "other": other.path}
        if 0 in (one.part, other.part):
            raise refused("no parts", **both)
        if any(one.told.get(name) != other.told.get(name) for name in same):
            raise refused("other parts", **both)
        if one.part == other.part:
            raise refused("same part", part=one.part, **both)
