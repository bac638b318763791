"""What files of TOML beside modules say: sentences, options, words."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any


@cache
def read(package: str, name: str) -> dict[str, Any]:
    """All that a file says."""
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))


def filled(part: Any, values: Mapping[str, Any], words: Formatter) -> str:
    """A text with its values; of a list all parts; of { if, then, else } what holds.

    A field holds where there is something: a count above 0, a number that is defined.
    """
    if isinstance(part, list):
        return "".join(filled(one, values, words) for one in part)
    if isinstance(part, dict):
        field, _ = words.get_field(part["if"], (), values)
        held = field == field if isinstance(field, float) else bool(field)
        return filled(part.get("then" if held else "else", ""), values, words)
    return words.vformat(part, (), values)
