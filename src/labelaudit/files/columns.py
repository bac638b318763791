"""What columns are by their names, in the words of names.toml, and by their values."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache

import numpy as np
import pandas as pd

from .told import read

WORDS = read(__package__, "names.toml")
NUMBERED = re.compile(
    r"[\W_]*(ids?|nos?|nr|num|number|name|key|nummer|numero|编号|番号|번호)?\W*$", re.I
)
NUMBER = re.compile(r"[-+]?\d+([.,]\d*)?")
DECIMALS = re.compile(r"-?\d+[.,]\d+")
NEAR = {why: kinds.split() for why, kinds in WORDS["near"].items()}
MORE = "gold", "model", "suggested", "beside", "group", "other"  # no rater's
TOLD = "gold", "model", "machine", "suggested", "rater", "label"  # by no person's name
# Names of people: all initials, or all with a first and a last name.
INITIALS, FULL = re.compile("[A-Z]{1,3}"), re.compile(r"[A-Z]\w+ [A-Z][\w'-]+")
ONE_OF = re.compile(r"(.*[^\W\d_])(?:[\W_]*\d+|[\W_]+[^\W\d_]|(?<=[a-z])[A-Z])")
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
    shared = {*told[0]}.intersection(*told) if told else set()
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
    Capitals between digits are no word, as in A12GT3, which is a worker.
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=\d)[A-Z]+(?=\d)", " ", name)
    spaced, known = folded(apart), words(*kinds)
    tokens = re.findall(r"[^\W\d_]+", spaced)
    parts = (one for one in known if len(one) > 1 and not one.isascii())
    whole = "".join(tokens) in known or not known.isdisjoint(tokens)
    return whole or (not spaced.isascii() and any(word in spaced for word in parts))


def is_called(name: str, *kinds: str) -> bool:
    """Whether a whole name is one of these words, but for blanks and marks in it."""
    return re.sub(r"[\W_]", "", folded(name)) in words(*kinds)


def is_cluster(name: str) -> bool:
    """Whether the end of a name says to what items belong: doc, source_doc, docID."""
    return re.split(r"[\W_]+", folded(NUMBERED.sub("", name)))[-1] in words("cluster")


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
    return (near if len({*names} - {*near, *sure}) > strict else {}) | sure


def twins(names: Iterable[str], name: str | None) -> bool:
    """Whether others are called so with a number from 2 on, or as pandas does, label.1.

    With a first one, label_1, the one without a number is of another kind.
    """
    stem = "" if name is None else re.escape(folded(name))
    found = (re.fullmatch(rf"{stem}([\W_]*\d+)", folded(n)) for n in names)
    ends = {one[1] for one in found if stem and one}
    return bool(ends) and ends.isdisjoint(("1", "_1", "-1", " 1"))


def beside(names: Iterable[str]) -> dict[str, str]:
    """Names of columns of who judged, beside as many of labels: rater1, label1."""
    who = [n for n in names if called(n, "rater") and not called(n, "label")]
    what = [n for n in names if called(n, "label")]
    return dict.fromkeys(who, "rater") if len(who) == len(what) > 1 else {}


def unlike(names: Collection[str]) -> list[str]:
    """Names beside more that are one word with numbers or letters: rater1, Coder B.

    Beside raters they may be as many. Others that are one word with numbers, too, are
    no such names.
    """
    stems = {n: folded(one[1]) if (one := ONE_OF.fullmatch(n)) else "" for n in names}
    sizes = Counter(filter(None, stems.values()))
    stem, often = max(sizes.items(), key=lambda one: one[1], default=("", 0))
    others = [name for name, one in stems.items() if sizes[one] < 2]
    few = len(others) < often + called(stem, "rater")
    return others if few and often > 1 and not called(stem, "machine") else []


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
    data = (every or (any(rest) and alike >= 0.5)) if rest else first
    numbers = not counted(names) and all(map(NUMBER.fullmatch, names))
    given = pd.Series(cells.ravel(), dtype=object).dropna()
    return bool(data or (numbers and given.str.fullmatch(NUMBER).mean() > 0.9))


def like_cells(name: str, cells: pd.Series) -> bool:
    """Whether a name is like the cells below it but for numbers, as t17 above t18."""
    form = re.sub(r"\d+", "0", name)
    below = cells.dropna().str.replace(r"\d+", "0", regex=True)
    return "0" in form and bool((below == form).mean() > 0.5)


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
