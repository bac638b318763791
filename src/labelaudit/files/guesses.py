"""What a file may be instead of what it is read as: each guess and what it offers, in
sentences of said.toml: what is seen, and what to type where it is so."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from .._words import shown
from . import columns, pairs
from .cells import whole_numbers
from .computed import LIKELY, computed, criteria, named, spelled
from .judged import Judged
from .looks import FEW_PAIRS, FEW_ROWS, Look, Whys
from .nested import deep, leaves
from .said import note, say, typed, way
from .steps import several
from .text import parsed

MANY_RATERS = 5  # of fewer, no turned table is thought of


def rater_files(table: Judged, item: str | None, label: str | None) -> None:
    """Refuse several files with the same items, where no column names raters."""
    frame = table.frame
    if frame.index.nlevels < 2:
        return
    files = [part for _, part in frame.groupby(level=0, sort=False)]
    if frame.shape[1] == 1:
        name, last = frame.columns[0], {part.index[-1][1] for part in files}
        if item or len(last) > 1:
            return
        options = "--rater-file " + way(label=None if name == "label" else name)
        raise table.refused("files in step", name=name, way=options.strip())
    few = 0.25  # of rows: an item may be twice in a file by mistake
    named = [table.column(one) for one in table.asked.item] or ([item] if item else [])
    texts = [[one] for one in frame if columns.called(one, "other")]  # ids may differ
    first = [[*frame.columns[:k]] for k in range(1, min(4, frame.shape[1]))]
    for names in [named] if named else [*first[:1], *texts, *first[1:]]:
        again = sum(part.duplicated(names).sum() for part in files) / len(frame)
        told = named or not names[1:] or pairs.are_keys(files[0], names)
        if told and again < few <= frame.duplicated(names).mean():
            break
    else:
        return
    free = [one for one in frame if one not in names]
    rest = [one for one in free if frame[one].duplicated().any()]
    items = frame.groupby(names)  # all files say the same of, where it is no label
    differ = [one for one in free if items[one].nunique().max() > 1]
    own = [c for c in rest if c in differ and not columns.is_other(c)]
    kinds = *columns.MORE, *columns.WHO
    rest = [c for c in own if not columns.called(c, *kinds)] or rest
    sure = label is not None and (table.asked.label or label in differ)
    said, *others = [label] if sure else pairs.likeliest(frame, rest or free)
    values = [value for text in frame[said] if (value := parsed(text)) is not None]
    if any(isinstance(value, dict) or deep(value) for value in values):
        return  # a path says what of it is meant
    options = way(names, label=said, sets="," if values else None)
    raise table.refused("files", way=options, others=others)


def counted(table: Judged) -> None:
    """Refuse a table whose rows say of an item and a label how many judged so."""
    frame = table.frame
    named = (c for c in frame if c == "0" or columns.called(c, "times", "counted"))
    for times in named:
        part = frame.drop(columns=times).fillna("")
        rest = [c for c in part if not part[c].str.fullmatch(columns.DECIMALS).any()]
        sizes = {c: (not columns.called(c, "label"), part[c].nunique()) for c in rest}
        item = max(sizes, key=lambda c: sizes[c], default=times)
        inside = frame.groupby(item).nunique().max() > 1  # an item's rows differ there
        own = [c for c in rest if inside.get(c) and not columns.is_other(c)]
        who = any(columns.called(c, *columns.WHO) for c in (item, *own))
        if len(own) != 1 or not inside[times] or who:
            continue
        again = part.duplicated([item, *own]).any()
        again |= part[own[0]].isin(part[item]).any()  # labels of two raters
        if not again and whole_numbers(frame[[times]].to_numpy()) is not None:
            raise table.refused("counted", item=item, label=own[0], times=times)


def long_rows(table: Judged) -> None:
    """Refuse a table that has one column of raters, who judged the same items."""
    counted(table)
    if found := pairs.long_rows(table.frame):
        item, rater, (label, *others) = found
        named, other = (columns.called(c, *columns.WHO) for c in (rater, item[0]))
        sure = named > other or item[0].casefold() == "item" or item[1:]
        turned = not sure and way(rater, rater=item[0], label=label)
        told: dict[str, Any] = {"others": others, "turned": turned}
        told["way"] = way(item, rater=rater, label=label)
        told["items"] = [] if named or not others else [*item, rater]
        told["raters"] = [name for name in table.frame if name in (label, *others)]
        raise table.refused("long", rater=rater, named=named, item=item, **told)


def second_key(table: Judged, item: list[str], rater: str, others: set[str]) -> None:
    """Refuse judgments that repeat where one or two columns tell items apart.

    others : columns that have other roles
    """
    frame = table.frame
    free = [name for name in frame if name not in {rater, *item, *others}][:20]
    if (names := next(pairs.together(frame, [*item], rater, free), None)) is None:
        return
    found = {
        "times": int(frame.duplicated([*item, rater]).sum()),
        "names": " and ".join([*item, rater]),
        "more": " and ".join(map(shown, names[len(item) :])),
        "item": [name for name in frame if name in names],
    }
    if table.asked.repeats is None:
        raise table.refused("key", **found)
    note("key", **found)


def clusters(table: Judged, items: pd.Index, used: Iterable[str]) -> None:
    """Tell of a column that may say to what items belong; of several the coarsest.

    items : of each row
    used : columns that have a role
    """
    asked, frame = table.asked, table.frame
    if asked.cluster or asked.counts or asked.times or asked.ours:
        return
    known = {*used, *map(table.find, asked.columns())}
    if len(asked.item) > 1:  # the first part of a name may be a document's
        known.discard(table.find(asked.item[0]))
    free = [name for name in frame if name not in known and columns.is_cluster(name)]
    if found := {name: n for name in free if (n := _groups(items, frame[name]))}:
        name = min(found, key=lambda one: found[one])
        note("cluster", name=name, n=found[name], items=items.nunique())


def _groups(items: pd.Index, told: pd.Series) -> int:
    """How many values group the items, most of them several; 0 where they do not."""
    each = pd.DataFrame({"item": pd.factorize(items)[0], "told": told.array})
    sizes = each.drop_duplicates().groupby("told").size()
    one = sizes.sum() == each["item"].nunique() and told.notna().all()
    objects = any(parsed(value) is not None for value in sizes.index)
    several = len(sizes) > 1 and (sizes > 1).mean() > 0.5
    return len(sizes) if one and several and not objects else 0


def raters(table: Judged, frame: pd.DataFrame, column: str) -> None:
    """Tell of raters who by their names are none; refuse labels of one rater alone.

    frame : item, rater, label, one row per judgment
    """
    asked, names = table.asked, frame["rater"].unique()
    # Keys of objects are not told apart by --where.
    split = asked.split is not None
    others = [name for name in names if name not in asked.known]
    for name, why in columns.no_raters(others).items():
        if why in ("gold", "model", "suggested") or columns.called(name, "other"):
            told = {"where": f"{column}!={name}", "split": split, "gold": why == "gold"}
            note("no rater", name=name, why=say("why", why), **told)
    free = not (asked.numbers or asked.labels or asked.sets is not None)
    given = frame.dropna()
    given = given[given.groupby("item")["rater"].transform("nunique") > 1]
    if given.empty or not free or len(names) > columns.MOST_COLUMNS:
        return
    turn = given.groupby("rater").cumcount()
    cells = given.assign(turn=turn).pivot(index="turn", columns="rater", values="label")
    cells = cells.astype(object).where(cells.notna(), None)
    look = Look([*cells], cells.to_numpy(), [], numbers=False)
    for name, why, sure in look.alone(FEW_PAIRS):
        if sure and why == "alone":
            own = [*given["label"][given["rater"] == name].unique()]
            every = frame["label"].dropna().unique()
            told = {"name": name, "own": own, "labels": every, "split": split}
            raise table.refused("own labels", where=f"{column}!={name}", **told)


def withdrawn(table: Judged, label: str) -> None:
    """Tell of judgments that a program keeps as skipped, rejected or cancelled."""
    marks, known = columns.WORDS["withdrawn"], {label, *table.asked.columns()}
    for name, cells in table.frame.items():
        column = str(name)
        beside = column.lower() in marks or label.startswith(f"{column}.")
        beside |= column.startswith(f"{label}.")  # in step, as Argilla writes it
        told = {column: {0: [*cells.dropna()]}} | leaves(cells) if beside else {}
        for path in (path for path in told if path not in known):
            values = marks.get(path.lower().split(".")[-1], "").split()
            texts = {text for row in told[path].values() for text in row}
            if seen := sorted(text for text in texts if text.lower() in values):
                ways = [typed("--where", f"{path}!={text}") for text in seen]
                note("withdrawn", name=path, seen=seen, way=" ".join(ways))


# Rows that are items ------------------------------------------------------------------


def wide(table: Judged, look: Look, item: Sequence[str]) -> None:
    """Refuse columns that are hardly raters', where no option names raters.

    item : the columns that name the items; none where rows are numbered
    """
    asked, names = table.asked, look.names
    numbered = not item and asked.times is None
    key = pairs.beside_raters(table.frame[names]) if numbered else []
    hardly = [(name, "key", True) for name in key] + look.by_themselves()
    suspects = look.whys(hardly, sure=True)
    rest = look.without(suspects if len(suspects) < len(names) - 1 else ())
    seen = look.square() or look.counts() or look.fractions() or look.turned()
    kept = look.shares()
    known = kept or asked.ours or asked.times
    if seen := seen or criteria(rest) or (None if known else named(rest)):
        raise table.refused(seen[0], **{"raters": names} | seen[1])
    alone = rest.alone(0 if numbered else FEW_ROWS)
    long = rest.names != names and "label" in suspects.values()
    whys = [why for _, why, _ in alone]
    if whys.count("alone") == sum(map(bool, rest.own)) > 1 and not long:
        _in_common(table, rest, numbered)
        alone = []
    if kept:
        if kept != names:
            raise table.refused("shares", kept=kept)
        note("shares", kept=kept)
    most = max(MANY_RATERS, 2 * len(look.cells))
    things = [n for n in names if columns.is_called(n.rstrip("0123456789"), "things")]
    turned = len(names) > most or len(things) == len(names) > 2
    if turned and table.find("item") is None:
        note("many raters", raters=len(names), items=len(look.cells))
    unlike = [(name, "unlike", False) for name in columns.unlike(names)]
    found = [*unlike, *alone, *hardly]
    found += computed(look.without(look.whys(found, sure=True)))
    if suspects := look.whys(found, sure=True):
        _no_raters(table, look, suspects, numbered)
    if seen := criteria(rest, LIKELY):
        note("pairs", **seen[1])
    said = [(name, why, False) for name, why in columns.no_raters(names).items()]
    doubted = look.whys([*([] if kept else found), *said], sure=False)
    every = _without(table, names, doubted)
    for name, why in [*doubted.items()][: columns.MOST_COLUMNS]:
        options = every or _without(table, names, {name: why})
        alike = [one for one in names if one not in doubted] if why == "unlike" else []
        told = say("why", why, rest=alike or ["most others"])
        note("a rater", name=name, why=told, way=options)
    if item and not asked.item and table.find("item") is None:
        labels = pd.Series([*look.columns_of], dtype=object)
        like_labels = columns.alike(table.frame[item[0]], labels)
        if like_labels and not columns.is_other(item[0]):
            note("first", item=item[0], raters=[item[0], *names])


def _no_raters(table: Judged, look: Look, suspects: Whys, numbered: bool) -> None:
    """Refuse columns that are hardly raters', and say what else they are good for."""
    names = look.names
    rest = [name for name in names if name not in suspects]
    whys, labels = list[str](), [n for n, why in suspects.items() if why == "label"]
    for name, why in suspects.items():
        others = [one for one in rest or names if one != name]
        whys.append(f"column {shown(name)} {say('why', why, rest=others)}")
    counted = [name for name in names if columns.called(name, "times", "other")]
    if not counted and any(map(columns.is_other, names)):  # agree, disagree
        counted = [*names]
    counted *= whole_numbers(table.frame[counted].to_numpy()) is not None
    # No column names the items: the first ones together may.
    free = range(2, min(len(names) - 1, 5)) if numbered and names[0] in suspects else ()
    keys = (names[:k] for k in free)
    item = next((key for key in keys if not table.frame.duplicated(key).any()), [])
    given = table.frame[names[len(item) :]].stack()  # as a rater's, not a name's part
    maybe = [name for name in item[1:] if suspects.get(name) != "key"]
    item *= not any(table.frame[name].isin(given).any() for name in maybe)
    left = [name for name in rest if name not in item]
    found: dict[str, Any] = {"item": left[1:] and item, "raters": left}
    found |= {"some": _without(table, names, suspects), "names": names}
    found |= {"label": labels[:1], "counts": counted[1:] and counted}
    found["alike"] = spelled(look, {n for n, why in suspects.items() if why == "alone"})
    raise table.refused("no raters", why=", ".join(whys[:4]), **found)


def _without(table: Judged, names: list[str], suspects: Whys) -> str:
    """Raters without these columns, and what these are good for; if two are left."""
    rest = [name for name in names if name not in suspects]
    first = {"gold" if w == "majority" else w: n for n, w in [*suspects.items()][::-1]}
    # No column names items, and each row has other labels: of patterns, it may be.
    once = names == [*table.frame] and not table.frame[rest].duplicated().any()
    times = [name for name in suspects if columns.is_called(name, "times")]
    alone = [name for name, why in suspects.items() if once and why == "alone"]
    whole = [n for n in alone if whole_numbers(table.frame[[n]].to_numpy()) is not None]
    first |= dict(zip(["times"], [*times, *whole]))
    uses = [use for use in ("gold", "model", "suggested", "times") if use in first]
    more = [say("way", u, name=first[u]) for u in uses if not getattr(table.asked, u)]
    return ", with ".join([typed("--raters", rest), *more]) if len(rest) > 1 else ""


def _in_common(table: Judged, look: Look, numbered: bool) -> None:
    """Refuse columns of which no two have a label in common."""
    several(table, [*table.key], look.names, common=True)
    few = FEW_ROWS if len(look.names) > 2 else FEW_PAIRS
    labels = pd.Series([*look.columns_of], dtype=object)
    words = pd.to_numeric(labels, errors="coerce").isna().any()
    if words and (numbered or look.there.all(axis=1).sum() >= few):
        alike = spelled(look, look.names)
        raise table.refused("nothing in common", raters=look.names, spelled=alike)
