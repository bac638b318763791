"""The region: the limits of a plan, and where its paths can go.

`accept` and `reject` are integer arrays over n = 0, 1, ..., the number inspected;
x is the number of errors among them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array


def checked(accept: Any, reject: Any, lot_size: int | None) -> tuple[Array, Array]:
    """Limits that every path ends at, none beyond what can happen; else ValueError."""
    accept, reject = _limits("accept", accept), _limits("reject", reject)
    if len(accept) != len(reject):
        raise _checks.refuse(
            "reject", f"{len(reject)} limits", f"as long as accept ({len(accept)})"
        )
    wrong = np.flatnonzero(accept >= reject)
    if len(wrong):
        at = int(wrong[0])
        raise _checks.refuse(
            "accept",
            int(accept[at]),
            f"less than reject[{at}] = {reject[at]} at n = {at}",
        )
    n = np.arange(len(accept))
    accept, reject = np.clip(accept, -1, n), np.clip(reject, 0, n + 1)
    if lot_size is not None and len(accept) > lot_size + 1:
        raise _checks.refuse(
            "accept",
            f"limits up to n = {len(accept) - 1}",
            f"no longer than the lot (lot_size = {lot_size})",
        )
    low, high = reachable(accept, reject)
    if len(low) == len(accept):
        first, last = max(low[-1], accept[-1] + 1), min(high[-1], reject[-1] - 1)
        if first <= last:
            raise _checks.refuse(
                "reject",
                int(reject[-1]),
                f"such that every path has a verdict by the last n = {len(accept) - 1}"
                f" ({first} errors there have none)",
            )
    return accept, reject


def _limits(name: str, values: Any) -> Array:
    """A one-dimensional, non-empty integer array, copied."""
    accepted = "a non-empty sequence of whole numbers"
    if isinstance(values, (str, bytes)) or not np.iterable(values):
        raise _checks.refuse(name, values, accepted)
    try:
        array = np.array(values)
    except (ValueError, TypeError):
        raise _checks.refuse(name, values, accepted) from None
    if array.ndim != 1 or not array.size:
        raise _checks.refuse(name, values, accepted)
    return _checks.counts(name, array, None)


def of_stages(stages: Any, lot_size: int | None) -> tuple[Array, Array]:
    """The limits of a plan that stops only at some n; else ValueError.

    stages : rows (n, accept, reject) in order of n, or a table with these columns
    """
    accepted = "rows (n, accept, reject), three whole numbers each, at least one row"
    if isinstance(stages, pd.DataFrame):
        if not {"n", "accept", "reject"} <= {*stages.columns}:
            raise _checks.refuse("stages", [*stages.columns], accepted)
        stages = stages[["n", "accept", "reject"]].to_numpy()
    try:
        rows = np.asarray(stages)
    except ValueError:  # rows of unequal lengths
        raise _checks.refuse("stages", stages, accepted) from None
    if rows.ndim != 2 or rows.shape[1] != 3 or not len(rows):
        raise _checks.refuse("stages", stages, accepted)
    n, accept, reject = _checks.counts("stages", rows, None).T
    if n[0] < 0 or (np.diff(n) <= 0).any():
        raise _checks.refuse("stages", n.tolist(), "rows whose n rise, from 0 on")
    most = _checks.LARGEST_SAMPLE if lot_size is None else lot_size
    if n[-1] > most:
        what = "the lot has" if lot_size is not None else "a plan may inspect"
        raise _checks.refuse(
            "stages", int(n[-1]), f"rows with n of at most the {most:,} that {what}"
        )
    for at in np.flatnonzero(accept >= reject)[:1]:
        row = int(n[at]), int(accept[at]), int(reject[at])
        raise _checks.refuse("stages", row, "rows with accept less than reject")
    if reject[-1] != accept[-1] + 1:
        last = int(n[-1]), int(accept[-1]), int(reject[-1])
        raise _checks.refuse("stages", last, "rows, the last with reject = accept + 1")
    limits = np.full(n[-1] + 1, -1), np.arange(1, n[-1] + 2)
    limits[0][n], limits[1][n] = accept, reject
    return limits


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


def first_stop(accept: Array, reject: Array) -> int:
    """The first n at which the plan can stop; every plan has one."""
    n = np.arange(len(accept))
    return int(np.argmax((accept >= 0) | (reject <= n)))


def stopping(accept: Array, reject: Array) -> Array:
    """Every n at which some path stops."""
    low, high = reachable(accept, reject)
    end = len(low)
    return np.flatnonzero((low <= accept[:end]) | (high >= reject[:end]))


def check_stop(accept: Array, reject: Array, n: int, x: int) -> None:
    """ValueError unless the plan can stop after n inspections with x errors."""
    low, high = reachable(accept, reject)
    end = len(low)
    accepted, rejected = np.minimum(high, accept[:end]), np.maximum(low, reject[:end])
    if n < end and (low[n] <= x <= accepted[n] or rejected[n] <= x <= high[n]):
        return
    stops = stopping(accept, reject).tolist()
    if n in stops:
        ranges = ((int(low[n]), int(accepted[n])), (int(rejected[n]), int(high[n])))
        counts = [
            f"{first}" if first == last else f"{first} to {last}"
            for first, last in ranges
            if first <= last
        ]
        possible = f"after {n} inspections with {' or '.join(counts)} errors"
    else:
        possible = f"not after {n} inspections, but after "
        if len(stops) <= 3:
            possible += " or ".join(map(str, stops))
        else:
            possible += f"{len(stops)} numbers of them from {stops[0]} to {stops[-1]}"
    raise _checks.refuse(
        "(inspected, errors_found)",
        (n, x),
        f"a point where this plan can stop: {possible}",
    )


def curtailed(accept: Array, reject: Array) -> tuple[Array, Array]:
    """The limits at which the verdict of these is certain, up to the last in use."""
    accept, reject = accept.tolist(), reject.tolist()  # faster, one by one
    # At (n, x) acceptance is certain if it is at (n+1, x) and at (n+1, x+1),
    # unless the plan itself already says otherwise; rejection likewise.
    for n in range(len(accept) - 2, -1, -1):
        open_below, open_above = accept[n] + 1, reject[n]
        accept[n] = max(accept[n], min(accept[n + 1] - 1, open_above - 1))
        reject[n] = min(reject[n], max(reject[n + 1], open_below))
    limits = np.array(accept), np.array(reject)
    end = len(reachable(*limits)[0])
    return limits[0][:end], limits[1][:end]
