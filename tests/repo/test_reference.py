"""The reference on the site: every public name, told in full, with an example."""

import inspect
import re

import pytest

import labelaudit as la
from labelaudit import as_published, figures
from reproduction.machinery import paths


def test_every_public_name_is_on_one_page():
    pages = (paths.SITE / "reference").glob("*.rst")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    listed = re.findall(r"auto(?:class|function|data):: labelaudit\.(\w+)$", text, re.M)
    assert sorted(listed) == sorted(la.__all__)


def shown():
    """Every public class, function and method; properties are told in one line."""
    for owner in (la, as_published, figures):
        names = getattr(owner, "__all__", ["draw_plan"])
        for name in names:
            thing = getattr(owner, name)
            members = vars(thing) if inspect.isclass(thing) else {}
            for part, one in [("", thing), *members.items()]:
                one = getattr(one, "__func__", one)
                public = inspect.isclass(one) or inspect.isfunction(one)
                if public and not part.startswith("_"):
                    yield pytest.param(one, id=f"{name}.{part}".strip("."))


@pytest.mark.parametrize("thing", [*shown()])
def test_it_has_an_example(thing):
    assert ">>> " in thing.__doc__


@pytest.mark.parametrize(
    "name", [n for n in la.__all__ if inspect.isfunction(getattr(la, n))]
)
def test_each_parameter_is_told(name):
    _, _, told = inspect.getdoc(getattr(la, name)).partition("Parameters\n---")
    for parameter in inspect.signature(getattr(la, name)).parameters:
        assert re.search(rf"^(?! ).*\b{parameter}\b", told, re.M), parameter
