"""A table, what a call asks of it, and what its columns hold."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ..agreement.reading import index_of
from .cells import EMPTY, labels
from .columns import is_other
from .inside import way_on
from .nested import Row, Walk, deep, leaves, paths_of, roots_of
from .said import note, refused, say, typed
from .tables import Table, table
from .text import parsed

MANY = 0.25  # of a column's cells: if so many are empty, they may have been merged
MOST_NESTED, SURE = 12, 3  # columns of which ways on are sought, unless one is sure
FEW, FEW_EMPTY = 0.1, 5  # of cells for sets: from so many on, sets may be empty


class Judged(Table):
    """Its columns by their names, and what these hold."""

    key: Sequence[str] = ("item",)  # the columns that name the items

    # Columns, found by their names ----------------------------------------------------

    def column(self, name: str) -> str:
        """A column that was named; it must be there."""
        if (found := self.find(name)) is None:
            commas = [c for c in self.frame if "," in c and name in c.split(",")]
            raise self.refused("no column", name=name, commas=commas)
        return found

    def named(self, option: str) -> str | None:
        """The column that an option names; None where there is none, as of a file."""
        name = getattr(self.asked, option)
        find = self.find if option == "gold" else self.column
        return None if name is None else find(name)

    def apart(self, roles: Mapping[str, Sequence[str]], *others: str) -> set[str]:
        """Refuse a column in two roles, each an option; its columns are given.

        others : options of further columns, which may be one: gold may be what was
            suggested. What they name is returned.
        """
        found = {f"--{one}": n for one in others if (n := self.named(one)) is not None}
        taken, own = dict[str, str](), [(o, name) for o in roles for name in roles[o]]
        for option, name in [*own, *found.items()]:
            if (one := taken.get(name)) is not None:
                other = option if option != one else ""
                raise self.refused("two roles", one=one, other=other, name=name)
            if option not in found:
                taken[name] = option
        return {*found.values()}

    def spread(self, rows: list[int], columns: dict[str, list[Any]]) -> None:
        """Take rows, some several times, and give them columns."""
        apart = self.frame.iloc[rows].copy()
        apart[[*columns]] = pd.DataFrame(columns, apart.index, dtype=object)
        self.frame = apart

    def expand(self, names: Iterable[str], whole: bool) -> None:
        """A column for each name that is a path; rows of lists are told apart.

        whole : whether keys of an object at a path's end are raters, not labels
        """
        if not (paths := dict(paths_of(names, self.find))):
            return
        roots = [*roots_of(paths, self.frame.columns)]
        walk, places, found = Walk(whole), list[int](), list[Row]()
        for k, cells in enumerate(zip(*(self.frame[root] for root in roots))):
            inside = [text if (v := parsed(text)) is None else v for text in cells]
            try:
                rows = walk.rows(dict(zip(roots, inside)), paths)
            except (ValueError, RecursionError) as error:
                why = error if isinstance(error, ValueError) else "nested too deeply"
                raise self.refused("at", k, why=why) from error
            rows = [row for row in rows if any(row.values()) or not walk.listed]
            places += [k] * len(rows)
            found += rows
        columns = {n: [row.get(n) for row in found] for n in paths.values()}
        for name in (name for name, cells in columns.items() if not any(cells)):
            there = dict.fromkeys(p for c in roots for p in leaves(self.frame[c]))
            raise self.refused("nothing there", name=name, inside=there)
        if walk.passed:
            note("passed over", times=walk.passed)
        self.spread(places, columns)

    def everywhere(self, name: str) -> str:
        """A column that no file lacks."""
        if lacking := self.frame.attrs.get("lacks", {}).get(name):
            told = {"at": lacking[0], "has": lacking[1], "commas": []}
            raise refused("no column", name=name, **told)
        return name

    # What they hold -------------------------------------------------------------------

    def whole(self, name: str) -> pd.Series:
        """A column without an empty cell."""
        absent = self.frame[self.everywhere(name)].isna().to_numpy()
        merged = absent.any() and absent.mean() >= MANY and not absent[0]
        told = {"called": name or "the item", "where": f"{name}!="}
        self.check(absent, "missing", merged=merged, **told)
        return self.frame[name]

    def keys(self, names: Sequence[str]) -> pd.Index:
        """The item of each row; several columns name it together."""
        self.key = [*names]
        parts = [self.whole(name) for name in names]
        return index_of(zip(*parts) if len(parts) > 1 else parts[0])

    def flat(self, names: list[str]) -> None:
        """Refuse cells that hold objects, or lists that no option explains.

        A path must say what of them is meant.
        """
        kinds = {list: self.asked.sets or self.asked.split, dict: self.asked.split}
        flat = tuple(kind for kind, mark in kinds.items() if mark is not None)
        long, found = self.find(self.asked.label or "label") is not None, []
        for name, column in zip(names, self.frame[names].to_numpy().T):
            for value in (v for v in map(parsed, column) if v is not None):
                if deep(value) or not isinstance(value, flat):
                    objects = deep(value) or isinstance(value, dict)
                    ways = way_on(self.frame, name, objects, long, self._kept(name))
                    found.append((*ways, name))
                    break
            if len(found) == MOST_NESTED or (found and found[-1][0] == SURE):
                break
        if found:
            _, way, name = max(found, key=lambda one: one[0])
            inside = [one for one in leaves(self.frame[name]) if one != name]
            raise self.refused("objects", name=name, inside=inside, way=way)

    def _kept(self, name: str) -> dict[str, Any]:
        """Options of this call that name another column; and others, as typed."""
        asked = self.asked
        told = {"item": [*asked.item], "rater": asked.rater, "label": asked.label}
        kept = {k: v for k, v in told.items() if v and v not in (name, [name])}
        where = [typed("--where", condition) for condition in asked.where]
        files = {"rater": None} if asked.rater_file else {}
        return kept | files | {"kept": ["--rater-file"] * asked.rater_file + where}

    def labels(self, names: list[str], whose: str = "") -> pd.DataFrame:
        """The labels in these columns; there must be one."""
        self.flat(names)
        cells, missing = self.frame[names], self.asked.missing
        if (found := labels(self, names)).isna().all(axis=None):
            raise refused("no label", at=f"{self.path}{whose}", missing=missing)
        if left := int(cells.isin(missing).to_numpy().sum()):
            note("left out", n=left)
        codes = () if whose else (one for one in missing if one != EMPTY)
        if lost := [code for code in codes if not (cells == code).any(axis=None)]:
            note("none left out", names=lost)
        empty, size = cells.isna().to_numpy().sum(), cells.size
        most = size / (1 if len(names) == 1 else 2)  # raters judge some items
        some = max(FEW_EMPTY, FEW * size) <= empty <= most
        if some and self.asked.sets is not None and not whose:
            note("empty", n=empty, of=size)
        return found

    def one_each(self, name: str, option: str, items: pd.Index) -> pd.Series:
        """The one entry of each item in a column; of its rows, those that have one."""
        if option == "cluster":
            self.flat([name])
            told = self.whole(name).to_numpy()
        else:
            whose = f": column {name!r}, which --{option} names,"
            told = self.labels([name], whose)[name].to_numpy()
        if not items.has_duplicates:
            return pd.Series(told, index=items)
        codes = pd.factorize(items)[0]
        pairs = pd.DataFrame({"item": codes, "told": told}).dropna().drop_duplicates()
        for row in pairs.index[pairs["item"].duplicated()]:
            first = pairs["told"][pairs["item"] == codes[row]].iloc[0]
            both = {"item": items[row], "told": told[row], "first": first}
            raise self.refused("two", row, what=say("what", option), **both)
        return pd.Series(pairs["told"].to_numpy(), index=items[pairs.index])

    def clusters(self, items: pd.Index) -> pd.Series | None:
        """To what each item belongs, where it is asked for."""
        name = self.named("cluster")
        return None if name is None else self.one_each(name, "cluster", items)

    def told(self, items: pd.Index) -> dict[str, Any]:
        """What is suggested, right, said by a model of each item, where it is asked."""
        found: dict[str, Any] = {}
        for option in ("gold", "suggested", "model"):
            if (name := self.named(option)) is not None:
                found[option] = self.one_each(name, option, items)
            elif option == "gold" and self.asked.gold:
                found[option] = self._gold_of_a_file(self.asked.gold, items)
        return found

    def _gold_of_a_file(self, name: str, judged: pd.Index) -> pd.Series:
        """The right labels, where --gold names no column but a file."""
        if not Path(name).is_file():
            raise self.refused("no gold", name=name)
        if self.asked.times is not None:
            raise refused("gold of many", name=name)
        there = Judged(name, table(name, ours=True), self.asked, self.doubted)
        asked, key = [*self.asked.item], ["item"]  # of one column, its name or item
        ways = [asked] if asked[1:] else [asked, key] if asked else [key, self.key]
        keys = next((w for w in ways if None not in map(there.find, w)), ways[0])
        rest = [one for one in there.frame if one not in map(there.find, keys)]
        free = len(rest) == 1 and not is_other(rest[0])
        label = there.find("label") or (rest[0] if free else "label")
        for lacks in (one for one in (*keys, label) if there.find(one) is None):
            raise there.refused("no gold columns", name=lacks, needs=[*keys, "label"])
        items = there.keys([there.column(key) for key in keys])
        if not items.isin(judged).any():
            first = {"theirs": [*items[:3]], "ours": [*judged.unique()[:3]]}
            raise self.refused("no item of gold", name=name, **first)
        if len(others := items[~items.isin(judged)].unique()):
            n = len(others)
            note("gold of others", name=name, at=self.path, n=n, items=map(str, others))
        return there.one_each(there.column(label), "gold", items)
