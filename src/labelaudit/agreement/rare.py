"""Rare labels: when an interval is known to cover, one rule for every coefficient.

J is the number of items that can be expected to carry a label on both sides: in two
judgments of the item, in both replications, in a judgment and the suggestion. With two
labels the rarer one's J decides whether there is an interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pandas as pd

from .._checks import Array
from .._digits import significant
from .._words import label_name

# With two labels `interval` gives none below TOO_FEW unless a method is asked for; from
# FEW on the jackknife covers as well (notebook sweep_04 has the coverage by J).
FEW, TOO_FEW = 10, 5
BELOW = 1 - 1e-9  # sums that end a rounding below are not below
MOST_SAID = 10  # rare labels that get a warning of their own


class Labelled(Protocol):
    """What the rule needs of a statistic."""

    labels: pd.Index
    totals: Array  # (n_labels,), judgments

    @property
    def carriers(self) -> Array:
        """J of each label, (n_labels,)."""
        ...


def too_rare(s: Labelled, both: str) -> str:
    """Why no interval is known to cover; empty where one is, and with more labels."""
    used = np.flatnonzero(s.totals)
    if len(used) != 2 or s.carriers[used].min() >= TOO_FEW * BELOW:
        return ""
    rarest = used[np.argmin(s.carriers[used])]
    few = f"fewer than {TOO_FEW}: too few for an interval that is known to cover"
    return f"{_expected(s, rarest, both)}, {few}"


def rare(s: Labelled, both: str) -> Sequence[str]:
    """What to know of rare labels before the jackknife's interval is believed."""
    used = np.flatnonzero(s.totals)
    few = used[s.carriers[used] < FEW * BELOW]
    few = few[np.argsort(s.carriers[few], kind="stable")]
    named = few[: 1 if len(used) == 2 else MOST_SAID]
    said = [
        f"{_expected(s, c, both)}, fewer than {FEW}: few to judge by, and an"
        " interval by the jackknife may be too short"
        for c in named
    ]
    if len(used) > 2 and len(few) > len(named):
        said.append(f"so with {len(few) - len(named)} more labels")
    return said


def _expected(s: Labelled, label: int, both: str) -> str:
    items = significant(s.carriers[label], 2)
    items += f" item{'s' * (items != '1')}"
    return (
        f"about {items} can be expected to carry {label_name(s.labels[label])} {both}"
    )
