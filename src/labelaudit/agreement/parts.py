"""A coefficient by label, and by pair of raters: the same one of a part.

`agreement` imports this module, so that an Agreement is Any here.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

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
    labels, totals = _of(whole, "per_label")[0].labels, whole._totals
    if len(labels) > MOST_LABELS:
        raise ValueError(
            f"per_label is for at most {MOST_LABELS} labels, got {len(labels)}"
        )
    found = (of_label(whole, position) for position in range(len(labels)))
    table = _table(whole, found, labels, "label")
    table["ratings"] = totals.astype(int)
    table["share"] = totals / max(whole.n_ratings, 1)
    return table[["ratings", "share", *NUMBERS]]


def by_rater_pair(whole: Any) -> pd.DataFrame:
    """What `Agreement.per_rater_pair` returns."""
    from scipy.sparse import csr_array, triu  # not for every coefficient

    ratings, again = _of(whole, "per_rater_pair")
    raters = ratings._known_raters("per_rater_pair")
    j, shape = ratings.judgments, (len(ratings.items), len(raters))
    judged = csr_array((np.ones(len(j.item)), (j.item, j.rater)), shape=shape)
    shared = triu(judged.T @ judged, 1, "csr")  # items of two raters
    shared.sort_indices()
    pairs = [raters[at] for at in shared.nonzero()]
    index = pd.MultiIndex.from_arrays(pairs, names=["rater", "other"])
    found = (again(ratings.between(*two)) for two in zip(*pairs))
    return _table(whole, found, index, "rater pair")


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


def _table(whole: Any, found: Iterable[Any], index: Any, what: str) -> pd.DataFrame:
    """A row for each part, which has agreement where the whole has it.

    Warns once of all undefined values.
    """
    names = ["n_items", *NUMBERS]
    with quietly():
        rows = [[getattr(part, name) for name in names] for part in found]
    table = pd.DataFrame(rows, index, ["items", *NUMBERS])
    if not whole._bounded:
        table[[*AGREEMENT]] = np.nan
    lost = table.index[table["value"].isna()] if len(table) else []
    if len(lost):
        first = lost[0] if isinstance(lost, pd.MultiIndex) else lost[:1]
        named = " and ".join(map(shown, first))
        warn(
            f"the value is undefined for {plural(len(lost), what)}, the first {named}:"
            " nothing to compare, or only one label in use"
        )
    return table
