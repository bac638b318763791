"""labelaudit agree: what is noted, and what stands beside ratings.

Gold labels, suggestions, a second collection and a consensus.
"""

import json

import pandas as pd
import pytest

import labelaudit as la
from known import cases, rows
from reproduction.machinery import paths

EXAMPLE = paths.MADE / "ratings.csv"
SECOND = paths.MADE / "ratings_second.csv"

# Notes ------------------------------------------------------------------------------


@cases("files/alike")
def test_what_is_written_otherwise_elsewhere_is_said(file, agreed, case):
    ask = f"{file(case['text'])} {case.get('more', '')}"
    if "second" in case:
        ask += f" --second {file(case['second'], name='o.csv')}"
    found = agreed(ask)
    rest = " here; if they are meant to be the same, make them so in the data"
    notes = [note for note in found["notes"] if "make them so in the data" in note]
    assert notes == [words + rest for words in case["said"]]
    assert case.get("found", {}).items() <= found.items()


def test_numbers_compared_as_equal_or_not_may_be_grades(file, call):
    rows = [f"{k},{k % 6 + 1},{(k * k) % 6 + 1}" for k in range(40)]
    grades = f"agree {file('item,a,b', *rows)}"
    said = "labels are 6 numbers, 1 to 6, compared as equal or not"
    assert said in call(grades)[2]
    for more in ("--distance ordinal", "--labels 1,2,3,4,5,6"):
        assert "grades" not in call(f"{grades} {more}")[2]
    halves = [f"{k};{k % 4},5;{k * k % 4},5" for k in range(8)]
    assert (
        "labels are 4 numbers, 0.5 to 3.5, "
        in call(f"agree {file('item;a;b', *halves)}")[2]
    )


# What stands beside ratings -----------------------------------------------------------


def test_what_other_options_bring_can_be_required(call):
    """The limit in the JSON, and a hundredth more; without the option no value."""
    for name, option, beside in (
        ("dipietro_hazari_kappa", "--suggested suggested", "suggested"),
        ("cross_kappa", f"--second '{SECOND}'", "second"),
        ("normalized_cross_kappa", f"--second '{SECOND}'", "second"),
    ):
        ask = f"agree '{EXAMPLE}' --json --require {name}="
        found = json.loads(call(f"agree '{EXAMPLE}' {option} --json")[1])
        low = found[beside][name]["low"]
        statuses = [call(f"{ask}{low + more} {option}")[0] for more in (-0.01, 0.01)]
        assert statuses == [0, 3]
        status, _, err = call(f"{ask}0")
        assert status == 3 and f"it needs {option.split()[0]}" in err


SETS = ["x|y", "x", "[]", '["x|y", "z"]'] * 3


@pytest.mark.parametrize(
    ("labels", "more"), [(SETS, "--sets '|'"), ([*"012"] * 4, "--distance interval")]
)
def test_a_consensus_is_read_back_as_gold(folder, agreed, call, labels, more):
    """Sets, one of no label and one with the separator in a label; whole numbers."""
    frame = pd.DataFrame({"item": range(12), "a": labels, "b": labels})
    frame.to_csv("sets.csv", index=False)
    ask = f"sets.csv {more}"
    assert call(f"agree {ask} --consensus c.csv")[0] == 0
    found = agreed(f"{ask} --gold c.csv")["accuracy"]["overall"]
    assert (found["value"], found["n_items"]) == (1, 12)
    assert [*pd.read_csv("c.csv", dtype=str)["label"]] == labels


def told_of(found, words):
    return [one for one in found["notes"] if words in one]


PAIRS = [f"{k},{'x|y' if k % 2 else 'z'},{'x|y' if k % 4 else 'z'}" for k in range(20)]


@pytest.mark.parametrize(("gold", "says"), rows("gold_labels"))
def test_gold_labels_that_no_rater_gave(file, agreed, gold, says):
    rows = [f"{row},{gold if k % 2 else 'z'}" for k, row in enumerate(PAIRS)]
    rows = [row.replace(gold, f'"{gold}"') if gold != "x" else row for row in rows]
    ask = f"{file('item,a,b,g', *rows)} --sets '|' --raters a,b --gold g"
    found = [*told_of(agreed(ask), "--gold")]
    assert len(found) == bool(says) and all(one.startswith(says) for one in found)


def test_raters_of_the_same_name_in_both_collections(agreed, file):
    file("item,a,b", *PAIRS), file("item,b,c", *PAIRS, name="o.csv")
    (said,) = told_of(agreed("ratings.csv --second o.csv"), "in common")
    assert said.startswith("the two collections have 1 name of raters in common (b):")
    file("item,d,c", *PAIRS, name="o.csv")
    assert not told_of(agreed("ratings.csv --second o.csv"), "in common")


def test_where_items_were_labelled_once_accuracy_leads(file, call):
    rows = [f"{k},{'abc'[k % 3]},{'xy'[k % 2]},x" for k in range(40)]
    ask = f"{file('item,rater,label,gold', *rows)} --gold gold"
    status, out, err = call(f"agree {ask}")
    assert status == 4 and out.startswith("against gold labels:")
    assert "every coefficient is undefined" in err
    low, high = la.proportion_interval(20, 40)
    said = (
        f"To quote: accuracy against the gold labels is 0.50 (95 % interval {low:.2f}"
    )
    assert f"{said} to {high:.2f}), on 40 items with 40 judgments" in " ".join(
        out.split()
    )


def test_suggestions_that_are_followed(file, agreed, call):
    """a follows all, b half of them."""
    rows = [f"{k},{'xy'[k % 2]},x,{'xy'[k % 2]}" for k in range(40)]
    ask = f"{file('item,a,b,s', *rows)} --raters a,b --suggested s"
    assert agreed(ask)["suggested"]["followed"]["value"] == 0.75
    _, out, _ = call(f"agree {ask}")
    assert "where suggestions are right: items" in " ".join(out.split())


def test_suggested_sets_stand_in_json(file, agreed):
    rows = [f"{row},x|y" for row in PAIRS]
    ask = f"{file('item,a,b,s', *rows)} --sets '|' --raters a,b --suggested s"
    found = agreed(ask)
    assert all(row["suggested"] == ["x", "y"] for row in found["disputed"])
    assert found["labels"] == [["z"], ["x", "y"]]


def test_consensus_of_raters_with_few_judgments_is_noted(file, call):
    for k, said in ((12, False), (11, True)):  # judgments of each of four; four labels
        rows = [f"{i},{who},{'wxyz'[i % 4]}" for i in range(k) for who in "abcd"]
        ask = f"agree {file('item,rater,label', *rows)} --consensus c.csv --force"
        assert (f"half of the raters gave at most {k}" in call(ask)[2]) == said


def test_rows_that_are_not_listed_are_counted(file, call):
    """All, and two labels, before the raters."""
    names = [f"r{k}" for k in range(31)]
    rows = ([i, *("xy"[i % 2 ^ (k == i)] for k in range(32))] for i in range(20))
    file(",".join(["item", *names, "gold"]), *(",".join(map(str, r)) for r in rows))
    out = " ".join(call("agree ratings.csv --gold gold")[1].split())
    assert "rater r16" in out and "rater r17" not in out
    assert "The first 20 of 34; --json has all" in out


def test_what_is_said_of_other_items_and_of_numbers_between_grades(call, file):
    rows = ((k, k % 5, (k + k // 7) % 5, k % 5 + (k % 3 > 0) / 2) for k in range(9))
    text = file("item,a,b,m", *(",".join(map(str, row)) for row in rows))
    other = file("item,c,d", "t1,1,2", "t2,2,2", "t3,3,3", name="other.csv")
    _, out, err = call(f"agree {text} --raters a,b --second {other}")
    assert "the first collection has '0' (text), the second has 't1' (text)" in err
    assert "To quote: krippendorff_alpha; the others differ in what they take ch" in out
    for distance, said in (("interval", False), ("ordinal", True)):
        _, out, err = call(f"agree {text} --model m --distance {distance}")
        assert ("none that a rater ever gave" in err) == said
        assert "chance to be, or in how far apart they take labels to be." in out
