"""Colours that tell things apart, for every colour vision, and text that can be read.

Colour blindness is simulated by colorspacious (Machado et al. 2009), and distances are
those of CAM02-UCS, in which 1 is about what people can just tell apart side by side.
"""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from colorspacious import cspace_convert, deltaE
from matplotlib.colors import to_rgb

from labelaudit import figures
from labelaudit.reports.collection import figures as reports
from reproduction.machinery import style
from reproduction.wong2021 import pictures

VISIONS = (None, "deuteranomaly", "protanomaly")
APART = 14  # that marks and lines in different colours are to be apart

# What is drawn in one picture and told apart by colour.
TOGETHER = {
    "verdicts": [style.COLOUR["good"], style.COLOUR["bad"]],
    "plans": [
        style.COLOUR[kind]
        for kind in ("single", "double", "sequential", "optimal", "interval")
    ],
    "laws": [style.COLOUR["lot"], style.COLOUR["process"]],
    "regions": [figures.ACCEPT, figures.REJECT],
    "cities": [pictures.CITY_LOOK[city][0] for city in pictures.CITIES],
    "pairs of cities": [ink for ink, _ in pictures.PAIR_LOOK.values()],
    "reports": [reports.BLUE, reports.PURPLE],
}


def seen(colour, vision):
    """A colour as an eye of this vision sees it."""
    if vision is None:
        return np.array(to_rgb(colour))
    space = {"name": "sRGB1+CVD", "cvd_type": vision, "severity": 100}
    return np.clip(cspace_convert(to_rgb(colour), space, "sRGB1"), 0, 1)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("name", TOGETHER)
def test_colours_of_one_picture_are_apart(name, vision):
    near = {
        (one, other): deltaE(*(seen(c, vision) for c in (one, other)))
        for one, other in combinations(TOGETHER[name], 2)
    }
    assert min(near.values()) >= APART, near


def test_black_and_white_have_the_contrast_that_wcag_says():
    assert style.contrast((0, 0, 0)) == pytest.approx(21)
    assert style.contrast((1, 1, 1)) == pytest.approx(1)
    assert style.contrast(to_rgb("#777777")) == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("colour", style.PALETTE.values())
def test_text_in_a_colour_can_be_read(colour):
    assert style.contrast(to_rgb(style.dark(colour))) >= 4.5


@pytest.mark.parametrize(
    ("width", "size", "said"),
    [
        (8.0, 8, "8 inches wide, more than 7.4"),
        (style.WIDTH, 6, "'small' is written in 6 points, under 7"),
    ],
)
def test_a_figure_that_print_would_spoil_is_refused(width, size, said):
    figure, axis = plt.subplots(figsize=(width, 2))
    axis.text(0.5, 0.5, "small", fontsize=size)
    with pytest.raises(ValueError, match="a_name: ") as refused:
        style.legible(figure, "a_name")
    assert said in str(refused.value)
    plt.close(figure)
