"""A report as one HTML page of headings, text, tables and figures, for no network.

Blocks are pieces of HTML, made by the functions here, which escape all that they are
given; `page` puts them together.
"""

from __future__ import annotations

import base64
import warnings
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from .. import _whole
from .._digits import decimals, steady
from .._words import text as label_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CSS = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff;
  max-width: 46rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #ddd; }
figure { margin: 1rem 0; overflow-x: auto; }
figure img { display: block; width: 100%; min-width: 30rem; height: auto; }
figcaption, .small { color: #555; font-size: .875rem; }
.wide { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .875rem;
  font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; color: #555; padding-bottom: .25rem; }
th, td { padding: .2rem .6rem .2rem 0; text-align: right; vertical-align: top;
  border-bottom: 1px solid #eee; }
th { font-weight: 600; }
th.text, td.text { text-align: left; }
td.text { min-width: 3.5rem; }
ul.notes { padding-left: 1.2rem; } ul.notes li { margin: .4rem 0; }
@media print { body { max-width: none; font-size: 10pt; padding: 0; }
  figure, tr, li { break-inside: avoid; } h2 { break-after: avoid; }
  .wide, figure { overflow: visible; } figure img { min-width: 0; } }
"""

LOOK = {  # of figures, whatever the caller's settings
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.edgecolor": "#777777",
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "none",  # the reader's fonts: they have every script
}


def page(title: str, blocks: Iterable[str]) -> str:
    """The whole page.

    Parameters
    ----------
    title : str
    blocks : iterable of str
        From heading, text, notes, table and figure.

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
    body = "\n".join([f"<h1>{escape(title)}</h1>", *blocks])
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{CSS}</style>\n</head>\n<body>\n"
        f"{body}\n</body>\n</html>\n"
    )


def heading(words: str) -> str:
    return f"<h2>{escape(words)}</h2>"


def text(*paragraphs: str, small: bool = False) -> str:
    kind = ' class="small"' if small else ""
    return "\n".join(f"<p{kind}>{_words(one)}</p>" for one in paragraphs)


def notes(sentences: Sequence[str]) -> str:
    """Sentences as a list; nothing where there are none."""
    if not sentences:
        return ""
    items = "\n".join(f"<li>{_words(_sentence(one))}</li>" for one in sentences)
    return f'<ul class="notes">\n{items}\n</ul>'


def _words(words: str) -> str:
    """Escaped, and no line begins with a percent sign."""
    return escape(words).replace(" %", "&nbsp;%")


def _sentence(words: str) -> str:
    """With a full stop; a name at the beginning stays as it is."""
    return words if words.endswith((".", "?", "!")) else f"{words}."


def table(frame: pd.DataFrame, caption: str = "", digits: int = 3) -> str:
    """A DataFrame with its index; numbers to some decimals, what is missing a dash."""
    parts = [frame.iloc[:, k] for k in range(frame.shape[1])]
    if any(frame.index.names):
        names = frame.index.to_frame(index=False)
        parts = [*(names.iloc[:, k] for k in range(names.shape[1])), *parts]
    kinds = [
        "" if pd.api.types.is_numeric_dtype(part) else ' class="text"' for part in parts
    ]
    head = "".join(f"<th{k}>{escape(str(p.name))}</th>" for k, p in zip(kinds, parts))
    rows = []
    for values in zip(*(part.astype(object) for part in parts)):
        cells = (
            f"<td{k}>{escape(cell(v, digits))}</td>" for k, v in zip(kinds, values)
        )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    named = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "\n".join(rows)
    return (
        f'<div class="wide"><table>{named}\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def cell(value: Any, digits: int = 3) -> str:
    """A table's cell as text.

    >>> from labelaudit.reports.report import cell
    >>> cell(0.12345), cell(147.0), cell(1234567), cell(float("nan")), cell("a")
    ('0.123', '147.0', '1,234,567', '-', 'a')
    """
    if value is None or value is pd.NA or value != value:
        return "-"
    if isinstance(value, float):
        places = (
            digits if abs(steady(value)) < 10 else 1
        )  # shares and coefficients, or counts
        return decimals(value, places).replace("inf", "∞")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return label_text(value)


def figure(drawn: Figure, alt: str, caption: str = "") -> str:
    """A figure, as an SVG inside the page: the same bytes on every processor."""
    from . import pictures

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # here, not there
        picture = pictures.svg(drawn)
    data = base64.b64encode(picture.encode()).decode()
    named = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return (
        f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{escape(alt)}">'
        f"{named}</figure>"
    )


# Files ----------------------------------------------------------------------------


def write(path: str | Path, html: str, over: bool = True) -> None:
    """All of the page, or nothing; unless over, never in place of another file."""
    _whole.write(Path(path), html.encode(), over=over)
