"""One simulator for every sampling plan.

Between two sample numbers at which a plan can stop, only the number of errors
matters, so the simulator draws that number: from a lot, the errors among the
next m positions are hypergeometric given what has been found. This has the law
of inspecting a shuffled lot one by one, without shuffling it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .._checks import Array


def simulate(
    accept: Array,
    reject: Array,
    lot_size: int | None,
    errors: Array,
    repetitions: int,
    generator: np.random.Generator,
) -> pd.DataFrame:
    """Run a stopping region; see SamplingPlan.simulate.

    `errors` may also be an array of `repetitions` values, one per run.
    """
    verdict = np.zeros(repetitions, dtype=bool)
    inspected = np.zeros(repetitions, dtype=np.int64)
    errors_found = np.zeros(repetitions, dtype=np.int64)

    steps = np.arange(len(accept))
    stops = np.flatnonzero((accept >= 0) | (reject <= steps))
    running = np.arange(repetitions)
    x = np.zeros(repetitions, dtype=np.int64)
    total: Any = np.broadcast_to(errors, repetitions)
    before = 0
    for n in stops.tolist():
        m = n - before
        if m:
            x = x + _draw(generator, lot_size, total, before, x, m)
        accepted, stopped = x <= accept[n], (x <= accept[n]) | (x >= reject[n])
        if stopped.any():
            done = running[stopped]
            verdict[done] = accepted[stopped]
            inspected[done] = n
            errors_found[done] = x[stopped]
            running, x, total = running[~stopped], x[~stopped], total[~stopped]
            if not len(running):
                break
        before = n
    return pd.DataFrame(
        {"accepted": verdict, "inspected": inspected, "errors_found": errors_found}
    )


def _draw(
    generator: np.random.Generator,
    lot_size: int | None,
    errors: Array,
    n: int,
    x: Array,
    m: int,
) -> Array:
    """Errors among the next m annotations, after x errors among the first n."""
    if m == 1:
        rate = errors if lot_size is None else (errors - x) / (lot_size - n)
        return (generator.random(len(x)) < rate).astype(np.int64)
    if lot_size is None:
        return generator.binomial(m, errors)
    left = errors - x
    return generator.hypergeometric(left, lot_size - n - left, m)
