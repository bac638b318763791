"""Which parameter sets a sweep runs: a TOML file, read against the notebook."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, product
from math import prod
from pathlib import Path
from typing import Any

from .notebook import Code, Refused

VARY, FIXED, ALSO = "vary", "fixed", "also"

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


def read(path: str | Path, defaults: dict[str, Any]) -> Grid:
    """Read a grid: tables [vary] (of lists) and [fixed], and [[also]], all optional.

    Parameters
    ----------
    path : str or Path
        A TOML file.
    defaults : dict
        The notebook's parameters.

    Raises
    ------
    Refused
        Where the file cannot be read, has other tables, names what is no parameter
        or is one twice, gives a value of another kind than the notebook's default,
        or no set at all.
    """
    path = Path(path)
    table = _parsed(path)
    for name in table.keys() - {VARY, FIXED, ALSO}:
        hint = f"; write it under [{FIXED}]" if name in defaults else ""
        raise Refused(
            f"{path}: {name!r} is none of [{VARY}], [{FIXED}] and [[{ALSO}]]{hint}"
        )
    vary, fixed = (table.get(name, {}) for name in (VARY, FIXED))
    also = table.get(ALSO, [])
    for name, part in ((VARY, vary), (FIXED, fixed)):
        if not isinstance(part, dict):
            raise Refused(f"{path}: [{name}] must be a table, got {part!r}")
    if not isinstance(also, list) or not all(isinstance(one, dict) for one in also):
        raise Refused(f"{path}: [[{ALSO}]] must be tables, got {also!r}")
    for name in vary.keys() & fixed.keys():
        raise Refused(f"{path}: {name!r} is both in [{VARY}] and in [{FIXED}]")
    for name, values in vary.items():
        if not isinstance(values, list):
            raise Refused(
                f"{path}: {name!r} in [{VARY}] must be a list of values, got {values!r}"
            )
        if not values:
            raise Refused(
                f"{path}: {name!r} in [{VARY}] is an empty list: nothing to run"
            )
    if not vary and not also and not fixed:
        raise Refused(f"{path} is an empty grid: it has no [{VARY}] with a list")
    if prod(map(len, vary.values())) > MOST:
        raise Refused(f"{path} has more than {MOST:,} parameter sets")
    several = [(name, v) for name, values in vary.items() for v in values]
    for name, value in chain(several, *(part.items() for part in (fixed, *also))):
        _check(path, name, value, defaults)

    products: Iterable[dict[str, Any]] = ()
    if vary or not also:
        products = (dict(zip(vary, values)) for values in product(*vary.values()))
    sets: dict[str, ParameterSet] = {}
    listed = 0
    for own in chain(products, also):
        given = fixed | own
        one = ParameterSet(given, defaults | given)
        sets.setdefault(one.name, one)
        listed += 1
    names = list(dict.fromkeys(chain(vary, fixed, *also)))
    return Grid(list(sets.values()), names, listed - len(sets))


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise Refused(f"cannot read the grid {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"the grid {path} is not TOML: {error}") from error


def _check(path: Path, name: str, value: Any, defaults: dict[str, Any]) -> None:
    if name not in defaults:
        known = ", ".join(defaults) or "none"
        raise Refused(
            f"{path}: the notebook has no parameter {name!r}; its parameters: {known}"
        )
    if name in OWN_COLUMNS:
        raise Refused(
            f"{path}: a parameter cannot be called {name!r}, which is a column of the"
            " results; give it another name in the notebook"
        )
    _check_kind(path, name, value)
    default = defaults[name]
    expected = KINDS.get(type(default))
    if expected and KINDS[type(value)] != expected:
        raise Refused(
            f"{path}: {name} = {value!r} is not {expected}, as it is in the notebook"
            f" ({name} = {default!r})"
        )


def _check_kind(path: Path, name: str, value: Any) -> None:
    if type(value) not in KINDS:
        raise Refused(
            f"{path}: {name} = {value} must be a number, a text, true or false, a list"
            " or a table"
        )
    parts = value.values() if isinstance(value, dict) else value
    for part in parts if isinstance(value, (list, dict)) else ():
        _check_kind(path, name, part)
