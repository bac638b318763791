"""The comparison of outputs that processors may change in their last digits."""

import base64
import io
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import comparing
from comparing import difference


def picture(grey, shape=(4, 5)):
    file = io.BytesIO()
    Image.fromarray(np.full((*shape, 3), grey, dtype=np.uint8)).save(file, "png")
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        (".txt", "a 1.00000000001 b", "a  1\nb"),
        ("text/html", "<b>1,000</b>", "<b>1000.0000001</b>"),
        (".png", picture(100), picture(103)),
        ("image/png", base64.b64encode(picture(7)).decode(), picture(8)),
        (".csv", "a,b\n1,x 2\n3,y", "a,b\n1.0000000001,x 2.000000001\n3,y"),
        (".csv", "a\n1.5\n-2e-16", "a\n1.5\n0"),
        (".csv", "a,b\n1.5,\n,2", "a,b\n1.5,\n,2.0000000001"),
        (".csv", "a\n1.5\ninf", "a\n1.5000000001\ninf"),
        (".svg", "M 10.001 20", "M 10.002 20"),
        ("application/x+json", {"a": 0.1, "b": "x 3"}, {"a": 0.1 + 1e-12, "b": "x 3"}),
    ],
)  # fmt: skip
def test_last_digits_do_not_matter(kind, old, new):
    assert difference(kind, old, new) == ""


@pytest.mark.parametrize(
    ("kind", "old", "new", "said"),
    [
        (".txt", "a 1", "a 1.00001", "1.00001, not 1"),
        (".txt", "1 a", "1 b", "' b', not ' a'"),
        (".txt", "a 1 2", "a 1", "more or fewer numbers"),
        (".txt", "-1", "1", "'', not '-'"),
        (".txt", "1e-9", "2e-9", "2e-9, not 1e-9"),
        (".png", picture(100), picture(104), "20 pixels differ, by up to 4"),
        (".png", picture(1), picture(1, (5, 4)), "(5, 4) pixels, not (4, 5)"),
        (".csv", "a\n1\n2", "a\n1\n3", "row 2, a: 3, not 2"),
        (".csv", "a\n1.5\n", "a\n1.5\n2", "cells"),
        (".csv", "a\n1.5\n2", "b\n1.5\n2", "columns"),
        (".csv", "a\n1.5\n1e-9", "a\n1.5\n2e-9", "row 2"),
        (".csv", "a\n1.5\n", "a\n1.5001\n", "row 1"),
        (".csv", "a,b\n1.5,1\n,2", "a,b\n1.5,1\n0,2", "row 2"),
        (".csv", "a\n1.5\ninf", "a\n1.5\n-inf", "row 2"),
        (".svg", "M 10.001 20", "M 10.005 20", "10.005, not 10.001"),
        ("application/x+json", {"a": 1}, {"b": 1}, "other names: ['a', 'b']"),
        ("application/x+json", {"a": True}, {"a": False}, "a: 'False', not 'True'"),
    ],
)
def test_what_matters_is_named(kind, old, new, said):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert said in difference(kind, old, new)


def test_pictures_inside_a_text_are_compared_as_pictures():
    def page(grey):
        inner = base64.b64encode(picture(grey)).decode()
        svg = f'<image href="data:image/png;base64,{inner}"/>'
        outer = base64.b64encode(svg.encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{outer}"> and 3'

    assert difference(".html", page(50), page(52)) == ""
    assert "pixels differ" in difference(".html", page(50), page(90))


def test_what_was_compared_is_said():
    compared = [("image/png", "a", "a"), ("text/plain", "a", "a "), (".csv", b"", b"")]
    found = [(comparing.COMPARED, comparing.how(*each)) for each in compared]
    said = "2 the same bytes, 1 texts by words and numbers"
    assert comparing.told([SimpleNamespace(user_properties=found)]) == said
