"""Known answers: the tables in tests/data, each with its source."""

import csv
import json
import tomllib
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"


def known(name: str) -> dict:
    """One file of known answers, its `source` field checked to be there."""
    table = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    assert len(table["source"]) > 20
    return table


def rows(name: str) -> list[list[str]]:
    """The rows of a table of expressions, without its head."""
    with (DATA / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return [*csv.reader(file)][1:]


def cases(name: str) -> pytest.MarkDecorator:
    """A mark: the test has each case of a table of TOML, its key as its name."""
    found = tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
    named = [{"name": key} | case for key, case in found.items()]
    return pytest.mark.parametrize("case", named, ids=[*found])


def at_printed_precision(value: float, printed: float, decimals: int) -> bool:
    """Whether a value is what was printed, allowing for either way of rounding.

    >>> at_printed_precision(0.25271, 0.2527, 4), at_printed_precision(0.253, 0.2527, 4)
    (True, False)
    """
    return abs(value - printed) <= 0.5 * 10**-decimals * 1.001
