"""labelaudit plan and labelaudit agree: what they print, what they refuse."""

import json
import os
import re
import shlex
import subprocess
import sys
from html import escape
from math import isnan

import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import quietly
from labelaudit.files.ratings import collection
from reproduction.machinery import paths
from typed import call

LONG = "item,rater,label\n1,a,yes\n1,b,yes\n2,a,no\n2,b,yes\n3,a,no\n3,b,no\n"
LONG += "4,a,\n4,b,no\n"
WIDE = "id,ann,bob,cy\n1,1,2,1\n2,2,2,\n3,3,3,4\n4,1,1,1\n5,,,2\n"
STRICT = ["--p-a", ".01", "--p-r", ".03", "--alpha", ".01", "--beta", ".05"]
EXAMPLE = paths.MADE / "ratings.csv"
SECOND = paths.MADE / "ratings_second.csv"


def file(tmp_path, text, name="ratings.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


# Wrong calls; what is wrong with a file is for tests/files ------------------------

WRONG = {
    "plan": [
        (STRICT[2:], "are required: --p-a"),
        (["--p-a", ".02"], "are required: --p-r, --alpha, --beta"),
        (["--p-a", ".03", *STRICT[2:]], "plan: --p-r must be greater than --p-a"),
        ([*STRICT, "--lot-size", "0"], "'0' is no whole number from 1 to 10,000,000"),
        ([*STRICT, "--lot-size", "-5"], "'-5' is no whole number from 1"),
        ([*STRICT, "--lot", "5"], "--lot is no option of it; did you mean --lot-size?"),
        ([*STRICT, "5"], "'5' stands where nothing is expected"),
        (
            [*STRICT, "--lot-size", "10"],
            "--lot-size must be large enough to tell --p-a",
        ),
        ([*STRICT, "--lot-size", "ten"], "'ten' is no whole number"),
        ([*STRICT, "--kind", "duoble"], "did you mean double?"),
        ([*STRICT, "--item", "id"], "--item goes with --items"),
        ([*STRICT, "--seed", "3"], "--seed goes with --sheet"),
        ([*STRICT, "--semicolons"], "--semicolons goes with --sheet"),
        (
            [*STRICT, "--lot-size", "900", "--sheet", "s.csv", "--seed", "-1"],
            "'-1' is no whole number of at least 0",
        ),
    ],
    "agree": [
        ([EXAMPLE, "--raters", ""], "--raters: '' is a list of nothing"),
        (["none.csv"], "labelaudit agree: cannot read none.csv: No such file"),
        ([EXAMPLE, "--item", "Nr"], "has no column 'Nr'; its columns: item, rater, la"),
        ([EXAMPLE, "--distance", "ratio"], "line 2: 'fine' is not a number"),
        ([EXAMPLE, "--distance", "far"], "'far' is none of nominal, ordinal"),
        # Before any work: none.csv is not missed.
        (["none.csv", "--report", "none/r.html"], "there is no folder none"),
        (["none.csv", "--report", "."], "--report . is a folder"),
    ],
}


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [(command, *case) for command, cases in WRONG.items() for case in cases],
)
def test_a_wrong_call_is_refused(
    capsys, monkeypatch, tmp_path, command, arguments, message
):
    monkeypatch.chdir(tmp_path)
    status, out, err = call(capsys, command, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert os.listdir(tmp_path) == []


# plan -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["single", "double", "sequential", "optimal"])
@pytest.mark.parametrize("lot_size", [1000, None])
def test_a_plan_is_the_librarys(capsys, kind, lot_size):
    lot = [] if lot_size is None else ["--lot-size", lot_size]
    status, out, _ = call(capsys, "plan", *STRICT, "--kind", kind, *lot, "--json")
    assert status == 0
    found = json.loads(out)
    with pytest.warns() if kind == "sequential" and found["notes"] else nothing():
        plan = getattr(la, f"{kind}_plan")(la.STRICT, lot_size)
    at = plan.average_sample_number(la.STRICT.errors(lot_size))
    notes = found.pop("notes")
    assert found == {
        "kind": kind,
        "lot_size": lot_size,
        "levels": {"p_a": 0.01, "p_r": 0.03, "alpha": 0.01, "beta": 0.05},
        "max_sample": plan.max_sample,
        "stages": plan.stages.to_dict(orient="records"),
        "producers_risk": plan.producers_risk,
        "consumers_risk": plan.consumers_risk,
        "average_sample_number": {"p_a": at[0], "p_r": at[1]},
    }
    assert bool(notes) == (plan.keeps_risks != (True, True))


class nothing:  # noqa: N801
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


def test_a_plan_for_people(capsys):
    status, out, err = call(capsys, "plan", *STRICT, "--lot-size", 1000)
    assert (status, err) == (0, "")
    assert "after 428: accept at 8 errors or fewer, reject at 9 or more" in out
    assert "inspects 428 on average at p_a, 428 at p_r" in out
    assert "p_a: the error rate that is good, 1 %; p_r: one that is bad, 3 %" in out
    assert "ASN" not in out
    levels = ["--p-a", ".1", "--p-r", ".3", "--alpha", ".1", "--beta", ".2"]
    more = ("--kind", "optimal", "--lot-size", 50)
    _, out, _ = call(capsys, "plan", *levels, *more)
    assert out.index("mean ASN") < out.index("ASN is the average sample number")


def test_a_sequential_plan_that_misses_a_risk_says_so(capsys):
    relaxed = ["--p-a", ".02", "--p-r", ".05", "--alpha", ".05", "--beta", ".1"]
    kind = ["--kind", "sequential", "--lot-size", 500]
    status, _, err = call(capsys, "plan", *relaxed, *kind)
    assert status == 0
    assert err.startswith("note: Wald's sequential test")


# agree ----------------------------------------------------------------------------


def agreed(capsys, path, *more):
    status, out, err = call(capsys, "agree", path, *more, "--json")
    assert status == 0, err
    return json.loads(out)


def test_a_long_table_and_the_same_wide_agree_with_the_library(capsys, tmp_path):
    wide = "item,a,b\n1,yes,yes\n2,no,yes\n3,no,no\n4,,no\n"
    long = agreed(capsys, file(tmp_path, LONG))
    assert agreed(capsys, file(tmp_path, wide)) == long
    assert long["n_items"] == 3
    assert long["n_raters"] == 2
    assert long["n_ratings"] == 6
    assert long["labels"] == ["no", "yes"]
    assert long["dropped"] == 1
    r = la.Ratings.from_matrix(
        [["yes", "yes"], ["no", "yes"], ["no", "no"], [None, "no"]]
    )
    names = ["bennett_s", "fleiss_kappa", "krippendorff_alpha", "janson_olsson_iota"]
    names += ["gwet_ac1", "scott_pi", "cohen_kappa"]
    assert list(long["coefficients"]) == names
    for name, found in long["coefficients"].items():
        one = getattr(la, name)(r)
        low, high = (None if isnan(end) else end for end in quietly(one.interval))
        assert found == {
            "value": one.value,
            "observed": one.observed,
            "expected": one.expected,
            "observed_disagreement": one.observed_disagreement,
            "expected_disagreement": one.expected_disagreement,
            "standard_error": one.standard_error,
            "low": low,
            "high": high,
        }


def test_numbers_where_the_distance_needs_them(capsys, tmp_path):
    path = file(tmp_path, WIDE)
    found = agreed(capsys, path, "--distance", "interval")
    assert found["labels"] == [1, 2, 3, 4]
    r = la.Ratings.from_matrix(
        [[1, 2, 1], [2, 2, None], [3, 3, 4], [1, 1, 1], [None, None, 2]]
    )
    alpha = la.krippendorff_alpha(r, "interval").value
    assert found["coefficients"]["krippendorff_alpha"]["value"] == pytest.approx(alpha)
    assert "cohen_kappa" not in found["coefficients"]
    assert agreed(capsys, path)["labels"] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("distance", ["interval", "ordinal"])
def test_disagreement_where_there_is_no_agreement(capsys, tmp_path, distance):
    """D_o and D_e of alpha in fractions; agreement is null, neither is shown."""
    path = file(tmp_path, WIDE)
    found = agreed(capsys, path, "--distance", distance, "--second", path)
    judgments = oracles.from_rows(
        [[1, 2, 1], [2, 2, None], [3, 3, 4], [1, 1, 1], [None, None, 2]]
    )
    by_pairs = oracles.interval
    if distance == "ordinal":
        by_pairs = oracles.ordinal(judgments, [1, 2, 3, 4])
    exact = oracles.agreement("krippendorff_alpha", judgments, by_pairs)
    o, e = oracles.parts(exact)[2:]
    for name, row in found["coefficients"].items():
        assert list(row) == [
            "value", "observed", "expected", "observed_disagreement",
            "expected_disagreement", "standard_error", "low", "high",
        ]  # fmt: skip
        agrees = name not in ("krippendorff_alpha", "janson_olsson_iota")
        assert (row["observed"] is not None) == agrees
        assert (row["expected"] is not None) == agrees
    row = found["coefficients"]["krippendorff_alpha"]
    assert row["observed_disagreement"] == pytest.approx(o)
    assert row["expected_disagreement"] == pytest.approx(e)
    pairs, second = found["by_pair"], found["second"]
    for row in [*pairs, second["cross_kappa"], second["reliability_x"]]:
        assert row["observed"] is row["expected"] is None
        assert row["observed_disagreement"] >= 0 < row["expected_disagreement"]
    assert second["normalized_cross_kappa"]["observed_disagreement"] is None
    _, out, _ = call(capsys, "agree", path, "--distance", distance)
    lines = out.split("\n")
    assert lines[2].split() == ["value", "standard_error", "low", "high"]
    told = next(line.split() for line in lines if line.startswith("krippendorff_alpha"))
    assert float(told[1]) == pytest.approx(1 - o / e, abs=5e-4)
    said = f"Observed disagreement is {o / e:.3f} of what chance would give."
    assert said in " ".join(out.split())


def test_labels_that_look_like_numbers_stay_as_they_are(capsys, tmp_path):
    text = "item,x,y\n01,007,7\n02,1e3,1e3\n03,NA,None\n"
    found = agreed(capsys, file(tmp_path, text))
    assert found["labels"] == ["007", "1e3", "7", "NA", "None"]
    assert found["n_items"] == 3


def test_columns_by_name(capsys, tmp_path):
    text = LONG.replace("item,rater,label", "Nr,Who,What")
    named = ["--item", "Nr", "--rater", "Who", "--label", "What"]
    assert agreed(capsys, file(tmp_path, text), *named)["n_items"] == 3


def test_undefined_is_null_and_said(capsys, tmp_path):
    path = file(tmp_path, "item,a,b\n1,x,x\n2,x,x\n")
    status, out, err = call(capsys, "agree", path, "--json")
    assert status == 4 and "every coefficient is undefined" in err
    found = json.loads(out)
    assert found["coefficients"]["cohen_kappa"]["value"] is None
    assert any(
        text.startswith("all coefficients are undefined") for text in found["notes"]
    )
    status, out, err = call(capsys, "agree", tmp_path / "ratings.csv")
    assert status == 4
    assert "undefined" in out
    assert "note: " in err


def test_agreement_for_people(capsys, tmp_path):
    status, out, err = call(capsys, "agree", file(tmp_path, LONG))
    assert status == 0
    assert "note: only 3 items with two judgments or more" in err
    assert out.startswith(
        "3 items, 2 raters, 6 judgments; labels no, yes; dropped for fewer than two"
        " judgments: 1\n"
    )
    assert "krippendorff_alpha 0.444" in " ".join(out.split())
    assert "To quote: krippendorff_alpha;" in out


# agree: more than coefficients ------------------------------------------------------


def test_breakdowns_are_the_librarys(capsys):
    found = agreed(capsys, EXAMPLE, "--suggested", "suggested", "--second", SECOND)
    both = (collection(p, ignored=["suggested"]).ratings for p in (EXAMPLE, SECOND))
    first, second = both
    told = collection(EXAMPLE, suggested="suggested").suggested
    expected = la.reliability(first, suggested=told, other=second)
    assert found["notes"] == list(expected.warnings)
    assert found["omitted"] == []
    by_label = {row["label"]: row["value"] for row in found["by_label"]}
    assert by_label == expected.labels["value"].to_dict()
    by_rater = {row["rater"]: row["without"] for row in found["by_rater"]}
    assert by_rater == expected.raters["without"].to_dict()
    assert [(row["rater"], row["other"]) for row in found["by_pair"]] == [
        *expected.pairs.index
    ]
    assert [row["item"] for row in found["disputed"]] == [*expected.items.index[:20]]
    assert found["suggested"]["pull"] == expected.suggested.loc["pull"].to_dict()
    assert found["second"]["cross_kappa"]["value"] == expected.other["value"].iloc[0]


def test_labels_in_order_need_be_no_numbers(capsys, tmp_path):
    text = "item,a,b\n1,low,mid\n2,high,high\n3,mid,mid\n4,low,low\n5,low,high\n"
    how = ["--distance", "ordinal", "--labels", "low, mid, high"]
    found = agreed(capsys, file(tmp_path, text), *how)
    assert found["labels"] == ["low", "mid", "high"]
    rows = [line.split(",")[1:] for line in text.split()[1:]]
    r = la.Ratings.from_matrix(rows, labels=["low", "mid", "high"])
    alpha = la.krippendorff_alpha(r, "ordinal").value
    assert found["coefficients"]["krippendorff_alpha"]["value"] == alpha
    weighted = la.weighted_kappa(r, "quadratic").value
    assert found["coefficients"]["weighted_kappa"]["value"] == weighted
    status, _, err = call(capsys, "agree", tmp_path / "ratings.csv", *how[:2])
    assert status == 2
    assert "line 2: 'low' is not a number" in err


def test_options_for_files(capsys, tmp_path):
    text = "split,id,x,y,n\nt,1,a,NA,2\nt,2,b,b,3\nt,3,a,a,1\n"
    path = file(tmp_path, text)
    how = ["--item", "id", "--raters", "x,y", "--missing", "NA,none"]
    found = agreed(capsys, path, *how)
    assert (found["n_items"], found["n_raters"], found["dropped"]) == (2, 2, 1)
    counted = agreed(capsys, path, "--raters", "x,y", "--times", "n")
    assert counted["n_items"] == 6


def alike(notes):
    return [text for text in notes if "make them so in the data" in text]


def test_labels_written_otherwise_elsewhere_are_said(capsys, tmp_path):
    first = "item,a,b,m\n1,yes,yes,Yes\n2,no,yes,no\n3,no,no,no\n"
    path = file(tmp_path, first)
    second = "item,c,d\n1,ye\u200bs,yes\n2,no,no  way\n3,no way,no\n"
    other = file(tmp_path, second, "second.csv")
    found = agreed(capsys, path, "--suggested", "m", "--second", other)
    (text,) = alike(found["notes"])
    assert text == (
        f"'yes' (in {path}, {other}) and 'ye\\u200bs' (in {other}) and 'Yes' (in"
        f" {path}, column m), 'no  way' (in {other}) and 'no way' (in {other}) are"
        " different labels here; if they are meant to be the same, make them so in the"
        " data"
    )
    assert found["labels"] == ["no", "yes"]  # a note changes nothing
    assert not alike(agreed(capsys, path, "--raters", "a,b")["notes"])
    # What the library says of the first file is said once.
    again = file(tmp_path, first.replace("2,no,yes", "2,No,yes"))
    once = agreed(capsys, again, "--raters", "a,b")
    assert len(alike(once["notes"])) == 1


def test_labels_that_unicode_writes_in_two_ways_are_said(capsys, tmp_path):
    text = "item,a,b\n1,s\u00ed,si\u0301\n2,no,no\n"
    (note,) = alike(agreed(capsys, file(tmp_path, text))["notes"])
    assert r"'s\xed'" in note and r"'si\u0301'" in note


def test_items_and_raters_that_look_alike_are_said(capsys, tmp_path):
    path = file(tmp_path, "item,r1,R1\nA1,x,x\nB1,y,x\n0.0,y,y\n")
    second = file(tmp_path, "item,r1,s\na1,x,x\nB1,y,x\n0,y,y\n", "second.csv")
    items, raters = alike(agreed(capsys, path, "--second", second)["notes"])
    assert f"'A1' (in {path}) and 'a1' (in {second})" in items
    assert f"'0.0' (in {path}) and '0' (in {second}) are different items" in items
    assert f"'r1' (in {path}) and 'R1' (in {path}) are different raters" in raters
    # Long numbers, which a float cannot tell apart, are not alike.
    rows = "item,a,b\n12345678901234567,x,x\n12345678901234568,y,y\n"
    assert not alike(agreed(capsys, file(tmp_path, rows))["notes"])


def test_a_report_is_written_once(capsys, tmp_path):
    out = tmp_path / "r.html"
    status, said, _ = call(capsys, "agree", EXAMPLE, "--report", out)
    assert status == 0
    assert said.endswith(f"report: {out}\n")
    html = out.read_text(encoding="utf-8")
    assert f"<p>{said.splitlines()[0]}</p>" in html
    assert f"labelaudit {la.__version__}." in html
    assert html.count("<figure>") == 4
    before = out.read_bytes()
    status, said, err = call(capsys, "agree", SECOND, "--report", out)
    assert (status, said) == (2, "")
    assert "r.html is there already; --force writes over it" in err
    assert out.read_bytes() == before
    again = tmp_path / "again.html"
    call(capsys, "agree", EXAMPLE, "--report", again)
    assert again.read_bytes() == before
    assert call(capsys, "agree", SECOND, "--report", out, "--force")[0] == 0
    assert "ratings_second.csv" in out.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.html", "r.html"]


def test_a_report_with_all_it_can_have(capsys, tmp_path):
    out = tmp_path / "r.html"
    more = ["--suggested", "suggested", "--second", SECOND, "--report", out, "--json"]
    status, said, _ = call(capsys, "agree", EXAMPLE, *more)
    assert status == 0
    notes = json.loads(said)["notes"]
    html = out.read_text(encoding="utf-8")
    assert html.count("<figure>") == 6
    plain = html.replace("&nbsp;%", " %")
    assert all(escape(text) in plain for text in notes)
    assert not re.search(r"(src|href)=.(?!data:)|https?:|url\(|@import|<script", html)


def test_what_a_file_says_is_escaped(capsys, tmp_path):
    bad = "<script>alert(1)</script>"
    text = f"item,{bad},b\n<i>1</i>,<b>x</b>,y\n2,<b>x</b>,<b>x</b>\n3,y,y\n"
    out = tmp_path / "r.html"
    assert call(capsys, "agree", file(tmp_path, text), "--report", out)[0] == 0
    html = out.read_text(encoding="utf-8")
    assert "<script" not in html and "<b>" not in html and "<i>" not in html
    assert escape(bad) in html and escape("<b>x</b> 1") in html


def test_a_reader_who_has_seen_enough_is_no_error():
    python, example = shlex.quote(sys.executable), shlex.quote(str(EXAMPLE))
    command = f"{python} -m labelaudit agree {example} --json | head -n 1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=True
    )
    assert done.stdout == "{\n"
    assert "Error" not in done.stderr


def run(*arguments, **more):
    command = [sys.executable, "-m", "labelaudit", *map(str, arguments)]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, **more)


def test_a_label_that_the_terminal_cannot_show(tmp_path):
    path = file(tmp_path, "item,a,b\n1,\u2713,\u2713\n2,\U0001f600,no\n3,no,no\n")
    env = os.environ | {"PYTHONIOENCODING": "cp1252"}
    for more in ((), ("--json",)):
        done = run("agree", path, *more, env=env, stdout=subprocess.PIPE)
        assert done.returncode == 0
        assert r"\u2713" in done.stdout
        assert "Traceback" not in done.stderr
    done = run("agree", path, "--json", env=env, stdout=subprocess.PIPE)
    assert json.loads(done.stdout)["labels"] == ["no", "\u2713", "\U0001f600"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [("agree", EXAMPLE), ("agree", EXAMPLE, "--json"), ("plan", *STRICT), ("--help",)],
)
def test_an_output_that_is_full(arguments):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = run(*arguments, stdout=full)
    assert done.returncode == 2
    *notes, last = done.stderr.splitlines()
    assert last == "labelaudit cannot write the output: No space left on device"
    assert all(line.startswith("note: ") for line in notes)


def test_matplotlib_is_for_reports_only():
    code = (
        "import sys; from labelaudit.commands import main;"
        f"main(['agree', {str(SECOND)!r}]); sys.exit('matplotlib' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_as_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "labelaudit", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == la.__version__


def test_the_text_shows_suggestions_and_the_second_collection(capsys):
    status, out, _ = call(
        capsys, "agree", EXAMPLE, "--suggested", "suggested", "--second", SECOND
    )
    assert status == 0
    _, more, _ = call(
        capsys,
        "agree",
        EXAMPLE,
        "--suggested",
        "suggested",
        "--second",
        SECOND,
        "--json",
    )
    found = json.loads(more)
    for part, name in (("suggested", "pull"), ("second", "cross_kappa")):
        value = found[part][name]["value"]
        assert re.search(rf"^{name} +{value:.3f} ", out, re.M)
    assert " ".join(out.split()).endswith(found["report"])
