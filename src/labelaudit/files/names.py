"""What names of columns and rows say, by the words of names.toml."""

import re
import unicodedata
from collections.abc import Collection
from functools import cache

import numpy as np
import pandas as pd

from .said import read

WORDS = read(__package__, "names.toml")
NUMBERED = re.compile(
    r"[\W_]*(ids?|nos?|nr|num|number|name|key|nummer|numero|编号|番号|번호)?\W*$", re.I
)

NUMBER = re.compile(r"-?\d+([.,]\d+)?")
DECIMALS = re.compile(r"-?\d+[.,]\d+")
BESIDE = "beside", "other"


def folded(text: str) -> str:
    """Small letters without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in apart if not unicodedata.combining(mark))


@cache
def words(*kinds: str) -> frozenset[str]:
    """The words of some kinds, in all tongues."""
    told = (line for kind in kinds for line in WORDS[kind].values())
    return frozenset(folded(word) for line in told for word in line.split())


def called(name: str, *kinds: str) -> bool:
    """Whether a word of a name is one of these.

    Where words are written without spaces, whether some letters of it are.
    """
    spaced = folded(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))
    tokens, known = re.findall(r"[^\W\d_]+", spaced), words(*kinds)
    if "".join(tokens) in known or not known.isdisjoint(tokens):
        return True
    parts = () if spaced.isascii() else known
    return any(word in spaced for word in parts if not word.isascii())


def is_called(name: str, *kinds: str) -> bool:
    """Whether a whole name is one of these words, but for blanks and marks in it."""
    return re.sub(r"[\W_]", "", folded(name)) in words(*kinds)


def is_cluster(name: str) -> bool:
    """Whether the end of a name says to what items belong: doc, source_doc, docID."""
    said = folded(NUMBERED.sub("", name))
    return re.split(r"[\W_]+", said)[-1] in words("cluster")


def is_beside(name: str, names: Collection[str]) -> bool:
    """Whether it is one of these names and what is said beside a label: ann_conf."""
    rests = [name[k:] for k in range(1, len(name)) if name[:k] in names]
    return any(re.match(r"[\W_A-Z]", rest) and called(rest, *BESIDE) for rest in rests)


def is_other(name: str) -> bool:
    """Whether a column's name says that it has no labels at all."""
    return folded(name) in words("times", "whole") or called(name, "other")


def no_rater(name: str) -> str:
    """Why a column by its name is hardly a rater's, or nothing."""
    if called(name, "gold") or is_called(name, "right"):
        return "gold"
    if is_other(name):
        return "other"
    return next((why for why in ("model", "label") if is_called(name, why)), "")


# Names that may be none ---------------------------------------------------------------


def like_data(frame: pd.DataFrame) -> bool:
    """Whether the names of the columns look like a first row of them."""
    names = [str(name) for name in frame.columns]
    cells = frame.to_numpy()
    again = (cells == np.array(names, dtype=object)).any(axis=0)
    if not all(names) or not len(cells):
        return False
    if again.all() and len(names) > 1:
        return True
    first = pd.Series(cells[:, 0], dtype=object).dropna()
    alike = (first.map(_form) == _form(names[0])).mean() if len(first) else 0
    rest = again[1:]
    if len(rest) and ((alike >= 0.5 and rest.any()) or (alike >= 0.2 and rest.all())):
        return True
    counted = names in ([str(k + d) for k in range(len(names))] for d in (0, 1))
    if counted or not all(map(NUMBER.fullmatch, names)):
        return False
    given = pd.Series(cells.ravel(), dtype=object).dropna()
    return bool(given.str.fullmatch(NUMBER).mean() > 0.9)


def alike(names: pd.Series, labels: pd.Series) -> bool:
    """Whether what should be names is labels, or numbers with decimals as these are."""
    numbers = pd.to_numeric(names, errors="coerce").sort_values()
    if (numbers.diff()[1:] == 1).all():  # in turn, as of rows
        return False
    both = (texts.str.fullmatch(DECIMALS).mean() > 0.5 for texts in (names, labels))
    return bool(all(both) or names.isin(labels).mean() >= 0.5)


def _form(text: str) -> str:
    """Letters as a, digits as 0, words as one: t17 and x3 are alike."""
    form = re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "a", text))
    return re.sub(r"a(\W+a)+", "a a", form)
