"""Limits for the errors of a lot from samples of what a model doubts and of the rest.

The lot has two parts, the strata, of which both sizes are known. A sample is drawn from
each. Limits are exact whatever the split of the errors between the strata.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import labelaudit as la
from labelaudit._checks import Array
from labelaudit.laws.flags import law

# A probability this much (relative) below a bound still counts as above it: rounding
# can make a limit no smaller.
NEAR = 1e-9

# What is less probable is left out of limits that are made for one guess.
RARE = 1e-9

# Outcomes of so little probability in total are left out of a mean.
LEFT_OUT = 1e-5


Range = tuple[int, int, int, int]


class Strata:
    """A sample from each of two strata, drawn without replacement.

    Outcomes are ordered by the stratified estimate of the number of errors,
    N1 x1 / n1 + N2 x2 / n2, kept as a whole number, its score: n1 n2 times as much.

    Parameters
    ----------
    sizes, samples : pairs of int
        N1, N2 and n1, n2.
    """

    def __init__(self, sizes: tuple[int, int], samples: tuple[int, int]) -> None:
        self.sizes, self.samples = sizes, samples
        # P(X = x) of each stratum: a row for each number of errors in it.
        self.chances = [
            law(size, n).pmf(np.arange(n + 1), n, np.arange(size + 1)[:, None])
            for size, n in zip(sizes, samples)
        ]
        self.below = np.cumsum(self.chances[1], axis=1)
        self.weights = sizes[0] * samples[1], sizes[1] * samples[0]
        self._found: dict[tuple[int, int, float, float], int] = {}
        self._last: dict[float, tuple[int, int]] = {}
        self._gap: dict[tuple[float, int], int] = {}
        self._allowed: dict[float, Array] = {}

    def score(self, x1: Any, x2: Any) -> Any:
        return x1 * self.weights[0] + x2 * self.weights[1]

    def largest_chance(
        self, score: int, errors: int, within: Range | None = None
    ) -> float:
        """The largest P(score or less), over the splits of so many errors.

        within : the fewest and the most errors in the first stratum, and in the second
        """
        (size1, size2), (n1, n2) = self.sizes, self.samples
        least1, most1, least2, most2 = within or (0, size1, 0, size2)
        first, last = max(errors - most2, least1), min(errors - least2, most1)
        if first > last:
            return 0.0
        x1 = np.arange(min(n1, score // self.weights[0]) + 1)
        x2 = np.minimum((score - self.weights[0] * x1) // self.weights[1], n2)
        others = errors - np.arange(first, last + 1)
        of_first = self.chances[0][first : last + 1, : len(x1)]
        return float((of_first * self.below[others[:, None], x2]).sum(axis=1).max())

    def upper(self, x1: int, x2: int, confidence: float, slack: float = 0.0) -> int:
        """The most errors that the samples do not rule out.

        The upper end of an interval: the largest D that has a split with P(score or
        less) above (1 - confidence) / 2, the tail, among the splits that what was found
        leaves possible. (More errors make every such probability smaller.) With slack,
        part of the tail, only splits count that the first sample does not rule out by
        itself, at a confidence of 1 - slack (Berger and Boos 1994); the rest of the
        tail is then the bound.
        """
        key = x1, x2, confidence, slack
        if key not in self._found:
            bound = ((1 - confidence) / 2 - slack) * (1 - NEAR)
            score = self.score(x1, x2)
            within = self._possible(x1, x2, slack)
            high, least = self._of_all(score, bound), within[0] + within[2]
            # About as far below the limit over all splits as for the last x2.
            guess = max(least, high - self._gap.get((bound, x1), 0))
            limit = self._search(score, bound, (least, guess, high + 1), within)
            self._found[key], self._gap[bound, x1] = limit, high - limit
        return self._found[key]

    def lower(self, x1: int, x2: int, confidence: float) -> int:
        """The lower end: what is left by the most correct annotations."""
        good1, good2 = (n - x for n, x in zip(self.samples, (x1, x2)))
        return sum(self.sizes) - self.upper(good1, good2, confidence)

    def _of_all(self, score: int, bound: float) -> int:
        """The largest D over all splits: no limit of an outcome is higher."""
        last, limit = self._last.get(bound, (-1, 0))
        if last != score:
            limit = self._search(score, bound, (0, limit, sum(self.sizes) + 1))
            self._last[bound] = score, limit
        return limit

    def _search(
        self,
        score: int,
        bound: float,
        bracket: tuple[int, int, int],
        within: Range | None = None,
    ) -> int:
        """The largest number of errors that is kept.

        bracket : one that is kept, a guess, and one that is not kept
        """

        def kept(errors: int) -> bool:
            return self.largest_chance(score, errors, within) > bound

        low, guess, high = bracket
        step = 1
        if guess == low or kept(guess):
            low = guess
            while low + step < high and kept(low + step):
                low, step = low + step, 2 * step
            high = min(low + step, high)
        else:
            high = guess
            while high - step > low and not kept(high - step):
                high, step = high - step, 2 * step
            low = max(high - step, low)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if kept(middle) else (low, middle)
        return low

    def _possible(self, x1: int, x2: int, slack: float) -> Range:
        """The numbers of errors in both strata that what was found leaves possible."""
        (size1, size2), (n1, n2) = self.sizes, self.samples
        first = (x1, size1 - n1 + x1)
        if slack:
            first = self._likely(x1, slack)
        return (*first, x2, size2 - n2 + x2)

    def _likely(self, x1: int, slack: float) -> tuple[int, int]:
        """The numbers of errors in the first stratum that its sample allows."""
        if slack not in self._allowed:
            size, n = self.sizes[0], self.samples[0]
            found = np.arange(n + 1)
            ends = la.proportion_interval(found, n, size, confidence=1 - slack)
            self._allowed[slack] = np.rint(np.array(ends) * size).astype(int)
        low, high = self._allowed[slack][:, x1].tolist()
        return low, high

    def outcomes(self, errors: tuple[int, int]) -> tuple[Array, Array, Array]:
        """x1, x2 and probability of all likely outcomes, by increasing score."""
        chance = np.outer(*(c[d] for c, d in zip(self.chances, errors)))
        order = np.argsort(-chance, axis=None, kind="stable")
        kept = np.cumsum(chance.ravel()[order]) < 1 - LEFT_OUT
        x1, x2 = np.unravel_index(order[: kept.sum() + 1], chance.shape)
        order = np.argsort(self.score(x1, x2), kind="stable")
        x1, x2 = x1[order], x2[order]
        return x1, x2, chance[x1, x2]

    def expected_upper(
        self, errors: tuple[int, int], confidence: float, slack: float = 0.0
    ) -> float:
        """The mean of the upper limit, where the strata have so many errors."""
        x1, x2, chance = self.outcomes(errors)
        each = [
            self.upper(a, b, confidence, slack)
            for a, b in zip(x1.tolist(), x2.tolist())
        ]
        return float(chance @ np.array(each) / chance.sum())

    def mean(self, limits: Array, errors: tuple[int, int]) -> float:
        """The same for limits in a table, a row for each x1."""
        x1, x2, chance = self.outcomes(errors)
        return float(chance @ limits[x1, x2] / chance.sum())

    def floor(self, errors: tuple[int, int], confidence: float) -> float:
        """A bound: no valid upper limit from these samples has a smaller mean.

        Valid: below the number of errors with a probability of at most the tail,
        (1 - confidence) / 2, for every split. Such a limit is below D only if it rules
        out each split of D, and at these errors none does that more often than the best
        test (Neyman and Pearson) of that one split. So each split bounds P(limit < D)
        from above, and the mean, the sum of P(limit >= D) over D >= 1, from below.
        """
        (size1, size2), near = self.sizes, 4 + 2 * _step(sum(errors))
        tail, seen = (1 - confidence) / 2, [0, size1]
        stride = max(1, _step(sum(errors)) // 4)

        chance = np.outer(*(c[d] for c, d in zip(self.chances, errors)))
        x1, x2 = np.nonzero(chance > LEFT_OUT / chance.size)
        truth = chance[x1, x2]

        def most_power(many: int) -> float:
            first = max(seen[0], many - size2)
            tried = range(first, min(seen[1], many) + 1, stride)
            one, other = self.chances
            powers = [
                power(one[d, x1] * other[many - d, x2], truth, tail) for d in tried
            ]
            best = tried[int(np.argmin(powers))]
            seen[:] = max(0, best - near), min(size1, best + near)
            return min(powers)

        return _floor(most_power, sum(errors), sum(self.sizes), tail)


def tailored(
    two: Strata, guess: tuple[int, int], confidence: float, most: int
) -> Array:
    """Upper limits made for one guess of the errors in the strata, a row for each x1.

    A split of up to `most` errors is ruled out by outcomes that are improbable under it
    beside the guess: in the order of the likelihood ratio, those of at most the tail,
    (1 - confidence) / 2, together. The limits are the most errors with a split that is
    left. In lots of up to `most` errors they are valid whatever the guess. They are
    short near it; an outcome all but impossible under it has the limit `most`.
    """
    tail = (1 - confidence) / 2 * (1 - NEAR)
    seen = [np.flatnonzero(c[d] > RARE) for c, d in zip(two.chances, guess)]
    first, second = (c[: most + 1, x] for c, x in zip(two.chances, seen))
    truth = np.outer(first[guess[0]], second[guess[1]]).ravel()
    kept = np.zeros(len(truth), dtype=int)
    for d1 in range(len(first)):
        d2 = np.arange(min(most - d1, two.sizes[1]) + 1)
        null = (first[d1][:, None] * second[d2][:, None]).reshape(len(d2), -1)
        ratio = np.minimum(truth / np.maximum(null, RARE * RARE), 1 / RARE)
        order = np.argsort(-ratio, axis=1, kind="stable")
        ratio = np.take_along_axis(ratio, order, axis=1)
        # What is not seen and has a higher ratio is at most this much.
        spent = (1 - truth.sum()) / ratio
        spent += np.cumsum(np.take_along_axis(null, order, axis=1), axis=1)
        # Of equal ratios all are ruled out or none: each has what the last has spent.
        same = np.append(
            np.diff(ratio) < -NEAR * ratio[:, 1:], np.ones((len(d2), 1)), 1
        )
        last = np.where(same, np.arange(len(truth)), len(truth))
        last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
        left = np.take_along_axis(spent, last.astype(int), axis=1) > tail
        errors = np.where(left, d1 + d2[:, None], 0)
        np.maximum.at(kept, order.ravel(), errors.ravel())
    limits = np.full((two.samples[0] + 1, two.samples[1] + 1), most)
    limits[np.ix_(*seen)] = kept.reshape(len(seen[0]), -1)
    return limits


def plain_floor(lot_size: int, n: int, errors: int, confidence: float) -> float:
    """The same bound for one sample of the lot."""
    tail = (1 - confidence) / 2
    found, its_law = np.arange(n + 1), law(lot_size, n)
    truth = its_law.pmf(found, n, errors)

    def most_power(many: int) -> float:
        return power(its_law.pmf(found, n, many), truth, tail)

    return _floor(most_power, errors, lot_size, tail)


def _floor(
    most_power: Callable[[int], float], errors: int, lot_size: int, tail: float
) -> float:
    """The sum over D of a bound on P(limit >= D); in steps, each at its last D."""
    total, step = (1 - tail) * errors, _step(errors)
    for many in range(errors + step, lot_size + 1, step):
        missed = 1 - most_power(many)
        total += step * missed
        if missed < LEFT_OUT:
            break
    return total


def _step(errors: int) -> int:
    return max(1, errors // 50)


def power(null: Array, truth: Array, tail: float) -> float:
    """The largest P(rejected) under the truth of a test that rejects the null at tail.

    Neyman and Pearson: outcomes are rejected in the order of their likelihood ratio,
    the last one with some probability. What is left out of truth counts as rejected.
    """
    with np.errstate(over="ignore"):
        order = np.argsort(-(truth / np.maximum(null, np.finfo(float).tiny)))
    spent = np.concatenate([[0.0], np.cumsum(null[order])])
    whole = int(np.searchsorted(spent, tail, side="right")) - 1
    won = 1 - float(truth.sum()) + float(truth[order][:whole].sum())
    if whole < len(order):
        last = order[whole]
        won += float(truth[last] * min(1.0, (tail - spent[whole]) / null[last]))
    return min(won, 1.0)


def plain_limits(lot_size: int, n: int, confidence: float) -> Array:
    """Clopper and Pearson's upper limits, in errors, for 0 .. n errors found."""
    found = np.arange(n + 1)
    _, high = la.proportion_interval(found, n, lot_size, confidence=confidence)
    return np.rint(high * lot_size).astype(int)


def expected_plain(lot_size: int, n: int, errors: int, confidence: float) -> float:
    """The mean of the upper limit after one sample of the lot."""
    chance = law(lot_size, n).pmf(np.arange(n + 1), n, errors)
    return float(chance @ plain_limits(lot_size, n, confidence))
