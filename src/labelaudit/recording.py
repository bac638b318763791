"""Values that a notebook hands on: to the ledger, and to a parameter sweep."""

import ast
import sys
from fractions import Fraction
from math import isfinite, isinf, isnan
from typing import Any

import numpy as np

from . import _checks
from ._digits import significant

MIME = "application/vnd.labelaudit.record+json"


def record(**values: Any) -> None:
    """Store values in the output of the notebook cell that calls this.

    Outside of a notebook the values are checked and nothing is stored.

    Parameters
    ----------
    **values : number, text or bool
        A later value replaces an earlier one of the same name. NaN is stored as
        missing, an infinity as the text "inf" or "-inf".

    Raises
    ------
    ValueError
        Where a value is of another kind, or has the name of a parameter that
        papermill has set in this notebook.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.record(sample_size=428, kept=True)
    """
    plain = {name: _plain(name, value) for name, value in values.items()}
    notebook = sys.modules.get("IPython")
    shell = notebook and notebook.get_ipython()
    if shell is None:
        return
    from IPython.display import display

    for name in plain.keys() & injected_parameters(shell.user_ns.get("In", [])):
        raise _checks.refuse("name", name, "the name of no parameter")
    shown = (significant(v, 10) if isinstance(v, float) else v for v in plain.values())
    listed = ", ".join(f"{name} = {value}" for name, value in zip(plain, shown))
    text = f"recorded {listed if len(plain) <= 4 else f'{len(plain)} values'}"
    display({MIME: plain, "text/plain": text}, raw=True)


def _plain(name: str, value: Any) -> bool | int | float | str | None:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, str):
        return str(value)
    found = _checks.real(value)
    beyond = isinstance(found, int) and abs(found) > 2**63
    if found is None or beyond or (isinstance(value, Fraction) and isinf(found)):
        accepted = "a text, a boolean or a number (whole ones up to 2^63)"
        raise _checks.refuse(name, value, accepted)
    if isinstance(found, int) or isfinite(found):
        return found
    return None if isnan(found) else str(found)


def recorded(notebook: dict[str, Any]) -> dict[str, Any]:
    """All that an executed notebook, as JSON, has recorded; the last of a name."""
    values: dict[str, Any] = {}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            values |= output.get("data", {}).get(MIME, {})
    return values


def injected_parameters(cells: list[str]) -> set[str]:
    """What the cell that papermill injects assigns; it starts with this comment."""
    for source in cells:
        if source.startswith("# Parameters\n"):
            names = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name)]
            return {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return set()
