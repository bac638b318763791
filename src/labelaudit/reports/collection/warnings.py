"""What to be careful about in a set of ratings, in words.

Each rule looks at one danger and says nothing, or one sentence with the numbers.
A threshold has its source beside it; "ours" has none but judgment.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from ..._words import below, ends, label_name, number, percent, plural
from ...agreement.coefficients import fleiss_kappa
from ...agreement.scale import landis_koch
from ...agreement.study_size import items_needed
from . import compared
from .rater_words import bias, rater, talk
from .saying import ALPHA, EDGE, Of, kept, told
from .spelling import alike

if TYPE_CHECKING:
    from .found import Reliability

RELIABLE, TENTATIVE = 0.8, 0.667  # Krippendorff 2004, p. 241
STEP = 0.2  # between grades of Landis and Koch 1977, p. 165
FEW_ITEMS = 30  # ours
FEW_TWICE = 5  # items that carry a label twice; ours
PREVALENT = 0.8  # share of one label; ours
MANY_ALIKE = 200  # judgments without a disagreement, to ask why; ours
UNLIKE_WEIGHTS = 0.01  # between two ways to weigh; ours


def warnings(found: Reliability, of: Of) -> list[str]:
    """All sentences, the gravest first."""
    rules = [undefined, spelled, copied]
    if not of[ALPHA].undefined:
        rules += [level, width, uncertain, talk, rater, bias]
        rules += [unlike, prevalence, rare, weighed]
    rules += [compared.led, *compared.TWO, few_items, few_raters, dropped]
    return [said for rule in rules if (said := rule(found, of))]


# The whole --------------------------------------------------------------------------


def undefined(found: Reliability, of: Of) -> str:
    """Coefficients without a value."""
    why = defaultdict(list)
    for one in of.values():
        if one.undefined:
            why[one.undefined].append(one.name)
    if [*map(len, why.values())] == [len(of)]:
        return f"all coefficients are undefined: {next(iter(why))}"
    return "; ".join(
        f"{', '.join(names)} {'are' if len(names) > 1 else 'is'} undefined: {reason}"
        for reason, names in why.items()
    )


def spelled(found: Reliability, of: Of) -> str:
    """Labels that are perhaps one."""
    return "".join(alike("labels", {"": found.ratings.labels}))


def copied(found: Reliability, of: Of) -> str:
    """Many judgments without any disagreement: were they made apart?"""
    judgments = of[ALPHA].n_ratings
    if judgments < MANY_ALIKE or (found.items["disagreement"] > 0).any():
        return ""
    return (
        f"no two of {judgments:,} judgments on one item differ: were they made"
        " independently, or copied, or settled before?"
    )


def level(found: Reliability, of: Of) -> str:
    """alpha below Krippendorff's limits."""
    low, high = found.coefficients.loc[ALPHA, ["low", "high"]]
    value, interval = of[ALPHA].value, ""
    if not np.isnan(low):
        interval = f" ({100 * found.confidence:g} % interval {ends(low, high)})"
    source = "Krippendorff (2004, p. 241)"
    if value < TENTATIVE - EDGE:
        return (
            f"alpha is {below(value, TENTATIVE)}{interval}, below 0.667: {source} would"
            " draw no conclusions from labels on which people agree so little"
        )
    if value < RELIABLE - EDGE:
        return (
            f"alpha is {below(value, RELIABLE)}{interval}, below 0.8: {source} would"
            " draw tentative conclusions only, as from 0.667 on"
        )
    if low < RELIABLE - EDGE:
        return (
            f"alpha is {number(value)}, but its interval reaches down to"
            f" {below(low, RELIABLE)}: {source} relies on labels from 0.8 on"
        )
    return ""


def width(found: Reliability, of: Of) -> str:
    """An interval that is wider than a grade, or none."""
    row = found.coefficients.loc[ALPHA]
    if np.isnan(row["low"]):
        return f"alpha, {number(row['value'])}, has no interval: {row['why']}"
    if row["high"] - row["low"] <= STEP + EDGE:
        return ""
    first, last = landis_koch(row["low"]), landis_koch(row["high"])
    text = (
        f"the interval of alpha, {ends(row['low'], row['high'])}, is wider than one"
        " step (0.2) of Landis and Koch's scale"
    )
    text += f": it reaches from {first} to {last}" if first != last else ""
    return text + _needed(found, of[ALPHA].value)


def _needed(found: Reliability, value: float) -> str:
    """How many items would do, where two labels and equal items let one say."""
    r, used = found.ratings, kept(found)
    judged = set(r.per_item[r.per_item >= 2].tolist())
    simple = len(used) == 2 and len(judged) == 1 and found.clusters is None
    if not simple or not 0 < value < 1:
        return ""
    m, share = int(judged.pop()), float(used[0] / used.sum())
    how = {"confidence": found.confidence, "model": "two-class" if m > 2 else None}
    needed = items_needed(value, share, STEP / 2, m, **how)  # type: ignore[arg-type]
    return f"; about {plural(needed, 'item')} would give 0.1 to either side"


def uncertain(found: Reliability, of: Of) -> str:
    """What the library knows against alpha's interval."""
    low = found.coefficients.loc[ALPHA, "low"]
    return "" if np.isnan(low) else "; ".join(of[ALPHA]._cautions())


def weighed(found: Reliability, of: Of) -> str:
    """Fleiss' kappa with items alike, where that differs."""
    kappa = of["fleiss_kappa"]
    if kappa.undefined or found.items["ratings"].nunique() == 1:
        return ""
    by_item = fleiss_kappa(found.ratings, weigh="items")
    if by_item.undefined or abs(by_item.value - kappa.value) <= UNLIKE_WEIGHTS:
        return ""
    return (
        "items have different numbers of judgments, and it matters: Fleiss' kappa is"
        f" {number(kappa.value, 3)} where every judgment counts alike, as here, and"
        f" {number(by_item.value, 3)} where every item does"
    )


def few_items(found: Reliability, of: Of) -> str:
    if not 0 < found.n_items < FEW_ITEMS:
        return ""
    return (
        f"only {plural(found.n_items, 'item')} with two judgments or more: intervals"
        f" are made for larger samples (our rule: at least {FEW_ITEMS})"
    )


def few_raters(found: Reliability, of: Of) -> str:
    raters = found.ratings.raters
    if raters is not None and len(raters) == 1:
        return "one rater only: agreement needs a second one on the same items"
    if raters is None or len(raters) != 2 or of[ALPHA].undefined:
        return ""
    return (
        "two raters: where they differ nothing here says who is right, and the"
        " values hold for these two rather than for others like them"
    )


def dropped(found: Reliability, of: Of) -> str:
    said = of[ALPHA].dropped
    return f"{said}; no coefficient sees them" if said and found.n_items else ""


# Labels -----------------------------------------------------------------------------


def prevalence(found: Reliability, of: Of) -> str:
    """One label so common that chance alone agrees."""
    used, kappa = kept(found), of["fleiss_kappa"]
    share, most = used.max() / used.sum(), found.labels.index[used.argmax()]
    if share < PREVALENT - EDGE or kappa.undefined:
        return ""
    ac1, s = (number(of[name].value) for name in ("gwet_ac1", "bennett_s"))
    return (
        f"{label_name(most)} has {percent(share)} of the judgments (our rule: from"
        f" {percent(PREVALENT)}), so chance alone would agree in"
        f" {percent(kappa.expected)}: an observed agreement of"
        f" {percent(kappa.observed)} is then a Fleiss' kappa of {number(kappa.value)},"
        f" but AC1 is {ac1} and S {s}, for which chance is smaller (Feinstein and"
        " Cicchetti 1990); quote the agreement on each label beside any of them"
    )


def rare(found: Reliability, of: Of) -> str:
    """Labels that few items carry twice."""
    twice = found.labels["twice"]
    few = (found.labels["ratings"] > 0) & (twice < FEW_TWICE - EDGE)
    twice = twice[few].sort_values(kind="stable")
    scale = found.distance in ("interval", "ratio") and len(found.labels) > 2
    if len(twice) == 0 or scale:
        return ""
    names = (f"{label_name(one)} ({value:.1f})" for one, value in twice.items())
    return (
        "few items carry the same label twice, if two judgments of each item are"
        f" drawn: {told(names, 'label', ', ')} (our rule: fewer than {FEW_TWICE}); a"
        " low value of such a label is no proof of bad raters"
    )


def unlike(found: Reliability, of: Of) -> str:
    """Labels of very different reliability behind one value."""
    sure = found.labels[found.labels["twice"] >= FEW_TWICE - EDGE]
    sure = sure.dropna(subset=["low"])
    if found.distance != "nominal" or len(found.labels) < 3 or len(sure) < 2:
        return ""
    order = sure["value"].argsort()
    worst, best = sure.iloc[order.iloc[0]], sure.iloc[order.iloc[-1]]
    if best["low"] <= worst["high"] or best["value"] - worst["value"] < STEP - EDGE:
        return ""
    texts = (
        f"{label_name(one.name)} against the rest {number(one['value'])}"
        f" ({ends(one['low'], one['high'])})"
        for one in (best, worst)
    )
    return (
        f"one value hides labels of different reliability: {', '.join(texts)} (our"
        " rule: intervals apart, values by 0.2)"
    )
