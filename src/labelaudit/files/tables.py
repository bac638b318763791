"""Tables from files as people have them: every cell a text, every row with its line.

What cannot be read is refused with the line and the reason, and so is a first row that
looks like data. Nothing else is guessed but the separator, the encoding from a
byte-order mark, and how JSON is turned.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..agreement.reading import objects
from .asked import Asked
from .columns import called, folded, like_data
from .contents import STANDARD_INPUT, content, decoded
from .rows import JSON, from_csv, from_json, from_parquet
from .said import note, refused, way
from .sums import formula
from .text import UnreadableError, cell

PARQUET = (".parquet", ".pq")
NOTHING = Asked()
WORD = re.compile(r"[^\W_]+")
QUALTRICS = '{"ImportId"'  # so begin the cells of its third header


def table(
    path: str | Path, columns: Sequence[str] | None = None, ours: bool = False
) -> pd.DataFrame:
    """All cells of a file as texts, without blanks around them; an empty one is None.

    Parameters
    ----------
    path : str or Path
        CSV in UTF-8, with or without a byte-order mark, or in UTF-16 with one;
        separated by comma, semicolon, tab or bar, whichever divides all lines alike
        outside quotes, or is the most frequent in the first one, or what a line
        "sep=;" says. JSON: an array of records, one record a line, an object whose keys
        are the column item and whose values are a record or a list of records (the
        column keys, where these records have items of their own, or so many that keys
        are hardly items), or an object of columns. Either may be gzipped. Or Parquet.
        "-" is standard input.
    columns : sequence of str, optional
        The names of the columns of a CSV without a header. None: no option names them.
    ours : bool
        Apostrophes that our files have before formulas are taken off.

    Returns
    -------
    DataFrame
        Index "line": where in the file each row begins (JSON: "record", Parquet: "row",
        from 1). Lines without any text are left out, and so is an empty last column
        without a name. In Parquet and JSON whole numbers are written without a point,
        and lists and objects as JSON. attrs has the separator of a CSV file.

    Raises
    ------
    UnreadableError
        For what is no such file, has no row below its header, a row with more or
        fewer cells than the header, a quote that is not closed, two columns of one
        name, a key twice in one object; columns for a file that names them, or of
        another number.
    """
    data = content(path)
    parquet = data.startswith(b"PAR1") or Path(path).suffix.lower() in PARQUET
    text = "" if parquet else decoded(path, data)
    kind = "Parquet" if parquet else "JSON" if JSON.match(text) else None
    if kind and columns:
        raise refused("of no columns", at=path, kind=kind)
    if parquet:
        names, rows, where, separator = from_parquet(path, data)
    else:
        read = from_json(path, text) if kind else from_csv(path, text, columns or ())
        names, rows, where, separator = read
    if not (len(where) and names):
        raise refused("no row", at=path, headed=not (columns or kind))
    cells = objects(cell(value) for row in rows for value in row)
    if ours:
        cells = objects(text and formula(text) for text in cells)
        names = [*map(formula, names)]
    found = pd.DataFrame(cells.reshape(len(where), -1), where, names, dtype=object)
    for name in (name for name, times in Counter(names).items() if times > 1):
        free = not (kind or columns or columns is None)
        if free and like_data(found):
            raise refused("headerless", at=path, names=names, **without_header(found))
        raise refused("one name", at=path, name=name, free=free)
    found.attrs["separator"] = separator
    return found


def tables(paths: Sequence[str | Path], asked: Asked) -> pd.DataFrame:
    """The rows of several files, in order; their columns are the same.

    Where they are not, and no item is in two files, those that a file lacks are empty.
    Where each file is a rater's, the column "rater" has the name of the file without
    its endings, or of its folder where files are called alike, and columns may differ.

    Returns
    -------
    DataFrame
        As from `table`; of more than one file the index has the file before the line.
    """
    if [str(path) for path in paths].count(STANDARD_INPUT) > 1:
        raise refused("stdin")
    frames = [table(path, asked.names, asked.ours) for path in paths]
    if asked.rater_file:
        whose = [Path(str(path).removesuffix(".gz")).stem for path in paths]
        folders = [Path(path).parent.resolve().name for path in paths]
        if len({*whose}) == 1 < len({*folders}) == len(paths):
            note("folders", file=whose[0], names=folders)
            whose = folders
        for twice in (name for name in whose if whose.count(name) > 1):
            raise refused("two stems", name=twice)
        own = (p for p, f in zip(paths, frames) if "rater" in map(str.casefold, f))
        for path in own:
            raise refused("own rater", at=path)
        if {frame.shape[1] for frame in frames} == {1} and not asked.item:
            frames = _in_step(paths, frames)
        frames = [f.assign(rater=name) for f, name in zip(frames, whose)]
    first = frames[0]
    if len(frames) == 1:
        return first
    spelled = {name.casefold(): name for name in first}
    for k, frame in enumerate(frames):
        same = {name: spelled.get(name.casefold(), name) for name in frame}
        if len(spelled) == len(first.columns) and len({*same.values()}) == len(same):
            frames[k] = frame.rename(columns=same)
    if not asked.rater_file:
        _alike(paths, frames)
    found = pd.concat(frames, keys=map(str, paths), names=["", "line"])
    found = found.where(found.notna(), None)
    if asked.rater_file:
        found.attrs["lacks"] = {}  # of a column, the first file that lacks it
        for path, frame in [*zip(paths, frames)][::-1]:
            lacking = path, [name for name in frame if name != "rater"]
            found.attrs["lacks"] |= dict.fromkeys({*found} - {*frame}, lacking)
    return found


def _in_step(
    paths: Sequence[str | Path], frames: list[pd.DataFrame]
) -> list[pd.DataFrame]:
    """Files of labels alone, with their lines as items, where all call them alike."""
    name, what = frames[0].columns[0], frames[0].index.name
    first, *last = (frame.index[-1] for frame in frames)
    for path, frame in zip(paths, frames):
        if like_data(frame):
            raise refused("headerless", at=path, names=frame, **without_header(frame))
    if len({*map(tuple, frames)}) > 1 or name.casefold() == "item":
        return frames
    for path, line in zip(paths[1:], last):
        if line != first:
            told = {"what": what, "first": paths[0], "last": first}
            raise refused("lines apart", at=path, line=line, **told)
    note("lines in step", name=name, what=what)
    return [frame.assign(item=[*map(str, frame.index)]) for frame in frames]


def _alike(paths: Sequence[str | Path], frames: list[pd.DataFrame]) -> None:
    """Refuse files with other columns than the first one, but where items differ."""
    first, items = frames[0], set[Any]()
    stems = [{*WORD.findall(folded(Path(path).stem))} for path in paths]
    for path, frame in zip(paths, frames):
        both = [name for name in first if name in frame]
        own = [c for one in (first, frame) for c in one if c not in both]
        again = items.intersection(frame[both[0]]) if both[1:] else {path}
        if own and again:
            # A column may be called as its file's rater: by what no other is called.
            said = set[str].union(*stems) - set[str].intersection(*stems)
            theirs = any(said.intersection(WORD.findall(folded(c))) for c in own)
            options = "" if theirs or not both[1:] else way(both[0], label=both[-1])
            if first.shape[1] == frame.shape[1] == 2 and like_data(first):
                options = "--no-header --columns item,label"
            told = {"names": frame, "first": paths[0], "others": first, "way": options}
            who = any(called(name, "rater") for name in first if name not in frame)
            told["gold"] = who and str(path)
            raise refused("columns", at=path, **told)
        if own:
            note("columns", at=path, first=paths[0], own=own)
        items |= {*frame[both[0]]}


@dataclass
class Table:
    """A table of texts, and what is asked of it.

    path : what it is called in messages
    doubted : labels of which it has been said that they may mean none
    """

    path: Any
    frame: pd.DataFrame
    asked: Asked = NOTHING
    doubted: set[str] = field(default_factory=set)

    def find(self, name: str) -> str | None:
        """A column by its name, whose case may differ if that tells no two apart."""
        if name in self.frame.columns:
            return name
        folded = name.strip().casefold()
        same = [one for one in self.frame.columns if one.casefold() == folded]
        return same[0] if len(same) == 1 else None

    def at(self, row: int) -> str:
        """Where a row is, by its position."""
        where, name = self.frame.index[row], self.frame.index.names[-1]
        path, line = where if isinstance(where, tuple) else (self.path, where)
        return f"{path}, {name} {line}"

    def refused(self, kind: str, row: Any = None, /, **told: Any) -> UnreadableError:
        """The error to raise, of the whole or of a row."""
        at = self.path if row is None else self.at(row)
        return refused(kind, at=at, has=self.frame, second=self.asked.ours, **told)

    def check(self, bad: Any, kind: str, **told: Any) -> None:
        """Refuse the first of the rows that are bad."""
        if len(rows := np.flatnonzero(bad)):
            raise self.refused(kind, int(rows[0]), **told)


# First rows ---------------------------------------------------------------------------


def headerless(table: Table) -> None:
    """Refuse a table whose first row is data, or that has Qualtrics' three headers; of
    raters' files the first one's.
    """
    if any(str(one).startswith(QUALTRICS) for one in table.frame[:2].to_numpy().flat):
        raise table.refused("heads")
    if table.frame.shape[1] > 1:  # else a label may be called as the column
        repeated(table)
    frame, by_file = table.frame, table.asked.rater_file
    if by_file:
        frame = frame.loc[frame.index[0][0]] if frame.index.nlevels > 1 else frame
        frame = frame.drop(columns="rater").dropna(axis=1, how="all")
    if not table.asked.names and like_data(frame):
        told = without_header(frame, by_file)
        roles = {r: getattr(table.asked, r) for r in ("item", "rater", "label")}
        told["instead"] = [f"--{role}" for role, name in roles.items() if name]
        raise table.refused("headerless", names=frame, **told)


def repeated(table: Table) -> None:
    """Leave out rows that repeat the header, in whatever case: files pasted together.

    So is a header where --columns names the same.
    """
    frame, by_file = table.frame, table.asked.rater_file
    own = frame.drop(columns="rater") if by_file else frame
    names = [*map(str.casefold, own.columns)]

    def same(cell: Any, name: str) -> bool:
        """As in the header; a file's rater may lack a column."""
        return cell.casefold() == name if isinstance(cell, str) else by_file

    heads = np.array([all(map(same, row, names)) for row in own.to_numpy()])
    if heads.any() and not heads.all() and not like_data(frame[~heads]):
        lines = [table.at(int(k)).rpartition(" ")[2] for k in heads.nonzero()[0]]
        note("header again", at=table.path, name=frame.index.names[-1], lines=lines)
        table.frame = frame[~heads]


def without_header(frame: pd.DataFrame, by_file: bool = False) -> dict[str, Any]:
    """What columns may be called; where it may be turned, with who judges what.

    Of two columns that tell judgments apart, that with more values may be the items.
    """
    told: dict[str, Any] = {"turned": (), "instead": ()}
    if frame.shape[1] == 1:
        return told | {"columns": ["label"]}
    full = pd.DataFrame([[*frame], *frame.to_numpy()])
    size, again = full.shape[1], full[0].duplicated().any()
    raters = [f"rater{k}" for k in range(1, size + 1)]
    names = ["item", *raters[:-1]]
    often = Counter(text for name in full for text in {*full[name]})
    shared = full.isin([text for text, n in often.items() if n > 1]).mean()
    if not by_file and again and (shared >= 0.5).all():  # labels, all
        names = raters
    elif by_file or size < 3:  # of two columns one has labels
        names = ["item", "label", *names[2:]][:size]
    elif again and size == 3:
        apart = (p for p in combinations(full, 2) if not full.duplicated([*p]).any())
        item, rater = sorted(next(apart, (0, 1)), key=lambda k: -full[k].nunique())
        names = [{item: "item", rater: "rater"}.get(k, "label") for k in full]
        turned = [{rater: "item", item: "rater"}.get(k, "label") for k in full]
        one, who = full[rater][0], full[item][0]  # if turned
        told |= {"turned": turned, "one": one, "who": who}
    return told | {"columns": names}
