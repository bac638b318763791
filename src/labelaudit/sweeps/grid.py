"""Which parameter sets a sweep runs: tables of a grid, read against the notebook."""

import hashlib
import json
import math
import tomllib
from dataclasses import dataclass
from itertools import chain, product
from pathlib import Path
from typing import Any

import numpy as np

from .. import _checks
from .._digits import steady
from .notebook import refused
from .parameters import Cell, Code

VARY, ZIP, FIXED, SAMPLE, ALSO = TABLES = "vary", "zip", "fixed", "sample", "also"

# Columns of a sweep's results that are not parameters.
OWN_COLUMNS = (
    "status", "error", "seconds", "notebook", "library_version", "notebook_hash",
)  # fmt: skip

KINDS = {
    bool: "true or false", int: "a number", float: "a number", str: "a text",
    list: "a list", dict: "a table",
}  # fmt: skip


Given = str | Path | dict[str, Any]  # a file, or the tables that it would have

MOST = 1_000_000  # draws, and parameter sets in one sweep
LARGEST = 10**18  # of the ends and the seed, in size


@dataclass(frozen=True)
class ParameterSet:
    """The parameters of one run.

    Attributes
    ----------
    given : dict
        What the grid says.
    whole : dict
        The same with the notebook's defaults for all that it leaves out.
    """

    given: dict[str, Any]
    whole: dict[str, Any]

    @property
    def text(self) -> str:
        """What the grid says of it, for people."""
        return ", ".join(f"{name} = {value!r}" for name, value in self.given.items())

    @property
    def name(self) -> str:
        """Hash of what the run's parameters are, wherever they are said."""
        code = sorted(k for k, value in self.whole.items() if isinstance(value, Code))
        text = json.dumps([self.whole, code], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def read(given: Given, cell: Cell) -> list[ParameterSet]:
    """The sets of a grid, each once; all its tables are optional.

    [vary] has lists, whose product is run; [zip] lists of one length, which vary
    together; [sample] draws `n` sets from [sample.parameters] (see `_drawn`). These
    are crossed. [fixed] has values for all sets, and [[also]] single extra sets.

    Parameters
    ----------
    given : str, Path or dict
        A TOML file, or the tables that it would have.
    cell : Cell
        The notebook's parameters.

    Raises
    ------
    ValueError
        Where the file cannot be read, has other tables, names what is no parameter
        or is one twice, gives a value of another kind than the notebook's default,
        or one from which the parameters cell has computed another, or no set at all.
    """
    tables = given if isinstance(given, dict) else _parsed(Path(given))
    try:
        return _sets(tables, cell)
    except ValueError as error:
        where = "grid" if isinstance(given, dict) else given
        raise ValueError(f"{where}: {error}") from None


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise refused("grid_unread", path=path, why=error.strerror) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise refused("no_toml", path=path, why=error) from error


def _sets(tables: dict[str, Any], cell: Cell) -> list[ParameterSet]:
    _check_tables(tables, cell)
    vary, zipped, fixed, sample, also = (tables.get(name, {}) for name in TABLES)
    draws = _drawn(sample) if SAMPLE in tables else [{}]
    parts = {VARY: vary, ZIP: zipped, FIXED: fixed, SAMPLE: draws[0]}
    _check_names(parts)
    if not any((*parts.values(), also)):
        raise refused("empty")
    axes = [[{name: value} for value in values] for name, values in vary.items()]
    axes.append([dict(zip(zipped, step)) for step in zip(*zipped.values())] or [{}])
    axes += [fixed], draws
    if math.prod(map(len, axes)) > MOST:
        raise refused("too_many", most=MOST)
    only_also = also and not (vary or zipped or draws[0])
    sets: dict[str, ParameterSet] = {}
    for own in chain(() if only_also else product(*axes), product([fixed], also)):
        values = {name: value for part in own for name, value in part.items()}
        for name, value in values.items():
            _check(name, value, cell)
        if wrong := cell.stale(values):
            raise refused("stale", **wrong)
        found = ParameterSet(values, cell.defaults | values)
        sets.setdefault(found.name, found)
    return list(sets.values())


def _check_tables(tables: dict[str, Any], cell: Cell) -> None:
    """There are no others, and they are tables."""
    for name, part in tables.items():
        if name not in TABLES:
            raise refused("no_table", name=name, known=name in cell.defaults)
        of = part if name == ALSO else [part]
        if not isinstance(of, list) or not all(isinstance(one, dict) for one in of):
            raise refused("table", also=name == ALSO, name=name, part=part)


def _check_names(parts: dict[str, dict[str, Any]]) -> None:
    """No name is in two tables, lists are lists, those in step have one length."""
    first: dict[str, str] = {}
    for table, part in parts.items():
        for name, values in part.items():
            if first.setdefault(name, table) != table:
                raise refused("twice", name=name, first=first[name], second=table)
            if table in (VARY, ZIP) and (not isinstance(values, list) or not values):
                raise refused("no_list", name=name, part=table, values=values)
    sizes = {name: len(values) for name, values in parts[ZIP].items()}
    if len({*sizes.values()}) > 1:
        raise refused("lengths", sizes=", ".join(f"{k} {n}" for k, n in sizes.items()))


def _check(name: str, value: Any, cell: Cell) -> None:
    default = cell.defaults.get(name)
    if name not in cell.defaults:
        raise refused("no_parameter", name=name, all=", ".join(cell.defaults) or "none")
    if name in OWN_COLUMNS:
        raise refused("own_column", name=name)
    _check_kind(name, value)
    expected = KINDS.get(type(default))
    if expected not in (None, KINDS[type(value)]):
        raise refused("other_kind", name=name, value=value, of=default, kind=expected)


def _check_kind(name: str, value: Any) -> None:
    if type(value) not in KINDS:
        raise refused("kind", name=name, value=value)
    parts = value.values() if isinstance(value, dict) else value
    for part in parts if isinstance(value, (list, dict)) else ():
        _check_kind(name, part)


# Random search: sets that are drawn, the same on every machine --------------------


def _drawn(table: dict[str, Any]) -> list[dict[str, Any]]:
    """The sets of a table [sample], in the order of the draws.

    Parameters
    ----------
    table : dict
        n: how many sets; seed: a whole number (0 where not given); parameters: for
        each a list to choose from, or { low, high }: uniform, of whole numbers with
        both ends where both are whole; with log = true on the log scale.

    Raises
    ------
    ValueError
        Where the table says something else.
    """
    for name in sorted(table.keys() - {"n", "seed", "parameters"}):
        raise refused("sample_key", name=name)
    n = _checks.count("n in [sample]", table.get("n"), 1, MOST)
    seed = _checks.count("seed in [sample]", table.get("seed", 0), 0, LARGEST)
    parameters = table.get("parameters")
    if not isinstance(parameters, dict) or not parameters:
        raise refused("sample_table")
    # A stream for each, so that another parameter changes none of the others' values.
    streams = np.random.default_rng(seed).spawn(len(parameters))
    columns = (_values(*of, n, own) for of, own in zip(parameters.items(), streams))
    return [dict(zip(parameters, values)) for values in zip(*columns)]


def _values(name: str, spec: Any, n: int, stream: np.random.Generator) -> list[Any]:
    if isinstance(spec, list) and spec:
        return [spec[k] for k in stream.integers(len(spec), size=n)]
    ends: Any = spec if isinstance(spec, dict) else {}
    low, high, log = ends.get("low"), ends.get("high"), ends.get("log", False)
    kinds, known = {type(low), type(high)}, ends.keys() <= {"low", "high", "log"}
    known = known and kinds <= {int, float} and isinstance(log, bool)
    if not known or not -LARGEST <= low < high <= LARGEST or (log and low <= 0):
        raise refused("sample_form", name=name, most=LARGEST, spec=spec)
    whole = kinds == {int}
    if whole and not log:
        return stream.integers(low, high, size=n, endpoint=True).tolist()
    span = (math.log(low), math.log(high + whole)) if log else (low, high)
    drawn = stream.uniform(span[0], span[1], size=n)
    values = [steady(value) for value in (np.exp(drawn) if log else drawn)]
    return [min(high, max(low, math.floor(v) if whole else v)) for v in values]
