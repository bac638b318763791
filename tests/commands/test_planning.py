"""labelaudit plan and estimate: the library's numbers, several batches, a judge."""

import re
from fractions import Fraction

import pandas as pd
import pytest
from scipy.stats import hypergeom

import drawing_oracle
import labelaudit as la
import oracles
from regions import quietly

RELAXED = "--p-a 2% --p-r 5% --alpha 5% --beta 10%"
WEEKS = ("week1", "week2", "week3")


@pytest.mark.parametrize("kind", ["single", "double", "sequential", "optimal"])
@pytest.mark.parametrize("size", [300, None])
def test_a_plan_is_the_librarys_and_its_sheet_carries_it(folder, told, kind, size):
    lot = "" if size is None else f"--lot-size {size}"
    found = told(f"plan {RELAXED} --kind {kind} {lot} --sheet s.csv")
    carried = told("verdict s.csv")
    assert found.pop("sheet")["seed"] == carried.pop("audit")["seed"]
    assert carried == found
    plan = quietly(getattr(la, f"{kind}_plan"), la.RELAXED, size)
    at = plan.average_sample_number(la.RELAXED.errors(size))
    notes = found.pop("notes")
    assert found == {
        "kind": kind,
        "lot_size": size,
        "levels": {"p_a": 0.02, "p_r": 0.05, "alpha": 0.05, "beta": 0.1},
        "max_sample": plan.max_sample,
        "stages": plan.stages.to_dict(orient="records"),
        "producers_risk": plan.producers_risk,
        "consumers_risk": plan.consumers_risk,
        "average_sample_number": {"p_a": at[0], "p_r": at[1]},
    }
    assert bool(notes) == (plan.keeps_risks != (True, True))


def test_a_plan_for_people(folder, call):
    strict = "plan --p-a .01 --p-r .03 --alpha .01 --beta .05"
    status, out, err = call(f"{strict} --lot-size 1000")
    assert (status, err) == (0, "")
    assert "after 428: accept at 8 errors or fewer, reject at 9 or more" in out
    assert "inspects 428 on average at p_a, 428 at p_r" in out
    assert "p_a: the error rate that is good, 1 %; p_r: one that is bad, 3 %" in out
    assert "ASN" not in out
    levels = "--p-a .1 --p-r .3 --alpha .1 --beta .2 --kind optimal --lot-size 50"
    _, out, _ = call(f"plan {levels}")
    assert out.index("mean ASN") < out.index("ASN is the average sample number")
    _, out, _ = call("plan --p-a .3 --p-r .7 --alpha .4 --beta .5 --sheet s.csv")
    assert "accept at 0 errors or fewer, reject at 1 or more" in out
    assert "at most 1 inspection\n" in out and "wrote s.csv: 1 item, in" in out
    status, _, err = call(f"plan {RELAXED} --kind sequential --lot-size 500")
    assert status == 0 and err.startswith("note: Wald's sequential test")
    for lot in ("--items week1.csv", "--items all.csv --batch week"):
        _, out, _ = call(f"plan {RELAXED} {lot}")
        assert "\n\nno sheet was written; the same call with --sheet sheet.csv" in out
        _, out, _ = call(f"plan {RELAXED} {lot} --sheet sheet.csv")
        assert "no sheet" not in out and list(folder.glob("sheet*.csv"))
    _, out, _ = call(f"plan {RELAXED} --lot-size 300")
    assert "no sheet" not in out


@pytest.mark.parametrize("lot", ["--lot-size 1000", "", "--items week1.csv"])
@pytest.mark.parametrize("kind", ["single", "sequential"])
def test_no_error_allowed_is_answered_with_a_plan_that_can_be_typed(
    folder, call, told, lot, kind
):
    more = f"--p-r .05 --alpha .05 --beta .05 --kind {kind} {lot}"
    status, _, err = call(f"plan --p-a 0 {more}")
    offered = re.search(r"so give --p-a (\S+)$", err.strip())
    assert (status, err.count("\n")) == (2, 1)
    found = told(f"plan --p-a {offered[1]} {more}")
    if kind == "single":  # by the laws: no error in n, as small as keeps beta
        size = found["lot_size"]
        bad = size and round(0.05 * size)

        def risk(n):
            return 0.95**n if size is None else hypergeom.pmf(0, size, bad, n)

        n = next(n for n in range(1, 99) if risk(n) <= 0.05)
        assert found["stages"] == [{"n": n, "accept": 0, "reject": 1}]
        assert size != 1000 or (offered[1], n) == ("0.0005", 57)


def test_the_most_inspectors_and_the_largest_seed_of_a_sheet(
    folder, told, refused, monkeypatch
):
    """One step each; and what is drawn can be typed again: it has nine digits."""
    plan = f"plan {RELAXED} --lot-size 60 --sheet s.csv"
    steps = la.single_plan(la.RELAXED, 60).max_sample
    more = f"{plan} --inspectors {steps + 1}"
    refused(f"this plan has {steps} steps to deal out; give fewer", more)
    monkeypatch.setattr("secrets.randbelow", lambda number: number - 1)
    sheet = told(f"{plan} --inspectors {steps}")["sheet"]
    assert len(sheet["parts"]) == steps
    assert sheet["seed"] == 999_999_999


# Several batches --------------------------------------------------------------------


def test_a_sheet_for_each_file(folder, call, told):
    files = f"--items {' '.join(f'{week}.csv' for week in WEEKS)}"
    found = told(f"plan {RELAXED} {files} --sheet s.csv --seed 8")
    assert [one["name"] for one in found["batches"]] == [*WEEKS]
    sizes = [la.single_plan(la.RELAXED, n).max_sample for n in (300, 200, 300)]
    assert [one["max_sample"] for one in found["batches"]] == sizes
    assert found["summary"] == {"batches": 3, "items": 800, "max_sample": sum(sizes)}
    drawn = []
    for k, week in enumerate(WEEKS):
        audit = told(f"verdict s-{week}.csv")["audit"]
        assert (audit["verdict"], audit["seed"]) == ("continue", 8 + k)
        drawn.append([name[2:] for name in pd.read_csv(f"s-{week}.csv")["item"]])
    assert drawn[0] != drawn[2]  # batches of one size have draws of their own
    status, out, _ = call(f"plan {RELAXED} --kind double {files}")
    head, *lines = out.splitlines()
    assert status == 0 and "3 batches, 800 items" in lines[len(WEEKS) + 1]
    columns = "batch items at most average at p_a average at p_r"
    assert head.split() == columns.split(" ")
    for line, name, size in zip(lines, WEEKS, (300, 200, 300)):
        plan = la.double_plan(la.RELAXED, size)
        asn = plan.average_sample_number(la.RELAXED.errors(size))
        numbers = [size, plan.max_sample, *(f"{n:.4g}" for n in asn)]
        assert line.split() == [name, *map(str, numbers)]
    _, out, _ = call(f"plan {RELAXED} {files} --sheet t.csv")
    assert "labelaudit verdict t-week1.csv" in out


def test_a_sheet_for_each_value_of_a_column(folder, told):
    batches = "--items all.csv --batch week --sheet s.csv"
    found = told(f"plan {RELAXED} {batches}")["batches"]
    assert [one["name"] for one in found] == ["week 1", "week 2", "week 3"]
    paths = [one["sheet"]["path"] for one in found]
    assert paths == ["s-week_1.csv", "s-week_2.csv", "s-week_3.csv"]
    assert set(pd.read_csv(paths[1])["week"]) == {"week 2"}
    rows = b"".join(b"%d,x\n" % k for k in range(99))
    (folder / "one.csv").write_bytes(b"item,w\n" + rows)
    found = told(f"plan {RELAXED} --items one.csv --batch w")
    assert found["summary"]["batches"] == 1


def test_all_sheets_or_none(folder, refused, full_disk):
    batches = f"plan {RELAXED} --sheet s.csv --items week1.csv week2.csv week3.csv"
    (folder / "s-week3.csv").write_bytes(b"theirs")
    refused("s-week3.csv is there already; --force", batches)
    assert (folder / "s-week3.csv").read_bytes() == b"theirs"
    (folder / "s-week3.csv").unlink()
    full_disk(1)
    refused("cannot write --sheet s-week1.csv: No space left", batches)


# Estimates --------------------------------------------------------------------------


@pytest.mark.parametrize("half_width", [0.05, 0.1, 0.2])
def test_without_a_rate_every_outcome_is_short_enough(told, half_width):
    lot = 40

    def enough(n):
        method = 0.95, "clopper-pearson"
        ends = [oracles.lot_interval(x, n, lot, *method) for x in range(n + 1)]
        return all(high - low <= 2 * lot * half_width + 1e-9 for low, high in ends)

    least = next(n for n in range(1, lot + 1) if enough(n))
    found = told(f"estimate --half-width {half_width} --lot-size {lot}")
    assert found["max_sample"] == least
    assert found["sample_size"] == {"first": least, "stable": least}


@pytest.mark.parametrize(("size", "level"), [(None, 0.95), (800, 0.9)])
def test_with_a_rate_the_sample_is_the_librarys(call, told, size, level):
    lot = f"--lot-size {size}" if size else ""
    ask = f"estimate --half-width .02 --rate 5% {lot} --confidence {level}"
    ours = la.interval_sample_size(0.05, 0.02, size, confidence=level)
    assert told(ask) == {
        "kind": "interval",
        "lot_size": size,
        "max_sample": ours.stable,
        "sample_size": {"first": ours.first, "stable": ours.stable},
        "half_width": 0.02,
        "rate": 0.05,
        "confidence": level,
        "notes": [],
    }
    assert "at another rate it can be longer" in call(ask)[1]


# A judge; what verdict makes of its sheets is in test_verdicts.py


def test_a_sample_of_each_stratum(judged, told, call):
    lot, found = judged
    plain = told("estimate --half-width .05 --lot-size 600")
    called, n = int((lot["model"] == "TRUE").sum()), plain["max_sample"]
    first = min(round(n * (Fraction(called, 600) + Fraction(1, 2)) / 2), called)
    assert found["strata"] == [
        {"judge": "wrong", "lot_size": called, "sample_size": first},
        {"judge": "right", "lot_size": 600 - called, "sample_size": n - first},
    ]
    assert {k: found[k] for k in plain} == plain
    sheet = pd.read_csv("s.csv", dtype=str)
    # In the order of one shuffle, so that nobody sees the strata in it.
    order = lot.iloc[drawing_oracle.drawn(600, 600, 5)]
    parts = zip(("TRUE", "FALSE"), (first, n - first))
    chosen = {
        one for word, m in parts for one in order.index[order["model"] == word][:m]
    }
    assert [*sheet["item"]] == [item for item in order.index if item in chosen]
    ask = "estimate --half-width .05 --items items.csv --judge model=TRUE"
    out = call(ask)[1]
    assert "the half width is expected, not promised" in out
    # As many are wrong as are called so, of which it finds nine in ten.
    x = round(first * Fraction(9, 10))
    y = round((n - first) * Fraction(called, 10) / (600 - called))
    drawn, sizes = (first, n - first), (called, 600 - called)
    low, high = la.stratified_interval((x, y), drawn, sizes)
    assert f"(about {100 * (high - low) / 2:.3g} % if " in out


def test_samples_that_take_more_than_a_minute_are_refused(folder, refused):
    rows = "\n".join(f"{k},{k % 9 == 0}" for k in range(8000))
    (folder / "many.csv").write_text(f"item,model\n{rows}\n", encoding="utf-8")
    ask = "estimate --items many.csv --judge model=True --half-width .01 --rate .1"
    refused("for more than 2,000 takes more than a minute", ask)
