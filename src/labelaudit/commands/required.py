"""What a pipeline requires of a coefficient: --require "krippendorff_alpha>=0.667"."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from .._words import number
from ..agreement.table import TABLE
from ..reports.collection.found import Reliability

FORM = re.compile(r"\s*(\w+)\s*(\S*?)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*")
FEWEST = 30  # items, for the value 1 without any disagreement


@dataclass(frozen=True)
class Required:
    """A coefficient and its least lower limit."""

    name: str
    least: float

    def missed_by(self, found: Reliability) -> str:
        """Why the requirement does not hold; empty where it does."""
        called = TABLE[self.name].name
        wanted = f"--require {self.name}>={self.least:g} does not hold"
        if self.name not in found.coefficients.index:
            return f"{wanted}: {called} is not computed here"
        row = found.coefficients.loc[self.name]
        if not row["fits"] or np.isnan(row["value"]):
            return f"{wanted}: {called} has no value ({row['why']})"
        low, enough = row["low"], int(found.items["ratings"].count()) >= FEWEST
        if row["value"] == 1 and row["observed_disagreement"] == 0 and enough:
            low = 1.0
        if np.isnan(low):
            return (
                f"{wanted}: {called} is {number(row['value'])} and has no"
                f" lower limit ({row['why']})"
            )
        if low >= self.least:
            return ""
        return f"{wanted}: the lower limit is {number(low, 4)}"


def read(text: str) -> Required:
    """ "NAME>=X", or a ValueError."""
    match = FORM.fullmatch(text)
    if match is None or match[2] != ">=" or match[1] not in TABLE:
        raise ValueError(
            f"--require must be NAME>=X with one of the names {', '.join(TABLE)}, got"
            f" {text!r}"
        )
    return Required(match[1], float(match[3]))
