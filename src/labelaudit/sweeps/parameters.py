"""What a parameters cell declares, and what in it hangs on a parameter.

papermill puts the values of a set into a cell of their own behind this one. So what
this cell has computed from a parameter stays as that parameter's default made it. What
is not sure, such as a function that reads one, or what a later line replaces, counts as
computed: to move a line to the next cell does no harm.
"""

import ast
import json
import re
from collections.abc import Collection
from contextlib import suppress
from itertools import product
from typing import Any

SAYS = {"print", "display", ""}  # calls that change nothing, as of a text's methods
UNNAMED = {"globals", "locals", "vars", "eval", "exec"}  # may read any name
FILLED = re.compile(r"[{$]\s*(\w+)")  # a name in a text to be filled in, or a command
DEFINED = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
ARITHMETIC = (
    ast.Constant, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator,
    ast.List, ast.Tuple, ast.Dict, ast.expr_context,
)  # fmt: skip


class Code(str):
    """A default that is no plain value: its source."""


class Cell:
    """A parameters cell, read from its source; SyntaxError where it is not Python.

    Attributes
    ----------
    defaults : dict
        The parameters, which are names that have a line of their own, in their order:
        plain values, or Code.
    steps : list
        Of each statement what it stores, the names that it reads, and its first line.
    """

    def __init__(self, source: str) -> None:
        self.defaults: dict[str, Any] = {}
        self.steps: list[tuple[list[str], set[str], str]] = []
        for node in ast.parse(source).body:
            line, own = ast.unparse(node).split("\n")[0], _assigned(node)
            read, stored = _names(node)
            read |= self.defaults.keys() if read & UNNAMED else set()
            stored.sort(key=lambda name: name not in self.defaults)
            self.steps.append((stored, read, line))
            changed = {name: Code(line) for name in stored if name in self.defaults}
            self.defaults |= changed | own

    def stale(self, given: Collection[str]) -> dict[str, str]:
        """What would stay as it is where a set gives these names; empty: nothing.

        what it is, the name of a parameter that it is computed from, and the line.
        """
        for stored, read, line in self.steps:
            for what, name in product(stored, filter(read.__contains__, given)):
                if what not in given or what == name:
                    return {"what": what, "name": name, "line": line}
        return {}


def _assigned(node: ast.stmt) -> dict[str, Any]:
    """The names that an assignment gives a value of their own, with it."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return {}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return dict.fromkeys(names, _plain(node.value))


def _plain(node: ast.expr) -> Any:
    """The value of numbers, texts, lists and the like and their sums, else Code."""
    if all(isinstance(part, ARITHMETIC) for part in ast.walk(node)):
        with suppress(ArithmeticError, MemoryError, TypeError, ValueError):
            code = compile(ast.Expression(node), "", "eval")
            value = eval(code, {"__builtins__": {}})
            if json.loads(json.dumps(value)) == value:  # as a grid can give it
                return value
    return Code(ast.unparse(node))


def _names(node: ast.stmt) -> tuple[set[str], list[str]]:
    """The names that a statement reads, now or when called, and those that it stores.

    What only looks at values, as print, assert and raise, stores nothing.
    """
    read, stored, inside = set[str](), list[str](), set[int]()
    for part in ast.walk(node):
        if isinstance(part, ast.comprehension):
            inside.update(map(id, ast.walk(part.target)))  # which come later
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            read.add(part.id)
        elif isinstance(part, ast.Name) and id(part) not in inside:
            stored.append(part.id)
        elif isinstance(part, DEFINED):
            stored.append(part.name)
        elif isinstance(part, ast.AugAssign):
            read.add(_root(part.target))
        elif isinstance(part, (ast.Attribute, ast.Subscript)):
            stored += [] if isinstance(part.ctx, ast.Load) else [_root(part)]
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
            stored += {_root(part.value.func)} - SAYS
        elif isinstance(part, ast.Call):
            read |= {*FILLED.findall(ast.unparse(part))}
    return read, stored


def _root(node: ast.AST) -> str:
    """lst of lst[0].part, and of lst.append."""
    return re.split(r"\W", ast.unparse(node), maxsplit=1)[0]
