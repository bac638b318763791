"""The report of a `Reliability`: one page of HTML, of the sections in sections.html."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from importlib.resources import files

import pandas as pd

from ...agreement.table import TABLE
from .. import report
from . import figures
from .fitting import decimal, first_table, readable
from .found import Reliability

MOST = 20  # rows of a table

Filled = dict[str, str] | None  # what a section gets; None: it is left out

SECTIONS = report.sections(files(__package__) / "sections.html")


def page(
    found: Reliability,
    source: str,
    notes: Sequence[str] | None = None,
    beside: Iterable[tuple[str, pd.DataFrame, str]] = (),
) -> str:
    """All tables, figures and warnings of a Reliability as HTML.

    Parameters
    ----------
    found : Reliability
    source : str
        What the ratings are: the name of a file, say.
    notes : sequence of str, optional
        What to be careful about; default found.warnings.
    beside : iterable of (name, table, sentence)
        What the labels were compared with, to stand after the first table.

    Returns
    -------
    str
        A page as from report.page: the same for the same ratings.

    Examples
    --------
    >>> import labelaudit as la
    >>> from labelaudit.reports.collection.page import page
    >>> r = la.Ratings.from_matrix([["y", "y"], ["n", "y"], ["n", "n"]] * 20)
    >>> html = page(la.reliability(r), "ratings.csv")
    >>> "How reliable are these labels?" in html, "http:" in html
    (True, False)
    """
    said = report.notes(found.warnings if notes is None else notes)
    left = f"Left out: {'; '.join(found.omitted)}. " if found.omitted else ""
    filled: dict[str, Filled] = {
        "head": {"head": report.words(found.head), "table": _first(found)},
        "beside": {"parts": "\n".join(_beside(*one) for one in beside)},
        "paragraph": {"text": report.words(found.report(name=source))},
        "notes": {"notes": said} if said else None,
    }
    with report.look():
        for part in (_coefficients, _labels, _raters, _items, _suggested, _other):
            name, own = part.__name__[1:], part(found)
            if own is not None:
                drawn = getattr(figures, name)(found)
                filled[name] = own | {"figure": report.image(drawn)}
    filled["foot"] = {"left": report.words(left), "version": version("labelaudit")}
    blocks = [SECTIONS[name].substitute(own) for name, own in filled.items() if own]
    return report.page("How reliable are these labels?", blocks)


def _first(found: Reliability) -> str:
    rows, told = first_table(found.coefficients, found.distance, found.confidence)
    return report.table(rows.rename_axis("coefficient"), told, decimal)


def _beside(name: str, table: pd.DataFrame, said: str) -> str:
    head = f"{name}: {said}" if said else f"{name}:"
    return report.text(head) + _table(table.rename_axis("of"))


def _coefficients(found: Reliability) -> Filled:
    table = found.coefficients
    fits = table[table["fits"]].index
    chance = pd.DataFrame(index=fits.rename("coefficient"))
    chance["name"] = fits.map(figures.NAMES)
    chance["what it takes chance to be"] = [TABLE[name].told for name in fits]
    why = table["why"][table["why"] != ""]
    left = [f"{figures.NAMES[name]} ({reason})" for name, reason in why.items()]
    said = f"No value or interval: {'; '.join(left)}." if left else ""
    return {"table": report.table(chance), "why": report.words(said)}


def _labels(found: Reliability) -> Filled:
    table = found.labels.sort_values("ratings", ascending=False, kind="stable")
    return {"table": _table(table.rename(columns={"value": "alpha"}))}


def _raters(found: Reliability) -> Filled:
    if len(found.raters) == 0:  # they are anonymous
        return None
    table = found.raters.sort_values("excess", ascending=False, kind="stable")
    pairs = ""
    if len(found.pairs):
        told = "Pairs of raters (Cohen's kappa), least agreement first"
        least = readable(found.pairs).sort_values("value", kind="stable")
        pairs = _table(least, told)
    table = table.drop(columns=["agreement", "standard_error"])
    return {"table": _table(table), "pairs": pairs}


def _items(found: Reliability) -> Filled:
    what = "item" if found.ratings.times is None else "pattern"
    most = found.disputed(MOST).rename_axis(what)
    return {"table": _table(most, f"The most disputed {what}s")}


def _suggested(found: Reliability) -> Filled:
    if found.suggested is None:
        return None
    return {"table": _table(found.suggested.rename_axis("measure"))}


def _other(found: Reliability) -> Filled:
    if found.other is None or found.other_labels is None:
        return None
    table = readable(found.other.rename_axis("measure"))
    why = [f"{name}: {one}" for name, one in table["why"].items() if one]
    return {
        "table": _table(table.drop(columns="why")),
        "why": report.notes(why),
        "labels": _table(found.other_labels, "Each label against the rest"),
    }


def _table(frame: pd.DataFrame, caption: str = "") -> str:
    """The first rows, with blanks in the names of columns, where they may break."""
    if len(frame) > MOST:
        more = f"the first {MOST} of {len(frame):,}"
        caption = f"{caption}, {more}" if caption else more.capitalize()
    named = frame.iloc[:MOST].rename(columns=lambda name: name.replace("_", " "))
    return report.table(named, caption)
