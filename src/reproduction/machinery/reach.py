"""What a change can reach: which tests, examples and notebooks `make check` runs.

A file reaches another that imports it, at any depth, also inside a function. Of the
library, whose names load lazily, a file needs the modules whose names it uses.
"""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import labelaudit

from . import notebooks, paths, records

ROOTS = (paths.SOURCE, paths.TESTS)
CONFTEST = paths.TESTS / "conftest.py"
LIBRARY = paths.SOURCE / "labelaudit"
PUBLIC = {name: labelaudit._MODULE[name] for name in labelaudit.__all__}


def changed() -> set[Path]:
    """Files that are not as in the last commit on main, new ones among them."""
    has_main = not _git("rev-parse", "--verify", "--quiet", "main", check=False)[1]
    base = "main" if has_main else "HEAD"
    names = _git("diff", "--name-only", "-z", base)[0]
    names += _git("ls-files", "--others", "--exclude-standard", "-z")[0]
    return {paths.ROOT / name for name in names.split("\0") if name}


def reached(changes: set[Path]) -> list[str]:
    """What pytest is to run for these changes, as paths in the repository."""
    if not changes:
        return []
    if CONFTEST in changes:
        return ["tests", "src/labelaudit"]
    if any(paths.DATA in path.parents for path in changes):
        changes = changes | {Path(paths.__file__)}  # which finds them for everybody
    tests = sorted(paths.TESTS.rglob("test_*.py"))
    found = [
        path for path in tests if changes & _all_needs(path) or _data(path, changes)
    ]
    found += sorted(
        path for path in LIBRARY.rglob("*.py") if changes & _all_needs(path)
    )
    for stem in notebooks.stems():
        path, known = paths.notebook(stem), records.inputs(stem)
        if known is None:  # never made here: by what it imports, and all data
            known = _imported(path) | {p for p in changes if paths.DATA in p.parents}
        if path in changes or known & changes:
            found.append(path)
    always = [paths.TESTS / "repo"]  # what every file is held to
    if any(path.suffix != ".py" for path in changes):
        always += [paths.TESTS / "notebooks", paths.TESTS / "reproduction"]
    found = [path for path in found if not set(always) & set(path.parents)]
    return [path.relative_to(paths.ROOT).as_posix() for path in [*always, *found]]


def _git(*arguments: str, check: bool = True) -> tuple[str, int]:
    run = ["git", *arguments]
    done = subprocess.run(
        run, cwd=paths.ROOT, capture_output=True, text=True, check=check
    )
    return done.stdout, done.returncode


def _data(test: Path, changes: set[Path]) -> bool:
    """Whether a test names a file of data that changed, perhaps without its ending."""
    text = test.read_text(encoding="utf-8")
    return any(path.suffix != ".py" and path.stem in text for path in changes)


@cache
def _imported(notebook: Path) -> set[Path]:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = ("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    return _closed(set(_imports("\n".join(code), paths.NOTEBOOKS)))


def _all_needs(path: Path) -> set[Path]:
    return _closed({path})


def _closed(begin: set[Path]) -> set[Path]:
    found, waiting = set(begin), list(begin)
    while waiting:
        new = _needs(waiting.pop()) - found
        found |= new
        waiting += new
    return found


@cache
def _needs(path: Path) -> frozenset[Path]:
    return frozenset(_imports(path.read_text(encoding="utf-8"), path.parent))


def _imports(code: str, folder: Path) -> Iterator[Path]:
    """The files of ours that code needs."""
    nodes = [*_run(ast.parse(code))]
    library = {"labelaudit"}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files(tuple(alias.name.split(".")), ROOTS)
                if alias.name == "labelaudit" and alias.asname:
                    library.add(alias.asname)
        elif isinstance(node, ast.ImportFrom):
            roots: tuple[Path, ...] = ROOTS
            if node.level:
                roots = ([folder, *folder.parents][node.level - 1],)
            parts = node.module.split(".") if node.module else []
            for alias in node.names:
                public = PUBLIC.get(alias.name) if parts == ["labelaudit"] else None
                more = public.split(".") if public else [alias.name]
                yield from _files((*parts, *more), roots)
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in library:
                public = PUBLIC.get(attr, attr).split(".")
                yield from _files(("labelaudit", *public), ROOTS)
            case ast.Constant(value="labelaudit"):  # python -m labelaudit
                yield LIBRARY / "__main__.py"
            case ast.Call(func=ast.Name(id="import_module")):  # one of its neighbours
                yield from folder.glob("*.py")


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only type checkers read."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            waiting += ast.iter_child_nodes(node)


@cache
def _files(parts: tuple[str, ...], roots: tuple[Path, ...]) -> list[Path]:
    """A module's file and those of the packages it is in; nothing for others'."""
    found = []
    for root in roots:
        for k in range(len(parts)):
            place = root.joinpath(*parts[: k + 1])
            both = place / "__init__.py", place.with_suffix(".py")
            found += [file for file in both if file.is_file()]
    return found
