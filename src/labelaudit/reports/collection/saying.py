"""How dangers are said: shared limits, lists, and two values that differ."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..._checks import Array
from ..._words import TOLD, number, plural
from ...agreement.agreement import Agreement
from ...agreement.clusters import quantile

if TYPE_CHECKING:
    from .found import Reliability

EDGE = 1e-12  # what is so close to a limit is on it, whatever rounding did
FEW_SHARED = 20  # items shared with others, to speak of a rater or a group; ours
APART = 0.1  # between a rater's use of a label and the others'; ours
ALPHA = "krippendorff_alpha"

Of = dict[str, Agreement]  # the coefficients that fit, by their keys


def told(texts: Iterable[str], noun: str, between: str = "; ") -> str:
    """The first few, and how many more."""
    texts = list(texts)
    rest = len(texts) - TOLD
    more = f"{between}and {plural(rest, f'more {noun}')}" if rest > 0 else ""
    return between.join(texts[:TOLD]) + more


def apart(one: float, other: float) -> tuple[str, str] | None:
    """Two values with as many decimals as show that they differ, 2 to 4; or None."""
    for digits in (2, 3, 4):
        both = number(one, digits), number(other, digits)
        if both[0] != both[1]:
            return both
    return None


def beyond(found: Reliability, looked: int) -> float:
    """Standard errors that none of so many goes beyond by chance (Bonferroni)."""
    return quantile(1 - (1 - found.confidence) / max(looked, 1), found.clusters)


VARIES = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d.,]*")


def merged(sentences: Iterable[str]) -> list[str]:
    """Each kind of sentence once: those that differ in names and numbers alone are
    the first of them, and how many more there are."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for one in dict.fromkeys(sentences):
        kinds[VARIES.sub("", one)].append(one)
    return [
        first + (f" ({plural(len(rest), 'more note')} of this kind)" if rest else "")
        for first, *rest in kinds.values()
    ]


def kept(found: Reliability) -> Array:
    """Judgments with each label, of items with two or more: what coefficients see."""
    j, per_item = found.ratings.judgments, found.ratings.per_item
    counted = j.count * found.ratings.standing[j.item] * (per_item[j.item] >= 2)
    return np.bincount(j.label, weights=counted, minlength=len(found.labels))
