"""What the cells of a table mean: labels, numbers, counts, or nothing."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, takewhile
from typing import Any

import numpy as np
import pandas as pd

from .._words import shown
from ..agreement.reading import MOST_ITEMS, objects
from .columns import DECIMALS, WORDS
from .said import note, say, typed
from .tables import Table
from .text import MARKS, cell, parsed

DOUBTFUL = {*WORDS["missing"]["texts"]}
# Numbers that often mean so where they are rare and far from the others; -1 also
# where it is frequent, below numbers from 0 to 2 or more, or rare below 0 and 1.
CODES = {*WORDS["missing"]["codes"]}
EMPTY = "{}"  # the empty set, as reports write it
RARE, OFTEN = 0.1, 0.5  # of judgments: near codes are fewer, and far ones not more
FAR = 3  # gaps between other numbers
MANY = 10  # other numbers: codes are far above them
LARGEST = 10**12  # of whole numbers that may be counts
FREQUENT = 0.05  # of judgments: a word that is there more often may be a label
BESIDE = WORDS["missing"]["beside"]  # labels, where one is
FEW_WORDS = 2  # among so many numbers or more: they may mean that there is none
JOINED = ("/", "+", "&", " and ", " und ", " et ", " y ")  # between labels, it may be
# One comma before three digits may group thousands (1,500), or be a decimal comma;
# more groups than one are thousands. 0,500 and 1234,500 are no thousands.
AMBIGUOUS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}((,\d{3}){2,}|(\.\d{3}){2,})")
LETTER = re.compile(r"[^\W\d_]")
POINTED = re.compile(r"-?\d+\.0")
A_THOUSAND = re.compile(r"\+?[1-9]\d{0,2}\.\d{3}")  # as a count, or one: 1.000


def declared(table: Table) -> list[Any] | None:
    """The labels that there are, in their order; None: those that are found."""
    asked, known = table.asked, list[Any]()
    if asked.sets is not None:
        return [members(text, asked.sets) for text in asked.labels] or None
    for text in asked.labels:
        label = number(text) if asked.numbers else text
        if label != label or label in known:
            kind = "label twice" if label in known else "no number named"
            raise table.refused(kind, label=text)
        known.append(label)
    return known or None


def labels(table: Table, names: list[str]) -> pd.DataFrame:
    """Cells as labels: missing ones none, numbers where they are to be."""
    asked, cells, known = table.asked, table.frame[names], declared(table)
    flat = cells.to_numpy().ravel()
    codes, found = pd.factorize(flat)
    times = dict(zip(found, np.bincount(codes[codes >= 0], minlength=len(found))))
    given = [text for text in found if text not in asked.missing]
    values, whys = dict[str, Any](zip(given, given)), dict[str, str]()
    if asked.sets is not None:
        values = {text: members(text, asked.sets) for text in given}
        marked = [text for text in given if any(mark in text for mark in MARKS)]
        if marked and max(map(len, values.values())) < 2:
            note("no sets", mark=asked.sets, labels=marked[:3])
        if EMPTY in asked.missing:
            values = {text: label for text, label in values.items() if label}
    elif asked.numbers:
        points = any("." in text and not GROUPED.fullmatch(text) for text in given)
        read = {text: _number(text, points) for text in given}
        values = {text: value for text, (value, _) in read.items()}
        whys = {text: why for text, (_, why) in read.items() if why}
    if known is not None:
        why, there = say("why", "not declared", names=asked.labels), {*known}
        other = (text for text, label in values.items() if label not in there)
        whys = dict.fromkeys(other, why) | whys
    if whys:
        place = next(k for k, text in enumerate(flat) if text in whys)
        words = [text for text in whys if not re.search(r"\d", text)]
        few = words if len(words) <= FEW_WORDS <= len(found) - len(words) else []
        odd = [text for text in whys if text.casefold() in DOUBTFUL or text in few]
        why = whys[flat[place]]
        if asked.numbers and flat[place] in odd:
            why = say("why", "nothing", missing=[*asked.missing, *odd])
        raise table.refused("cell", place // len(names), cell=flat[place], why=why)
    _doubt(table, {text: times[text] for text in values}, values)
    if asked.sets is None and not asked.numbers:
        _tell_of_sets([*values], table.frame.attrs.get("separator") == ";")
    made = objects([*map(values.get, found), None])[codes]
    kind = float if asked.numbers and asked.sets is None else object
    return pd.DataFrame(made.reshape(cells.shape), cells.index, cells.columns, kind)


def without_points(cells: pd.DataFrame, kept: Sequence[str]) -> pd.DataFrame:
    """As others have them, where pandas wrote 1.0 for 1 since the column lacks one.

    kept : texts that stay
    """
    texts = [text for text in pd.unique(cells.to_numpy().ravel()) if text]
    if not any(map(POINTED.fullmatch, texts)) or not cells.isna().any(axis=None):
        return cells
    pointed = cells.apply(lambda c: c.dropna().str.fullmatch(POINTED).all())
    own = cells.loc[:, ~pointed]  # which have whole numbers
    if own.size and own.stack().str.fullmatch(r"-?\d+").all():
        lacking = [*cells.columns[pointed & cells.isna().any() & cells.notna().any()]]
        whole = cells[lacking].apply(lambda c: c.str.removesuffix(".0"))
        if lacking:
            note("points", names=lacking)
        cells = cells.copy()
        cells[lacking] = whole.mask(cells[lacking].isin(kept), cells[lacking])
    return cells


def _doubt(table: Table, often: dict[str, int], values: dict[str, Any]) -> None:
    """Tell of labels that may mean that there is none, and how often they are."""
    asked, told = table.asked, table.doubted | {*table.asked.labels}
    doubtful = DOUBTFUL.difference(*(BESIDE.get(t.casefold(), ()) for t in often))
    far = {text for text, label in values.items() if label == frozenset()}
    far = set() if asked.labels else far | _far(often)
    odd = (text for text in often if text.casefold() in doubtful or text in far)
    doubted = [text for text in odd if text not in told]
    most = FREQUENT * sum(often.values())
    few = [text for text in doubted if text in far or often[text] <= most] or doubted
    if len(often) - len(few) < 2:  # the most frequent word is a label: two stay
        rest = sorted((t for t in few if t not in far), key=lambda text: often[text])
        few = [t for t in rest if often[t] < often[rest[-1]]][: len(often) - 2]
    if few:
        table.doubted |= {*doubted}
        many = {t: "once" if often[t] == 1 else f"{often[t]:,} times" for t in doubted}
        named = asked.counts or asked.table  # once each, whatever they count
        seen = (shown(t) if named else f"{shown(t)} {many[t]}" for t in doubted)
        codes, some = [*asked.missing, *few], len(few) < len(doubted)
        note("missing", told=", ".join(seen), missing=codes, some=some)


def _tell_of_sets(texts: list[str], decimal: bool) -> None:
    """Tell of labels that have the same parts in another order, or other labels.

    decimal : whether 2,5 may be a number, where no other commas are
    """
    known = {*texts}
    decimal &= all(map(DECIMALS.fullmatch, (text for text in texts if "," in text)))
    for mark in (one for one in (*MARKS, *JOINED) if one != "," or not decimal):
        parts = {text: members(text, mark) for text in texts if mark in text}
        if mark in JOINED:  # 5+ is no set
            parts = {text: of for text, of in parts.items() if len(of) > 1}
        often, each = Counter(parts.values()), Counter(chain(*parts.values()))
        again = known | {part for part, n in each.items() if n > 1}
        both = {of for of in often if often[of] > 1 or (of <= again and of & known)}
        if same := [text for text, of in parts.items() if of in both]:
            return note("order", labels=same[:3], mark=mark)


def _far(given: dict[str, int]) -> set[str]:
    """Codes beyond the other numbers, of which no step leads to them; see CODES."""
    texts = {text: number(text.replace(",", ".")) for text in given}
    values = {text: value for text, value in texts.items() if not np.isnan(value)}
    there = {*values.values()}
    known = CODES - {-2} if {-1, 0} & there else CODES  # of -2, -1, 0 ...
    last, all_given = {*takewhile(there.__contains__, (9, 8, 7))}, sum(given.values())
    below = max(there - CODES - last, default=0) <= min(last, default=0) - FAR
    if len(last) > 1 and below and all_given > 2 * MANY:
        known = known | last
    usual = sorted(there - known)
    often = {text for text in values if given[text] <= OFTEN * all_given}
    rare = {text for text in often if given[text] <= RARE * all_given}
    if not usual:
        return often if len(given) > 2 else set()
    # Numbers below which -1 is none; of 0 and 1 where it is rare.
    grades = usual[0] >= 0 and (usual[-1] >= 2 or "-1" in rare)
    gap, low, high = max(np.diff(usual), default=1), usual[0], usual[-1]
    high += (high - low) / 2 * (len(usual) > MANY)  # of 0 to 100, 98 is none
    for code in sorted(there & known, key=lambda one: max(low - one, one - high)):
        if low - gap <= code <= high + gap and not (code == -1 and grades):
            low, high = min(low, code), max(high, code)  # of the scale, too
    beyond = {t: max(low - value, value - high) for t, value in values.items()}
    far = {t for t in often if beyond[t] > FAR * gap or (t in rare and beyond[t] > 0)}
    return far | {t for t, value in values.items() if value == -1 and grades}


def parts(text: str | None, separator: str) -> Any:
    """What a cell holds: a list, or an object of raters and labels, of texts."""
    if isinstance(found := parsed(text), dict):
        return {key: cell(value) for key, value in found.items()}
    if found is None:
        found = text.split(separator) if text else []
    return [cell(value) for value in found]


def votes(texts: Iterable[str], separator: str) -> dict[str, dict[str, str]]:
    """The labels by whose they are, where all cells say so and people share one.

    Else nothing: of Hate: racism; Other: spam both are labels.

    >>> votes(["Ann: yes; Ben: no", "Ben: yes"], ";")["Ben: yes"]
    {'Ben': 'yes'}
    """
    found = dict[str, dict[str, str]]()
    for text in texts:
        given = [part.strip() for part in text.split(separator) if part.strip()]
        said = (part.partition(": ") for part in given)
        pairs = [(name, label.strip()) for name, _, label in said if label]
        found[text] = {n: v for n, v in pairs if LETTER.search(n) and ":" not in n}
        if parsed(text) is not None or not given or len(found[text]) < len(given):
            return {}
    judged = {pair for of in found.values() for pair in of.items()}
    return found if len(judged) > len({label for _, label in judged}) else {}


def members(text: str, separator: str) -> frozenset[str]:
    """The labels of a set."""
    return frozenset(part for part in parts(text, separator) if part is not None)


def counts(table: Table, names: list[str], what: str) -> np.ndarray:
    """Cells that say how many, as whole numbers; what: these count.

    Of judgments an empty cell beside others is none, and so is what --missing names
    and is no number.
    """
    cells, judged = table.frame[names].to_numpy(), what == "judgments"
    found = whole(cells)
    missing = np.isnan(found) & table.frame[names].isin(table.asked.missing).to_numpy()
    found, empty = np.where(missing, 0, found), pd.isna(cells) | missing
    none = empty & (empty.all(axis=1, keepdims=True) | (not judged))
    odd, many = none | np.isnan(found), found > MOST_ITEMS
    for kind, bad in {"odd": odd, "too many": many}.items():
        for column, row in np.argwhere(bad.T)[:1]:  # column by column
            got = None if missing[row, column] else cells[row, column]
            told = {"name": names[column], "got": got, "what": what, "way": None}
            if judged and got and not re.search(r"\w", got):
                told["way"] = typed("--missing", got)
            raise table.refused(f"count {kind}", row, most=MOST_ITEMS, **told)
    if not found.any():
        raise table.refused(f"no {what} counted")
    return found.astype(np.int64)


def whole_numbers(cells: np.ndarray) -> np.ndarray | None:
    """Texts as whole numbers of at least 0, an empty one as 0; None for others."""
    found = whole(cells)
    return found.astype(np.int64) if (found < LARGEST).all() else None


def whole(cells: np.ndarray) -> np.ndarray:
    """As whole_numbers, NaN for what is none. 5.0 is one, as pandas writes it."""
    codes, texts = pd.factorize(cells.ravel())
    read = [np.nan if A_THOUSAND.fullmatch(text) else number(text) for text in texts]
    found = np.array([*read, 0.0])[codes].reshape(cells.shape)  # the last one: of None
    found[(found < 0) | (found % 1 > 0)] = np.nan
    return found


def _number(text: str, points: bool) -> tuple[float, str]:
    """A text as a number, and why it is none, or may be another.

    points : whether some of these texts have a decimal point
    """
    one = text.count(",") == 1 and "." not in text  # a decimal comma, it may be
    value, comma = number(text), number(text.replace(",", ".") if one else "")
    whys = {
        "ambiguous": AMBIGUOUS.fullmatch(text),
        "grouped": GROUPED.fullmatch(text),
        "decimal comma": points and not np.isnan(comma),
        "no number": np.isnan(value) and np.isnan(comma),
    }
    why = next((why for why, so in whys.items() if so), "")
    whole = text.replace(",", "").replace(".", "")
    said = say("why", why, whole=whole, number=comma) if why else ""
    return comma if np.isnan(value) else value, said


def number(text: str) -> float:
    """NaN for what is no finite number."""
    try:
        value = float(text) if "_" not in text else np.nan
    except ValueError:
        return np.nan
    return value if np.isfinite(value) else np.nan
