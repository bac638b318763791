"""Double sampling with both samples and all limits free: the exhaustive search.

A plan is n1, n2, c1, r1, c2: after n1 accept at c1 errors or fewer and reject at
r1 or more, after n1 + n2 accept at c2 in total or fewer. With X1 errors in the
first sample it costs

    ASN = n1 + n2 P(c1 < X1 < r1)   at p_a.

Plans are taken in sets: those with an (n1, c1) are a group, split by r1 into
parts; groups with one c1 and neighbouring n1 are a block. A set is left out only
where a bound proves that no plan in it beats the best one found. The bounds are
least sample sizes: of all tests bound to accept where X1 <= c1, with tosses of a
coin allowed, and then of all plans with this n1, c1 and r1. For the tests more is
better, since outcomes can be ignored, and the least size is found by halving.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from .. import _checks
from .._checks import Array
from ..laws.halving import largest
from ..laws.near import NEAR
from .single import LARGEST_SAMPLE, least_sample
from .stages import Stages
from .task import Task
from .two_samples import TwoSamples, from_the_end

# Tables of the first samples have about so many cells at most.
CELLS = 1 << 20

# The n1 below the single plan's n are cut into about so many ranges.
BLOCKS = 100

# More than rounding can add to a sum of probabilities.
ROUNDING = 1e-13

# A test bound to accept at c1 can need any number of outcomes; this is not tried.
UNBOUNDED = float(LARGEST_SAMPLE)


@dataclass(frozen=True)
class Sets:
    """Sets of plans, one an entry: those with this n1, c1, and r1 (or more).

    `ask` is P(c1 < X1 < r1) at p_a, and no plan in the set with a second sample
    of less than `n2` keeps both risks.
    """

    n1: Array
    c1: Array
    r1: Array
    ask: Array
    n2: Array

    def __len__(self) -> int:
        return len(self.n1)

    @property
    def bound(self) -> Array:
        """No plan in the set has a smaller ASN: it grows with r1 and n2."""
        return self.n1 + self.n2 * np.maximum(self.ask - ROUNDING, 0)

    def only(self, chosen: Array | slice) -> Sets:
        return Sets(*(v[chosen] for v in vars(self).values()))

    def within(self, limit: float) -> Sets:
        """Those that may have an ASN of at most `limit`."""
        return self.only(self.bound <= limit * (1 + NEAR))

    def largest_n2(self, limit: float, lot_size: int | None) -> Array:
        """No plan in the set with an ASN of at most `limit` has a larger n2."""
        room, ask = limit * (1 + NEAR) - self.n1, self.ask - ROUNDING
        most = np.full(len(self), UNBOUNDED)
        np.divide(room, ask, out=most, where=ask > 0)
        if lot_size is not None:
            most = np.minimum(most, lot_size - self.n1)
        return np.clip(most, 0, UNBOUNDED).astype(np.int64)


class FreeSearch:
    """The search for one task; `single_n` is the single plan's n."""

    def __init__(self, task: Task, single_n: int) -> None:
        self.task, self.single_n = task, single_n
        self.lot_size, self.d_a, self.d_r = task.lot_size, task.d_a, task.d_r
        # Bounds use wider risks, so that rounding cannot leave out a plan.
        self.most_a = float(task.alpha) * (1 + NEAR)
        self.most_r = float(task.beta) * (1 + NEAR)
        self.samples = TwoSamples(task, 4 * single_n)
        least = least_sample(task, self.samples.law, single_n)
        assert least is not None  # the single plan is such a test
        self.least_total = least
        self.limit = np.inf  # the ASN of the best plan so far

    def best(self) -> Stages:
        """The best plan of all; ValueError where a lot has none."""
        # A single plan, its sample cut in two, is a double plan with an ASN of
        # at most its n. The single n = 1 cannot be cut.
        asked = float(max(self.single_n, 2))
        while True:
            self.limit, found = asked, []
            for part in self._parts():
                plan = self._least_second(part)
                if plan is not None:
                    asn = plan.n1 + plan.n2 * float(part.ask[0])
                    found.append((asn, plan))
                    self.limit = min(self.limit, asn)
            if found:
                break
            if self.lot_size is not None and asked >= self.lot_size:
                raise _checks.refuse(
                    "lot_size",
                    self.lot_size,
                    "large enough for two samples that keep both risks",
                )
            asked *= 2
        close = [p for asn, p in found if asn <= self.limit * (1 + NEAR)]
        if len(close) > 1:
            law = self.samples.law
            close.sort(key=lambda p: (p.exact_asn(law, self.d_a), p.n1 + p.n2, p))
        return close[0]

    # The sets, narrowed down --------------------------------------------------

    def _parts(self) -> Iterator[Sets]:
        """All parts, one by one, that may have a plan within the limit.

        The most promising first: a good plan found early leaves out many sets.
        """
        blocks = self._blocks(self._groups())
        bounds = np.array([block.bound.min() for block in blocks])
        order = np.argsort(bounds, kind="stable")
        for some in _batches(len(order)):
            chosen = order[some]
            if bounds[chosen[0]] > self.limit * (1 + NEAR):
                return
            groups = self._bounded_blocks([blocks[i] for i in chosen])
            for batch in self._best_first(groups):
                parts = self._split(self._bounded_groups(batch))
                for few in self._best_first(parts):
                    few = self._bounded_parts(few)
                    for i in np.argsort(few.bound, kind="stable"):
                        yield from self._best_first(few.only(slice(i, i + 1)))

    def _best_first(self, sets: Sets) -> Iterator[Sets]:
        """Batches of sets by their bounds, up to a bound beyond the limit."""
        sets = sets.only(np.argsort(sets.bound, kind="stable"))
        for some in _batches(len(sets)):
            batch = sets.only(some).within(self.limit)
            if not len(batch):
                return
            yield batch

    def _groups(self) -> Sets:
        """All (n1, c1) that matter, each with the least r1.

        ASN >= n1. And where the single plan has n > 1, n1 < n: an ASN of n at
        n1 = n would be a tie with the single plan cut in two, which has the
        smaller n1 + n2.
        """
        law = self.samples.law
        last = int(self.limit) if self.single_n == 1 else self.single_n - 1
        last = last if self.lot_size is None else min(last, self.lot_size - 1)
        end = self.samples.end(last)
        while end <= last and law.tails(end, last, self.d_r)[0] <= self.most_r:
            end += 8
        x = np.arange(min(end, last) + 1)
        found = []
        for rows in _slices(last, len(x)):
            n1 = rows[:, None]
            below = np.cumsum(law.pmf(x, n1, self.d_r), axis=1)
            beyond = from_the_end(law.pmf(x, n1, self.d_a), 1)
            # P(X1 <= c1) <= beta at p_r, and P(X1 >= r1) <= alpha at p_a.
            allowed = np.pad(below <= self.most_r, ((0, 0), (1, 0)), constant_values=1)
            row, c1 = np.nonzero(allowed)
            c1 = c1 - 1
            r1 = np.maximum((beyond > self.most_a).sum(axis=1)[row], c1 + 2)
            real = r1 <= rows[row] + 1
            row, c1, r1 = row[real], c1[real], r1[real]
            ask = beyond[row, c1 + 1] - beyond[row, np.minimum(r1, len(x))]
            # No test of fewer than least_total outcomes keeps both risks.
            n2 = np.maximum(self.least_total - rows[row], 1)
            groups = Sets(rows[row], c1, r1, np.maximum(ask, 0), n2)
            found.append(groups.within(self.limit))
        return _joined(found)

    def _blocks(self, groups: Sets) -> list[Sets]:
        """The groups in blocks of one c1 and neighbouring n1."""
        number = groups.n1 // max(1, self.single_n // BLOCKS)
        order = np.lexsort((groups.n1, number, groups.c1))
        groups, number = groups.only(order), number[order]
        new = (np.diff(groups.c1) != 0) | (np.diff(number) != 0)
        ends = [0, *(np.flatnonzero(new) + 1).tolist(), len(groups)]
        return [groups.only(slice(*pair)) for pair in pairwise(ends) if pair[1]]

    def _bounded_blocks(self, blocks: list[Sets]) -> Sets:
        """The groups of the blocks, with a bound on n1 + n2 for each block.

        Where X1 <= c1 after the largest n1 of the block it was so after every
        smaller one. So all plans in the block are tests that accept there; those
        with no more outcomes than that n1, too, since outcomes can be ignored.
        n2 = 1 is enough for these, and says nothing.
        """
        n1 = np.array([block.n1[-1] for block in blocks])
        c1 = np.array([block.c1[0] for block in blocks])
        most = [block.n1 + self._most(block) for block in blocks]
        most = np.maximum(np.array([total.max() for total in most]) - n1, 1)
        n2 = self._least_test(n1, c1, np.maximum(self.least_total - n1, 1), most)
        found = []
        for block, total, more in zip(blocks, n1 + n2, n2):
            if more > 1:
                block = replace(block, n2=np.maximum(block.n2, total - block.n1))
            if more > 0:
                found.append(block)
        return _joined(found).within(self.limit)

    def _bounded_groups(self, groups: Sets) -> Sets:
        """The groups with the least n2 of a test bound to accept at c1."""
        n2 = self._least_test(groups.n1, groups.c1, groups.n2, self._most(groups))
        return replace(groups, n2=n2).only(n2 > 0).within(self.limit)

    def _least_test(self, n1: Array, c1: Array, least: Array, most: Array) -> Array:
        """The least n2 from `least` to `most` with which a test keeps both risks.

        A test that accepts where X1 <= c1. 0 where there is none.
        """
        below = self.samples.below(n1, c1)

        def enough(rows: Array, n2: Array) -> Array:
            rejected = self.samples.least_rejected(
                n1[rows], c1[rows], n2, below[rows], self.most_r
            )
            return rejected <= self.most_a

        return _least(enough, least, most)

    def _split(self, groups: Sets) -> Sets:
        """The parts (n1, c1, r1) of groups, for every r1 that can matter.

        r1 <= c2 + 1, and c2 is at most what keeps the consumer's risk with the
        largest n2 and the least r1: a larger r1 only adds to this risk.
        """
        most, last = self._most(groups), groups.n1 + 1
        known = np.flatnonzero(groups.n1 + most <= self.samples.size)
        if len(known):
            some = groups.only(known)
            kept = self._accepted(some, most[known]) <= self.most_r
            c2 = np.where(kept.all(axis=1), last[known], some.c1 + kept.sum(axis=1))
            last[known] = np.minimum(last[known], c2 + 1)
        size = np.maximum(last - groups.r1 + 1, 0)
        parts = groups.only(np.repeat(np.arange(len(groups)), size))
        above = np.arange(len(parts)) - np.repeat(np.cumsum(size) - size, size)
        beyond = self.samples.beyond
        r1 = parts.r1 + above
        more = beyond(parts.n1, parts.r1) - beyond(parts.n1, r1)
        parts = replace(parts, r1=r1, ask=parts.ask + np.maximum(more, 0))
        return parts.within(self.limit)

    def _bounded_parts(self, parts: Sets) -> Sets:
        """The parts with the least n2 of their plans that keep both risks.

        With n2 or more outcomes c2 is at least what serves the producer with n2
        (his risk grows with n2), and with this c2 the consumer, whose risk falls,
        needs so many outcomes: in turn, until both are served.
        """
        served = np.zeros(len(parts), bool)
        while not served.all():
            parts = parts.only(np.flatnonzero(self._most(parts) >= parts.n2))
            c2 = self._least_c2(parts, parts.n2)
            parts, c2 = parts.only(c2 >= 0), c2[c2 >= 0]

            def enough(rows: Array, n2: Array) -> Array:
                some = parts.only(rows)  # noqa: B023
                accepted = self._accepted(some, n2)
                at = (c2 - parts.c1 - 1)[rows]  # noqa: B023
                return accepted[np.arange(len(at)), at] <= self.most_r

            n2 = _least(enough, parts.n2, self._most(parts))
            served = (n2 == parts.n2)[n2 > 0]
            parts = replace(parts, n2=n2).only(n2 > 0)
        return parts.within(self.limit)

    def _most(self, sets: Sets) -> Array:
        return sets.largest_n2(self.limit, self.lot_size)

    # Single plans -------------------------------------------------------------

    def _accepted(self, sets: Sets, n2: Array) -> Array:
        """P(accept) at p_r for c2 = c1 + 1, c1 + 2, ..."""
        return self.samples.accepted(sets.n1, sets.c1, sets.r1, n2)

    def _rejected(self, sets: Sets, n2: Array) -> Array:
        """P(reject) at p_a for c2 = c1 + 1, c1 + 2, ..."""
        return self.samples.rejected(sets.n1, sets.c1, sets.r1, n2)

    def _least_c2(self, parts: Sets, n2: Array) -> Array:
        """The least c2 >= r1 - 1 that keeps the producer's risk; -2 for none."""
        if not len(parts):
            return n2
        kept = self._rejected(parts, n2) <= self.most_a
        kept &= np.arange(kept.shape[1]) >= (parts.r1 - parts.c1 - 2)[:, None]
        return np.where(kept.any(axis=1), parts.c1 + 1 + kept.argmax(axis=1), -2)

    def _least_second(self, part: Sets) -> Stages | None:
        """The plan of one part with the least n2, and c2, that keep both risks.

        As _bounded_parts found them; they are settled exactly here. Where they
        fail by less than rounding, a larger c2, or n2, may do.
        """
        while len(part):
            n1, n2, c1, r1 = (int(v[0]) for v in (part.n1, part.n2, part.c1, part.r1))
            rejected = self._rejected(part, part.n2)[0]
            accepted = self._accepted(part, part.n2)[0]
            for c2 in range(int(self._least_c2(part, part.n2)[0]), n1 + n2):
                plan, at = Stages(n1, n2, c1, r1, c2), c2 - c1 - 1
                known = at < len(accepted)  # else the exact risk decides
                risk = float(accepted[at]) if known else float(self.task.beta)
                if not plan.keeps(self.task, "consumer", risk):
                    break
                risk = float(rejected[at]) if known else float(self.task.alpha)
                if plan.keeps(self.task, "producer", risk):
                    return plan
            part = self._bounded_parts(replace(part, n2=part.n2 + 1))
        return None


def _least(enough: Callable[[Array, Array], Array], least: Array, most: Array) -> Array:
    """The least number from `least` to `most` that is enough, else 0.

    For many rows at a time: enough(rows, numbers) tells which are, and larger
    ones are too. From the least, in larger and larger steps, then by halving.
    """
    low, high = least - 1, least.copy()
    found = np.zeros(len(least), bool)
    active = np.flatnonzero(least <= most)
    while len(active):
        good = enough(active, high[active])
        found[active[good]] = True
        active = active[~good]
        low[active] = high[active]
        active = active[high[active] < most[active]]
        high[active] = np.minimum(2 * high[active], most[active])
    low = np.where(found, low, high - 1)  # nothing is left to halve
    less = largest(lambda rows, number: ~enough(rows, number), low, high)
    return np.where(found, less + 1, 0)


def _batches(size: int) -> Iterator[slice]:
    """All of so many, in turn: few at first, which tell what the others must beat."""
    begin, width = 0, 8
    while begin < size:
        yield slice(begin, begin + width)
        begin, width = begin + width, min(2 * width, 256)


def _joined(sets: list[Sets]) -> Sets:
    """All sets of several."""
    if not sets:
        return Sets(*np.zeros((5, 0), int))
    columns = zip(*(vars(some).values() for some in sets))
    return Sets(*(np.concatenate(column) for column in columns))


def _slices(last: int, width: int) -> Iterator[Array]:
    """1 .. last in turn, in arrays that are not too large with `width` columns."""
    rows = max(1, CELLS // width)
    for begin in range(1, last + 1, rows):
        yield np.arange(begin, min(begin + rows, last + 1))
