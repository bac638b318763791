"""A stream of batches under the switching rules of MIL-STD-105E and ANSI/ASQ Z1.4.

`following` is the rules, one batch at a time. `Stream` makes a Markov chain of them,
whose states hold what the rules count. `simulate` follows the same rules by a list of
all batches, and shares nothing with the chain but the numbers of the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

import labelaudit as la
from labelaudit._checks import Array
from labelaudit.plans import aql as tables

NORMAL, TIGHTENED, REDUCED, STOPPED = "normal", "tightened", "reduced", "stopped"
SEVERITIES = (NORMAL, TIGHTENED, REDUCED)

# What a batch brings: the number of errors found if it is accepted, or one of these.
REJECTED, BETWEEN = "rejected", "between"
Result = int | str

# Of the chain; more would take long. Limit numbers above 7 need more.
MOST_STATES = 3000

# A probability below is none: its inverse would be infinite.
LEAST = 1e-290

# Table VIII: the least number of annotations of each row, inspected in ten batches.
ROWS = (
    *(20, 30, 50, 80, 130, 200, 320, 500, 800, 1250, 2000, 3150),
    *(5000, 8000, 12_500, 20_000, 31_500),
)


@dataclass(frozen=True)
class Rules:
    """The numbers in the switching rules, as in ANSI/ASQ Z1.4-2003, section 8.

    tighten, among : normal inspection ends when so many of so many batches in a row
        have been rejected.
    relax : tightened inspection ends after so many accepted ones in a row.
    reduce : normal inspection gives way to reduced after so many accepted ones in a
        row; None means that nothing is ever reduced.
    limit : if in these no more errors were found than so many (None: however many).
    stop_rejected : inspection stops at this rejected batch on tightened inspection.
    stop_batches : and with this batch on it, 10 in ANSI/ASQC Z1.4-1993. None: it does
        not.
    """

    tighten: int = 2
    among: int = 5
    relax: int = 5
    reduce: int | None = 10
    limit: int | None = None
    stop_rejected: int | None = 5
    stop_batches: int | None = None


class State(NamedTuple):
    """What the rules have counted since this severity began."""

    severity: str
    seen: tuple[bool, ...] = ()  # normal: True if rejected, from the first such on
    run: tuple[int, ...] = ()  # errors in each batch of those accepted in a row
    rejected: int = 0  # tightened
    batches: int = 0  # tightened


def following(state: State, result: Result, rules: Rules) -> State:
    """Where the rules lead after one more batch."""
    rejected = result == REJECTED
    run = (*state.run, result) if isinstance(result, int) else ()
    if state.severity == REDUCED:
        return State(NORMAL) if result in (REJECTED, BETWEEN) else state
    if state.severity == TIGHTENED:
        if len(run) == rules.relax:
            return State(NORMAL)
        bad = state.rejected + rejected if rules.stop_rejected else 0
        batches = state.batches + 1 if rules.stop_batches else 0
        stopped = rejected and bad == rules.stop_rejected
        if stopped or (batches and batches == rules.stop_batches):
            return State(STOPPED)
        return State(TIGHTENED, run=run, rejected=bad, batches=batches)
    seen = (*state.seen, rejected)[-rules.among :]
    if sum(seen) == rules.tighten:
        return State(TIGHTENED)
    while rules.limit is not None and sum(run) > rules.limit:
        run = run[1:]  # no ten batches that begin there can be good enough
    if len(run) == rules.reduce:
        return State(REDUCED)
    run = run if rules.reduce else ()
    return State(NORMAL, needed(seen, rules.among), run)


def needed(seen: tuple[bool, ...], among: int) -> tuple[bool, ...]:
    """The latest batches from the first rejected one that can still count."""
    latest = seen[-(among - 1) :] if among > 1 else ()
    return latest[latest.index(True) :] if True in latest else ()


class Stream:
    """Batches of one size under the rules.

    errors : in all that follows, the number of errors that every batch has; with
        process=True the error rate with which annotations come, so that the number
        of errors in a batch is binomial.
    """

    def __init__(
        self,
        lot_size: int,
        aql: float,
        level: str = "II",
        rules: Rules | None = None,
        process: bool = False,
    ) -> None:
        self.lot_size, self.process = lot_size, process
        self.rules = Rules() if rules is None else rules
        self.numbers = {
            name: tables.numbers(lot_size, aql, level, name) for name in SEVERITIES
        }

    @cached_property
    def plans(self) -> dict[str, la.SamplingPlan]:
        """Whether a batch is accepted, by severity (reduced: up to Re - 1 errors)."""
        found = {}
        for name, (_, n, _, reject) in self.numbers.items():
            accept = np.array([-1] * n + [reject - 1])
            least = np.array([*range(1, n + 1), reject])
            size = None if self.process else self.lot_size
            found[name] = la.SamplingPlan(accept, least, size)
        return found

    def results(self, severity: str) -> dict[Result, slice]:
        """What can come of a batch, as far as the rules tell it apart.

        With the numbers of errors found that each stands for.
        """
        if severity == STOPPED:
            return {}
        _, _, accept, reject = self.numbers[severity]
        found: dict[Result, slice] = {0: slice(0, accept + 1)}
        if severity == NORMAL and self.rules.limit is not None:
            found = {x: slice(x, x + 1) for x in range(accept + 1)}
        if reject > accept + 1:
            found[BETWEEN] = slice(accept + 1, reject)
        return found | {REJECTED: slice(reject, None)}

    def chances(self, errors: float) -> dict[tuple[str, Result], float]:
        """The probability of each result of a batch, by severity."""
        chances = {}
        for name in SEVERITIES:
            law = self.plans[name].law.row(self.numbers[name].n, errors)
            for result, found in self.results(name).items():
                chances[name, result] = float(law[found].sum())
        return chances

    @cached_property
    def states(self) -> list[State]:
        """All states, from the beginning of normal inspection on."""
        known = dict.fromkeys([State(NORMAL), State(TIGHTENED)])
        waiting = [*known]
        for state in waiting:
            for result in self.results(state.severity):
                after = following(state, result, self.rules)
                if after not in known:
                    known[after] = None
                    waiting.append(after)
            if len(known) > MOST_STATES:
                raise ValueError(
                    f"limit must be smaller, or None, got {self.rules.limit}: the"
                    f" chain has more than {MOST_STATES} states"
                )
        return [*known]

    @cached_property
    def severities(self) -> Array:
        """Of the states."""
        return np.array([state.severity for state in self.states])

    @cached_property
    def moves(self) -> list[tuple[State, Result, State]]:
        """From each state each result, and where it leads."""
        return [
            (state, result, following(state, result, self.rules))
            for state in self.states
            for result in self.results(state.severity)
        ]

    def matrix(self, errors: float, back: Mapping[str, State] | None = None) -> Array:
        """Transition probabilities between `states`, a row for where one is.

        back : for a severity, where one goes instead when it would begin. A chain that
            has stopped stays so.
        """
        chances, back = self.chances(errors), back or {}
        place = {state: i for i, state in enumerate(self.states)}
        matrix = np.zeros((len(place), len(place)))
        for state, result, after in self.moves:
            if after.severity != state.severity:
                after = back.get(after.severity, after)
            matrix[place[state], place[after]] += chances[state.severity, result]
        if State(STOPPED) in place:
            matrix[place[State(STOPPED)], place[State(STOPPED)]] = 1.0
        return matrix

    def arrivals(self, errors: float, shares: Array, end: str) -> float:
        """The share of batches after which a severity begins.

        shares : of the batches in each state
        """
        chances = self.chances(errors)
        share = dict(zip(self.states, shares))
        return float(
            sum(
                share[state] * chances[state.severity, result]
                for state, result, after in self.moves
                if after.severity == end != state.severity
            )
        )

    def expected_batches(self, errors: float, start: str, end: str) -> float:
        """How many batches are inspected on average until a severity begins.

        From the beginning of another one. Where one begins anew each time that the
        end is reached, the share of batches that reach it is one over this average.
        """
        begin = State(start)
        matrix = self.matrix(errors, {end: begin})
        shares = stationary(matrix, self.states.index(begin))
        reached = self.arrivals(errors, shares, end)
        return 1 / reached if reached else float("inf")

    def long_run_shares(self, errors: float) -> Array:
        """Of the batches in each of `states`, in an endless stream.

        Where inspection stops, it goes on at once on tightened inspection, as the
        standards say of the time after the cause has been seen to; here the errors
        are as many as before.
        """
        return stationary(self.matrix(errors, {STOPPED: State(TIGHTENED)}))

    def long_run(self, errors: float) -> dict[str, float]:
        """Averages over an endless stream.

        Errors found are corrected, rejected batches are inspected whole.

        Returns
        -------
        dict
            Shares of the batches in each severity, and of those rejected; stops per
            batch; annotations per batch in the samples, and with the rejected batches
            inspected whole; and the error rate of what goes out.
        """
        shares, chances = self.long_run_shares(errors), self.chances(errors)
        size = {"lot_size": self.lot_size} if self.process else {}
        by_severity = {
            name: {
                name: 1.0,
                "rejected": chances[name, REJECTED],
                "sampled": self.numbers[name].n,
                "inspected": la.average_total_inspection(plan, errors, **size),
                "outgoing": la.average_outgoing_quality(plan, errors, **size),
            }
            for name, plan in self.plans.items()
        }
        found = dict.fromkeys((*SEVERITIES, "rejected", "sampled", "inspected"), 0.0)
        for name, values in by_severity.items():
            share = float(shares[self.severities == name].sum())
            for what, value in values.items():
                found[what] = found.get(what, 0.0) + share * value
        return found | {"stops": self.arrivals(errors, shares, STOPPED)}

    def path(self, errors: Iterable[float], start: Array | None = None) -> pd.DataFrame:
        """What can be said beforehand of each batch; one value of errors for each.

        start : probabilities of `states`; None is the beginning of normal inspection

        Returns
        -------
        DataFrame
            A row for each batch: probabilities that it is inspected in each severity,
            that inspection has stopped before it, that it is accepted, or rejected.
        """
        if start is None:
            start = np.eye(len(self.states))[0]
        rows = []
        for one in errors:
            chances = self.chances(one)
            row = {
                name: float(start[self.severities == name].sum())
                for name in (*SEVERITIES, STOPPED)
            }
            row["rejected"] = sum(row[n] * chances[n, REJECTED] for n in SEVERITIES)
            row["accepted"] = sum(
                row[name] * chance
                for (name, result), chance in chances.items()
                if result != REJECTED
            )
            rows.append(row)
            start = (start[:, None] * self.matrix(one)).sum(axis=0)
        return pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="batch"))


def stationary(matrix: Array, start: int = 0) -> Array:
    """The long-run share of each state of a Markov chain.

    By the elimination of Grassmann, Taksar and Heyman (1985): there is no
    subtraction, so that the smallest share has as many right digits as the largest.
    States that are left for ever have the share 0.

    start : of the states from which the chain cannot return, those count that it
        reaches from here; all must lead to one group in which it stays
    """
    _, group = connected_components(csr_array(matrix), connection="strong")
    reached = np.eye(len(matrix), dtype=bool)[start]
    while True:
        more = reached | (matrix[reached] > 0).any(axis=0)
        if (more == reached).all():
            break
        reached = more
    stays = [
        g
        for g in set(group[reached])
        if not matrix[np.ix_(group == g, group != g)].any()
    ]
    (last,) = stays
    kept = np.flatnonzero(group == last)
    everywhere = np.zeros(len(matrix))
    everywhere[kept] = eliminated(matrix[np.ix_(kept, kept)])
    return everywhere


def eliminated(matrix: Array) -> Array:
    """The shares in a group of states all of which lead to each other.

    Takes away the last state, sends what came to it on to where it would go next, and
    so on to the first; only the entries that are not 0 are kept. Where hardly anything
    leads back to the states before one, these have the share 0.
    """
    onwards: list[dict[int, float]] = [{} for _ in matrix]
    sources: list[set[int]] = [set() for _ in matrix]
    for i, j in zip(*np.nonzero(matrix)):
        onwards[i][int(j)] = float(matrix[i, j])
        sources[j].add(int(i))
    visits: list[dict[int, float]] = [{} for _ in matrix]
    first = 0
    for k in range(len(matrix) - 1, 0, -1):
        leaving = {j: p for j, p in onwards[k].items() if j < k}
        total = sum(leaving.values())
        if total < LEAST:
            first = k
            break
        for i in sorted(i for i in sources[k] if i < k):
            visits[k][i] = onwards[i].pop(k) / total
            for j, p in leaving.items():
                onwards[i][j] = onwards[i].get(j, 0.0) + visits[k][i] * p
                sources[j].add(i)
    shares = np.zeros(len(matrix))
    shares[first] = 1.0
    for k in range(first + 1, len(matrix)):
        shares[k] = sum(shares[i] * times for i, times in visits[k].items())
        shares[: k + 1] /= max(shares[k], 1.0)  # else the largest might be infinite
    return shares / shares.sum()


class Batch(NamedTuple):
    """One batch of a simulated stream."""

    severity: str
    errors_found: int
    accepted: bool


def simulate(
    stream: Stream, errors: Iterable[float], seed: Any, resume: bool = False
) -> Iterator[Batch]:
    """A stream of batches, one value of errors for each, until inspection stops.

    resume : go on, on tightened inspection
    """
    rules, size = stream.rules, stream.lot_size
    random = np.random.default_rng(seed)
    severity = NORMAL
    so_far: list[Batch] = []  # of this severity
    for one in errors:
        _, n, accept, reject = stream.numbers[severity]
        if stream.process:
            found = int(random.binomial(n, one))
        else:
            found = int(random.hypergeometric(int(one), size - int(one), n))
        batch = Batch(severity, found, found < reject)
        yield batch
        so_far.append(batch)
        ten = so_far[-rules.reduce :] if rules.reduce else []
        if severity == NORMAL:
            if sum(not b.accepted for b in so_far[-rules.among :]) >= rules.tighten:
                severity, so_far = TIGHTENED, []
            elif rules.reduce and len(ten) == rules.reduce:
                few = rules.limit is None or sum(b[1] for b in ten) <= rules.limit
                if few and all(b.accepted for b in ten):
                    severity, so_far = REDUCED, []
        elif severity == REDUCED and found > accept:
            severity, so_far = NORMAL, []
        elif severity == TIGHTENED:
            latest = [b.accepted for b in so_far[-rules.relax :]]
            bad = sum(not b.accepted for b in so_far)
            if len(latest) == rules.relax and all(latest):
                severity, so_far = NORMAL, []
            elif bad == rules.stop_rejected or len(so_far) == rules.stop_batches:
                if not resume:
                    return
                so_far = []


def limit_number(n: int, aql: float, least: int = 10) -> tuple[int, int]:
    """Table VIII: how many accepted batches, and how many errors in them at most.

    n : annotations inspected in each batch on normal inspection. The numbers of the
    table are m - 1.28 sqrt(m), rounded down, with m the AQL times the annotations at
    which the table's row begins (but 7 for 130 at 10 %, not 8). Where that is negative
    the table has an asterisk: more batches are needed.
    """
    for batches in range(least, 100_000):
        row = max([row for row in ROWS if row <= batches * n], default=0)
        mean = Fraction(str(aql)) / 100 * row
        limit = 7 if (row, aql) == (130, 10) else floor(mean)
        while limit >= 0 and (mean - limit) ** 2 < Fraction("1.6384") * mean:
            limit -= 1
        if row and limit >= 0:
            return batches, limit
    raise ValueError(f"no number of batches of {n} is enough at an AQL of {aql:g} %")
