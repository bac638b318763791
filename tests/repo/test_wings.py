"""The library's wings import downwards only."""

import ast
from functools import cache
from pathlib import Path

import pytest

import labelaudit

ROOT = Path(labelaudit.__file__).parent

# What a wing may import, besides itself and the modules at the top that begin with _
# or are named in BASE. `plans`, `intervals` and `agreement` know nothing of each other.
BELOW = {
    "laws": set(),
    "plans": {"laws"},
    "intervals": {"laws"},
    "agreement": set(),
    "reports": {"laws", "plans", "intervals", "agreement"},
    "files": {"laws", "plans", "agreement"},
    "sweeps": {"files"},
    "commands": {
        "laws", "plans", "intervals", "agreement", "reports", "files", "sweeps",
    },
}  # fmt: skip
BASE = {"recording", "_checks", "_digits", "_whole", "_words"}
TOP = {"__init__", "__main__", "as_published", "figures"}


@cache
def named(file):
    """The names that a module imports from the library, as paths below it."""
    found = []
    here = ["labelaudit", *file.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = here[: len(here) + 1 - node.level] if node.level else []
            parts = [*parts, *(node.module.split(".") if node.module else [])]
            names = [".".join([*parts, alias.name]) for alias in node.names]
        else:
            continue
        for name in names:
            first, *rest = name.split(".")
            if first == "labelaudit":
                found.append(tuple(rest) or ("__init__",))
    return found


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
    uses = modules(wing)
    while uses:
        free = [name for name, below in uses.items() if not below & set(uses)]
        assert free, f"a circle among {sorted(uses)}"
        for name in free:
            del uses[name]
