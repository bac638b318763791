"""What to know of raters, in words; see `warnings`.

`talk` names those of `raters.flags`; the other rules here ask who uses labels
differently and who disagrees more than others do.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..._words import label_name, number, percent, plural, who
from .raters import LEVEL
from .saying import ALPHA, APART, EDGE, FEW_SHARED, Of, apart, beyond, kept, told

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
    texts = (
        f"{who(name)} ({plural(int(row['judgments']), 'judgment')}) {row['reasons']}"
        + _without(found, name, of)
        for name, row in named.iterrows()
    )
    return (
        f"talk to {plural(len(named), 'rater')}: {told(texts, 'rater', '. ')} (hardly"
        f" by luck: p at most {LEVEL:g}, adjusted for all raters)"
    )


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
    clear = away > beyond(found, len(use)) * use["standard_error"]
    use = use[(away >= APART - EDGE) & clear]
    if len(use) == 0:
        return ""
    # The largest difference of each rater; of two labels, the one given more often.
    order = np.lexsort((-use["difference"], -use["difference"].abs().round(9)))
    use = use.iloc[order]
    use = use[~use.index.get_level_values("rater").duplicated()]
    texts = (
        f"{who(name)} gives {label_name(label)} in {percent(row['share'])} of"
        f" judgments, others on the same items in {percent(row['others'])}"
        for (name, label), row in use.iterrows()
    )
    both = apart(of["janson_olsson_iota"].value, of[ALPHA].value)
    counted = ""
    if both is not None:
        counted = (
            f". Alpha ({both[1]}), pi and Fleiss' kappa count this as disagreement;"
            f" iota ({both[0]}) and Cohen's kappa let each have their own use"
        )
    return (
        f"raters use labels differently (our rule: {100 * APART:.0f} points, and not by"
        f" luck): {told(texts, 'rater')}{counted}"
    )


def _shifted(found: Reliability) -> str:
    """Raters whose numbers lie above or below the others'; see bias."""
    table = found.raters[found.raters["shared"] >= FEW_SHARED]
    labels = np.asarray(found.ratings.labels, dtype=float)
    spread = float(np.sqrt(np.cov(labels, aweights=kept(found), ddof=0)))
    size = table["shift"].abs()
    clear = size > beyond(found, len(table)) * table["shift_error"]
    far = (size >= SHIFTED * spread * (1 - EDGE)) & clear
    odd = table[far].iloc[np.argsort(-size[far], kind="stable")]
    if len(odd) == 0:
        return ""
    texts = (
        f"{who(name)} is {number(abs(by))} {'above' if by > 0 else 'below'}"
        for name, by in odd["shift"].items()
    )
    return (
        "raters use the scale differently, compared with the others on the same items:"
        f" {told(texts, 'rater', ', ')} (our rule: a fifth of the labels' standard"
        f" deviation, {number(spread)}, and not by luck)"
    )


def rater(found: Reliability, of: Of) -> str:
    """Raters who disagree with the others more than these among themselves.

    Our rule: nothing is said about a rater with fewer than FEW_SHARED items that two
    others judged too.
    """
    odd, expected = _odd(found, of), of[ALPHA].expected_disagreement
    if len(odd) == 0:
        return ""
    unit, share = 1.0, "of comparisons"
    if found.distance != "nominal":
        unit, share = expected, "of what chance would give"
    texts = (
        f"{who(name)} disagrees with the others in"
        f" {percent(row['disagreement'] / unit)} {share}; on the same items these"
        f" disagree with each other in {percent(row['among_others'] / unit)}"
        + _without(found, name, of)
        for name, row in odd.iterrows()
    )
    return (
        f"{told(texts, 'rater', '. ')} (our rule: a quarter more, by at least"
        f" {100 * MATTERS:g} % of the disagreement that chance would give, and more"
        " than luck explains)"
    )


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
    clear = table["excess"] > beyond(found, len(table)) * table["standard_error"]
    excess = table["excess"] + EDGE
    large = excess >= (WORSE - 1) * table["among_others"]
    large &= excess >= MATTERS * of[ALPHA].expected_disagreement
    return table[clear & large].sort_values("excess", ascending=False)


def _without(found: Reliability, name: Hashable, of: Of) -> str:
    """What alpha is without a rater, where that was computed and differs."""
    value = found.raters.loc[name].get("without", np.nan)
    both = None if np.isnan(value) else apart(value, of[ALPHA].value)
    if both is None:
        return ""
    return f"; without {who(name)} alpha is {both[0]} instead of {both[1]}"
