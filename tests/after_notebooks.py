"""The figures and tables that the notebooks wrote are the committed ones.

Run by `python -m reproduction.check` after the notebooks (the name keeps it out
of an ordinary collection). On the machine and lock of the last `make` they are
the same bytes; elsewhere processors differ in the last digits, so tables must
agree to 1e-9, drawings in every number to 0.05 of a point and pictures in all
but a few of their pixels.
"""

import base64
import os
import re
from pathlib import Path

import matplotlib.image
import numpy as np
import pandas as pd
import pytest

from reproduction import paths

PICTURE = re.compile(r"data:image/svg\+xml;base64,([^\"]*)")
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
COMMITTED = sorted(f.name for f in paths.FIGURES.iterdir() if f.is_file())


def unpacked(text: str) -> str:
    """A page with its pictures as the text that they are."""
    return PICTURE.sub(lambda m: base64.b64decode(m[1]).decode(), text)


@pytest.fixture(scope="module")
def written() -> Path:
    return Path(os.environ[paths.FIGURES_VARIABLE])


def test_the_notebooks_write_exactly_the_committed_files(written):
    names = sorted(file.name for file in written.iterdir() if file.is_file())
    assert names == COMMITTED


@pytest.mark.parametrize("name", COMMITTED)
def test_file_is_reproduced(name, written):
    old, new = paths.FIGURES / name, written / name
    if old.read_bytes() == new.read_bytes():
        return
    if name.endswith(".csv"):
        pd.testing.assert_frame_equal(
            pd.read_csv(old), pd.read_csv(new), rtol=1e-9, atol=1e-12
        )
    elif name.endswith(".txt"):
        assert old.read_text() == new.read_text()
    elif name.endswith((".svg", ".html")):
        a, b = (unpacked(file.read_text()) for file in (old, new))
        assert NUMBER.sub("#", a) == NUMBER.sub("#", b)
        numbers = [np.array(NUMBER.findall(t), dtype=float) for t in (a, b)]
        np.testing.assert_allclose(*numbers, atol=0.05)
    else:
        a, b = matplotlib.image.imread(old), matplotlib.image.imread(new)
        assert a.shape == b.shape
        assert (np.abs(a - b).max(axis=-1) > 0.1).mean() < 1e-3
