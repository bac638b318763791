"""Raters who give one label only, and how improbable their items make that.

Others give another label on some of the items, but by mistake, too: who never errs may
find one label in all items where others do not. So what counts is how probable it is,
from the others' labels, that an item has another label. For that a model is enough in
which all raters know the label with one probability, the skill, and else guess evenly.
The skill is the root of their agreement beyond chance. On such an item a rater with
half of the skill gives another label with half of that probability.
"""

from __future__ import annotations

import numpy as np

from ...._checks import Array
from ....agreement.ratings import Ratings
from ...saying import say
from ..breakdowns import Shared, raters_of
from .least_able import FEWEST, LEAST_ABLE, Compared, Tested

OTHERWISE = 0.05  # share of other labels by others, where a rater gives one; ours
MOST_SKILL = 0.99  # so that no vote decides alone; ours
LARGEST = 500.0  # exponent


def tested(r: Ratings, s: Shared, c: Compared) -> Tested:
    """Each of them whose others give another label often enough.

    Any of the labels in use might have been the one.
    """
    n, q = len(raters_of(r)), len(r.labels)
    number = np.bincount(c.rater, minlength=n)
    kinds = np.unique(c.rater.astype(np.int64) * q + c.label) // q
    one = (np.bincount(kinds, minlength=n) == 1) & (number >= FEWEST)
    if not one.any():
        return Tested(np.zeros(0, dtype=int), np.zeros(0), [])
    skill = _skill(c)
    other = _other_label(r, s, c, skill)
    logs = np.bincount(c.rater, np.log1p(-LEAST_ABLE * skill * other), n)
    away = np.bincount(c.rater, 1 - c.same, n) / np.maximum(number, 1)
    first = np.zeros(n, dtype=int)
    first[c.rater[::-1]] = c.label[::-1]
    in_use = len(np.unique(c.label))
    named = np.flatnonzero(one & (away >= OTHERWISE))
    reasons = [
        say("one_label", label=r.labels[first[a]], n=number[a], away=away[a])
        for a in named
    ]
    return Tested(named, np.minimum(1, in_use * np.exp(logs[named])), reasons)


def _skill(c: Compared) -> float:
    """The root of all raters' agreement with each other beyond chance, in [0, 1)."""
    chance = c.others_chance.mean()
    beyond = (c.others.mean() - chance) / (1 - chance) if chance < 1 else 0.0
    return float(min(np.sqrt(max(beyond, 0.0)), MOST_SKILL))


def _other_label(r: Ratings, s: Shared, c: Compared, skill: float) -> Array:
    """How probable the others' labels make it that the item has another label, (n,)."""
    if skill == 0:
        return np.zeros(len(c.rater))
    rows = np.flatnonzero(s.m >= 3)
    share = np.bincount(c.label, minlength=len(r.labels)) / len(c.label)
    luck = (1 - skill) / (share > 0).sum()  # of a label that is guessed
    prior = np.where(share > 0, np.maximum(share - luck, 1e-6), 0)
    prior = prior / prior.sum()
    size = s.size[s.cell[rows]]
    vote = min(np.log((skill + luck) / luck), LARGEST / s.size.max())
    seen = prior[s.of] * np.exp(vote * s.size)
    whole = 1 + np.bincount(s.unit, seen - prior[s.of], len(r.items))[s.j.item[rows]]
    own = prior[c.label] * np.exp(vote * size)
    other = np.maximum(whole - own, 0)
    return other / (other + prior[c.label] * np.exp(vote * (size - 1)))
