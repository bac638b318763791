"""labelaudit verdict: filled sheets, inspectors, groups, judges, spreadsheets."""

import re
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

import known
import labelaudit as la
import oracles
from labelaudit.files.filled import read
from regions import quietly
from typed import fill

WEEK1 = "plan --p-a 2% --p-r 5% --alpha 5% --beta 10% --items week1.csv --seed 5"


def test_an_estimate_from_sheet_to_report(folder, told):
    ask = "estimate --half-width .06 --items week1.csv --rate .2"
    found = told(f"{ask} --sheet e.csv --seed 3")
    n = found["max_sample"]
    assert told("verdict e.csv")["audit"]["verdict"] == "continue"
    fill("e.csv", lambda row: int(int(row["step"]) % 5 == 0))
    done = told("verdict e.csv")
    audit, x = done.pop("audit"), n // 5
    ends = la.proportion_interval(x, n, 300)
    assert (audit["verdict"], audit["rate"]) == ("estimate", x / n)
    assert (audit["inspected"], audit["errors_found"], audit["left"]) == (n, x, 0)
    assert (audit["low"], audit["high"]) == pytest.approx(ends, abs=1e-12)
    assert audit["report"].startswith(f"Of a lot of 300 annotations, {n} were drawn at")
    assert done == {k: v for k, v in found.items() if k != "sheet"}


def test_a_verdict_that_is_odd_or_certain_is_explained(folder, call, told):
    call(f"{WEEK1} --kind optimal --sheet s.csv")
    fill("s.csv", lambda row: 0)
    audit = told("verdict s.csv")["audit"]
    assert audit["verdict"] == "accept" and audit["left"] == 0
    assert "that reaches above 5 %, the rate of a bad batch" in audit["report"]
    call(f"{WEEK1} --sheet t.csv")
    fill("t.csv", lambda row: 1, steps=range(1, 21))
    status, out, _ = call("verdict t.csv")
    head = "REJECT: 20 wrong of 20 inspected; the rest, at most "
    assert status == 0 and out.startswith(head) and "leads to rejection" in out
    n, audit = (told("verdict t.csv")[name] for name in ("max_sample", "audit"))
    assert (audit["verdict"], audit["certain"]) == ("continue", "reject")
    for left, verdict in ((1, "ACCEPT"), (n - 1, "CONTINUE")):  # none wrong so far
        fill("t.csv", lambda row: 0, steps=range(1, n + 1 - left))
        fill("t.csv", lambda row: "", steps=range(n + 1 - left, n + 1))
        assert call("verdict t.csv")[1].startswith(f"{verdict}: 0 wrong of {n - left}")
    call("estimate --half-width 5% --items week1.csv --sheet u.csv")
    fill("u.csv", lambda row: 1, steps=range(1, 21))
    assert call("verdict u.csv")[1].startswith("CONTINUE: 20 wrong of 20 inspected; at")


# Several inspectors -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("inspectors", "overlap"), [(2, 0), (3, 0.1), (7, 0.37), (3, 1)]
)
def test_each_step_is_dealt_to_one_or_two(folder, told, inspectors, overlap):
    more = f"--sheet p.csv --inspectors {inspectors} --overlap {overlap}"
    sheet = told(f"{WEEK1} {more}")["sheet"]
    n = sheet["rows"]
    parts = [pd.read_csv(path)["step"] for path in sheet["parts"]]
    times = pd.concat(parts).value_counts()
    assert sorted(times.index) == [*range(1, n + 1)] and set(times) <= {1, 2}
    assert (times == 2).sum() == int(Fraction(str(overlap)) * n)
    assert (times == 2).sum() == sheet.get("in_two", 0)
    assert max(map(len, parts)) - min(map(len, parts)) <= n // inspectors
    assert overlap or max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("kind", ["single", "sequential", "optimal"])
def test_parts_give_the_verdict_of_the_whole(folder, call, told, kind):
    call(f"{WEEK1} --kind {kind} --sheet p.csv --inspectors 3 --overlap .2")
    plan = read("p.csv").plan
    random = np.random.default_rng(9)
    for rate in (0, 0.03, 0.3):
        wrong = random.random(plan.max_sample + 1) < rate
        for k in (1, 2, 3):
            fill(f"p-{k}.csv", lambda row, w=wrong: int(w[int(row["step"])]))
            rows = pd.read_csv(f"p-{k}.csv", dtype=str).sample(frac=1, random_state=k)
            rows.to_csv(f"p-{k}.csv", index=False)
        found = told("verdict p-3.csv p-2.csv p-1.csv")["audit"]
        ours = la.audit(plan, wrong[1:])
        assert found["verdict"] == ours.decision.verdict
        assert found["inspected"] == ours.decision.inspected
        assert (found["low"], found["high"]) == ours.interval
        twice = found["inspectors"]
        assert twice["judged_twice"] == twice["agreed"]
        assert twice["judged_twice"] == int(Fraction(1, 5) * plan.max_sample)
        assert twice["differ"] == []


def test_disagreements_are_listed_and_the_first_part_counts(folder, call, told):
    call(f"{WEEK1} --sheet p.csv --inspectors 2 --overlap .1")
    fill("p-1.csv", lambda row: 0)
    fill("p-2.csv", lambda row: 1)
    found = told("verdict p-2.csv p-1.csv")["audit"]["inspectors"]
    first = {*pd.read_csv("p-1.csv")["step"]}
    n = pd.read_csv("p.csv")["step"].max()
    assert found["agreed"] == 0
    assert len(found["differ"]) == found["judged_twice"] == n // 10
    assert all(row["parts"] == [1, 2] for row in found["differ"])
    assert all(row["wrong"] == [False, True] for row in found["differ"])
    outcomes = quietly(read, ["p-1.csv", "p-2.csv"]).outcomes
    assert outcomes == [step not in first for step in range(1, n + 1)]
    _, out, _ = call("verdict p-2.csv p-1.csv")
    assert "who agreed on 0 (0 %)" in out
    names = ", ".join(row["item"] for row in found["differ"][:3])
    more = f"{names} and {n // 10 - 3} more; there the part with the lower"
    assert f"(0 %). They differed on {more}" in out


def test_a_part_that_is_missing_leaves_its_steps_open(folder, call, told):
    call(f"{WEEK1} --kind optimal --sheet p.csv --inspectors 3")
    for k in (1, 2, 3):
        fill(f"p-{k}.csv", lambda row: 0)
    status, out, err = call("verdict p-1.csv p-2.csv")
    assert status == 0
    assert "CONTINUE: 0 wrong of 2 inspected" in out and "step 3 is open" in err
    assert "of the 3 parts of the sheet these are not given" in err
    assert "their steps are open: 3; give all parts" in err
    assert "are open: 1, 3; give" in call("verdict p-2.csv")[2]
    whole = told("verdict p-1.csv p-2.csv p-3.csv")
    assert whole["audit"]["verdict"] == "accept" and "not given" not in str(whole)
    for k in (1, 2):
        fill(f"p-{k}.csv", lambda row: 1)  # decided at step 2, before the open one
    found = told("verdict p-1.csv p-2.csv")["audit"]
    assert (found["verdict"], found["inspected"]) == ("reject", 2)
    filled = sum(len(pd.read_csv(f"p-{k}.csv")) for k in (1, 2))
    status, out, err = call("verdict p-1.csv p-2.csv")
    assert f"Left out: {filled - 2:,} outcomes that came after" in out
    assert "is open" not in err  # the verdict is there


def changed(path, column, line, value):
    """A sheet with another cell."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    frame.loc[line - 2, column] = value(frame.loc[line - 2, column])
    frame.to_csv(f"changed-{path}", index=False)


def test_parts_that_do_not_belong_together(folder, call, refused):
    for name, seed in (("p", 6), ("q", 7)):
        more = f"--sheet {name}.csv --inspectors 2"
        call(f"{WEEK1.replace('--seed 5', f'--seed {seed}')} {more}")
    (folder / "copy.csv").write_bytes((folder / "p-1.csv").read_bytes())
    changed("p-2.csv", "label", 5, lambda cell: "changed")
    for name, other in (("q-1.csv", ""), ("q-2.csv", "accept=0:9 ")):
        changed(name, "plan", 2, partial(re.sub, "accept=.*? ", other))
    for files, words in known.rows("refused/parts"):
        refused(words, f"verdict {files}")


# Groups -----------------------------------------------------------------------------


def test_groups_of_a_single_plan_are_exact(folder, call, told):
    call(f"{WEEK1} --sheet s.csv")
    fill("s.csv", lambda row: int(row["label"] == "threat"))
    status, out, err = call("verdict s.csv --by label")
    assert status == 0 and "label 'threat' has an error rate of" in err
    assert "all of these intervals are right together" in out
    groups = told("verdict s.csv --by label")["audit"]["groups"]
    lot, sheet = pd.read_csv("week1.csv"), pd.read_csv("s.csv")
    assert set(groups) == set(lot["label"])
    for label, group in groups.items():
        m = int((sheet["label"] == label).sum())
        y = m * (label == "threat")
        size = int((lot["label"] == label).sum())
        level = 1 - Fraction(5, 100) / 3
        low, high = oracles.lot_interval(y, m, size, level, "clopper-pearson")
        assert (group["inspected"], group["errors_found"]) == (m, y)
        assert (group["low"], group["high"]) == (low / size, high / size)


def test_a_group_at_the_bad_rate_is_not_above_it(folder, call):
    """All 20 are inspected, so that each group's rate is known."""
    rows = b"".join(b"%d,%s\n" % (k, b"ab"[k % 2 : k % 2 + 1]) for k in range(20))
    (folder / "few.csv").write_bytes(b"item,part\n" + rows)
    levels = "--p-a .25 --p-r .3 --alpha .05 --beta .05"
    call(f"plan {levels} --items few.csv --sheet s.csv")
    for wrong, warned in ((3, False), (4, True)):
        fill("s.csv", lambda row, w=wrong: int(int(row["item"]) in range(0, 2 * w, 2)))
        status, _, err = call("verdict s.csv --by part")
        assert status == 0 and ("part 'a' has an error rate of" in err) == warned


def test_groups_that_have_no_name_or_were_not_inspected(folder, call, told, refused):
    frame = pd.DataFrame({"item": range(400), "part": ["big"] * 399 + ["lone"]})
    frame.loc[:9, "part"] = ""
    frame.to_csv("lot.csv", index=False)
    for seed in range(50):
        call(WEEK1.replace("week1", "lot")[:-1], seed, "--sheet", "s.csv", "--force")
        if 399 not in [*pd.read_csv("s.csv")["item"]]:
            break
    fill("s.csv", lambda row: 0)
    groups = told("verdict s.csv --by part")["audit"]["groups"]
    assert set(groups) == {"", "big", "lone"}
    assert groups["lone"] == {"inspected": 0, "errors_found": 0, "low": 0, "high": 1}
    assert "(none)" in call("verdict s.csv --by part")[1]
    refused("--by is 'none', which is no column", "verdict s.csv --by none")


def test_groups_as_a_spreadsheet_writes_them(folder, call, told, refused):
    """An apostrophe before =x and @ann is ours, and 7 for 007 is the spreadsheet's."""
    names = ["=x", "007", "it's", "+1-2"]
    frame = pd.DataFrame({"item": range(200), "@ann": names * 50})
    frame.assign(to="hm", n=["8", "08"] * 100).to_csv("lot.csv", index=False)
    call(f"{WEEK1.replace('week1', 'lot')} --sheet s.csv")
    text = (folder / "s.csv").read_text(encoding="utf-8-sig")
    assert ",'@ann,to,n,wrong," in text and ",'=x," in text and ",'+1-2," in text
    (folder / "s.csv").write_text(text.replace(",007,", ",7,"), encoding="utf-8")
    fill("s.csv", lambda row: int(row["'@ann"] == "'=x"))
    n = told("verdict s.csv")["audit"]["inspected"]
    assert "hm" in call("verdict s.csv --by to")[1]  # a column of ours is called so
    for name in ("@ann", "'@ann"):
        groups = told(f'verdict s.csv --by "{name}"')["audit"]["groups"]
        assert set(groups) == set(names)
        assert sum(g["inspected"] for g in groups.values()) == n
        assert groups["=x"]["errors_found"] == groups["=x"]["inspected"] > 0
    (folder / "s.csv").write_text(text.replace(",08,", ",8.0,"), encoding="utf-8")
    refused("--by n: '8.0' may be several values", "verdict s.csv --by n")
    (folder / "s.csv").write_text(text.replace(",08,", ",8,"), encoding="utf-8")
    refused("--by n: '8' may be several values", "verdict s.csv --by n")


@pytest.mark.parametrize("kind", ["single", "sequential"])
def test_a_column_whose_sizes_the_sheet_does_not_know(folder, call, told, kind):
    """One that was added: by the binomial law, and said; but after a plan that can
    stop early there is no interval (the binomial one covers .91 of .95 for some).
    """
    call(f"{WEEK1} --kind {kind} --sheet s.csv")
    fill("s.csv", lambda row: int(kind == "single" and row["item"].endswith("7")))
    frame = pd.read_csv("s.csv", dtype=str)
    frame["who"] = np.resize(["x", "y"], len(frame))
    frame.to_csv("s.csv", index=False)
    status, out, err = call("verdict s.csv --by who")
    groups = told("verdict s.csv --by who")["audit"]["groups"]
    assert status == 0 and sum(g["inspected"] for g in groups.values()) > 0
    if kind == "sequential":
        assert "after a plan that can stop early there is no interval" in err
        assert all(g["low"] is g["high"] is None for g in groups.values())
        assert "right together" not in out
        frame.loc[frame.index[-1], "who"] = "last"  # it is not inspected
        frame.to_csv("s.csv", index=False)
        last = told("verdict s.csv --by who")["audit"]["groups"]["last"]
        assert (last["inspected"], last["low"], last["high"]) == (0, 0, 1)
        return
    assert "the sheet does not say how many items of the batch have which who" in err
    for name, group in groups.items():
        n = int((frame["who"] == name).sum())
        x = int(frame["wrong"][frame["who"] == name].astype(int).sum())
        low, high = beta.ppf([0.0125, 0.9875], [x, x + 1], [n - x + 1, n - x])
        assert (group["low"], group["high"]) == pytest.approx((low, high), abs=1e-9)


def test_before_the_verdict_there_are_counts_only(folder, call, told):
    call(f"{WEEK1} --kind optimal --sheet s.csv")
    fill("s.csv", lambda row: 0, steps=range(1, 11))
    groups = told("verdict s.csv --by label")["audit"]["groups"]
    assert sum(g["inspected"] for g in groups.values()) == 10
    assert {g["low"] for g in groups.values()} == {None}
    assert "There is no verdict yet" in call("verdict s.csv --by label")[1]


# A judge ----------------------------------------------------------------------------


def pairs(lot, items):
    """(x_1, x_2), (n_1, n_2), (N_1, N_2) as the truth has them."""
    calls = lot["model"] == "TRUE"
    mine, of = lot.loc[items, "wrong"], calls[items]
    x, n, size = int(mine[of].sum()), int(of.sum()), int(calls.sum())
    return (x, int(mine.sum()) - x), (n, len(mine) - n), (size, len(lot) - size)


def test_the_verdict_is_that_of_two_strata(judged, call, told, refused):
    lot, plan = judged
    items = [*pd.read_csv("s.csv")["item"]]

    def rate(found):
        return sum(size * k / m for k, m, size in zip(*found)) / 600

    def truth(row):
        return int(lot.loc[row["item"], "wrong"])

    fill("s.csv", truth, steps=range(1, 41))
    audit = told("verdict s.csv")["audit"]
    assert (audit["verdict"], audit["low"]) == ("continue", None)
    assert audit["rate"] == pytest.approx(rate(pairs(lot, items[:40])[:2] + (
        pairs(lot, items)[2],)))  # fmt: skip
    fill("s.csv", truth)
    found = told("verdict s.csv")
    x, n, sizes = pairs(lot, items)
    audit = found["audit"]
    assert audit["verdict"] == "estimate" and found["strata"] == plan["strata"]
    assert (audit["inspected"], audit["errors_found"]) == (sum(n), sum(x))
    assert (audit["low"], audit["high"]) == la.stratified_interval(x, n, sizes)
    assert audit["rate"] == pytest.approx(rate((x, n, sizes)))
    assert f"Found wrong: {x[0]} and {x[1]}, which makes" in audit["report"]
    other = told("verdict s.csv --confidence .8")["audit"]
    ends = la.stratified_interval(x, n, sizes, confidence=0.8)
    assert (other["low"], other["high"]) == ends

    groups = told("verdict s.csv --by by")["audit"]["groups"]
    assert set(groups) == {"ann", "bob", ""}
    for name, group in groups.items():
        of = lot[lot["by"] == name]
        x, n, sizes = pairs(of, [item for item in items if item in of.index])
        ends = la.stratified_interval(x, n, sizes, confidence=1 - 0.05 / 3)
        assert (group["low"], group["high"]) == ends
        assert (group["inspected"], group["errors_found"]) == (sum(n), sum(x))

    frame = pd.read_csv("s.csv", dtype=str, keep_default_na=False)
    for column, value in (("mood", "good"), ("model", "TRUE")):
        frame.assign(**{column: value}).to_csv(f"{column}.csv", index=False)
    refused("these samples give no interval for a group", "verdict mood.csv --by mood")
    refused("not the row that was written", "verdict model.csv")
    german = {"TRUE": "WAHR", "FALSE": "FALSCH"}  # as a spreadsheet writes them
    frame.replace({"model": german}).to_csv("s.csv", index=False)
    assert told("verdict s.csv") == found


def test_several_batches_with_a_judge(judged, told):
    lot, _ = judged
    lot.iloc[:350].drop(columns="wrong").to_csv("a.csv")
    lot.iloc[350:].drop(columns="wrong").to_csv("b.csv")
    ask = "estimate --half-width .05 --items a.csv b.csv --judge model=TRUE"
    told(f"{ask} --sheet t.csv --seed 1")
    fill("t-b.csv", lambda row: int(lot.loc[row["item"], "wrong"]))
    audit = told("verdict t-b.csv")["audit"]
    found = pairs(lot.iloc[350:], [*pd.read_csv("t-b.csv")["item"]])
    assert (audit["low"], audit["high"]) == la.stratified_interval(*found)


# Sheets as people save them ---------------------------------------------------------


def test_words_of_ones_own(folder, call, told, refused):
    call(f"{WEEK1} --sheet s.csv")
    words = "Falsch", "Falsch", *["richtig"] * 6
    fill("s.csv", lambda row: words[int(row["step"]) % 8 - 1], steps=range(1, 9))
    found = told("verdict s.csv --wrong-words falsch,richtig")
    assert found["audit"]["errors_found"] == 2
    no_yes = "verdict s.csv --wrong-words no,yes"
    refused("it may be no or yes, as --wrong-words says", no_yes)
    refused("right, as --wrong-words falsch,richtig", "verdict s.csv")


def test_cells_that_a_spreadsheet_writes_in_its_own_way(folder, call, told):
    frame = pd.DataFrame({"item": range(300), "sure": ["true", "false"] * 150})
    frame["score"] = ["0.5", "2.25", "7"] * 100
    frame["day"] = ["2026-05-13", "2026-11-02 09:05:00", "2026-01-30"] * 100
    frame.to_csv("lot.csv", index=False)
    call(f"{WEEK1.replace('week1', 'lot')} --sheet s.csv")
    german = pd.read_csv("s.csv", dtype=str, keep_default_na=False)
    german["sure"] = german["sure"].map({"true": "WAHR", "false": "FALSCH"})
    german["score"] = german["score"].str.replace(".", ",")
    days = {"2026-05-13": "13.05.26", "2026-01-30": "01/30/2026"}
    days["2026-11-02 09:05:00"] = "02.11.2026 9:05"
    german.replace({"day": days}).assign(wrong="0,0").to_csv(
        "s.csv", index=False, sep=";"
    )
    assert told("verdict s.csv")["audit"]["verdict"] == "accept"


def test_judgments_of_the_second_part_alone_are_told(folder, call):
    call(f"{WEEK1} --sheet s.csv --inspectors 2 --overlap 1")
    fill("s-2.csv", lambda row: 0)
    n = len((folder / "s-2.csv").read_text().splitlines()) - 1
    status, _, err = call("verdict s-1.csv s-2.csv")
    assert status == 0
    assert f"step 1 is open, so that {n:,} judgments from it on" in err
