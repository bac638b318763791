"""The report of a `Reliability`: its findings, and one page of HTML made of them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from importlib.resources import files
from typing import NamedTuple

import pandas as pd

from ..._words import text, whole
from ...agreement.table import TABLE
from .. import report
from . import figures
from .fitting import decimal, first_table, readable
from .found import FEW_LABELS, Reliability

MOST = 20  # rows of a table

WORDS = tomllib.loads(
    (files(__package__) / "findings.toml").read_text(encoding="utf-8")
)


class Finding(NamedTuple):
    """A part of the report.

    name : of its title and words in findings.toml, and of its picture in figures
    tables : by their captions
    notes : what is to be known of them
    """

    name: str
    tables: dict[str, pd.DataFrame]
    notes: Sequence[str] = ()


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
    rows, told = first_table(found.coefficients, found.distance, found.confidence)
    first = report.table(rows.rename_axis("coefficient"), told, decimal)
    blocks = [report.text(found.head), first]
    for name, table, said in beside:
        blocks += [report.text(f"{name}: {said}".strip()), _table(table, index="of")]
    blocks.append(report.text(found.report(name=source)))
    careful = found.warnings if notes is None else notes
    if careful:
        blocks += [report.title("What to be careful about"), report.notes(careful)]
    with report.look():
        for one in findings(found):
            words = WORDS[one.name]
            blocks += [report.title(words["title"]), report.text(words["words"])]
            blocks.append(report.image(getattr(figures, one.name)(found)))
            blocks += [_table(table, told) for told, table in one.tables.items()]
            blocks.append(report.notes(one.notes))
    left = f"Left out: {'; '.join(found.omitted)}. " if found.omitted else ""
    blocks.append(report.text(f"{left}labelaudit {version('labelaudit')}."))
    return report.page("How reliable are these labels?", filter(None, blocks))


def findings(found: Reliability) -> Iterator[Finding]:
    """What there is beside the first table, in order."""
    table = found.coefficients
    fits = table[table["fits"]].index
    chance = pd.DataFrame(index=fits.rename("coefficient"))
    chance["name"] = fits.map(figures.NAMES)
    chance["what it takes chance to be"] = [TABLE[name].told for name in fits]
    why = table["why"][table["why"] != ""]
    left = [f"{figures.NAMES[name]} ({reason})" for name, reason in why.items()]
    notes = [f"No value or interval: {'; '.join(left)}"] if left else []
    yield Finding("coefficients", {"": chance}, notes)

    labels = found.labels.sort_values("ratings", ascending=False, kind="stable")
    yield Finding("labels", {"": labels.rename(columns={"value": "alpha"})})

    if len(found.raters):  # else they are anonymous
        table = found.raters.sort_values("excess", ascending=False, kind="stable")
        tables = {"": table.drop(columns=["agreement", "standard_error"])}
        names = found.ratings.labels
        if len(found.label_use) > 0 and len(names) <= FEW_LABELS:
            use = found.label_use["share"].unstack("label")
            use = use.reindex(index=table.index, columns=names)
            told = "Use of labels, on items that others judged too"
            tables[told] = use.set_axis([text(whole(c)) for c in names], axis=1)
        if len(found.pairs):
            told = "Pairs of raters (Cohen's kappa), least agreement first"
            tables[told] = readable(found.pairs).sort_values("value", kind="stable")
        yield Finding("raters", tables)

    what = "item" if found.ratings.times is None else "pattern"
    disputed = found.disputed(MOST).rename_axis(what)
    yield Finding("items", {f"The most disputed {what}s": disputed})

    if found.suggested is not None:
        yield Finding("suggested", {"": found.suggested.rename_axis("measure")})

    if found.other is not None and found.other_labels is not None:
        table = readable(found.other.rename_axis("measure"))
        notes = [f"{name}: {one}" for name, one in table["why"].items() if one]
        tables = {"": table.drop(columns="why")}
        tables["Each label against the rest"] = found.other_labels
        yield Finding("other", tables, notes)


def _table(frame: pd.DataFrame, caption: str = "", index: str = "") -> str:
    """The first rows, with blanks in the names of columns, where they may break."""
    if len(frame) > MOST:
        more = f"the first {MOST} of {len(frame):,}"
        caption = f"{caption}, {more}" if caption else more.capitalize()
    named = frame.iloc[:MOST].rename(columns=lambda name: name.replace("_", " "))
    return report.table(named.rename_axis(index) if index else named, caption)
