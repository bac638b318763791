"""Columns that are made of the others: their majority, mean, largest number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

MOST_COLUMNS = 50  # of more, none is compared with all others
FEW_PAIRS = 10  # on fewer, two raters may never agree
FEW_MEANS = 3  # means with decimals of numbers without are no luck
CHANCE = 0.001  # of a rater like the others to equal them throughout


def majority(cells: np.ndarray) -> int | None:
    """A column that has the others' most frequent label wherever there is one.

    Only where a rater who agrees with the others as these do would hardly do so.
    """
    n, k = cells.shape
    codes, labels = pd.factorize(cells.ravel())
    codes, each = codes.reshape(n, k), np.arange(len(labels))
    if not 3 <= k <= MOST_COLUMNS or not 0 < len(each) * n <= 2**24:
        return None

    def of(column: int) -> np.ndarray:
        found: np.ndarray = (codes[:, [column]] == each).astype(np.int32)
        return found

    def follows(column: int, votes: np.ndarray) -> tuple[int, int]:
        """On how many items it has the one label that has most votes, of all such."""
        best = votes.max(axis=1)
        one = (votes == best[:, None]).sum(axis=1) == 1
        enough = best >= min(2, int(best.max(initial=0)))
        judged = one & enough & (codes[:, column] >= 0)
        hits = votes.argmax(axis=1) == codes[:, column]
        return int(hits[judged].sum()), int(judged.sum())

    every = np.zeros((n, len(each)), dtype=np.int32)
    every += sum(map(of, range(k)))
    for c in range(k):
        rest = every - of(c)
        hits, judged = follows(c, rest)
        if hits == judged >= FEW_PAIRS:
            others = [follows(r, rest - of(r)) for r in range(k) if r != c]
            share = max((hits / n for hits, n in others if n), default=1.0)
            if share ** (judged / 2 if k == 3 else judged) < CHANCE:
                return c
    return None


SUMMARIES: list[Callable[[np.ndarray, float], np.ndarray]] = [
    lambda others, unit: others.max(axis=1),
    lambda others, unit: others.min(axis=1),
    lambda others, unit: np.median(others, axis=1),
    lambda others, unit: np.floor(others.mean(axis=1) / unit + 0.5 + 1e-9) * unit,
    lambda others, unit: np.rint(others.mean(axis=1) / unit) * unit,
]


def summary(cells: np.ndarray) -> int | None:
    """A column of the others' means, medians, or largest or smallest numbers.

    Only where a rater like the others would hardly have them, as for a majority.
    """
    values = pd.DataFrame(cells).apply(pd.to_numeric, errors="coerce").to_numpy(float)
    k = values.shape[1]
    if not 3 <= k <= MOST_COLUMNS or np.isnan(values).any():
        return None
    digits = [max(len(t.partition(".")[2]) for t in texts) for texts in cells.T]
    rest = [np.delete(values, c, axis=1) for c in range(k)]  # of each column
    differ = [others.min(axis=1) < others.max(axis=1) for others in rest]
    for of in SUMMARIES:
        told = [of(others, 10.0 ** -digits[c]) for c, others in enumerate(rest)]
        same = [abs(told[c] - values[:, c]) < 1e-6 for c in range(k)]
        shares = [s[d].mean() if d.any() else 1.0 for s, d in zip(same, differ)]
        for c in (c for c in range(k) if same[c].all()):
            times, more = int(differ[c].sum()), shares[:c] + shares[c + 1 :]
            luck = max(more) ** (times / 2 if k == 3 else times)
            finer = digits[c] > max(digits[:c] + digits[c + 1 :])
            no_luck = finer or (times >= FEW_PAIRS and luck < CHANCE)
            if times >= FEW_MEANS and no_luck:
                return c
    return None
