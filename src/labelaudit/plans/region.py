"""The region: the limits of a plan, where its paths can go, and paths drawn at random.

`accept` and `reject` are integer arrays over n = 0, 1, ..., the number inspected;
x is the number of errors among them.
"""

from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array


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
    most = lot_size or _checks.LARGEST_SAMPLE
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


def _stops(accept: Array, reject: Array) -> tuple[Array, Array, Array, Array]:
    """Of the x that arrive at each n the least, and the largest that is accepted;
    the least that is rejected, and the largest."""
    low, high = reachable(accept, reject)
    accept, reject = accept[: len(low)], reject[: len(low)]
    return low, np.minimum(high, accept), np.maximum(low, reject), high


def stopping(accept: Array, reject: Array) -> Array:
    """Every n at which some path stops: at least one."""
    low, accepted, rejected, high = _stops(accept, reject)
    return np.flatnonzero((low <= accepted) | (rejected <= high))


def stopped_at(
    accept: Array, reject: Array, inspected: Any, errors_found: Any
) -> tuple[int, int]:
    """Where a plan stopped, if it can stop there; else ValueError."""
    n = _checks.count("inspected", inspected, 0, len(accept) - 1)
    x = _checks.count("errors_found", errors_found, 0, n)
    if n in stopping(accept, reject):
        low, last, first, high = (int(ends[n]) for ends in _stops(accept, reject))
        if low <= x <= last or first <= x <= high:
            return n, x
    accepted = "a point where this plan can stop (see plan.stages)"
    raise _checks.refuse("(inspected, errors_found)", (n, x), accepted)


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


def simulate(
    plan: Any, errors: Array, repetitions: int, generator: np.random.Generator
) -> pd.DataFrame:
    """Run a plan; see SamplingPlan.simulate.

    Between two sample numbers at which a plan can stop, only the number of errors
    matters, so that number is drawn: from a lot, the errors among the next m positions
    are hypergeometric given what has been found. This has the law of inspecting a
    shuffled lot one by one, without shuffling it.

    `errors` may also be an array of `repetitions` values, one per run.
    """
    size, accept, reject = plan.lot_size, plan.accept, plan.reject
    accepted = np.zeros(repetitions, dtype=bool)
    inspected, x = np.zeros((2, repetitions), dtype=np.int64)
    total: Any = np.broadcast_to(errors, repetitions)
    running, before = np.arange(repetitions), 0

    def drawn(errors: Array, found: Array, m: int) -> Array:
        """Errors among the next m."""
        left, errors = (1, errors) if size is None else (size - before, errors - found)
        if m == 1:
            return (generator.random(len(found)) < errors / left).astype(np.int64)
        if size is None:
            return generator.binomial(m, errors)
        return generator.hypergeometric(errors, left - errors, m)

    limited = (accept >= 0) | (reject <= np.arange(len(accept)))
    for n in np.flatnonzero(limited).tolist():
        found = x[running]
        if n > before:
            found += drawn(total[running], found, n - before)
        x[running], inspected[running] = found, n
        accepted[running] = found <= accept[n]
        running = running[(found > accept[n]) & (found < reject[n])]
        if not len(running):
            break
        before = n
    return pd.DataFrame(
        {"accepted": accepted, "inspected": inspected, "errors_found": x}
    )
