"""What columns are by how they agree: computed from others, or of several things."""

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from .columns import CHANCE, MOST_COLUMNS
from .looks import FEW_PAIRS, FEW_ROWS, MOST_ROWS, Guess, Look
from .said import typed

GAP = 0.12  # by which columns of one criterion agree more than those of two, at least
SURE, LIKELY = 3.1, 2.0  # standard errors
LAST = 0.5  # of three, by which the others of another agree more than those of the last


def computed(look: Look) -> tuple[str, str] | None:
    """A column that says what the others have already, and why.

    Only where a rater who agrees with the others as these do would hardly do so.
    """
    if not 3 <= len(look.names) <= MOST_COLUMNS:
        return None
    first = replace(look, cells=look.cells[:MOST_ROWS])
    for c in range(len(look.names))[::-1]:
        if why := _settles(first, c):
            return look.names[c], why
    if name := _same(
        first
    ):  # before majorities, as one of 0 and 1 may be one by chance
        return name, "same"
    if name := _majority(look):
        return name, "majority"
    return _number(first)


def _majority(look: Look) -> str | None:
    """A column that has the others' most frequent label wherever there is one."""
    n, k = look.cells.shape
    codes, labels = pd.factorize(look.cells.ravel())
    codes, each = codes.reshape(n, k), np.arange(len(labels))
    if not 0 < len(each) * n <= 2**24:
        return None

    def of(column: int) -> np.ndarray:
        return np.asarray(codes[:, [column]] == each, dtype=np.int32)

    def follows(column: int, votes: np.ndarray) -> tuple[int, int]:
        """On how many items it has the one label that has most votes, of all such."""
        best = votes.max(axis=1)
        one = (votes == best[:, None]).sum(axis=1) == 1
        judged = one & (best >= min(2, best.max())) & (codes[:, column] >= 0)
        hits = votes.argmax(axis=1) == codes[:, column]
        return int(hits[judged].sum()), int(judged.sum())

    every = sum(map(of, range(k)))
    for c, name in enumerate(look.names):
        rest = every - of(c)
        hits, judged = follows(c, rest)
        if hits == judged >= FEW_PAIRS:
            unlike = np.flatnonzero((codes != codes[:, [c]]).any(axis=0)).tolist()
            others = (follows(r, rest - of(r)) for r in unlike)
            share = max((hits / n for hits, n in others if n), default=1.0)
            if share ** (judged / 2 if k == 3 else judged) < CHANCE:
                return name
    return None


def _settles(look: Look, c: int) -> str:
    """Filled only where the others, who judged, differ."""
    rest = np.delete(look.cells, c, axis=1)
    full = np.delete(look.there, c, axis=1).all(axis=1)
    differ, filled = (rest != rest[:, :1]).any(axis=1), look.there[:, c]
    only = (full & differ)[filled].all()
    return "settles" if only and _hardly(differ.mean(), filled.sum()) else ""


def _same(look: Look) -> str | None:
    """A column of one word where the others are alike, another where they are not.

    Of three columns with two words each every one is so if one is: it is the last, but
    where the others of another agree far more beyond chance, as raters do.
    """
    cells = look.cells[look.there.all(axis=1)]
    found, share, n = dict[int, float](), 1.0, len(cells)
    for c in range(len(look.names)):
        rest = np.delete(cells, c, axis=1)
        alike = (rest == rest[:, :1]).all(axis=1)
        words = Counter(zip(alike, cells[:, c]))
        if [len(words), *(len({*one}) for one in zip(*words))] == [2, 2, 2]:
            labels = np.array([*{*rest.flat}], dtype=object)
            each = (rest[:, :, None] == labels).mean(axis=0)  # of columns and labels
            chance = each.prod(axis=0).sum()
            found[c] = (alike.mean() - chance) / (1 - chance)
            share = min(share, max(words.values()) / n)
    likely = max(found, key=lambda c: found[c] + LAST * (c == 2), default=0)
    return look.names[likely] if found and _hardly(share, n) else None


def _number(look: Look) -> tuple[str, str] | None:
    """A column of the others' means, extremes and the like, or of differences."""
    texts = look.cells[look.there.all(axis=1)]
    values = pd.DataFrame(texts).apply(pd.to_numeric, errors="coerce").to_numpy()
    if len(values) < FEW_ROWS or not np.isfinite(values).all():
        return None
    columns = range(len(look.names))[::-1]
    rest = [np.delete(values, c, axis=1) for c in range(len(look.names))]
    for c in columns if len(columns) == 3 else ():
        most = max(Counter(values[:, c]).values()) / len(values)
        gap = rest[c][:, 0] - rest[c][:, 1]
        same = [(values[:, c] == told).all() for told in (gap, -gap, abs(gap))]
        if any(same) and _hardly(most, len(values)):
            return look.names[c], "difference"
    differ = np.array([np.ptp(others, axis=1) > 0 for others in rest])
    kinds: dict[str, Any] = {"mean": np.mean, "median": np.median}
    kinds |= {"largest": np.max, "smallest": np.min, "range": np.ptp}
    for why, of in kinds.items():
        off = abs([of(others, axis=1) for others in rest] - values.T)
        for c in columns:
            digits = max(len(text.partition(".")[2]) for text in texts[:, c])
            near = off <= 0.5 * 10.0**-digits + 1e-9
            share = (near & differ).sum(axis=1) / differ.sum(axis=1).clip(1)
            unlike = (values != values[:, [c]]).any(axis=0)
            most = share[unlike].max(initial=0)
            half = len(columns) == 3 and why.endswith("est")  # one may often say more
            sure = differ[c].sum() // (1 + half)
            if near[c].all() and unlike.any() and _hardly(most, sure):
                return look.names[c], why
    return None


def _hardly(share: float, n: int) -> bool:
    """Whether n cells are hardly so by chance, which makes this share of them so."""
    return n >= FEW_ROWS and share**n < CHANCE


# Of several things --------------------------------------------------------------------


def criteria(look: Look, sure: float = SURE) -> Guess | None:
    """Names are all pairs of two lists of words, and columns of one word are alike.

    So are those of raters and criteria: two agree more on one thing than across two.
    """
    words = [re.findall(r"[^\W\d_]+|\d+", name) for name in look.names]
    for cut in (1, -1) if len(words) <= MOST_COLUMNS else ():
        of = [(" ".join(one[:cut]), " ".join(one[cut:])) for one in words]
        first, last = ([*dict.fromkeys(part)] for part in zip(*of))
        every = len({*of}) == len(of) == len(first) * len(last)
        if every and min(len(first), len(last)) > 1:
            both = [[(last, first) for first, last in of], of]
            found = [kinds for kinds in both if _alike(look, kinds, sure)]
            each = [(w, n) for kinds in found for (w, _), n in zip(kinds, look.names)]
            ways = [
                f"of {word}, say {typed('--raters', [n for w, n in each if w == word])}"
                for word in dict.fromkeys(word for word, _ in each)
            ]
            if ways:
                told = {"first": first, "last": last, "way": ways[0]}
                return "pairs", told | {"ways": "; ".join(ways)}
    return None


def _alike(look: Look, kinds: list[tuple[str, str]], sure: float) -> bool:
    """Whether columns of one first word agree more; all with another second one."""
    cells, there = look.cells[:MOST_ROWS], look.there[:MOST_ROWS]
    alike: dict[bool, list[np.ndarray]] = {True: [], False: []}
    for a, b in combinations(range(len(kinds)), 2):
        if kinds[a][1] != kinds[b][1]:
            same = np.where(
                there[:, [a, b]].all(axis=1), cells[:, a] == cells[:, b], np.nan
            )
            alike[kinds[a][0] == kinds[b][0]].append(same)
    one, two = (pd.DataFrame(alike[kind]).mean() for kind in (True, False))
    gap = (one - two).dropna()
    return len(gap) >= FEW_PAIRS and gap.mean() >= max(GAP, sure * gap.sem())
