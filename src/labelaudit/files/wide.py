"""Ratings from a table with one row per item: of raters, of counts, of two raters."""

import re
from itertools import compress
from typing import Any

import numpy as np
import pandas as pd

from .._words import quietly
from ..agreement.ratings import Ratings
from ..agreement.reading import MOST_ITEMS, index_of
from . import guesses
from .cells import counts, declared, labels, whole_numbers, without_points
from .columns import alike, bare, called, is_called, is_other
from .judged import Judged
from .looks import Look
from .pairs import long_rows
from .said import note, refused, say, typed, way
from .steps import several
from .tables import Table


def collected(table: Judged) -> dict[str, Any]:
    """The ratings, and what is told of each item."""
    asked = table.asked
    option = "--counts" if asked.counts else "--raters"
    named = [table.column(name) for name in [*asked.raters, *asked.counts]]
    if free := not (named or asked.item or asked.times or asked.ours):
        guesses.long_rows(table)
    item = _item(table, named)
    naming = "--item" if asked.item else "the items (without --item the first column)"
    part = table.named("cluster") if item[1:] else None  # of a name, as a document's
    roles = {option: named, naming: [name for name in item if name != part]}
    others = table.apart(roles, "suggested", "times", "model", "cluster", "gold")
    chosen = named or [n for n in table.frame if n not in others and n not in item]
    _enough(table, option, item, chosen)
    if asked.counts:
        _ticked(table, chosen)
        # Of labels; --missing names some that are none.
        if not (chosen := [name for name in chosen if name not in asked.missing]):
            raise refused("no label", at=table.path, missing=asked.missing)
    table.flat([*item, *chosen])
    items = _items(table, item)
    if not (asked.counts or asked.labels or asked.numbers):
        beside = map(table.named, ("gold", "model", "suggested"))
        told = [*chosen, *filter(None, beside)]
        part = table.frame[told]
        if (whole := without_points(part, asked.missing)) is not part:
            table.frame[told] = whole
    frame = table.frame[chosen]
    cells = frame.mask(frame.isin(asked.missing), None).to_numpy(dtype=object)
    given = pd.notna(cells).any(axis=0)
    if not (asked.counts or given.all()) and given.sum() > 1:
        note("no entry", names=compress(chosen, ~given))
        chosen, cells = [*compress(chosen, given)], cells[:, given]
    rows = [*map(str, items)] if item else []
    look = Look(chosen, cells, rows, asked.numbers, asked.known)
    first = (item or [*table.frame])[0]
    who = [name for name in table.frame if is_called(name, "people")]
    if is_called(first, "people", *["rater"] * len(item)):
        who = [first, first]
    rest = [name for name in chosen if not is_called(name, "people")]
    turned = not (all(called(name, "rater") for name in rest) or look.square())
    if free and turned and who[1:] and table.find("item") is None:
        raise table.refused("people", item=who[0], raters=rest)
    if not named:
        guesses.wide(table, look, item)
    if len(item) == 1 and asked.times is None:
        _ends(look, item[0])
    guesses.clusters(table, items, {*item, *chosen})
    if asked.counts:
        judged = pd.DataFrame(counts(table, chosen, "judgments"))
    else:
        judged = table.labels(chosen)
        there = judged.notna().to_numpy()
        only, empty = {*judged.to_numpy()[there]}, int((~there).sum())
        if empty and len(only) == 1 and not (asked.labels or asked.sets):
            note("one label", label=only.pop(), n=empty)
    judged = judged.set_axis(index_of(_named(table, chosen)), axis=1)
    how: dict[str, Any] = {"labels": declared(table)}
    with quietly():  # what may be wrong with the table was asked before
        if asked.times is not None:
            items, judged = pd.RangeIndex(len(judged)), judged.reset_index(drop=True)
            how |= {"times": _times(table, judged), "raters": not asked.counts}
            r = Ratings.from_patterns(judged, **how)
        else:
            how["clusters"] = table.clusters(items)
            built = Ratings.from_counts if asked.counts else Ratings.from_matrix
            r = built(judged.set_axis(items), **how)
    return {"ratings": r} | table.told(items)


def _named(table: Judged, names: list[str]) -> list[Any]:
    """Names of columns: raters, or labels of what is counted."""
    if table.asked.raters or not (table.asked.counts or table.asked.table):
        return names
    frame = pd.DataFrame([names], columns=names, index=table.frame.index[:1])
    return [*labels(Table(table.path, frame, table.asked), names).iloc[0]]


def _times(table: Judged, judged: pd.DataFrame) -> np.ndarray:
    """How many items each row stands for."""
    name = str(table.named("times"))
    found = counts(table, [name], "items")[:, 0]
    given = judged.notna() if not table.asked.counts else judged > 0
    if not found[given.any(axis=1).to_numpy()].any():
        raise table.refused("no times", name=name)
    if found.sum(dtype=float) > MOST_ITEMS:
        raise table.refused("too many times", name=name, most=MOST_ITEMS)
    return found


def _ends(look: Look, item: str) -> None:
    """Tell of last rows that look like sums, and of rows that are unlike all others."""
    sums = look.rows[len(look.rows) - look.foot() :]
    odd = [name for name in look.ends() if name not in sums]
    for kind, names in {"sums": sums, "odd rows": odd}.items():
        if names:
            ways = [typed("--where", f"{item}!={name}") for name in names]
            note(kind, names=names, way=" ".join(ways))


def _ticked(table: Judged, names: list[str]) -> None:
    """Tell of counts that may be the labels that one person chose of an item.

    Refuse them where --item names the items, of which each would be one row.
    """
    frame, cells = table.frame, whole_numbers(table.frame[names].to_numpy())
    if cells is None or cells.max() > 1:
        return
    found = long_rows(frame.drop(columns=names[1:]))
    items, who, *_ = found or ([frame.columns[0]], "WHO")
    item = [*table.asked.item] or items
    if names[0] in (*items, who) or not frame[item].duplicated().any():
        return
    options = f"{typed('--item', item)} {way(rater=who, label=names[0])}"
    both = "|".join(names[:2])
    why = say("why", "chosen", names=names, item=item, way=options, both=both)
    if table.asked.item:
        raise table.refused("at", why=why)
    note("at", at=table.path, why=why)


def _enough(table: Judged, option: str, item: list[str], chosen: list[str]) -> None:
    names, named = [*table.frame], [*table.asked.raters, *table.asked.counts]
    if len(names) == 1 and re.search(r"[,;|\t]|\S \S+ \S", names[0]):
        raise table.refused("one column", name=names[0])
    if len(chosen) == 1 and named:
        raise refused("one rater", option=option, name=chosen[0])
    if len(chosen) < 2:
        several(table, item, chosen)
        raise table.refused("no two")


# Items ------------------------------------------------------------------------------


def _item(table: Judged, raters: list[str]) -> list[str]:
    """The columns that name the items, none where rows are numbered.

    The first, or the one called item. The nameless row number that pandas and R write
    is passed over where the second has another name in every row. (R leaves numbers
    out where rows were.)
    """
    asked, frame = table.asked, table.frame
    named, called = [table.column(one) for one in asked.item], table.find("item")
    if asked.times is not None:
        return named
    first, *rest = frame.columns
    known = bool(named or called)
    if not (first or "" in named) and len(rest) > 2 and _numbers_rows(frame, known):
        note("row numbers", item=" and ".join(named) or called or rest[0])
        table.frame = frame = frame[rest]
        first = rest[0]
    if named:
        return named
    first = called or first
    unique, counts = frame[first].dropna().is_unique, _says_times(frame[first])
    if first not in raters and not counts and (unique or (called and not raters)):
        return [first]
    again = int(frame.duplicated().sum())
    labelled = frame[first].isin(frame[rest].to_numpy().ravel()).any()
    often = pd.Series([*map(tuple, frame.to_numpy())]).value_counts()
    free = often.nunique() == 1 and not (raters or labelled)  # each row as often
    if again and free and frame.drop_duplicates()[first].is_unique:
        raise table.refused("rows again", n=again, name=first)
    note("rows numbered", first=first, rater=first in raters, counts=counts)
    return []


def _says_times(column: pd.Series) -> bool:
    """Whether it says by its name for how many items rows stand, and not 1, 2, 3."""
    numbers = pd.to_numeric(column, errors="coerce")
    in_turn = not (numbers.diff()[1:] != 1).any()
    return is_called(str(column.name), "times") and numbers.notna().all() > in_turn


def _numbers_rows(frame: pd.DataFrame, known: bool) -> bool:
    """Whether the column without a name does; known: which one names the items."""
    rest = [*frame.columns[1:]]
    number, second = frame[""].fillna(""), frame[rest[0]]
    counted = number.is_unique and number.str.fullmatch("[0-9]+").all()
    others = pd.Series(frame[rest[1:]].to_numpy().ravel(), dtype=object).dropna()
    square = {*number} == {*rest}  # of two raters
    own = second.is_unique and not second.isin(others).any()
    own = known or (own and not alike(second.dropna(), others))
    return bool(counted and not square and own)


def _items(table: Judged, names: list[str]) -> pd.Index:
    """The names of the items; numbers from 1 where no column has them."""
    if not names:
        return index_of(map(str, range(1, len(table.frame) + 1)))
    items = table.keys(names)
    if (twice := items.duplicated()).any():
        free = [n for n in table.frame if n not in (*names, *table.asked.raters)][:1]
        more = [*names, *free]
        beside = [] if table.frame[more].duplicated().any() else free
        told = {"named": table.asked.item, "names": names, "beside": beside}
        told |= {"more": more, "raters": table.asked.raters}
        table.check(twice, "item twice", item=items[twice][0], **told)
    return items


# Two raters -------------------------------------------------------------------------


def of_two(table: Judged) -> dict[str, Any]:
    """A square table: rows are the first rater's labels, columns the second's."""
    first, *columns = table.frame.columns
    rows, body = [*table.whole(first)], table.frame[columns]
    if sums := _sums_around(rows, columns, body):
        note("sums around", names=sums)
    by_name = dict(zip(bare(columns), columns))
    if len(by_name) == len(columns):
        rows = [by_name.get(told, row) for told, row in zip(bare(rows), rows)]
    odd = [n for n in [*rows, *columns] if n not in rows or n not in columns]
    both = not ({*rows} <= {*columns} or {*columns} <= {*rows})
    summed = any(called(name, "sums", "gold") or is_other(name) for name in odd)
    if len({*rows}) < len(rows) or both or summed:
        raise table.refused("no square", odd=odd)
    if odd:
        note("one side", at=table.path, names=odd)
    table.frame = body.iloc[: len(rows)]
    times = counts(table, columns, "items")
    every = [*dict.fromkeys([*columns, *rows])]
    named = dict(zip(every, _named(table, every)))
    pairs = [(named[row], named[column]) for row in rows for column in columns]
    frame = pd.DataFrame(pairs, columns=["rows", "columns"], dtype=object)
    with quietly():
        return {"ratings": Ratings.from_patterns(frame, times.ravel(), declared(table))}


def _sums_around(rows: list[str], columns: list[str], frame: pd.DataFrame) -> list[str]:
    """Take a last row and a last column off that are sums, of both or of one side."""
    if (found := whole_numbers(frame.to_numpy())) is None:
        return []
    sides = (rows, columns, found), (columns, rows, found.T)
    sums = [len(a) > 2 and (c[:-1].sum(axis=0) == c[-1]).all() for a, _, c in sides]
    off = [all(sums) or (one and a[-1] not in b) for one, (a, b, _) in zip(sums, sides)]
    return [a.pop() for one, (a, *_) in zip(off, sides) if one]
