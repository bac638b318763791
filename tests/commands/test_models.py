"""labelaudit agree --model: a column, the library's numbers, and refusals."""

import numpy as np
import pandas as pd
import pytest

import labelaudit as la

RANDOM = np.random.default_rng(8)
TRUTH = RANDOM.integers(1, 4, 80)


def noisy(wrong):
    return np.where(RANDOM.random(80) < wrong, RANDOM.integers(1, 4, 80), TRUTH)


WRONG = {"ann": 0.2, "bob": 0.2, "cid": 0.5, "bot": 0.1}
TABLE = pd.DataFrame({name: noisy(wrong) for name, wrong in WRONG.items()})
TABLE.insert(0, "item", [f"t{k}" for k in range(80)])
LONG = TABLE.melt(["item", "bot"], var_name="rater", value_name="label")
RATINGS = la.Ratings.from_matrix(TABLE.set_index("item")[["ann", "bob", "cid"]])
ASK = "agree m.csv --model bot"


@pytest.mark.parametrize(
    ("more", "how"),
    [
        ("", {}),
        ("--distance interval", {"scoring": "neg_rmse"}),
        ("--distance ratio", {"scoring": "neg_rmse"}),
        ("--distance ordinal", {}),
        ("--epsilon 30% --model-test t", {"epsilon": 0.3}),
        ("--epsilon 0.3 --model-test exact", {"epsilon": 0.3, "test": "exact"}),
    ],
)
def test_the_numbers_are_the_librarys(folder, told, more, how):
    expected = la.alternative_annotator(RATINGS, [*TABLE["bot"]], **how)
    for table in (TABLE, LONG):
        table.to_csv("m.csv", index=False)
        plain = told(f"{ASK} {more}")
        found = plain["alternative_annotator"]
        rows = pd.DataFrame(found.pop("per_rater")).set_index("rater")
        pd.testing.assert_frame_equal(rows, expected.per_rater)
        names = ("scoring", "epsilon", "winning_rate", "advantage", "passed")
        assert found == {name: getattr(expected, name) for name in names}
        assert plain["n_raters"] == 3


def test_for_people_and_where_no_rater_is_tested(folder, call, told):
    TABLE.to_csv("m.csv", index=False)
    status, out, _ = call(ASK)
    assert status == 0 and "model against raters:" in out
    assert "The model may stand in for the raters" in out and "human_advantage" in out
    TABLE.head(12).to_csv("m.csv", index=False)
    status, out, err = call(ASK)
    assert status == 0 and "is not known: none is tested" in out
    assert "no rater has 30 items" in err
    found = told(ASK)["alternative_annotator"]
    assert found["winning_rate"] is None and found["passed"] is False


def test_rows_that_stand_for_several(folder, told):
    wide = TABLE.drop(columns="item").assign(times=2, gold=TRUTH, shown=TRUTH)
    wide.to_csv("m.csv", index=False)
    found = told(f"{ASK} --times times --gold gold --suggested shown")
    rows = found["alternative_annotator"]["per_rater"]
    assert [one["items"] for one in rows] == [160] * 3
    right = (TABLE[["ann", "bob", "cid"]].to_numpy() == TRUTH[:, None]).mean()
    assert found["accuracy"]["overall"]["value"] == pytest.approx(right)
    assert found["suggested"]["followed"]["value"] == pytest.approx(right)


def test_a_long_file_is_checked(folder, refused):
    wrong = LONG.copy()
    wrong.loc[wrong.index[-1], "bot"] = wrong["bot"].iloc[-1] % 3 + 1
    wrong.to_csv("m.csv", index=False)
    refused("a second model label for item 't79'", ASK)
