"""What a pipeline does with labelaudit agree: exit status, gold, written files."""

import io
import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
import typed

RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.choice(["no", "yes"], 200)
LABELS = {
    name: np.where(RANDOM.random(200) < 0.1, "no", TRUTH) for name in ("a", "b", "c")
}
WIDE = pd.DataFrame({"item": [f"t{k}" for k in range(200)], **LABELS, "gold": TRUTH})
WIDE["d"] = "yes"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "wide.csv"
    WIDE.to_csv(file, index=False)
    return file


def call(capsys, *arguments):
    return typed.call(capsys, "agree", *arguments)


RATERS = ("--raters", "a,b,c")


def test_a_reader_that_has_read_enough_is_no_failure(path):
    reader, writer = os.pipe()
    os.close(reader)
    ask = [sys.executable, "-m", "labelaudit", "agree", str(path), *RATERS]
    done = subprocess.run(ask, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.returncode == 0
    assert all(line.startswith(b"note: ") for line in done.stderr.splitlines())


def test_a_requirement_holds_by_the_lower_limit(capsys, path):
    r = la.Ratings.from_matrix(WIDE[["a", "b", "c"]])
    alpha = la.krippendorff_alpha(r)
    low = alpha.interval()[0]
    assert 0.5 < low < alpha.value
    for least, expected in ((low - 1e-6, 0), (low + 1e-6, 3)):
        for sign in (" >= ", "="):
            wanted = ("--require", f"krippendorff_alpha{sign}{least:.9f}")
            status, out, err = call(capsys, path, *RATERS, *wanted, "--json")
            assert status == expected
            assert ("does not hold" in err) == (expected == 3)
            json.loads(out)


@pytest.mark.parametrize(
    "wanted",
    [
        "alpha>=0.5",
        "krippendorff_alpha>0.5",
        "krippendorff_alpha<=0.5",
        "",
        "fleiss_kappa",
    ],
)
def test_a_wrong_requirement_is_a_wrong_call(capsys, path, wanted):
    status, _, err = call(capsys, path, "--require", wanted)
    assert status == 2 and "--require takes NAME=X" in err


def alike(folder, n, used="yn"):
    """n items on which two raters always agree."""
    path = folder / f"alike{n}.csv"
    labels = [used[k % len(used)] for k in range(n)]
    rows = "".join(f"{k},{one},{one}\n" for k, one in enumerate(labels))
    path.write_text(f"item,a,b\n{rows}", encoding="utf-8")
    return path


def test_full_agreement_counts_as_one_from_thirty_items_on(capsys, tmp_path):
    """Where there is no limit: with one label in use."""
    more = ("--labels", "y,n", "--require", "bennett_s=1")
    for n, used, expected in ((30, "y", 0), (29, "y", 3), (30, "yn", 3)):
        status, _, err = call(capsys, alike(tmp_path, n, used), *more)
        assert status == expected
        assert ("29 items are fewer than 30" in err) == (n == 29)
        assert ("the lower limit of Bennett's S is 0.7" in err) == (used == "yn")


def test_a_coefficient_that_does_not_fit_is_no_pass(capsys, tmp_path):
    wanted = ("--require", "weighted_kappa>=0")
    status, _, err = call(capsys, alike(tmp_path, 30), *wanted)
    assert status == 3 and "Weighted kappa has no value" in err


def test_accuracy_against_gold_is_the_librarys(capsys, path):
    status, out, _ = call(capsys, path, *RATERS, "--gold", "gold", "--json")
    found = json.loads(out)["accuracy"]
    r = la.Ratings.from_matrix(WIDE.set_index("item")[["a", "b", "c"]])
    expected = la.accuracy(r, TRUTH)
    assert status == 0
    assert found["overall"]["value"] == pytest.approx(expected.value)
    assert found["overall"]["low"] == pytest.approx(expected.interval()[0])
    right = {name: float((LABELS[name] == TRUTH).mean()) for name in "abc"}
    assert {one["rater"]: one["value"] for one in found["by_rater"]} == pytest.approx(
        right
    )
    labels = {one["label"]: one["n_items"] for one in found["by_label"]}
    assert labels == {name: int((name == TRUTH).sum()) for name in ("no", "yes")}
    assert set(found["overall"]) == {"value", "low", "high", "n_items", "n_ratings"}
    assert "against gold labels" in call(capsys, path, *RATERS, "--gold", "gold")[1]


def test_a_report_shows_what_the_labels_were_compared_with(capsys, path, tmp_path):
    more = ("--gold", "gold", "--model", "d", "--report", tmp_path / "r.html")
    status, out, _ = call(capsys, path, *RATERS, *more)
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert status == 0 and f"<p>{out.splitlines()[0]}</p>" in html
    told = next(line.split() for line in out.splitlines() if line.startswith("all "))
    assert f'<td class="text">all</td><td>{told[1]}</td><td>{told[2]}</td>' in html
    assert "model against raters: The model may not stand in" in html


def test_raters_and_consensus_are_written_and_not_over_others(capsys, path, tmp_path):
    out, names = tmp_path / "raters.csv", ("--raters", "a,b,c,d")
    best = tmp_path / "consensus.csv"
    written = ("--raters-out", out, "--consensus", best)
    status, printed, _ = call(capsys, path, *names, *written, "--json")
    assert status == 0
    table = pd.read_csv(out, keep_default_na=False)
    assert [*table.columns] == ["rater", "judgments", "p_value", "reasons", "flagged"]
    assert table.set_index("rater")["flagged"].to_dict() == {
        "a": False,
        "b": False,
        "c": False,
        "d": True,
    }
    (flag,) = json.loads(printed)["flags"]
    assert set(flag) == {"rater", "judgments", "p_value", "reasons"}
    assert flag["rater"] == "d" and "gives 'yes' only" in flag["reasons"]
    consensus = pd.read_csv(best)
    assert [*consensus.columns] == ["item", "label", "probability", "no", "yes"]
    assert (consensus["label"] == TRUTH).mean() > 0.95
    total = consensus[["no", "yes"]].sum(axis=1)
    np.testing.assert_allclose(total, 1, atol=1e-8)
    shares = best.read_text(encoding="utf-8").split()[1].split(",")[2:]
    assert all(len(share) <= 8 and "e" not in share for share in shares)
    before = out.read_bytes()
    status, _, err = call(capsys, path, *names, *written)
    assert status == 2 and "--force" in err and out.read_bytes() == before
    assert call(capsys, path, *names, *written, "--force")[0] == 0


def test_standard_input(capsys, monkeypatch):
    text = WIDE.drop(columns=["gold", "d"]).to_csv(index=False)
    stream = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr("sys.stdin", stream)
    status, out, _ = call(capsys, "-")
    assert status == 0 and "standard input: 200 items, 3 raters" in out


TOGETHER = [
    (["--no-header"], "--no-header and --columns go together"),
    (["--columns", "a,b"], "--no-header and --columns go together"),
    (["--split", ",", "--sets", ","], "--split and --sets must differ"),
    (["--sets", ""], "--sets must be a text"),
    (["--distance", "masi"], "say by --sets"),
    (["--distance", "interval", "--sets", ";"], "take nominal, jaccard or masi"),
]


@pytest.mark.parametrize(("more", "words"), TOGETHER)
def test_options_that_do_not_go_together(capsys, path, more, words):
    status, out, err = call(capsys, path, *more)
    assert status == 2 and words in err and out == ""


def test_labels_that_begin_with_a_minus(capsys, tmp_path):
    file = tmp_path / "signed.csv"
    file.write_text("item,a,b\n1,-1,-1\n2,0,1\n3,1,1\n", encoding="utf-8")
    for labels in (["--labels", "-1,0,1"], ["--labels=-1,0,1"]):
        status, out, _ = call(capsys, file, *labels, "--distance", "interval", "--json")
        assert status == 0
        assert json.loads(out)["labels"] == [-1, 0, 1]


def test_notes_of_one_kind_are_one(capsys, tmp_path):
    file = tmp_path / "boxes.csv"
    rows = [[RANDOM.permutation(60)[:4] for _ in "abc"] for _ in range(40)]
    text = "".join(
        f"{k},{','.join(' '.join(map(str, box)) for box in row)}\n"
        for k, row in enumerate(rows)
    )
    file.write_text(f"item,a,b,c\n{text}", encoding="utf-8")
    _, _, err = call(capsys, file, "--raters", "a,b,c", "--sets", " ")
    notes = [line for line in err.splitlines() if line.startswith("note: ")]
    assert len(notes) <= 4 and "set_index" not in err
    assert sum("too rare to judge" in note for note in notes) == 1
    assert "and 117 more labels" in err


def test_numbers_compared_as_equal_or_not_may_be_grades(capsys, tmp_path):
    file = tmp_path / "grades.csv"
    rows = "".join(f"{k},{k % 6 + 1},{(k * k) % 6 + 1}\n" for k in range(40))
    file.write_text(f"item,a,b\n{rows}", encoding="utf-8")
    _, _, err = call(capsys, file)
    assert "labels are 6 numbers, 1 to 6, compared as equal or not" in err
    assert "grades" not in call(capsys, file, "--distance", "ordinal")[2]
