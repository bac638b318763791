"""What the notebook on reliability reads of files that somebody brings."""

import re
from types import SimpleNamespace

import pytest

from labelaudit.files.tables import UnreadableError
from reproduction.machinery import notebooks, parameters, paths
from reproduction.own_data import own_ratings

STEM = "audit_02_how_reliable"
DEFAULTS = parameters.as_published(STEM)


def given(**changed):
    return SimpleNamespace(**parameters.checked(DEFAULTS | changed))


def test_without_a_file_it_is_the_example():
    own = own_ratings.load(given())
    assert (own.source, len(own.ratings.items)) == ("ratings.csv", 300)
    assert own.second is not None and own.suggested is not None
    assert own.notes == ()


def test_a_relative_path_starts_where_the_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text(
        "id,a,b,told\n1,x,-,x\n2,y,y,x\n", encoding="utf-8"
    )
    own = own_ratings.load(given(ratings="mine.csv", suggested="told"))
    assert own.source == "mine.csv"
    assert list(own.ratings.raters) == ["a", "b"]
    assert own.suggested.tolist() == ["x", "x"]
    assert own.second is None
    assert len(own.notes) == 1 and "'-' once" in own.notes[0]
    told = own_ratings.load(given(ratings="mine.csv", missing=["-"])).notes
    assert told == ("cells that --missing leaves out: 1",)
    few = own_ratings.load(given(ratings="mine.csv", columns=["a", "b"]))
    assert list(few.ratings.raters) == ["a", "b"]
    with pytest.raises(
        UnreadableError, match=re.escape(f"{tmp_path / 'none.csv'}: No")
    ):
        own_ratings.load(given(ratings="none.csv"))
    second = own_ratings.load(given(ratings="mine.csv", second="mine.csv")).second
    assert second is not None


FILES = {
    "two raters, one label": ("item,a,b\n1,x,x\n2,x,x\n3,x,\n", {}),
    "nobody shares an item": ("item,rater,label\n1,a,x\n2,b,y\n", {}),
    "numbers": (
        "item,a,b,c\n" + "".join(f"{i},{i % 5},{i % 4},{i % 5}.5\n" for i in range(40)),
        {"distance": "interval", "confidence": 0.9},
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_the_notebook_runs_on_other_files(name, tmp_path, monkeypatch):
    pytest.importorskip("papermill")
    text, more = FILES[name]
    path = tmp_path / "mine.csv"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setenv(paths.FIGURES_VARIABLE, str(tmp_path))
    result = notebooks.execute(STEM, tmp_path, {"ratings": str(path)} | more)
    assert result.error == ""
    assert "mine.csv" in (tmp_path / "reliability.html").read_text(encoding="utf-8")
