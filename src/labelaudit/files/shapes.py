"""Rows that are chosen, and cells that hold several judgments, taken apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from .._words import warn
from .tables import at
from .text import UnreadableError, cell, few, parsed


def chosen(
    path: str,
    frame: pd.DataFrame,
    where: Sequence[str],
    column: Callable[[str], str],
) -> pd.DataFrame:
    """The rows for which all of these hold, each "COLUMN=VALUE" or "COLUMN!=VALUE"."""
    for condition in where:
        name, sign, value = condition_of(condition)
        cells = frame[column(name)]
        has = cells.fillna("").astype(str).to_numpy() == value
        if sign == "!=" and not has.any():
            warn(f"--where {condition} leaves out no row: none has {value!r} there")
        kept = has if sign == "=" else ~has
        if not kept.any():
            seen = ", ".join(repr(one) for one in cells.dropna().unique()[:5])
            what = (
                f"no row has {value!r}" if sign == "=" else f"all rows have {value!r}"
            )
            raise UnreadableError(
                f"{path}: {what} in the column {name!r}, so that --where {condition}"
                f" leaves none; it has {seen}"
            )
        frame = frame[kept]
    return frame


def condition_of(text: str) -> tuple[str, str, str]:
    """A column, = or !=, and a value; a column whose name has = in it has none here."""
    found = re.fullmatch(r"(.*?\S.*?)(!?=)(.*)", text, re.DOTALL)
    if found is None:
        raise UnreadableError(
            f"--where must be COLUMN=VALUE or COLUMN!=VALUE, got {text!r}"
        )
    return found[1].strip(), found[2], found[3].strip()


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
            f" by --{absent}; its columns: {few(frame.columns)}"
        )
    rows: list[int] = []
    raters: list[str | None] = []
    labels: list[str | None] = []
    named = rater is not None
    for k, text in enumerate(frame[label]):
        given = _parts(text, separator)
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
    text: Any,
    given: list[Any],
    separator: str,
) -> list[Any]:
    who = _parts(text, separator)
    if isinstance(who, dict):
        where = at(path, frame, row)
        raise UnreadableError(f"{where}: a list of raters is wanted, got {text!r}")
    if len(who) == 1:
        return who * len(given)
    if len(who) != len(given):
        raise UnreadableError(
            f"{at(path, frame, row)}: {len(who)} raters and {len(given)} labels"
        )
    return who


def _parts(text: Any, separator: str) -> Any:
    """The parts of a cell: a list of texts, or an object of raters and labels."""
    if text is None or text != text:
        return []
    found = parsed(text)
    if isinstance(found, dict):
        return {key: cell(value) for key, value in found.items()}
    if isinstance(found, list):
        return [cell(value) for value in found]
    return [part.strip() or None for part in text.split(separator)]
