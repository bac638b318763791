"""labelaudit agree: the library's numbers, what is required, what is written."""

import json
import re
from html import escape
from math import isnan

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import quietly
from labelaudit.files.ratings import collection
from reproduction.machinery import paths

EXAMPLE = paths.MADE / "ratings.csv"
SECOND = paths.MADE / "ratings_second.csv"
LONG = "item,rater,label 1,a,yes 1,b,yes 2,a,no 2,b,yes 3,a,no 3,b,no 4,a, 4,b,no"
GRADES = [[1, 2, 1], [2, 2, None], [3, 3, 4], [1, 1, 1], [None, None, 2]]
RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.choice(["no", "yes"], 200)
WIDE = pd.DataFrame({"item": [f"t{k}" for k in range(200)]})
WIDE[["a", "b", "c"]] = np.where(RANDOM.random((200, 3)) < 0.1, "no", TRUTH[:, None])
WIDE = WIDE.assign(gold=TRUTH, d="yes")
ABC = "wide.csv --raters a,b,c"


@pytest.fixture(autouse=True)
def tables(folder):
    WIDE.to_csv("wide.csv", index=False)
    rows = [",".join(map(str, [k, *row])) for k, row in enumerate(GRADES)]
    grades = "\n".join(["id,ann,bob,cy", *rows]).replace("None", "")
    (folder / "grades.csv").write_text(grades, encoding="utf-8")


def test_a_long_table_and_the_same_wide_agree_with_the_library(file, agreed, call):
    long = agreed(file(*LONG.split()))
    assert agreed(file("item,a,b", "1,yes,yes", "2,no,yes", "3,no,no", "4,,no")) == long
    counts = {"n_items": 3, "n_raters": 2, "n_ratings": 6, "dropped": 1}
    assert counts.items() <= long.items() and long["labels"] == ["no", "yes"]
    assert long["n_clusters"] is None
    rows = [["yes", "yes"], ["no", "yes"], ["no", "no"], [None, "no"]]
    r = la.Ratings.from_matrix(rows)
    names = ["bennett_s", "fleiss_kappa", "krippendorff_alpha", "janson_olsson_iota"]
    names += ["gwet_ac1", "scott_pi", "cohen_kappa"]
    assert list(long["coefficients"]) == names
    parts = ["observed", "expected", "observed_disagreement", "expected_disagreement"]
    for name, found in long["coefficients"].items():
        one = getattr(la, name)(r)
        ends = (None if isnan(end) else end for end in quietly(one.interval))
        values = [getattr(one, part) for part in ("value", *parts, "standard_error")]
        expected = dict(zip(["value", *parts, "standard_error"], values))
        assert found == expected | dict(zip(("low", "high"), ends))
    named = "--item Nr --rater Who --label What"
    other = LONG.replace("item,rater,label", "Nr,Who,What")
    assert agreed(f"{file(*other.split())} {named}") == long

    status, out, err = call(f"agree {file(*LONG.split())}")
    assert status == 0 and "note: only 3 items with two judgments or more" in err
    head = "3 items, 2 raters, 6 judgments; labels no, yes; dropped for fewer than two"
    assert out.startswith(f"{head} judgments: 1\n")
    assert "krippendorff_alpha 0.444" in " ".join(out.split())
    assert "To quote: krippendorff_alpha;" in out


@pytest.mark.parametrize("distance", ["interval", "ordinal"])
def test_numbers_where_the_distance_needs_them(agreed, call, distance):
    """D_o and D_e of alpha in fractions; agreement is null, neither is shown."""
    more = f"grades.csv --distance {distance}"
    found = agreed(f"{more} --second grades.csv")
    assert found["labels"] == [1, 2, 3, 4]
    assert agreed("grades.csv")["labels"] == ["1", "2", "3", "4"]
    judgments = oracles.from_rows(GRADES)
    by_pairs = oracles.interval
    if distance == "ordinal":
        by_pairs = oracles.ordinal(judgments, [1, 2, 3, 4])
    exact = oracles.agreement("krippendorff_alpha", judgments, by_pairs)
    o, e = oracles.parts(exact)[2:]
    for name, row in found["coefficients"].items():
        agrees = name not in ("krippendorff_alpha", "janson_olsson_iota")
        assert (row["observed"] is not None) == agrees
        assert (row["expected"] is not None) == agrees
    assert "cohen_kappa" not in found["coefficients"]
    row = found["coefficients"]["krippendorff_alpha"]
    assert row["observed_disagreement"] == pytest.approx(o)
    assert row["expected_disagreement"] == pytest.approx(e)
    second = found["second"]
    for row in [second["cross_kappa"], second["reliability_x"]]:
        assert row["observed"] is row["expected"] is None
        assert row["observed_disagreement"] >= 0 < row["expected_disagreement"]
    assert second["normalized_cross_kappa"]["observed_disagreement"] is None
    _, out, _ = call(f"agree {more}")
    lines = out.split("\n")
    assert lines[2].split() == ["value", "standard_error", "low", "high"]
    told = next(line.split() for line in lines if line.startswith("krippendorff_alpha"))
    assert float(told[1]) == pytest.approx(1 - o / e, abs=5e-4)
    said = f"Observed disagreement is {o / e:.3f} of what chance would give."
    assert said in " ".join(out.split())


def test_labels_are_texts_declared_in_order_or_counted(file, agreed, call):
    found = agreed(file("item,x,y", "01,007,7", "02,1e3,1e3", "03,NA,None"))
    assert found["labels"] == ["007", "1e3", "7", "NA", "None"]
    signed = file("item,a,b", "1,-1,-1", "2,0,1", "3,1,1")
    for labels in ("--labels -1,0,1", "--labels=-1,0,1"):
        found = agreed(f"{signed} {labels} --distance interval")
        assert found["labels"] == [-1, 0, 1]
    rows = [["low", "mid"], ["high", "high"], ["mid", "mid"], ["low", "low"]]
    lines = [f"{k},{','.join(row)}" for k, row in enumerate(rows)]
    ordered = f"{file('item,a,b', *lines)} --distance ordinal"
    labels = ["low", "mid", "high"]
    found = agreed(f"{ordered} --labels", "low, mid, high")
    r = la.Ratings.from_matrix(rows, labels=labels)
    assert found["labels"] == labels
    alpha = found["coefficients"]["krippendorff_alpha"]["value"]
    assert alpha == la.krippendorff_alpha(r, "ordinal").value
    weighted = found["coefficients"]["weighted_kappa"]["value"]
    assert weighted == la.weighted_kappa(r, "quadratic").value
    assert "line 2: 'low' is not a number" in call(f"agree {ordered}")[2]
    named = file("split,id,x,y,n", "t,1,a,NA,2", "t,2,b,b,3", "t,3,a,a,1")
    found = agreed(f"{named} --item id --raters x,y --missing NA,none")
    assert (found["n_items"], found["n_raters"], found["dropped"]) == (2, 2, 1)
    assert agreed(f"{named} --raters x,y --times n")["n_items"] == 6


def test_breakdowns_are_the_librarys(agreed, call):
    both = f"'{EXAMPLE}' --suggested suggested --second '{SECOND}'"
    found = agreed(both)
    first, second = (
        collection(p, ignored=["suggested"]).ratings for p in (EXAMPLE, SECOND)
    )
    told = collection(EXAMPLE, suggested="suggested").suggested
    expected = la.reliability(first, suggested=told, other=second)
    assert found["notes"] == list(expected.warnings) and found["omitted"] == []
    by_label = {row["label"]: row["value"] for row in found["by_label"]}
    assert by_label == expected.labels["value"].to_dict()
    by_rater = {row["rater"]: row["excess"] for row in found["by_rater"]}
    assert by_rater == expected.raters["excess"].to_dict()
    disputed = [row["item"] for row in found["disputed"]]
    assert disputed == [*expected.items.index[:20]]
    followed = expected.suggested.loc["followed"].to_dict()
    assert found["suggested"]["followed"] == followed
    assert found["second"]["cross_kappa"]["value"] == expected.other["value"].iloc[0]
    _, out, _ = call(f"agree {both}")
    for part, name in (("suggested", "followed"), ("second", "cross_kappa")):
        assert re.search(rf"^{name} +{found[part][name]['value']:.3f} ", out, re.M)
    assert " ".join(out.split()).endswith(found["report"])


def test_what_an_interval_takes_for_the_sample_is_called_by_its_column(file, agreed):
    WIDE.assign(talk=WIDE.index // 20).to_csv("wide.csv", index=False)
    found = agreed(f"{ABC} --cluster talk")
    said = (
        "he interval takes the 10 values of 'talk', not the items, for a random sample"
    )
    assert f"T{said}; with so few it may be too short; the value" in found["report"]
    assert any(f"; t{said}; with so few" in one for one in found["notes"])
    WIDE.assign(talk=WIDE.index // 4).to_csv("wide.csv", index=False)
    found = agreed(f"{ABC} --cluster talk")
    assert "the 50 values of 'talk', not the items, for a random" in found["report"]
    assert "with so few" not in str(found)


# What is required -------------------------------------------------------------------


def test_a_requirement_holds_by_the_lower_limit(file, call):
    alpha = la.krippendorff_alpha(la.Ratings.from_matrix(WIDE[["a", "b", "c"]]))
    low = alpha.interval()[0]
    assert 0.5 < low < alpha.value
    for least, expected in ((low - 1e-6, 0), (low + 1e-6, 3)):
        for sign in (" >= ", "="):
            wanted = f"krippendorff_alpha{sign}{least:.9f}"
            status, out, err = call(f"agree {ABC} --json --require", wanted)
            assert status == expected
            assert ("does not hold" in err) == (expected == 3)
            json.loads(out)


def test_full_agreement_counts_as_one_from_thirty_items_on(file, call):
    """Where there is no limit: with one label in use."""
    ask = "--labels y,n --require bennett_s=1"
    for n, used, expected in ((30, "y", 0), (29, "y", 3), (30, "yn", 3)):
        labels = [used[k % len(used)] for k in range(n)]
        rows = [f"{k},{one},{one}" for k, one in enumerate(labels)]
        status, _, err = call(f"agree {file('item,a,b', *rows)} {ask}")
        assert status == expected
        assert ("29 items are fewer than 30" in err) == (n == 29)
        assert ("the lower limit of Bennett's S is 0.7" in err) == (used == "yn")
    file("item,a,b", *(f"{k},y,y" for k in range(30)), name="alike.csv")
    ask = "agree alike.csv --labels y,n --require cohen_kappa=0"
    assert call(ask)[0] == 3 and "Cohen's kappa has no value" in call(ask)[2]
    status, _, err = call("agree ratings.csv --require weighted_kappa>=0")
    assert status == 3 and "Weighted kappa has no value" in err


def test_undefined_is_null_and_said(file, call):
    status, out, err = call(f"agree {file('item,a,b', '1,x,x', '2,x,x')} --json")
    assert status == 4 and "every coefficient is undefined" in err
    found = json.loads(out)
    assert found["coefficients"]["cohen_kappa"]["value"] is None
    assert any(note.startswith("all coefficients are un") for note in found["notes"])
    status, out, err = call("agree ratings.csv --require gwet_ac1=0")
    assert status == 4 and "undefined" in out and "note: " in err


# What is written --------------------------------------------------------------------


def test_a_report_is_written_once_and_shows_all_that_was_found(file, folder, call):
    status, said, _ = call(f"agree '{EXAMPLE}' --report r.html")
    html = (folder / "r.html").read_text(encoding="utf-8")
    assert status == 0 and said.endswith("report: r.html\n")
    assert f"<p>{said.splitlines()[0]}</p>" in html
    assert f"labelaudit {la.__version__}." in html and html.count("<figure>") == 1
    status, said, err = call(f"agree '{SECOND}' --report r.html")
    assert (status, said) == (2, "")
    assert "r.html is there already; --force writes over it" in err
    call(f"agree '{EXAMPLE}' --report again.html")
    for name in ("r.html", "again.html"):
        assert (folder / name).read_text(encoding="utf-8") == html
    more = f"--suggested suggested --second '{SECOND}' --json"
    status, said, _ = call(f"agree '{EXAMPLE}' {more} --report r.html --force")
    html = (folder / "r.html").read_text(encoding="utf-8").replace("&nbsp;%", " %")
    assert status == 0 and "<h2>Two collections" in html
    assert all(escape(note) in html for note in json.loads(said)["notes"])
    assert not re.search(r"(src|href)=.(?!data:)|https?:|url\(|@import|<script", html)
    bad = "<script>alert(1)</script>"
    rows = "<i>1</i>,<b>x</b>,y", "2,<b>x</b>,<b>x</b>", "3,y,y"
    file(f"item,{bad},b", *rows)
    assert call("agree ratings.csv --report bad.html")[0] == 0
    html = (folder / "bad.html").read_text(encoding="utf-8")
    assert "<script" not in html and "<b>" not in html and "<i>" not in html
    assert escape(bad) in html and escape("<b>x</b> 1") in html


def test_accuracy_against_gold_is_the_librarys(agreed, call, folder):
    gold = f"{ABC} --gold gold"
    found = agreed(gold)["accuracy"]
    r = la.Ratings.from_matrix(WIDE.set_index("item")[["a", "b", "c"]])
    expected = la.accuracy(r, TRUTH)
    low, high = expected.interval()
    assert found["overall"] == pytest.approx(
        {"value": expected.value, "low": low, "high": high}
        | {"n_items": 200, "n_ratings": 600}
    )
    right = {name: float((WIDE[name] == TRUTH).mean()) for name in "abc"}
    by_rater = {one["rater"]: one["value"] for one in found["by_rater"]}
    assert by_rater == pytest.approx(right)
    by_label = {one["label"]: one["n_items"] for one in found["by_label"]}
    assert by_label == {name: int((name == TRUTH).sum()) for name in ("no", "yes")}
    status, out, _ = call(f"agree {gold} --model d --report r.html")
    html = (folder / "r.html").read_text(encoding="utf-8")
    assert status == 0 and f"<p>{out.splitlines()[0]}</p>" in html
    told = next(line.split() for line in out.splitlines() if line.startswith("all "))
    assert f'<td class="text">all</td><td>{told[1]}</td><td>{told[2]}</td>' in html
    assert "<p>The model may not stand in" in html


def test_raters_and_consensus_are_written_and_not_over_others(file, folder, call):
    ask = "agree wide.csv --raters a,b,c,d --raters-out r.csv --consensus c.csv --json"
    (folder / "r.csv").unlink()
    status, printed, _ = call(ask)
    table = pd.read_csv("r.csv", keep_default_na=False)
    assert status == 0
    beside = ["shared", "agreement", "disagreement", "among_others", "excess"]
    beside.append("without")
    names = ["rater", "judgments", "p_value", "reasons", "flagged", *beside]
    assert [*table.columns] == names
    rated = {one["rater"]: one for one in json.loads(printed)["by_rater"]}
    for name in beside:
        told = table.set_index("rater")[name].to_dict()
        assert told == pytest.approx({who: rated[who][name] for who in "abcd"})
    assert [*table.set_index("rater")["flagged"][[*"abcd"]]] == [False] * 3 + [True]
    (flag,) = json.loads(printed)["flags"]
    assert set(flag) == {"rater", "judgments", "p_value", "reasons"}
    assert flag["rater"] == "d" and "gives 'yes' only" in flag["reasons"]
    consensus = pd.read_csv("c.csv")
    assert [*consensus.columns] == ["item", "label", "probability", "no", "yes"]
    assert (consensus["label"] == TRUTH).mean() > 0.95
    total = consensus[["no", "yes"]].sum(axis=1)
    np.testing.assert_allclose(total, 1, atol=1e-8)
    first = (folder / "c.csv").read_text(encoding="utf-8").split()[1]
    shares = first.split(",")[2:]
    assert all(len(share) <= 8 and "e" not in share for share in shares)
    before = (folder / "r.csv").read_bytes()
    status, _, err = call(ask)
    assert status == 2 and "--force" in err
    assert (folder / "r.csv").read_bytes() == before
    status, out, _ = call(ask.replace("--json", "--force"))
    assert status == 0 and out.endswith("written: c.csv\n\nwritten: r.csv\n")


def test_probabilities_have_six_decimals(file, call):
    noisy = np.where(RANDOM.random((60, 4)) < 0.4, "no", TRUTH[:60, None])
    pd.DataFrame(noisy, columns=[*"abcd"]).to_csv("noisy.csv", index_label="item")
    assert call("agree noisy.csv --raters a,b,c,d --consensus p.csv")[0] == 0
    named = file("ab,cd,ef", *(f"item {k},x,{'xy'[k % 2]}" for k in range(20)))
    assert call(f"agree {named} --item ab --consensus i.csv")[0] == 0
    assert [*pd.read_csv("i.csv")["item"]] == [f"item {k}" for k in range(20)]
    written = pd.read_csv("p.csv")[["no", "yes"]]
    exact = la.dawid_skene(la.Ratings.from_matrix(noisy), tolerance=1e-6).posterior
    assert 2e-7 < np.abs(written - exact).max(axis=None) < 5.1e-7
