"""What the pictures on Klie et al. 2024 write and in which shades they draw."""

from itertools import pairwise

import pytest
from matplotlib.colors import to_hex

from reproduction.klie2024 import panels
from reproduction.machinery import style


@pytest.mark.parametrize(
    ("share", "decimals", "text"),
    [
        (0.44, 0, "44 %"),
        (0.1425, 1, "14.2 %"),  # 14.25 lies in the middle: to the even digit
        (-0.1418, 1, "-14.2 %"),
        (1.5, 0, "150 %"),
        (-1e-17, 0, "0 %"),
    ],
)
def test_percent_has_a_space_and_even_digits(share, decimals, text):
    assert panels.percent(share, decimals) == text


@pytest.mark.parametrize("name", ["interval", "lot"])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_shades_go_from_light_to_dark_by_steps_that_can_be_told(name, count):
    contrasts = [style.contrast(shade) for shade in panels.shades(name, count)]
    assert len(contrasts) == count
    steps = [dark / light for light, dark in pairwise(contrasts)]
    assert min(steps) > 1.3


def test_one_shade_is_the_colour_itself():
    (shade,) = panels.shades("lot", 1)
    assert to_hex(shade) == style.COLOUR["lot"].lower()
