"""The example files are those that their generators make, byte by byte."""

import pytest

from reproduction.machinery import paths
from reproduction.own_data import (
    example_audit,
    example_batches,
    example_model,
    example_shapes,
)

MADE = [
    (example_audit, paths.MADE, "audit_*"),
    (example_batches, example_batches.FOLDER, "*"),
    (example_shapes, example_shapes.FOLDER, "*"),
    (example_model, paths.MADE, "*model*"),
]


@pytest.mark.parametrize(("generator", "folder", "names"), MADE)
def test_the_files_are_what_their_generator_makes(generator, folder, names):
    there = {file.name: file.read_bytes() for file in folder.glob(names)}
    made = {name: text.encode() for name, text in generator.files().items()}
    assert there == made
