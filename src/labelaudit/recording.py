"""Values that a notebook hands on: to the ledger, and to a parameter sweep."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from . import _checks

MIME = "application/vnd.labelaudit.record+json"


def record(**values: Any) -> None:
    """Store values in the output of the notebook cell that calls this.

    Outside of a notebook the values are checked and nothing is stored.

    Parameters
    ----------
    **values : number, text or bool
        A later value replaces an earlier one of the same name.

    Raises
    ------
    ValueError
        Where a value is of another kind.

    Examples
    --------
    >>> import labelaudit as la
    >>> la.record(sample_size=428, kept=True)
    """
    plain = {name: _plain(name, value) for name, value in values.items()}
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        return
    if get_ipython() is None:
        return
    listed = ", ".join(f"{name} = {value}" for name, value in plain.items())
    text = f"recorded {listed if len(plain) <= 4 else f'{len(plain)} values'}"
    display({MIME: plain, "text/plain": text}, raw=True)


def _plain(name: str, value: Any) -> bool | int | float | str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Real):
        return float(value)
    raise _checks.refuse(name, value, "a number, a text or a boolean")
