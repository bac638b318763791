"""Which parameter sets a sweep runs: tables of a grid, read against the notebook."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import prod
from pathlib import Path
from typing import Any

from .notebook import Refused
from .parameters import Cell, Code
from .samples import MOST, drawn

VARY, ZIP, FIXED, SAMPLE, ALSO = TABLES = "vary", "zip", "fixed", "sample", "also"
KNOWN = "[vary], [zip], [sample], [fixed] and [[also]]"

# Columns of a sweep's results that are not parameters.
OWN_COLUMNS = (
    "status", "error", "seconds", "notebook", "library_version", "notebook_hash",
)  # fmt: skip

KINDS = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}


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
        plain = {
            name: {"code": value.source} if isinstance(value, Code) else [value]
            for name, value in self.whole.items()
        }
        text = json.dumps(plain, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Grid:
    """The parameter sets, each once, and the names that the file mentions."""

    sets: list[ParameterSet]
    names: list[str]
    repeated: int


def read(given: str | Path | dict[str, Any], cell: Cell) -> Grid:
    """Read a grid: all tables are optional.

    [vary] has lists, whose product is run; [zip] lists of one length, which vary
    together; [sample] draws `n` sets from [sample.parameters] (see `samples`). These
    are crossed. [fixed] has values for all sets, and [[also]] single extra sets.

    Parameters
    ----------
    given : str, Path or dict
        A TOML file, or the tables that it would have.
    cell : Cell
        The notebook's parameters.

    Raises
    ------
    Refused
        Where the file cannot be read, has other tables, names what is no parameter
        or is one twice, gives a value of another kind than the notebook's default,
        or one from which the parameters cell has computed another, or no set at all.
    """
    where = "grid" if isinstance(given, dict) else str(given)
    table = given if isinstance(given, dict) else _parsed(Path(given))
    try:
        return _read(table, cell)
    except Refused as refused:
        raise Refused(f"{where}: {refused}") from None


def _read(table: dict[str, Any], cell: Cell) -> Grid:
    """The same, without the file's name in what is refused."""
    vary, zipped, fixed, sample, also = _tables(table, cell)
    draws = drawn(sample) if SAMPLE in table else []
    parts = {VARY: vary, ZIP: zipped, FIXED: fixed, SAMPLE: draws[0] if draws else {}}
    _check_tables(parts)
    if not any((vary, zipped, fixed, draws, also)):
        raise Refused(f"this is an empty grid: it has no [{VARY}] with a list")
    steps = [dict(zip(zipped, step)) for step in zip(*zipped.values())] or [{}]
    draws = draws or [{}]
    if prod(map(len, vary.values())) * len(steps) * len(draws) > MOST:
        raise Refused(f"these are more than {MOST:,} parameter sets")
    several = [(name, value) for name, values in vary.items() for value in values]
    tables = (part.items() for part in (*steps, *draws, fixed, *also))
    for name, value in chain(several, *tables):
        _check(name, value, cell)

    products = (dict(zip(vary, values)) for values in product(*vary.values()))
    crossed = (one | step | draw for one, step, draw in product(products, steps, draws))
    only_also = also and not (vary or zipped or draws != [{}])
    sets: dict[str, ParameterSet] = {}
    listed = 0
    for own in chain(() if only_also else crossed, also):
        values = fixed | own
        if wrong := cell.stale(values):
            raise Refused(wrong)
        found = ParameterSet(values, cell.defaults | values)
        sets.setdefault(found.name, found)
        listed += 1
    names = list(dict.fromkeys(chain(*parts.values(), *also)))
    return Grid(list(sets.values()), names, listed - len(sets))


def _tables(table: dict[str, Any], cell: Cell) -> list[Any]:
    """The tables, empty where they are not given."""
    for name, part in table.items():
        if name not in TABLES:
            hint = f"; write it under [{FIXED}]" if name in cell.names else ""
            raise Refused(f"{name!r} is none of {KNOWN}{hint}")
        if name == ALSO:
            if not isinstance(part, list) or not all(isinstance(p, dict) for p in part):
                raise Refused(f"[[{ALSO}]] must be tables, got {part!r}")
        elif not isinstance(part, dict):
            raise Refused(f"[{name}] must be a table, got {part!r}")
    return [table.get(name, {}) for name in TABLES]


def _check_tables(parts: dict[str, dict[str, Any]]) -> None:
    """No name is in two tables, lists are lists, those in step have one length."""
    for (first, some), (second, more) in combinations(parts.items(), 2):
        for name in some:
            if name in more:
                both = f"[{first}] and in [{second}]"
                raise Refused(f"{name!r} is both in {both}")
    for part in (VARY, ZIP):
        for name, values in parts[part].items():
            if not isinstance(values, list) or not values:
                accepted = f"{name!r} in [{part}] must be a list of values"
                raise Refused(f"{accepted}, at least one, got {values!r}")
    if len({len(values) for values in parts[ZIP].values()}) > 1:
        sizes = ", ".join(
            f"{name} {len(values)}" for name, values in parts[ZIP].items()
        )
        raise Refused(f"lists in [{ZIP}] must have one length, got {sizes}")


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise Refused(f"cannot read the grid {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"the grid {path} is not TOML: {error}") from error


def _check(name: str, value: Any, cell: Cell) -> None:
    default = cell.defaults.get(name)
    if name not in cell.names:
        if isinstance(default, Code):
            raise Refused(
                f"{name!r} has no value of its own in the notebook's parameters cell"
                f" ({default.source}); give it a line there, such as {name} = 1"
            )
        known = ", ".join(cell.names) or "none"
        raise Refused(
            f"the notebook has no parameter {name!r}; its parameters: {known}"
        )
    if name in OWN_COLUMNS:
        raise Refused(
            f"a parameter cannot be called {name!r}, which is a column of the"
            " results; give it another name in the notebook"
        )
    _check_kind(name, value)
    expected = KINDS.get(type(default))
    if expected and KINDS[type(value)] != expected:
        raise Refused(
            f"{name} = {value!r} is not {expected}, as it is in the notebook"
            f" ({name} = {default!r})"
        )


def _check_kind(name: str, value: Any) -> None:
    if type(value) not in KINDS:
        raise Refused(
            f"{name} = {value} must be a number, a text, true or false, a list"
            " or a table"
        )
    parts = value.values() if isinstance(value, dict) else value
    for part in parts if isinstance(value, (list, dict)) else ():
        _check_kind(name, part)
