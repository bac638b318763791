"""The sweeps in sweeps/: a run with a set's parameters gives the row that is kept."""

from zlib import compress

import pandas as pd
import pytest

from labelaudit.sweeps import grid, notebook, task
from reproduction.machinery import paths
from reproduction.sweeps import keeping

STEMS = keeping.stems()


def asked(stem):
    source = notebook.read(paths.SWEEPS / f"{stem}.ipynb")
    return source, grid.read(paths.SWEEPS / f"{stem}.toml", source.defaults)


@pytest.mark.parametrize("stem", STEMS)
def test_a_set_gives_its_row_again(stem):
    source, found = asked(stem)
    kept = pd.read_csv(paths.SWEPT / f"{stem}.csv")
    for at in (0, len(found.sets) // 2):
        outcome = task.execute(
            task.Source(
                compress(source.text.encode()),
                str(paths.SWEEPS),
                str(paths.sweep_output(stem)),
                notebook.library(),
                tuple(source.defaults),
            ),
            found.sets[at].given,
        )
        assert outcome.error == ""
        row = kept.iloc[at]
        for name, value in outcome.values.items():
            missing = value is None
            assert pd.isna(row[name]) if missing else row[name] == pytest.approx(value)
