"""What to know of raters, in words; see `warnings`.

`talk` names those of `raters.flags`; the other rules here ask who uses labels
differently and who disagrees more than others do.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..._words import who
from .raters import LEVEL
from .saying import ALPHA, APART, EDGE, FEW_SHARED, Of, apart, listed, say

if TYPE_CHECKING:
    from .found import Reliability

SHIFTED = 0.2  # of the labels' standard deviation, a rater's numbers; ours
WORSE = 1.25  # disagreement with the others, by theirs among themselves; ours
MATTERS = 0.05  # of the disagreement expected by chance; ours


def talk(found: Reliability, of: Of) -> str:
    """Raters to talk to, those with most judgments first."""
    named = found.flags[found.flags["flagged"].astype(bool)]
    if len(named) == 0:
        return ""
    rows = (
        {"who": who(name), "row": row, "without": _without(found, name, of)}
        for name, row in named.iterrows()
    )
    those = listed("talk", rows, "rater", ". ")
    return say("talk", raters=len(named), those=those, level=LEVEL)


def bias(found: Reliability, of: Of) -> str:
    """Raters who use labels differently on the same items.

    Our rule: nothing is said about a rater who shares fewer than FEW_SHARED items with
    others; of fewer a standard error says too little.
    """
    use = found.label_use
    if "shift" in found.raters:
        return _shifted(found)
    if len(use) == 0:
        return ""
    known = found.raters.index[found.raters["shared"] >= FEW_SHARED]
    use = use[use.index.get_level_values("rater").isin(known)]
    away = use["difference"].abs()
    clear = away > found._beyond(len(use)) * use["standard_error"]
    use = use[(away >= APART - EDGE) & clear]
    if len(use) == 0:
        return ""
    # The largest difference of each rater; of two labels, the one given more often.
    order = np.lexsort((-use["difference"], -use["difference"].abs().round(9)))
    use = use.iloc[order]
    use = use[~use.index.get_level_values("rater").duplicated()]
    rows = (
        {"who": who(name), "label": label, "row": row}
        for (name, label), row in use.iterrows()
    )
    both = apart(of["janson_olsson_iota"].value, of[ALPHA].value, 2)
    counted = "" if both is None else say("counted", both=both)
    return say("use", those=listed("use", rows, "rater"), counted=counted)


def _shifted(found: Reliability) -> str:
    """Raters whose numbers lie above or below the others'; see bias."""
    table = found.raters[found.raters["shared"] >= FEW_SHARED]
    labels = np.asarray(found.ratings.labels, dtype=float)
    spread = float(np.sqrt(np.cov(labels, aweights=found._kept, ddof=0)))
    size = table["shift"].abs()
    clear = size > found._beyond(len(table)) * table["shift_error"]
    far = (size >= SHIFTED * spread * (1 - EDGE)) & clear
    odd = table[far].iloc[np.argsort(-size[far], kind="stable")]
    if len(odd) == 0:
        return ""
    rows = (
        {"who": who(name), "by": abs(by), "side": "above" if by > 0 else "below"}
        for name, by in odd["shift"].items()
    )
    return say("shifted", those=listed("shifted", rows, "rater", ", "), spread=spread)


def rater(found: Reliability, of: Of) -> str:
    """Raters who disagree with the others more than these among themselves.

    Our rule: nothing is said about a rater with fewer than FEW_SHARED items that two
    others judged too.
    """
    odd, unit, share = _odd(found, of), "of comparisons", 1.0
    if found.distance != "nominal":
        unit, share = "of what chance would give", of[ALPHA].expected_disagreement
    rows = [
        {
            "who": who(name),
            "own": row["disagreement"] / share,
            "others": row["among_others"] / share,
            "unit": unit,
            "without": _without(found, name, of),
        }
        for name, row in odd.iterrows()
    ]
    return say("rater", those=listed("rater", rows, "rater", ". ")) if rows else ""


def _odd(found: Reliability, of: Of) -> pd.DataFrame:
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
    large &= excess >= MATTERS * of[ALPHA].expected_disagreement
    return table[clear & large].sort_values("excess", ascending=False)


def _without(found: Reliability, name: Hashable, of: Of) -> str:
    """What alpha is without a rater, where that was computed and differs."""
    value = found.raters.loc[name].get("without", np.nan)
    both = None if np.isnan(value) else apart(value, of[ALPHA].value)
    return "" if both is None else say("without", who=who(name), both=both)
