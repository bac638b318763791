"""Numbers in tables and texts of the notebooks: no digit that rounding decides."""

import numpy as np
import pandas as pd
import pytest

from reproduction.machinery import style

HALF = 0.12345678905  # of two of ten digits


def test_a_table_has_ten_digits_in_columns_of_objects_too(tmp_path):
    table = pd.DataFrame(
        {
            "floats": [1 / 3, np.nan, np.inf],
            "objects": pd.Series([2 / 3, 7, None], dtype=object),
            "counts": [1, 10**12, -3],
            "words": ["a", "b,c", ""],
            "noise": [0.1 + 0.2, 1 - 1e-16, -0.0],
            "between": [np.nextafter(HALF, 0), HALF, np.nextafter(HALF, 1)],
        }
    )
    style.save_table(table, tmp_path, "t")
    assert (tmp_path / "t.csv").read_bytes().decode().split("\n") == [
        "floats,objects,counts,words,noise,between",
        "0.3333333333,0.6666666667,1,a,0.3,0.1234567891",
        ',7,1000000000000,"b,c",1,0.1234567891',
        "inf,,-3,,0,0.1234567891",
        "",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.28125, "0.2812"), (12345.5, "12,346"), (-1e-300, "-1e-300")],
)
def test_a_number_is_the_same_from_both_sides(value, text):
    sides = (np.nextafter(value, -1), value, np.nextafter(value, 1))
    assert {style.number(each) for each in sides} == {text}


def test_what_rounding_leaves_is_zero():
    found = style.settled(np.array([1e-17, -1e-13, 2e-12, np.nan, 0.5]))
    np.testing.assert_array_equal(found, [0, 0, 2e-12, np.nan, 0.5])
    assert not np.signbit(found[:2]).any()
    assert style.settled(1e-9, size=1e4) == 0
    assert style.gap(3e-16) == "less than 1e-12"
    assert style.gap(0.002) == "2e-03"
