"""What the tests catch: `make mutants`.

A mutant is the library with one place changed: a comparison, a number, and / or, not,
an operator. Some of each wing are drawn by seed. In a copy, the tests that run the
changed lines are run until one fails, then all tests and examples of its wing: a mutant
is killed, survives, or times out at three times what the unchanged wing needs there.
tests/mutants.csv keeps what was found and, where a person wrote it, why a survivor is
no fault; what is killed there must be killed again.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import copy
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import psutil
from coverage import CoverageData

from . import paths, surroundings

LIBRARY = Path("src", "labelaudit")
WINGS = ["laws", "plans", "intervals", "agreement"]
WINGS += ["files", "commands", "sweeps", "reports"]
KEPT = paths.ROOT / "tests" / "mutants.csv"
WRITTEN = paths.ROOT / "output" / "mutants.csv"
KEY = ["wing", "file", "function", "before", "after", "which"]
RESULTS = ["killed", "survived", "timed out"]
LEAST = 30  # of a wing
PYTEST = ("pytest", "-q", "-p", "no:nbval")
NO_SUCH = 4  # pytest's status where it knows no test of that name
HERE = threading.local()  # its folder is the copy that this thread changes

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


class Mutant(NamedTuple):
    """One change; its key stays when lines above it come and go."""

    key: tuple[str, ...]
    lines: range
    place: slice  # of the file's bytes
    new: bytes

    def text(self, whole: bytes) -> bytes:
        return whole[: self.place.start] + self.new + whole[self.place.stop :]


def mutants(file: str, source: bytes) -> Iterator[Mutant]:
    """Every change of one place in a module."""
    begin = [0, 0, *accumulate(map(len, source.splitlines(keepends=True)))]
    seen: Counter[tuple[str, ...]] = Counter()
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
            yield Mutant((*key, str(seen[key])), lines, where, new.encode())


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


def possible(folder: Path, wings: list[str]) -> list[Mutant]:
    """All mutants of the library in a folder."""
    files = [f for wing in wings for f in (folder / LIBRARY / wing).rglob("*.py")]
    names = sorted(file.relative_to(folder).as_posix() for file in files)
    return [m for name in names for m in mutants(name, (folder / name).read_bytes())]


def drawn(every: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Some of each wing, more where there are more.

    A mutant's turn comes by its key, so that of a changed source it is the same.
    """
    by_turn = sorted(every, key=lambda m: random.Random(f"{seed}{m.key}").random())
    wings = sorted({mutant.key[0] for mutant in every})
    least = min(LEAST, count // len(wings))
    found = []
    for wing in wings:
        some = [mutant for mutant in by_turn if mutant.key[0] == wing]
        more = (count - least * len(wings)) * len(some) / len(every)
        found += some[: least + round(more)]
    return found


def run(*arguments: object, limit: float | None = None) -> int | None:
    """Status of a module that Python runs in the copy; None if it takes too long.

    Then all that it started is ended: kernels begin sessions of their own, but have
    the variable that names the copy's temporary files.
    """
    own = {"PYTHONPATH": f"{HERE.folder}/src", "TMPDIR": f"{HERE.folder}/tmp"}
    call = [sys.executable, "-m", *map(str, arguments)]
    with (HERE.folder / "said").open("wb") as said:
        process = subprocess.Popen(
            call, cwd=HERE.folder, env=os.environ | own, stdout=said, stderr=said
        )
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        for each in psutil.process_iter(["environ"]):
            if (each.info["environ"] or {}).get("TMPDIR") == own["TMPDIR"]:
                with suppress(psutil.NoSuchProcess):
                    each.kill()
        process.wait()


def seconds(wing: str) -> float:
    """What the tests and examples of a wing need as it is; ends if they fail."""
    begin = time.monotonic()
    if run(*PYTEST, f"tests/{wing}", LIBRARY / wing) != 0:
        said = (HERE.folder / "said").read_text(encoding="utf-8", errors="replace")
        print(said, file=sys.stderr, flush=True)
        raise SystemExit(f"the tests of {wing} fail as they are")
    return time.monotonic() - begin


def running(wing: str) -> dict[tuple[str, int], set[str]]:
    """For each line of a wing, the tests that run it, as pytest calls them.

    Not those that run it in another process, nor what runs on import.
    """
    folder, data = HERE.folder, f"{HERE.folder}/{wing}.lines"
    (folder / "lines.ini").write_bytes(b"[run]\ndynamic_context = test_function\n")
    watch = ["coverage", "run", "--rcfile=lines.ini", f"--data-file={data}"]
    run(*watch, f"--source={LIBRARY / wing}", "-m", *PYTEST, f"tests/{wing}")
    found = CoverageData(basename=data)
    found.read()
    at = {f.stem: f"tests/{wing}/{f.name}" for f in (folder / "tests" / wing).iterdir()}
    tests = {}
    for file in found.measured_files():
        name = Path(file).relative_to(folder).as_posix()
        for line, contexts in found.contexts_by_lineno(file).items():
            parts = [context.partition(".")[::2] for context in contexts]
            tests[name, line] = {f"{at[m]}::{test}" for m, test in parts if m in at}
    return tests


def tried(mutant: Mutant, tests: set[str], limit: float) -> str:
    """Whether a mutant is killed, survives or times out."""
    wing, name, *_ = mutant.key
    file, whole = HERE.folder / name, HERE.folder / "whole"
    file.rename(whole)
    file.write_bytes(mutant.text(whole.read_bytes()))
    status: int | None = NO_SUCH
    try:
        if tests:
            status = run(*PYTEST, "-x", *sorted(tests), limit=limit)
        if status in (0, NO_SUCH):
            status = run(*PYTEST, "-x", f"tests/{wing}", LIBRARY / wing, limit=limit)
    finally:
        whole.replace(file)
    return {0: "survived", None: "timed out"}.get(status, "killed")


def results(library: Path, chosen: list[Mutant], jobs: int) -> Iterator[str]:
    """What becomes of each mutant, in copies of what the tests of the wings need."""
    leave = shutil.ignore_patterns("__pycache__", "*.egg-info", LIBRARY.name)
    wings = sorted({mutant.key[0] for mutant in chosen})

    def begin() -> None:
        HERE.folder = folder = Path(tempfile.mkdtemp(dir=top)).resolve()
        for name in ("src", "tests", "data"):
            shutil.copytree(paths.ROOT / name, folder / name, ignore=leave)
        shutil.copytree(library, folder / LIBRARY, ignore=leave)
        shutil.copy(paths.ROOT / "pyproject.toml", folder)
        compileall.compile_dir(folder / "src", quiet=1)  # once, not in each run
        (folder / "tmp").mkdir()

    def one(mutant: Mutant) -> str:
        of = [tests.get((mutant.key[1], line), set()) for line in mutant.lines]
        return tried(mutant, set().union(*of), limits[mutant.key[0]])

    with (
        tempfile.TemporaryDirectory(prefix="labelaudit-") as top,
        ThreadPoolExecutor(jobs, initializer=begin) as pool,
    ):
        # First what is timed, so that all jobs are at work meanwhile.
        times, watched = pool.map(seconds, wings), pool.map(running, wings)
        limits = {wing: 3 * round(time, 1) for wing, time in zip(wings, times)}
        print("at most, in seconds:", limits, file=sys.stderr, flush=True)
        tests = {line: some for part in watched for line, some in part.items()}
        yield from pool.map(one, chosen)


def read(file: Path) -> dict[tuple[str, ...], list[str]]:
    """Result and reason of each mutant in a table, by its key."""
    rows = pd.read_csv(file, dtype=str, keep_default_na=False).to_numpy().tolist()
    return {tuple(row[:-2]): row[-2:] for row in rows}


def write(file: Path, rows: dict[tuple[str, ...], list[str]]) -> None:
    table = pd.DataFrame([[*key, *rows[key]] for key in sorted(rows)])
    file.parent.mkdir(exist_ok=True)
    table.to_csv(file, header=[*KEY, "result", "reason"], index=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wings", nargs="*", default=WINGS, metavar="WING")
    parser.add_argument("--count", type=int, default=480, help="besides those kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--source", type=Path, default=paths.ROOT, metavar="FOLDER")
    options = parser.parse_args()
    most = max(psutil.virtual_memory().total // options.jobs, 4 << 30)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))

    every, old = possible(options.source, options.wings), read(KEPT)
    chosen = {m.key: m for m in drawn(every, options.count, options.seed)}
    chosen |= {m.key: m for m in every if m.key in old}
    rows = {key: row for key, row in old.items() if key[0] not in options.wings}
    gone = len(old) - len(rows) - len(old.keys() & chosen.keys())
    alive, lost, counts = [], 0, pd.DataFrame(0, index=options.wings, columns=RESULTS)
    found = results(options.source / LIBRARY, list(chosen.values()), options.jobs)
    for key, result in zip(chosen, found):
        was, reason = old.get(key, ("", ""))
        rows[key] = [result, reason]
        write(WRITTEN, rows)
        counts.loc[key[0], result] += 1
        if result == "survived":
            lost += was == "killed"
            place = f"{key[1]}:{chosen[key].lines.start}"
            said = "KILLED BEFORE" if was == "killed" else reason
            alive.append(f"{place} {said}\n- {key[3]}\n+ {key[4]}")
        done = counts.to_numpy().sum()
        print(f"{done} of {len(chosen)}, {len(alive)} survived", file=sys.stderr)
    counts.insert(0, "tried", counts.sum(axis=1))
    counts.loc["all"] = counts.sum()
    print(counts, *alive, sep="\n")
    print(f"{gone} of {KEPT.name} are no longer there, {lost} killed there survive")
    return 1 if lost else 0


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
