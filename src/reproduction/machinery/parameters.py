"""Parameters of notebooks: checked before anything runs, compared with defaults."""

import tomllib
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

from labelaudit import QualityLevels, _checks
from labelaudit.plans import aql

from . import ledger, paths

Check = Callable[[str, Any], Any]


def _levels(name: str, value: Any) -> QualityLevels:
    try:
        return QualityLevels(*value)
    except TypeError:  # not four
        raise _checks.refuse(name, value, "[p_a, p_r, alpha, beta]") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _each(check: Check) -> Check:
    def checked(name: str, values: Any) -> list[Any]:
        if not isinstance(values, (list, tuple)) or not values:
            raise _checks.refuse(name, values, "a non-empty list")
        return [check(f"{name}[{i}]", value) for i, value in enumerate(values)]

    return checked


def _count(low: int, high: int | None = None) -> Check:
    return lambda name, value: _checks.count(name, value, low, high)


def _one_of(accepted: Iterable[str]) -> Check:
    return lambda name, value: _checks.one_of(name, value, accepted)


def _aql(name: str, value: Any) -> float:
    """A column of MIL-STD-105E's tables, in percent."""
    aql.aql_plan(2, value)  # refuses others, and names the neighbours
    return float(value)


def _file(name: str, value: Any) -> str:
    """A file that somebody brings; empty for none."""
    if not isinstance(value, str) or (value and not Path(value).is_file()):
        there = f"there is no {Path(str(value)).absolute()}"
        raise _checks.refuse(name, value, f"the path of a file, or empty ({there})")
    return value


def _cells(name: str, value: Any) -> list[int]:
    """A table of two coders and two labels, row by row."""
    if not isinstance(value, (list, tuple)) or len(value) != 4:
        raise _checks.refuse(name, value, "four counts, [AA, AB, BA, BB]")
    cells = _each(_count(0, 100_000))(name, value)
    if not any(cells):
        raise _checks.refuse(name, value, "a table with an item in it")
    return cells


def _name(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _checks.refuse(name, value, "the name of a file or column, or empty")
    return value


def _names(name: str, value: Any) -> list[str]:
    if not isinstance(value, (list, tuple)):
        raise _checks.refuse(name, value, "a list of labels or columns, perhaps empty")
    return [str(one) for one in value]


# What each parameter of any notebook may be: a check, and the parameters that it is of.
# The largest count is where a run would take hours or more memory than a laptop has.
MANY = 1_000_000
BY_KIND = (
    (_count(0), "seed"),
    (_count(0, MANY), "errors"),
    (_count(1, MANY), "sample_size repetitions"),
    (_count(1, 1000), "starts attempts"),
    (_count(2), "largest_sample"),
    (_count(2, MANY), "items tables"),
    (_count(2, 1000), "raters"),
    (_count(2, 100), "labels"),
    (_count(3, 1000), "clusters"),
    (_count(3, 12), "annotators"),
    (_count(10, MANY), "lot_size"),
    (_one_of(("stand-in", "released")), "tier"),
    (_one_of(("nominal", "ordinal", "interval", "ratio")), "distance"),
    (_one_of(("single", "double", "sequential", "optimal")), "kind"),
    (_one_of(aql.LEVELS), "level"),
    (_levels, "strict relaxed printed_strict printed_relaxed levels"),
    (_checks.open_unit, "epsilon q prevalence confidence expected_rate example_rate"),
    (_checks.open_unit, "half_width half_width_strict half_width_relaxed"),
    (_checks.open_unit, "largest_rate_strict largest_rate_relaxed"),
    (_checks.unit, "weight sensitivity specificity"),
    (_file, "results items_file outcomes_file"),
    (_name, "ratings item rater label count suggested second item_column"),
    (_names, "columns label_order missing"),
    (_aql, "aql"),
    (_cells, "cells"),
    (_each(_levels), "grid"),
    (_each(_one_of(["all", *ledger.documents()])), "documents"),
    (_each(_count(10, MANY)), "lot_sizes"),
    (_each(_count(1, MANY)), "sample_sizes"),
    (_each(_count(2, 12)), "team_sizes"),
    (_each(_checks.open_unit), "epsilons prevalences confidences error_rates"),
    (_each(_checks.unit), "sensitivities specificities"),
)
CHECKS = {name: check for check, names in BY_KIND for name in names.split()}


def checked(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters in the types that the notebook works with.

    Raises ValueError for the first one that is out of range, and where a lot is
    too small for the levels or for the samples asked of it.
    """
    values = {name: CHECKS[name](name, value) for name, value in parameters.items()}
    lots = [*values.get("lot_sizes", []), *filter(None, [values.get("lot_size")])]
    if values.get("items_file"):
        lots = []  # the file tells the lot's size
    asked = [one for one in values.values() if isinstance(one, QualityLevels)]
    for levels, lot in product(asked, lots):
        levels.errors(lot)
    if "largest_sample" in values:
        _checks.count("largest_sample", values["largest_sample"], 2, min(lots))
    return values


def as_published(stem: str) -> dict[str, Any]:
    """The parameters with which a notebook reproduces its paper, or its own."""
    with paths.PARAMETERS.open("rb") as file:
        return tomllib.load(file)[stem]
