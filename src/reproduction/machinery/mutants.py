"""What the tests catch: `make mutants`.

A mutant is the library with one word or sign changed: a comparison, a number, and / or,
not, an operator. As many of each wing are drawn by seed, and in a copy the tests of the
wing run until one fails: a mutant is killed, survives, or times out at three times what
the unchanged wing needs there. tests/mutants.csv keeps what was found and, where a
person wrote it, why a survivor is no fault; what is killed there must be killed again.
"""

import argparse
import ast
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from math import inf
from pathlib import Path

import pandas as pd

from labelaudit.sweeps.kernel import Watch

from . import check, paths, surroundings

WINGS = check.UPWARDS
KEPT = paths.TESTS / "mutants.csv"
MEMORY = 8 << 30  # bytes of a test run: a mutant may ask for all there is

# What stands in another's place, either way; and in one's place only.
PAIRS = "< <=,> >=,== !=,+ -,and or,min max,minimum maximum,True False,& |"
SWAPPED = dict(pair.split() for pair in PAIRS.split(","))
OTHER = SWAPPED | {new: old for old, new in SWAPPED.items()}
OTHER |= {"*": "/", "/": "*", "//": "*", "%": "*", "**": "*", "-=": "+=", "+=": "-="}
OTHER |= {"is": "is not", "in": "not in", "not": "", "~": ""}
SAID = (ast.Raise, ast.Assert, ast.JoinedStr)

Key = tuple[str, ...]  # file, line before, after, which; lines above may come and go


def mutants(file: str, text: str) -> dict[Key, str]:
    """Every change of one place in a module that compiles, and the module.

    Not on lines with what is said, nor in what says of which type a name is.
    """
    lines, seen, found = text.splitlines(keepends=True), Counter[Key](), {}
    said, types = set[int](), set[tuple[int, int]]()
    for node in ast.walk(ast.parse(text)):
        of = getattr(node, "annotation", None) or getattr(node, "returns", None)
        if of is not None:
            types |= {(of.lineno, at) for at in range(of.col_offset, of.end_col_offset)}
        elif isinstance(node, SAID):
            said |= {*range(node.lineno, (node.end_lineno or 0) + 1)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        new, (row, start) = OTHER.get(token.string), token.start
        if token.type == tokenize.NUMBER:
            value = ast.literal_eval(token.string)
            new = str(value + 1 if isinstance(value, int) else 2 * value + 1e-3)
        if new is not None and row not in said and token.start not in types:
            before = lines[row - 1]
            after = before[:start] + new + before[token.end[1] :]
            key = (file, before.strip(), after.strip())
            seen[key] += 1
            whole = "".join([*lines[: row - 1], after, *lines[row:]])
            with suppress(SyntaxError):
                ast.parse(whole)
                found[*key, str(seen[key])] = whole
    return found


def possible(wing: str) -> dict[Key, str]:
    """All changes in a wing."""
    found = {}
    for file in sorted((paths.SOURCE / "labelaudit" / wing).rglob("*.py")):
        name = file.relative_to(paths.ROOT).as_posix()
        found |= mutants(name, file.read_text(encoding="utf-8"))
    return found


def drawn(every: dict[Key, str], count: int, seed: int) -> list[Key]:
    """So many, whose turn comes by their keys: of a changed source the same."""
    turn = {key: random.Random(f"{seed}{key}").random() for key in every}
    return sorted(turn, key=turn.get)[:count]


def tried(wing: str, file: str = "", changed: str = "", limit: float = inf) -> str:
    """What a wing's tests make of a changed file, in a copy of what they need.

    Of the library as it is they tell what fails.
    """
    leave = shutil.ignore_patterns("__pycache__", "*.egg-info")
    call = [*check.PYTEST, "-x", *check.wing(wing)]
    with tempfile.TemporaryDirectory(prefix="labelaudit-") as top:
        for name in ("src", "tests", "data"):
            shutil.copytree(paths.ROOT / name, Path(top, name), ignore=leave)
        shutil.copy(paths.ROOT / "pyproject.toml", top)
        if file:
            Path(top, file).write_text(changed, encoding="utf-8")
        watch, own = Watch(limit, MEMORY), os.environ | {"PYTHONPATH": f"{top}/src"}
        told = subprocess.DEVNULL if file else None
        process = subprocess.Popen(call, cwd=top, env=own, stdout=told, stderr=told)
        watch.follow(process.pid)
        survived = process.wait() == 0
    late = watch.why.startswith("TimeoutError")
    return "timed out" if late else "survived" if survived else "killed"


def allowed(wing: str) -> float:
    """How many seconds a wing may take: three times what it takes as it is."""
    begin = time.monotonic()
    if tried(wing) != "survived":
        raise SystemExit(f"the tests of {wing} fail as they are")
    return 3 * (time.monotonic() - begin)


def read() -> dict[Key, list[str]]:
    """Result and reason of each mutant that is kept."""
    rows = pd.read_csv(KEPT, dtype=str, keep_default_na=False).to_numpy().tolist()
    return {tuple(row[:4]): row[4:] for row in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wings", nargs="*", default=WINGS, metavar="WING")
    parser.add_argument("--count", type=int, default=30, help="of a wing, and the kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    old, runs, lost = read(), {}, 0
    with ProcessPoolExecutor(options.jobs) as pool:
        for wing in options.wings:
            every, limit = possible(wing), allowed(wing)
            chosen = drawn(every, options.count, options.seed)
            for key in sorted({*chosen, *(old.keys() & every.keys())}):
                runs[key] = pool.submit(tried, wing, key[0], every[key], limit)
        rows = dict(old)
        for key, future in runs.items():
            was, reason = old.get(key, ("", ""))
            rows[key] = [future.result(), reason]
            if rows[key][0] == "survived":
                lost += was == "killed"
                said = "KILLED BEFORE" if was == "killed" else reason
                print(f"{key[0]} {said}\n- {key[1]}\n+ {key[2]}", flush=True)
    names = ["file", "before", "after", "which", "result", "reason"]
    table = pd.DataFrame([[*key, *rows[key]] for key in sorted(rows)], columns=names)
    output = paths.ROOT / "output"
    output.mkdir(exist_ok=True)
    table.to_csv(output / "mutants.csv", index=False)
    wings = table["file"].str.split("/").str[2].rename("wing")
    print(pd.crosstab(wings, table["result"], margins=True))
    print(f"{lost} that were killed survive")
    return 1 if lost else 0


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
