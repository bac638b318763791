"""The ledger: every number and claim that a paper prints, and what we find.

data/published/*.csv holds what is printed, and what is editorial about it: the
condition under which a claim holds, the cause of a difference, what is missing to
settle it. A notebook hands over numbers by key, and nothing else. The verdict follows
from both by the rules below; an entry without numbers is open.
"""

import csv
import json
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd

from labelaudit import _digits, recording
from labelaudit.files.told import read

from . import paths

WORDS = read(__package__, "ledger.toml")
VERDICTS = WORDS["verdicts"]
KINDS = ("number", "claim", "setting", "cited")

# What a notebook hands over, beside the values that conditions and causes name: what
# our run gives (by the published procedure where that is an error, by simulation where
# the paper simulates), the right value, and the standard error of a simulated one.
NUMBERS = ("ours", "exact", "standard_error")
PRINTED = ("document", "place", "quantity", "printed")
COLUMNS = [*PRINTED, *NUMBERS, "verdict", "cause", "notebook"]
SHOWN = ["place", "quantity", "printed", *NUMBERS[:2], "verdict", "cause"]


@dataclass(frozen=True)
class Entry:
    """Something that a document prints, and what is to be said of it.

    condition : of a claim, when it holds: `low >= 0.4 and abs(gap) < 1e-12`
    cause : why it differs, or what shows it; {name} or {name:.2f} is a value
    needs : what settles it; without that the entry is open
    misprint : "yes" where what is printed is a slip of the pen
    """

    document: str
    key: str
    place: str
    quantity: str
    printed: str
    kind: str
    condition: str = ""
    cause: str = ""
    needs: str = ""
    misprint: str = ""

    def matches(self, value: Any) -> bool:
        """Whether a value equals the printed number at the printed digits."""
        if value is None or not math.isfinite(value):
            return False
        printed = Decimal(self.printed)
        half = Decimal(1).scaleb(int(printed.as_tuple().exponent)) / 2
        return abs(Decimal(repr(float(value))) - printed) <= half + Decimal("1e-9")


Values = dict[str, Any]  # what a notebook hands over for an entry, by name
Found = dict[str, tuple[Values, str]]  # that by key, and the notebook's name

# What a condition may say beside the values, comparisons and arithmetic.
MEANING = {"__builtins__": {}, "abs": abs, "min": min, "max": max}


def holds(condition: str, values: Values) -> bool:
    """Whether the values meet a condition, which is a line of our own files.

    Raises NameError where a value is missing.
    """
    result = eval(condition, MEANING | values)
    if not isinstance(result, bool):
        raise ValueError(f"the condition {condition!r} compares nothing")
    return result


def plain(value: Any) -> Any:
    """A number of ten significant digits, whole where it is; or a word."""
    value = value.item() if hasattr(value, "item") else value
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() else float(_digits.significant(value, 10))


def verdict(entry: Entry, values: Values | None) -> str:
    """The verdict that the values support; None: no notebook has looked.

    A number that needs the released file gets values only where it is there: if they
    are not the printed one, nor explained, that is a mismatch.
    """
    if entry.kind == "cited":
        return "cited"
    if values is None or (entry.needs and not values):
        return "open"
    ours, exact, error = (values.get(name) for name in NUMBERS)
    unfit = "mismatch" if entry.needs and "exact" in values else "open"
    if entry.kind == "claim":
        if entry.misprint and entry.cause:
            return "misprint"
        if not entry.condition or not (entry.cause or exact is not None):
            return unfit
        return "holds" if holds(entry.condition, values) else "false"
    if entry.misprint:
        differs = exact is not None and float(entry.printed) != exact
        return "misprint" if differs and entry.cause else unfit
    if entry.kind == "setting":
        return "input" if ours == float(entry.printed) else unfit
    if error is not None:
        near = [abs(float(v) - exact) <= 4 * error for v in (entry.printed, ours)]
        return "monte carlo" if all(near) else unfit
    if entry.matches(exact):
        return "exact"
    explained = entry.matches(ours) and entry.cause and exact is not None
    return "defect" if explained else unfit


def row(entry: Entry, values: Values | None, notebook: str) -> dict[str, Any]:
    """One line of the ledger."""
    found = values or {}
    if values is None:
        cause = "no notebook computes it"
    elif entry.needs and not values:
        cause = f"needs {entry.needs}"
    else:
        cause = re.sub(r"(\d)%", r"\1 %", entry.cause.format_map(found))
    return {
        **{name: getattr(entry, name) for name in PRINTED},
        **{name: found.get(name) for name in NUMBERS},
        "verdict": verdict(entry, values),
        "cause": cause,
        "notebook": "" if values is None else notebook,
    }


def documents() -> list[str]:
    """The names of the files in data/published, with which their notebooks' begin."""
    return sorted(file.stem for file in paths.PUBLISHED.glob("*.csv"))


def published(*chosen: str) -> list[Entry]:
    """What documents print, all of them unless some are named, in the files' order."""
    entries = []
    for file in (paths.PUBLISHED / f"{name}.csv" for name in chosen or documents()):
        with file.open(newline="", encoding="utf-8") as lines:
            for line in csv.DictReader(lines):
                if None in line or None in line.values():
                    text = f"{file.name}: {line['key']} has too many or too few cells"
                    raise ValueError(f"{text}; quote those with a comma")
                entries.append(Entry(document=file.stem, **line))
    keys = [entry.key for entry in entries]
    twice = {key for key in keys if keys.count(key) > 1}
    wrong = {entry.kind for entry in entries} - set(KINDS)
    if twice or wrong:
        raise ValueError(f"data/published: keys twice {twice}, unknown kinds {wrong}")
    return entries


def recorded(folder: Path = paths.NOTEBOOKS) -> Found:
    """The values stored in the outputs of the executed notebooks of a folder.

    Each is recorded as KEY.NAME; KEY.looked stands for an entry without values.
    """
    keys = {entry.key for entry in published()}
    found: Found = {}
    for file in sorted(folder.glob("*.ipynb")):
        notebook = json.loads(file.read_text(encoding="utf-8"))
        values: dict[str, Values] = {}
        for full, value in recording.recorded(notebook).items():
            key, dot, name = full.rpartition(".")
            if dot:
                values.setdefault(key, {})[name] = plain(value)
        unknown, twice = values.keys() - keys, values.keys() & found.keys()
        if unknown or twice:
            what = f"not in data/published {unknown}, of another notebook too {twice}"
            raise ValueError(f"{file.name} has keys: {what}")
        for key, of in values.items():
            of.pop("looked", None)
            found[key] = of, file.stem
    return found


def table(found: Found | None = None, of: list[Entry] | None = None) -> pd.DataFrame:
    """The ledger, of what notebooks/ recorded and all entries unless some are given."""
    found = recorded() if found is None else found
    entries = published() if of is None else of
    rows = [row(entry, *found.get(entry.key, (None, ""))) for entry in entries]
    # As objects: whole numbers stay whole numbers beside others.
    return pd.DataFrame(rows, columns=COLUMNS, dtype=object)
