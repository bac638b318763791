"""What files of TOML beside modules say: sentences, options, words."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read(package: str, name: str) -> dict[str, Any]:
    """All that a file says."""
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))
