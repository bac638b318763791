"""Parameters of notebooks: checked before anything runs, compared with defaults."""

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

from labelaudit import QualityLevels, _checks, aql_plan
from labelaudit.files.told import read

from . import ledger, paths


def _levels(name: str, value: Any) -> QualityLevels:
    try:
        return QualityLevels(*value)
    except TypeError:  # not four
        raise _checks.refuse(name, value, "[p_a, p_r, alpha, beta]") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _each(name: str, values: Any, kind: str, *limits: Any) -> list[Any]:
    if not isinstance(values, (list, tuple)) or not values:
        raise _checks.refuse(name, values, "a non-empty list")
    return [KINDS[kind](f"{name}[{i}]", v, *limits) for i, v in enumerate(values)]


def _document(name: str, value: Any) -> str:
    """A document with a ledger, or all of them."""
    return _checks.one_of(name, value, ["all", *ledger.documents()])


def _aql(name: str, value: Any) -> float:
    """A column of MIL-STD-105E's tables, in percent."""
    aql_plan(2, value)  # refuses others, and names the neighbours
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
    cells = _each(name, value, "count", 0, 100_000)
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


OURS = _levels, _each, _document, _aql, _file, _cells, _name, _names
CHECKS = _checks.count, _checks.one_of, _checks.unit, _checks.open_unit, *OURS
KINDS = {check.__name__.removeprefix("_"): check for check in CHECKS}
ALLOWED = read(__package__, "allowed.toml")


def checked(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters in the types that the notebook works with.

    Raises ValueError for the first one that is out of range, and where a lot is
    too small for the levels or for the samples asked of it.
    """
    values = {}
    for name, value in parameters.items():
        kind, *limits = ALLOWED[name]
        values[name] = KINDS[kind](name, value, *limits)
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
