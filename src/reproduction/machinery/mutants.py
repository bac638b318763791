"""Does a test fail when the library is wrong? `make mutants`, with mutmut.

Small changes are made, one at a time, to what evaluates plans, laws, designs,
disagreement and coefficients, and the tests of their wings are run. Those that no
test notices are listed with their lines. All of it happens in a temporary copy.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

from . import paths, surroundings

# The quickest tests first: a change is mostly found by one of them.
FASTEST = """
import json, pathlib, pytest

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    stats = pathlib.Path(__file__).with_name("mutmut-stats.json")
    if stats.exists():
        took = json.loads(stats.read_text(encoding="utf-8"))["duration_by_test"]
        items.sort(key=lambda item: took.get(item.nodeid, 0))
"""
HARMLESS = paths.ROOT / "tests" / "harmless.csv"
STATUS = {0: "survived", 5: "no test runs it", 33: "no test runs it", None: "not tried"}
COPIED = ("src", "tests", "data", "pyproject.toml")
# mutmut leaves functions with decorators as they are, but for these two.
KNOWN = {"property", "cached_property"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400, help="how many changes")
    parser.add_argument("--seed", type=int, default=1, help="which of them")
    parser.add_argument("--only", default="*", help="of modules with such a name")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="labelaudit-") as name:
        folder = Path(name)
        copy(folder)
        os.environ["PYTHONPATH"] = str(folder / "mutants" / "src")
        every = [one for file in mutated(folder) for one in mutants(folder, file)]
        every = [one for one in every if fnmatch(one, f"labelaudit.{given.only}")]
        chosen = random.Random(given.seed).sample(every, min(given.count, len(every)))
        print(f"{len(chosen)} of {len(every)} changes, seed {given.seed}", flush=True)
        mutmut(folder, "run", *sorted(chosen), capture=False)
        return told(folder, {*chosen})


def copy(folder: Path) -> None:
    """The library and its tests, with properties as mutmut can change them."""
    for name in COPIED:
        source = paths.ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "released", "*.egg-info")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)
    (folder / "fastest.py").write_text(FASTEST, encoding="utf-8")
    for file in mutated(folder):
        source = file.read_text(encoding="utf-8")
        file.write_text(undecorated(source), encoding="utf-8")


def mutated(folder: Path) -> list[Path]:
    """The files that pyproject.toml names."""
    project = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["mutmut"]["only_mutate"]
    return sorted({file for one in patterns for file in folder.glob(one)})


def undecorated(source: str) -> str:
    """The same with `f = property(f)` below for `@property` above, line by line."""
    lines = [*source.splitlines(), ""]
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef) or len(node.decorator_list) != 1:
            continue
        decorator = node.decorator_list[0]
        name = ast.unparse(decorator)
        assert node.end_lineno is not None
        # Below a stub there is no empty line.
        if name in KNOWN and not lines[node.end_lineno]:
            lines[decorator.lineno - 1] = ""
            indent = " " * node.col_offset
            lines[node.end_lineno] = f"{indent}{node.name} = {name}({node.name})"
    return "\n".join(lines)


def mutants(folder: Path, file: Path) -> list[str]:
    """The names that mutmut gives the changes of a file, of operators, numbers ..."""
    from mutmut.mutation.file_mutation import mutate_file_contents
    from mutmut.utils.format_utils import get_mutant_name

    names = mutate_file_contents(
        str(file), file.read_text(encoding="utf-8")
    ).mutant_names
    return [get_mutant_name(file.relative_to(folder), name) for name in names]


def mutmut(folder: Path, *arguments: str, capture: bool = True) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    done = subprocess.run(
        command, cwd=folder, check=True, text=True, capture_output=capture
    )
    return done.stdout


def told(folder: Path, chosen: set[str]) -> int:
    """Print what became of the changes; 1 where one stays unseen and has no reason."""
    with HARMLESS.open(encoding="utf-8", newline="") as rows:
        harmless = {(row["was"], row["becomes"]) for row in csv.DictReader(rows)}
    count = Counter[str]()
    for file in mutated(folder):
        meta = folder / "mutants" / file.relative_to(folder).with_suffix(".py.meta")
        codes = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
        for name in sorted(chosen & codes.keys()):
            kind = STATUS.get(codes[name], "found")
            if kind != "found":
                diff = mutmut(folder, "show", name).splitlines()[3:]
                was, becomes = (changed(diff, sign) for sign in "-+")
                if (" ".join(was), " ".join(becomes)) in harmless:
                    kind = "harmless"
                else:
                    line = place(file.read_text(encoding="utf-8"), name, was[0])
                    print(f"{file.relative_to(folder)}:{line}: {kind}")
                    print(*[f"  - {one}" for one in was], sep="\n")
                    print(*[f"  + {one}" for one in becomes], sep="\n")
            count[kind] += 1
    print(", ".join(f"{number} {kind}" for kind, number in count.items()))
    return int(count["found"] + count["harmless"] < len(chosen))


def changed(diff: list[str], sign: str) -> list[str]:
    return [line[1:].strip() for line in diff if line.startswith(sign)]


def place(source: str, name: str, was: str) -> int:
    """The line that was changed, in the function that the name of a change names."""
    found = re.fullmatch(r".*\.x(?:ǁ(.*)ǁ|_)(.+)__mutmut_\d+", name)
    assert found
    for owner in ast.walk(ast.parse(source)):
        if getattr(owner, "name", None) == found[1]:
            for node in getattr(owner, "body", ()):
                if getattr(node, "name", None) == found[2]:
                    for number in range(node.lineno, node.end_lineno + 1):
                        if source.splitlines()[number - 1].strip() == was:
                            return number
    return 0


if __name__ == "__main__":
    surroundings.prepare()
    sys.exit(main())
