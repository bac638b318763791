"""A coefficient by label, and by pair of raters: the same one of a part.

`agreement` imports this module, so that an Agreement is Any here.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, triu

from .._words import plural, quietly, shown, warn
from .ratings import Ratings

MOST_LABELS = 1000  # that are told from all others

# What breakdowns and reports show of an Agreement, two ways to say D_o and D_e: as
# agreement, which not every distance has, and as disagreement.
AGREEMENT = ("observed", "expected")
DISAGREEMENT = ("observed_disagreement", "expected_disagreement")
NUMBERS = ("value", *AGREEMENT, *DISAGREEMENT, "standard_error")


def by_label(whole: Any) -> pd.DataFrame:
    """What `Agreement.per_label` returns."""
    ratings, _ = _of(whole, "per_label")
    totals = whole._totals
    if len(ratings.labels) > MOST_LABELS:
        raise ValueError(
            f"per_label is for at most {MOST_LABELS} labels, got {len(ratings.labels)}"
        )
    rows = []
    with quietly():
        for position in range(len(ratings.labels)):
            share = totals[position] / max(whole.n_ratings, 1)
            row = {"ratings": int(totals[position]), "share": share}
            rows.append(row | _numbers(whole, of_label(whole, position)))
    return _told(pd.DataFrame(rows, index=ratings.labels), "label")


def by_rater_pair(whole: Any) -> pd.DataFrame:
    """What `Agreement.per_rater_pair` returns."""
    ratings, again = _of(whole, "per_rater_pair")
    raters = ratings._known_raters("per_rater_pair")
    j, shape = ratings.judgments, (len(ratings.items), len(raters))
    judged = csr_array((np.ones(len(j.item)), (j.item, j.rater)), shape=shape)
    shared = triu(judged.T @ judged, 1, "csr")  # items of two raters
    shared.sort_indices()
    pairs, rows = [raters[at] for at in shared.nonzero()], []
    with quietly():
        for one, other in zip(*pairs):
            part = again(ratings.between(one, other))
            rows.append({"items": part.n_items} | _numbers(whole, part))
    index = pd.MultiIndex.from_arrays(pairs, names=["rater", "other"])
    return _told(pd.DataFrame(rows, index, ["items", *NUMBERS]), "rater pair")


def of_label(whole: Any, position: int) -> Any:
    """The same coefficient of one label against the rest."""
    ratings, again = _of(whole, "per_label")
    if whole.distance is None or whole.distance.name == "nominal":
        return again(ratings.collapsed(ratings.labels[position]))
    q = len(ratings.labels)
    kept, far = np.zeros((q, q)), whole.distance.between(position, np.arange(q))
    kept[position] = kept[:, position] = far  # what involves this label
    return again(ratings, distance=kept)


def _of(whole: Any, method: str) -> tuple[Ratings, Callable[..., Any]]:
    """The ratings of an Agreement, and how to compute it of others."""
    if whole._ratings is None or whole._again is None:
        raise ValueError(f"{whole.name} has no {method}")
    return whole._ratings, whole._again


def _numbers(whole: Any, part: Any) -> dict[str, float]:
    """A row of a breakdown; a part has agreement where the whole has it."""
    row = {name: getattr(part, name) for name in NUMBERS}
    return row if whole._bounded else row | dict.fromkeys(AGREEMENT, np.nan)


def _told(table: pd.DataFrame, what: str) -> pd.DataFrame:
    """Warn once of all undefined values of a breakdown."""
    lost = table.index[table["value"].isna()] if len(table) else []
    if len(lost):
        first = lost[0] if isinstance(lost, pd.MultiIndex) else lost[:1]
        named = " and ".join(map(shown, first))
        warn(
            f"the value is undefined for {plural(len(lost), what)}, the first {named}:"
            " nothing to compare, or only one label in use"
        )
    return table
