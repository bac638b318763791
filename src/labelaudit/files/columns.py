"""What columns are by their names, in the words of names.toml, and by their values."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain, combinations, islice
from typing import Any

import numpy as np
import pandas as pd

from .told import read

WORDS = read(__package__, "names.toml")
NUMBERED = re.compile(
    r"[\W_]*(ids?|nos?|nr|num|number|name|key|nummer|numero|编号|番号|번호)?\W*$", re.I
)
NUMBER = re.compile(r"[-+]?\d+([.,]\d*)?")
DECIMALS = re.compile(r"-?\d+[.,]\d+")
BROKEN = re.compile(r"-?\d+[.,]\d*[1-9]\d*")  # an id may be 12.0
NEAR = {why: kinds.split() for why, kinds in WORDS["near"].items()}
MORE = "gold", "model", "suggested", "beside", "group", "other"  # no rater's
TOLD = "gold", "model", "machine", "suggested", "rater", "label"  # by no person's name
# Names of people: all initials, or all with a first and a last name.
INITIALS, FULL = re.compile("[A-Z]{1,3}"), re.compile(r"[A-Z]\w+ [A-Z][\w'-]+")
ONE_OF = re.compile(r"(.*[^\W\d_])(?:[\W_]*\d+|[\W_]+[^\W\d_]|(?<=[a-z])[A-Z])")
FEW = 8  # columns of which two may name an item together
ENOUGH = 5  # numbers in turn, which labels hardly are
AGAIN = 0.15  # of judgments: if fewer are of an item again, columns tell rows apart
MOST_COLUMNS = 50  # of more, none is compared with all others
MOST_ROWS = 1000  # are looked at for what takes long
WHO, TOLD_OF = ("rater", "profession"), ("group", "person")
CHANCE = 0.001  # of what would be so by chance


def folded(text: str) -> str:
    """Small letters without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


def bare(names: list[str]) -> list[str]:
    """Names in small letters, without words that all of them have: B yes, pred_no."""
    told = [re.findall(r"[^\W_]+", folded(name)) for name in names]
    shared = {word for one in told for word in one if all(word in c for c in told)}
    left = ([word for word in one if word not in shared] for one in told)
    short = [*dict.fromkeys(map(" ".join, left))]
    said = any(len(name) > 1 and not name.isdecimal() for name in short)
    said |= not shared.isdisjoint(words("model", "right", "gold", "rater"))  # pred_0
    return short if said and len(short) == len(names) else [*map(folded, names)]


@cache
def words(*kinds: str) -> frozenset[str]:
    """The words of some kinds, in all tongues."""
    told = (line for kind in kinds for line in WORDS[kind].values())
    return frozenset(folded(word) for line in told for word in line.split())


def called(name: str, *kinds: str) -> bool:
    """Whether a word of a name is one of these.

    Where words are written without spaces, whether some letters of it are, but for one.
    """
    spaced, known = folded(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)), words(*kinds)
    tokens = re.findall(r"[^\W\d_]+", spaced)
    parts = (one for one in known if len(one) > 1 and not one.isascii())
    whole = "".join(tokens) in known or not known.isdisjoint(tokens)
    return whole or (not spaced.isascii() and any(word in spaced for word in parts))


def is_called(name: str, *kinds: str) -> bool:
    """Whether a whole name is one of these words, but for blanks and marks in it."""
    return re.sub(r"[\W_]", "", folded(name)) in words(*kinds)


def is_cluster(name: str) -> bool:
    """Whether the end of a name says to what items belong: doc, source_doc, docID."""
    said = folded(NUMBERED.sub("", name))
    return re.split(r"[\W_]+", said)[-1] in words("cluster")


def is_other(name: str) -> bool:
    """Whether a column's name says that it has no labels at all."""
    return folded(name) in words("times", "whole") or called(name, "other")


def no_raters(names: Collection[str], strict: bool = False) -> dict[str, str]:
    """Of several names those that are hardly raters', and why.

    Some words, as of models or sessions, say so only where names are left without
    them; words of right labels only where not all names say something.

    strict : whether two names must be left, words that may also be names of raters
        count for nothing, and nothing is said of names that are all initials, or first
        and last names
    """
    people = like_people(names)  # AI, KI among initials
    if strict and people:
        return {}
    either = ["either", *["label too"] * all(name[:1].isupper() for name in names)]
    maybe = {n for n in names if is_called(n, "ai", *either)}
    maybe |= {n for n in names if called(n, "machine") and not called(n, *MORE)}
    told = [n for n in names if not (strict and n in maybe)]
    sure = {n: "label" for n in told if is_called(n, "label") and not twins(names, n)}
    sure |= {n: "other" for n in told if is_other(n)}
    sure |= {n: "gold" for n in told if called(n, "gold") or is_called(n, "right")}
    if len(sure) == len({*names}):
        sure = {n: why for n, why in sure.items() if why != "gold"}
    near = {n: "gold" for n in told if is_called(n, "either", "mode")}
    near |= {n: why for why, kinds in NEAR.items() for n in told if called(n, *kinds)}
    ai = (n for n in told if is_called(n, "ai") and not (n.istitle() or people))
    near |= dict.fromkeys(ai, "model")
    enough = len({*names} - {*near, *sure}) >= 1 + strict
    return (near if enough else {}) | sure


def twins(names: Iterable[str], name: str | None) -> bool:
    """Whether others are called so with a number from 2 on, or as pandas does, label.1.

    With a first one, label_1, the one without a number is of another kind.
    """
    stem = "" if name is None else re.escape(folded(name))
    found = (re.fullmatch(rf"{stem}([\W_]*\d+)", folded(n)) for n in names)
    ends = {one[1] for one in found if stem and one}
    return bool(ends) and ends.isdisjoint(("1", "_1", "-1", " 1"))


def unlike(names: Collection[str]) -> tuple[list[str], bool]:
    """Names beside some that are one word with numbers or letters: rater1, Coder B.

    Also whether that word says who judged; else they are fewer than those. Others that
    are one word with numbers, too, are no such names.
    """
    found = {name: ONE_OF.fullmatch(name) for name in names}
    stems = {name: folded(one[1]) if one else "" for name, one in found.items()}
    sizes = Counter(filter(None, stems.values()))
    stem, often = max(sizes.items(), key=lambda one: one[1], default=("", 0))
    others = [name for name, one in stems.items() if sizes[one] < 2]
    sure = called(stem, "rater")
    few = often > 1 and (sure or len(others) < often) and not called(stem, "machine")
    return others if few else [], sure


def like_people(names: Collection[str]) -> bool:
    """Whether all may be initials, most of several letters, or first and last names."""
    initials = all(map(INITIALS.fullmatch, names))
    initials &= not any(is_called(name, "gold", "group") for name in names)
    parts = [part for name in names for part in name.split()]
    full = all(map(FULL.fullmatch, names)) and len({*parts}) == len(parts)
    full &= not any(called(name, *TOLD) for name in names)
    return full or (initials and sum(len(n) > 1 for n in names) > len(names) / 2)


# Names that may be none ---------------------------------------------------------------


def like_data(frame: pd.DataFrame) -> bool:
    """Whether the names of the columns look like a first row of them.

    One without a name may be a cell without a label, or the rows' numbers.
    """
    if not any(frame.columns[:1]):
        return False
    frame = frame.loc[:, frame.columns != ""]
    names, cells = [str(name) for name in frame.columns], frame.to_numpy()
    numbered = len(names) > 4 and counted(names[1:]) and not re.search(r"\d", names[0])
    if numbered or not cells.size:
        return False
    first, *rest = (cells == np.array(names, dtype=object)).any(axis=0)
    given = pd.Series(cells[:, 0], dtype=object).dropna()
    alike = (given.map(_form) == _form(names[0])).mean() if len(given) else 0
    every = all(rest) and (first or alike >= 0.2)
    if rest and (every or (any(rest) and alike >= 0.5)):
        return True
    numbers = not counted(names) and all(map(NUMBER.fullmatch, names))
    given = pd.Series(cells.ravel(), dtype=object).dropna()
    return bool(numbers and given.str.fullmatch(NUMBER).mean() > 0.9)


def counted(names: list[str]) -> bool:
    """Whether names are numbers from 0 or 1 on."""
    return names in ([str(k + d) for k in range(len(names))] for d in (0, 1))


def alike(names: pd.Series, labels: pd.Series) -> bool:
    """Whether what should be names is labels, or numbers with decimals as these are."""
    numbers = pd.to_numeric(names, errors="coerce")
    if (numbers.diff()[1:] == 1).all():  # in turn, as of rows
        return False
    both = (texts.str.fullmatch(DECIMALS).mean() > 0.5 for texts in (names, labels))
    return bool(all(both) or names.isin(labels).mean() >= 0.5)


def in_turn(column: np.ndarray) -> bool:
    """Whether it counts from 0 or 1 on: rows, like blocks, or again and again."""
    if column[0] not in ("0", "1"):
        return False
    codes, labels = pd.factorize(column)
    k, place = len(labels), np.arange(len(column))
    turns = place // -(-len(column) // k), place % k
    return k > 2 and counted([*labels]) and any((codes == turn).all() for turn in turns)


def _form(text: str) -> str:
    """Letters as a, digits as 0, words as one: t17 and x3 are alike."""
    form = re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "a", text))
    return re.sub(r"a(\W+a)+", "a a", form)


# Items and raters, each pair there once ----------------------------------------------


def long_rows(frame: pd.DataFrame) -> tuple[list[str], str, list[str]] | None:
    """Columns of items, raters and likely labels, where a row may be a judgment.

    A pair of item and rater is there once, and one column by its name has raters, or
    pairs would hardly be there once if these columns were judgments. The rater is the
    one with fewer values, the item no group of what is called an item. Two columns may
    name an item together, where one by its name has raters.
    """
    again = _again(frame, frame)
    raters = (c for c in frame if called(c, "rater") and not is_other(str(c)))
    named = _again(frame, (c for c in raters if not called(c, *TOLD_OF, "gold")))
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
        sure = len(pairs) * np.exp(-twice) < CHANCE
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


def _numbered(names: list[str]) -> bool:
    """Whether several have a name and a number, as raters may: reader1, reader2."""
    stems = [one[1] for n in names if (one := re.fullmatch(r"(.*\D)\d+", n))]
    return len({*stems}) < len(stems)


def together(
    frame: pd.DataFrame, item: list[str], rater: str, free: list[str]
) -> Iterator[list[str]]:
    """Columns, three at most, that name an item, judged once by each rater.

    item : those that are known, one or none
    """
    sizes = range(1, 4 - len(item))
    for more in chain.from_iterable(combinations(free, n) for n in sizes):
        names = [*item, *more]
        again = frame.duplicated(names).mean() >= AGAIN
        if again and not frame.duplicated([*names, rater]).any():
            yield names


def _again(frame: pd.DataFrame, names: Iterable[str]) -> list[str]:
    """The first columns of these that are full, with some value again: no times."""
    full = (c for c in names if frame[c].duplicated().any() and frame[c].notna().all())
    names = (c for c in full if frame[c].str.fullmatch(BROKEN).mean() <= 0.5)
    return [*islice(names, MOST_COLUMNS)]


def likeliest(frame: pd.DataFrame, names: list[str]) -> list[str]:
    """Of some columns those that most likely have labels; the first one before all."""
    for fits in (
        lambda name: not called(name, "beside", "group", "other", *WHO),
        lambda name: frame[name].nunique() > 1,
        lambda name: called(name, "label"),
        lambda name: not _numbers(frame[name]),
        lambda name: 2 * frame[name].nunique() <= len(frame),
    ):
        names = [name for name in names if fits(name)] or names
    return names if called(names[0], "label") else names[::-1]


def _numbers(told: pd.Series) -> bool:
    return bool(told.dropna().map(NUMBER.fullmatch).notna().all())


def _varies(told: pd.Series, items: pd.Series) -> bool:
    """Whether it may be labels: some are there again, or numbers; not one an item."""
    number = told.notna().all() and _numbers(told)
    again = told.duplicated().any() or (number and told.str.contains("[.,]").any())
    own = told.groupby(items).nunique(dropna=False).max() > 1
    return bool(again and own)
