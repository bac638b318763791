"""nbformat, without what takes more than a second to import and no notebook needs.

nbformat imports jsonschema, which imports a parser of internationalized addresses
where JupyterLab has brought one. Its grammar is put together when it is imported;
here, when the first such address is to be checked.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Any

SLOW = "rfc3987_syntax"


def load() -> ModuleType:
    """nbformat; what imports it later, such as papermill, is as quick."""
    if "jsonschema" not in sys.modules and SLOW not in sys.modules and find_spec(SLOW):
        later = ModuleType(SLOW)
        later.is_valid_syntax = _is_valid_syntax  # type: ignore[attr-defined]
        sys.modules[SLOW] = later
        try:
            import jsonschema  # noqa: F401
        finally:
            del sys.modules[SLOW]
    import nbformat

    return nbformat


def _is_valid_syntax(*arguments: Any) -> Any:
    from rfc3987_syntax import is_valid_syntax

    return is_valid_syntax(*arguments)
