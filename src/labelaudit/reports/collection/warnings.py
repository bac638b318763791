"""What to be careful about in a set of ratings, in words.

Each function looks at one danger and says nothing, or sentences with the numbers.
A threshold has its source beside it; "ours" has none but judgment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from ..._checks import Array
from ..._words import (
    TOLD,
    below,
    ends,
    label_name,
    number,
    percent,
    plural,
    several,
    who,
)
from ...agreement.agreement import Agreement
from ...agreement.coefficients import fleiss_kappa
from ...agreement.scale import landis_koch
from ...agreement.study_size import items_needed
from .following import FEW_AGAINST
from .raters import LEVEL
from .spelling import alike

if TYPE_CHECKING:
    from ...agreement.ratings import Ratings
    from .found import Reliability

EDGE = 1e-12  # what is so close to a limit is on it, whatever rounding did
RELIABLE, TENTATIVE = 0.8, 0.667  # Krippendorff 2004, p. 241
STEP = 0.2  # between grades of Landis and Koch 1977, p. 165
FEW_ITEMS = 30  # ours
FEW_TWICE = 5  # items that carry a label twice; ours
FEW_SHARED = 20  # items shared with others, to speak of a rater or a group; ours
PREVALENT = 0.8  # share of one label; ours
APART = 0.1  # between a rater's use of a label and the others'; ours
SHIFTED = 0.2  # of the labels' standard deviation, a rater's numbers; ours
WORSE = 1.25  # disagreement with the others, by theirs among themselves; ours
MATTERS = 0.05  # of the disagreement expected by chance; ours
MANY_ALIKE = 200  # judgments without a disagreement, to ask why; ours
UNLIKE_WEIGHTS = 0.01  # between two ways to weigh; ours
LED = 0.05  # judgments that follow a suggestion against most others; ours
FOLLOWED = 0.95  # judgments that are the suggestion, so that nothing is told; ours


def warnings(found: Reliability, agreements: dict[str, Agreement]) -> list[str]:
    """All sentences, the gravest first."""
    alpha = agreements["krippendorff_alpha"]
    said = [*undefined(agreements), *alike("labels", {"": found.ratings.labels})]
    said += copied(found, alpha)
    if not alpha.undefined:
        said += [*level(found, alpha), *width(found, alpha)]
        said += [*prevalence(found, agreements), *rare(found), *unlike(found)]
        said += [*talk(found, alpha), *bias(found, agreements), *rater(found, alpha)]
        said += weighed(found, agreements)
    return [*said, *led(found), *two(found), *size(found, alpha)]


def _beyond(confidence: float, looked: int) -> float:
    """Standard errors that none of so many goes beyond by chance (Bonferroni)."""
    return float(ndtri(1 - (1 - confidence) / 2 / max(looked, 1)))


# The whole ---------------------------------------------------------------------------


def undefined(agreements: dict[str, Agreement]) -> list[str]:
    """Coefficients without a value."""
    why = defaultdict(list)
    for one in agreements.values():
        if one.undefined:
            why[one.undefined].append(one.name)
    return [
        f"{', '.join(names)} {'are' if len(names) > 1 else 'is'} undefined: {reason}"
        for reason, names in why.items()
    ]


def copied(found: Reliability, alpha: Agreement) -> list[str]:
    """Many judgments without any disagreement: were they made apart?"""
    judgments = alpha.n_ratings
    if judgments < MANY_ALIKE or (found.items["disagreement"] > 0).any():
        return []
    return [
        f"no two of {judgments:,} judgments on one item differ: were they made"
        " independently, or copied, or settled before?"
    ]


def weighed(found: Reliability, agreements: dict[str, Agreement]) -> list[str]:
    """Fleiss' kappa with items alike, where that differs."""
    kappa = agreements["fleiss_kappa"]
    if kappa.undefined or found.items["ratings"].nunique() == 1:
        return []
    by_item = fleiss_kappa(found.ratings, weigh="items")
    if by_item.undefined or abs(by_item.value - kappa.value) <= UNLIKE_WEIGHTS:
        return []
    return [
        "items have different numbers of judgments, and it matters what weighs the"
        f" same: Fleiss' kappa is {number(kappa.value, 3)} with judgments and"
        f" {number(by_item.value, 3)} with items alike (weigh='items')"
    ]


def size(found: Reliability, alpha: Agreement) -> list[str]:
    """Too few items or raters, and items that take no part."""
    said = []
    r, n = found.ratings, alpha.n_items
    if 0 < n < FEW_ITEMS:
        said.append(
            f"only {plural(n, 'item')} with two judgments or more: every interval"
            f" here rests on large samples (our rule: at least {FEW_ITEMS})"
        )
    if r.raters is not None and len(r.raters) == 1:
        said.append("one rater only: agreement needs a second one on the same items")
    if r.raters is not None and len(r.raters) == 2 and not alpha.undefined:
        said.append(
            "two raters: where they differ nothing here says who is right, and the"
            " values hold for these two rather than for others like them"
        )
    if alpha.dropped and n:
        said.append(f"{alpha.dropped}; no coefficient sees them")
    return said


def level(found: Reliability, alpha: Agreement) -> list[str]:
    """alpha below Krippendorff's limits."""
    low, high = found.coefficients.loc["krippendorff_alpha", ["low", "high"]]
    value = alpha.value
    interval = ""
    if not np.isnan(low):
        interval = f" ({100 * found.confidence:g} % interval {ends(low, high)})"
    source = "Krippendorff (2004, p. 241)"
    if value < TENTATIVE - EDGE:
        return [
            f"alpha is {below(value, TENTATIVE)}{interval}, below 0.667: {source} would"
            " draw no conclusions from labels that are reproduced so poorly"
        ]
    if value < RELIABLE - EDGE:
        return [
            f"alpha is {below(value, RELIABLE)}{interval}, below 0.8: {source} would"
            " draw tentative conclusions only, as from 0.667 on"
        ]
    if low < RELIABLE - EDGE:
        return [
            f"alpha is {number(value)}, but its interval reaches down to"
            f" {below(low, RELIABLE)}: {source} relies on labels from 0.8 on"
        ]
    return []


def width(found: Reliability, alpha: Agreement) -> list[str]:
    """An interval that is wider than a grade, or none."""
    row = found.coefficients.loc["krippendorff_alpha"]
    if np.isnan(row["low"]):
        return [f"alpha, {number(alpha.value)}, has no interval: {row['why']}"]
    if row["high"] - row["low"] <= STEP + EDGE:
        return []
    names = [landis_koch(row["low"]), landis_koch(row["high"])]
    text = (
        f"the interval of alpha, {ends(row['low'], row['high'])}, is wider than one"
        " step (0.2) of Landis and Koch's scale"
    )
    if names[0] != names[1]:
        text += f": it reaches from {names[0]} to {names[1]}"
    return [text + _needed(found, alpha)]


def _needed(found: Reliability, alpha: Agreement) -> str:
    """How many items would do, where two labels and equal items let one say."""
    r, used = found.ratings, _kept(found)
    judged = set(r.per_item[r.per_item >= 2].tolist())
    share = float(used[0] / used.sum())
    if len(used) != 2 or len(judged) != 1 or not 0 < alpha.value < 1:
        return ""
    m = int(judged.pop())
    model = "two-class" if m > 2 else None
    needed = items_needed(
        alpha.value, share, STEP / 2, m, confidence=found.confidence, model=model
    )
    return f"; about {plural(needed, 'item')} would give 0.1 to either side"


# Labels ------------------------------------------------------------------------------


def _kept(found: Reliability) -> Array:
    """Judgments with each label, of items with two or more: what coefficients see."""
    j, per_item = found.ratings.judgments, found.ratings.per_item
    counted = j.count * found.ratings.standing[j.item] * (per_item[j.item] >= 2)
    return np.bincount(j.label, weights=counted, minlength=len(found.labels))


def prevalence(found: Reliability, agreements: dict[str, Agreement]) -> list[str]:
    """One label so common that chance alone agrees."""
    kept = _kept(found)
    share, most = kept.max() / kept.sum(), found.labels.index[kept.argmax()]
    kappa = agreements["fleiss_kappa"]
    if share < PREVALENT - EDGE or kappa.undefined:
        return []
    ac1, s = (agreements[name].value for name in ("gwet_ac1", "bennett_s"))
    return [
        f"{label_name(most)} has {percent(share)} of the judgments (our rule: from"
        f" {percent(PREVALENT)}), so chance alone would agree in"
        f" {percent(kappa.expected)}: an observed agreement of"
        f" {percent(kappa.observed)} is then a Fleiss' kappa of {number(kappa.value)},"
        f" while AC1 is {number(ac1)} and S {number(s)}, which take chance to be"
        " smaller (Feinstein and Cicchetti 1990). Quote the agreement on each label"
        " beside any of them"
    ]


def rare(found: Reliability) -> list[str]:
    """Labels that few items carry twice."""
    twice = found.labels["twice"]
    few = (found.labels["ratings"] > 0) & (twice < FEW_TWICE - EDGE)
    twice = twice[few].sort_values()
    scale = found.distance in ("interval", "ratio") and len(found.labels) > 2
    if len(twice) == 0 or scale:
        return []
    names = [f"{label_name(label)} ({value:.1f})" for label, value in twice.items()]
    return [
        f"few items carry the same label twice: {several(names)}, where two judgments"
        f" of each item are drawn (our rule: below {FEW_TWICE}). A low value is then"
        " no proof of bad raters"
    ]


def unlike(found: Reliability) -> list[str]:
    """Labels of very different reliability behind one value."""
    if found.distance != "nominal" or len(found.labels) < 3:
        return []
    sure = found.labels[found.labels["twice"] >= FEW_TWICE - EDGE].dropna(
        subset=["low"]
    )
    if len(sure) < 2:
        return []
    order = sure["value"].argsort()
    worst, best = sure.iloc[order.iloc[0]], sure.iloc[order.iloc[-1]]
    if best["low"] <= worst["high"] or best["value"] - worst["value"] < STEP - EDGE:
        return []
    texts = [
        f"{label_name(one.name)} against the rest {number(one['value'])}"
        f" ({ends(one['low'], one['high'])})"
        for one in (best, worst)
    ]
    return [
        f"one value hides labels of different reliability: {texts[0]}, {texts[1]} (our"
        " rule: intervals apart, values by 0.2)"
    ]


# Raters ------------------------------------------------------------------------------


def talk(found: Reliability, alpha: Agreement) -> list[str]:
    """Raters to talk to, those with most judgments first."""
    named = found.flags[found.flags["flagged"].astype(bool)]
    if len(named) == 0:
        return []
    texts = [
        f"{who(name)} ({plural(int(row['judgments']), 'judgment')}): {row['reasons']}"
        + _without(found, name, alpha)
        for name, row in named.iterrows()
    ]
    rest = len(texts) - TOLD
    more = f". So with {plural(rest, 'more rater')}" if rest > 0 else ""
    return [
        f"talk to {plural(len(texts), 'rater')}: {'. '.join(texts[:TOLD])}{more}"
        f" (p-values adjusted for all raters, at most {LEVEL:g}; notebook sweep_05)"
    ]


def bias(found: Reliability, agreements: dict[str, Agreement]) -> list[str]:
    """Raters who use labels differently on the same items.

    Our rule: nothing is said about a rater who shares fewer than FEW_SHARED items with
    others; of fewer a standard error says too little.
    """
    use = found.label_use
    if "shift" in found.raters:
        return _shifted(found)
    if len(use) == 0:
        return []
    known = found.raters.index[found.raters["shared"] >= FEW_SHARED]
    use = use[use.index.get_level_values("rater").isin(known)]
    limit = _beyond(found.confidence, len(use))
    away = use["difference"].abs()
    use = use[(away >= APART - EDGE) & (away > limit * use["standard_error"])]
    if len(use) == 0:
        return []
    # The largest difference of each rater; of two labels, the one given more often.
    order = np.lexsort((-use["difference"], -use["difference"].abs().round(9)))
    use = use.iloc[order]
    use = use[~use.index.get_level_values("rater").duplicated()]
    texts = [
        f"{who(name)} gives {label_name(label)} in {percent(row['share'])} of"
        f" judgments, others on the same items in {percent(row['others'])}"
        for (name, label), row in use.iterrows()
    ]
    iota, rest = agreements["janson_olsson_iota"].value, len(texts) - TOLD
    return [
        f"raters use labels differently (our rule: {100 * APART:.0f} points, and not by"
        f" luck): {'; '.join(texts[:TOLD])}"
        + (f"; so {plural(rest, 'more rater')}" if rest > 0 else "")
        + f". iota, like Cohen's kappa, lets each have their own use ({number(iota)});"
        " alpha, pi and Fleiss' kappa count it as disagreement"
        f" ({number(agreements['krippendorff_alpha'].value)})"
    ]


def _shifted(found: Reliability) -> list[str]:
    """Raters whose numbers lie above or below the others'; see bias."""
    table = found.raters[found.raters["shared"] >= FEW_SHARED]
    labels = np.asarray(found.ratings.labels, dtype=float)
    spread = float(np.sqrt(np.cov(labels, aweights=_kept(found), ddof=0)))
    limit = _beyond(found.confidence, len(table))
    size = table["shift"].abs()
    far = (size >= SHIFTED * spread * (1 - EDGE)) & (
        size > limit * table["shift_error"]
    )
    odd = table[far].iloc[np.argsort(-size[far], kind="stable")]
    if len(odd) == 0:
        return []
    texts = [
        f"{who(name)} is {number(abs(by))} {'above' if by > 0 else 'below'}"
        for name, by in odd["shift"].items()
    ]
    rest = len(texts) - TOLD
    more = f" and {plural(rest, 'more rater')}" if rest > 0 else ""
    return [
        f"raters use the scale differently: {', '.join(texts[:TOLD])}{more}, compared"
        " with the others on the same items (our rule: a fifth of the labels' standard"
        f" deviation, {number(spread)}, and not by luck)"
    ]


def rater(found: Reliability, alpha: Agreement) -> list[str]:
    """Raters who disagree with the others more than these among themselves.

    Our rule: nothing is said about a rater with fewer than FEW_SHARED items that two
    others judged too.
    """
    table = found.raters
    if len(table) < 3:
        return []
    table = table[_compared(found.ratings) >= FEW_SHARED]
    if found.distance == "nominal":  # else this says how far the labels are
        table = table[~found.flags["flagged"].reindex(table.index).astype(bool)]
    limit = _beyond(found.confidence, len(table))
    clear = table["excess"] > limit * table["standard_error"]
    excess = table["excess"] + EDGE
    large = excess >= (WORSE - 1) * table["among_others"]
    large &= excess >= MATTERS * alpha.expected_disagreement
    odd = table[clear & large].sort_values("excess", ascending=False)
    unit, of = 1.0, "of comparisons"
    if found.distance != "nominal":
        unit, of = alpha.expected_disagreement, "of what chance would give"
    said = []
    for name, row in odd.iloc[:TOLD].iterrows():
        own, others = row["disagreement"] / unit, row["among_others"] / unit
        text = f"{who(name)} disagrees with the others in {percent(own)} {of}; on"
        text += f" the same items these disagree with each other in {percent(others)}"
        text += _without(found, name, alpha)
        said.append(
            f"{text} (our rule: a quarter more, by at least {100 * MATTERS:g} % of the"
            " disagreement that chance would give, and more than luck explains)"
        )
    if len(odd) > TOLD:
        rest = len(odd) - TOLD
        more = plural(rest, "more rater")
        said.append(f"{more} {'differs' if rest == 1 else 'differ'} from the others so")
    return said


def _without(found: Reliability, name: Hashable, alpha: Agreement) -> str:
    """What alpha is without a rater, where that was computed."""
    if "without" not in found.raters or np.isnan(found.raters.loc[name, "without"]):
        return ""
    value = found.raters.loc[name, "without"]
    instead = f"alpha is {number(value)} instead of {number(alpha.value)}"
    return f"; without {who(name)} {instead}"


def _compared(r: Ratings) -> Array:
    """For each rater, the items that two others or more judged too."""
    j = r.judgments
    rater = j.known_rater[r.per_item[j.item] >= 3]
    return np.bincount(rater, minlength=0 if r.raters is None else len(r.raters))


# Suggestions and a second collection -------------------------------------------------


def led(found: Reliability) -> list[str]:
    """Judgments that lean to the suggestions, or too few to tell.

    Our rules: FOLLOWED, FEW_AGAINST and LED. Where most items have two judgments,
    "most others" is one person, and no pull is said.
    """
    table, r = found.suggested, found.ratings
    if table is None or "followed, others differ" not in table.index:
        return []
    followed = table.loc["followed", "value"]
    against = int(table.loc["followed, others differ", "judgments"])
    if followed >= FOLLOWED - EDGE or against < FEW_AGAINST:
        return [
            "following the suggestions and agreeing with each other cannot be told"
            f" apart in these data: {percent(followed)} of judgments are the suggested"
            f" label, and in {plural(against, 'judgment')} most other raters gave"
            f" another label (our rule: less than {percent(FOLLOWED)}, and at least"
            f" {FEW_AGAINST}). Agreement can then be with the suggestions only; some"
            " items labelled without them would tell"
        ]
    if "pull" not in table.index or np.median(r.per_item[r.per_item >= 2]) < 3:
        return []
    pull, anyway = table.loc["pull"], table.loc["given anyway", "value"]
    if not (pull["value"] >= LED - EDGE and pull["low"] > 0):
        return []
    with_it = anyway + pull["value"]
    return [
        "judgments lean to the suggestions: where most other raters give another label,"
        f" {percent(with_it)} of judgments are the suggested one; where it is not"
        f" suggested, {percent(anyway)} are (difference {percent(pull['value'])},"
        f" {100 * found.confidence:g} % interval {percent(pull['low'])} to"
        f" {percent(pull['high'])}). Either raters follow the suggestion, or it is"
        " right where most of them are wrong; only items labelled without it can tell"
    ]


def two(found: Reliability) -> list[str]:
    """What to know about the comparison with a second collection.

    Our rule for the use of labels: by 10 points, on FEW_SHARED items or more, and not
    by luck, as for raters.
    """
    if found.other is None or found.other_labels is None:
        return []
    said = []
    kappa, normal = (
        found.other.loc[name] for name in ("cross_kappa", "normalized_cross_kappa")
    )
    if np.isnan(kappa["value"]):
        return [f"the two collections cannot be compared: {kappa['why']}"]
    said += _joined(found, int(kappa["items"]))
    if kappa["why"]:
        said.append(f"second collection: {kappa['why']}")
    if np.isnan(normal["value"]) or np.isinf(normal["low"]):
        said.append(
            f"cross-kappa is {number(kappa['value'])}, but it cannot be normalised:"
            f" {normal['why']}"
        )
    elif normal["high"] < 1:
        said.append(
            f"the collections differ by more than their raters do: cross-kappa"
            f" {number(kappa['value'])} is {number(normal['value'])}"
            f" ({number(normal['low'])} to {below(normal['high'], 1)}) of what their"
            " reliability would"
            " allow, where 1 is no difference"
        )
    table = found.other_labels
    away = (table["share_x"] - table["share_y"]).abs()
    limit = _beyond(found.confidence, len(table))
    apart = table[(away >= APART - EDGE) & (away > limit * table["share_error"])]
    if len(apart) and kappa["items"] >= FEW_SHARED:
        texts = [
            f"{label_name(label)} {percent(x)} and {percent(y)}"
            for label, x, y in apart[["share_x", "share_y"]].itertuples()
        ]
        said.append(
            "on the items in common the collections use labels differently (our rule:"
            f" {100 * APART:.0f} points, and not by luck): {several(texts)}"
        )
    return said


def _joined(found: Reliability, shared: int) -> list[str]:
    """Items that only one of the two collections has judged."""
    if found._other_items is None:
        return []
    only = int((found.ratings.per_item > 0).sum()) - shared, found._other_items - shared
    if not any(only):
        return []
    return [
        f"the two collections share {plural(shared, 'item')}; {only[0]} more"
        f" {'is' if only[0] == 1 else 'are'} in the first only, {only[1]} in the second"
        " only"
    ]
