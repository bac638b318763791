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
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import paths, surroundings

LIBRARY = Path("src", "labelaudit")
AGREEMENT = ("distances", "chance", "disagreement", "agreement", "coefficients")
HARMLESS = paths.ROOT / "tests" / "harmless.csv"
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
    line: int
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
            before = ast.unparse(_alone(statement))
            old = copy.copy(place.__dict__)
            if not _change(place):
                continue
            after = ast.unparse(_alone(statement))
            yield Mutant(file, place.lineno, before, after, ast.unparse(tree))
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


def _alone(statement: ast.stmt) -> ast.stmt:
    """A statement without the block below it."""
    if not hasattr(statement, "body"):
        return statement
    alone = copy.copy(statement)
    alone.body = [ast.Pass()]
    if getattr(alone, "orelse", None):
        alone.orelse = []
    return alone


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


def survives(mutant: Mutant, folder: Path, first: list[str]) -> bool:
    """Whether the wing's tests pass in the copy with this change.

    first: the files of tests that failed for such changes, the last one in front;
    these are run before the others, and what fails here is put there.
    """
    file, wing = folder / mutant.file, Path(mutant.file).parts[2]
    whole = file.read_text(encoding="utf-8")
    file.write_text(mutant.text, encoding="utf-8")
    tests = [*first, f"tests/{wing}", f"src/labelaudit/{wing}"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:nbval", *tests]
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SLOWEST,
            check=False,
        )
        failed = re.search(r"^(?:FAILED|ERROR) ([^:\s]+)", done.stdout, re.MULTILINE)
        if failed:
            first[:] = [failed[1], *(name for name in first if name != failed[1])]
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        file.write_text(whole, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    found = [m for file in files() for m in mutants(file, _read(file))]
    random.Random(options.seed).shuffle(found)
    end = 0.0
    with HARMLESS.open(newline="", encoding="utf-8") as lines:
        known = {(r["file"], r["before"], r["after"]) for r in csv.DictReader(lines)}
    left, tried, lost = iter(found), 0, []
    first: dict[str, list[str]] = {file: [] for file in files()}

    def work(folder: Path) -> None:
        nonlocal tried
        for mutant in left:
            if time.monotonic() > end:
                return
            tests = first[mutant.file]
            alive = mutant.key not in known and survives(mutant, folder, tests)
            tried += 1
            if alive:
                lost.append(mutant)
                print(f"{mutant.file}:{mutant.line}")
                print(f"- {mutant.before}\n+ {mutant.after}", flush=True)
            print(f"{tried} tried, {len(lost)} not seen", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="labelaudit-") as name:
        folders = [_copy(Path(name, str(k))) for k in range(options.jobs)]
        for wing, file in {Path(f).parts[2]: f for f in files()}.items():
            if not survives(Mutant(file, 0, "", "", _read(file)), folders[0], []):
                print(f"the tests of {wing} fail as they are", file=sys.stderr)
                return 2
        end = time.monotonic() + 60 * options.minutes
        with ThreadPoolExecutor(options.jobs) as pool:
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
