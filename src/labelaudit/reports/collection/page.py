"""One page of HTML made of the findings, with pictures."""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

import pandas as pd

from .. import report
from .figures import coefficients
from .findings import WORDS, Finding
from .fitting import decimal
from .found import Reliability

MOST = 20  # rows of a table


def page(
    found: Reliability,
    parts: Sequence[Finding],
    source: str,
    notes: Sequence[str],
    picture: Callable[[Any], str] = report.svg,
) -> str:
    """All tables, the picture and warnings of a Reliability as HTML.

    Parameters
    ----------
    found : Reliability
    parts : sequence of Finding
        As of findings.findings.
    source : str
        What the ratings are: the name of a file, say.
    notes : sequence of str
        What to be careful about.
    picture : callable
        Writes the figure as SVG.

    Returns
    -------
    str
        A page as from report.page: the same for the same ratings. It begins with what
        the terminal begins with.

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.findings import findings
    >>> from labelaudit.reports.collection.page import page
    >>> r = la.Ratings.from_matrix([["y", "y"], ["n", "y"], ["n", "n"]] * 20)
    >>> found = la.reliability(r)
    >>> html = page(found, findings(found), "ratings.csv", found.warnings)
    >>> "How reliable are these labels?" in html, "http:" in html
    (True, False)
    """
    first = parts[0].shown.rename_axis("coefficient")
    blocks = [report.text(found.head), report.table(first, parts[0].told, decimal)]
    blocks.append(report.text(found.report(name=source)))
    if notes:
        blocks += [report.title("What to be careful about"), report.notes(notes)]
    with report.look():
        for part in filter(lambda part: len(part.shown), parts):
            words = WORDS[part.key]
            blocks += [report.title(words["title"]), report.text(words["words"])]
            if part is parts[0]:
                blocks.append(report.image(coefficients(found), picture))
            else:
                blocks.append(_table(part.shown))
                blocks.append(report.text(part.told) if part.told else "")
    left = [*found.omitted, *(f"{name} ({why})" for name, why in found.unfit.items())]
    left_out = f"Left out: {'; '.join(left)}. " if left else ""
    blocks.append(report.text(f"{left_out}labelaudit {version('labelaudit')}."))
    return report.page("How reliable are these labels?", filter(None, blocks))


def _table(frame: pd.DataFrame) -> str:
    """The first rows, with blanks in the names of columns, where they may break."""
    many = len(frame) > MOST
    caption = f"The first {MOST} of {len(frame):,}" if many else ""
    named = frame.iloc[:MOST].rename(columns=lambda name: name.replace("_", " "))
    named.index.names = [name or "of" for name in frame.index.names]
    return report.table(named, caption)
