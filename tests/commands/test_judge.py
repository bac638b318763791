"""labelaudit estimate --judge: what a judge calls wrong, and the rest."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from labelaudit.files import strata
from typed import call, told

SIZE, WIDTH = 600, ["--half-width", ".05"]


@pytest.fixture
def lot(tmp_path, monkeypatch):
    """Items with a judge's word, the truth, and who labelled them; items.csv."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(2)
    wrong = random.random(SIZE) < 0.1
    called = np.where(wrong, random.random(SIZE) < 0.8, random.random(SIZE) < 0.05)
    frame = pd.DataFrame({"item": [f"i{k}" for k in range(SIZE)]})
    frame["by"] = random.choice(["ann", "bob", ""], SIZE, p=[0.6, 0.37, 0.03])
    frame["model"] = np.where(called, "TRUE", "FALSE")
    frame["note"] = np.where(called, "1", np.where(np.arange(SIZE) % 2, "01", "0"))
    frame.to_csv("items.csv", index=False)
    return frame.assign(wrong=wrong).set_index("item")


def drawn(capsys, *more, seed=5, sheet="sheet.csv"):
    made = ["--items", "items.csv", "--judge", "model=TRUE", *more]
    return told(capsys, "estimate", *WIDTH, *made, "--sheet", sheet, "--seed", seed)


def filled(lot, sheet="sheet.csv", rows=None, **changed):
    """The sheet with the truth in its column wrong, for so many rows."""
    frame = pd.read_csv(sheet, dtype=str, keep_default_na=False)
    truth = lot.loc[frame["item"], "wrong"].astype(int).astype(str).to_numpy()
    frame["wrong"] = np.where(np.arange(len(frame)) < (rows or len(frame)), truth, "")
    frame = frame.assign(**{k: of(frame) for k, of in changed.items()})
    frame.to_csv("filled.csv", index=False)
    return frame


def pairs(lot, items):
    """(x_1, x_2), (n_1, n_2), (N_1, N_2) as the truth has them."""
    mine, calls = lot.loc[items], lot["model"] == "TRUE"
    of = mine["model"] == "TRUE"
    x, n = mine["wrong"][of].sum(), of.sum()
    return (
        (int(x), int(mine["wrong"].sum() - x)),
        (int(n), int(len(mine) - n)),
        (int(calls.sum()), int((~calls).sum())),
    )


def test_a_sample_of_each_stratum(lot, capsys):
    plain = told(capsys, "estimate", *WIDTH, "--lot-size", SIZE)
    found = drawn(capsys)
    called, n = int((lot["model"] == "TRUE").sum()), plain["max_sample"]
    first = round(n * (Fraction(called, SIZE) + Fraction(1, 2)) / 2)
    assert found["strata"] == [
        {"judge": "wrong", "lot_size": called, "sample_size": min(first, called)},
        {
            "judge": "right",
            "lot_size": SIZE - called,
            "sample_size": n - min(first, called),
        },
    ]
    assert {k: found[k] for k in plain} == plain
    frame = filled(lot)
    _, sizes, lots = pairs(lot, frame["item"])
    assert [*zip(sizes, lots)] == [
        (one["sample_size"], one["lot_size"]) for one in found["strata"]
    ]
    assert frame["item"].is_unique
    # In the order of one shuffle, so that nobody sees the strata in it.
    assert frame["model"].ne(frame["model"].shift()).sum() > 20
    status, out, _ = call(
        capsys, "estimate", *WIDTH, "--items", "items.csv", "--judge", "model=TRUE"
    )
    assert status == 0 and "the half width is expected, not promised" in out


def test_the_verdict_is_that_of_two_strata(lot, capsys):
    plan = drawn(capsys)
    frame = filled(lot)
    found = told(capsys, "verdict", "filled.csv")
    x, n, sizes = pairs(lot, frame["item"])
    audit = found["audit"]
    assert audit["verdict"] == "estimate"
    assert (audit["inspected"], audit["errors_found"]) == (sum(n), sum(x))
    assert (audit["low"], audit["high"]) == la.stratified_interval(x, n, sizes)
    rate = sum(size * k / m for k, m, size in zip(x, n, sizes)) / SIZE
    assert audit["rate"] == pytest.approx(rate)
    assert found["strata"] == plan["strata"]
    assert f"Found wrong: {x[0]} and {x[1]}, which makes" in audit["report"]
    other = told(capsys, "verdict", "filled.csv", "--confidence", ".8")["audit"]
    ends = la.stratified_interval(x, n, sizes, confidence=0.8)
    assert (other["low"], other["high"]) == ends


def test_groups_have_strata_too(lot, capsys):
    drawn(capsys)
    frame = filled(lot)
    groups = told(capsys, "verdict", "filled.csv", "--by", "by")["audit"]["groups"]
    assert set(groups) == {"ann", "bob", ""}
    for name, found in groups.items():
        group = lot[lot["by"] == name]
        mine = [item for item in frame["item"] if item in group.index]
        x, n, sizes = pairs(group, mine)
        level = 1 - 0.05 / 3
        ends = la.stratified_interval(x, n, sizes, confidence=level)
        assert (found["low"], found["high"]) == ends
        assert (found["inspected"], found["errors_found"]) == (sum(n), sum(x))
    filled(lot, mood=lambda f: "good")
    status, _, err = call(capsys, "verdict", "filled.csv", "--by", "mood")
    assert status == 2 and "these samples give no interval for a group" in err


def test_before_the_end_there_is_a_rate_and_no_interval(lot, capsys):
    drawn(capsys)
    frame = filled(lot, rows=40)
    audit = told(capsys, "verdict", "filled.csv")["audit"]
    x, n, sizes = pairs(lot, frame["item"][:40])
    rate = sum(size * k / m for k, m, size in zip(x, n, sizes)) / SIZE
    assert (audit["verdict"], audit["low"]) == ("continue", None)
    assert audit["rate"] == pytest.approx(rate)


def test_a_spreadsheet_may_write_the_judges_word_in_its_own_way(lot, capsys):
    drawn(capsys)
    filled(lot)
    expected = told(capsys, "verdict", "filled.csv")
    filled(lot, model=lambda f: f["model"].map({"TRUE": "WAHR", "FALSE": "FALSCH"}))
    assert told(capsys, "verdict", "filled.csv") == expected
    filled(lot, model=lambda f: "TRUE")
    status, _, err = call(capsys, "verdict", "filled.csv")
    assert status == 2 and "not the row that was written" in err


def test_several_batches(lot, capsys):
    for name, rows in (("a", slice(0, 350)), ("b", slice(350, None))):
        lot.iloc[rows].drop(columns="wrong").to_csv(f"{name}.csv")
    made = ["--items", "a.csv", "b.csv", "--judge", "model=TRUE"]
    told(capsys, "estimate", *WIDTH, *made, "--sheet", "s.csv", "--seed", 1)
    frame = filled(lot, "s-b.csv")
    audit = told(capsys, "verdict", "filled.csv")["audit"]
    ends = la.stratified_interval(
        *pairs(lot.iloc[350:], frame["item"])[:2],
        [int(((lot["model"] == word).iloc[350:]).sum()) for word in ("TRUE", "FALSE")],
    )
    assert (audit["low"], audit["high"]) == ends


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lot-size", 600, "--judge", "model=TRUE"], "--judge goes with --items"),
        (["--judge", "model"], "'model' is not COL=VALUE"),
        (["--judge", "models=TRUE"], "--judge names the column 'models', which the"),
        (["--judge", "model=yes"], "no item has 'yes' in the column 'model'"),
        (["--judge", "note=1"], "a spreadsheet writes '1' and '01' in the column"),
    ],
)
def test_refusals(lot, capsys, arguments, message):
    items = [] if "--lot-size" in arguments else ["--items", "items.csv"]
    status, out, err = call(capsys, "estimate", *WIDTH, *items, *arguments)
    assert (status, out) == (2, "")
    assert message in " ".join(err.split())


def test_samples_that_take_more_than_a_minute_are_refused(tmp_path, capsys):
    file = tmp_path / "many.csv"
    rows = "\n".join(f"{k},{k % 9 == 0}" for k in range(8000))
    file.write_text(f"item,model\n{rows}\n", encoding="utf-8")
    made = ["--items", file, "--judge", "model=True"]
    status, _, err = call(
        capsys, "estimate", *made, "--half-width", ".01", "--rate", ".1"
    )
    assert status == 2 and "for more than 2,000 takes more than a minute" in err


def test_each_item_of_a_stratum_is_drawn_as_often_as_any_other():
    suspect = np.array([True, False, False, True, False, True])
    often = np.zeros(6)
    for seed in range(3000):
        found = strata.drawn(suspect, (2, 1), seed)
        assert suspect[found].sum() == 2 and len({*found.tolist()}) == 3
        often[found] += 1
    # 4 standard deviations of a binomial share
    expected = np.where(suspect, 2 / 3, 1 / 3)
    assert np.abs(often / 3000 - expected).max() < 4 * np.sqrt(2 / 9 / 3000)
