"""The reference on the site: every public name, with what its docstring says."""

import functools
import inspect
import re

import pytest

import labelaudit as la
from reproduction.machinery import reference


@pytest.fixture(scope="module")
def pages():
    return reference.pages()


@pytest.mark.parametrize("name", la.__all__)
def test_every_public_name_has_its_place(name, pages):
    text = pages[reference.names()[name]]
    assert len(re.findall(rf"^\(api-\S+\)=\n## {name}$", text, re.M)) == 1


def test_methods_have_theirs(pages):
    for name in ("SamplingPlan.interval", "Ratings.from_long", "Agreement.interval"):
        text = pages[reference.names()[name]]
        assert f"({reference.anchor(name)})=\n### {name}\n" in text


@pytest.mark.parametrize(
    "name", [n for n in la.__all__ if inspect.isroutine(getattr(la, n))]
)
def test_every_parameter_is_on_the_page_and_has_an_example(name, pages):
    text = pages[reference.names()[name]]
    entry = text.split(f"## {name}\n")[1].split("\n## ")[0]
    for parameter in inspect.signature(getattr(la, name)).parameters:
        assert re.search(rf"<code>[^<]*\b{parameter}\b", entry), parameter
    assert "**Examples**" in entry
    assert ">>> " in entry


def shown():
    """Every public class, function and method; properties are told in one line."""
    for name in reference.names():
        thing = la
        for part in name.split("."):
            thing = inspect.getattr_static(thing, part, None) or getattr(thing, part)
        thing = getattr(thing, "__func__", thing)
        property_of = isinstance(thing, functools.cached_property)
        if inspect.isclass(thing) or (inspect.isroutine(thing) and not property_of):
            yield pytest.param(thing, id=name)


@pytest.mark.parametrize("thing", list(shown()))
def test_every_class_function_and_method_has_an_example(thing):
    assert ">>> " in thing.__doc__
