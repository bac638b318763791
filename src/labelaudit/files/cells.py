"""What the cells of a table mean: labels, numbers, counts, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._words import shown, warn
from ..agreement.reading import objects
from .tables import at
from .text import UnreadableError, parsed, plain, typed

# Texts that often mean that there is no label, and may also be one.
DOUBTFUL = {
    *("na", "n/a", "n.a.", "<na>", "nan", "-nan", "+nan", "<nan>", "nat", "missing"),
    *("null", "<null>", "(null)", "\\n", "none", "<none>", "-", "--", "?", "."),
    *("#n/a", "#na", "#ref!", "#value!", "#name?", "#div/0!", "#num!", "#null!"),
    *("*", "**", "***", "???", "...", "x?", "not annotated", "unannotated", "no label"),
    *("unlabeled", "unlabelled", "not labeled", "not labelled", "not rated", "unrated"),
    *("no answer", "not available", "skip", "skipped", "(blank)", "empty", "undefined"),
    *("no judgment", "no judgement", "not judged", "k.a.", "k. a.", "keine angabe"),
    *("nicht annotiert", "sin dato", "sin datos", "non annot\u00e9", "s/d", "#n/d"),
}
# Numbers that often mean so where they are rare and far from the others; -1 also
# where it is frequent, below numbers from 0 to 2 or more.
CODES = {-1, -9, -99, -999, -9999, 9, 99, 999, 9999}
RARE = 0.1
# One comma before three digits may group thousands (1,500), or be a decimal comma;
# more groups than one are thousands. 0,500 and 1234,500 are no thousands.
AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}((,\d{3}){2,}|(\.\d{3}){2,})")
A_THOUSAND = re.compile(r"\+?[1-9]\d{0,2}\.\d{3}")  # as a count, or one: 1.000


@dataclass(frozen=True)
class Meaning:
    """How the cells of a file are to be understood.

    Attributes
    ----------
    path : str or Path
        The file, for messages.
    declared : list or None
        The labels that there are, in their order; None: those that are found.
    missing : sequence of str
        Texts that are no label; an empty cell never is one.
    numbers : bool
        Labels are numbers.
    sets : str or None
        What separates the labels of a set; then each label is a frozenset of texts.
    """

    path: str | Path
    declared: list[Any] | None
    missing: Sequence[str]
    numbers: bool
    sets: str | None = None

    @classmethod
    def of(
        cls,
        path: str | Path,
        labels: Sequence[str],
        missing: Sequence[str],
        numbers: bool,
        sets: str | None = None,
    ) -> Meaning:
        """With the labels that are declared, as texts; refused unless they differ."""
        declared: list[Any] = list(labels)
        if sets is not None:
            declared = [members(text, sets) for text in labels]
            return cls(path, declared or None, missing, False, sets)
        for k, text in enumerate(labels):
            if numbers:
                declared[k] = _number(text)
            if numbers and np.isnan(declared[k]):
                raise UnreadableError(
                    f"{path}: --labels names {shown(text)}, which is not a number, and"
                    " this distance needs numbers"
                )
            if declared[k] in declared[:k]:
                raise UnreadableError(f"{path}: --labels names {shown(text)} twice")
        return cls(path, declared or None, missing, numbers)

    def labels(self, cells: pd.DataFrame) -> pd.DataFrame:
        """Cells as labels: missing ones none, numbers where they are to be."""
        flat = cells.to_numpy().ravel()
        codes, found = pd.factorize(flat)
        none = np.isin(found.astype(str), list(self.missing))

        def refuse(wrong: Any, why: str) -> UnreadableError:
            cell = int(np.isin(codes, np.flatnonzero(wrong)).argmax())
            where = at(self.path, cells, cell // cells.shape[1])
            return UnreadableError(f"{where}: {shown(flat[cell])} {why}")

        values: Any = found
        if self.numbers:
            values, wrong, why = _numbers(found, none)
            odd = [str(t) for t in found[wrong] if str(t).casefold() in DOUBTFUL]
            if wrong.any() and str(found[wrong.argmax()]) in odd:
                way = typed("--missing", [*self.missing, *odd])
                why += f"; if it means that there is none, say so: {way}"
            if wrong.any():
                raise refuse(wrong, why)
        if self.sets is not None:
            values = objects(members(text, self.sets) for text in found)
        if self.declared is not None:
            known = set(self.declared)
            wrong = np.array([value not in known for value in values], bool) & ~none
            if wrong.any():
                names = ", ".join(map(str, self.declared))
                raise refuse(wrong, f"is not among the labels that were named: {names}")
        self._doubt(codes, np.where(none, "", found))
        values = objects([*np.where(none, None, values), None])
        made = values[codes].reshape(cells.shape)
        kind = float if self.numbers else object
        return pd.DataFrame(made, cells.index, cells.columns, kind)

    def _doubt(self, codes: np.ndarray, found: Any) -> None:
        """Tell of labels that may mean that there is none."""
        times = dict(zip(found, np.bincount(codes[codes >= 0], minlength=len(found))))
        given = {t: int(n) for t, n in times.items() if n and t != ""}
        declared = {
            text for text in found if str(text) in map(str, self.declared or ())
        }
        far = set() if self.declared else _far(given)
        doubted = [
            text
            for text in given
            if (text.casefold() in DOUBTFUL or text in far) and text not in declared
        ]
        if doubted:
            told = ", ".join(
                f"{shown(t)} {'once' if given[t] == 1 else f'{given[t]:,} times'}"
                for t in doubted
            )
            way = typed("--missing", [*self.missing, *doubted])
            warn(f"labels that may mean that there is none: {told}; if so, say {way}")


def _far(given: dict[str, int]) -> set[str]:
    """Codes that are farther from the other numbers than these are; see CODES."""
    values = {text: value for text in given if not np.isnan(value := _number(text))}
    usual = sorted({v for text, v in values.items() if v not in CODES})
    most = RARE * sum(given.values())
    grades = bool(usual) and usual[0] >= 0 and usual[-1] >= 2  # below which -1 is none
    rare = {
        text
        for text, value in values.items()
        if value in CODES and (given[text] <= most or (value == -1 and grades))
    }
    if not usual:
        return rare if len(given) > 2 else set()
    gap = max(np.diff(usual), default=1)
    far = set()
    for text in rare:
        value = values[text]
        below = value < usual[0] and usual[0] - value >= gap
        if below or value - usual[-1] > gap:
            far.add(text)
    return far


def members(text: str, separator: str) -> frozenset[str]:
    """The labels of a set: a JSON list, or texts with separators between them."""
    found = parsed(text)
    if isinstance(found, list):
        return frozenset(plain(one).strip() for one in found)
    return frozenset(part.strip() for part in text.split(separator) if part.strip())


def counts(path: str | Path, cells: pd.Series, what: str) -> np.ndarray:
    """Cells that say how many, as floats of whole numbers; what: these count."""
    found = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=float)
    bad = ~((found >= 0) & (np.floor(found) == found) & np.isfinite(found))
    bad |= [bool(A_THOUSAND.fullmatch(text or "")) for text in cells]
    if bad.any():
        position = int(bad.argmax())
        got = cells.iloc[position]
        seen = "nothing; write 0 for none" if got is None else shown(got)
        raise UnreadableError(
            f"{at(path, cells, position)}: {cells.name} must be a whole number of"
            f" {what}, got {seen}"
        )
    return found


def _numbers(found: np.ndarray, none: np.ndarray) -> tuple[np.ndarray, np.ndarray, str]:
    """Texts as numbers; which of them are to be refused, and why."""
    values = np.array([_number(text) for text in found])
    comma = np.array([_number(_point(text)) for text in found])
    if not any("." in text for text in found[~none]):
        values = np.where(np.isnan(values), comma, values)
    for form, why in (
        (AMBIGUOUS, "may mean {0} or {1:.12g}; write {0}, or {1:.12g} with a point"),
        (GROUPED, "has its thousands in groups: write {0}"),
    ):
        match = [bool(form.fullmatch(str(text))) for text in found]
        wrong = np.array(match, bool) & ~none
        if wrong.any():
            text = str(found[wrong.argmax()])
            plain = text.replace(",", "").replace(".", "")
            return values, wrong, why.format(plain, _number(_point(text)))
    wrong = np.isnan(values) & ~none
    if (wrong & ~np.isnan(comma)).any():
        why = "has a decimal comma where others have a point"
        return values, wrong & ~np.isnan(comma), why
    return values, wrong, "is not a number, which this distance needs"


def _point(text: str) -> str:
    """A decimal comma as a point, where there is one comma and no point."""
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else "?"


def _number(text: str) -> float:
    """NaN for what is no finite number."""
    try:
        value = float(text) if "_" not in text else np.nan
    except ValueError:
        return np.nan
    return value if np.isfinite(value) else np.nan
