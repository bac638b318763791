"""A report as one HTML page of text, tables and figures, for no network.

Blocks are pieces of HTML, made by the functions here, which escape all that they are
given. `page` puts them together. Its template, the style and the look of figures are
files beside this module.
"""

import base64
import warnings
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

import pandas as pd

from .._digits import decimals, steady
from .._words import text as label_text

HERE = files(__package__)


def look() -> AbstractContextManager[None]:
    """Figures look as in a report, whatever the caller's settings."""
    from matplotlib import style

    return style.context(["default", f"{__package__}.look"])


def page(title: str, blocks: Iterable[str]) -> str:
    """The whole page.

    Parameters
    ----------
    title : str
    blocks : iterable of str
        From title, text, notes, table and image.

    Returns
    -------
    str
        HTML with its own style; it asks for nothing else. Readable on a telephone
        and on paper.

    Examples
    --------
    >>> from labelaudit.reports import report
    >>> html = report.page("A < B", [report.text("It is & was.")])
    >>> "<h1>A &lt; B</h1>" in html and "It is &amp; was." in html
    True
    """
    style = (HERE / "page.css").read_text(encoding="utf-8")
    whole = Template((HERE / "page.html").read_text(encoding="utf-8"))
    body = "\n".join(filter(None, blocks))
    return whole.substitute(title=escape(title), style=style, body=body)


def title(of_a_part: str) -> str:
    return f"<h2>{words(of_a_part)}</h2>"


def text(paragraph: str) -> str:
    """Nothing where there is none."""
    return f"<p>{words(paragraph)}</p>" if paragraph else ""


def notes(sentences: Sequence[str]) -> str:
    """Sentences as a list; nothing where there are none."""
    if not sentences:
        return ""
    # A name at the beginning of a sentence stays as it is.
    full = (one if one.endswith((".", "?", "!")) else f"{one}." for one in sentences)
    items = "\n".join(f"<li>{words(one)}</li>" for one in full)
    return f'<ul class="notes">\n{items}\n</ul>'


def words(plain: str) -> str:
    """Escaped, and no line begins with a percent sign."""
    return escape(plain).replace(" %", "&nbsp;%")


def cell(value: Any, missing: str = "-") -> str:
    """A table's cell as text: shares to three decimals, counts to one.

    >>> from labelaudit.reports.report import cell
    >>> cell(0.12345), cell(147.0), cell(1234567), cell(float("nan")), cell("a")
    ('0.123', '147.0', '1,234,567', '-', 'a')
    """
    if isinstance(value, tuple):  # an item that several columns name
        return ", ".join(map(cell, value))
    if value is None or value is pd.NA or value != value:
        return missing
    if isinstance(value, float):
        places = 3 if abs(steady(value)) < 10 else 1
        return decimals(value, places).replace("inf", "∞")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return label_text(value)


def table(frame: pd.DataFrame, caption: str = "", missing: str = "-") -> str:
    """A DataFrame with its index."""
    whole = frame.reset_index(allow_duplicates=True)
    texts = [not pd.api.types.is_numeric_dtype(kind) for kind in whole.dtypes]
    kinds = [' class="text"' if one else "" for one in texts]

    def row(tag: str, values: Iterable[Any]) -> str:
        texts = (escape(cell(value, missing)) for value in values)
        cells = (f"<{tag}{kind}>{one}</{tag}>" for kind, one in zip(kinds, texts))
        return f"<tr>{''.join(cells)}</tr>"

    head = row("th", map(str, whole.columns))
    values = whole.astype(object).itertuples(index=False, name=None)
    rows = "\n".join(row("td", one) for one in values)
    told = f"<caption>{words(caption)}</caption>" if caption else ""
    return (
        f'<div class="wide"><table>{told}\n<thead>{head}</thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def image(drawn: Any) -> str:
    """A figure as an SVG, the same bytes on every processor; its title tells it."""
    from . import pictures

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # here, not there
        data = base64.b64encode(pictures.svg(drawn).encode()).decode()
    told = escape(drawn.get_suptitle())
    return f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{told}"></figure>'
