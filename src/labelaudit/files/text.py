"""Values as the texts of cells, and texts as values."""

import ast
import json
import re
import unicodedata
import warnings
from collections.abc import Collection, Iterable
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pandas as pd

MARKS = (",", ";", "|")  # between several in a cell
# A text or number, and what is between it and another, as in ['a' 'b c'] of numpy.
ADJACENT = re.compile(r"""('[^']*'|"[^"]*"|[\w.+-]+)(\s+(?=['"\w.+-]))?""")

# So Rayyan says who decided what.
RAYYAN = re.compile(r"RAYYAN-INCLUSION: *\{(.*?)\}")
ARROWS = re.compile(r'"([^"]+)"=>"([^"]+)"')

# Names of columns that have a question and one of its labels, of Potato and MTurk.
TICKED = re.compile(r"(.+?):::(.+)|(Answer\..+)\.(.+)", re.DOTALL)
UNTICKED = "false", "False", "FALSE", "0", "0.0"
TRUE, NUMBERS = {"true", "1", "1.0"}, {str(k) for k in range(1, 100)}

DASHES = "\N{MINUS SIGN}\N{EN DASH}\N{EM DASH}\N{HYPHEN}\N{NON-BREAKING HYPHEN}"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.ASCII)


class UnreadableError(ValueError):
    """A file that cannot be read; its text names the file, and the line if any."""


# What a file holds: names of columns, rows of cells as they are, where in the file each
# row is, as line 3 or record 1, and what separates cells of text.
Found = tuple[list[str], Iterable[Iterable[Any]], pd.Index, str]


def plain(value: Any) -> str:
    """A value as text; equal numbers are one text, whatever their type.

    Lists and objects are written as JSON.
    """
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, default=plain)
    if isinstance(value, Decimal) and value == float(value):
        value = float(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(float(value))
    return str(value)


def cell(value: Any) -> str | None:
    """A value as a cell: without blanks around it, None where there is nothing."""
    if isinstance(value, str):
        return value.strip() or None
    return None if value is None or value != value else plain(value).strip() or None


def ticked(value: Any) -> Any:
    """The label of an object whose keys are labels that are true; of several, a list.

    >>> ticked({"calm": True}), ticked({"a": "true", "b": True}), ticked({"a": False})
    ('calm', ['a', 'b'], {'a': False})
    """
    told = value.values() if isinstance(value, dict) else ()
    if {str(one).lower() for one in told} != {"true"}:
        return value
    return [*value] if len(value) > 1 else next(iter(value))


def of_ticks(frame: pd.DataFrame, named: Collection[str]) -> pd.DataFrame:
    """A column mood of what is true in columns such as mood:::sad or Answer.mood.sad.

    Each has one text where it is, true or its label, or a number beside others, and
    else nothing, 0 or false; several that are true are a list.

    named : columns that a call names, which stay
    """
    questions, asked = dict[str, dict[str, str]](), {*map(str.casefold, named)}
    for name in frame:
        if found := TICKED.fullmatch(name):
            question, label = filter(None, found.groups())
            questions.setdefault(question, {})[name] = label
    for name, those in questions.items():
        there = frame[[*those]].set_axis([*those.values()], axis=1)  # by labels
        there = there.mask(there.isin(UNTICKED) & there.ne(there.columns))
        ours = ":::" in next(iter(those))
        some = TRUE | (NUMBERS if ours and len(those) > 1 else set())
        own = {c: {*cells.dropna().str.casefold()} for c, cells in there.items()}
        known = (len(of) < 2 and of <= {*some, c.casefold()} for c, of in own.items())
        enough = (ours or len(those) > 1) and any(own.values()) and all(known)
        free = name not in frame and asked.isdisjoint(map(str.casefold, those))
        if enough and free:
            each = [there.columns[row] for row in there.notna().to_numpy()]
            none = "[]" if max(map(len, each)) > 1 else None  # a set may be empty
            told = [cell(ticked(dict.fromkeys(one, True)) or none) for one in each]
            cells = pd.Series(told, frame.index, dtype=object)
            cells = cells.where(frame[[*those]].notna().any(axis=1), None)
            frame.insert(frame.columns.get_loc(next(iter(those))), name, cells)
            frame = frame.drop(columns=[*those])
    return frame


def parsed(text: str | None) -> Any:
    """The list or object that a cell holds as JSON or as Python writes it, else None.

    >>> parsed("['a', nan]"), parsed("{'b', 'a'}"), parsed("{1: ('a',)}")
    (['a', None], ['a', 'b'], {'1': ['a']})
    >>> parsed("['a b' 'c d']"), parsed("[1 2]"), parsed("[0.5 nan -1.]")
    (['a b', 'c d'], [1, 2], [0.5, None, -1.0])
    >>> parsed('RAYYAN-INCLUSION: {"Ann"=>"Included", "Ben"=>"Maybe"} | LABELS: a')
    {'Ann': 'Included', 'Ben': 'Maybe'}
    """
    if text and "RAYYAN" in text and (decided := RAYYAN.search(text)):
        return dict(ARROWS.findall(decided[1]))
    if text is None or text[:1] not in ("[", "{"):
        return None
    for read in (json.loads, _of_python):
        with suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            return read(text)
    return None


class _Plain(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(None) if node.id in ("nan", "NaT") else node


def _of_python(text: str) -> Any:
    """As JSON would have it; a set is a list in order, and numpy leaves commas out."""
    if "," not in text:
        text = ADJACENT.sub(lambda found: found[1] + "," * bool(found[2]), text)
    with warnings.catch_warnings(action="ignore"):  # of backslashes in texts
        tree = _Plain().visit(ast.parse(text, mode="eval"))
    return json.loads(json.dumps(ast.literal_eval(tree), default=sorted))


def few(names: Iterable[str], most: int = 12) -> str:
    """Names of columns in a message, on one line, the first of many."""
    told = [" ".join(name.split()) or "(no name)" for name in names]
    more = f" and {len(told) - most:,} more" if len(told) > most + 1 else ""
    return (", ".join(told[:most] if more else told) or "none") + more


def key(text: str) -> str | Decimal:
    """What texts that look alike have in common.

    Not case, blanks, invisible characters, how Unicode composes a letter, which dash is
    written, or how a number is, with a decimal comma, say.

    >>> key(" Yes") == key("yes"), key("0.0") == key("0"), key("1") == key("l")
    (True, True, False)
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
        text = "".join("-" if c in DASHES else c for c in text)
        # Case may leave another form, as in U+0130.
        text = unicodedata.normalize("NFKC", text.casefold())
    text = " ".join(text.casefold().split())
    text = text.replace(",", ".") if text.count(",") == 1 else text
    # Exact, as a float is not: long numbers name items.
    return Decimal(text) if NUMBER.fullmatch(text) else text
