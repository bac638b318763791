"""How good are these annotations, and how few must a person check to know?

`laws` has the probabilities that all else stands on. Three wings stand on it or beside
it and know nothing of each other: `plans` (acceptance sampling), `intervals` (error
rates and sample sizes) and `agreement` (coefficients). `reports` answers people with
data, `files` reads and writes what they have, `commands` is the command line, `sweeps`
runs notebooks over many parameters. `as_published` repeats published errors, and no
wing imports it; `figures` draws plans.

Names are loaded when first asked for, so that a command starts without what it does
not need: pandas and scipy take a second.
"""

import ast as _ast
from importlib import import_module as _import_module
from pathlib import Path as _Path
from typing import Any as _Any

# Where each name is: from the stub, which editors and type checkers read too.
_MODULE = {
    name.name: node.module or ""
    for node in _ast.parse(
        _Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    ).body
    if isinstance(node, _ast.ImportFrom)
    for name in node.names
}
__all__ = sorted(name for name, module in _MODULE.items() if module)


def __getattr__(name: str) -> _Any:
    """A public name, from its module, once; see PEP 562."""
    if name == "__version__":
        value = _import_module("importlib.metadata").version(__name__)
    elif name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    elif module := _MODULE[name]:
        value = getattr(_import_module(f".{module}", __name__), name)
    else:
        value = _import_module(f".{name}", __name__)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_MODULE, "__version__"])
