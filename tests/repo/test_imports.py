"""What importing loads, and which names it binds."""

import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import labelaudit as la

ROOT = Path(la.__file__).parent
HEAVY = ("numpy", "pandas", "scipy", "matplotlib")
PUBLIC = [*la.__all__, "sweep"]


def modules():
    """All of the library's, with dots."""
    return [m.name for m in pkgutil.walk_packages([str(ROOT)], "labelaudit.")]


def alone(code):
    """What a fresh Python prints."""
    call = [sys.executable, "-c", code]
    return subprocess.run(call, stdout=subprocess.PIPE, text=True, check=True).stdout


# Public names ---------------------------------------------------------------------


def test_every_public_name_is_there_and_listed():
    assert len(set(la.__all__)) == len(la.__all__)
    assert {*la.__all__, "as_published", "figures", "__version__"} == set(dir(la))
    assert len(la.__all__) > 40
    for name in la.__all__:
        assert getattr(la, name) is getattr(la, name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        la.nothing  # noqa: B018


def test_no_module_bears_the_name_of_a_public_function():
    """Importing it would put the module in the function's place."""
    parts = {part for name in modules() for part in name.split(".")}
    assert len(modules()) > 60
    assert parts & set(PUBLIC) == set()


# What is loaded -------------------------------------------------------------------


CALLS = f"""
import sys
from labelaudit.commands import main
for line, status in [
    ("--version", 0), ("--help", 0), ("plan --help", 0), ("agree --help", 0),
    ("sweep --help", 0), ("plan --kind best", 2), ("plan --p-a .1", 2),
]:
    try:
        main(line.split())
    except SystemExit as left:
        assert (left.code or 0) == status, line
    found = [name for name in {HEAVY} if name in sys.modules]
    assert not found, (line, found)
"""


def test_help_and_wrong_calls_load_nothing_slow():
    assert "usage: labelaudit sweep" in alone(CALLS)


EVERYTHING = f"""
import importlib, json, sys
from labelaudit import *
import labelaudit as la
star = sorted(set(globals()))
unasked = sorted({{"labelaudit.as_published", "labelaudit.figures"}} & set(sys.modules))
stats = []
for name in {[name for name in modules() if not name.endswith("__main__")]}:
    importlib.import_module(name)
    if not stats and "scipy.stats" in sys.modules:
        stats = [name]
kinds = {{name: type(getattr(la, name)).__name__ for name in la.__all__}}
lark = "lark" in sys.modules  # jsonschema compiles a grammar with it: a second
found = {{"star": star, "stats": stats, "unasked": unasked, "kinds": kinds}}
print(json.dumps(found | {{"lark": lark}}))
"""


def test_importing_everything():
    """A star import, then every module: names stay, and no scipy.stats.

    It takes half a second to import; the functions that need it import it.
    """
    found = json.loads(alone(EVERYTHING))
    assert set(la.__all__) <= set(found["star"])
    assert found["unasked"] == [] and not found["lark"]
    assert found["stats"] == []
    assert set(found["kinds"].values()) == {"function", "type", "QualityLevels"}
