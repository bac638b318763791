"""How notebooks show tables: thousands with commas, as their texts write them.

pandas has an option for floats (`style.number`), and none for whole numbers.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import pandas as pd

AS_PRINTED = "printed"  # a column that shows what a document prints


def use(shell: Any) -> None:
    """Show every DataFrame so, in this IPython shell."""
    formatters = shell.display_formatter.formatters
    formatters["text/html"].for_type(pd.DataFrame, lambda t: shown(t)._repr_html_())
    formatters["text/plain"].for_type(
        pd.DataFrame, lambda t, printer, _: printer.text(repr(shown(t)))
    )


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its large whole numbers as text, in cells and labels.

    >>> import pandas as pd
    >>> shown(pd.DataFrame({"n": [5, 25000]}, index=[10, 1000]))
                n
    10          5
    1,000  25,000
    """
    written = table.copy(deep=False)
    for at, name in enumerate(table.columns):
        if name != AS_PRINTED:
            column = table.iloc[:, at]
            if _large(column):
                written.isetitem(at, column.astype(object).map(_written))
    written.index, written.columns = map(_labels, (table.index, table.columns))
    return written


def _labels(index: pd.Index) -> pd.Index:
    if isinstance(index, pd.MultiIndex):
        levels = [_labels(level) for level in index.levels]
        return index.set_levels(levels)
    if not _large(index):
        return index
    return pd.Index(index.astype(object).map(_written), name=index.name)


def _large(values: pd.Series | pd.Index) -> bool:
    """Whether a whole number among them has four digits or more."""
    if values.dtype.kind in "iu":
        return len(values) > 0 and max(abs(int(values.min())), int(values.max())) > 999
    return values.dtype == object and any(
        _whole(value) and abs(value) > 999 for value in values
    )


def _whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _written(value: object) -> object:
    return f"{value:,}" if _whole(value) else value
