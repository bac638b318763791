"""What a parameters cell declares, and what in it hangs on a parameter.

papermill puts the values of a set into a cell of their own behind this one. So what
this cell has computed from a parameter stays as that parameter's default made it.
"""

from __future__ import annotations

import ast
import json
import re
import symtable
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
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
    """A default that is no plain value: its source, and whether a grid may replace it.

    It may not where the name has no assignment of its own, as in a loop.
    """

    source: str
    own: bool = True


@dataclass
class Cell:
    """A parameters cell, read from its source; SyntaxError where it is not Python.

    Attributes
    ----------
    defaults : dict
        The names that it assigns, in their order: plain values, or Code.
    computed : dict
        What is computed from which names, and the first line of the statement.
    more : bool
        Whether the cell does more than to give plain values.
    """

    source: str
    defaults: dict[str, Any] = field(default_factory=dict)
    computed: dict[str, tuple[set[str], str]] = field(default_factory=dict)
    more: bool = False

    def __post_init__(self) -> None:
        self._bodies: dict[str, set[str]] = {}  # what functions read when called
        for node in ast.parse(self.source).body:
            line = ast.unparse(node).split("\n")[0]
            for each in _each(node):
                self._follow(each, line)
        self.more |= any(isinstance(value, Code) for value in self.defaults.values())

    def _follow(self, node: ast.stmt, line: str) -> None:
        """Keep what a statement assigns, and what it has computed that from."""
        plain = _assigned(node)
        read, later, stored = _names(node, self.defaults)
        of = self._roots(read)
        for name in stored:
            before, _ = self.computed.pop(name, (set(), ""))
            if found := of if name in plain else of | before:
                self.computed[name] = found, line
            self._bodies[name] = later
            if not isinstance(node, DEFINED) and name.isidentifier():
                known = self.defaults.get(name, Code("", own=False))
                own = not isinstance(known, Code) or known.own
                plain.setdefault(name, Code(line, own))
        self.more |= not plain
        self.defaults |= plain

    def _roots(self, names: set[str]) -> set[str]:
        """Names with all that they were computed from, or read when called."""
        found: set[str] = set()
        waiting = names | (self.defaults.keys() if names & UNNAMED else set())
        while waiting:
            name = waiting.pop()
            found.add(name)
            more = self.computed.get(name, (set(), ""))[0] | self._bodies.get(
                name, set()
            )
            waiting |= more - found
        return found

    def stale(self, given: Collection[str]) -> str:
        """What would be wrong where a set gives these names; empty: nothing."""
        own = [what for what in self.computed if what in self.names]
        for what in dict.fromkeys([*own, *self.computed]):
            of, line = self.computed[what]
            for name in given:
                if name in of and (what not in given or what == name):
                    return (
                        f"{what!r} is computed from {name!r} in the notebook's"
                        f" parameters cell ({line}), so it would stay at its default"
                        f" when the grid gives {name!r}; move it to the next cell"
                    )
        return ""

    @cached_property
    def names(self) -> list[str]:
        """The parameters: what a grid may give."""
        odd = [k for k, v in self.defaults.items() if isinstance(v, Code) and not v.own]
        return [name for name in self.defaults if name not in odd]


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
    """The names that an assignment gives one value each, with it; no starred ones."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
        return {}
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    names = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    if isinstance(target, ast.Name):
        return {target.id: _plain(node.value)}
    if not all(isinstance(name, ast.Name) for name in names):
        return {}
    text = ast.unparse(node.value)
    return {ast.unparse(name): Code(f"{text}[{k}]") for k, name in enumerate(names)}


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


# What a statement reads and stores ------------------------------------------------


class _Changing(ast.NodeTransformer):
    """Leaves out what only looks at values: print, assert, raise.

    Names that a comprehension binds are its own, in a function; from Python 3.12 on
    tables of symbols have them beside the others.
    """

    def visit_Call(self, node: ast.Call) -> ast.AST:
        says = isinstance(node.func, ast.Name) and node.func.id in SAYS
        return ast.Constant(None) if says else self.generic_visit(node)

    def visit_Assert(self, node: ast.stmt) -> ast.AST:
        return ast.Pass()

    visit_Raise = visit_Assert  # noqa: N815

    def visit_ListComp(self, node: Any) -> ast.AST:
        inner = ast.unparse(self.generic_visit(node))
        begin = ast.unparse(node.generators[0].iter)  # read outside of it
        return ast.parse(f"(lambda: {inner})({begin})", mode="eval").body

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # noqa: N815


def _names(
    node: ast.stmt, known: Collection[str]
) -> tuple[set[str], set[str], list[str]]:
    """The names that a statement reads, those that it reads when called, and stores."""
    node = _Changing().visit(node)
    table = symtable.symtable(ast.unparse(node), "", "exec")
    read = {one.get_name() for one in table.get_symbols() if one.is_referenced()}
    stored = [one.get_name() for one in table.get_symbols() if one.is_assigned()]
    inner = {name for child in table.get_children() for name in _globals(child)}
    for child in table.get_children():  # a class's own lines run at once
        if child.get_type() == "class":
            read |= _globals(child, within=False)
    for part in ast.walk(node):
        if isinstance(part, (ast.Attribute, ast.Subscript)):
            if isinstance(part.ctx, ast.Store):
                stored.append(_root(part))
        elif isinstance(part, ast.AugAssign):
            read.add(_root(part.target))
        elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
            root = _root(part.value.func)
            stored.append(root if root in known else ast.unparse(part.value.func))
        elif isinstance(part, ast.Constant) and "get_ipython" in read:
            read |= {*SHELL.findall(str(part.value))}
    lambdas = isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)
    if lambdas or isinstance(node, DEFINED):
        return read, inner, stored
    return read | inner, set(), stored


def _globals(table: symtable.SymbolTable, within: bool = True) -> set[str]:
    """What a function, class or comprehension, and those in it, read from outside."""
    own = [one for one in table.get_symbols() if one.is_global()]
    found = {one.get_name() for one in own if one.is_referenced()}
    return found.union(*map(_globals, table.get_children() if within else ()))


def _root(node: ast.AST) -> str:
    """lst of lst[0].part, and of lst.append."""
    return re.split(r"\W", ast.unparse(node), maxsplit=1)[0]
