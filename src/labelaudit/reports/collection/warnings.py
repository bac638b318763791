"""What to be careful about in a set of ratings, in words.

Each rule looks at one danger and says nothing, or one sentence with the numbers.
A threshold has its source beside it; "ours" has none but judgment.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from ..._words import below, several, shown, who
from ...agreement.ratings import Ratings
from ...files.text import key
from ..saying import SENTENCES, listed, say
from .flags import LEVEL
from .found import ALPHA, EDGE, Reliability

SAME = {word: name for name, line in SENTENCES["same"].items() for word in line.split()}
RELIABLE, TENTATIVE = 0.8, 0.667  # Krippendorff 2004, p. 241
STEP = 0.2  # between grades of Landis and Koch 1977, p. 165
FEW_ITEMS = 30  # ours
FEW_TWICE = 5  # items that carry a label twice; ours
PREVALENT = 0.8  # share of one label; ours
MANY_ALIKE = 200  # judgments without a disagreement, to ask why; ours


def warnings(found: Reliability) -> list[str]:
    """All sentences, the gravest first."""
    told = [undefined(found), alike("labels", found.ratings.labels), copied(found)]
    if not found.alpha.undefined:
        told += [rule(found) for rule in (level, talk, prevalence, rare)]
    if found.other is not None and found.second is not None:
        told += [across(found.other), joined(found.other, found.ratings, found.second)]
    if 0 < found.n_items < FEW_ITEMS:
        told.append(say("few_items", of=found, least=FEW_ITEMS))
    told.append(say("few_raters", of=found, two="cohen_kappa" in found.of))
    return [*filter(None, [*told, say("dropped", of=found)])]


# The whole --------------------------------------------------------------------------


def undefined(found: Reliability) -> str:
    """Coefficients without a value."""
    why = defaultdict(list)
    for one in found.of.values():
        why[one.undefined].append(one.name)
    each = ({"names": ", ".join(k), "why": told} for told, k in why.items() if told)
    whole = found.alpha.undefined if len(why) == 1 else ""
    return say("undefined", all=whole, those=listed("undefined_one", each))


def copied(found: Reliability) -> str:
    """Many judgments without any disagreement: were they made apart?"""
    if found.alpha.n_ratings < MANY_ALIKE or (found.items["disagreement"] > 0).any():
        return ""
    return say("copied", of=found)


def level(found: Reliability) -> str:
    """alpha below Krippendorff's limits, and what is wrong with its interval."""
    row, alpha = found.coefficients.loc[ALPHA], found.alpha
    value, low, high = row[["value", "low", "high"]]
    few = alpha.clusters.few if alpha.clusters else ""
    cautions = [] if np.isnan(low) else alpha._cautions()
    told = {"poor": value < TENTATIVE - EDGE, "tentative": value < RELIABLE - EDGE}
    told |= {"reaches": low < RELIABLE - EDGE, "wide": high - low > STEP + EDGE}
    told["more"] = "; ".join(found.drawn if one == few else one for one in cautions)
    if not (any(told.values()) or np.isnan(low)):
        return ""
    limit = TENTATIVE if told["poor"] else RELIABLE if told["tentative"] else np.inf
    told |= {"value": below(value, limit), "low": below(low, RELIABLE)}
    return say("alpha", level=100 * found.confidence, row=row, **told)


# Labels -----------------------------------------------------------------------------


def prevalence(found: Reliability) -> str:
    """One label so common that chance alone agrees."""
    r, j, of = found.ratings, found.ratings.judgments, found.of
    seen = j.count * (r.standing * (r.per_item >= 2))[j.item]  # by coefficients
    used = np.bincount(j.label, seen, len(found.labels))
    share, label = used.max() / used.sum(), found.labels.index[used.argmax()]
    if share < PREVALENT - EDGE or of["fleiss_kappa"].undefined:
        return ""
    return say("prevalence", label=label, share=share, least=PREVALENT, **of)


def rare(found: Reliability) -> str:
    """Labels that few items carry twice."""
    if found.distance in ("interval", "ratio") and len(found.labels) > 2:
        return ""
    used, twice = found.labels["ratings"] > 0, found.labels["twice"]
    few = twice[used & (twice < FEW_TWICE - EDGE)].sort_values(kind="stable")
    each = ({"label": label, "items": items} for label, items in few.items())
    return say("rare", those=listed("rare_one", each, ", "), least=FEW_TWICE)


# Raters -------------------------------------------------------------------------------


def talk(found: Reliability) -> str:
    """Raters to talk to, those with most judgments first."""
    named = found.flags[found.flags["flagged"].astype(bool)]
    each = ({"who": who(name), "row": row} for name, row in named.iterrows())
    those = listed("talk_one", each, ". ")
    return say("talk", raters=len(named), those=those, level=LEVEL)


# Two collections ---------------------------------------------------------------------


def across(other: pd.DataFrame) -> str:
    """Agreement across the collections beside that within."""
    kappa, normal, *_ = (row for _, row in other.iterrows())
    lost = np.isnan(normal["value"]) or np.isinf(normal["low"])
    told = {"kappa": kappa, "normal": normal, "high": below(normal["high"], 1)}
    return say("across", lost=lost, differ=normal["high"] < 1, **told)


def joined(other: pd.DataFrame, *both: Ratings) -> str:
    """Items that only one of the two collections has judged."""
    shared = other.loc["cross_kappa", "items"]
    first, second = ((r.per_item > 0).sum() - shared for r in both)
    some = shared and (first or second)
    return say("joined", shared=shared, first=first, second=second) if some else ""


# Names that are perhaps one -----------------------------------------------------------


def alike(what: str, names: Iterable[Any], known: Iterable[Any] = ()) -> str:
    """A sentence on texts that look alike, or nothing.

    names : what is no text is left out; labels may also be one word in two tongues
    known : texts of which it has been said which look alike
    """
    groups: dict[Any, list[str]] = defaultdict(list)
    words: dict[Any, str] = SAME if what == "labels" else {}
    for name in dict.fromkeys(names):
        if isinstance(name, str):
            groups[words.get(key(name), key(name))].append(name)
    same, known = [], set(known)
    for group in groups.values():
        if len(group) > 1 and not known.issuperset(group):
            composed = {unicodedata.normalize("NFC", name) for name in group}
            write = shown if len(composed) == len(group) else ascii  # else they are one
            same.append(" and ".join(map(write, group)))
    return say("alike", what=what, those=several(same))
