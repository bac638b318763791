"""What to know of suggestions, and of a second collection, in words; see `warnings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..._words import below
from .following import FEW_AGAINST
from .saying import APART, EDGE, FEW_SHARED, Of, listed, say

if TYPE_CHECKING:
    from .found import Reliability

LED = 0.05  # judgments that follow a suggestion against most others; ours
FOLLOWED = 0.95  # judgments that are the suggestion, so that nothing is told; ours


def led(found: Reliability, of: Of) -> str:
    """Judgments that lean to the suggestions, or too few to tell.

    Our rules: FOLLOWED, FEW_AGAINST and LED. Where most items have two judgments,
    "most others" is one person, and no pull is said.
    """
    table, per_item = found.suggested, found.ratings.per_item
    if table is None or "followed, others differ" not in table.index:
        return ""
    followed = table.loc["followed", "value"]
    against = table.loc["followed, others differ", "judgments"]
    if followed >= FOLLOWED - EDGE or against < FEW_AGAINST:
        rule = {"most": FOLLOWED, "least": FEW_AGAINST}
        return say("no_telling", followed=followed, against=against, **rule)
    if "pull" not in table.index or np.median(per_item[per_item >= 2]) < 3:
        return ""
    pull, anyway = table.loc["pull"], table.loc["given anyway", "value"]
    if not (pull["value"] >= LED - EDGE and pull["low"] > 0):
        return ""
    with_it, level = anyway + pull["value"], 100 * found.confidence
    return say("led", with_it=with_it, anyway=anyway, pull=pull, level=level)


def across(found: Reliability, of: Of) -> str:
    """Agreement across the collections beside that within."""
    if found.other is None:
        return ""
    names = ("cross_kappa", "normalized_cross_kappa")
    kappa, normal = (found.other.loc[name] for name in names)
    if np.isnan(kappa["value"]):
        return say("not_compared", why=kappa["why"])
    said = [say("second", why=kappa["why"])] if kappa["why"] else []
    both = {"kappa": kappa, "normal": normal}
    if np.isnan(normal["value"]) or np.isinf(normal["low"]):
        said.append(say("not_normalised", **both))
    elif normal["high"] < 1:
        said.append(say("differ", high=below(normal["high"], 1), **both))
    return ". ".join(said)


def joined(found: Reliability, of: Of) -> str:
    """Items that only one of the two collections has judged."""
    if found.other is None or found._other_items is None:
        return ""
    shared = int(found.other.loc["cross_kappa", "items"])
    first = int((found.ratings.per_item > 0).sum()) - shared
    second = found._other_items - shared
    if not shared or not (first or second):
        return ""
    return say("joined", shared=shared, first=first, second=second)


def used(found: Reliability, of: Of) -> str:
    """Labels that the collections use differently.

    Our rule: by 10 points, on FEW_SHARED items or more, and not by luck, as for raters.
    """
    table = found.other_labels
    if found.other is None or table is None:
        return ""
    away = (table["share_x"] - table["share_y"]).abs()
    clear = away > found._beyond(len(table)) * table["share_error"]
    apart = table[(away >= APART - EDGE) & clear]
    if len(apart) == 0 or found.other.loc["cross_kappa", "items"] < FEW_SHARED:
        return ""
    rows = (
        {"label": label, "x": x, "y": y}
        for label, x, y in apart[["share_x", "share_y"]].itertuples()
    )
    return say("both_use", those=listed("both_use", rows, "label", ", "))
