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
    accepted = np.zeros(repetitions, dtype=bool)
    inspected, x = np.zeros((2, repetitions), dtype=np.int64)
    total: Any = np.broadcast_to(errors, repetitions)
    running, before = np.arange(repetitions), 0
    for n in np.flatnonzero((accept >= 0) | (reject <= np.arange(len(accept)))):
        found = x[running]
        if n > before:
            m = int(n) - before
            found += _draw(generator, lot_size, total[running], before, found, m)
        x[running], inspected[running] = found, n
        accepted[running] = found <= accept[n]
        running = running[(found > accept[n]) & (found < reject[n])]
        if not len(running):
            break
        before = int(n)
    return pd.DataFrame(
        {"accepted": accepted, "inspected": inspected, "errors_found": x}
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
