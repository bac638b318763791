"""Every change of one place in a module: what `make mutants` draws from."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.USub: ast.UAdd,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}

# Not changed: what is said, and what only type checkers read.
SAID = (ast.Raise, ast.Assert, ast.JoinedStr)
TYPES = ("annotation", "returns", "decorator_list")

Key = tuple[str, ...]  # it stays when lines above the change come and go


class Mutant(NamedTuple):
    """One change of a file."""

    lines: range
    place: slice  # of the file's bytes
    new: bytes

    def text(self, whole: bytes) -> bytes:
        return whole[: self.place.start] + self.new + whole[self.place.stop :]


def mutants(file: str, source: bytes) -> Iterator[tuple[Key, Mutant]]:
    """Every change of one place in a module."""
    begin = [0, 0, *accumulate(map(len, source.splitlines(keepends=True)))]
    seen: Counter[Key] = Counter()
    for function, statement, place in _places(ast.parse(source)):
        first = begin[place.lineno] + place.col_offset
        where = slice(first, begin[place.end_lineno] + place.end_col_offset)
        lines = range(statement.lineno, place.end_lineno + 1)
        before = _alone(statement)
        for name, value in _changes(place):
            old = getattr(place, name)
            setattr(place, name, value)
            key = (Path(file).parts[2], file, function, before, _alone(statement))
            new = ast.unparse(place)
            setattr(place, name, old)
            seen[key] += 1
            new = f"({new})" if isinstance(place, ast.expr) else new
            yield (*key, str(seen[key])), Mutant(lines, where, new.encode())


def _places(node: ast.AST, function: str = "", statement: Any = None) -> Iterator[Any]:
    """What may be changed below a node, after its function and its statement."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if name in TYPES or not isinstance(child, ast.AST):
                continue
            within, here = function, statement
            if isinstance(child, ast.stmt):
                here = child
                within = f"{function}.{getattr(child, 'name', '')}".strip(".")
            if isinstance(child, (ast.expr, ast.AugAssign)):
                yield within, here, child
            if not isinstance(child, SAID):
                yield from _places(child, within, here)


def _alone(statement: ast.stmt) -> str:
    """A statement's text without the statements in it."""
    alone = copy.copy(statement)
    for name, value in ast.iter_fields(statement):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            setattr(alone, name, [ast.Pass()] if name == "body" else [])
    return ast.unparse(alone).removesuffix("\n    pass")


def _changes(place: ast.AST) -> Iterator[tuple[str, object]]:
    """What a field of this place can be instead: its name and another value."""
    match place:
        case ast.Compare(ops=ops):
            for k, op in enumerate(ops):
                yield "ops", [*ops[:k], OTHER[type(op)](), *ops[k + 1 :]]
        case ast.UnaryOp(op=ast.Not() | ast.Invert() as op, operand=operand):
            yield "operand", ast.UnaryOp(op, operand)
        case ast.Constant(value=bool() as value):
            yield "value", not value
        case ast.Constant(value=int() as value):
            yield "value", value + 1
        case ast.Constant(value=float() as value):
            yield "value", 2 * value + 1e-3
        case ast.Name(id=name) if name in NAMES:
            yield "id", NAMES[name]
        case ast.Attribute(attr=name) if name in NAMES:
            yield "attr", NAMES[name]
        case object(op=op) if type(op) in OTHER and not _is_text(place):
            yield "op", OTHER[type(op)]()


def _is_text(place: ast.AST) -> bool:
    """Whether a text is put together there."""
    sides = [getattr(place, name, None) for name in ("left", "right", "value")]
    texts = [isinstance(getattr(side, "value", None), str) for side in sides]
    return any(texts) or any(isinstance(side, ast.JoinedStr) for side in sides)
