"""Wrong calls of plan, estimate, verdict and agree: one table.

What is wrong with a file is for tests/files, with a sweep for tests/sweeps.
"""

import pytest

from known import rows


@pytest.mark.parametrize(("line", "words"), rows("refused/commands"))
def test_a_wrong_call_is_refused(folder, refused, line, words):
    (folder / "sub").mkdir()
    (folder / "sub" / "week1.csv").write_bytes((folder / "week1.csv").read_bytes())
    (folder / "table.txt").write_text("id\ttext\n1\tone\n2\ttwo\n")
    refused(words, line)
