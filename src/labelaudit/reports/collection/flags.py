"""Raters to talk to: who agrees too little, or answers with one label.

**Too little.** Honest raters differ. The rule here (ours): each agrees with others,
beyond chance, at least half as well as these agree with each other on the same items
(LEAST_ABLE). In a model in which a rater knows the label of an item with some
probability, the skill, and else guesses, that is a skill of at least half of the
others'. The test is a bet. A stake grows where the rater agrees less than the rule
says, and a stake that has grown k times has a p-value of 1 / k, however few judgments
there are (Ville 1939; Waudby-Smith and Ramdas 2024). Such p-values may depend on each
other in any way (Wang and Ramdas 2022). Chance is estimated from the rater's other
items, so the bet is fair only nearly; simulated studies show how nearly
(sweeps/raters.ipynb).

**One label.** Others give another label on some of the items, but by mistake, too: who
never errs may find one label in all items where others do not. So what counts is how
probable it is, from the others' labels, that an item has another label. For that a
model is enough in which all raters know the label with one probability, the skill, and
else guess evenly. The skill is the root of their agreement beyond chance. On such an
item a rater with half of the skill gives another label with half of that probability.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from ..._checks import Array
from ...agreement.ratings import Ratings
from ..saying import say
from .breakdowns import Shared, means, shared

LEVEL = 0.05  # false discovery rate that the adjusted p-values aim at
SHARE = 1 / 2  # of it, for either test
LEAST_ABLE = 0.5  # of the others' agreement beyond chance; ours
GUESSES = 0.15  # of it, below which answers are as if at random; ours
FEWEST = 5  # judgments that are shared with two others, to speak of a rater; ours
STAKES = (0.1, 0.2, 0.4, 0.6, 0.9)  # of what is left, one bettor each
OTHERWISE = 0.05  # share of other labels by others, where a rater gives one; ours
MOST_SKILL = 0.99  # so that no vote decides alone; ours
LARGEST = 500.0  # exponent

COLUMNS = ("judgments", "p_value", "reasons", "flagged")


def flags(r: Ratings) -> pd.DataFrame:
    """Raters to talk to.

    Parameters
    ----------
    r : Ratings
        Labels are compared as equal or not. With fewer than three raters nobody can be
        told from the others, and nobody is flagged.

    Returns
    -------
    DataFrame, index rater
        All raters, those with most judgments first; empty where they are anonymous, or
        patterns stand for items.
        judgments; p_value: the smallest of the rater's tests, adjusted for all tests;
        reasons: in words, joined by "; "; flagged: whether there are any.

    Examples
    --------
    >>> import labelaudit as la
    >>> import numpy as np
    >>> from labelaudit.reports.collection.flags import flags
    >>> random = np.random.default_rng(1)
    >>> truth = random.integers(3, size=(300, 1))
    >>> wrong = random.random((300, 5)) < [0.1, 0.2, 0.1, 0.2, 1]
    >>> labels = np.where(wrong, random.integers(3, size=(300, 5)), truth)
    >>> flags(la.Ratings.from_matrix(labels))["flagged"].to_dict()
    {0: False, 1: False, 2: False, 3: False, 4: True}
    """
    if r.raters is None or r.times is not None:
        return pd.DataFrame(columns=COLUMNS).rename_axis("rater")
    c = compared(r)
    (tail, gives), (bet, little) = gives_one(r, c), agrees_little(c)
    # Who is named for giving one label is not also said to guess.
    clear = tail <= LEVEL
    bet[clear] = 1
    judgments = np.bincount(r.judgments.rater, minlength=len(r.raters))
    columns = {"judgments": judgments, "p_value": np.minimum(tail, bet)}
    table = pd.DataFrame(columns, r.raters.rename("rater"))
    table["reasons"] = np.where(clear, gives, np.where(bet <= LEVEL, little, ""))
    table["flagged"] = table["reasons"] != ""
    return table.sort_values("judgments", ascending=False, kind="stable")


Test = tuple[Array, Array]  # of each rater, a p-value and a reason in words


def _test(n: int, raters: Array, p: Array, factor: float, why: list[str]) -> Test:
    """Of those with enough judgments, adjusted; of others 1.

    Adjusted is p times factor over its rank, made to rise with p, over the test's
    share. The number of tests as factor is Benjamini and Hochberg's rule (1995), for
    bets, however they depend; times the sum of 1 / rank it is Benjamini and
    Yekutieli's (2001), for tails, which may depend on each other. scipy's wants all
    tests, also those whose p is 1.
    """
    adjusted, reasons = np.ones(n), np.full(n, "", dtype=object)
    order = np.argsort(p, kind="stable")
    risen = p[order] * factor / np.arange(1, len(p) + 1)
    least = np.minimum.accumulate(risen[::-1])[::-1]
    adjusted[raters[order]] = np.minimum(least / SHARE, 1.0)
    reasons[raters] = why
    return adjusted, reasons


class Compared(NamedTuple):
    """Each judgment of an item with two or more others, beside them.

    of : the judgments; of.same is the share of the others on the item with the label
    others : share of pairs of others on the item with one label
    chance, others_chance : the same of judgments of other items
    number : (n_raters,), how many of these judgments each rater has
    """

    of: Shared
    others: Array
    chance: Array
    others_chance: Array
    number: Array


def compared(r: Ratings) -> Compared:
    """See Compared."""
    s = shared(r, 3)
    m, item, rater, label = s.m, s.j.item, s.j.rater, s.j.label
    # What others on a rater's items say, (n_raters, n_labels).
    n, q, each = len(r._known_raters("flags")), len(r.labels), 1 / (m - 1)
    by = csr_array((each, (rater, item)), (n, len(r.items)))
    counts = csr_array((s.size.astype(float), (s.unit, s.of)), (len(r.items), q))
    said = (by @ counts - csr_array((each, (rater, label)), (n, q))).tocsr()
    squares = np.asarray(said.multiply(said).sum(axis=1)).ravel()
    number = np.bincount(rater, minlength=n)
    left = np.maximum(number - 1, 1)[rater]
    chance = (np.asarray(said[rater, label]).ravel() - s.same) / left
    theirs = (squares / np.maximum(number, 1) ** 2)[rater]
    return Compared(s, s.others(s.size - 1), chance, theirs, number)


# Who agrees too little --------------------------------------------------------------


def agrees_little(c: Compared) -> Test:
    """The bet on each rater, and what it would show: low, or random."""
    n, enough = len(c.number), np.flatnonzero(c.number >= FEWEST)
    rater, same = c.of.j.rater, c.of.same
    own, theirs = same - c.chance, c.others - c.others_chance
    # A gain is at most this, whatever the rater and the others say.
    most = 1 + LEAST_ABLE * c.others_chance
    p = _p_values(rater, (own - LEAST_ABLE * theirs) / most, n)
    each = same, c.chance, own, theirs, c.others
    alike, chance, mine, other, others = (means(rater, v, n)[enough] for v in each)
    reasons = [
        say("at_random" if random else "least_able", same=a, chance=b, others=d)
        for random, a, b, d in zip(abs(mine) < GUESSES * other, alike, chance, others)
    ]
    # Where the others agree no better than by chance, nobody agrees worse with them.
    bets = np.where(other > 0, p[enough], 1.0)
    return _test(n, enough, bets, len(enough), reasons)


def _p_values(rater: Array, gain: Array, n: int) -> Array:
    """1 over what stakes on gains below 0 have grown to, at most 1, (n,).

    gain : whose mean is at least 0 by the rule; at most 1
    """
    logs = [np.bincount(rater, np.log1p(-share * gain), n) for share in STAKES]
    grown: Array = np.logaddexp.reduce(logs, axis=0) - np.log(len(STAKES))
    return np.exp(-np.clip(grown, 0, 700))


# Who gives one label ----------------------------------------------------------------


def gives_one(r: Ratings, c: Compared) -> Test:
    """Each of them whose others give another label often enough.

    Any of the labels in use might have been the one.
    """
    j, number, only = c.of.j, c.number, np.zeros_like(c.number)
    n, q = len(number), len(r.labels)
    rater, label = np.divmod(np.unique(j.rater.astype(np.int64) * q + j.label), q)
    only[rater] = label  # of who gives one
    one = (np.bincount(rater, minlength=n) == 1) & (number >= FEWEST)
    if not one.any():
        return np.ones(n), np.full(n, "")
    skill = _skill(c)
    other = _other_label(r, c.of, skill)
    logs = np.bincount(j.rater, np.log1p(-LEAST_ABLE * skill * other), n)
    away = np.bincount(j.rater, 1 - c.of.same, n) / np.maximum(number, 1)
    named = np.flatnonzero(one & (away >= OTHERWISE))
    reasons = [
        say("one_label", label=r.labels[only[a]], n=number[a], away=away[a])
        for a in named
    ]
    tails = np.minimum(1, len(np.unique(j.label)) * np.exp(logs[named]))
    each = np.arange(1, n + 1)  # of as many tests as there are raters
    return _test(n, named, tails, n * (1 / each).sum(), reasons)


def _skill(c: Compared) -> float:
    """The root of all raters' agreement with each other beyond chance, in [0, 1)."""
    chance = c.others_chance.mean()
    beyond = (c.others.mean() - chance) / (1 - chance) if chance < 1 else 0.0
    return float(min(np.sqrt(max(beyond, 0.0)), MOST_SKILL))


def _other_label(r: Ratings, s: Shared, skill: float) -> Array:
    """How probable the others' labels make it that the item has another label, (n,)."""
    label, size = s.j.label, s.size[s.cell]
    share = np.bincount(label, minlength=len(r.labels)) / len(label)
    luck = (1 - skill) / (share > 0).sum()  # of a label that is guessed
    prior = np.where(share > 0, np.maximum(share - luck, 1e-6), 0)
    prior = prior / prior.sum()
    vote = min(np.log((skill + luck) / luck), LARGEST / s.size.max())
    seen = prior[s.of] * np.exp(vote * s.size)
    whole = 1 + np.bincount(s.unit, seen - prior[s.of], len(r.items))[s.j.item]
    own = prior[label] * np.exp(vote * size)
    other = np.maximum(whole - own, 0)
    return other / (other + prior[label] * np.exp(vote * (size - 1)))
