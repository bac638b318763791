"""What a file may be instead of what it is read as: each guess and what it offers.

The sentences stand in guesses.toml: what is seen, and what to type where it is so.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import pandas as pd

from .._words import shown, warn
from . import looks, pairs
from .cells import SEPARATORS
from .inside import deep
from .judged import Judged
from .looks import FEW_ROWS, Look
from .made import FEW_PAIRS
from .names import SAID, called, is_called, is_cluster, is_other, is_times
from .text import UnreadableError, few, parsed, typed

MOST = 400  # characters of an option in a sentence
DECIMAL = re.compile(r"[-+]?\d+([.,]\d*)?")


def refuse(path: str, guess: str, **found: Any) -> NoReturn:
    raise UnreadableError(f"{path}: {SAID['refused'][guess].format(**found)}")


def note(guess: str, **found: Any) -> None:
    warn(SAID["noted"][guess].format(**found))


def option(name: str, names: list[str]) -> str:
    """An option with all names, or without, where they are too many to type."""
    said = typed(name, names)
    return said if len(said) <= MOST else f"{name} with their names"


# Rows -------------------------------------------------------------------------------


def headerless(table: Judged) -> None:
    """Refuse a table whose first row is data."""
    if looks.like_data(table.frame):
        more = len(table.frame.columns) - 1
        names = ["item", *(f"rater{k + 1}" for k in range(more))]
        again = {*table.frame.columns[:1], *table.frame.iloc[:, 0]}
        long = more == 2 and len(again) <= len(table.frame)
        names = ["item", "rater", "label"] if long else names
        said = option("--columns", names)
        refuse(table.path, "headerless", names=table.named, columns=said)


def rater_files(table: Judged, item: str | None, label: str | None) -> None:
    """Refuse several files with the same items, where no column names raters."""
    frame = table.frame
    if frame.index.nlevels < 2:
        return
    name = item or table.find("item") or frame.columns[0]
    key = pd.DataFrame({0: frame.index.get_level_values(0), 1: frame[name].array})
    if key[1].duplicated().mean() < 0.25 or key.duplicated().any():
        return
    rest = [one for one in frame if one != name and frame[one].duplicated().any()]
    said = label or table.find("label") or (rest or [*frame])[-1]
    inside = [value for text in frame[said] if (value := parsed(text)) is not None]
    if any(isinstance(value, dict) or deep(value) for value in inside):
        return  # a path says what of it is meant
    way = "" if name == "item" else f"{typed('--item', [name])} "
    sets = " --sets ," if inside else ""
    refuse(table.path, "files", item=way, label=typed("--label", [said]) + sets)


def long_rows(table: Judged) -> None:
    """Refuse a table that has one column of raters, who judged the same items."""
    if found := pairs.long_rows(table.frame):
        options = zip(("--item", "--rater", "--label"), found)
        way = " ".join(typed(name, [column]) for name, column in options)
        item, rater, _ = map(shown, found)
        why = SAID["why"]["rater" if called(found[1], "rater") else "once"]
        refuse(table.path, "long", rater=rater, why=why.format(item=item), way=way)


def in_step(table: Judged, rater: str, label: str) -> None:
    """Refuse cells of raters and of labels with as many marks, and no option."""
    cells = table.frame[[rater, label]].fillna("")
    for mark in SEPARATORS if table.asked.split is table.asked.sets is None else ():
        number, other = (cells[c].str.count(re.escape(mark)) for c in (rater, label))
        if (number > 0).mean() > 0.5 and number.equals(other):
            first = int((number > 0).argmax())
            told = {"columns": few(cells), "cells": few(map(shown, cells.iloc[first]))}
            refuse(table.path, "in step", mark=shown(mark), **told)


def second_key(
    table: Judged, item: Sequence[str], rater: str, others: Iterable[str]
) -> None:
    """Refuse judgments that repeat where another column tells items apart.

    others : columns that have other roles
    """
    frame = table.frame
    told = pd.DataFrame({"item": table.keys(item), "rater": frame[rater].array})
    free = [name for name in frame if name not in {rater, *item, *others}]
    if more := pairs.second_key(told, frame[free]):
        times = int(told.duplicated().sum())
        found = {
            "pairs": f"{times:,} pairs of {' and '.join([*item, rater])}",
            "more": f"another {' and '.join(map(shown, more))}",
            "item": typed("--item", [n for n in frame if n in more or n in item]),
        }
        if table.asked.repeats is None:
            refuse(table.path, "key", **found)
        note("key", **found)


def sums_row(look: Look, item: str | None) -> None:
    """Tell of a last row that looks like sums."""
    if item is not None and look.rows and look.sums_below():
        name = look.rows[-1]
        note("sums", name=shown(name), where=shlex.quote(f"{item}!={name}"))


def people(path: str, item: str, names: list[str]) -> None:
    """Refuse a table whose rows have people's answers."""
    if is_called(item, "people", "rater"):
        rest = [name for name in names if not is_called(name, "people")]
        refuse(path, "people", item=shown(item), raters=option("--raters", rest))


def first(item: str, told: pd.Series, look: Look) -> None:
    """Tell where the items may be called by what a first rater said."""
    labels = pd.Series([*set().union(*look.own)], dtype=object)
    if not is_other(item) and looks.alike(told, labels):
        note("first", item=shown(item), raters=option("--raters", [item, *look.names]))


def clusters(table: Judged, items: pd.Index, used: Iterable[str]) -> None:
    """Tell of a column that may say to what items belong; of several the coarsest.

    items : of each row
    used : columns that have a role
    """
    asked, frame = table.asked, table.frame
    if asked.cluster or asked.counts or asked.times or asked.ours:
        return
    known = {*used, *map(table.find, asked.columns())}
    free = [name for name in frame if name not in known and is_cluster(name)]
    found = {name: n for name in free if (n := pairs.groups(items, frame[name]))}
    if found:
        name = min(found, key=lambda one: found[one])
        told = {"n": found[name], "items": items.nunique()}
        note("cluster", name=shown(name), cluster=typed("--cluster", [name]), **told)


# Columns ----------------------------------------------------------------------------


def wide(path: str, look: Look, numbered: bool, second: bool) -> None:
    """Refuse columns that are hardly raters'.

    numbered : whether no column names the items
    second : whether it is the second collection, whose raters no option names
    """
    names, raters = look.names, option("--raters", look.names)
    if shared := look.square():
        refuse(path, "square", shared=few(shared, 4), raters=raters)
    if found := look.counts():
        kept, total, value = found
        how = {name: option(f"--{name}", kept) for name in ("counts", "raters")}
        told = shown(total) if total else value
        guess = "sum" if total else "one" if value == 1 else "counts"
        refuse(path, guess, columns=few(kept), total=told, **how)
    if adds := look.fractions():
        refuse(path, "fractions", columns=few(names), total=adds, raters=raters)
    if look.turned():
        refuse(path, "turned", raters=raters)
    alone = look.alone()
    given = dict(zip(names, (look.cells != None).sum(axis=0)))  # noqa: E711
    if len(alone) == sum(map(bool, look.own)) > 1:
        _in_common(path, look, raters, numbered)
        alone = []
    many = [name for name in alone if given[name] >= FEW_ROWS or numbered]
    if kept := look.shares():
        how = {name: option(f"--{name}", kept) for name in ("counts", "raters")}
        if kept != names:
            refuse(path, "shares", columns=few(kept), **how)
        note("shares", columns=few(kept), counts=how["counts"])
    if suspects := look.no_raters(many):
        _no_raters(path, names, suspects, second)
    for name in alone:
        note("alone", name=shown(name))


def _no_raters(
    path: str, names: list[str], suspects: dict[str, str], second: bool
) -> None:
    told = [*suspects.items()][:4]
    whys = [f"column {shown(name)} {SAID['why'][why]}" for name, why in told]
    rest = [name for name in names if name not in suspects]
    way = f"if all columns are raters, say {option('--raters', names)}"
    gold = [name for name, why in suspects.items() if why in ("gold", "majority")]
    times = [name for name in suspects if is_times(name)]
    if second:
        way = "leave out of this file what is no rater, or rename what is one"
    elif len(rest) < 2:
        way = f"without {'it' if len(suspects) < 2 else 'them'} no two are left; {way}"
    else:
        ways = [option("--raters", rest)]
        if gold:
            ways.append(f"{typed('--gold', gold[:1])} to see how right they are")
        model = [name for name, why in suspects.items() if why == "model"]
        if model:
            ways.append(f"{typed('--model', model[:1])} to see if it may judge, too")
        if times:
            ways.append(
                f"{typed('--times', times[:1])} if rows stand for so many items"
            )
        way = f"say {', with '.join(ways)}; {way}"
    if label := [name for name, why in suspects.items() if why == "label"]:
        row = f"if each row is a judgment, give {typed('--label', label[:1])}"
        way = f"{row} with --item and --rater; if each row is an item, {way}"
    refuse(path, "no raters", why=", ".join(whys), way=way)


def _in_common(path: str, look: Look, raters: str, numbered: bool) -> None:
    """Refuse columns of which no two have a label in common."""
    for name, column in [*zip(look.names, look.cells.T)][::-1]:
        texts = [t for t in column if t and not DECIMAL.fullmatch(t)]
        for mark in SEPARATORS:
            if len(texts) > 1 and sum(mark in t for t in texts) > len(texts) / 2:
                how = {"label": typed("--label", [name]), "mark": shown(mark)}
                refuse(path, "lists", name=shown(name), cell=shown(texts[0]), **how)
    full = (look.cells != None).all(axis=1).sum()  # noqa: E711
    enough = full >= (FEW_ROWS if len(look.names) > 2 else FEW_PAIRS)
    folded = [label.casefold() for label in look.columns_of]
    if len({*folded}) < len(folded):
        refuse(path, "case", columns=few(look.names), raters=raters)
    labels = pd.Series([*look.columns_of], dtype=object)
    numeric = pd.to_numeric(labels, errors="coerce").notna().all()
    if (enough or numbered) and not numeric:
        refuse(path, "nothing in common", columns=few(look.names), raters=raters)
