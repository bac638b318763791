"""The draw of a sheet against another implementation, and that of labelaudit 0.1."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import drawing_oracle as oracle
import labelaudit as la
from labelaudit import commands
from labelaudit.files import lots, sheets
from labelaudit.plans import draw as drawing
from reproduction.machinery import paths

SEEDS = [0, 1, 7, 100, 2**32, 10**9 - 1, 2**200 + 3]
OLD = paths.ROOT / "tests" / "data" / "sheet_of_0.1.csv"


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
    with pytest.raises(ValueError, match="draw must be 1 or 2, which are known here"):
        drawing.draw(10, 5, 1, version=3)
    with pytest.raises(ValueError, match="lot_size must be at most 10,000,000"):
        drawing.draw(10_000_001, 5, 1)
    with pytest.raises(ValueError, match="seed must be"):
        drawing.draw(10, 5, -1)


# Sheets ---------------------------------------------------------------------------


def plan_cell(path):
    return pd.read_csv(path, dtype=str)["plan"][0]


def items():
    listed = lots.items(paths.MADE / "audit_items.csv")
    return listed.index.tolist()


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
    told = sheets.about(plan, kind="single", seed=None, listed=False)
    assert not {"seed", "draw"} & set(told)


def test_a_sheet_of_labelaudit_0_1_is_read(capsys):
    assert "draw=" not in plan_cell(OLD)
    assert commands.main(["plan", "--outcomes", str(OLD)]) == 0
    assert "ACCEPT" in capsys.readouterr().out
    filled = sheets.read(OLD, items())
    assert (filled.seed, filled.kind, filled.plan.lot_size) == (100, "optimal", 1000)


def test_a_sheet_of_labelaudit_0_1_is_compared_with_its_own_draw(tmp_path):
    """Two items that changed places are named, with those that were drawn."""
    frame = pd.read_csv(OLD, dtype=str, keep_default_na=False)
    old = np.random.default_rng(100).permutation(1000)[: len(frame)]
    assert frame["item"].tolist() == np.array(items())[old].tolist()
    one, other = frame["item"][4], frame["item"][2]
    frame.loc[[2, 4], "item"] = [one, other]
    path = tmp_path / "moved.csv"
    frame.to_csv(path, index=False)
    said = f"line 4: item '{one}' stands where '{other}' was drawn"
    with pytest.raises(sheets.UnreadableError, match=re.escape(said)):
        sheets.read(path, items())


def test_a_sheet_of_a_later_version_is_read_but_not_drawn_again(tmp_path):
    plan = la.single_plan(la.RELAXED, 300)
    told = sheets.about(plan, kind="single", seed=5, listed=False) | {"draw": "3"}
    sheet = la.inspection_sheet(plan, seed=5)
    path = tmp_path / "later.csv"
    path.write_text(sheets.text(sheet, told), encoding="utf-8")
    assert sheets.read(path).plan == plan
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    frame.loc[2, "item"] = "299"
    frame.to_csv(path, index=False)
    with pytest.raises(sheets.UnreadableError, match="line 4: not the row that was wr"):
        sheets.read(path)
