"""Rows that are chosen, and cells that hold several judgments, taken apart."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from .tables import UnreadableError, at
from .text import plain


def chosen(
    path: str,
    frame: pd.DataFrame,
    where: Sequence[str],
    column: Callable[[str], str | None],
) -> pd.DataFrame:
    """The rows that have all of these values, each "COLUMN=VALUE"."""
    for condition in where:
        name, sign, value = condition.partition("=")
        if not sign:
            raise UnreadableError(f"--where must be COLUMN=VALUE, got {condition!r}")
        cells = frame[column(name)]
        kept = cells.fillna("").astype(str).to_numpy() == value.strip()
        if not kept.any():
            seen = ", ".join(repr(one) for one in cells.dropna().unique()[:5])
            raise UnreadableError(
                f"{path}: no row has {value.strip()!r} in the column {name!r}, which"
                f" --where wants; it has {seen}"
            )
        frame = frame[kept]
    return frame


def looks_like_data(frame: pd.DataFrame) -> bool:
    """Whether names of columns are what the rows have too, the first one in form."""
    first, *others = frame.columns
    alike = frame.iloc[:, 0].dropna().map(_form) == _form(first)
    if not first or not len(alike) or alike.mean() < 0.5:
        return False
    return any(name and (frame[name] == name).any() for name in others)


def _form(text: str) -> str:
    """Letters as a, digits as 0: t17 and x3 are alike."""
    return re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "a", text))


def taken_apart(
    path: str, frame: pd.DataFrame, columns: dict[str, str | None], separator: str
) -> tuple[pd.DataFrame, bool]:
    """One row per judgment, and whether nobody says whose they are.

    columns : item, rater (None where there is none) and label
    """
    label, rater = columns["label"], columns["rater"]
    if label is None or columns["item"] is None:
        absent = "label" if label is None else "item"
        raise UnreadableError(
            f"{path} has no column {absent!r}, whose cells --split takes apart: name it"
            f" by --{absent}; its columns: {', '.join(frame.columns)}"
        )
    rows: list[int] = []
    raters: list[str | None] = []
    labels: list[str | None] = []
    named = rater is not None
    for k, cell in enumerate(frame[label]):
        given = _parts(cell, separator)
        if isinstance(given, dict):
            named = True
            who: list[Any] = [*given]
            given = [*given.values()]
        else:
            who = [None] * len(given)
            if rater is not None:
                who = _whose(path, frame, k, frame[rater].iloc[k], given, separator)
        rows += [k] * len(given)
        raters += who
        labels += given
    apart = frame.iloc[rows].copy()
    apart[label] = pd.Series(labels, index=apart.index, dtype=object)
    if named:
        apart[rater or "rater"] = pd.Series(raters, index=apart.index, dtype=object)
    return apart, not named


def _whose(
    path: str,
    frame: pd.DataFrame,
    row: int,
    cell: Any,
    given: list[Any],
    separator: str,
) -> list[Any]:
    who = _parts(cell, separator)
    if isinstance(who, dict):
        where = at(path, frame, row)
        raise UnreadableError(f"{where}: a list of raters is wanted, got {cell!r}")
    if len(who) == 1:
        return who * len(given)
    if len(who) != len(given):
        raise UnreadableError(
            f"{at(path, frame, row)}: {len(who)} raters and {len(given)} labels"
        )
    return who


def _parts(cell: Any, separator: str) -> Any:
    """The parts of a cell: a list of texts, or an object of raters and labels."""
    if cell is None or cell != cell:
        return []
    if cell[:1] in ("[", "{"):
        try:
            found = json.loads(cell)
        except json.JSONDecodeError:
            found = None
        if isinstance(found, dict):
            return {str(key): _text(value) for key, value in found.items()}
        if isinstance(found, list):
            return [_text(value) for value in found]
    return [part.strip() or None for part in cell.split(separator)]


def _text(value: Any) -> str | None:
    return None if value is None else plain(value).strip() or None
