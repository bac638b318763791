"""Notebooks and grids for the tests of sweeps."""

from pathlib import Path

import nbformat

PARAMETERS = """\
x = 1.0  # a number
n: int | None = 3  # a whole number
word = "no"  # a text
pause = 0.0  # seconds
"""

# Each run leaves a line in the file that the test names.
BODY = """\
import os, time
with open(os.environ["RUN_LOG"], "a") as log:
    log.write(f"begin {x} {n}\\n")
time.sleep(pause)
"""

END = """\
import os
import labelaudit as la
y = 6 / x
with open(os.environ["RUN_LOG"], "a") as log:
    log.write(f"end {x} {n}\\n")
la.record(y=y, told=word, whole=n, sure=True)
"""


def notebook(path, parameters=PARAMETERS, cells=(BODY, END), tag="parameters"):
    """Write a notebook; return its path."""
    made = nbformat.v4.new_notebook()
    first = nbformat.v4.new_code_cell(parameters, metadata={"tags": [tag]})
    made.cells = [nbformat.v4.new_markdown_cell("# A test"), first]
    made.cells += [nbformat.v4.new_code_cell(source) for source in cells]
    nbformat.write(made, path)
    return path


def grid(path, text):
    Path(path).write_text(text)
    return path
