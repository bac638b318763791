"""What to know of raters, in words; see `warnings`.

`talk` names those of `raters.flags`, `rater` who disagrees more than others do.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pandas as pd

from ..._words import number, who
from ..saying import listed, say
from .found import EDGE, FEW_SHARED, Reliability
from .raters import LEVEL

WORSE = 1.25  # disagreement with the others, by theirs among themselves; ours
MATTERS = 0.05  # of the disagreement expected by chance; ours


def talk(found: Reliability) -> str:
    """Raters to talk to, those with most judgments first."""
    named = found.flags[found.flags["flagged"].astype(bool)]
    rows = (
        {"who": who(name), "row": row, "without": _without(found, name)}
        for name, row in named.iterrows()
    )
    those = listed("talk", rows, "rater", ". ")
    return say("talk", raters=len(named), those=those, level=LEVEL)


def rater(found: Reliability) -> str:
    """Raters who disagree with the others more than these among themselves.

    Our rule: nothing is said about a rater with fewer than FEW_SHARED items that two
    others judged too.
    """
    share, unit = found._unit
    rows = [
        {
            "who": who(name),
            "own": row["disagreement"] / share,
            "others": row["among_others"] / share,
            "unit": unit,
            "without": _without(found, name),
        }
        for name, row in _odd(found).iterrows()
    ]
    return say("rater", those=listed("rater", rows, "rater", ". "))


def _odd(found: Reliability) -> pd.DataFrame:
    """The rows of these raters, the worst first."""
    table, r = found.raters, found.ratings
    if len(table) < 3:
        return table.iloc[:0]
    j = r.judgments
    compared = np.bincount(j.known_rater[r.per_item[j.item] >= 3], minlength=len(table))
    table = table[compared >= FEW_SHARED]
    if found.distance == "nominal":  # else this says how far the labels are
        table = table[~found.flags["flagged"].reindex(table.index).astype(bool)]
    clear = table["excess"] > found._beyond(len(table)) * table["standard_error"]
    excess = table["excess"] + EDGE
    large = excess >= (WORSE - 1) * table["among_others"]
    large &= excess >= MATTERS * found.alpha.expected_disagreement
    return table[clear & large].sort_values("excess", ascending=False)


def _without(found: Reliability, name: Hashable) -> str:
    """What alpha is without a rater, where that was computed and differs."""
    value = found.raters.loc[name].get("without", np.nan)
    both = number(value), number(found.alpha.value)
    if np.isnan(value) or both[0] == both[1]:
        return ""
    return say("without", who=who(name), both=both)
