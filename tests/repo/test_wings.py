"""The library's wings import downwards only."""

import ast
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import labelaudit

ROOT = Path(labelaudit.__file__).parent

# What a wing may import, besides itself and the modules at the top that begin with _
# or are named in BASE. `plans`, `intervals` and `agreement` know nothing of each other.
BELOW = {
    "laws": set(),
    "plans": {"laws"},
    "as_published": {"laws", "plans", "intervals"},
    "intervals": {"laws"},
    "agreement": {"laws"},
    "files": {"laws", "plans", "agreement"},
    "reports": {"laws", "plans", "intervals", "agreement", "files"},
    "sweeps": {"files"},
    "commands": {
        "laws", "plans", "intervals", "agreement", "reports", "files", "sweeps",
    },
}  # fmt: skip
BASE = {"recording", "_checks", "_digits", "_whole", "_words"}
TOP = {"__init__", "__main__", "figures"}


@cache
def names(file):
    """All that a module imports, with dots, what is relative from the library on."""
    found = []
    here = ["labelaudit", *file.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = here[: len(here) + 1 - node.level] if node.level else []
            parts += [node.module] if node.module else []
            found += [".".join([*parts, alias.name]) for alias in node.names]
    return found


def named(file):
    """Those from the library, as paths below it."""
    own = [name.split(".")[1:] for name in names(file) if name[:10] == "labelaudit"]
    return [tuple(path or ["__init__"]) for path in own]


def imported(file):
    return {name[0] for name in named(file)}


def modules(wing):
    """Each module of a wing, and those of the wing that it imports."""
    files = {
        file.relative_to(ROOT).with_suffix("").parts: file
        for file in (ROOT / wing).rglob("*.py")
        if file.stem != "__init__"
    }
    return {
        module: {
            other
            for other in files
            if other != module
            and any(name[: len(other)] == other for name in named(file))
        }
        for module, file in files.items()
    }


def test_every_folder_is_a_wing_and_says_what_it_is():
    folders = {p.parent.name for p in ROOT.glob("*/__init__.py")}
    assert folders == set(BELOW)
    for folder in ROOT.rglob("__init__.py"):
        text = ast.get_docstring(ast.parse(folder.read_text(encoding="utf-8")))
        assert text, folder
        if folder.parent != ROOT:
            missing = {
                file.stem
                for file in folder.parent.glob("*.py")
                if file.stem != "__init__" and f"`{file.stem}`" not in text
            }
            assert not missing, (folder, missing)


def test_what_lies_at_the_top_is_the_base():
    assert {p.stem for p in ROOT.glob("*.py")} == BASE | TOP
    for name in BASE:
        assert (imported(ROOT / f"{name}.py")) <= BASE, name


@pytest.mark.parametrize("wing", BELOW)
def test_wings_import_downwards_only(wing):
    allowed = BELOW[wing] | BASE | {wing}
    for file in sorted((ROOT / wing).rglob("*.py")):
        wrong = (imported(file)) - allowed
        assert not wrong, f"{file.relative_to(ROOT)} imports {wrong}"


@pytest.mark.parametrize("wing", BELOW)
def test_no_two_modules_of_a_wing_import_each_other(wing):
    """Imports inside functions included: there is an order to read them in."""
    assert [*TopologicalSorter(modules(wing)).static_order()]  # else CycleError


def test_the_library_needs_only_its_four_dependencies():
    """`labelaudit sweep` has an extra of its own; others are asked for where used."""
    allowed = {"numpy", "scipy", "pandas", "matplotlib", "IPython", "labelaudit"}
    for file in ROOT.glob("*.py"):
        first = {name.split(".")[0] for name in names(file)}
        assert first <= allowed | sys.stdlib_module_names, file.name
