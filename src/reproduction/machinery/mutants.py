"""Small faults that no test sees: what `make mutants` lists.

What evaluates plans, laws, designs, disagreement and coefficients is changed in one
place at a time (an operator, a comparison, a number), in a copy, and the wing's own
tests are run until one fails. Which places is drawn, until the time is over. Faults
that change no result are listed in tests/harmless.csv with the reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import csv
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData

from . import paths, surroundings

LIBRARY = Path("src", "labelaudit")
AGREEMENT = ("units", "distances", "chance", "disagreement", "agreement", "parts")
AGREEMENT += ("coefficients", "across", "normalized", "suggested")
HARMLESS = paths.ROOT / "tests" / "harmless.csv"
QUIET = ["-q", "-p", "no:nbval"]
SLOWEST = 300  # seconds; a change that makes a loop endless is seen, too

OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}

# Not changed: what is said, and what only type checkers read.
SAID = (ast.Raise, ast.JoinedStr, ast.Assert, ast.ImportFrom, ast.Import)


@dataclass(frozen=True)
class Mutant:
    """One change: a file of the library, the statement before and after."""

    file: str
    lines: range
    before: str
    after: str
    text: str  # of the whole file, changed

    @property
    def key(self) -> tuple[str, str, str]:
        return self.file, self.before, self.after


def mutants(file: str, text: str) -> Iterator[Mutant]:
    """Every change of one place in a module."""
    tree = ast.parse(text)
    for statement in [n for n in ast.walk(tree) if isinstance(n, ast.stmt)]:
        for place in list(_places(statement)):
            before = ast.unparse(alone(statement))
            old = copy.copy(place.__dict__)
            if not _change(place):
                continue
            after = ast.unparse(alone(statement))
            yield Mutant(file, _lines(statement), before, after, ast.unparse(tree))
            place.__dict__.update(old)


def _places(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a statement, without those of the statements in it."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, (ast.stmt, *SAID)):
                if isinstance(child, ast.expr):
                    yield child
                yield from _places(child)


def alone(statement: ast.stmt) -> ast.stmt:
    """A statement without the block below it."""
    if not hasattr(statement, "body"):
        return statement
    alone = copy.copy(statement)
    alone.body = [ast.Pass()]
    if getattr(alone, "orelse", None):
        alone.orelse = []
    return alone


def _lines(statement: ast.stmt) -> range:
    """Where a statement stands, without the block below it."""
    block: list[ast.stmt] = getattr(statement, "body", [])
    end = block[0].lineno if block else (statement.end_lineno or 0) + 1
    return range(statement.lineno, max(end, statement.lineno + 1))


def _change(place: ast.expr) -> bool:
    """Change an expression; whether there is something to change."""
    match place:
        case ast.Compare(ops=[op]) | ast.BinOp(op=op) | ast.BoolOp(op=op):
            other = OTHER.get(type(op))
            if other and isinstance(place, ast.Compare):
                place.ops = [other()]
            elif other:
                place.op = other()
            return other is not None
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            place.op = ast.UAdd() if isinstance(place.op, ast.USub) else ast.Not()
            if isinstance(place.op, ast.Not):
                place.operand = ast.UnaryOp(ast.Not(), place.operand)
            return True
        case ast.Constant(value=value) if type(value) in (int, float):
            place.value = value + 1 if type(value) is int else 2 * value + 1e-3
            return True
        case ast.Name(id=name) if name in NAMES:
            place.id = NAMES[name]
            return True
        case ast.Attribute(attr=name) if name in NAMES:
            place.attr = NAMES[name]
            return True
    return False


def running(folder: Path, wing: str) -> dict[str, dict[int, set[str]]]:
    """For each module and line, the tests of the wing that run it; ends if red.

    Tests as file::function; "" for what runs when modules are imported.
    """
    data, settings = str(folder / f"{wing}.lines"), folder / "lines.ini"
    settings.write_text("[run]\ndynamic_context = test_function\n", encoding="utf-8")
    watch = ["-m", "coverage", "run", f"--rcfile={settings}", f"--data-file={data}"]
    tests = ["-m", "pytest", *QUIET, f"tests/{wing}"]
    if _run(folder, [*watch, f"--source={folder / LIBRARY}", *tests]) != 0:
        raise SystemExit(f"the tests of {wing} fail as they are")
    found = CoverageData(basename=data)
    found.read()
    at = {f.stem: f"tests/{wing}/{f.name}" for f in (folder / "tests" / wing).iterdir()}
    return {
        Path(file).relative_to(folder).as_posix(): {
            line: {_test(context, at) for context in contexts}
            for line, contexts in found.contexts_by_lineno(file).items()
        }
        for file in found.measured_files()
        if Path(file).is_relative_to(folder / LIBRARY / wing)
    }


def _test(context: str, at: dict[str, str]) -> str:
    """A test as pytest calls it: test_plans.test_x as tests/plans/test_plans.py::..."""
    module, _, function = context.rpartition(".")
    return f"{at[module]}::{function}" if module in at else ""


def survives(mutant: Mutant, folder: Path, lines: dict[int, set[str]]) -> bool:
    """Whether all tests pass in the copy with this change that could see it.

    First those that run the statement, then, since tests share results, the whole
    of their files with the wing's examples; all of the wing for what runs on import.
    """
    file, wing = folder / mutant.file, Path(mutant.file).parts[2]
    found: set[str] = set().union(*(lines.get(k, set()) for k in mutant.lines))
    some = sorted({test.partition("::")[0] for test in found})
    if not found or "" in found:
        found, some = set(), [f"tests/{wing}"]
    whole = file.read_text(encoding="utf-8")
    file.write_text(mutant.text, encoding="utf-8")
    pytest = ["-m", "pytest", "-x", *QUIET]
    try:
        if found and _run(folder, [*pytest, *sorted(found)]) != 0:
            return False
        return _run(folder, [*pytest, *some, f"src/labelaudit/{wing}"]) == 0
    finally:
        file.write_text(whole, encoding="utf-8")


def _run(folder: Path, arguments: list[str]) -> int:
    """Status of Python in the copy; 1 where it does not end."""
    try:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder / "src")},
            capture_output=True,
            timeout=SLOWEST,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        return 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    found = [m for file in files() for m in mutants(file, _read(file))]
    random.Random(options.seed).shuffle(found)
    end = 0.0
    with HARMLESS.open(newline="", encoding="utf-8") as table:
        known = {(r["file"], r["before"], r["after"]) for r in csv.DictReader(table)}
    left, tried, lost = iter(found), 0, []
    lines: dict[str, dict[int, set[str]]] = {}

    def work(folder: Path) -> None:
        nonlocal tried
        for mutant in left:
            if time.monotonic() > end:
                return
            alive = mutant.key not in known
            alive = alive and survives(mutant, folder, lines.get(mutant.file, {}))
            tried += 1
            if alive:
                lost.append(mutant)
                print(f"{mutant.file}:{mutant.lines.start}")
                print(f"- {mutant.before}\n+ {mutant.after}", flush=True)
            print(f"{tried} tried, {len(lost)} not seen", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="labelaudit-") as name:
        folders = [_copy(Path(name, str(k))) for k in range(options.jobs)]
        wings = sorted({Path(file).parts[2] for file in files()})
        with ThreadPoolExecutor(options.jobs) as pool:
            print("which tests run which lines ...", file=sys.stderr, flush=True)
            for part in pool.map(running, itertools.cycle(folders), wings):
                lines |= part
            end = time.monotonic() + 60 * options.minutes
            list(pool.map(work, folders))
    print(f"{tried} of {len(found)} changes tried, {len(lost)} seen by no test")
    return 1 if lost else 0


def files() -> list[str]:
    """The modules that are changed, as paths below the repository."""
    chosen = [
        *sorted((paths.ROOT / LIBRARY / "laws").rglob("*.py")),
        *sorted((paths.ROOT / LIBRARY / "plans").rglob("*.py")),
        *(paths.ROOT / LIBRARY / "agreement" / f"{name}.py" for name in AGREEMENT),
    ]
    return [file.relative_to(paths.ROOT).as_posix() for file in chosen]


def _read(file: str) -> str:
    return (paths.ROOT / file).read_text(encoding="utf-8")


def _copy(folder: Path) -> Path:
    """What the tests of the wings need, to be changed at will."""
    for name in ("src", "tests", "data"):
        leave = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(paths.ROOT / name, folder / name, ignore=leave)
    shutil.copy(paths.ROOT / "pyproject.toml", folder)
    return folder


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
