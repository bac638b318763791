"""Which items of a lot are inspected, in which order: the same wherever it is drawn.

numpy promises the raw bits of PCG64 and how a seed starts it, in all its versions;
it does not promise its permutations. So the shuffle is our own, and has a version.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from .. import _checks
from .._checks import Array
from .plan import SamplingPlan, checked_plan

DRAW = 2  # the version of this shuffle, which a sheet names
MOST_DRAWN = 10_000_000  # a longer one takes many seconds and gigabytes
WORDS = 2**64  # values that raw bits have


def draw(size: int, sample: int, seed: Any) -> Array:
    """Positions of a sample without replacement, in order.

    Parameters
    ----------
    size, sample : int
        Of the lot, and of the sample: at most as many.
    seed : int of at least 0

    Raises
    ------
    ValueError
        For a seed below 0 or a lot above 10,000,000.

    Notes
    -----
    Fisher and Yates' shuffle. From the front, position i = 0, 1, ... takes the place
    of position i + r mod m, where m = size - i are left and r is the next 64 raw bits
    of PCG64(seed); one from the largest multiple of m up to 2^64 on is passed over, so
    that all orders are equally likely.

    Examples
    --------
    >>> draw(1000, 3, seed=1).tolist(), draw(1000, 5, seed=1).tolist()
    ([127, 154, 167], [127, 154, 167, 694, 993])
    """
    seed = _checks.count("seed", seed, 0)
    if size > MOST_DRAWN:
        accepted = f"at most {MOST_DRAWN:,}, to draw a sheet from"
        raise _checks.refuse("lot_size", size, accepted)
    raw, order = np.random.PCG64(seed).random_raw, np.empty(sample, dtype=np.int64)
    # Where a position does not hold its own number. The rest is never written down.
    moved: dict[int, int] = {}
    for i in range(sample):
        left = size - i
        while (word := raw()) >= WORDS - WORDS % left:
            pass
        j = i + word % left
        order[i] = moved.get(j, j)
        moved[j] = moved.get(i, i)
    return order


def inspection_sheet(
    plan: SamplingPlan, items: Iterable[Any] | None = None, *, seed: int | None = None
) -> pd.DataFrame:
    """Which items to inspect, in which order, and the limits at each step.

    Parameters
    ----------
    plan : SamplingPlan
    items : sequence of identifiers, optional
        The lot: as many as plan.lot_size, all different; by default 1, 2, ...,
        lot_size. For a process's plan at least plan.max_sample; by default its
        next units in the order of production, 1, 2, ..., which need no draw.
    seed : int of at least 0
        Of the draw. The same seed and items give the same order under every plan:
        the sheet of a longer plan begins with that of a shorter one.

    Returns
    -------
    DataFrame, one row for each of plan.max_sample inspections
        step (1, 2, ...), item, wrong (missing: to be filled in),
        accept_if_at_most and reject_if_at_least: errors found so far with which
        to stop; missing where that verdict is impossible. Once a verdict is
        reached the rows that follow are not inspected.

    Raises
    ------
    ValueError
        For items that are missing, repeated, too few, or not as many as the lot;
        for a lot above 10,000,000; where a draw has no seed; for a plan that
        decides without inspecting.

    Notes
    -----
    Drawn without replacement, by a shuffle of our own that is the same with every
    version of numpy and on every machine: see `draw`.

    Examples
    --------
    >>> import labelaudit as la
    >>> plan = la.SamplingPlan([-1, -1, -1, 0], [1, 2, 2, 1], lot_size=4)
    >>> la.inspection_sheet(plan, ["a", "b", "c", "d"], seed=1)
       step item  wrong  accept_if_at_most  reject_if_at_least
    0     1    d   <NA>               <NA>                <NA>
    1     2    b   <NA>               <NA>                   2
    2     3    a   <NA>                  0                   1
    """
    checked_plan(plan)
    if plan.decide([]).verdict != "continue":
        found = "one that decides without inspecting"
        raise _checks.refuse("plan", found, "a plan that inspects")
    chosen = _drawn(plan, items, seed)
    step = np.arange(1, plan.max_sample + 1)
    accept = pd.Series(plan.accept[1:].copy(), dtype="Int64")
    reject = pd.Series(plan.reject[1:].copy(), dtype="Int64")
    return pd.DataFrame(
        {
            "step": step,
            "item": chosen,
            "wrong": pd.Series(pd.NA, index=range(len(step)), dtype="boolean"),
            "accept_if_at_most": accept.mask(plan.accept[1:] < 0),
            "reject_if_at_least": reject.mask(plan.reject[1:] > step),
        }
    )


def _drawn(plan: SamplingPlan, items: Iterable[Any] | None, seed: Any) -> Any:
    """The items of a sheet, in order."""
    size, n = plan.lot_size, plan.max_sample
    if items is None:
        return np.arange(1, n + 1) if size is None else draw(size, n, seed) + 1
    listed = _listed(items)
    found = f"{len(listed)} items"
    if size is not None and len(listed) != size:
        raise _checks.refuse("items", found, f"as many as the lot, {size}")
    if len(listed) < n:
        raise _checks.refuse("items", found, f"at least the plan's max_sample, {n}")
    chosen = listed.iloc[draw(len(listed), n, seed)]
    return chosen.reset_index(drop=True).infer_objects()


def _listed(items: Any) -> pd.Series:
    """Identifiers, none missing and none twice."""
    items = list(items) if isinstance(items, dict) else items  # its keys, in order
    found = _checks.entries("items", items, "a sequence of identifiers")
    listed = pd.Series(list(found), dtype=object)
    missing = listed.isna()
    if missing.any():
        at = int(missing.argmax())
        raise _checks.refuse(f"items[{at}]", listed[at], "there, and it is missing")
    first: dict[Any, int] = {}
    for at, item in enumerate(listed):
        try:
            before = first.setdefault(item, at)
        except TypeError:
            raise _checks.refuse(f"items[{at}]", item, "a text or a number") from None
        if before != at:
            raise _checks.refuse(f"items[{at}]", item, f"other than items[{before}]")
    return listed
