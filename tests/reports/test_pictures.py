"""Figures as files: coordinates that differ by rounding only give the same bytes."""

import io
import re

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from matplotlib.patheffects import withStroke

from labelaudit.reports import pictures


def drawn(seed=None):
    """Every kind of artist; with a seed, of numbers that are off by about 2e-14."""
    random = np.random.default_rng(seed)
    size = 0.0 if seed is None else 2e-14

    def near(values):
        return values * (1 + size * random.normal(size=np.shape(values)))

    figure = Figure(figsize=(3, 2), layout="constrained")
    axes = figure.subplots(2, 2).ravel()
    x = np.linspace(0, 1, 9)
    axes[0].plot(near(x), near(x**2), "o-")
    axes[0].fill_between(near(x), near(x / 2), near(x / 4), alpha=0.5)
    axes[1].scatter(near(x), near(x), s=near(20 + 30 * x), c="C1")
    axes[1].scatter(near(x), near(1 - x), s=9, c=x, rasterized=True)
    axes[2].bar(near(x), near(x), width=0.05)
    axes[2].axvspan(near(0.25), near(0.375), color="0.9")
    axes[3].pcolormesh(near(x), near(x), np.outer(x, x)[1:, 1:], rasterized=True)
    axes[3].add_patch(Circle(near([0.5, 0.5]), near(0.25), fill=False, hatch="//"))
    inside = Circle(near([0.25, 0.5]), near(0.25), transform=axes[3].transData)
    image = axes[3].imshow(np.eye(2), extent=[0, near(0.5), 0, 1], aspect="auto")
    image.set_clip_path(inside)
    look = {"textcoords": "offset points", "path_effects": [withStroke(linewidth=2)]}
    axes[0].annotate("a $b^2$", near(np.array([0.5, 0.5])), xytext=(3, 5), **look)
    return figure


def written(figure):
    return pictures.svg(figure), pictures.png(figure)


@pytest.fixture(scope="module", autouse=True)
def plain():
    """matplotlib's own settings; a notebook's start sets others."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.use("agg")
        yield


@pytest.fixture(scope="module")
def exact(plain):
    return written(drawn())


@pytest.mark.parametrize("seed", range(2))
def test_rounding_in_coordinates_changes_no_byte(seed, exact):
    assert written(drawn(seed)) == exact


@pytest.mark.parametrize("draw", ["hlines", "plot", "bar", "marks", "clip"])
def test_nor_does_it_between_two_pixels(draw):
    def picture(off, save):
        figure = Figure(figsize=(1, 1), dpi=100)
        axis = figure.add_axes((0, 0, 1, 1))
        axis.set(xlim=(0, 100), ylim=(0, 100))
        axis.axis("off")
        at = 40.5 + off  # where snapping takes either pixel
        if draw == "hlines":
            axis.hlines([at, at + 20], 10, 90, linewidth=1)
        elif draw == "plot":
            axis.plot([10, 90], [at, at], linewidth=1)
        elif draw == "bar":
            axis.bar([50], [at], width=20)
        elif draw == "marks":
            axis.plot([at, 50], [at, 50], "s", markersize=6)
        else:
            (line,) = axis.plot([10, 90], [10, 90])
            line.set_clip_path(Rectangle((0, 0), at, at, transform=axis.transData))
        return save(figure)

    def plain(figure):
        file = io.BytesIO()
        figure.savefig(file, format="png")
        return file.getvalue()

    assert picture(-1e-12, plain) != picture(1e-12, plain)  # the danger is real
    assert picture(-1e-12, written) == picture(1e-12, written)


def test_a_picture_is_that_of_matplotlib(exact):
    """But for coordinates rounded to 1/1000 of a pixel."""
    file, figure = io.BytesIO(), drawn()
    figure.savefig(io.BytesIO(), format="svg")  # the layout settles draw by draw
    figure.savefig(file, format="png")
    plain, ours = (
        mpl.image.imread(io.BytesIO(png)) for png in (file.getvalue(), exact[1])
    )
    assert np.abs(plain - ours).max() * 255 < 16


def test_ids_are_counted_and_used(exact):
    text = exact[0]
    used = set(re.findall(r'(?:href="#|url\(#)([^")]*)', text))
    ids = re.findall(r'\bid="([^"]*)', text)
    assert used
    assert used <= set(ids)
    assert not any(re.search("[0-9a-f]{10}", name) for name in ids)
    assert len(ids) == len(set(ids))


def test_a_figure_stays_as_it_was():
    figure = drawn()
    pictures.svg(figure)
    assert "draw" not in vars(figure)
    with mpl.rc_context({"figure.constrained_layout.use": True}):
        placed = Figure(layout="none")
        pictures.svg(placed)
    assert placed.get_layout_engine() is None
