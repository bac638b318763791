"""labelaudit agree --model: a column, the library's numbers, and refusals."""

import json

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
import typed

RANDOM = np.random.default_rng(8)
TRUTH = RANDOM.integers(1, 4, 80)


def noisy(wrong):
    return np.where(RANDOM.random(80) < wrong, RANDOM.integers(1, 4, 80), TRUTH)


TABLE = pd.DataFrame(
    {
        "item": [f"t{k}" for k in range(80)],
        "ann": noisy(0.2),
        "bob": noisy(0.2),
        "cid": noisy(0.5),
        "bot": noisy(0.1),
    }
)
LONG = TABLE.melt(["item", "bot"], var_name="rater", value_name="label")
KEYS = {"scoring", "epsilon", "winning_rate", "advantage", "passed", "per_rater"}


def call(capsys, *arguments):
    return typed.call(capsys, "agree", *arguments)


def written(folder, table):
    table.to_csv(folder / "ratings.csv", index=False)
    return folder / "ratings.csv"


@pytest.mark.parametrize("distance", ["nominal", "interval", "ratio", "ordinal"])
@pytest.mark.parametrize("table", [TABLE, LONG], ids=["wide", "long"])
def test_the_numbers_are_the_librarys(capsys, tmp_path, table, distance):
    how = ("--model", "bot", "--distance", distance)
    status, out, _ = call(capsys, written(tmp_path, table), *how, "--json")
    plain = json.loads(out)
    found = plain["alternative_annotator"]
    scoring = "neg_rmse" if distance in ("interval", "ratio") else "accuracy"
    r = la.Ratings.from_matrix(TABLE.set_index("item")[["ann", "bob", "cid"]])
    expected = la.alternative_annotator(r, [*TABLE["bot"]], scoring=scoring)
    assert status == 0 and plain["n_raters"] == 3
    assert set(found) == KEYS and found["scoring"] == scoring
    for name in ("epsilon", "winning_rate", "advantage", "passed"):
        assert found[name] == pytest.approx(getattr(expected, name))
    rows = pd.DataFrame(found["per_rater"]).set_index("rater")
    pd.testing.assert_frame_equal(rows, expected.per_rater)


def test_for_people(capsys, tmp_path):
    status, out, _ = call(capsys, written(tmp_path, TABLE), "--model", "bot")
    assert status == 0 and "model against raters:" in out
    assert "The model may stand in for the raters" in out and "human_advantage" in out


def test_no_rater_is_tested(capsys, tmp_path):
    path = written(tmp_path, TABLE.head(12))
    status, out, err = call(capsys, path, "--model", "bot")
    assert status == 0 and "is not known: none is tested" in out
    assert "no rater has 30 items" in err
    _, out, _ = call(capsys, path, "--model", "bot", "--json")
    found = json.loads(out)["alternative_annotator"]
    assert found["winning_rate"] is None and found["passed"] is False


def test_rows_that_stand_for_several(capsys, tmp_path):
    counted = TABLE.drop(columns="item").assign(times=2)
    how = ("--model", "bot", "--times", "times", "--json")
    status, out, _ = call(capsys, written(tmp_path, counted), *how)
    rows = json.loads(out)["alternative_annotator"]["per_rater"]
    assert status == 0 and [one["items"] for one in rows] == [160] * 3


def test_a_model_has_one_label_for_an_item(capsys, tmp_path):
    wrong = LONG.copy()
    wrong.loc[wrong.index[-1], "bot"] = wrong["bot"].iloc[-1] % 3 + 1
    status, _, err = call(capsys, written(tmp_path, wrong), "--model", "bot")
    assert status == 2 and "a second model label for item 't79'" in err


@pytest.mark.parametrize("table", [TABLE, LONG], ids=["wide", "long"])
@pytest.mark.parametrize(
    ("column", "message"),
    [("robot", "has no column 'robot'"), ("item", "each needs its own")],
)
def test_wrong_columns(capsys, tmp_path, table, column, message):
    how = ("--model", column, "--item", "item")
    status, _, err = call(capsys, written(tmp_path, table), *how)
    assert status == 2 and message in err


def test_a_rater_is_no_model(capsys, tmp_path):
    how = ("--model", "ann", "--raters", "ann,bob")
    status, _, err = call(capsys, written(tmp_path, TABLE), *how)
    assert status == 2 and "--raters and --model are both the column 'ann'" in err


@pytest.mark.parametrize("test", ["t", "exact"])
def test_epsilon_and_the_test_can_be_chosen(capsys, tmp_path, test):
    how = ("--model", "bot", "--epsilon", "30%", "--model-test", test, "--json")
    status, out, _ = call(capsys, written(tmp_path, TABLE), *how)
    found = json.loads(out)["alternative_annotator"]
    r = la.Ratings.from_matrix(TABLE.set_index("item")[["ann", "bob", "cid"]])
    expected = la.alternative_annotator(r, [*TABLE["bot"]], epsilon=0.3, test=test)
    rows = pd.DataFrame(found["per_rater"]).set_index("rater")
    assert status == 0 and found["epsilon"] == 0.3
    pd.testing.assert_frame_equal(rows, expected.per_rater)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (("--epsilon", "0.1"), "--epsilon is about a model: --model names its column"),
        (("--model-test", "t"), "--model-test is about a model"),
        (("--model", "bot", "--epsilon", "1"), "epsilon must be a number from 0"),
    ],
)
def test_epsilon_without_a_model_or_out_of_range(capsys, tmp_path, how, message):
    table = TABLE if "--model" in how else TABLE.drop(columns="bot")
    status, _, err = call(capsys, written(tmp_path, table), *how)
    assert status == 2 and message in err
