"""Cells that hold lists and objects: refused, with options that would read them."""

import re
from typing import Any

import pandas as pd

from .columns import TOLD_OF, WORDS, called, is_called, words
from .keys import item_of, of_keys
from .nested import CHOICES, Told, leaves
from .pairs import long_rows, shared
from .said import Key, say, way
from .steps import ANY, in_rows, lists, parallel
from .text import MARKS, cell, parsed

WITHDRAWN = WORDS["withdrawn"]  # whole names of what is no label, beside one
MOST_ASKED = 3  # things of which it is said how to read them


def way_on(
    frame: pd.DataFrame, name: str, objects: bool, long: bool, named: dict[str, Any]
) -> tuple[int, str]:
    """How sure a way is, and options that read what is inside.

    Columns beside say who judged, in step or a row for each, or what is inside does.

    named : options that are given and may stay
    """
    if options := in_rows(frame, name) or _items(frame):
        return 3, say("way", "say", way=options)
    rows = _rows(frame, name)
    if not objects and (rows is None or {"item", "rater"} <= {*frame}):
        votes = lists(frame[name]) == "votes"
        return int(votes), _of_list(frame, name, long, votes)
    found = leaves(frame[name])
    texts = found.pop(name, {}) if objects or len(found) > 1 else {}  # beside objects
    if (path := f"{name}.{CHOICES}") in found:
        found[path] = found[path] | texts
    plain = _plain(frame)
    if rows is not None:
        key, who, beside = rows
        flat = [c for c in beside if c in plain]
    else:
        own = [c for c in plain if called(c, "rater") and not called(c, *TOLD_OF)]
        flat = [c for c in plain if is_called(c, "label") and c not in WITHDRAWN]
        inner = _best(found, "label") or ""
        flat *= len(own) == 1 and not called(inner, "label", "what")  # it is inside
        who = own[0] if flat else _best(found, "rater")
        key = item_of(frame, "" if flat else name, again=bool(flat))
        files = None if "rater" in named else _of_files(frame, name, who)
        if files:
            key, alike, unlike = files
            if alike:
                kept = ["--rater-file", *named["kept"]]
                who, named = None, named | {"rater": None, "kept": kept}
            found = {path: told for path, told in found.items() if path in unlike}
        if options := of_keys(frame, name) or parallel(found, key):
            return 2, options
        if key is not None and called(key, "rater"):  # each row has a person's items
            who, key = key, next((p for p, t in found.items() if _names(t)), key)
        again = key is not None and key in frame and frame[key].duplicated().any()
        told = {} if again or files or "rater" in named else found.get(str(who), {})
        if told and all(len(texts) < 2 for texts in told.values()):
            # No item has a second rater there.
            return 0, say("way", "paths", raters=_raters(frame, key))
    key, who = named.get("item", key), named.get("rater", who)
    rest = {path: told for path, told in found.items() if path != who}
    differ = rest
    if rows is not None:  # what an item's rows all have is what was judged
        items = frame.groupby(rows[0]).ngroup()
        differ = {path: told for path, told in rest.items() if _differ(told, items)}
        rest = differ if differ or flat else rest
    best = _best(rest, "label")
    likely = [*flat, best] if rows is None else [best, *flat]
    if (what := named.get("label") or next(filter(None, likely), None)) is None:
        return 0, say("way", "paths", raters=_raters(frame, key))
    sets = _sets(found.get(what, {}))
    if who is None and "rater" not in named:
        cells = frame.stack().astype(str)  # none of them is to be split by it
        free = (m for m in MARKS[::-1] if not cells.str.contains(m, regex=False).any())
        mark = "" if sets else next(free, "")
        return 1, say("way", "whose", way=way(item=key, label=what), mark=mark)
    how = {"item": key, "rater": who, "label": what, "sets": "," if sets else None}
    asked = _questions(found, what)
    ways = [way(**how, where=one or None) for one in asked or [""]]
    options, *others = (" ".join([*named["kept"], one]) for one in ways)
    for one, other in zip(asked[1:MOST_ASKED], others):
        options += say("way", "keys on", what=one.partition("=")[2], way=other)
    return 2 + (rows is not None and what in differ), say("way", "say", way=options)


def _items(frame: pd.DataFrame) -> str:
    """What to type where objects are the items, or have them: paths are as columns."""
    inside = {p: told for c in frame for p, told in leaves(frame[c]).items()}
    flat = pd.DataFrame({path: pd.Series(told) for path, told in inside.items()})
    flat = flat.map(lambda texts: cell(texts if len(texts) > 1 else texts[0]), "ignore")
    item, rater, (label, *_) = long_rows(flat) or ([], "", [""])
    if {*item} <= {*frame}:
        return ""
    sets = "," if _sets(inside[label]) else None
    return way(item, rater=rater, label=label, sets=sets)


def _rows(frame: pd.DataFrame, name: str) -> tuple[Key, str | None, list[str]] | None:
    """As long_rows has them, but for objects: a rater may be the one thing in them."""
    item, rater, beside = long_rows(frame) or ([name], name, [])
    inside = {} if rater in (plain := _plain(frame)) else leaves(frame[rater])
    who = _best(inside, "rater") if inside else rater
    fits = rater != name and who is not None and {*item} <= {*plain}
    return (item, who, beside) if fits else None


def _of_files(
    frame: pd.DataFrame, name: str, who: str | None
) -> tuple[str, bool, list[str]] | None:
    """What names items that files share, each once in a file of one rater.

    Also whether nothing inside, as `who` may, tells these apart, and the paths that
    differ between files, as labels do and what is judged does not.
    """
    if frame.index.nlevels < 2 or frame.index.unique(0).size < 2:
        return None
    files = [
        {path: told for c in part for path, told in leaves(part[c]).items()}
        for _, part in [*frame.groupby(level=0, sort=False)][:2]
    ]
    whose = who if who is not None and called(who, "rater", "who") else ""
    raters = [{*_all(file.get(whose, {}))} for file in files]
    if max(map(len, raters), default=2) > 1:
        return None
    for key in (path for path in files[0] if not f"{path}.".startswith(f"{name}.")):
        rows = [{str(t): k for k, t in f.get(key, {}).items()} for f in files]
        both = rows[0].keys() & rows[1].keys()
        if len(rows[0]) == len(files[0][key]) < 2 * len(both):
            one, other = (
                {p: [t.get(of[item]) for item in both] for p, t in file.items()}
                for file, of in zip(files, rows)
            )
            differ = [path for path in one if one[path] != other.get(path)]
            return key, raters[0] == raters[1], differ
    return None


def _questions(found: dict[str, Told], what: str) -> list[str]:
    """Where Label Studio asked several things at once, what rows of each have."""
    for path, told in found.items():
        asked = [*dict.fromkeys(_all(told))]
        beside = what.startswith(path.removesuffix("from_name"))
        if path.endswith(".from_name") and beside and len(asked) > 1:
            return [f"{path}={one}" for one in asked]
    return []


def _of_list(frame: pd.DataFrame, name: str, long: bool, votes: bool) -> str:
    """The ways on; the mark is what stands between labels in cells without a list.

    votes : whether a list has labels twice
    """
    plain = "".join(text for text in frame[name] if text and text[0] not in "[{")
    others = (text for c in frame if c != name for text in frame[c])
    long &= "item" in frame or name != "label"
    mark = max(ANY, key=plain.count)
    one = not (plain or long or any(map(parsed, others)))
    one |= votes or is_called(name, "criteria")  # beside others
    options = way(item=(key := item_of(frame, name)), label=name, split=mark)
    told = {"long": long, "one": one, "mark": mark, "first": f"{name}.0"}
    beside = _raters(frame, key) if one else ""
    return say("way", "list", way=options, raters=beside, **told)


def _raters(frame: pd.DataFrame, key: Key) -> str:
    """Columns beside that have labels in common may be raters."""
    flat = [c for c in _plain(frame) if c != key]
    told = way(item=key, raters=flat)
    return say("way", "columns", way=told) if shared(frame, flat) else ""


def _plain(frame: pd.DataFrame) -> list[str]:
    """Columns without lists and objects."""
    return [c for c in frame if not any(map(parsed, frame[c]))]


def _all(told: Told) -> list[str]:
    return [text for texts in told.values() for text in texts]


def _sets(told: Told) -> bool:
    return any(text[:1] == "[" for text in _all(told))


def _each_once(told: Told) -> bool:
    """Whether a row has each text once, as people who judged an item."""
    return all(len({*texts}) == len(texts) for texts in told.values())


def _names(told: Told) -> bool:
    """Whether it may name items: a row has each once, and several rows some."""
    texts = _all(told)
    return _each_once(told) and len({*texts}) < len(texts)


def _varies(told: Told) -> bool:
    """Whether not all rows have the same texts, as options to choose from."""
    return len({*map(tuple, told.values())}) > 1


def _differ(told: Told, items: pd.Series) -> bool:
    """Whether rows of an item have different texts."""
    texts = pd.Series({row: str(those) for row, those in told.items()})
    return bool(texts.groupby(items.to_numpy()[texts.index]).nunique().max() > 1)


def _best(found: dict[str, Told], kind: str) -> str | None:
    """The path that fits and is called so, else with the fewest different texts.

    kind : rater or label
    """
    more, other, fits = KINDS[kind]
    known, apart = words(kind, more), words(other)
    places = dict[str, tuple[int, bool, int]]()
    for path, told in found.items():
        texts = _all(told)
        if 1 < len({*texts}) < len(texts) and fits(told):
            keys = [k for k in re.split(r"[._]", path.lower()) if not k.isdecimal()]
            place = next((k for k, key in enumerate(keys[::-1]) if key in known), 99)
            # Of another kind below the first key: user.name, label.name.
            places[path] = place, not apart.isdisjoint(keys[1:]), len({*texts})
    return min(places, key=lambda path: places[path], default=None)


# Words beside a kind's own, whose are another's, and what its texts are like.
KINDS = {"rater": ("who", "label", _each_once), "label": ("what", "rater", _varies)}
