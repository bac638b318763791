"""Columns that name items, raters and labels of rows, each of which is a judgment."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice
from typing import Any

import numpy as np
import pandas as pd

from . import columns
from .columns import WHO, called, is_called, is_cluster, is_other

BROKEN = re.compile(r"-?\d+[.,]\d*[1-9]\d*")  # an id may be 12.0
FEW = 8  # columns of which some may name an item together
ENOUGH = 5  # numbers in turn, which labels hardly are
AGAIN = 0.15  # of judgments: if fewer are of an item again, columns tell rows apart


def long_rows(frame: pd.DataFrame) -> tuple[list[str], str, list[str]] | None:
    """Columns of items, raters and likely labels, where a row may be a judgment.

    A pair of item and rater is there once, and one column by its name has raters, or
    pairs would hardly be there once if these columns were judgments. The rater is the
    one with fewer values, the item no group of what is called an item. Up to three
    columns may name an item together, where one by its name has raters, or the first
    columns do and each rater judged all items.
    """
    again = _again(frame, frame)
    raters = (c for c in frame if called(c, "rater") and not is_other(str(c)))
    raters = (c for c in raters if not called(c, *columns.TOLD_OF, "gold"))
    named = _again(frame, raters)
    named = [c for c in named if is_called(c, "rater")] or named  # annotator_id first
    pairs = [*combinations(again, 2)]
    sizes = {c: frame[c].nunique() for c in again}
    same = {c: (frame[c].value_counts(normalize=True) ** 2).sum() for c in again}
    who = {c: (called(c, *WHO), c.casefold() != "item", -sizes[c]) for c in again}
    places = list[Any]()
    for pair in pairs:
        item, rater = sorted(pair, key=lambda c: who[c])
        # By chance, so many pairs of rows would have both alike.
        twice = len(frame) * (len(frame) - 1) / 2 * same[item] * same[rater]
        sure = len(pairs) * np.exp(-twice) < columns.CHANCE
        sure = named[0] in pair if len(named) == 1 else sure
        enough = sizes[item] * sizes[rater] >= len(frame)
        if sure and enough and not frame.duplicated([item, rater]).any():
            # Of what is called an item the finest, which is no group of others.
            first = (0, -sizes[item]) if called(item, "ids", "things") else (1, -twice)
            places.append((first, called(item, "other"), [item], rater))
    places.sort(key=lambda one: one[:2])
    if len(named) == 1:
        free = [c for c in again if c not in named and not called(c, "label")]
        more = together(frame, [], named[0], free[:FEW])
        places += [(items, named[0]) for items in more]
    if not (named or places):
        places += [*_crossed(frame, again)]
    for *_, items, rater in places:
        key = frame.groupby([frame[name] for name in items]).ngroup()
        free = [c for c in frame if c not in (*items, rater)]
        free = [c for c in free if not is_other(str(c))] or free
        own = [c for c in free if not is_cluster(str(c))]  # where all raters agree
        own = [c for c in own if 1 < frame[c].nunique() <= key.max()]
        rest = [c for c in free if _varies(frame[c], key)] or own
        both = [c for c in rest if _varies(frame[c], frame[rater])]  # not items' own
        if rest and (called(rater, *WHO) or not _numbered(rest)):
            return items, rater, likeliest(frame, both or rest)
    return None


def _crossed(frame: pd.DataFrame, again: list[str]) -> Iterator[tuple[list[str], str]]:
    """The first columns that name rows, where each of one judged all of the others.

    Raters are words, and sooner few than many.
    """
    for k in (3, 4):
        names, rest = [*frame.columns[:k]], frame.columns[k:]
        if {*names} <= {*again} and not frame.duplicated(names).any():
            if shared(frame, rest):  # of several raters
                return
            sizes = {c: frame[c].nunique() for c in names if not _numbers(frame[c])}
            for rater in sorted(sizes, key=lambda name: sizes[name]):
                items = [name for name in names if name != rater]
                n = frame.groupby(items).ngroups
                own = not any(shared(frame, [rater, name]) for name in items)
                if own and ENOUGH <= n < len(frame) == n * sizes[rater]:
                    yield items, rater
            return


def shared(frame: pd.DataFrame, names: Iterable[str]) -> bool:
    """Whether two of these columns have a text in common, as raters' labels do."""
    own = [{*frame[name].dropna()} for name in names]
    return len(set().union(*own)) < sum(map(len, own))


def counting(frame: pd.DataFrame) -> list[str]:
    """The first columns that name rows: the last of them counts where others are alike.

    As sentences are numbered in each document, from 0 or 1 on.
    """
    for k in range(2, min(len(frame.columns) - 1, 5)):
        *names, last = frame.columns[:k]
        turn = frame.groupby(names, sort=False).cumcount()
        less = pd.to_numeric(frame[last], errors="coerce") - turn
        enough = (turn > 0).sum() >= ENOUGH and (turn == 0).sum() > 1
        if enough and less.nunique(dropna=False) == 1 and less.iloc[0] in (0, 1):
            return [*names, last]
    return []


def beside_raters(frame: pd.DataFrame) -> list[str]:
    """Such columns where others are several raters', and no rows stand for many."""
    key = counting(frame)
    many = any(is_called(name, "times") for name in frame)
    return key if shared(frame, frame.columns[len(key) :]) and not many else []


def are_keys(frame: pd.DataFrame, names: list[str]) -> bool:
    """Whether columns name items together, of one rater: no labels that others have."""
    free = [name for name in frame if name not in names]
    people = any(called(name, *WHO) or is_called(name, "who") for name in names)
    if people or shared(frame, free):
        return False
    pure = not any(shared(frame, [a, b]) for a in names for b in free)
    return pure or counting(frame) == names


def _numbered(names: list[str]) -> bool:
    """Whether several have a name and a number, as raters may: reader1, reader2."""
    stems = [one[1] for n in names if (one := re.fullmatch(r"(.*\D)\d+", n))]
    return len({*stems}) < len(stems)


def together(
    frame: pd.DataFrame, item: list[str], rater: str, free: list[str]
) -> Iterator[list[str]]:
    """Columns that name an item, judged once by each rater: at most three.

    item : those that are known, which stay, beside at most two more
    """
    sizes = (1, 2) if item else (1, 2, 3)
    for more in chain.from_iterable(combinations(free, n) for n in sizes):
        names = [*item, *more]
        again = frame.duplicated(names).mean() >= AGAIN
        if again and not frame.duplicated([*names, rater]).any():
            yield names


def _again(frame: pd.DataFrame, names: Iterable[str]) -> list[str]:
    """The first columns of these that are full, with some value again: no times."""
    full = (c for c in names if frame[c].duplicated().any() and frame[c].notna().all())
    names = (c for c in full if frame[c].str.fullmatch(BROKEN).mean() <= 0.5)
    return [*islice(names, columns.MOST_COLUMNS)]


def likeliest(frame: pd.DataFrame, names: list[str]) -> list[str]:
    """Of some columns those that most likely have labels; the first one before all."""
    for fits in (
        lambda name: not called(name, "beside", "group", "other", *WHO),
        lambda name: frame[name].nunique() > 1,
        lambda name: called(name, "label"),
        lambda name: 2 * frame[name].nunique() <= frame[name].count(),
        lambda name: not _numbers(frame[name]),
    ):
        names = [name for name in names if fits(name)] or names
    return names if called(names[0], "label") else names[::-1]


def _numbers(told: pd.Series) -> bool:
    return bool(told.dropna().map(columns.NUMBER.fullmatch).notna().all())


def _varies(told: pd.Series, items: pd.Series) -> bool:
    """Whether it may be labels: some are there again, or numbers; not one an item."""
    number = told.notna().all() and _numbers(told)
    again = told.duplicated().any() or (number and told.str.contains("[.,]").any())
    return bool(again and told.groupby(items).nunique(dropna=False).max() > 1)
