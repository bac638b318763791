"""How dangers are said: the sentences of sentences.toml, lists, and shared limits."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files
from string import Formatter
from typing import Any

from ..._words import TOLD, label_name, number, percent, plural, several
from ...agreement.agreement import Agreement

EDGE = 1e-12  # what is so close to a limit is on it, whatever rounding did
FEW_SHARED = 20  # items shared with others, to speak of a rater or a group; ours
APART = 0.1  # between a rater's use of a label and the others'; ours
ALPHA = "krippendorff_alpha"
VARIES = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d.,]*")  # in sentences of one kind

SENTENCES = tomllib.loads(
    (files(__package__) / "sentences.toml").read_text(encoding="utf-8")
)

Of = dict[str, Agreement]  # the coefficients that fit, by their keys


class _Words(Formatter):
    """Fields as sentences write them; see sentences.toml."""

    def format_field(self, value: Any, spec: str) -> Any:
        if spec == "%":
            return percent(value)
        if spec == "label":
            return label_name(value)
        if spec.isdigit():
            return number(value, int(spec))
        if len(spec) > 1 and spec.isalpha():
            return plural(int(value), spec)
        return super().format_field(value, spec)


def say(name: str, **values: Any) -> str:
    """A sentence with its values."""
    return _Words().vformat(SENTENCES[name], (), values)


def listed(
    name: str, rows: Iterable[dict[str, Any]], noun: str, between: str = "; "
) -> str:
    """A sentence's part for each of the first few rows, and how many more there are."""
    rows = list(rows)
    texts = [say(f"{name}_one", **row) for row in rows[:TOLD]]
    if len(rows) > TOLD:
        texts.append(f"and {plural(len(rows) - TOLD, f'more {noun}')}")
    return between.join(texts)


def apart(one: float, other: float, most: int = 4) -> tuple[str, str] | None:
    """Two values with as many decimals as show that they differ, 2 or more; or None."""
    pairs = ((number(one, d), number(other, d)) for d in range(2, most + 1))
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


def merged(sentences: Iterable[str]) -> list[str]:
    """Each kind of sentence once: of those that differ in names and numbers alone the
    first, and for whom the others are."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for one in dict.fromkeys(sentences):
        kinds[VARIES.sub("", one)].append(one)
    return [first + _also(first, rest) for first, *rest in kinds.values()]


def _also(first: str, rest: list[str]) -> str:
    """What stands in the others in the first place that differs."""
    here = VARIES.findall(first)
    names = [
        next((a for a, b in zip(VARIES.findall(one), here) if a != b), "others")
        for one in rest
    ]
    return f" (so also {several(names)})" if names else ""
