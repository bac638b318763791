"""The limits of a plan, and one exact evaluator for every plan.

`accept` and `reject` are integer arrays over n = 0, 1, ..., the number inspected; x is
the number of errors among them.

A plan stops at points (n, x). Let k(n, x) be the share of the C(n, x) orders of x
errors among n that reach (n, x) without having stopped before. Then

    k(0, 0) = 1,
    k(n, x) = [(n - x) k(n-1, x) + x k(n-1, x-1)] / n,

summed over predecessors that continue, and P(stop at (n, x)) = k(n, x) P(X = x),
with the hypergeometric law in a lot and the binomial in a process. k depends on
the plan alone, so one pass over the plan serves every number of errors at once.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from ..laws.errors import Law

# Once no continuing point has a larger share of orders than this, no number of
# errors leaves more probability than this unaccounted for.
NO_ORDERS = 1e-30

# Values that differ by less, relatively, are alike: rounding differs between
# processors.
ALIKE = 1e-10


# Limits -----------------------------------------------------------------------


def checked(accept: Any, reject: Any, lot_size: int | None) -> tuple[Array, Array]:
    """Limits that every path ends at, none beyond what can happen; else ValueError."""
    accepted = "a non-empty sequence of whole numbers"
    accept = _whole("accept", accept, accepted)
    reject = _whole("reject", reject, accepted)
    last = len(accept) - 1
    if len(reject) != last + 1:
        accepted = f"as long as accept ({last + 1})"
        raise _checks.refuse("reject", f"{len(reject)} limits", accepted)
    for at in np.flatnonzero(accept >= reject)[:1]:
        accepted = f"less than reject[{at}] = {reject[at]} at n = {at}"
        raise _checks.refuse("accept", accept[at], accepted)
    n = np.arange(last + 1)
    accept, reject = np.clip(accept, -1, n), np.clip(reject, 0, n + 1)
    if lot_size is not None and last > lot_size:
        accepted = f"no longer than the lot (lot_size = {lot_size})"
        raise _checks.refuse("accept", f"limits up to n = {last}", accepted)
    low, high = reachable(accept, reject)
    if len(low) > last:
        first = max(low[last], accept[last] + 1)
        if first <= high[last] and first < reject[last]:
            accepted = f"such that every path has a verdict by the last n = {last}"
            accepted += f" ({first} errors there have none)"
            raise _checks.refuse("reject", reject[last], accepted)
    return accept, reject


def of_stages(stages: Any, lot_size: int | None) -> tuple[Array, Array]:
    """The limits of a plan that stops only at some n, still to be checked.

    stages : rows (n, accept, reject) in order of n, or a table with these columns
    """
    accepted = "rows (n, accept, reject), three whole numbers each, at least one row"
    if isinstance(stages, pd.DataFrame):
        if not {"n", "accept", "reject"} <= {*stages.columns}:
            raise _checks.refuse("stages", [*stages.columns], accepted)
        stages = stages[["n", "accept", "reject"]]
    rows = _whole("stages", stages, accepted, 3)
    n, accept, reject = rows.T
    if n[0] < 0 or (np.diff(n) <= 0).any():
        raise _checks.refuse("stages", n.tolist(), "rows whose n rise, from 0 on")
    most = lot_size or _checks.LARGEST_LOT
    if n[-1] > most:
        whose = "the lot has" if lot_size else "a plan may inspect"
        accepted = f"rows with n of at most the {most:,} that {whose}"
        raise _checks.refuse("stages", n[-1], accepted)
    limits = np.full(n[-1] + 1, -1), np.arange(1, n[-1] + 2)
    limits[0][n], limits[1][n] = accept, reject
    return limits


def _whole(name: str, values: Any, accepted: str, *row: int) -> Array:
    """A non-empty array of whole numbers, or of rows of so many, copied."""
    try:
        array = np.array(values)
    except (ValueError, TypeError):  # rows of unequal lengths
        raise _checks.refuse(name, values, accepted) from None
    if not array.ndim or array.shape[1:] != row or not array.size:
        raise _checks.refuse(name, values, accepted)
    return _checks.counts(name, array, None)


def reachable(accept: Array, reject: Array) -> tuple[Array, Array]:
    """The smallest and largest x with which a path can arrive at each n.

    What continues from one n is an interval, so what arrives at the next is one
    too. The arrays end with the last n at which anything arrives.
    """
    lows, highs = [], []
    low, high = 0, 0
    for a, r in zip(accept.tolist(), reject.tolist()):
        lows.append(low)
        highs.append(high)
        low, high = max(low, a + 1), min(high, r - 1) + 1
        if low >= high:
            break
    return np.array(lows), np.array(highs)


def limited(accept: Array, reject: Array) -> Array:
    """Every n at which there is a limit, though perhaps no path arrives."""
    return np.flatnonzero((accept >= 0) | (reject <= np.arange(len(accept))))


def stopping(accept: Array, reject: Array) -> Array:
    """Every n at which some path stops: at least one."""
    low, high = reachable(accept, reject)
    return np.flatnonzero((low <= accept[: len(low)]) | (high >= reject[: len(low)]))


def curtailed(accept: Array, reject: Array) -> tuple[Array, Array]:
    """The limits at which the verdict of these is certain, up to the last in use."""
    accept, reject = accept.tolist(), reject.tolist()  # faster, one by one
    # At (n, x) acceptance is certain if it is at (n+1, x) and at (n+1, x+1),
    # unless the plan itself already says otherwise; rejection likewise.
    for n in range(len(accept) - 2, -1, -1):
        open_below, open_above = accept[n] + 1, reject[n]
        accept[n] = max(accept[n], min(accept[n + 1] - 1, open_above - 1))
        reject[n] = min(reject[n], max(reject[n + 1], open_below))
    limits = np.array([accept, reject])
    accept, reject = limits[:, : len(reachable(*limits)[0])]
    return accept, reject


# Shares of orders --------------------------------------------------------------


def onward(n: int, low: int, going: Array) -> Array:
    """One step forward: k(n + 1, low), k(n + 1, low + 1), ... along the last axis.

    going : k(n, low), k(n, low + 1), ... of the points that go on, one entry fewer
    """
    x = np.arange(low, low + going.shape[-1], dtype=float)
    share = np.zeros((*going.shape[:-1], len(x) + 1))
    share[..., :-1] = (n + 1 - x) * going
    share[..., 1:] += (x + 1) * going
    return share / (n + 1)


def weights_back(last: int, width: int) -> Array:
    """The two weights of `back` for n = 0 .. last, shape (last + 1, 2, width - 1).

    They are those of `onward`, for x = 0 .. width - 2.
    """
    after = np.arange(1, last + 2)[:, None]
    move = np.arange(1, width) / after
    return np.stack([1 + 1 / after - move, move], axis=1)


def back(weights: Array, ahead: Array) -> Array:
    """One step back: what is `ahead` at n + 1, as seen from n, one entry fewer."""
    stay, move = weights
    return stay * ahead[..., :-1] + move * ahead[..., 1:]


def arrivals(
    accept: Array, reject: Array, exact: bool = False
) -> Iterator[tuple[int, int, Array]]:
    """n, low and the shares k(n, low), k(n, low + 1), ... that arrive at n.

    From the first n at which the plan can stop to the last at which anything
    arrives. Where `exact`, numbers of orders C(n, x) k(n, x), which are whole.
    """
    n, low = int(limited(accept, reject)[0]), 0
    share = np.ones(n + 1)  # no order has stopped before
    if exact:
        share = np.array([comb(n, x) for x in range(n + 1)], object)
    while True:
        yield n, low, share
        begin = max(int(accept[n]) + 1 - low, 0)
        share = share[begin : max(int(reject[n]) - low, 0)]  # what continues
        if n == len(accept) - 1 or not len(share) or share.max() < NO_ORDERS:
            return
        low += begin
        if exact:
            share = np.append(share, 0) + np.append(0, share)
        else:
            share = onward(n, low, share)
        n += 1


class StopPoints(NamedTuple):
    """Where a plan can stop: arrays of equal length, in order of n, then x."""

    n: Array
    x: Array
    share: Array
    accepted: Array


def stop_points(accept: Array, reject: Array) -> StopPoints:
    """All stopping points with their shares k(n, x)."""
    found = []
    for at, low, arrived in arrivals(accept, reject):
        if low <= accept[at] or low + len(arrived) > reject[at]:  # at few n, mostly
            x = np.arange(low, low + len(arrived))
            stops = (x <= accept[at]) | (x >= reject[at])
            found.append((np.full(stops.sum(), at), x[stops], arrived[stops]))
    n, x, share = (np.concatenate(each) for each in zip(*found))
    return StopPoints(n, x, share, x <= accept[n])


def exact_probability(
    accept: Array,
    reject: Array,
    law: Law,
    errors: Any,
    chosen: Callable[[int, int], Any] | None = None,
) -> Fraction:
    """P(stop at a chosen point) as a fraction, the recursion in whole numbers.

    For small lots and for comparisons that rounding could decide; the numbers
    grow with n, so this is slow where many inspections are allowed. `chosen` tells
    of a point (n, x) at which the plan stops whether it counts: by default those do
    that accept.
    """
    total = Fraction(0)
    for n, low, orders in arrivals(accept, reject, exact=True):
        for x, ways in enumerate(orders.tolist(), low):
            counts = chosen(n, x) if chosen else x <= accept[n]
            if counts and not accept[n] < x < reject[n]:
                total += Fraction(ways, comb(n, x)) * law.exact_cdf(x, n, errors, low=x)
    return total


def first_largest(values: Array) -> int:
    """Where the largest of some values of at least 0 is, the first of those alike."""
    return int((values >= values.max() * (1 - ALIKE)).argmax())
