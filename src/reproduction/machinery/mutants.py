"""What the tests catch: `make mutants`.

A mutant is the library with one place changed: a comparison, a number, and / or, not,
an operator. Some of each wing are drawn by seed. In a copy, the tests that run the
changed lines are run until one fails, then the others of its wing: a mutant
is killed, survives, or times out at three times what the unchanged wing needs there.
tests/mutants.csv keeps what was found and, where a person wrote it, why a survivor is
no fault; what is killed there must be killed again.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path

import pandas as pd
from coverage import CoverageData

from . import check, paths, surroundings
from .mutate import Key, Mutant, mutants

LIBRARY = Path("src", "labelaudit")
WINGS = check.UPWARDS
KEPT = paths.ROOT / "tests" / "mutants.csv"
KEY = ["wing", "file", "function", "before", "after", "which"]
RESULTS = ["killed", "survived", "timed out"]
LEAST = 30  # of a wing
PYTEST = ("-m", "pytest", *check.PLUGINS, "-q")
NO_SUCH = 4  # pytest's status where it knows no test of that name


def possible(folder: Path) -> dict[Key, Mutant]:
    """All mutants of the library in a folder."""
    files = [f for wing in WINGS for f in (folder / LIBRARY / wing).rglob("*.py")]
    names = sorted(file.relative_to(folder).as_posix() for file in files)
    every = (mutants(name, (folder / name).read_bytes()) for name in names)
    return {key: mutant for some in every for key, mutant in some}


def drawn(every: Iterable[Key], count: int, seed: int) -> list[Key]:
    """Some of each wing, more where there are more.

    A mutant's turn comes by its key, so that of a changed source it is the same.
    """
    by_turn = sorted(every, key=lambda key: random.Random(f"{seed}{key}").random())
    found = []
    for wing in WINGS:
        some = [key for key in by_turn if key[0] == wing]
        more = (count - LEAST * len(WINGS)) * len(some) / len(by_turn)
        found += some[: LEAST + round(more)]
    return found


def copied(folder: Path) -> Path:
    """What the tests of the wings need, in a folder, unless it is there."""
    if not folder.exists():
        leave = shutil.ignore_patterns("__pycache__", "*.egg-info")
        for name in ("src", "tests", "data"):
            shutil.copytree(paths.ROOT / name, folder / name, ignore=leave)
        shutil.copy(paths.ROOT / "pyproject.toml", folder)
    return folder


def run(folder: Path, *arguments: object, limit: float | None = None) -> int | None:
    """Status of Python with these arguments in a copy; None if it takes too long.

    Then all that it started is ended; kernels end themselves without their parent.
    """
    call = [sys.executable, *map(str, arguments)]
    own = os.environ | {"PYTHONPATH": f"{folder}/src"}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(
            call, cwd=folder, env=own, stdout=said, stderr=said, start_new_session=True
        )
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def as_is(folder: Path, wing: str) -> tuple[float, dict[tuple[str, int], list[str]]]:
    """How long an unchanged wing may take, and the tests that run each of its lines.

    As pytest calls them; not those that run it in another process, nor what runs on
    import.
    """
    begin = time.monotonic()
    if run(folder, *PYTEST, f"tests/{wing}", LIBRARY / wing) != 0:
        said = (folder / "said").read_text(encoding="utf-8", errors="replace")
        raise SystemExit(f"{said}\nthe tests of {wing} fail as they are")
    limit = 3 * (time.monotonic() - begin)
    (folder / "lines.ini").write_bytes(b"[run]\ndynamic_context=test_function")
    data = folder / f"{wing}.lines"
    watch = ("-m", "coverage", "run", "--rcfile=lines.ini", f"--data-file={data}")
    run(folder, *watch, f"--source={LIBRARY / wing}", *PYTEST, f"tests/{wing}")
    found = CoverageData(basename=str(data))
    found.read()
    tests = {}
    for file in found.measured_files():
        name = Path(file).relative_to(folder.resolve()).as_posix()
        for line, contexts in found.contexts_by_lineno(file).items():
            parts = sorted(context.partition(".") for context in contexts if context)
            tests[name, line] = [f"tests/{wing}/{m}.py::{t}" for m, _, t in parts]
    return limit, tests


def tried(top: Path, key: Key, mutant: Mutant, tests: list[str], limit: float) -> str:
    """Whether a mutant is killed, survives or times out, in this process's copy."""
    wing, name, *_ = key
    folder = copied(top / str(os.getpid()))
    file = folder / name
    whole = file.read_bytes()
    file.write_bytes(mutant.text(whole))
    try:
        status = run(folder, *PYTEST, "-x", *tests, limit=limit) if tests else 0
        if status in (0, NO_SUCH):
            every = (f"tests/{wing}", LIBRARY / wing)
            status = run(folder, *PYTEST, "-x", *every, limit=limit)
    finally:
        file.write_bytes(whole)
    return {0: "survived", None: "timed out"}.get(status, "killed")


def read(file: Path) -> dict[Key, list[str]]:
    """Result and reason of each mutant in a table, by its key."""
    rows = pd.read_csv(file, dtype=str, keep_default_na=False).to_numpy().tolist()
    return {tuple(row[:-2]): row[-2:] for row in rows}


def write(file: Path, rows: dict[Key, list[str]]) -> None:
    table = pd.DataFrame([[*key, *rows[key]] for key in sorted(rows)])
    table.to_csv(file, header=[*KEY, "result", "reason"], index=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wings", nargs="*", default=WINGS, metavar="WING")
    parser.add_argument("--count", type=int, default=240, help="besides those kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    most = 8 << 30  # bytes of a test run: a mutant may ask for all there is
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    every, old = possible(paths.ROOT), read(KEPT)
    keys = [*drawn(every, options.count, options.seed), *(old.keys() & every.keys())]
    chosen = {key: every[key] for key in keys if key[0] in options.wings}
    rows = {key: row for key, row in old.items() if key[0] not in options.wings}
    counts = pd.DataFrame(0, index=options.wings, columns=RESULTS)
    lost = 0
    with (
        tempfile.TemporaryDirectory(prefix="labelaudit-") as top,
        ProcessPoolExecutor(options.jobs) as pool,
    ):
        whole = copied(Path(top, "whole"))
        known = {wing: as_is(whole, wing) for wing in options.wings}
        runs = {}
        for key, mutant in chosen.items():
            limit, tests = known[key[0]]
            lines = (tests.get((key[1], line), []) for line in mutant.lines)
            some = [*dict.fromkeys(test for names in lines for test in names)]
            runs[key] = pool.submit(tried, Path(top), key, mutant, some, limit)
        for key, future in runs.items():
            result, (was, reason) = future.result(), old.get(key, ("", ""))
            rows[key] = [result, reason]
            counts.loc[key[0], result] += 1
            if result == "survived":
                lost += was == "killed"
                said = "KILLED BEFORE" if was == "killed" else reason
                place = f"{key[1]}:{chosen[key].lines.start}"
                print(f"{place} {said}\n- {key[3]}\n+ {key[4]}", flush=True)
    write(paths.ROOT / "output" / "mutants.csv", rows)
    counts.loc["all"] = counts.sum()
    gone = len(old) - len({*old} & {*rows})
    print(counts, f"{lost} that were killed survive; {gone} of those kept are gone")
    return 1 if lost else 0


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
