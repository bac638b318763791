"""What to know of suggestions, and of a second collection, in words; see `warnings`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..._words import below, label_name, number, percent, plural
from .following import FEW_AGAINST
from .saying import APART, EDGE, FEW_SHARED, beyond, told

if TYPE_CHECKING:
    from .found import Reliability

LED = 0.05  # judgments that follow a suggestion against most others; ours
FOLLOWED = 0.95  # judgments that are the suggestion, so that nothing is told; ours


def led(found: Reliability, of: Any) -> str:
    """Judgments that lean to the suggestions, or too few to tell.

    Our rules: FOLLOWED, FEW_AGAINST and LED. Where most items have two judgments,
    "most others" is one person, and no pull is said.
    """
    table, r = found.suggested, found.ratings
    if table is None or "followed, others differ" not in table.index:
        return ""
    followed = table.loc["followed", "value"]
    against = int(table.loc["followed, others differ", "judgments"])
    if followed >= FOLLOWED - EDGE or against < FEW_AGAINST:
        return (
            "following the suggestions and agreeing with each other cannot be told"
            f" apart in these data: {percent(followed)} of judgments are the suggested"
            f" label, and in {plural(against, 'judgment')} most other raters gave"
            f" another label (our rule: less than {percent(FOLLOWED)}, and at least"
            f" {FEW_AGAINST}); some items labelled without suggestions would tell"
        )
    if "pull" not in table.index or np.median(r.per_item[r.per_item >= 2]) < 3:
        return ""
    pull, anyway = table.loc["pull"], table.loc["given anyway", "value"]
    if not (pull["value"] >= LED - EDGE and pull["low"] > 0):
        return ""
    return (
        "judgments lean to the suggestions: where most other raters give another label,"
        f" {percent(anyway + pull['value'])} of judgments are the suggested one; where"
        f" it is not suggested, {percent(anyway)} are (difference"
        f" {percent(pull['value'])}, {100 * found.confidence:g} % interval"
        f" {percent(pull['low'])} to {percent(pull['high'])}). Either raters follow the"
        " suggestion, or it is right where most of them are wrong; only items labelled"
        " without it can tell"
    )


def joined(found: Reliability, of: Any) -> str:
    """Items that only one of the two collections has judged."""
    if found.other is None or found._other_items is None:
        return ""
    shared = int(found.other.loc["cross_kappa", "items"])
    first = int((found.ratings.per_item > 0).sum()) - shared
    second = found._other_items - shared
    if not shared or not (first or second):
        return ""
    return (
        f"the two collections share {plural(shared, 'item')}; {first} more"
        f" {'is' if first == 1 else 'are'} in the first only, {second} in the second"
        " only"
    )


def across(found: Reliability, of: Any) -> str:
    """Agreement across the collections beside that within."""
    if found.other is None:
        return ""
    kappa, normal = (
        found.other.loc[name] for name in ("cross_kappa", "normalized_cross_kappa")
    )
    if np.isnan(kappa["value"]):
        return f"the two collections cannot be compared: {kappa['why']}"
    said = [f"second collection: {kappa['why']}"] if kappa["why"] else []
    if np.isnan(normal["value"]) or np.isinf(normal["low"]):
        said.append(
            f"cross-kappa is {number(kappa['value'])}, but it cannot be normalised:"
            f" {normal['why']}"
        )
    elif normal["high"] < 1:
        said.append(
            "the collections differ by more than their raters do: cross-kappa"
            f" {number(kappa['value'])} is {number(normal['value'])}"
            f" ({number(normal['low'])} to {below(normal['high'], 1)}) of what their"
            " reliability would allow, where 1 is no difference"
        )
    return ". ".join(said)


def used(found: Reliability, of: Any) -> str:
    """Labels that the collections use differently.

    Our rule: by 10 points, on FEW_SHARED items or more, and not by luck, as for raters.
    """
    table = found.other_labels
    if found.other is None or table is None:
        return ""
    away = (table["share_x"] - table["share_y"]).abs()
    clear = away > beyond(found, len(table)) * table["share_error"]
    apart = table[(away >= APART - EDGE) & clear]
    if len(apart) == 0 or found.other.loc["cross_kappa", "items"] < FEW_SHARED:
        return ""
    texts = (
        f"{label_name(label)} {percent(x)} and {percent(y)}"
        for label, x, y in apart[["share_x", "share_y"]].itertuples()
    )
    return (
        "on the items in common the collections use labels differently (our rule:"
        f" {100 * APART:.0f} points, and not by luck): {told(texts, 'label', ', ')}"
    )


TWO = (across, joined, used)
