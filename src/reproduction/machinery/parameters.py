"""Parameters of notebooks: checked before anything runs, compared with defaults."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labelaudit import QualityLevels, _checks

from . import ledger, paths


def _levels(name: str, value: Any) -> QualityLevels:
    try:
        p_a, p_r, alpha, beta = value
    except (TypeError, ValueError):
        raise _checks.refuse(name, value, "[p_a, p_r, alpha, beta]") from None
    try:
        return QualityLevels(p_a, p_r, alpha, beta)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _each(check: Callable[..., Any], *bounds: Any) -> Callable[[str, Any], list[Any]]:
    def checked(name: str, values: Any) -> list[Any]:
        if not isinstance(values, (list, tuple)) or not values:
            raise _checks.refuse(name, values, "a non-empty list")
        return [check(f"{name}[{i}]", v, *bounds) for i, v in enumerate(values)]

    return checked


def _document(name: str, value: Any) -> str:
    return _checks.one_of(name, value, ["all", *ledger.documents()])


def _count(low: int, high: int | None = None) -> Callable[[str, Any], int]:
    return lambda name, value: _checks.count(name, value, low, high)


def _aql(name: str, value: Any) -> float:
    """A column of MIL-STD-105E's tables, in percent."""
    from labelaudit.plans import aql as standard

    standard.numbers(2, value)  # refuses others, and names the neighbours
    return float(value)


def _level(name: str, value: Any) -> str:
    from labelaudit.plans import aql as standard

    return _checks.one_of(name, value, [*standard.LEVELS])


def _results(name: str, value: Any) -> str:
    """A sweep's results.csv; empty for those kept in data/sweeps."""
    if not isinstance(value, str) or (value and not Path(value).is_file()):
        raise _checks.refuse(name, value, "a sweep's results.csv, or empty")
    return value


def _file(name: str, value: Any) -> str:
    """A file that somebody brings; empty for none."""
    if not isinstance(value, str):
        raise _checks.refuse(name, value, "the path of a file, or empty")
    if value and not Path(value).is_file():
        raise _checks.refuse(
            name, value, f"a file, or empty (there is no {Path(value).absolute()})"
        )
    return value


def _cells(name: str, value: Any) -> list[int]:
    """A table of two coders and two labels, row by row."""
    if not isinstance(value, (list, tuple)) or len(value) != 4:
        raise _checks.refuse(name, value, "four counts, [AA, AB, BA, BB]")
    cells = [_count(0, 100_000)(f"{name}[{i}]", v) for i, v in enumerate(value)]
    if not any(cells):
        raise _checks.refuse(name, value, "a table with an item in it")
    return cells


def _one_of(*accepted: str) -> Callable[[str, Any], str]:
    return lambda name, value: _checks.one_of(name, value, accepted)


def _name(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _checks.refuse(name, value, "the name of a file or column, or empty")
    return value


def _names(name: str, value: Any) -> list[str]:
    if not isinstance(value, (list, tuple)):
        raise _checks.refuse(name, value, "a list of labels or columns, perhaps empty")
    return [str(one) for one in value]


# What each parameter of any notebook may be. The upper bounds are where a run
# would take hours or more memory than a laptop has.
CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "strict": _levels,
    "relaxed": _levels,
    "printed_strict": _levels,
    "printed_relaxed": _levels,
    "levels": _levels,
    "grid": _each(_levels),
    "documents": _each(_document),
    "lot_size": _count(10, 1_000_000),
    "lot_sizes": _each(_checks.count, 10, 1_000_000),
    "largest_sample": _count(2),
    "sample_size": _count(1, 1_000_000),
    "sample_sizes": _each(_checks.count, 1, 1_000_000),
    "repetitions": _count(1, 1_000_000),
    "seed": _count(0),
    "items": _count(2, 1_000_000),
    "clusters": _count(3, 1000),
    "raters": _count(2, 1000),
    "labels": _count(2, 100),
    "annotators": _count(3, 12),
    "team_sizes": _each(_checks.count, 2, 12),
    "epsilon": _checks.open_unit,
    "epsilons": _each(_checks.open_unit),
    "q": _checks.open_unit,
    "tables": _count(2, 1_000_000),
    "starts": _count(1, 1000),
    "prevalence": _checks.open_unit,
    "prevalences": _each(_checks.open_unit),
    "tier": _one_of("stand-in", "released"),
    "weight": _checks.unit,
    "ratings": _name,
    "item": _name,
    "rater": _name,
    "label": _name,
    "columns": _names,
    "count": _name,
    "suggested": _name,
    "second": _name,
    "distance": _one_of("nominal", "ordinal", "interval", "ratio"),
    "label_order": _names,
    "missing": _names,
    "confidence": _checks.open_unit,
    "confidences": _each(_checks.open_unit),
    "error_rates": _each(_checks.open_unit),
    "errors": _count(0, 1_000_000),
    "attempts": _count(1, 1000),
    "expected_rate": _checks.open_unit,
    "sensitivity": _checks.unit,
    "specificity": _checks.unit,
    "sensitivities": _each(_checks.unit),
    "specificities": _each(_checks.unit),
    "half_width": _checks.open_unit,
    "half_width_strict": _checks.open_unit,
    "half_width_relaxed": _checks.open_unit,
    "largest_rate_strict": _checks.open_unit,
    "largest_rate_relaxed": _checks.open_unit,
    "results": _results,
    "kind": _one_of("single", "double", "sequential", "optimal"),
    "items_file": _file,
    "item_column": _name,
    "outcomes_file": _file,
    "example_rate": _checks.open_unit,
    "aql": _aql,
    "level": _level,
    "cells": _cells,
}


def checked(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters in the types that the notebook works with.

    Raises ValueError for the first one that is out of range, and where a lot is
    too small for the levels or for the samples asked of it.
    """
    values = {name: CHECKS[name](name, value) for name, value in parameters.items()}
    lots = values.get("lot_sizes", [])
    lots = lots + [values["lot_size"]] if "lot_size" in values else lots
    lots = [] if values.get("items_file") else lots  # the file tells the lot's size
    for levels in values.values():
        if isinstance(levels, QualityLevels):
            for lot in lots:
                levels.errors(lot)
    if "largest_sample" in values:
        _checks.count("largest_sample", values["largest_sample"], 2, min(lots))
    return values


def beyond(stem: str) -> bool:
    """Whether a notebook is about no paper: nothing in it is compared."""
    return stem.startswith(("beyond", "sweep", "audit", "teach"))


def as_published(stem: str) -> dict[str, Any]:
    """The parameters with which a notebook reproduces its paper, or its own."""
    with paths.PARAMETERS.open("rb") as file:
        return tomllib.load(file)[stem]
