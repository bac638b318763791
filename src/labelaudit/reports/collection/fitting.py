"""Which coefficients fit a set of ratings, and what they are."""

from typing import Any

import numpy as np
import pandas as pd

from ..._digits import decimals, significant
from ...agreement.agreement import Agreement
from ...agreement.pairs import RATERS
from ...agreement.parts import AGREEMENT, DISAGREEMENT, NUMBERS
from ...agreement.ratings import Ratings
from ...agreement.table import NAMED, TABLE, compute

# Those that the report gives the distance of the call: they take any.
DISTANT = tuple(name for name, of in TABLE.items() if of.distances == NAMED)
SQUARED = ("gwet_ac2", "weighted_kappa")  # steps between labels in order
SHOWN = (*NUMBERS, "low", "high")  # of each


def fitting(r: Ratings, distance: Any) -> tuple[dict[str, Agreement], dict[str, str]]:
    """All coefficients that fit, and why the others do not."""
    fit: dict[str, Agreement] = {}
    unfit: dict[str, str] = {}
    ordered = isinstance(distance, str) and distance == "ordinal"
    for name, of in TABLE.items():
        other = "quadratic" if name in SQUARED else "nominal"
        if r.raters is None and (of.instead or of.pairs == RATERS):
            unfit[name] = "needs to know who judged what"
        elif r.raters is not None and of.instead and len(r.raters) != 2:
            unfit[name] = f"for two raters; these are {len(r.raters)}"
        elif name in SQUARED and not ordered:
            unfit[name] = "for labels in order, the ordinal distance"
        else:
            fit[name] = compute(name, r, distance if name in DISTANT else other)
    return fit, unfit


def table(of: dict[str, Agreement], confidence: float) -> pd.DataFrame:
    """Their numbers, and why there is no value or interval."""
    rows = {}
    for name, one in of.items():
        low, high = one.interval(confidence)
        why = one.undefined or (one._no_interval() if np.isnan(low) else "")
        if np.isinf(low):
            why = "the reliability is too uncertain to divide by"
        found = {number: getattr(one, number) for number in NUMBERS}
        rows[name] = found | {"low": low, "high": high, "why": why}
    return pd.DataFrame(rows).T.astype(dict.fromkeys(SHOWN, float))


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """Without saying D_o and D_e twice: as disagreement where agreement lacks one.

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.fitting import readable
    >>> r = la.Ratings.from_matrix([[1, 1], [2, 5], [3, 3], [3, 2]])
    >>> found = la.reliability(r, "interval").coefficients
    >>> readable(found).loc["krippendorff_alpha", "observed_disagreement"]
    np.float64(2.5)
    >>> "observed" in readable(found), "observed" in readable(found.loc[["bennett_s"]])
    (False, True)
    """
    lacking = table[AGREEMENT[0]].isna() & table[DISAGREEMENT[0]].notna()
    return table.drop(columns=[*(AGREEMENT if lacking.any() else DISAGREEMENT)])


def decimal(value: float) -> str:
    """A number of these tables."""
    return decimals(value) if abs(value) < 1e4 else significant(value, 4)
