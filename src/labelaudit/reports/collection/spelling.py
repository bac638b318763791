"""Names that differ only in how they are written: perhaps one thing, counted as two."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from ..._words import several, shown
from ..saying import SENTENCES

SAME = {word: name for name, line in SENTENCES["same"].items() for word in line.split()}
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.ASCII)


def key(text: str) -> str | Decimal:
    """What texts that look alike have in common.

    Not case, blanks, invisible characters, how Unicode composes a letter, or how a
    number is written, with a decimal comma, say.

    >>> key(" Yes") == key("yes"), key("0.0") == key("0"), key("1") == key("l")
    (True, True, False)
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
        # Case may leave another form, as in U+0130.
        text = unicodedata.normalize("NFKC", text.casefold())
    text = " ".join(text.casefold().split())
    text = text.replace(",", ".") if text.count(",") == 1 else text
    # Exact, as a float is not: long numbers name items.
    return Decimal(text) if NUMBER.fullmatch(text) else text


def alike(what: str, names: Iterable[Any], known: Iterable[Any] = ()) -> str:
    """A sentence on texts that look alike, or nothing.

    names : what is no text is left out; labels may also be one word in two tongues
    known : texts of which it has been said which look alike
    """
    groups: dict[Any, list[str]] = defaultdict(list)
    words: dict[Any, str] = SAME if what == "labels" else {}
    for name in dict.fromkeys(names):
        if isinstance(name, str):
            groups[words.get(key(name), key(name))].append(name)
    same, known = [], set(known)
    for group in groups.values():
        if len(group) > 1 and not known.issuperset(group):
            composed = {unicodedata.normalize("NFC", name) for name in group}
            write = shown if len(composed) == len(group) else ascii  # else they are one
            same.append(" and ".join(map(write, group)))
    if not same:
        return ""
    return (
        f"{several(same)} are different {what} here; if they are meant to be the same,"
        " make them so in the data"
    )
