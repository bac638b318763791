"""The draw of a sheet against another implementation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import drawing_oracle as oracle
import labelaudit as la
from labelaudit import commands
from labelaudit.files import sheets
from labelaudit.plans import draw as drawing

SEEDS = [0, 1, 7, 100, 2**32, 10**9 - 1, 2**200 + 3]


@pytest.mark.parametrize("seed", SEEDS)
def test_raw_words_are_those_of_the_published_generator(seed):
    assert np.random.PCG64(seed).random_raw(50).tolist() == oracle.first(50, seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("size", "sample"), [(1, 1), (2, 2), (10, 4), (1000, 1000), (10**6, 300)]
)
def test_a_draw_is_fisher_and_yates_shuffle_of_these_words(size, sample, seed):
    drawn = drawing.draw(size, sample, seed)
    assert drawn.tolist() == oracle.drawn(size, sample, seed)


@given(
    st.integers(1, 40),
    st.lists(st.integers(0, 60) | st.integers(oracle.WORD - 60, oracle.WORD - 1)),
    st.data(),
)
def test_words_that_would_favour_some_items_are_passed_over(size, words, data):
    """Words near 2^64, which are rare; each end is refused by exact arithmetic."""
    sample = data.draw(st.integers(0, size))
    stream = words + [3**k % oracle.WORD for k in range(20, 100)]
    ahead = iter(stream)
    found = drawing.shuffled(
        size, sample, lambda n: np.array([next(ahead) for _ in range(n)], np.uint64)
    )
    assert found.tolist() == oracle.order(size, sample, stream)


def test_a_longer_sample_begins_with_a_shorter_one():
    long = drawing.draw(1000, 600, seed=5)
    assert len(set(long)) == 600
    for sample in (0, 1, 17, 599):
        assert drawing.draw(1000, sample, seed=5).tolist() == long[:sample].tolist()


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="lot_size must be at most 10,000,000"):
        drawing.draw(10_000_001, 5, 1)
    with pytest.raises(ValueError, match="seed must be"):
        drawing.draw(10, 5, -1)


# Sheets ---------------------------------------------------------------------------


def plan_cell(path):
    return pd.read_csv(path, dtype=str)["plan"][0]


def test_a_sheet_names_the_version_of_its_draw(tmp_path, capsys):
    path = tmp_path / "s.csv"
    levels = ["--p-a", ".02", "--p-r", ".05", "--alpha", ".05", "--beta", ".1"]
    more = ["--lot-size", "300", "--sheet", str(path), "--seed", "5", "--json"]
    assert commands.main(["plan", *levels, *more]) == 0
    assert '"draw": 2' in capsys.readouterr().out
    assert " seed=5 draw=2 " in plan_cell(path)
    plan = la.single_plan(la.RELAXED, 300)
    drawn = pd.read_csv(path)["item"] - 1
    assert drawn.tolist() == oracle.drawn(300, plan.max_sample, 5)


def test_the_sheet_of_a_process_has_no_draw():
    plan = la.single_plan(la.RELAXED)
    told = sheets.about(plan, kind="single", seed=None)
    assert not {"seed", "draw"} & set(told)
