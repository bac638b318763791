"""What a call says of its files: which columns are what, and which rows count."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .said import SENTENCES, refused


@dataclass(frozen=True)
class Asked:
    """The options of a call; a name of a column may be a path into objects.

    Attributes
    ----------
    item : sequence of str
        The columns that name an item together. By default of a table with one row per
        judgment `item`, of one with one row per item the first one, if all its values
        differ and it is no rater's; else the rows are numbered from 1.
    rater, label : str, optional
        Columns of a long table, one row per judgment; by default these words. Case
        matters only where it tells columns apart. Where the table has none of the two,
        it is wide: one row per item, one column per rater.
    rater_file : bool
        Each file is a rater's, named by its stem; where all are alike, by its folder.
        Files with a column of labels alone have their lines as items.
    raters : sequence of str
        The columns of a wide table that are raters; default: all others.
    counts : sequence of str
        Columns are labels, and a cell counts judgments.
    table : bool
        A square table of two raters: rows are the first one's labels, columns the
        second one's, cells count items.
    cluster : str, optional
        The column that says to what an item belongs.
    times : str, optional
        The column of a wide table that says for how many items a row stands.
    suggested, model : str, optional
        The columns with the label that was suggested, and a model's.
    gold : str, optional
        The column with the right label of the item; without such a column a file with
        the columns item and label, or with the judgments' column of items and one more.
    labels : sequence of str
        The labels that there are, in their order.
    missing : sequence of str
        Texts that are no judgment. An empty cell never is one.
    numbers : bool
        Labels are numbers; else they are texts, also those that look like numbers. A
        decimal comma is one where no label has a point; what may group thousands, as
        in 1,500, is refused.
    names : sequence of str
        The names of the columns of files without a header.
    where : sequence of "COLUMN=VALUE" or "COLUMN!=VALUE"
        The rows that count, for which all of these hold.
    split : str, optional
        What separates judgments in a cell; cells may be JSON lists instead, and a label
        cell a JSON object of raters and labels.
    sets : str, optional
        What separates the labels of a judgment that is a set of them; a JSON list is
        one, and [] the empty one.
    repeats : "first", "last" or "drop", optional
        What is done with a rater's judgments of an item that contradict each other.
        Those that repeat an earlier one are left out first.
    ignored : sequence of str
        Columns that are no raters, if they are there.
    known : sequence of str
        Names that are raters', whatever else they say.
    ours : bool
        Apostrophes are taken off that our own files have before formulas.
    """

    item: Sequence[str] = ()
    rater: str | None = None
    label: str | None = None
    rater_file: bool = False
    raters: Sequence[str] = ()
    counts: Sequence[str] = ()
    table: bool = False
    cluster: str | None = None
    times: str | None = None
    suggested: str | None = None
    model: str | None = None
    gold: str | None = None
    labels: Sequence[str] = ()
    missing: Sequence[str] = ()
    numbers: bool = False
    names: Sequence[str] = ()
    where: Sequence[str] = ()
    split: str | None = None
    sets: str | None = None
    repeats: str | None = None
    ignored: Sequence[str] = ()
    known: Collection[str] = ()
    ours: bool = False

    def __post_init__(self) -> None:
        """Refuse options that exclude each other."""
        given = {name.replace("_", "-") for name, value in vars(self).items() if value}
        for why, rules in SENTENCES["apart"].items():
            for one, *others in map(str.split, rules):
                if both := [other for other in others if {one, other} <= given]:
                    raise refused(why, one=one, other=both[0])

    def columns(self) -> list[str]:
        """All names that may be paths."""
        one = (getattr(self, name) for name in COLUMNS)
        where = (condition_of(text)[0] for text in self.where)
        return [*filter(None, one), *self.item, *self.raters, *self.counts, *where]


def condition_of(text: str) -> tuple[str, str, str]:
    """A column, = or !=, and a value; a column whose name has = in it has none here."""
    if (found := re.fullmatch(r"(.*?)(!?=)(.*)", text, re.DOTALL)) is None:
        raise refused("no where", text=text)
    return found[1].strip(), found[2], found[3].strip()


def of_the_second(asked: Asked, find: Callable[[str], str | None]) -> Asked:
    """Without names of columns that only the first collection has."""
    alone: dict[str, Any] = {"raters": (), "item": (), "rater": None, "label": None}
    for name in [*alone]:
        named = getattr(asked, name) or ()
        if all(map(find, [named] if isinstance(named, str) else named)):
            del alone[name]
    return replace(asked, **alone)


COLUMNS = "rater", "label", "cluster", "times", "suggested", "model", "gold"
