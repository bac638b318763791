"""Inspection sheets as files: what people fill in and send back.

A sheet carries its plan in one cell, and in the same cell a check sum over everything
but the outcomes. Each row has a sum of its own. So a sheet can be read back alone, in
any order of its rows, and a row that was lost or changed on the way is noticed. A sheet
that was dealt out to several inspectors is read from its parts.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pandas as pd

from .. import _whole
from ..plans.draw import DRAW, MOST_DRAWN, draw
from ..plans.levels import QualityLevels
from ..plans.plan import SamplingPlan
from ..plans.single import fixed_sample
from . import parts
from .sums import canonical, digest, earlier, no_formula
from .tables import UnreadableError, at, table

COLUMNS = ("step", "item", "wrong", "accept_if_at_most", "reject_if_at_least")
ABOUT = "plan"  # the column whose first cell says all about the plan
LEVELS = ("p_a", "p_r", "alpha", "beta")
ESTIMATE = ("half_width", "rate", "confidence")
INTERVAL = "interval"  # the kind of a sheet that is for an estimate, not a verdict
FORM = 2  # of sums; sheets of labelaudit 0.1 name none
OF_PART = ("part", "parts", "overlap", "accept", "reject")  # what only parts say

# Words for an outcome, in any case. "1.0": a column of numbers with empty cells.
WRONG = {"1", "1.0", "1.00", "1,0", "1,00", "yes", "y", "true", "x"}
WRONG |= {"wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar"}
RIGHT = {"0", "0.0", "0.00", "0,0", "0,00", "no", "n", "false"}
RIGHT |= {"falsch", "faux", "falso", "onwaar"}

MOST_GROUPS = 100  # values of a column whose sizes a sheet carries
LONGEST_SIZES = 20_000  # characters; a spreadsheet's cell holds 32,767


@dataclass(frozen=True)
class Filled:
    """What a sheet holds: its plan, that plan's kind, the draw's seed, outcomes.

    outcomes are those of the steps from the first on, as far as none is open; True is
    wrong. waiting is how many more there are, after an open step. rows are the steps'
    items and what the list says of them. twice are the items that two inspectors
    judged: item, parts, judgments.
    """

    plan: SamplingPlan
    kind: str
    seed: int | None
    outcomes: list[bool]
    told: dict[str, str] = field(default_factory=dict)
    rows: pd.DataFrame = field(default_factory=pd.DataFrame)
    waiting: int = 0
    twice: list[tuple[str, tuple[int, int], tuple[bool, bool]]] = field(
        default_factory=list
    )

    def sizes(self, column: str) -> dict[str, int] | None:
        """How many items of the lot have each value; None where the sheet is silent."""
        for entry in self.told.get("sizes", "").split(";"):
            name, *pairs = map(unquote, entry.split(":"))
            if name == column and pairs:
                return dict(zip(pairs[::2], map(int, pairs[1::2])))
        return None


# Writing a sheet ------------------------------------------------------------------


def about(
    plan: SamplingPlan,
    *,
    kind: str,
    seed: int | None,
    listed: bool,
    lot: pd.DataFrame | None = None,
    estimate: dict[str, Any] | None = None,
) -> dict[str, str]:
    """What a sheet says about its plan; `listed`: its items come from a list.

    lot : DataFrame, optional
        That list, as lots.items gives it: what stands beside the items is summed, and
        the sizes of the groups in its columns are told.
    estimate : dict, optional
        half_width, rate and confidence of a sheet that is for an estimate.
    """
    told: dict[str, object] = {"kind": kind, "max_sample": plan.max_sample}
    told["lot_size"] = plan.lot_size
    if plan.levels is not None:
        told |= {name: getattr(plan.levels, name) for name in LEVELS}
    told |= {name: (estimate or {}).get(name) for name in ESTIMATE}
    told |= {"items": "listed" if listed else "numbered", "form": FORM, "seed": seed}
    told["draw"] = None if seed is None else DRAW
    if lot is not None and len(lot.columns):
        told["beside"] = ",".join(quote(name, safe="") for name in _names(lot).values())
        told["sizes"] = None if plan.lot_size is None else _sizes(lot)
    return {name: str(value) for name, value in told.items() if value is not None}


def _names(lot: pd.DataFrame) -> dict[str, str]:
    """The list's columns, and their names in a sheet, which has names of its own."""
    taken = (*COLUMNS, ABOUT)
    return {str(k): f"{k} (list)" if str(k) in taken else str(k) for k in lot}


def _sizes(lot: pd.DataFrame) -> str | None:
    """How often each value occurs, for columns of few: label:fine:69:rude:31;..."""
    entries: list[str] = []
    for column, name in zip(lot, _names(lot).values()):
        counts = lot[column].fillna("").value_counts(sort=False)
        if len(counts) <= MOST_GROUPS and len(counts) < len(lot):
            words = [name, *(str(w) for pair in counts.items() for w in pair)]
            entry = ":".join(quote(word, safe="") for word in words)
            if sum(map(len, entries)) + len(entry) < LONGEST_SIZES:
                entries.append(entry)
    return ";".join(entries) or None


def write(
    path: str | Path,
    sheet: pd.DataFrame,
    told: dict[str, str],
    lot: pd.DataFrame | None = None,
    separator: str = ",",
    dealt: tuple[int, float] | None = None,
) -> list[Path]:
    """Write a sheet for people and spreadsheets; never over a file that exists.

    UTF-8 with a byte-order mark, by which spreadsheets know it. All files are there
    whole, or none is.

    Parameters
    ----------
    path : str or Path
    sheet : DataFrame
        From inspection_sheet.
    told : dict
        From about.
    lot : DataFrame, optional
        From lots.items: its columns stand beside the items.
    separator : str
    dealt : (int, float), optional
        Inspectors and overlap, as parts.holders takes them: also writes a part for
        each, beside the whole.

    Returns
    -------
    list of Path
        What was written, the whole first.

    Raises
    ------
    FileExistsError
    OSError
        Where the folder cannot be written to.
    """
    path = Path(path)
    texts = {path: text(sheet, told, lot, separator)}
    if dealt is not None:
        for part in range(1, dealt[0] + 1):
            name = path.with_name(f"{path.stem}-{part}{path.suffix}")
            texts[name] = text(sheet, told, lot, separator, (part, *dealt))
    write_all(texts)
    return list(texts)


def write_all(texts: dict[Path, str]) -> None:
    """Write several sheets, all or none; raises as write."""
    data = {path: words.encode("utf-8-sig") for path, words in texts.items()}
    try:
        _whole.write_all(data)
    except FileExistsError as error:
        raise FileExistsError(f"{error}, and may hold outcomes") from None


def text(
    sheet: pd.DataFrame,
    told: dict[str, str],
    lot: pd.DataFrame | None = None,
    separator: str = ",",
    part: tuple[int, int, float] | None = None,
) -> str:
    """A sheet as CSV, with its plan and check sum in the first cell of `plan`.

    part : (int, int, float), optional
        Which one, of how many, with what overlap: only its steps.
    """
    cells = pd.DataFrame({name: _cells(sheet[name]) for name in COLUMNS})
    if told["kind"] == INTERVAL:
        cells[list(COLUMNS[3:])] = ""
    beside = _beside(sheet, lot)
    summed = cells.assign(**beside)
    full = told | {"check": _check(told, summed)}
    sums = _row_sums(told, summed)
    cells["item"] = [no_formula(item) for item in cells["item"]]
    for place, (name, column) in enumerate(beside.items(), start=2):
        cells.insert(place, name, [no_formula(cell) for cell in column])
    # In every row: where a last column is empty, spreadsheets drop separators.
    cells[ABOUT] = [f"row={row} check={full['check']}" for row in sums]
    if part is not None:
        which, of, overlap = part
        full |= {"part": str(which), "parts": str(of), "overlap": str(overlap)}
        full |= _limits(sheet)
        steps = parts.steps_of(which, len(sheet), of, overlap)
        cells = cells.iloc[np.array(steps, dtype=int) - 1].reset_index(drop=True)
    check = full.pop("check")
    first = " ".join(f"{name}={value}" for name, value in full.items())
    if len(cells):
        cells.loc[0, ABOUT] = f"{first} {cells[ABOUT].iloc[0]}"
    assert check
    out = io.StringIO()
    cells.to_csv(out, sep=separator, index=False, lineterminator="\n")
    return out.getvalue()


def _limits(sheet: pd.DataFrame) -> dict[str, str]:
    """All limits as two words, for a part that has only some of the rows."""
    words = {}
    for name, column in zip(("accept", "reject"), COLUMNS[3:]):
        values = sheet[column].fillna(-1).to_numpy(dtype=int)
        words[name] = parts.runs(np.append(-1, values))
    return words


def _beside(sheet: pd.DataFrame, lot: pd.DataFrame | None) -> dict[str, list[str]]:
    """What the list says of each item that was drawn."""
    if lot is None:
        return {}
    drawn, names = lot.loc[sheet["item"]].fillna(""), _names(lot)
    return {names[str(k)]: [str(cell) for cell in drawn[k]] for k in drawn}


def _cells(column: pd.Series) -> list[str]:
    return ["" if value is pd.NA else str(value) for value in column]


# Reading it back ------------------------------------------------------------------


@dataclass(frozen=True)
class _Sheet:
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


def read(
    paths: str | Path | Sequence[str | Path],
    listed: Sequence[str] | None = None,
    asked: dict[str, str] | None = None,
    words: tuple[str, str] | None = None,
) -> Filled:
    """A filled sheet, or the parts of one, refused unless it is what was written.

    Parameters
    ----------
    paths : str or Path, or several
        A sheet with outcomes in its column `wrong`, from the first step on; or parts
        of one. Rows may be in any order, and other columns may have been added.
    listed : sequence of str, optional
        The lot's items, to compare with.
    asked : dict, optional
        Parts of what `about` gives, which must agree with the sheet's.
    words : (str, str), optional
        For wrong and for right, in place of WRONG and RIGHT.

    Raises
    ------
    UnreadableError
        With the line, where there is one.
    """
    several = [paths] if isinstance(paths, (str, Path)) else list(paths)
    found = [_sheet(Path(path)) for path in several]
    _one_draw(found)
    for sheet in found:
        for name, value in (asked or {}).items():
            if sheet.told.get(name) != value:
                raise UnreadableError(
                    f"{sheet.path} is the sheet of another plan: its {name} is"
                    f" {sheet.told.get(name, 'not given')}, not {value}"
                )
        _unchanged(sheet, listed)
    told = found[0].told
    outcomes = [dict(zip(s.steps, _outcomes(s, words))) for s in found]
    decided, twice = _merged(found, outcomes)
    most = int(told["max_sample"])
    end = next((k for k in range(1, most + 1) if k not in decided), most + 1)
    return Filled(
        plan=_plan(found[0]),
        kind=told["kind"],
        seed=int(told["seed"]) if "seed" in told else None,
        outcomes=[decided[step] for step in range(1, end)],
        told=told,
        rows=pd.concat([_rows(s) for s in found]).groupby(level=0).first(),
        waiting=len(decided) - end + 1,
        twice=twice,
    )


def _sheet(path: Path) -> _Sheet:
    """Its cells by step, and what it says about its plan."""
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
            f"{at(path, frame, 0)}: no cell in column {ABOUT!r} says which plan this is"
            f" (it lacks {min(lacks)})"
        )
    told.pop("row", None)
    for row, words in enumerate(frame[ABOUT]):
        if words is not None and not words.endswith(f"check={told['check']}"):
            raise UnreadableError(f"{at(path, frame, row)}: the row of another sheet")
    if not _sound(told):
        raise UnreadableError(
            f"{path}: the cell in column {ABOUT!r} that says which plan this is was"
            " changed"
        )
    sheet = _Sheet(path, frame, told)
    return _Sheet(path, _by_step(path, frame, sheet.steps), told)


def _sound(told: dict[str, str]) -> bool:
    """Whether what is read before any sum is compared makes sense."""
    try:
        most = int(told["max_sample"])
        size = int(told.get("lot_size", most))
        if "part" in told:
            part, of, overlap = (told[name] for name in OF_PART[:3])
            if not (1 <= int(part) <= int(of) and 2 <= int(of) <= most):
                return False
            if not 0 <= float(overlap) <= 1:
                return False
    except (KeyError, ValueError):
        return False
    return 1 <= most <= size and most <= MOST_DRAWN


def _by_step(path: Path, frame: pd.DataFrame, wanted: list[int]) -> pd.DataFrame:
    """The rows in the order of their steps, each of which is there once."""
    place: dict[float, int] = {}
    known = set(wanted)
    for row, step in enumerate(frame["step"]):
        number = _number(step)
        if number not in known:
            shown = "empty" if step is None else repr(step)
            raise UnreadableError(
                f"{at(path, frame, row)}: its step is {shown}, and this sheet has the"
                f" steps {wanted[0]} to {wanted[-1]}: a row was added or changed"
            )
        if number in place:
            before = at(path, frame, place[number])
            raise UnreadableError(
                f"{at(path, frame, row)}: step {step} is there for the second time,"
                f" after {before.removeprefix(f'{path}, ')}"
            )
        place[number] = row
    for step in wanted:
        if step not in place:
            raise UnreadableError(
                f"{path}: step {step} of {wanted[-1]} is missing: rows were lost"
            )
    return frame.iloc[[place[step] for step in wanted]]


def _number(step: object) -> float:
    """NaN where it is none."""
    try:
        return float(canonical(step))
    except ValueError:
        return float("nan")


def _one_draw(found: list[_Sheet]) -> None:
    """Several files are parts of one draw, each there once."""
    first = found[0]
    seen: dict[int | None, _Sheet] = {}
    for sheet in found:
        pair = f"{first.path} and {sheet.path}"
        if len(found) > 1 and sheet.part is None:
            other = found[1] if sheet is first else first
            raise UnreadableError(
                f"{sheet.path} is a whole sheet, and {other.path} stands beside it;"
                " give one whole sheet, or parts of one"
            )
        same = ("check", "parts", "overlap", "accept", "reject")
        if any(sheet.told.get(name) != first.told.get(name) for name in same):
            raise UnreadableError(f"{pair} are parts of different plans or draws")
        if sheet.part in seen:
            raise UnreadableError(
                f"{seen[sheet.part].path} and {sheet.path} are both part {sheet.part}"
            )
        seen[sheet.part] = sheet


def _unchanged(sheet: _Sheet, listed: Sequence[str] | None) -> None:
    """Items, limits, plan and what stood beside the items are as written."""
    path, frame, told = sheet.path, sheet.frame, sheet.told
    numbered = told["items"] == "numbered"
    if listed is not None and numbered:
        raise UnreadableError(f"{path} is the sheet of a numbered lot, not of a list")
    _beside_there(sheet)
    there = frame["item"].to_numpy(dtype=object)
    marks = [(cell or "").split() for cell in frame[ABOUT]]
    noted = [next((w[4:] for w in words if w[:4] == "row="), None) for words in marks]
    sums = _row_sums(told, frame)
    changed = [
        k for k, (one, two) in enumerate(zip(noted, sums)) if one not in (None, two)
    ]
    if sheet.part is None:
        right = _check(told, frame) == told["check"]
    else:
        right = not changed and None not in noted[1:]
    if right:
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
        most = int(told["max_sample"])
        order = lot[draw(size, most, seed, int(told.get("draw", "1")))]
        drawn = order[np.array(sheet.steps) - 1]
    except (KeyError, ValueError, IndexError):
        drawn = there
    for row, (item, wanted) in enumerate(zip(there, drawn)):
        if canonical(item) != canonical(wanted):
            raise UnreadableError(
                f"{at(path, frame, row)}: item {item!r} stands where {str(wanted)!r}"
                " was drawn: items were moved, or changed by a spreadsheet"
            )
    if changed and len(changed) < len(frame):
        columns = ", ".join(["item", *beside_of(told), "or a limit"])
        raise UnreadableError(
            f"{at(path, frame, changed[0])}: not the row that was written: {columns}"
            " was changed; write the sheet again with the same options and seed, and"
            " copy the outcomes into it"
        )
    raise UnreadableError(
        f"{path}: its items, limits or plan are not those that were written; write the"
        " sheet again with the same options and seed, and copy the outcomes into it"
    )


def beside_of(told: dict[str, str]) -> list[str]:
    """The columns that a sheet has from its list."""
    return [unquote(name) for name in told.get("beside", "").split(",") if name]


def _beside_there(sheet: _Sheet) -> None:
    absent = [k for k in beside_of(sheet.told) if k not in sheet.frame.columns]
    if absent:
        raise UnreadableError(
            f"{sheet.path} was written with a column {absent[0]!r}, which is not there"
        )


def _plan(sheet: _Sheet) -> SamplingPlan:
    told, most = sheet.told, int(sheet.told["max_sample"])
    levels = None
    if "p_a" in told:
        levels = QualityLevels(*(float(told[name]) for name in LEVELS))
    size = int(told["lot_size"]) if "lot_size" in told else None
    if told["kind"] == INTERVAL:
        return fixed_sample(most, size)
    never = np.arange(most + 1) + 1.0  # where a rejection is impossible
    if sheet.part is None:
        accept, reject = np.full(most + 1, -1.0), never.copy()
        for limits, name in ((accept, COLUMNS[3]), (reject, COLUMNS[4])):
            cells = [canonical(cell) for cell in sheet.frame[name]]
            given = np.array([cell != "" for cell in cells])
            limits[1:][given] = [float(cell) for cell in cells if cell]
    else:
        accept, reject = (parts.limits(told[k], most) for k in ("accept", "reject"))
        reject = np.where(reject < 0, never, reject)
    return SamplingPlan(accept, reject, size, levels)


def _rows(sheet: _Sheet) -> pd.DataFrame:
    """By step: the item, and all that stands beside it, added columns too."""
    own = (*COLUMNS, ABOUT)
    kept = [name for name in sheet.frame if name == "item" or name not in own]
    steps = pd.Index(sheet.steps, name="step")
    return sheet.frame[kept].fillna("").set_axis(steps)


def _outcomes(sheet: _Sheet, words: tuple[str, str] | None) -> list[bool]:
    """True for wrong; up to the last cell that is filled in."""
    path, frame = sheet.path, sheet.frame
    wrong, right = (WRONG, RIGHT) if words is None else ({words[0]}, {words[1]})
    given = [(word or "").lower() for word in frame["wrong"]]
    while given and not given[-1]:
        given.pop()
    for row, word in enumerate(given):
        if not word:
            raise UnreadableError(
                f"{at(path, frame, row)}: wrong is empty, and filled in further"
                " down; every item must have its outcome, 0 or no where it is right"
            )
        if word not in wrong | right:
            may = "1, yes, y, true or x, or 0, no, n or false; --wrong-words has others"
            if words is not None:
                may = f"{words[0]} or {words[1]}, as --wrong-words says"
            raise UnreadableError(
                f"{at(path, frame, row)}: wrong is {frame['wrong'].iloc[row]!r}; it may"
                f" be {may}"
            )
    return [word in wrong for word in given]


def _merged(
    found: list[_Sheet], outcomes: list[dict[int, bool]]
) -> tuple[dict[int, bool], list[tuple[str, tuple[int, int], tuple[bool, bool]]]]:
    """The judgment that counts at each step, and the items that were judged twice."""
    if found[0].part is None:
        return outcomes[0], []
    told, by_part = found[0].told, {s.part: o for s, o in zip(found, outcomes)}
    items = {s.part: dict(zip(s.steps, s.frame["item"])) for s in found}
    most, of = int(told["max_sample"]), int(told["parts"])
    counted: dict[int, bool] = {}
    twice = []
    dealt = parts.holders(most, of, float(told["overlap"]))
    for step, to in enumerate(dealt, start=1):
        given = {p: by_part[p][step] for p in to if step in by_part.get(p, {})}
        if to[0] in given:
            counted[step] = given[to[0]]
        if len(given) == 2:
            both = given[to[0]], given[to[1]]
            twice.append((items[to[0]][step], (to[0], to[1]), both))
    return counted, twice


# Sums -----------------------------------------------------------------------------


def _summed(told: dict[str, str], cells: pd.DataFrame) -> list[str]:
    """Each row without its outcome as one text."""
    alike = canonical if "form" in told else earlier
    names = [name for name in COLUMNS if name != "wrong"] + beside_of(told)
    columns = [cells[name].map(alike, na_action=None) for name in names]
    return ["\t".join(row) for row in zip(*columns)]


def _words(told: dict[str, str]) -> list[str]:
    """What is said of the plan, without sums and what only parts say."""
    apart = ("check", *OF_PART)
    return [f"{name}={value}" for name, value in told.items() if name not in apart]


def _row_sums(told: dict[str, str], cells: pd.DataFrame) -> list[str]:
    head = " ".join(_words(told))
    return [digest([head, row], 6) for row in _summed(told, cells)]


def _check(told: dict[str, str], cells: pd.DataFrame) -> str:
    """A sum over all but the outcomes."""
    return digest([*_words(told), *_summed(told, cells)], 12)
