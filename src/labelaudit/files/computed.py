"""What columns are by how they agree: computed from others, or of several things."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import numpy as np
import pandas as pd

from .._words import several, shown
from .columns import CHANCE, MOST_COLUMNS, MOST_ROWS, NUMBER, is_called
from .looks import FEW_PAIRS, FEW_ROWS, Found, Guess, Look
from .said import say
from .text import key

GAP = 0.12  # by which columns of one criterion agree more than those of two, at least
SURE, LIKELY = 3.1, 2.0  # standard errors
UNSURE = 0.05  # of what may be so by chance, and is told
FEW_FILLED = 3  # cells, of a column that is empty elsewhere
SIDES = 0.7  # of items where the others differ, a rater is with most of them
FEW_SIDES = 3  # of such items; on more it is told who is always with most
ALIKE = 0.95  # of items: of raters who follow the others on more, one may on all
# What may be computed from the others' numbers.
KINDS: dict[str, Any] = {"mean": np.mean, "median": np.median, "largest": np.max}
KINDS |= {"smallest": np.min, "range": np.ptp}


Rule = Iterator[tuple[str, str, float]]  # a column, why, and how likely so by chance


def computed(look: Look) -> list[Found]:
    """A column that says what the others have already, or may.

    By chance a rater who agrees with the others as these do would hardly do so; where
    that is not sure, the column is the one that is least likely so by chance.
    """
    if not 3 <= len(look.names) <= MOST_COLUMNS:
        return []
    first = replace(look, cells=look.cells[:MOST_ROWS])
    # Of columns of 0 and 1 one may be a majority by chance where others are the same.
    found = [*_alike_or_not(first), *_majority(look), *_number(first)]
    name, why, chance = min(found, key=lambda one: one[2], default=("", "", 1.0))
    return [(name, why, chance < CHANCE)] if chance < UNSURE else []


def _alike_or_not(look: Look) -> Rule:
    """Columns filled only where the others, who judged, differ, or are alike.

    Or with one word where they are alike, and another where not: the last such column,
    as of three columns with two words each every one is so if one is.
    """
    shares, every = dict[str, float](), look.there.all(axis=1)
    for c, name in [*enumerate(look.names)][::-1]:
        rest, filled = np.delete(look.cells, c, axis=1), look.there[:, c]
        full = np.delete(look.there, c, axis=1).all(axis=1)
        alike = (rest == rest[:, :1]).all(axis=1)
        for why, where in {"settles": ~alike, "filled": alike}.items():
            if (full & where)[filled].all():
                yield name, why, _by_chance(where.mean(), filled.sum(), FEW_FILLED)
        words = Counter(zip(alike[every], look.cells[every, c]))
        if [len(words), *(len({*one}) for one in zip(*words))] == [2, 2, 2]:
            shares[name] = max(words.values()) / every.sum()
    for name in [*shares][:1]:
        yield name, "same", _by_chance(min(shares.values()), every.sum())


def _majority(look: Look) -> Rule:
    """Columns that have the others' most frequent label wherever there is one."""
    n, k = look.cells.shape
    codes, labels = pd.factorize(look.cells.ravel())
    if not 0 < codes.size * len(labels) <= 2**27:
        return
    codes = codes.reshape(n, k)
    own = codes[:, :, None] == np.arange(len(labels))
    every = own.sum(axis=1, dtype=np.int8)

    def follows(column: int, votes: np.ndarray) -> tuple[int, int, int]:
        """On how many items it has the one label that has most votes, of all such.

        And on how many of these some have another label.
        """
        best = votes.max(axis=1)
        one = (votes == best[:, None]).sum(axis=1) == 1
        judged = one & (best >= min(2, best.max())) & (codes[:, column] >= 0)
        hits = votes.argmax(axis=1) == codes[:, column]
        apart = judged & (best < votes.sum(axis=1))
        return int(hits[judged].sum()), int(judged.sum()), int(apart.sum())

    for c, name in enumerate(look.names):
        rest = every - own[:, c]
        hits, judged, apart = follows(c, rest)
        if hits == judged >= FEW_ROWS:
            # Who has the same labels all along follows as well: neither is told apart.
            others = (follows(r, rest - own[:, r]) for r in range(k) if r != c)
            share = max((hits / n for hits, n, _ in others if n), default=1.0)
            chance = share ** (judged / 2 if k == 3 else judged)
            yield name, "majority", max(chance, CHANCE * (share > ALIKE))
            if (codes == codes[:, [c]]).all(axis=0).sum() == 1:  # as no other has it
                few = SIDES ** (apart - FEW_SIDES)
                yield name, "majority", max(CHANCE, UNSURE * few)


def _number(look: Look) -> Rule:
    """Columns of the others' means, extremes and the like, differences, or decimals."""
    texts = look.cells[look.there.all(axis=1)]
    values = pd.DataFrame(texts).apply(pd.to_numeric, errors="coerce").to_numpy()
    if len(values) < FEW_ROWS or not np.isfinite(values).all():
        return
    rest = [np.delete(values, c, axis=1) for c in range(len(look.names))]
    three = len(rest) == 3
    for c in (2, 1, 0) if three else ():
        most = max(Counter(values[:, c]).values()) / len(values)
        gap = rest[c][:, 0] - rest[c][:, 1]
        if any((values[:, c] == told).all() for told in (gap, -gap, abs(gap))):
            yield look.names[c], "difference", _by_chance(most, len(values))
    broken = (values % 1 != 0).mean(axis=0)
    if broken.max() > 0.5 and (broken > 0).sum() == 1:  # as of a variance
        yield look.names[int(broken.argmax())], "decimals", CHANCE
    digits = [max(len(text.partition(".")[2]) for text in one) for one in texts.T]
    scale = 10.0 ** np.array(digits)
    told = (values * scale).round(6)
    differ = np.array([np.ptp(others, axis=1) > 0 for others in rest]).T
    rows = differ.sum(axis=0)
    for why, of in KINDS.items():
        exact = (np.array([of(others, axis=1) for others in rest]).T * scale).round(6)
        # Halves are rounded to even, all up, or all down.
        for whole in (np.rint(exact), np.floor(exact + 0.5), np.ceil(exact - 0.5)):
            near = whole == told
            share = (near & differ).sum(axis=0) / rows.clip(1)
            for c in np.flatnonzero(near.all(axis=0))[::-1]:
                # Of three one may often say more; who is like another may be a rater.
                n = rows[c] // 2 if three and why.endswith("est") else rows[c]
                yield look.names[c], why, _by_chance(np.delete(share, c).max(), n)


def _by_chance(share: float, n: int, few: int = FEW_ROWS) -> float:
    """How likely n cells are so by chance, which makes this share of them so."""
    return share**n if n >= few else 1.0


def spelled(look: Look, names: Collection[str]) -> str:
    """What to do where labels of these columns may be others' in other spellings."""
    same = defaultdict[Any, list[str]](list)
    own = {t for n, labels in zip(look.names, look.own) if n in names for t in labels}
    for label in sorted(look.columns_of):
        same[key(label)].append(label)
    both = [one for one in same.values() if len(one) > 1 and not own.isdisjoint(one)]
    numbers = all(map(NUMBER.fullmatch, look.columns_of))
    told = several(" and ".join(map(shown, one)) for one in both)
    many = 2 * len(own.intersection(chain(*both))) > len(own)  # one may be so by chance
    return say("way", "spelled", both=told, numbers=numbers) if many else ""


# Of several things --------------------------------------------------------------------


def named(look: Look) -> Guess | None:
    """Most columns are called as labels, or as what is judged of an item."""
    numbers = all(map(NUMBER.fullmatch, look.names))
    below = numbers and any(name.startswith("-") for name in look.names)
    names = [name for name in look.names if below or is_called(name, "criteria")]
    if len(names) < 2 or 2 * len(names) <= len(look.names):
        return None
    columns, table = look.whole
    counted = columns == look.names and not look.numbers
    counted = counted and {0, 2} <= {*table.clip(max=2).flat}
    return "criteria", {"names": names, "raters": look.names, "counts": counted}


def criteria(look: Look, sure: float = SURE) -> Guess | None:
    """Names are all pairs of two lists of words, and columns of one word are alike.

    So are those of raters and criteria: two agree more on one thing than across two.
    """
    words = [re.findall(r"[^\W\d_]+|\d+", name) for name in look.names]
    for cut in (1, -1) if len(words) <= MOST_COLUMNS else ():
        of = pd.DataFrame([(" ".join(w[:cut]), " ".join(w[cut:])) for w in words])
        sizes = of.nunique()
        if sizes.min() > 1 and sizes.prod() == len(of) == len(of.drop_duplicates()):
            of.index = pd.Index(look.names)
            found = [k for k in (1, 0) if _alike(look, [*of[k]], [*of[1 - k]], sure)]
            if each := [part for k in found for part in of.groupby(k, sort=False)]:
                ways = [say("way", "thing", thing=w, raters=c.index) for w, c in each]
                told = {"first": [*of[0].unique()], "last": [*of[1].unique()]}
                return "pairs", told | {"way": ways[0], "ways": "; ".join(ways)}
    return None


def _alike(look: Look, what: list[str], who: list[str], sure: float) -> bool:
    """Whether two who judge the same agree more than two who judge other things."""
    cells, there = look.cells[:MOST_ROWS], look.there[:MOST_ROWS]
    alike: dict[bool, list[np.ndarray]] = {True: [], False: []}
    for a, b in combinations(range(len(what)), 2):
        if who[a] != who[b]:
            both, same = there[:, a] & there[:, b], cells[:, a] == cells[:, b]
            alike[what[a] == what[b]].append(np.where(both, same, np.nan))
    means = [pd.DataFrame(alike[kind]).mean() for kind in (True, False)]
    gap = (means[0] - means[1]).dropna()
    return len(gap) >= FEW_PAIRS and gap.mean() >= max(GAP, sure * gap.sem())
