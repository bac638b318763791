"""What the notebook on reliability reads of files that somebody brings."""

import re
from types import SimpleNamespace

import pytest

from labelaudit.files.tables import UnreadableError
from reproduction.machinery import parameters
from reproduction.own_data import own_ratings

STEM = "audit_02_how_reliable"
DEFAULTS = parameters.as_published(STEM)


def given(**changed):
    return SimpleNamespace(**parameters.checked(DEFAULTS | changed))


def test_without_a_file_it_is_the_example():
    own = own_ratings.load(given())
    assert own.made
    assert (own.source, len(own.ratings.items)) == ("ratings.csv", 300)
    assert own.second is not None and own.suggested is not None
    assert own.notes == ()


def test_a_relative_path_starts_where_the_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text(
        "id,a,b,told\n1,x,-,x\n2,y,y,x\n", encoding="utf-8"
    )
    own = own_ratings.load(given(ratings="mine.csv", suggested="told"))
    assert not own.made
    assert own.source == "mine.csv"
    assert list(own.ratings.raters) == ["a", "b"]
    assert own.suggested.tolist() == ["x", "x"]
    assert own.second is None
    assert len(own.notes) == 1 and own.notes[0].startswith("'-' is a label here")
    assert own_ratings.load(given(ratings="mine.csv", missing=["-"])).notes == ()
    few = own_ratings.load(given(ratings="mine.csv", columns=["a", "b"]))
    assert list(few.ratings.raters) == ["a", "b"]
    with pytest.raises(
        UnreadableError, match=re.escape(f"{tmp_path / 'none.csv'}: No")
    ):
        own_ratings.load(given(ratings="none.csv"))
    second = own_ratings.load(given(ratings="mine.csv", second="mine.csv")).second
    assert second is not None
