"""The sweeps in sweeps/: their grids, their results, and that one gives the other."""

import pandas as pd
import pytest

import labelaudit as la
from labelaudit.sweeps import grid, notebook, results
from reproduction.beyond import rivals, savings
from reproduction.machinery import notebooks
from reproduction.sweeps import keeping

STEMS = keeping.stems()


def asked(stem):
    source = notebook.read(keeping.SWEEPS / f"{stem}.ipynb")
    return source, grid.read(keeping.SWEEPS / f"{stem}.toml", source.cell)


@pytest.mark.parametrize("stem", STEMS)
def test_every_set_of_the_grid_has_its_row(stem):
    _, found = asked(stem)
    kept = pd.read_csv(keeping.SWEPT / f"{stem}.csv")
    names = [*dict.fromkeys(name for one in found for name in one.given)]
    assert kept.columns[: len(names)].tolist() == names
    for name in names:
        wanted = [results._plain(one.whole[name]) for one in found]
        assert kept[name].tolist() == wanted
    assert len(kept.columns) > len(names)
    assert not set(kept.columns) & set(grid.OWN_COLUMNS)


@pytest.mark.parametrize("stem", STEMS)
def test_the_notebook_that_runs_is_clean_and_reads_well(stem):
    file = keeping.SWEEPS / f"{stem}.ipynb"
    made = notebooks.read(file)
    assert notebooks.clean(made) == file.read_text(encoding="utf-8")
    assert made["cells"][0]["cell_type"] == "markdown"
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []


def test_each_has_a_notebook_that_reads_it():
    readers = [s for s in notebooks.stems() if s.startswith("sweep_")]
    # beyond_01_how_few reads those of savings and rivals, teach_03 that of clusters.
    others = savings.SWEEP, rivals.SWEEP, "clusters"
    assert sorted([*(s.split("_", 2)[2] for s in readers), *others]) == STEMS


def test_results_of_another_grid(tmp_path):
    stem = STEMS[0]
    kept = keeping.results(stem)
    mine = kept.assign(status="done", seconds=1.0)
    mine.loc[1, "status"] = "failed"
    path = tmp_path / "results.csv"
    mine.to_csv(path, index=False)
    again = keeping.results(stem, str(path))
    pd.testing.assert_frame_equal(again, kept.drop(index=1).reset_index(drop=True))
    mine.drop(columns=kept.columns[-1]).to_csv(path, index=False)
    with pytest.raises(ValueError, match=f"has no column '{kept.columns[-1]}'"):
        keeping.results(stem, str(path))
    mine.assign(status="failed").to_csv(path, index=False)
    with pytest.raises(ValueError, match="has no set that is done"):
        keeping.results(stem, str(path))


# Others than the first and a middle one: of two coefficients and of two kinds of sizes.
SETS = {"clusters": (16, 118)}


@pytest.mark.parametrize("stem", STEMS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_set_gives_its_row_again(stem, monkeypatch):
    """Its cells run here: what a sweep makes of a notebook is tested with sweeps."""
    _, found = asked(stem)
    kept, record, values = keeping.results(stem), la.record, {}
    monkeypatch.setattr(la, "record", lambda **new: record(**new) or values.update(new))
    made = notebooks.read(keeping.SWEEPS / f"{stem}.ipynb")
    first, *rest = (c.source for c in made.cells if c.cell_type == "code")
    for at in SETS.get(stem, (0, len(found) // 2)):
        space = {}
        exec(first, space)
        exec("\n".join(rest), space | found[at].given)
        row = kept.loc[at, [*values]]
        assert row.to_dict() == pytest.approx(values, nan_ok=True)
