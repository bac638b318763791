"""What a file may be instead of what it is read as: each guess and what it says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from .._words import shown, warn
from . import looks, no_raters
from .columns import Columns
from .looks import FEW_PAIRS, FEW_ROWS, Look
from .text import UnreadableError, few, typed

MOST = 400  # characters of an option in a sentence
SEPARATORS = (",", ";", "|")
DECIMAL = re.compile(r"[-+]?\d+([.,]\d*)?")

REFUSED = {
    "headerless": "its columns are called {names}, which looks like a first row of"
    " data; if it has no header, say --no-header {columns}; if it has one, give the"
    " columns names that are no labels",
    "files": "the same items are in several files, and no column says who judged; if"
    " each file is one rater's, say --rater-file {item}{label}; if not, name the"
    " raters' column by --rater",
    "key": "{pairs} are there twice, each once with {more}: if these columns name an"
    " item together, say {item}; if raters judged again, say by --repeats first, last"
    " or drop which judgment counts",
    "long": "column {rater} by its name says who judged, so each row may be a judgment;"
    " if it is, say {way}; if each row is an item, name the raters' columns by"
    " --raters",
    "square": "its rows and columns have the same names ({shared}), as in a table of"
    " two raters; if it is one, say --table; if columns are raters, say {raters}",
    "counts": "{columns} add up to {total} in every row, as judgments counted by label"
    " do; if they are counts, say {counts}; if they are raters, say {raters}",
    "sum": "column {total} is the sum of {columns} in every row; if these are judgments"
    " counted by label, say {counts}; if they are raters, say {raters}",
    "turned": "each column adds up to the same number, as where judgments are counted"
    " with items in columns; if so, turn it, one row per item, and name the labels by"
    " --counts; if columns are raters, say {raters}",
    "no raters": "{why}; {way}",
    "nothing in common": "{columns} have no label in common; if they are raters, say"
    " {raters}; if each row is a judgment, name its columns by --item, --rater and"
    " --label",
    "lists": "its columns have no label in common, and a cell of {name} is {cell}: if a"
    " cell holds several judgments, add {label} --split {mark}, and by --rater the"
    " column that says whose",
}
NOTED = {
    "key": "{pairs} are there twice, each once with {more}, and count once; if these"
    " columns name an item together, say {item}",
    "sums": "the last row, {name}, looks like sums; if it is no item, leave it out by"
    " --where {where}",
    "alone": "column {name} shares no label with any other: is it a rater? --raters"
    " names those that are",
}
WHY = {
    "gold": "by its name has labels that were agreed on",
    "other": "by its name is no rater",
    "majority": "has the others' most frequent label on each item that has one",
    "text": "holds free text",
    "alone": "shares no label with another column",
}


def refuse(path: str, guess: str, **found: Any) -> NoReturn:
    raise UnreadableError(f"{path}: {REFUSED[guess].format(**found)}")


def headerless(columns: Columns) -> None:
    """Refuse a table whose first row is data."""
    if looks.like_data(columns.frame):
        width = len(columns.frame.columns)
        names = ["item", "rater", "label"]
        if width != len(names):
            names = ["item", *(f"rater{k}" for k in range(1, width))]
        option = _option("--columns", names)
        refuse(columns.path, "headerless", names=columns.named, columns=option)


def rater_files(columns: Columns, item: str | None, label: str | None) -> None:
    """Refuse several files with the same items, where no column names raters."""
    frame = columns.frame
    if frame.index.nlevels < 2:
        return
    name = item or columns.find("item") or frame.columns[0]
    key = pd.DataFrame(
        {"file": frame.index.get_level_values(0), "item": frame[name].array}
    )
    if key["item"].duplicated().mean() < 0.25 or key.duplicated().any():
        return
    rest = [one for one in frame if one != name and frame[one].duplicated().any()]
    said = label or columns.find("label") or (rest[-1] if rest else frame.columns[-1])
    option = "" if name == "item" else f"{typed('--item', [name])} "
    refuse(columns.path, "files", item=option, label=typed("--label", [said]))


def long_rows(columns: Columns) -> None:
    """Refuse a table that has one column of raters, who judged the same items."""
    if found := looks.long_rows(columns.frame):
        options = zip(("--item", "--rater", "--label"), found)
        way = " ".join(typed(option, [name]) for option, name in options)
        refuse(columns.path, "long", rater=shown(found[1]), way=way)


def second_key(
    columns: Columns,
    item: Sequence[str],
    rater: str,
    roles: Sequence[str | None],
    settled: bool,
) -> None:
    """Refuse judgments that repeat where another column tells items apart.

    settled : whether the call says which judgment counts; then it is said
    """
    frame = columns.frame
    items = columns.keys(item)
    others = [name for name in frame if name not in roles and name not in item]
    pair = pd.DataFrame({"item": pd.factorize(items)[0], "rater": frame[rater].array})
    if not pair.duplicated().any():
        return
    if more := looks.second_key(frame, items, rater, others):
        together = [name for name in frame if name in more or name in item]
        times, names = int(pair.duplicated().sum()), " and ".join([*item, rater])
        found = {
            "pairs": f"{times:,} pairs of {names}",
            "more": f"another {' and '.join(map(shown, more))}",
            "item": typed("--item", together),
        }
        if not settled:
            refuse(columns.path, "key", **found)
        warn(NOTED["key"].format(**found))


def sums_row(look: Look, item: str | None) -> None:
    """Tell of a last row that looks like sums."""
    if item is not None and look.rows and look.sums_below():
        name = look.rows[-1]
        where = shlex.quote(f"{item}!={name}")
        warn(NOTED["sums"].format(name=shown(name), where=where))


def wide(path: str, look: Look, numbered: bool, second: bool) -> None:
    """Refuse columns that are hardly raters'.

    numbered : whether no column names the items
    second : whether it is the second collection, whose raters no option names
    """
    names = look.names
    raters = _option("--raters", names)
    if shared := look.square():
        refuse(path, "square", shared=few(shared, 4), raters=raters)
    if found := look.counts():
        kept, total, value = found
        how = {"columns": few(kept), "counts": _option("--counts", kept)}
        how["raters"] = _option("--raters", kept)
        told = shown(total) if total else value
        refuse(path, "sum" if total else "counts", total=told, **how)
    if look.turned():
        refuse(path, "turned", raters=raters)
    alone = look.alone()
    given = dict(zip(names, (look.cells != None).sum(axis=0)))  # noqa: E711
    if len(alone) == len([name for name in names if given[name]]) > 1:
        _in_common(path, look, raters, numbered)
        alone = []
    many = [name for name in alone if given[name] >= FEW_ROWS or numbered]
    if suspects := look.no_raters(many):
        _no_raters(path, names, suspects, second)
    for name in alone:
        warn(NOTED["alone"].format(name=shown(name)))


def _no_raters(
    path: str, names: list[str], suspects: dict[str, str], second: bool
) -> None:
    whys = [f"column {shown(name)} {WHY[why]}" for name, why in [*suspects.items()][:4]]
    rest = [name for name in names if name not in suspects]
    everything = _option("--raters", names)
    way = f"if all columns are raters, say {everything}"
    if len(rest) < 2:
        way = f"without {'it' if len(suspects) < 2 else 'them'} no two are left; {way}"
    gold = [name for name, why in suspects.items() if why in ("gold", "majority")]
    if len(rest) > 1:
        leave = _option("--raters", rest)
        better = f" {typed('--gold', gold[:1])}" if gold else ""
        optional = f", with{better} to see how right they are" if gold else ""
        times = [name for name in suspects if no_raters.is_times(name)]
        if times:
            often = typed("--times", times[:1])
            optional += f", with {often} if rows stand for so many items"
        way = f"say {leave}{optional}; {way}"
    if second:
        way = "leave out of this file what is no rater, or rename what is one"
    refuse(path, "no raters", why=", ".join(whys), way=way)


def _in_common(path: str, look: Look, raters: str, numbered: bool) -> None:
    """Refuse columns of which no two have a label in common."""
    for name, column in [*zip(look.names, look.cells.T)][::-1]:
        texts = [t for t in column if t and not DECIMAL.fullmatch(t)]
        for mark in SEPARATORS:
            if len(texts) > 1 and sum(mark in t for t in texts) > len(texts) / 2:
                label = typed("--label", [name])
                how = {"name": shown(name), "label": label, "mark": shown(mark)}
                refuse(path, "lists", cell=shown(texts[0]), **how)
    full = (look.cells != None).all(axis=1).sum()  # noqa: E711
    numeric = pd.to_numeric(pd.Series(look.cells.ravel()).dropna(), errors="coerce")
    enough = full >= (FEW_ROWS if len(look.names) > 2 else FEW_PAIRS)
    if (enough or numbered) and not numeric.notna().all():
        how = {"columns": few(look.names), "raters": raters}
        refuse(path, "nothing in common", **how)


def _option(option: str, names: list[str]) -> str:
    """An option with all names, or without, where they are too many to type."""
    said = typed(option, names)
    return said if len(said) <= MOST else f"{option} with their names"


def without(cells: np.ndarray, missing: Sequence[str]) -> np.ndarray:
    """Texts, None where they are no label."""
    left = cells.copy()
    left[np.isin(cells.astype(str), list(missing))] = None
    return left
