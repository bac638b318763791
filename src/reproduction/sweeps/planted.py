"""Simulated studies with honest raters, and with some that one should talk to."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd

import labelaudit as la
from labelaudit.reports.collection.flags import flags as flags

Array = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

PER_ITEM = 5  # judgments an item has
LEAST = 0.5  # the least skill of an honest rater; the most is 1
DRAWN = 0.7  # share of those who do not know that take a tempting label
HARD, LEFT = 0.25, 0.4  # share of hard items, and of skill that is left on them
# One label for all; any, evenly; any, as labels are frequent; any but the right one.
PLANTED = ("constant", "random", "frequent", "reversed")


def shares(labels: int, largest: float) -> Floats:
    """Of the labels, the others evenly; largest 0: all evenly, (labels,)."""
    if largest == 0:
        return np.full(labels, 1 / labels)
    return np.array([largest] + [(1 - largest) / (labels - 1)] * (labels - 1))


def judges(random: np.random.Generator, raters: int, items: int) -> Array:
    """Different raters for each item, (items, PER_ITEM)."""
    who = random.integers(raters, size=(items, PER_ITEM))
    while True:
        ordered = np.sort(who, axis=1)
        twice = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
        if len(twice) == 0:
            return who
        who[twice] = random.integers(raters, size=(len(twice), PER_ITEM))


def labels_of(
    random: np.random.Generator, who: Array, truth: Array, share: Floats, errors: str
) -> Array:
    """What honest raters say, (items, PER_ITEM).

    errors : "guessing" (who does not know guesses evenly), "edge" (the same; one rater
    of the least skill, all others of the most), "habit" (guesses as labels are
    frequent), "near" (a wrong label is next to the right one), "tempting" (each item
    draws those who do not know to one wrong label), "hard" (a quarter of the items is
    hard) or "confusions" (each rater has a confusion matrix)
    """
    q, raters, shape = len(share), who.max() + 1, who.shape
    skill = random.uniform(LEAST, 1, raters)
    if errors == "edge":
        skill = np.where(np.arange(raters) == 0, LEAST, 1.0)
    known, true = skill[who], np.broadcast_to(truth[:, None], shape)
    other = random.integers(q, size=shape)
    if errors == "habit":
        other = random.choice(q, shape, p=share)
    elif errors == "near":
        known = (1 + known) / 2
        other = np.clip(true + random.choice([-1, 1], shape), 0, q - 1)
    elif errors == "tempting":
        lure = random.integers(q, size=(len(truth), 1))
        other = np.where(random.random(shape) < DRAWN, lure, other)
    elif errors == "hard":
        hard = random.random((len(truth), 1)) < HARD
        known = known * np.where(hard, LEFT, 1)
    elif errors == "confusions":
        known = (1 + known) / 2
        rows = random.dirichlet(np.full(q, 0.5), (raters, q)).cumsum(axis=2)[who, true]
        drawn = (random.random((*shape, 1)) > rows).sum(axis=2)
        other = np.minimum(drawn, q - 1)
    return np.where(random.random(shape) < known, true, other)


def study(
    random: np.random.Generator,
    raters: int,
    judgments: int,
    share: Floats,
    errors: str,
    planted: str = "",
    bad: Iterable[int] = (),
) -> la.Ratings:
    """One study, in which each rater has about so many judgments.

    bad : raters who are as planted
    """
    q, items = len(share), max(1, raters * judgments // PER_ITEM)
    truth = random.choice(q, items, p=share)
    who = judges(random, raters, items)
    label = labels_of(random, who, truth, share, errors)
    item = np.repeat(np.arange(items), PER_ITEM)
    table = pd.DataFrame({"item": item, "rater": who.ravel(), "label": label.ravel()})
    for a in bad:
        mine = table["rater"] == a
        n = int(mine.sum())
        if planted == "constant":
            table.loc[mine, "label"] = random.choice(q, p=share)
        elif planted == "random":
            table.loc[mine, "label"] = random.integers(q, size=n)
        elif planted == "frequent":
            table.loc[mine, "label"] = random.choice(q, n, p=share)
        elif planted == "reversed":
            true = truth[table.loc[mine, "item"]]
            table.loc[mine, "label"] = (true + random.integers(1, q, n)) % q
    return la.Ratings.from_long(table)
