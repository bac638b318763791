"""What a parameters cell declares, and what in it hangs on a parameter.

papermill puts the values of a set into a cell of their own behind this one. So what
this cell has computed from a parameter stays as that parameter's default made it. What
is not sure, such as a function that reads one, or what a later line replaces, counts as
computed: to move a line to the next cell does no harm.
"""

import ast
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

SAYS = {"print", "display"}  # calls that change nothing
UNNAMED = {"globals", "locals", "vars", "eval", "exec"}  # may read any name
SHELL = re.compile(r"[{$]\s*(\w+)")  # a name in a magic or a shell command
DEFINED = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
ARITHMETIC = (
    ast.Constant, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator,
    ast.List, ast.Tuple, ast.Dict, ast.expr_context,
)  # fmt: skip


@dataclass(frozen=True)
class Code:
    """A default that is no plain value: its source."""

    source: str


@dataclass
class Cell:
    """A parameters cell, read from its source; SyntaxError where it is not Python.

    Attributes
    ----------
    defaults : dict
        The parameters, which are names that are assigned a value of their own, in
        their order: plain values, or Code.
    steps : list
        Of each statement what it stores, the names that it reads, and its first line.
    more : bool
        Whether the cell does more than to give plain values.
    """

    source: str
    defaults: dict[str, Any] = field(default_factory=dict)
    steps: list[tuple[list[str], set[str], str]] = field(default_factory=list)
    more: bool = False

    def __post_init__(self) -> None:
        for node in ast.parse(self.source).body:
            line = ast.unparse(node).split("\n")[0]
            for each in _each(node):
                self._follow(each, line)
        self.more |= any(isinstance(value, Code) for value in self.defaults.values())

    def _follow(self, node: ast.stmt, line: str) -> None:
        """Keep what a statement assigns, and what it computes from which names."""
        own = _assigned(node)
        read, stored = _names(node, self.defaults)
        read |= self.defaults.keys() if read & UNNAMED else set()
        stored.sort(key=lambda name: name not in self.defaults)
        self.steps.append((stored, read, line))
        changed = {name: Code(line) for name in stored if name in self.defaults}
        self.more |= not own
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


def _each(node: ast.stmt) -> Iterator[ast.stmt]:
    """A statement; of an assignment of several names, one for each that has its own."""
    if not isinstance(node, ast.Assign):
        yield node
        return
    for target in node.targets:
        parts, values = (getattr(side, "elts", []) for side in (target, node.value))
        odd = isinstance(node.value, ast.Set)  # in any order
        odd |= any(isinstance(one, ast.Starred) for one in (*parts, *values))
        if parts and len(parts) == len(values) and not odd:
            for part, value in zip(parts, values):
                yield from _each(ast.Assign([part], value, lineno=node.lineno))
        else:
            yield ast.Assign([target], node.value, lineno=node.lineno)


def _assigned(node: ast.stmt) -> dict[str, Any]:
    """The name that an assignment gives a value of its own, with it."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return {}
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return {target.id: _plain(node.value)} if isinstance(target, ast.Name) else {}


def _plain(node: ast.expr) -> Any:
    """The value of numbers, texts, lists and the like and their sums, else Code."""
    try:
        parts = [*ast.walk(node)]
        keys = [k for part in parts if isinstance(part, ast.Dict) for k in part.keys]
        texts = all(isinstance(getattr(key, "value", 0), str) for key in keys)
        if texts and all(isinstance(part, ARITHMETIC) for part in parts):
            code = compile(ast.Expression(node), "", "eval")
            value = eval(code, {"__builtins__": {}})
            json.dumps(value)  # a grid's values are of its kinds
            return value
    except (ArithmeticError, MemoryError, TypeError, ValueError):
        pass
    return Code(ast.unparse(node))


def _names(node: ast.stmt, known: Collection[str]) -> tuple[set[str], list[str]]:
    """The names that a statement reads, now or when called, and those that it stores.

    What only looks at values, as print, assert and raise, stores nothing.
    """
    parts, read, stored = [*ast.walk(node)], set[str](), list[str]()
    bound = {id(name) for part in parts if isinstance(part, ast.comprehension)
             for name in ast.walk(part.target)}  # fmt: skip
    for part in parts:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            read.add(part.id)
        elif isinstance(part, ast.Name) and id(part) not in bound:
            stored.append(part.id)
        elif isinstance(part, DEFINED):
            stored.append(part.name)
        elif isinstance(part, ast.AugAssign):
            read.add(_root(part.target))
        elif isinstance(part, (ast.Attribute, ast.Subscript)):
            stored += [] if isinstance(part.ctx, ast.Load) else [_root(part)]
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
            called, root = ast.unparse(part.value.func), _root(part.value.func)
            stored += [] if called in SAYS else [root if root in known else called]
    texts = [p.value for p in parts if isinstance(p, ast.Constant)]
    if "get_ipython" in read:
        read |= {name for text in texts for name in SHELL.findall(str(text))}
    return read, stored


def _root(node: ast.AST) -> str:
    """lst of lst[0].part, and of lst.append."""
    return re.split(r"\W", ast.unparse(node), maxsplit=1)[0]
