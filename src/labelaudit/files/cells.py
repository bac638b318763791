"""What the cells of a table mean: labels, numbers, counts, or nothing."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._words import shown, text as written
from ..agreement.reading import MOST_ITEMS, objects
from .asked import Asked
from .names import WORDS
from .said import note, refused, say
from .tables import at
from .text import cell, parsed

DOUBTFUL = {*WORDS["missing"]["texts"]}
# Numbers that often mean so where they are rare and far from the others; -1 also
# where it is frequent, below numbers from 0 to 2 or more.
CODES = {-1, -8, -9, -88, -99, -999, -9999, 9, 77, 88, 99, 998, 999, 9999}
SEPARATORS = (",", ";", "|")
EMPTY = "{}"  # the empty set, as reports write it
RARE = 0.1
FEW_WORDS = 2  # among so many numbers or more: they may mean that there is none
# One comma before three digits may group thousands (1,500), or be a decimal comma;
# more groups than one are thousands. 0,500 and 1234,500 are no thousands.
AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}((,\d{3}){2,}|(\.\d{3}){2,})")
WHOLE = re.compile(r"[0-9]{1,12}(\.0)?")
A_THOUSAND = re.compile(r"\+?[1-9]\d{0,2}\.\d{3}")  # as a count, or one: 1.000


def declared(path: str, asked: Asked) -> list[Any] | None:
    """The labels that there are, in their order; None: those that are found."""
    if asked.sets is not None:
        return [members(text, asked.sets) for text in asked.labels] or None
    known: dict[Any, str] = {}
    for text in asked.labels:
        label = number(text) if asked.numbers else text
        if label != label:
            raise refused("no number named", at=path, label=text)
        if label in known:
            raise refused("label twice", at=path, label=text)
        known[label] = text
    return [*known] or None


def labels(
    path: str, asked: Asked, cells: pd.DataFrame, doubted: set[str] | None = None
) -> pd.DataFrame:
    """Cells as labels: missing ones none, numbers where they are to be.

    doubted : those of which it has been said that they may mean none; more are added
    """
    doubted = set() if doubted is None else doubted
    flat, known = cells.to_numpy().ravel(), declared(path, asked)
    codes, found = pd.factorize(flat)
    given = np.array([text not in asked.missing for text in found], bool)
    whys, values, empty = dict[str, str](), found, set[str]()
    if asked.sets is not None:
        values = objects(members(text, asked.sets) for text in found)
        empty = {text for text, label in zip(found, values) if not label}
        if EMPTY in asked.missing:
            given &= [text not in empty for text in found]
    elif asked.numbers:
        numbers, whys = _numbers(found[given])
        values = objects(numbers.get(text) for text in found)
    if known is not None:
        why = say("why", "not declared", names=", ".join(map(written, known)))
        there, pairs = {*known}, zip(found[given], values[given])
        whys = {text: why for text, value in pairs if value not in there} | whys
    if whys:
        place = next(k for k, text in enumerate(flat) if text in whys)
        words = [text for text in whys if not re.search(r"\d", text)]
        few = words if len(words) <= FEW_WORDS <= len(found) - len(words) else []
        odd = [text for text in whys if text.casefold() in DOUBTFUL or text in few]
        why = whys[flat[place]]
        if asked.numbers and flat[place] in odd:
            why = say("why", "nothing", missing=[*asked.missing, *odd])
        where = at(path, cells, place // cells.shape[1])
        raise refused("cell", at=where, cell=flat[place], why=why)
    times = np.bincount(codes[codes >= 0], minlength=len(found))
    often = dict(zip(found[given], times[given]))
    doubted |= {*_doubt(often, asked, doubted | {*map(str, known or ())}, empty)}
    if asked.sets is None:
        _tell_of_sets([*found[given]])
    made = objects([*np.where(given, values, None), None])[codes]
    kind = float if asked.numbers and asked.sets is None else object
    return pd.DataFrame(made.reshape(cells.shape), cells.index, cells.columns, kind)


def _doubt(
    given: dict[str, int], asked: Asked, known: set[str], empty: set[str]
) -> dict[str, str]:
    """Tell of labels that may mean that there is none, and how often they are.

    empty : those that are the empty set
    """
    far = set() if asked.labels else empty | _far(given)
    doubted = {
        text: "once" if n == 1 else f"{n:,} times"
        for text, n in given.items()
        if (text.casefold() in DOUBTFUL or text in far) and text not in known
    }
    if doubted:
        told = ", ".join(f"{shown(text)} {often}" for text, often in doubted.items())
        note("missing", told=told, missing=[*asked.missing, *doubted])
    return doubted


def _tell_of_sets(texts: list[str]) -> None:
    """Tell of labels that have the same parts in another order, or other labels."""
    known = {*texts}
    for mark in SEPARATORS:
        parts = {text: members(text, mark) for text in texts if mark in text}
        often = Counter(parts.values())
        sets = {text for text, of in parts.items() if often[of] > 1 or of <= known}
        if same := [shown(text) for text in parts if text in sets]:
            return note("order", labels=", ".join(same[:3]), mark=mark)


def _far(given: dict[str, int]) -> set[str]:
    """Codes that are farther from the other numbers than these are; see CODES."""
    values = {text: value for text in given if not np.isnan(value := number(text))}
    usual = sorted({value for value in values.values() if value not in CODES})
    most = RARE * sum(given.values())
    grades = bool(usual) and usual[0] >= 0 and usual[-1] >= 2  # below which -1 is none
    rare = {
        text
        for text, value in values.items()
        if value in CODES and (given[text] <= most or (value == -1 and grades))
    }
    if not usual:
        return rare if len(given) > 2 else set()
    gap, low, high = max(np.diff(usual), default=1), usual[0], usual[-1]
    return {t for t in rare if low - values[t] >= gap or values[t] - high > gap}


def parts(text: str, separator: str) -> Any:
    """What a cell holds: a list, or an object of raters and labels, of texts."""
    found = parsed(text)
    if isinstance(found, dict):
        return {key: cell(value) for key, value in found.items()}
    if found is None:
        found = text.split(separator)
    return [cell(value) for value in found]


def members(text: str, separator: str) -> frozenset[str]:
    """The labels of a set."""
    return frozenset(part for part in parts(text, separator) if part is not None)


def counts(path: str | Path, cells: pd.DataFrame, what: str) -> np.ndarray:
    """Cells that say how many, as whole numbers; what: these count."""
    flat = pd.Series(cells.to_numpy().T.ravel(), dtype=object)  # column by column
    found = pd.to_numeric(flat, errors="coerce").to_numpy(dtype=float)
    bad = ~((found >= 0) & (np.floor(found) == found) & np.isfinite(found))
    bad |= [bool(A_THOUSAND.fullmatch(text or "")) for text in flat]
    for wrong in (bad, found > MOST_ITEMS):
        if wrong.any():
            column, row = divmod(int(wrong.argmax()), len(cells))
            name, got = cells.columns[column], cells.iloc[row, column]
            kind = "too many" if wrong is not bad else "none" if got is None else "odd"
            place = {"at": at(path, cells, row), "name": name}
            raise refused(f"count {kind}", got=got, what=what, most=MOST_ITEMS, **place)
    return found.astype(np.int64).reshape(cells.shape[::-1]).T


def whole_numbers(cells: np.ndarray) -> np.ndarray | None:
    """Texts as whole numbers of at least 0, an empty one as 0; None for others.

    5.0 is one: so pandas writes whole numbers where a cell of theirs was empty.
    """
    texts = ["0" if text is None else text for text in cells.flat]
    if not all(map(WHOLE.fullmatch, texts)):
        return None
    whole = [int(text.removesuffix(".0")) for text in texts]
    return np.array(whole, dtype=np.int64).reshape(cells.shape)


def _numbers(texts: Iterable[str]) -> tuple[dict[str, float], dict[str, str]]:
    """Texts as numbers, and of those that are none, or may be another, why."""
    values, whys = dict[str, float](), dict[str, str]()
    points = any("." in text and not GROUPED.fullmatch(text) for text in texts)
    for text in texts:
        values[text], why = number(text), ""
        # A decimal comma as a point, where there is one comma and no point.
        comma = text.count(",") == 1 and "." not in text
        other = number(text.replace(",", ".")) if comma else np.nan
        if AMBIGUOUS.fullmatch(text):
            why = "ambiguous"
        elif GROUPED.fullmatch(text):
            why = "grouped"
        elif np.isnan(values[text]) and not np.isnan(other):
            values[text] = other
            why = "decimal comma" * points
        elif np.isnan(values[text]):
            why = "no number"
        if why:
            whole = text.replace(",", "").replace(".", "")
            whys[text] = say("why", why, whole=whole, number=other)
    return values, whys


def number(text: str) -> float:
    """NaN for what is no finite number."""
    try:
        value = float(text) if "_" not in text else np.nan
    except ValueError:
        return np.nan
    return value if np.isfinite(value) else np.nan
