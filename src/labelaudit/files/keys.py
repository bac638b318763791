"""Keys of objects that are raters or items: paths that differ in one key alone."""

from collections import Counter
from itertools import chain, combinations

import pandas as pd

from .columns import MOST_COLUMNS, called
from .nested import LOOKED_AT, Told, leaves
from .rows import many_keys
from .said import say, way
from .text import parsed

Around = tuple[str, str]  # what stands before and after the key that differs


def families(found: dict[str, Told]) -> dict[Around, pd.DataFrame]:
    """What is at paths that differ in one key, by that key; one text a row each."""
    same: dict[Around, dict[str, dict[int, str]]] = {}
    for path, told in found.items():
        keys = path.split(".")
        if all(len(texts) == 1 for texts in told.values()):
            texts = {row: text for row, (text,) in told.items()}
            for k, key in enumerate(keys):
                around = ".".join(keys[:k]), ".".join(keys[k + 1 :])
                same.setdefault(around, {})[key] = texts
    several = {around: pd.DataFrame(of) for around, of in same.items() if len(of) > 1}
    return {around: of for around, of in several.items() if not _shares(of)}


def _shares(of: pd.DataFrame) -> bool:
    """Whether each row adds up to 1, as where labels have shares of the judgments."""
    numbers = of.apply(pd.to_numeric, errors="coerce")
    parts = (numbers % 1 > 0).any(axis=None)  # else it may be one yes in each row
    every = (numbers.notna() == of.notna()).all(axis=None)
    return bool(parts and every and (abs(numbers.sum(axis=1) - 1) < 0.001).all())


def of_keys(frame: pd.DataFrame, name: str) -> str:
    """Options that read raters who are keys, or items; what has labels first."""
    objects = (v for v in map(parsed, frame[name]) if isinstance(v, dict))
    if any(isinstance(v, list) and len(v) != 1 for of in objects for v in of.values()):
        return ""
    inside = {c: leaves(frame[c]) for c in frame}
    found = {p: told for c, of in inside.items() for p, told in of.items() if p != c}
    same = families(found)

    def likely(around: Around) -> tuple[bool, bool, float]:
        """Labels of several people are alike, are called so, and are often the same."""
        told = [column for _, column in same[around].items()]
        often = Counter(label for column in told for label in {*column.dropna()})
        shared = [label for label, columns in often.items() if columns > 1]
        alike = all(column.isin(shared).any() for column in told)
        pairs = [*combinations(told[:MOST_COLUMNS], 2)]
        alike &= not called(around[1], "beside", "other")
        equal = sum((a == b).mean() for a, b in pairs) / len(pairs)
        return alike, called(around[1], "label", "what"), equal

    before, after = first = max(same, key=likely, default=("", ""))
    keys = [*same.get(first, ())]
    paths = [".".join(filter(None, (before, key, after))) for key in keys]
    roots = {c for c in frame if any(path.startswith(f"{c}.") for path in paths)}
    if name not in roots:
        return ""
    records = [row.dropna().to_dict() for _, row in same[first].iterrows()]
    texts = [text for one in records for text in one.values()]
    item = item_of(frame.drop(columns=roots - {name}), name)
    known = many_keys(records) or (item is not None and called(item, "rater"))
    turned = known and 2 * len({*texts}) <= len(texts)
    counts = all(map(str.isdecimal, texts))
    if not (turned or likely(first)[0] or (counts and called(before, "counter"))):
        return ""
    plain = first == (name, "") and len(paths) == len(inside[name])
    how = {"label": name, "split": ","} if plain else {"raters": paths}
    told = {"columns": not before, "turned": turned, "item": keys[0]}
    counted = way(item, counts=paths) if counts else ""
    return say("way", "keys", way=way(item, **how), counts=counted, **told)


def item_of(frame: pd.DataFrame, name: str, again: bool = False) -> str | None:
    """The column or path that may name the items: best another text in each row.

    again : best not, where each row is a judgment
    """
    if "item" in frame:
        return "item"
    whole, every = dict[str, bool](), [1] * min(len(frame), LOOKED_AT)
    for column in (c for c in frame if c != name):
        for path, found in leaves(frame[column]).items():
            if [*map(len, found.values())] == every:
                whole[path] = len({*chain(*found.values())}) == len(every)
    named = {c: called(c, "ids") for c in whole}
    likely = [c for c in whole if whole[c] or (named[c] and not called(c, "rater"))]
    return max(likely, key=lambda c: (whole[c] != again, named[c]), default=None)
