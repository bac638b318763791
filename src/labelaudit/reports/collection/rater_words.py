"""What to know of raters, in words; see `warnings`.

`talk` names those of `raters.flags`; the other rules here ask who uses labels
differently and who disagrees more than others do.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pandas as pd

from ..._words import number, who
from ..saying import listed, say
from .found import APART, EDGE, FEW_SHARED, Reliability
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


def bias(found: Reliability) -> str:
    """Raters who use labels differently on the same items.

    Our rule: nothing is said about a rater who shares fewer than FEW_SHARED items with
    others; of fewer a standard error says too little.
    """
    use = found.label_use
    if len(use) == 0:
        return ""
    known = found.raters.index[found.raters["shared"] >= FEW_SHARED]
    use = use[use.index.get_level_values("rater").isin(known)]
    away = use["difference"].abs()
    clear = away > found._beyond(len(use)) * use["standard_error"]
    use = use[(away >= APART - EDGE) & clear]
    # The largest difference of each rater; of two labels, the one given more often.
    order = np.lexsort((-use["difference"], -use["difference"].abs().round(9)))
    use = use.iloc[order]
    use = use[~use.index.get_level_values("rater").duplicated()]
    rows = (
        {"who": who(name), "label": label, "row": row}
        for (name, label), row in use.iterrows()
    )
    both = _apart(found.of["janson_olsson_iota"].value, found.alpha.value, 2)
    counted = "" if both is None else say("counted", both=both)
    return say("use", those=listed("use", rows, "rater"), counted=counted)


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
    both = None if np.isnan(value) else _apart(value, found.alpha.value)
    return "" if both is None else say("without", who=who(name), both=both)


def _apart(one: float, other: float, most: int = 4) -> tuple[str, str] | None:
    """Two values with as many decimals as show that they differ, 2 or more; or None."""
    pairs = ((number(one, d), number(other, d)) for d in range(2, most + 1))
    return next((pair for pair in pairs if pair[0] != pair[1]), None)
