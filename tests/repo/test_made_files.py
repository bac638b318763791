"""The example files are those that their generators make, byte by byte."""

import pytest

from reproduction.machinery import paths
from reproduction.own_data import made

FILES = made.files()


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_what_its_generator_makes(name):
    assert (paths.MADE / name).read_bytes() == FILES[name].encode()
