"""Random search: parameter sets that are drawn, the same on every machine."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._digits import steady
from .notebook import Refused

PARAMETERS, TABLE = "parameters", "sample.parameters"
ENDS = {"low", "high"}
MOST = 1_000_000  # draws, and parameter sets in one sweep
LARGEST = 10**18  # of the ends and the seed, in size


def drawn(table: dict[str, Any]) -> list[dict[str, Any]]:
    """The sets of a table [sample], in the order of the draws.

    Parameters
    ----------
    table : dict
        n: how many sets; seed: a whole number (0 where not given); parameters: for
        each a list to choose from, or { low, high }: uniform, of whole numbers with
        both ends where both are whole; with log = true on the log scale.

    Raises
    ------
    Refused
        Where the table says something else.
    """
    for name in table:
        if name not in ("n", "seed", PARAMETERS):
            raise Refused(f"{name!r} in [sample] is none of n, seed and [{TABLE}]")
    n: Any = table.get("n")
    seed: Any = table.get("seed", 0)
    for name, value, least, most in (("n", n, 1, MOST), ("seed", seed, 0, LARGEST)):
        if not _whole(value) or not least <= value <= most:
            accepted = f"a whole number of at least {least} and at most {most:,}"
            raise Refused(f"{name} in [sample] must be {accepted}, got {value!r}")
    parameters = table.get(PARAMETERS)
    if not isinstance(parameters, dict) or not parameters:
        raise Refused(f"[sample] needs a table [{TABLE}], got {parameters!r}")
    # A stream for each, so that another parameter changes none of the others' values.
    streams = np.random.default_rng(seed).spawn(len(parameters))
    columns = {
        name: _values(f"{name!r} in [{TABLE}]", spec, n, stream)
        for (name, spec), stream in zip(parameters.items(), streams)
    }
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def _values(what: str, spec: Any, n: int, stream: np.random.Generator) -> list[Any]:
    if isinstance(spec, list) and spec:
        return [spec[k] for k in stream.integers(len(spec), size=n)]
    if not isinstance(spec, dict) or not ENDS <= spec.keys() <= ENDS | {"log"}:
        accepted = "a list that is not empty, or { low, high }, with or without log"
        raise Refused(f"{what} must be {accepted}, got {spec!r}")
    low, high, log = spec["low"], spec["high"], spec.get("log", False)
    whole = _whole(low) and _whole(high)
    if not all(_whole(v) or isinstance(v, float) for v in (low, high)):
        raise Refused(f"{what} needs numbers low < high, got {spec!r}")
    if not -LARGEST <= low < high <= LARGEST:
        accepted = f"low < high, of a size up to {LARGEST:,}"
        raise Refused(f"{what} needs numbers {accepted}, got {spec!r}")
    if not isinstance(log, bool) or (log and low <= 0):
        accepted = "log = true or false, and ends above 0 where it is true"
        raise Refused(f"{what} needs {accepted}, got {spec!r}")
    if whole and not log:
        return [low + int(k) for k in stream.integers(high - low + 1, size=n)]
    ends = (math.log(low), math.log(high + whole)) if log else (low, high)
    drawn = stream.uniform(ends[0], ends[1], size=n)
    values = [steady(value) for value in (np.exp(drawn) if log else drawn)]
    return [min(high, max(low, math.floor(v) if whole else v)) for v in values]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
