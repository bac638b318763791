"""What a pipeline requires of a coefficient: --require "krippendorff_alpha=0.667"."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from .._words import number, plural
from ..agreement.table import TABLE
from ..reports.collection.found import Reliability

FORM = re.compile(r"\s*(\w+)\s*>?=\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*")
FEWEST = 30  # items, for the value 1 without any disagreement


@dataclass(frozen=True)
class Required:
    """A coefficient and its least lower limit."""

    name: str
    least: float

    def missed_by(self, found: Reliability) -> str:
        """Why the requirement does not hold; empty where it does."""
        row, called = found.coefficients.loc[self.name], TABLE[self.name].name
        wanted = f"--require {self.name}={self.least:g} does not hold"
        if np.isnan(row["value"]):
            return f"{wanted}: {called} has no value ({row['why']})"
        low, whole = row["low"], row["value"] == 1 and row["observed_disagreement"] == 0
        if np.isnan(low) and whole and found.n_items >= FEWEST:
            low = 1.0
        if np.isnan(low):
            why = f"{called} is {number(row['value'])} and has no lower limit"
            few = f", and {plural(found.n_items, 'item')} are fewer than {FEWEST}"
            return f"{wanted}: {why} ({row['why']}{few * bool(whole)})"
        if low >= self.least:
            return ""
        return f"{wanted}: the lower limit of {called} is {number(low, 4)}"


def read(text: str) -> Required:
    """ "NAME=X" or "NAME>=X"; else a ValueError."""
    match = FORM.fullmatch(text)
    if match is None or match[1] not in TABLE:
        raise ValueError(
            "--require takes NAME=X (the lower limit is at least X), such as"
            f" krippendorff_alpha=0.667, with a name of {', '.join(TABLE)}; got"
            f" {text!r}"
        )
    return Required(match[1], float(match[2]))
