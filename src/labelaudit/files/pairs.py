"""Pairs of an item and a rater, each there once; items and what they belong to."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, islice

import numpy as np
import pandas as pd

from . import names as named
from .looks import CHANCE, MOST_COLUMNS
from .names import NUMBER
from .text import parsed

FEW = 8  # columns of which two may name an item together
MOST_ITEMS = 0.85  # of judgments: of more, columns tell rows apart and no items


def long_rows(frame: pd.DataFrame) -> tuple[list[str], str, list[str]] | None:
    """Columns of items, raters and likely labels, where a row may be a judgment.

    A pair of item and rater is there once, and one column by its name has raters, or
    pairs would hardly be there once if these columns were judgments. The rater is the
    one with fewer values. Two columns may name an item together, where one by its name
    has raters.
    """
    again = _again(frame, frame)
    called = _again(frame, (c for c in frame if named.called(c, "rater")))
    shares = {name: frame[name].value_counts(normalize=True) for name in again}
    sizes = {name: len(share) for name, share in shares.items()}
    pairs = [*combinations(again, 2)]
    found = []
    for pair in pairs:
        item, rater = sorted(pair, key=lambda c: (c in called, -sizes[c]))
        alike = (shares[item] ** 2).sum() * (shares[rater] ** 2).sum()
        twice = len(frame) * (len(frame) - 1) / 2 * alike  # by chance
        sure = len(pairs) * np.exp(-twice) < CHANCE
        sure = called[0] in pair if len(called) == 1 else sure
        enough = min(sizes[item], sizes[rater]) > 1
        enough &= sizes[item] * sizes[rater] >= len(frame)
        if sure and enough and not frame.duplicated([item, rater]).any():
            found.append((-twice, [item], rater))
    found.sort(key=lambda one: one[0])
    places = [(items, rater) for _, items, rater in found]
    if len(called) == 1:
        free = [c for c in again if c not in called and not named.called(c, "label")]
        more = together(frame, [], called[0], free[:FEW])
        places += [(items, called[0]) for items in more]
    for items, rater in places:
        key = frame.groupby(items).ngroup()
        rest = [c for c in frame if c not in (*items, rater) and _varies(frame[c], key)]
        if rest:
            return items, rater, likeliest(frame, rest)
    return None


def together(
    frame: pd.DataFrame, item: list[str], rater: str, free: list[str]
) -> Iterator[list[str]]:
    """Columns with one or two more that name an item, judged once by each rater."""
    for more in chain(combinations(free, 1), combinations(free, 2)):
        names = [*item, *more]
        items = len(frame) - frame.duplicated(names).sum()
        once = not frame.duplicated([*names, rater]).any()
        if once and items <= MOST_ITEMS * len(frame):
            yield names


def _again(frame: pd.DataFrame, names: Iterable[str]) -> list[str]:
    """The first columns of these that are full, with some value again."""
    full = (c for c in names if frame[c].duplicated().any() and frame[c].notna().all())
    return [*islice(full, MOST_COLUMNS)]


def likeliest(frame: pd.DataFrame, names: list[str]) -> list[str]:
    """Of some columns those that most likely have labels; the first one before all."""
    for fits in (
        lambda name: not named.called(name, "beside", "other", "rater"),
        lambda name: frame[name].nunique() > 1,
        lambda name: named.called(name, "label"),
        lambda name: not _numbers(frame[name]),
        lambda name: 2 * frame[name].nunique() <= len(frame),
    ):
        names = [name for name in names if fits(name)] or names
    return names if named.called(names[0], "label") else names[::-1]


def _numbers(told: pd.Series) -> bool:
    return bool(told.dropna().map(NUMBER.fullmatch).notna().all())


def _varies(told: pd.Series, items: pd.Series) -> bool:
    """Whether it may be labels: some are there again, or numbers; not one an item."""
    number = told.notna().all() and _numbers(told)
    again = told.duplicated().any() or (number and told.str.contains("[.,]").any())
    own = told.groupby(items).nunique(dropna=False).max() > 1
    return bool(again and own and not named.is_other(str(told.name)))


def groups(items: pd.Index, told: pd.Series) -> int:
    """How many values group the items, most of them several; 0 where they do not."""
    each = pd.DataFrame({"item": pd.factorize(items)[0], "told": told.array})
    sizes = each.drop_duplicates().groupby("told").size()
    one = sizes.sum() == each["item"].nunique() and told.notna().all()
    objects = any(parsed(value) is not None for value in sizes.index)
    several = len(sizes) > 1 and (sizes > 1).mean() > 0.5
    return len(sizes) if one and several and not objects else 0
