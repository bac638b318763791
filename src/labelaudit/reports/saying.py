"""How findings are said: sentences of lots.toml and labels.toml, and lists in them."""

import re
from collections import defaultdict
from collections.abc import Iterable
from string import Formatter
from typing import Any

from .._digits import in_percent, significant
from .._words import label_name, number, percent, plural, several
from ..files.told import filled, read

VARIES = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d.,]*")  # in sentences of one kind


SENTENCES = read(__package__, "lots.toml") | read(__package__, "labels.toml")


class _Words(Formatter):
    """Fields as sentences write them; see these files."""

    def format_field(self, value: Any, spec: str) -> Any:
        if spec == "label":
            return label_name(value)
        if "|" in spec:
            one, more = spec.split("|")
            return f"{value:,} {one if value == 1 else more}"
        if len(spec) > 1 and spec.replace(" ", "").isalpha():
            return plural(int(value), spec)
        if spec.isdigit():
            return number(value, int(spec))
        digits, last = int(spec[:-1] or 0) if spec[:-1].isdigit() else 0, spec[-1:]
        if last == "%":
            return in_percent(value, digits) if digits else percent(value)
        if last == "g" and digits:
            return significant(value, digits)
        return super().format_field(value, spec)


def say(name: str, /, **values: Any) -> str:
    """A sentence with its values."""
    return filled(SENTENCES[name], values, _Words())


def listed(name: str, each: Iterable[dict[str, Any]], between: str = "; ") -> str:
    """A sentence for each of the first few, and how many more there are."""
    return several((say(name, **values) for values in each), between)


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
