"""What a claim in words asks of our numbers: conditions, as text in data/published.

A condition compares named values with each other and with numbers: `low >= 0.4 and
abs(gap) < 1e-12`. It is read by ast, and only what is listed here has a meaning.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Mapping
from typing import Any

FUNCTIONS = {"abs": abs, "min": min, "max": max}
OPERATORS = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def holds(condition: str, values: Mapping[str, Any]) -> bool:
    """Whether the values meet the condition.

    Raises ValueError where it says something else than comparisons, `and`, `or`,
    `not`, arithmetic, abs, min and max, and KeyError where a value is missing.
    """
    result = _value(ast.parse(condition, mode="eval").body, values)
    if not isinstance(result, bool):
        raise ValueError(f"the condition {condition!r} compares nothing")
    return result


def names(condition: str) -> set[str]:
    """The values that a condition asks for."""
    found = {n.id for n in ast.walk(ast.parse(condition)) if isinstance(n, ast.Name)}
    return found - set(FUNCTIONS)


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value) if isinstance(value, (int, float, str)):
            return value
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=ast.USub(), operand=one):
            return -_value(one, values)
        case ast.UnaryOp(op=ast.Not(), operand=one):
            return not _value(one, values)
        case ast.BoolOp(op=op, values=parts):
            every = all if isinstance(op, ast.And) else any
            return every([_value(part, values) for part in parts])
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, values), _value(right, values))
        case ast.Compare(left=left, ops=ops, comparators=rest):
            sides = [_value(side, values) for side in (left, *rest)]
            if all(type(op) in OPERATORS for op in ops):
                pairs = zip(ops, sides, sides[1:])
                return all(bool(OPERATORS[type(op)](a, b)) for op, a, b in pairs)
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]):
            if name in FUNCTIONS:
                return FUNCTIONS[name](*(_value(part, values) for part in parts))
    raise ValueError(f"a condition cannot say {ast.unparse(node)!r}")
