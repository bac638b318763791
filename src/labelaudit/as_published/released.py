"""The released simulation, draw by draw."""

from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from ..plans.plan import SamplingPlan
from .intervals import checked_lot


def replay(
    lot_size: int,
    errors: int,
    double: tuple[int, int, int],
    single: tuple[int, int],
    sequential: tuple[SamplingPlan, SamplingPlan],
    repetitions: int = 1000,
) -> pd.DataFrame:
    """The released simulation of section 5, with its seeds and order of draws.

    One row per repetition: whether each plan rejects and what it counts as
    inspected, with the released code's way of counting the curtailed double
    plan (lots accepted after stage 1 as 2 n, stops one late).

    >>> import labelaudit as la
    >>> plan = la.as_published.wedge_plan(la.STRICT, 1000, cutoff=428)
    >>> runs = replay(1000, 30, (298, 4, 11), (428, 8), (plan, plan), repetitions=3)
    >>> runs["sequential"].tolist()
    [298, 136, 229]
    """
    lot_size = checked_lot(lot_size)
    errors = _checks.count("errors", errors, 0, lot_size)
    repetitions = _checks.count("repetitions", repetitions, 1, 2**32)
    double = tuple(_whole("double", double, 3, lot_size))  # type: ignore[assignment]
    single = tuple(_whole("single", single, 2, lot_size))  # type: ignore[assignment]
    plans = list(_checks.entries("sequential", sequential, "two plans"))
    if len(plans) != 2 or not all(isinstance(p, SamplingPlan) for p in plans):
        raise _checks.refuse("sequential", sequential, "two plans")
    lot = np.arange(lot_size) < errors
    np.random.default_rng(42).shuffle(lot)
    n, c1, c2 = double
    rows = []
    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        row: dict[str, Any] = {}
        row["single rejects"] = (
            rng.choice(lot, single[0], replace=False).sum() > single[1]
        )
        found = np.cumsum(rng.choice(lot, 2 * n, replace=False))
        second = found[n - 1] > c1
        row["double rejects"] = second and found[-1] > c2
        over = np.flatnonzero(found[n - 1 : 2 * n - 1] > c2)
        stopped = second and len(over) > 0
        row["double curtailed rejects"] = stopped
        row["double curtailed"] = n + over[0] + 1 if stopped else 2 * n
        order = lot.copy()
        rng.shuffle(order)
        found = np.concatenate([[0], np.cumsum(order)])
        for name, plan in zip(("sequential", "sequential curtailed"), plans):
            x = found[: plan.max_sample + 1]
            accepts, rejects = x <= plan.accept, x >= plan.reject
            at = int(np.argmax(accepts | rejects))
            row[name], row[f"{name} rejects"] = at, bool(rejects[at])
        rows.append(row)
    return pd.DataFrame(rows)


def _whole(name: str, values: Any, number: int, most: int) -> list[int]:
    accepted = f"{number} whole numbers from 0 to {most}"
    try:
        found = [
            _checks.count(name, value, 0, most)
            for value in _checks.entries(name, values, accepted)
        ]
    except ValueError:
        found = []
    if len(found) != number:
        raise _checks.refuse(name, values, accepted)
    return found
