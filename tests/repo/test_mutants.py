"""The small faults of `make mutants`: which there are, and that they are one each."""

import ast
import csv

from reproduction.machinery import mutants

SOURCE = '''
def f(x: int) -> bool:
    """Not 1 < 2."""
    y = -x + max(x, 5)
    if x < 3 and not y:
        raise ValueError(f"{x + 1}")
    return x == 1.5
'''

CHANGED = {
    "y = -x - max(x, 5)",
    "y = +x + max(x, 5)",
    "y = -x + min(x, 5)",
    "y = -x + max(x, 6)",
    "if x < 3 or not y:",
    "if x <= 3 and (not y):",
    "if x < 4 and (not y):",
    "if x < 3 and (not not y):",
    "return x != 1.5",
    "return x == 3.001",
}


def test_each_place_is_changed_once_and_messages_never():
    found = list(mutants.mutants("src/labelaudit/laws/a.py", SOURCE))
    assert {m.after.split("\n")[0] for m in found} == CHANGED
    assert len(found) == len(CHANGED)
    whole = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in found:
        changed = mutant.text.splitlines()
        assert sum(a != b for a, b in zip(whole, changed, strict=True)) == 1


def test_what_evaluates_plans_and_coefficients_is_changed():
    files = mutants.files()
    for name in ("laws/errors", "plans/evaluation", "agreement/disagreement"):
        assert f"src/labelaudit/{name}.py" in files
    assert all((mutants.paths.ROOT / file).is_file() for file in files)


def test_what_is_harmless_is_still_in_the_library():
    with mutants.HARMLESS.open(newline="", encoding="utf-8") as lines:
        harmless = list(csv.DictReader(lines))
    for file in {row["file"] for row in harmless}:
        tree = ast.parse((mutants.paths.ROOT / file).read_text(encoding="utf-8"))
        there = {
            ast.unparse(mutants.alone(node))
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt)
        }
        assert {row["before"] for row in harmless if row["file"] == file} <= there
    assert all(row["reason"] and row["after"] != row["before"] for row in harmless)
