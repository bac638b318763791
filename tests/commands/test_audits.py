"""labelaudit as teams use it: estimates, batches, inspectors, groups, words."""

import csv
import io
import os
import re
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, hypergeom

import labelaudit as la
import typed
from labelaudit.files import parts, sheets
from labelaudit.files.filled import read
from labelaudit.plans.single import fixed_sample

RELAXED = ["--p-a", ".02", "--p-r", ".05", "--alpha", ".05", "--beta", ".1"]
LABELS = ["fine", "rude", "threat"]


def of(arguments):
    """Of plan, where no command is named."""
    return (
        arguments if arguments[0] in ("verdict", "estimate") else ("plan", *arguments)
    )


def call(capsys, *arguments):
    return typed.call(capsys, *of(arguments))


def told(capsys, *arguments):
    return typed.told(capsys, *of(arguments))


def refused(capsys, message, *arguments):
    before = sorted(os.listdir())
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert sorted(os.listdir()) == before


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Three weeks of labels: a file each, and one of all."""
    monkeypatch.chdir(tmp_path)
    random, weeks = np.random.default_rng(4), []
    for week, size in ((1, 300), (2, 200), (3, 300)):
        frame = pd.DataFrame({"item": [f"{week}-{i:03d}" for i in range(size)]})
        frame["label"] = random.choice(LABELS, size, p=[0.7, 0.2, 0.1])
        frame["source"] = random.choice(["a", "b", ""], size)
        frame.to_csv(f"week{week}.csv", index=False)
        weeks.append(frame.assign(week=f"week {week}"))
    pd.concat(weeks).to_csv("all.csv", index=False)
    return tmp_path


def fill(path, wrong, *, steps=None, order=None, separator=","):
    """Fill in a sheet: wrong is a function of a row, as a dict."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if steps is None or int(row["step"]) in steps:
            row["wrong"] = wrong(row)
    rows = rows if order is None else [rows[k] for k in order(len(rows))]
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], delimiter=separator, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with open(path, "w", encoding="utf-8") as file:
        file.write(out.getvalue())


# Estimates ------------------------------------------------------------------------


def tails(n, lot):
    """Clopper and Pearson's interval of each x of n, in counts of a small lot."""
    law = [
        [
            Fraction(comb(d, x) * comb(lot - d, n - x), comb(lot, n))
            for x in range(n + 1)
        ]
        for d in range(lot + 1)
    ]
    for x in range(n + 1):
        fits = [
            d
            for d in range(lot + 1)
            if sum(law[d][: x + 1]) > Fraction(1, 40)
            and sum(law[d][x:]) > Fraction(1, 40)
        ]
        yield min(fits), max(fits)


@pytest.mark.parametrize("half_width", [0.05, 0.1, 0.2])
def test_without_a_rate_every_outcome_is_short_enough(capsys, half_width):
    lot = 40
    width = 2 * lot * half_width + 1e-9

    def enough(n):
        return all(high - low <= width for low, high in tails(n, lot))

    least = next(n for n in range(1, lot + 1) if enough(n))
    found = told(capsys, "estimate", "--half-width", half_width, "--lot-size", lot)
    assert found["max_sample"] == least
    assert found["sample_size"] == {"first": least, "stable": least}


def test_without_a_rate_the_largest_lot_takes_seconds(capsys):
    """As a process, but for what the lot spares; one item fewer is not enough."""
    ask = "estimate", "--half-width", ".02"
    n = told(capsys, *ask, "--lot-size", 10**7)["max_sample"]
    assert n <= told(capsys, *ask)["max_sample"]
    for m, enough in ((n, True), (n - 1, False)):
        x = np.arange(m // 2 - 20, m // 2 + 1)
        low, high = la.proportion_interval(x, m, 10**7)
        assert ((high - low).max() <= 0.04) == enough


def test_with_a_rate_the_sample_is_the_librarys(capsys):
    ask = ["estimate", "--half-width", ".02", "--rate", "5%"]
    for more, size in (([], None), (["--lot-size", 800], 800)):
        found = told(capsys, *ask, *more, "--confidence", ".9")
        ours = la.interval_sample_size(0.05, 0.02, size, confidence=0.9)
        assert found["kind"] == "interval"
        assert found["max_sample"] == ours.stable
        assert found["sample_size"] == {"first": ours.first, "stable": ours.stable}
        asked = found["half_width"], found["rate"], found["confidence"]
        assert asked == (0.02, 0.05, 0.9)


def test_an_estimate_from_sheet_to_report(folder, capsys):
    ask = ["estimate", "--half-width", ".06", "--items", "week1.csv"]
    found = told(capsys, *ask, "--rate", ".2", "--sheet", "e.csv", "--seed", 3)
    n = found["max_sample"]
    fill("e.csv", lambda row: "", steps=())
    assert told(capsys, "verdict", "e.csv")["audit"]["verdict"] == "continue"
    fill("e.csv", lambda row: int(int(row["step"]) % 5 == 0))
    done = told(capsys, "verdict", "e.csv")
    audit, x = done["audit"], n // 5
    ends = la.proportion_interval(x, n, 300)
    assert audit["verdict"] == "estimate"
    assert (audit["inspected"], audit["errors_found"]) == (n, x)
    assert [audit["low"], audit["high"]] == pytest.approx(ends, abs=1e-12)
    assert audit["report"].startswith(f"Of a lot of 300 annotations, {n} were drawn at")
    assert {**done, "audit": 0, "notes": 0} == {
        **{k: v for k, v in found.items() if k != "sheet"},
        "audit": 0,
        "notes": 0,
    }


def test_a_rate_that_was_not_expected_may_make_it_longer(folder, capsys):
    ask = ["estimate", "--half-width", ".02", "--rate", ".01"]
    status, out, _ = call(capsys, *ask, "--lot-size", 900, "--sheet", "e.csv")
    assert status == 0
    assert "at another rate it can be longer" in out
    fill("e.csv", lambda row: int(int(row["step"]) % 3 == 0))
    status, _, err = call(capsys, "verdict", "e.csv")
    assert status == 0
    assert "more than the 2 % that was asked for" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["estimate"], "required: --half-width"),
        (["estimate", "--half-width", ".6"], "--half-width must be above 0"),
        (["estimate", "--half-width", "0"], "such as --half-width 0.01"),
        (["estimate", "--half-width", ".1", "--p-a", ".1"], "--p-a is no option"),
        ([*RELAXED, "--rate", ".1"], "--rate is no option of it"),
        ([*RELAXED, "--inspectors", "2"], "--inspectors goes with --sheet"),
        ([*RELAXED, "--sheet", "x.csv", "--overlap", ".1"], "--overlap goes with"),
        ([*RELAXED, "--batch", "week"], "--batch goes with --items"),
        (["verdict", "x", "--wrong-words", "a"], "not two different words"),
        (["verdict"], "required: SHEET"),
    ],
)
def test_options_that_do_not_go_together(folder, capsys, arguments, message):
    refused(capsys, message, *arguments)


@pytest.mark.parametrize("lot", [["--lot-size", 1000], [], ["--items", "week1.csv"]])
@pytest.mark.parametrize("kind", ["single", "sequential"])
def test_no_error_allowed_is_answered_with_a_plan_that_can_be_typed(
    folder, capsys, lot, kind
):
    more = ["--p-r", ".05", "--alpha", ".05", "--beta", ".05", "--kind", kind, *lot]
    status, _, err = call(capsys, "--p-a", "0", *more)
    offered = re.search(r"so give --p-a (\S+)$", err.strip())
    assert (status, err.count("\n")) == (2, 1)
    found = told(capsys, "--p-a", offered[1], *more)
    if kind == "single":  # by the laws: no error in n, as small as keeps beta
        size = found["lot_size"]
        bad = size and round(0.05 * size)

        def risk(n):
            return 0.95**n if size is None else hypergeom.pmf(0, size, bad, n)

        n = next(n for n in range(1, 99) if risk(n) <= 0.05)
        assert found["stages"] == [{"n": n, "accept": 0, "reject": 1}]
        assert size != 1000 or (offered[1], n) == ("0.0005", 57)


def test_other_zeros_are_answered_too(capsys):
    for name in ("--alpha", "--beta"):
        status, _, err = call(capsys, *RELAXED[:4], "--alpha", ".05", "--beta", ".1")
        assert status == 0
        rest = [("--alpha", ".05"), ("--beta", ".1")]
        given = [w for k, v in rest for w in (k, "0" if k == name else v)]
        status, out, err = call(capsys, *RELAXED[:4], *given)
        assert (status, out) == (2, "")
        assert f"{name} is 0" in err and f"such as {name} 0.001" in err


# Several batches ------------------------------------------------------------------


def test_a_sheet_for_each_file(folder, capsys):
    weeks = [f"week{k}.csv" for k in (1, 2, 3)]
    ask = [*RELAXED, "--items", *weeks, "--sheet", "s.csv", "--seed", 8]
    found = told(capsys, *ask)
    assert [one["name"] for one in found["batches"]] == ["week1", "week2", "week3"]
    sizes = [la.single_plan(la.RELAXED, n).max_sample for n in (300, 200, 300)]
    assert [one["max_sample"] for one in found["batches"]] == sizes
    assert found["summary"] == {"batches": 3, "items": 800, "max_sample": sum(sizes)}
    drawn = []
    for k in range(3):
        path = f"s-week{k + 1}.csv"
        one = told(capsys, "verdict", path)["audit"]
        assert (one["verdict"], one["seed"]) == ("continue", 8 + k)
        drawn.append([name[2:] for name in pd.read_csv(path)["item"]])
    assert drawn[0] != drawn[2]  # batches of one size have draws of their own


def test_each_batch_has_a_line(folder, capsys):
    ask = [*RELAXED, "--kind", "double", "--items", "week1.csv", "week2.csv"]
    status, out, _ = call(capsys, *ask)
    head, *lines = out.splitlines()
    assert status == 0
    columns = ["batch", "items", "at most", "average at p_a", "average at p_r"]
    assert head.split() == " ".join(columns).split()
    for line, name, size in zip(lines, ("week1", "week2"), (300, 200)):
        plan = la.double_plan(la.RELAXED, size)
        asn = plan.average_sample_number(la.RELAXED.errors(size))
        numbers = [size, plan.max_sample, *(f"{n:.4g}" for n in asn)]
        assert line.split() == [name, *map(str, numbers)]


def test_a_sheet_for_each_value_of_a_column(folder, capsys):
    ask = [*RELAXED, "--items", "all.csv", "--batch", "week"]
    found = told(capsys, *ask, "--sheet", "s.csv")
    names = ["week 1", "week 2", "week 3"]
    assert [one["name"] for one in found["batches"]] == names
    paths = [one["sheet"]["path"] for one in found["batches"]]
    assert paths == ["s-week_1.csv", "s-week_2.csv", "s-week_3.csv"]
    one = pd.read_csv("s-week_2.csv")
    assert set(one["week"]) == {"week 2"}
    (folder / "one.csv").write_bytes(
        b"item,w\n" + b"".join(b"%d,x\n" % k for k in range(99))
    )
    found = told(capsys, *RELAXED, "--items", "one.csv", "--batch", "w")
    assert found["summary"]["batches"] == 1


def test_all_batches_or_none(folder, capsys):
    (folder / "tiny.csv").write_bytes(b"item\n1\n2\n3\n")
    ask = [*RELAXED, "--sheet", "s.csv", "--items", "week1.csv"]
    refused(capsys, "batch 'tiny': lot_size must be large enough", *ask, "tiny.csv")
    (folder / "s-week3.csv").write_bytes(b"theirs")
    refused(
        capsys, "s-week3.csv is there already; --force", *ask, "week2.csv", "week3.csv"
    )
    assert (folder / "s-week3.csv").read_bytes() == b"theirs"
    (folder / "sub").mkdir()
    (folder / "sub" / "week1.csv").write_bytes((folder / "week1.csv").read_bytes())
    refused(capsys, "would be written to the same file", *ask, "sub/week1.csv")
    refused(capsys, "no column 'none', which --batch names", *ask, "--batch", "none")
    refused(capsys, "its source is missing",
            *ask, "--batch", "source")  # fmt: skip
    more = [*ask, "week2.csv"]
    refused(capsys, "--inspectors deals out one batch", *more, "--inspectors", 2)
    refused(capsys, "not allowed with argument", *more, "--lot-size", 300)


def test_a_disk_that_fills_up_leaves_no_sheet(folder, monkeypatch, capsys):
    calls = []

    def full(_):
        calls.append(1)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    weeks = ["--items", "week1.csv", "week2.csv", "week3.csv"]
    said = "cannot write --sheet s-week1.csv: No space left"
    refused(capsys, said, *RELAXED, "--sheet", "s.csv", *weeks)


# Several inspectors ---------------------------------------------------------------


@pytest.mark.parametrize("inspectors", [2, 3, 7])
@pytest.mark.parametrize("overlap", [0, 0.1, 0.37, 1])
def test_each_step_is_dealt_to_one_or_two(inspectors, overlap):
    dealt = parts.holders(200, inspectors, overlap)
    shared = [to for to in dealt if len(to) == 2]
    assert len(shared) == int(Fraction(str(overlap)) * 200)
    assert all(len(set(to)) == len(to) for to in dealt)
    assert all(1 <= part <= inspectors for to in dealt for part in to)
    per = [sum(part in to for to in dealt) for part in range(1, inspectors + 1)]
    assert max(per) - min(per) <= 200 // inspectors
    if overlap == 0:
        assert max(per) - min(per) <= 1


@pytest.mark.parametrize("kind", ["single", "double", "sequential", "optimal"])
def test_parts_give_the_verdict_of_the_whole(folder, capsys, kind):
    ask = [*RELAXED, "--kind", kind, "--items", "week1.csv", "--sheet", "p.csv"]
    call(capsys, *ask, "--seed", 5, "--inspectors", 3, "--overlap", ".2")
    whole = read("p.csv")
    random = np.random.default_rng(9)
    for rate in (0, 0.03, 0.3):
        wrong = random.random(whole.plan.max_sample + 1) < rate
        names = [f"p-{k}.csv" for k in (1, 2, 3)]
        for name in names:
            fill(name, lambda row, w=wrong: int(w[int(row["step"])]),
                 order=random.permutation)  # fmt: skip
        found = told(capsys, "verdict", *reversed(names))["audit"]
        ours = la.audit(whole.plan, wrong[1:])
        assert found["verdict"] == ours.decision.verdict
        assert found["inspected"] == ours.decision.inspected
        assert (found["low"], found["high"]) == ours.interval
        twice = found["inspectors"]
        assert twice["judged_twice"] == twice["agreed"]
        assert twice["judged_twice"] == int(Fraction(1, 5) * whole.plan.max_sample)


def test_disagreements_are_listed_and_the_first_part_counts(folder, capsys):
    ask = [*RELAXED, "--items", "week1.csv", "--sheet", "p.csv", "--seed", 5]
    call(capsys, *ask, "--inspectors", 2, "--overlap", ".1")
    fill("p-1.csv", lambda row: 0)
    fill("p-2.csv", lambda row: 1)
    found = told(capsys, "verdict", "p-2.csv", "p-1.csv")["audit"]["inspectors"]
    n = la.single_plan(la.RELAXED, 300).max_sample
    assert found["agreed"] == 0
    assert len(found["differ"]) == found["judged_twice"] == n // 10
    assert all(row["parts"] == [1, 2] for row in found["differ"])
    assert all(row["wrong"] == [False, True] for row in found["differ"])
    filled = read(["p-1.csv", "p-2.csv"])
    to = parts.holders(n, 2, 0.1)
    assert filled.outcomes == [1 not in holders for holders in to]
    status, out, _ = call(capsys, "verdict", "p-2.csv", "p-1.csv")
    assert status == 0
    assert "who agreed on 0 (0 %)" in out


def test_a_part_that_is_missing_leaves_its_steps_open(folder, capsys):
    ask = [*RELAXED, "--items", "week1.csv", "--sheet", "p.csv", "--seed", 5]
    call(capsys, *ask, "--kind", "optimal", "--inspectors", 3)
    for k in (1, 2, 3):
        fill(f"p-{k}.csv", lambda row: 0)
    status, out, err = call(capsys, "verdict", "p-1.csv", "p-2.csv")
    assert status == 0
    assert "CONTINUE: 0 wrong of 2 inspected" in out
    assert "step 3 is open" in err
    found = told(capsys, "verdict", "p-1.csv", "p-2.csv", "p-3.csv")["audit"]
    assert found["verdict"] == "accept"
    fill("p-1.csv", lambda row: 1)
    fill("p-2.csv", lambda row: 1)  # decided at step 2, before the first open one
    found = told(capsys, "verdict", "p-1.csv", "p-2.csv")["audit"]
    assert (found["verdict"], found["inspected"]) == ("reject", 2)


def test_parts_that_do_not_belong_together(folder, capsys):
    for name, seed in (("p.csv", 5), ("q.csv", 6)):
        call(capsys, *RELAXED, "--items", "week1.csv", "--sheet", name, "--seed", seed,
             "--inspectors", 2)  # fmt: skip
    refused(capsys, "p-1.csv and q-2.csv are parts of different plans or draws",
            "verdict", "p-1.csv", "q-2.csv")  # fmt: skip
    refused(capsys, "p.csv and p-1.csv are given together, and not both are a part",
            "verdict", "p.csv", "p-1.csv")  # fmt: skip
    (folder / "copy.csv").write_bytes((folder / "p-1.csv").read_bytes())
    refused(capsys, "p-1.csv and copy.csv are both part 1",
            "verdict", "p-1.csv", "copy.csv")  # fmt: skip
    frame = pd.read_csv("p-2.csv", dtype=str)
    frame.loc[3, "label"] = "changed"
    frame.to_csv("p-2.csv", index=False)
    refused(capsys, "p-2.csv, line 5: not the row that was written",
            "verdict", "p-1.csv", "p-2.csv")  # fmt: skip
    other = (folder / "q-1.csv").read_text(encoding="utf-8")
    other = re.sub("accept=.*? ", "accept=0:9 ", other)
    (folder / "q-1.csv").write_text(other, encoding="utf-8")
    refused(capsys, "that says which plan this is was changed",
            "verdict", "q-1.csv")  # fmt: skip
    (folder / "q-1.csv").write_text(other.replace("accept=0:9 ", ""), encoding="utf-8")
    refused(capsys, "are parts of different plans", "verdict", "q-1.csv", "q-2.csv")
    refused(capsys, "says which plan this is was changed", "verdict", "q-1.csv")
    refused(capsys, "'1' is no whole number from 2", *RELAXED, "--lot-size",
            300, "--sheet", "z.csv", "--inspectors", 1)  # fmt: skip
    refused(capsys, "steps to deal out; give fewer", *RELAXED, "--lot-size",
            300, "--sheet", "z.csv", "--inspectors", 999)  # fmt: skip


def orders(lot, n):
    """Each order of n outcomes, with its probability for each number of errors."""
    for found in product((0, 1), repeat=n):
        x = sum(found)
        of = [
            Fraction(comb(lot - n, d - x), comb(lot, d)) if 0 <= d - x <= lot - n else 0
            for d in range(lot + 1)
        ]
        yield found, of


def test_parts_keep_the_plans_risks_in_a_small_lot(folder):
    """All orders of outcomes of a lot of 12, dealt out and put together again."""
    plan = la.SamplingPlan([-1, -1, -1, 0, 0, 1], [1, 2, 3, 3, 3, 2], 12)
    told_of = sheets.about(plan, kind="own", seed=1)
    sheet = la.inspection_sheet(plan, seed=1)
    _, *blank = sheets.texts(sheet, told_of, dealt=(2, 0.5))
    accepted = [Fraction(0)] * 13
    for found, of in orders(12, plan.max_sample):
        for k, text in enumerate(blank, start=1):
            (folder / f"s-{k}.csv").write_text(text, encoding="utf-8")
            fill(f"s-{k}.csv", lambda row, w=found: w[int(row["step"]) - 1])
        filled = read(["s-1.csv", "s-2.csv"])
        if plan.decide(filled.outcomes).verdict == "accept":
            accepted = [a + b for a, b in zip(accepted, of)]
    ours = plan.acceptance_probability(list(range(13)))
    assert ours == pytest.approx([float(a) for a in accepted], abs=1e-14)


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize("n", [1, 3, 6, 11, 12])
def test_an_estimate_covers_in_a_small_lot(n, confidence):
    """In all orders of outcomes of a lot of 12, for each number of errors."""
    plan, covered, ends = fixed_sample(n, 12), [Fraction(0)] * 13, {}
    for found, of in orders(12, n):
        if sum(found) not in ends:
            ends[sum(found)] = la.audit(plan, found, confidence=confidence).interval
        low, high = ends[sum(found)]
        for d in range(round(12 * low), round(12 * high) + 1):
            covered[d] += of[d]
    assert min(covered) >= Fraction(str(confidence))


# Groups ---------------------------------------------------------------------------


def hypergeometric_ends(y, m, size, level):
    """Clopper and Pearson's, by the law of the lot in exact fractions."""
    tail = (1 - level) / 2

    def law(d):
        return [
            Fraction(comb(d, k) * comb(size - d, m - k), comb(size, m))
            for k in range(m + 1)
        ]

    fits = [
        d for d in range(size + 1)
        if sum(law(d)[: y + 1]) > tail and sum(law(d)[y:]) > tail
    ]  # fmt: skip
    return min(fits) / size, max(fits) / size


def test_groups_of_a_single_plan_are_exact(folder, capsys):
    call(capsys, *RELAXED, "--items", "week1.csv", "--sheet", "s.csv", "--seed", 2)
    bad = {"threat": 1}
    fill("s.csv", lambda row: bad.get(row["label"], 0))
    status, out, err = call(capsys, "verdict", "s.csv", "--by", "label")
    assert status == 0
    assert "label 'threat' has an error rate of" in err
    assert "all of these intervals are right together" in out
    found = told(capsys, "verdict", "s.csv", "--by", "label")["audit"]["groups"]
    lot, sheet = pd.read_csv("week1.csv"), pd.read_csv("s.csv")
    assert set(found) == set(LABELS)
    for label, group in found.items():
        m = int((sheet["label"] == label).sum())
        y = m * bad.get(label, 0)
        size = int((lot["label"] == label).sum())
        ends = hypergeometric_ends(y, m, size, 1 - 0.05 / 3)
        assert (group["inspected"], group["errors_found"]) == (m, y)
        assert (group["low"], group["high"]) == pytest.approx(ends, abs=1e-12)


def test_a_group_at_the_bad_rate_is_not_above_it(folder, capsys):
    """All 20 are inspected, so that each group's rate is known."""
    rows = b"".join(b"%d,%s\n" % (k, b"ab"[k % 2 : k % 2 + 1]) for k in range(20))
    (folder / "few.csv").write_bytes(b"item,part\n" + rows)
    levels = ["--p-a", ".25", "--p-r", ".3", "--alpha", ".05", "--beta", ".05"]
    call(capsys, *levels, "--items", "few.csv", "--sheet", "s.csv")
    for wrong, warned in ((3, False), (4, True)):
        fill("s.csv", lambda row, w=wrong: int(row["item"]) in range(0, 2 * w, 2))
        status, _, err = call(capsys, "verdict", "s.csv", "--by", "part")
        assert status == 0
        assert ("part 'a' has an error rate of" in err) == warned


def test_groups_that_have_no_name_or_were_not_inspected(folder, capsys):
    frame = pd.DataFrame({"item": range(400), "part": ["big"] * 399 + ["lone"]})
    frame.loc[:9, "part"] = ""
    frame.to_csv("lot.csv", index=False)
    seed = next(
        s for s in range(50)
        if 399 not in la.inspection_sheet(
            la.single_plan(la.RELAXED, 400), range(400), seed=s)["item"].tolist()
    )  # fmt: skip
    ask = [*RELAXED, "--items", "lot.csv", "--sheet", "s.csv", "--seed", seed]
    assert call(capsys, *ask)[0] == 0
    fill("s.csv", lambda row: 0)
    groups = told(capsys, "verdict", "s.csv", "--by", "part")["audit"]["groups"]
    assert set(groups) == {"", "big", "lone"}
    assert (groups["lone"]["low"], groups["lone"]["high"]) == (0, 1)
    refused(capsys, "--by is 'none', which is no column", "verdict", "s.csv", "--by",
            "none")  # fmt: skip


def test_groups_as_a_spreadsheet_writes_them(folder, capsys):
    """An apostrophe before =x and @ann is ours, and 7 for 007 is the spreadsheet's."""
    names = ["=x", "007", "it's", "+1-2"]
    frame = pd.DataFrame({"item": range(200), "@ann": names * 50})
    frame.to_csv("lot.csv", index=False)
    call(capsys, *RELAXED, "--items", "lot.csv", "--sheet", "s.csv", "--seed", 2)
    text = (folder / "s.csv").read_text(encoding="utf-8-sig")
    assert ",'@ann,wrong," in text and ",'=x,," in text and ",'+1-2,," in text
    (folder / "s.csv").write_text(text.replace(",007,", ",7,"), encoding="utf-8")
    fill("s.csv", lambda row: int(row["'@ann"] == "'=x"))
    n = told(capsys, "verdict", "s.csv")["audit"]["inspected"]
    for name in ("@ann", "'@ann"):
        groups = told(capsys, "verdict", "s.csv", "--by", name)["audit"]["groups"]
        assert set(groups) == set(names)
        assert sum(g["inspected"] for g in groups.values()) == n
        assert groups["=x"]["errors_found"] == groups["=x"]["inspected"] > 0


def test_a_column_whose_sizes_the_sheet_does_not_know(folder, capsys):
    """One that was added: by the binomial law, and said."""
    call(capsys, *RELAXED, "--items", "week1.csv", "--sheet", "s.csv", "--seed", 2)
    fill("s.csv", lambda row: int(row["item"].endswith("7")))
    frame = pd.read_csv("s.csv", dtype=str)
    frame["who"] = ["x", "y"] * (len(frame) // 2) + ["x"] * (len(frame) % 2)
    frame.to_csv("s.csv", index=False)
    status, _, err = call(capsys, "verdict", "s.csv", "--by", "who")
    assert status == 0
    assert "the sheet does not say how many items of the batch have which who" in err
    groups = told(capsys, "verdict", "s.csv", "--by", "who")["audit"]["groups"]
    for name, group in groups.items():
        n = int((frame["who"] == name).sum())
        x = int(frame["wrong"][frame["who"] == name].astype(int).sum())
        low, high = beta.ppf([0.0125, 0.9875], [x, x + 1], [n - x + 1, n - x])
        assert (group["low"], group["high"]) == pytest.approx((low, high), abs=1e-9)


def test_before_the_verdict_there_are_counts_only(folder, capsys):
    ask = [*RELAXED, "--items", "week1.csv", "--sheet", "s.csv", "--kind", "optimal"]
    call(capsys, *ask)
    fill("s.csv", lambda row: 0, steps=range(1, 11))
    groups = told(capsys, "verdict", "s.csv", "--by", "label")["audit"]["groups"]
    assert sum(g["inspected"] for g in groups.values()) == 10
    assert {g["low"] for g in groups.values()} == {None}


# Sheets as people save them -------------------------------------------------------


@pytest.mark.parametrize("descending", [False, True])
def test_rows_in_another_order_are_put_back(folder, capsys, descending):
    ask = [*RELAXED, "--items", "week1.csv", "--sheet", "s.csv", "--kind", "optimal"]
    call(capsys, *ask, "--seed", 1)
    wrong = {k: k % 11 == 0 for k in range(1, 500)}
    fill("s.csv", lambda row: int(wrong[int(row["step"])]))
    straight = told(capsys, "verdict", "s.csv")
    frame = pd.read_csv("s.csv", dtype=str)
    frame = frame.sort_values("item", ascending=not descending)
    frame.to_csv("s.csv", index=False, sep=";")
    assert told(capsys, "verdict", "s.csv") == straight


def test_words_of_ones_own(folder, capsys):
    call(capsys, *RELAXED, "--items", "week1.csv", "--sheet", "s.csv", "--seed", 1)
    fill(
        "s.csv",
        lambda row: ("richtig", "Falsch")[int(row["step"]) < 3],
        steps=range(1, 9),
    )
    found = told(capsys, "verdict", "s.csv", "--wrong-words", "falsch,richtig")
    assert found["audit"]["errors_found"] == 2
    refused(capsys, "it may be no or yes, as --wrong-words says", "verdict", "s.csv",
            "--wrong-words", "no,yes")  # fmt: skip
    refused(capsys, "--wrong-words has others", "verdict", "s.csv")


def test_an_accepted_batch_with_a_high_upper_end_is_explained(capsys, folder):
    call(capsys, *RELAXED, "--lot-size", 1000, "--kind", "optimal", "--sheet", "s.csv")
    fill("s.csv", lambda row: 0, steps=range(1, 68))
    report = told(capsys, "verdict", "s.csv")["audit"]["report"]
    assert "that reaches above 5 %, the rate of a bad batch" in report


def test_cells_that_a_spreadsheet_writes_in_its_own_way(folder, capsys):
    frame = pd.DataFrame({"item": range(300), "sure": ["true", "false"] * 150})
    frame["score"] = ["0.5", "2.25", "7"] * 100
    frame["day"] = ["2026-05-13", "2026-11-02 09:05:00", "2026-01-30"] * 100
    frame.to_csv("lot.csv", index=False)
    call(capsys, *RELAXED, "--items", "lot.csv", "--sheet", "s.csv", "--seed", 1)
    text = (folder / "s.csv").read_text(encoding="utf-8-sig")
    german = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    german["sure"] = german["sure"].map({"true": "WAHR", "false": "FALSCH"})
    german["score"] = german["score"].str.replace(".", ",")
    days = {"2026-05-13": "13.05.26", "2026-01-30": "01/30/2026"}
    german["day"] = german["day"].replace(
        {**days, "2026-11-02 09:05:00": "02.11.2026 9:05"}
    )
    german["wrong"] = "0,0"
    german.to_csv("s.csv", index=False, sep=";")
    assert told(capsys, "verdict", "s.csv")["audit"]["verdict"] == "accept"
