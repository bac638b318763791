"""Random search: parameter sets that are drawn, the same on every machine."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._digits import steady
from .notebook import Refused

PARAMETERS = "parameters"
ENDS = {"low", "high"}


def drawn(where: str, table: dict[str, Any]) -> list[dict[str, Any]]:
    """The sets of a table [sample], in the order of the draws.

    Parameters
    ----------
    where : str
        The grid's file, for messages.
    table : dict
        n: how many sets; seed: a whole number (0 where not given); parameters: for
        each a list to choose from, or { low, high }: uniform, of whole numbers with
        both ends where both are whole; with log = true on the log scale.

    Raises
    ------
    Refused
        Where the table says something else.
    """
    for name in [name for name in table if name not in ("n", "seed", PARAMETERS)]:
        raise Refused(
            f"{where}: {name!r} in [sample] is none of n, seed and [sample.parameters]"
        )
    n: Any = table.get("n")
    seed: Any = table.get("seed", 0)
    for name, value, least in (("n", n, 1), ("seed", seed, 0)):
        if not _whole(value) or value < least:
            raise Refused(
                f"{where}: {name} in [sample] must be a whole number of at least"
                f" {least}, got {value!r}"
            )
    parameters = table.get(PARAMETERS)
    if not isinstance(parameters, dict) or not parameters:
        raise Refused(
            f"{where}: [sample] needs a table [sample.{PARAMETERS}], got {parameters!r}"
        )
    # A stream for each, so that another parameter changes none of the others' values.
    streams = np.random.default_rng(seed).spawn(len(parameters))
    columns = {
        name: _values(f"{where}: {name!r} in [sample.{PARAMETERS}]", spec, n, stream)
        for (name, spec), stream in zip(parameters.items(), streams)
    }
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def _values(what: str, spec: Any, n: int, stream: np.random.Generator) -> list[Any]:
    if isinstance(spec, list) and spec:
        return [spec[k] for k in stream.integers(len(spec), size=n)]
    if not isinstance(spec, dict) or not ENDS <= spec.keys() <= ENDS | {"log"}:
        raise Refused(
            f"{what} must be a list that is not empty, or {{ low, high }}, with or"
            f" without log, got {spec!r}"
        )
    low, high, log = spec["low"], spec["high"], spec.get("log", False)
    if (
        not all(_whole(v) or isinstance(v, float) for v in (low, high))
        or not low < high
    ):
        raise Refused(f"{what} needs numbers low < high, got {spec!r}")
    if not math.isfinite(high - low) or not isinstance(log, bool) or (log and low <= 0):
        raise Refused(
            f"{what} needs finite ends and log = true or false, and ends above 0 where"
            f" it is true, got {spec!r}"
        )
    if _whole(low) and _whole(high):
        if not log:
            return [low + int(k) for k in stream.integers(high - low + 1, size=n)]
        scaled = np.exp(stream.uniform(math.log(low), math.log(high + 1), n))
        return [min(high, max(low, math.floor(steady(v)))) for v in scaled]
    ends = (math.log(low), math.log(high)) if log else (low, high)
    values = stream.uniform(ends[0], ends[1], size=n)
    return [min(high, max(low, steady(v))) for v in (np.exp(values) if log else values)]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
