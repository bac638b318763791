"""Which parameter sets a sweep runs: tables of a grid, read against the notebook."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import prod
from pathlib import Path
from typing import Any

from . import samples
from .notebook import Code, Refused

VARY, ZIP, FIXED, SAMPLE, ALSO = TABLES = "vary", "zip", "fixed", "sample", "also"
KNOWN = "[vary], [zip], [sample], [fixed] and [[also]]"

# Columns of a sweep's results that are not parameters.
OWN_COLUMNS = ("status", "error", "seconds", "notebook")

MOST = 1_000_000  # parameter sets in one sweep

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


def read(given: str | Path | dict[str, Any], defaults: dict[str, Any]) -> Grid:
    """Read a grid: all tables are optional.

    [vary] has lists, whose product is run; [zip] lists of one length, which vary
    together; [sample] draws `n` sets from [sample.parameters] (see `samples`). These
    are crossed. [fixed] has values for all sets, and [[also]] single extra sets.

    Parameters
    ----------
    given : str, Path or dict
        A TOML file, or the tables that it would have.
    defaults : dict
        The notebook's parameters.

    Raises
    ------
    Refused
        Where the file cannot be read, has other tables, names what is no parameter
        or is one twice, gives a value of another kind than the notebook's default,
        or no set at all.
    """
    where = "grid" if isinstance(given, dict) else str(given)
    table = given if isinstance(given, dict) else _parsed(Path(given))
    for name in [name for name in table if name not in TABLES]:
        hint = f"; write it under [{FIXED}]" if name in defaults else ""
        raise Refused(f"{where}: {name!r} is none of {KNOWN}{hint}")
    vary, zipped, fixed, drawn = (table.get(name, {}) for name in TABLES[:4])
    also = table.get(ALSO, [])
    for name in TABLES[:4]:
        if not isinstance(table.get(name, {}), dict):
            raise Refused(f"{where}: [{name}] must be a table, got {table[name]!r}")
    if not isinstance(also, list) or not all(isinstance(one, dict) for one in also):
        raise Refused(f"{where}: [[{ALSO}]] must be tables, got {also!r}")
    draws = samples.drawn(where, drawn) if drawn else []
    parts = {VARY: vary, ZIP: zipped, FIXED: fixed, SAMPLE: draws[0] if draws else {}}
    for (first, some), (second, more) in combinations(parts.items(), 2):
        for name in some:
            if name in more:
                both = f"[{first}] and in [{second}]"
                raise Refused(f"{where}: {name!r} is both in {both}")
    _check_lists(where, VARY, vary)
    _check_lists(where, ZIP, zipped)
    together = [dict(zip(zipped, step)) for step in zip(*zipped.values())]
    if len({len(values) for values in zipped.values()}) > 1:
        sizes = ", ".join(f"{name} {len(values)}" for name, values in zipped.items())
        raise Refused(f"{where}: lists in [{ZIP}] must have one length, got {sizes}")
    if not any((vary, zipped, fixed, draws, also)):
        raise Refused(f"{where} is an empty grid: it has no [{VARY}] with a list")
    number = prod(map(len, vary.values())) * max(1, len(together)) * max(1, len(draws))
    if number > MOST:
        raise Refused(f"{where} has more than {MOST:,} parameter sets")
    several = [(name, v) for name, values in vary.items() for v in values]
    tables = (*together, *draws, fixed, *also)
    for name, value in chain(several, *(part.items() for part in tables)):
        _check(where, name, value, defaults)

    crossed: Iterable[dict[str, Any]] = ()
    if vary or together or draws or not also:
        products = (dict(zip(vary, values)) for values in product(*vary.values()))
        every = product(products, together or [{}], draws or [{}])
        crossed = (one | step | draw for one, step, draw in every)
    sets: dict[str, ParameterSet] = {}
    listed = 0
    for own in chain(crossed, also):
        values = fixed | own
        found = ParameterSet(values, defaults | values)
        sets.setdefault(found.name, found)
        listed += 1
    names = list(dict.fromkeys(chain(*parts.values(), *also)))
    return Grid(list(sets.values()), names, listed - len(sets))


def _check_lists(where: str, part: str, lists: dict[str, Any]) -> None:
    for name, values in lists.items():
        if not isinstance(values, list):
            raise Refused(
                f"{where}: {name!r} in [{part}] must be a list of values, got"
                f" {values!r}"
            )
        if not values:
            raise Refused(
                f"{where}: {name!r} in [{part}] is an empty list: nothing to run"
            )


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise Refused(f"cannot read the grid {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"the grid {path} is not TOML: {error}") from error


def _check(where: str, name: str, value: Any, defaults: dict[str, Any]) -> None:
    if name not in defaults:
        known = ", ".join(defaults) or "none"
        raise Refused(
            f"{where}: the notebook has no parameter {name!r}; its parameters: {known}"
        )
    if name in OWN_COLUMNS:
        raise Refused(
            f"{where}: a parameter cannot be called {name!r}, which is a column of the"
            " results; give it another name in the notebook"
        )
    _check_kind(where, name, value)
    default = defaults[name]
    expected = KINDS.get(type(default))
    if expected and KINDS[type(value)] != expected:
        raise Refused(
            f"{where}: {name} = {value!r} is not {expected}, as it is in the notebook"
            f" ({name} = {default!r})"
        )


def _check_kind(where: str, name: str, value: Any) -> None:
    if type(value) not in KINDS:
        raise Refused(
            f"{where}: {name} = {value} must be a number, a text, true or false, a list"
            " or a table"
        )
    parts = value.values() if isinstance(value, dict) else value
    for part in parts if isinstance(value, (list, dict)) else ():
        _check_kind(where, name, part)
