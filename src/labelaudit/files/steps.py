"""Raters and labels in step: in cells of two columns, or in lists of an object."""

from functools import partial
from itertools import product

import pandas as pd

from .columns import NUMBER, called, is_called
from .keys import item_of
from .nested import Told
from .said import say, way
from .tables import Table
from .text import MARKS, parsed

ANY = (*MARKS, "/")  # a date and a path have the last one, too


def in_rows(frame: pd.DataFrame, name: str) -> str:
    """What to type where raters and labels have as many marks in each row."""
    raters = [c for c in frame if c != name and called(c, "rater")]
    raters = [c for c in raters if is_called(c, "rater")] or raters
    kind = lists(frame[name])
    if kind == "votes" and not raters:  # whoever they are, they are in many rows
        kinds = {c: lists(frame[c]) for c in frame}
        one = [*kinds.values()].count("votes") == 1
        raters = [c for c in frame if one and kinds[c] == "people" and _again(frame[c])]
    labels = [c for c in frame if c not in raters and called(c, "label")]
    labels += [name] * (bool(kind) and name not in labels)
    for rater, label in product(raters, labels) if len(raters) == 1 else ():
        if mark := in_step(frame[rater], frame[label]):
            return way(item_of(frame, name), rater=rater, label=label, split=mark)
    return ""


def parallel(found: dict[str, Told], key: str | None) -> str:
    """What to type for lists of raters and of labels inside an object."""
    first = {path: pd.Series(of).str[0] for path, of in found.items()}
    told = {path: of for path, of in first.items() if lists(of)}
    kinds = {path: lists(of) for path, of in told.items() if of.nunique() > 1}
    named = [p for p in told if called(p.rpartition(".")[2], "rater", "who")]
    kinds |= dict.fromkeys(named, "people")
    who, what = ([p for p in kinds if kinds[p] == one] for one in ("people", "votes"))
    what.sort(key=lambda path: called(path.rpartition(".")[2], "label", "what"))
    for one, other in product(who, what[::-1]):
        if mark := in_step(told[one], told[other]):
            return say("way", "say", way=way(key, rater=one, label=other, split=mark))
    return ""


def marked_alike(table: Table, item: list[str], rater: str, label: str) -> None:
    """Refuse cells of raters and of labels with as many marks, and no option.

    Where an item has one row, a cell that were one label would leave it one judgment.
    """
    cells, asked = table.frame[[rater, label]], table.asked
    plain = asked.split is None and asked.sets is None
    if plain and (mark := in_step(cells[rater], cells[label], 0.5)):
        given = cells.dropna().to_numpy()
        seen = next(row for row in given if mark in row[0] or parsed(row[0]))
        again = table.frame.duplicated(item).any()
        found = {"columns": cells, "cells": [*seen], "mark": mark, "again": again}
        raise table.refused("in step", **found)


def _again(column: pd.Series) -> bool:
    """Whether entries of its lists are there twice in the mean, or more."""
    entries = [str(one) for text in column.dropna() for one in parsed(text)]
    return 2 * len({*entries}) <= len(entries)


def several(
    table: Table, item: list[str], names: list[str], common: bool = False
) -> None:
    """Refuse columns of which one has cells that may hold several judgments.

    item : the columns that name the items
    common : whether that is so since no two have a label in common
    """
    for name in names[::-1]:
        texts = [t for t in table.frame[name].dropna() if not NUMBER.fullmatch(t)]
        for mark in MARKS:
            parts = [part.strip() for text in texts for part in text.split(mark)]
            some = common or 2 * len({*parts}) <= len(parts)  # of prose few are again
            marked = sum(mark in text for text in texts) > len(texts) / 2
            if len(texts) > 1 and marked and some:
                told = {"name": name, "cell": texts[0], "common": common}
                told["whose"] = way(item, label=name, split=mark)
                raise table.refused("lists", way=in_rows(table.frame, name), **told)


def in_step(one: pd.Series, other: pd.Series, share: float = 0) -> str:
    """The mark of which two columns have as many in each row, a list as if it had.

    share : of rows more than these have it
    """
    for mark in ANY:
        number, same = (c.fillna("").map(partial(_marks, mark)) for c in (one, other))
        if (number > 0).mean() > share and number.equals(same):
            return mark
    return ""


def lists(column: pd.Series) -> str:
    """Whether all cells are lists: votes, where some are alike, or perhaps people."""
    values = [*map(parsed, column.dropna())]
    if not all(isinstance(one, list) for one in values):
        return ""
    again = any(len({*map(str, one)}) < len(one) for one in values)
    return "votes" if again else "people"


def _marks(mark: str, text: str) -> int:
    if (value := parsed(text)) is not None:
        return len(value) - 1 if isinstance(value, list) else 0
    return text.count(mark)
