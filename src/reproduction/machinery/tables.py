"""How notebooks show tables: thousands with commas, as their texts write them.

pandas has an option for floats (`style.number`), and none for whole numbers.
"""

from numbers import Integral
from typing import Any

import pandas as pd

AS_PRINTED = "printed"  # a column that shows what a document prints


def use(shell: Any) -> None:
    """Show every DataFrame so, in this IPython shell."""
    formatters = shell.display_formatter.formatters
    formatters["text/html"].for_type(pd.DataFrame, lambda t: shown(t)._repr_html_())
    plain = formatters["text/plain"]
    plain.for_type(pd.DataFrame, lambda t, printer, _: printer.text(repr(shown(t))))


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
            written.isetitem(at, _with_commas(table.iloc[:, at]))
    written.index, written.columns = map(_labels, (table.index, table.columns))
    return written


def _labels(index: pd.Index) -> pd.Index:
    if isinstance(index, pd.MultiIndex):
        return index.set_levels([_with_commas(level) for level in index.levels])
    return _with_commas(index)


def _with_commas(values: Any) -> Any:
    """A column or an index, as text where a whole number has four digits or more."""
    if any(_whole(value) and abs(value) > 999 for value in values):
        return values.astype(object).map(lambda v: f"{v:,}" if _whole(v) else v)
    return values


def _whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)
