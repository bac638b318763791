"""The ledger: every number and claim that a paper prints, and what we find.

data/published/*.csv holds what is printed. A notebook reports a Finding about
an entry; the verdict follows from the finding by the rules below, never from a
notebook's say-so, and an entry without a finding is open.
"""

from __future__ import annotations

import csv
import json
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd

from labelaudit import _digits, recording

from . import paths

COLUMNS = [
    "document",
    "place",
    "quantity",
    "printed",
    "ours",
    "exact",
    "standard_error",
    "verdict",
    "cause",
    "notebook",
]

VERDICTS = {
    "exact": "equal at the printed digits",
    "monte carlo": "within 4 standard errors of the exact value",
    "misprint": "not what the paper itself uses or means",
    "defect": "only an error reproduces it",
    "holds": "a claim in words that holds",
    "false": "a claim in words that does not hold",
    "input": "a setting",
    "cited": "another work's number",
    "open": "not settled; the cause says what it needs",
}

KINDS = ("number", "claim", "setting", "cited")


@dataclass(frozen=True)
class Entry:
    """Something that a document prints."""

    document: str
    key: str
    place: str
    quantity: str
    printed: str
    kind: str

    def matches(self, value: Any) -> bool:
        """Whether a value equals the printed number at the printed digits."""
        if value is None:
            return False
        printed = Decimal(self.printed)
        half = Decimal(1).scaleb(int(printed.as_tuple().exponent)) / 2
        return abs(Decimal(repr(float(value))) - printed) <= half + Decimal("1e-9")


@dataclass(frozen=True)
class Finding:
    """What a notebook finds about an entry.

    ours: what our run gives, by the published procedure where that is an error,
    by simulation where the paper simulates. exact: the right value.
    standard_error: of a simulated value. holds: for a claim. misprint: that the
    printed value is a slip of the pen. cause: why it differs, or what shows it.
    needs: what is missing to settle it ("the released file"); it is then open.
    """

    ours: Any = None
    exact: Any = None
    standard_error: float | None = None
    holds: bool | None = None
    misprint: bool = False
    cause: str = ""
    needs: str = ""

    def values(self) -> dict[str, Any]:
        """The fields that are set, as plain values of ten significant digits."""
        fields = {k: _plain(v) for k, v in asdict(self).items()}
        unset = Finding.__dataclass_fields__
        return {k: v for k, v in fields.items() if v != unset[k].default}


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() else float(_digits.significant(value, 10))


def verdict(entry: Entry, finding: Finding | None) -> str:
    """The verdict that the finding supports."""
    if entry.kind == "cited":
        return "cited"
    if finding is None or finding.needs:
        return "open"
    if entry.kind == "claim":
        if finding.misprint and finding.cause:
            return "misprint"
        if finding.holds is None or not (finding.cause or finding.exact is not None):
            return "open"
        return "holds" if finding.holds else "false"
    if finding.misprint:
        differs = finding.exact is not None and float(entry.printed) != finding.exact
        return "misprint" if differs and finding.cause else "open"
    if entry.kind == "setting":
        return "input" if finding.ours == float(entry.printed) else "open"
    if finding.standard_error is not None:
        room = 4 * finding.standard_error
        near = [
            abs(float(v) - finding.exact) <= room for v in (entry.printed, finding.ours)
        ]
        return "monte carlo" if all(near) else "open"
    if entry.matches(finding.exact):
        return "exact"
    if entry.matches(finding.ours) and finding.cause and finding.exact is not None:
        return "defect"
    return "open"


def row(entry: Entry, finding: Finding | None, notebook: str) -> dict[str, Any]:
    """One line of the ledger."""
    found = (finding or Finding()).values()
    cause = found.get("cause", "" if finding else "no notebook computes it")
    if "needs" in found:
        cause = "; ".join(filter(None, [f"needs {found['needs']}", cause]))
    return {
        "document": entry.document,
        "place": entry.place,
        "quantity": entry.quantity,
        "printed": entry.printed,
        "ours": found.get("ours"),
        "exact": found.get("exact"),
        "standard_error": found.get("standard_error"),
        "verdict": verdict(entry, finding),
        "cause": cause,
        "notebook": notebook if finding else "",
    }


def published() -> list[Entry]:
    """Everything in data/published, in the order of the files."""
    entries = []
    for file in sorted(paths.PUBLISHED.glob("*.csv")):
        with file.open(newline="", encoding="utf-8") as lines:
            for line in csv.DictReader(lines):
                entries.append(Entry(document=file.stem, **line))
    keys = [entry.key for entry in entries]
    twice = {key for key in keys if keys.count(key) > 1}
    wrong = {entry.kind for entry in entries} - set(KINDS)
    if twice or wrong:
        raise ValueError(f"data/published: keys twice {twice}, unknown kinds {wrong}")
    return entries


def recorded(folder: Path = paths.NOTEBOOKS) -> dict[str, tuple[Finding, str]]:
    """The findings stored in the outputs of the executed notebooks of a folder."""
    findings: dict[str, tuple[Finding, str]] = {}
    for file in sorted(folder.glob("*.ipynb")):
        values: dict[str, dict[str, Any]] = {}
        for name, value in recording.recorded(
            json.loads(file.read_text(encoding="utf-8"))
        ).items():
            key, dot, field = name.rpartition(".")
            if dot and field in Finding.__dataclass_fields__:
                values.setdefault(key, {})[field] = value
        for key, fields in values.items():
            if key in findings:
                raise ValueError(f"{key!r} is checked by two notebooks")
            findings[key] = Finding(**fields), file.stem
    return findings


def table(findings: dict[str, tuple[Finding, str]] | None = None) -> pd.DataFrame:
    """The whole ledger; of the findings in notebooks/ unless others are given."""
    findings = recorded() if findings is None else findings
    entries = published()
    unknown = set(findings) - {entry.key for entry in entries}
    if unknown:
        raise ValueError(f"findings about nothing that is published: {unknown}")
    rows = [row(entry, *findings.get(entry.key, (None, ""))) for entry in entries]
    # As objects: whole numbers stay whole numbers beside others.
    return pd.DataFrame(rows, columns=COLUMNS, dtype=object)
