"""The report of a `Reliability`: one page of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import matplotlib as mpl
import pandas as pd

from ... import _words
from ...agreement.table import TABLE
from .. import report
from . import figures
from .fitting import readable
from .found import Reliability

MOST = 20  # rows of a table

ABOUT = (
    "Agreement is what raters have in common; a coefficient is the share of the"
    " agreement that chance leaves room for: 0 where raters agree as often as chance"
    " would have them, 1 where they always do. Coefficients differ in what they take"
    " chance to be. The bands (Landis and Koch 1977) and the dashed lines at 0.667 and"
    " 0.8 (Krippendorff 2004) are conventions; what is good enough depends on what the"
    " labels are for. Intervals treat items as a random sample."
)


def page(found: Reliability, source: str, notes: Sequence[str] | None = None) -> str:
    """All tables, figures and warnings of a Reliability as HTML.

    Parameters
    ----------
    found : Reliability
    source : str
        What the ratings are: the name of a file, say.
    notes : sequence of str, optional
        What to be careful about; default found.warnings.

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
    with mpl.rc_context():
        mpl.rcdefaults()  # the same picture whatever the caller's settings
        mpl.rcParams.update(report.LOOK)  # type: ignore[arg-type]
        blocks = [
            *_head(found, source, found.warnings if notes is None else notes),
            *_coefficients(found),
            *_labels(found),
            *_raters(found),
            *_items(found),
            *_suggested(found),
            *_other(found),
            report.heading("For the data set's documentation"),
            report.text(found.report(name=source)),
            *_foot(found),
        ]
    return report.page("How reliable are these labels?", blocks)


def _head(found: Reliability, source: str, notes: Sequence[str]) -> list[str]:
    r = found.ratings
    names = ", ".join(map(_words.text, r.labels[:MOST]))
    if len(r.labels) > MOST:
        names += f" and {len(r.labels) - MOST:,} more"
    size = _words.size(source, r.n_items, r.raters, r.n_ratings)
    blocks = [report.text(size, f"Labels: {names}. Distance: {found.distance}.")]
    if notes:
        blocks += [report.heading("What to be careful about"), report.notes(notes)]
    return blocks


def _coefficients(found: Reliability) -> list[str]:
    table = found.coefficients
    fits, rest = table[table["fits"]], table[~table["fits"]]
    shown = readable(fits).drop(columns=["fits", "why"])
    chance = pd.DataFrame({"coefficient": fits.index.map(figures.NAMES)})
    chance["what it takes chance to be"] = [TABLE[name].told for name in fits.index]
    shown.index = pd.Index(fits.index.map(figures.NAMES), name="coefficient")
    why = pd.concat([fits["why"][fits["why"] != ""], rest["why"]])
    left = [f"{figures.NAMES[name]} ({reason})" for name, reason in why.items()]
    caption = "observed and expected: agreement"
    if "observed" not in shown:
        caption = "observed and expected disagreement: mean distances,"
        caption += f" {found.distance} for alpha and iota"
        if found.distance == "ordinal":
            caption += ", squared steps for AC2 and weighted kappa"
    return [
        report.heading("Agreement beyond chance"),
        report.text(ABOUT),
        report.figure(figures.coefficients(found), "Coefficients and intervals"),
        _table(shown, caption),
        report.table(chance),
        report.text("No value or interval: " + "; ".join(left) + ".", small=True)
        if left
        else "",
    ]


def _labels(found: Reliability) -> list[str]:
    table = found.labels.sort_values("ratings", ascending=False, kind="stable")
    table = table.rename(columns={"value": "alpha"})
    return [
        report.heading("Label by label"),
        report.text(
            "agreement: if a judgment is this label, how often is another one of the"
            " same item? twice: items on which two judgments, drawn at"
            " random, are both this label. alpha: of this label against the rest;"
            " where the distance is not nominal, with 0 between all other labels."
        ),
        report.figure(figures.labels(found), "Share and reliability of each label"),
        _table(table.iloc[:MOST], _more(table)),
    ]


def _raters(found: Reliability) -> list[str]:
    if len(found.raters) == 0:  # they are anonymous
        return []
    table = found.raters.sort_values("excess", ascending=False, kind="stable")
    table = table.drop(columns=["agreement", "standard_error"])
    blocks = [
        report.heading("Rater by rater"),
        report.text(
            "shared: judgments of items that somebody else judged too. disagreement:"
            " with the others on these items; among others: theirs with each other on"
            " the same items; excess: the difference. away: from the others' use of"
            " labels, 0 to 1. without: alpha without the rater."
        ),
    ]
    drawn = figures.raters(found)
    blocks.append(report.figure(drawn, "Disagreement and label use by rater"))
    blocks.append(_table(table.iloc[:MOST], _more(table)))
    if len(found.pairs):
        pairs = found.pairs.sort_values("value", kind="stable")
        caption = "Pairs of raters (Cohen's kappa), least agreement first"
        blocks.append(_table(readable(pairs).iloc[:MOST], caption))
    return blocks


def _items(found: Reliability) -> list[str]:
    most = found.disputed(MOST)
    what = "item" if found.ratings.times is None else "pattern"
    most.index.name = what
    return [
        report.heading("Item by item"),
        report.figure(figures.items(found), "How many items are how disputed"),
        _table(most, f"The most disputed {what}s"),
    ]


def _suggested(found: Reliability) -> list[str]:
    if found.suggested is None:
        return []
    table = found.suggested.rename_axis("measure")
    return [
        report.heading("Do suggestions lead raters?"),
        report.text(
            "Judgments of items with a suggestion, by what most other raters of the"
            " item say. given anyway: the same labels against the same majorities"
            " where they are not suggested; pull: the difference. A pull can also come"
            " from suggestions that know what most raters miss: items labelled without"
            " them would tell. dipietro_hazari_kappa: agreement on the suggested labels"
            " beyond chance."
        ),
        report.figure(figures.suggested(found), "How often suggestions are followed"),
        _table(table),
    ]


def _other(found: Reliability) -> list[str]:
    if found.other is None or found.other_labels is None:
        return []
    table = found.other.rename_axis("measure")
    labels, why = found.other_labels, table["why"]
    return [
        report.heading("Two collections of the same items"),
        report.text(
            "cross_kappa: agreement between a judgment of one collection and one of the"
            " other, beyond chance. normalized_cross_kappa: over the reliability within"
            " the two; 1 where they differ no more than raters within them do."
            " share_error: standard error of the difference between the shares."
        ),
        report.figure(figures.other(found), "Agreement across and within collections"),
        _table(readable(table).drop(columns="why")),
        report.notes([f"{name}: {one}" for name, one in why.items() if one]),
        _table(labels.iloc[:MOST], "Each label against the rest"),
    ]


def _foot(found: Reliability) -> list[str]:
    left = ""
    if found.omitted:
        left = "Left out: " + "; ".join(found.omitted) + ". "
    return [report.text(f"{left}labelaudit {version('labelaudit')}.", small=True)]


def _table(frame: pd.DataFrame, caption: str = "") -> str:
    """With blanks in the names of columns, where they may break."""
    return report.table(frame.rename(columns=lambda n: n.replace("_", " ")), caption)


def _more(table: pd.DataFrame) -> str:
    return f"The first {MOST} of {len(table):,}" if len(table) > MOST else ""
