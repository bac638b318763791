"""What cells and columns mean: labels, numbers, sets, items, raters, rows."""

import json
import shlex

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from filed import PLAIN, WIDE, check_noted, said, table
from known import cases
from labelaudit.files.ratings import collection
from labelaudit.files.text import UnreadableError

# Labels -------------------------------------------------------------------------------


@cases("files/labels")
def test_labels_and_what_is_noted(read, case, recwarn):
    found = read(case["text"], **case.get("how", {})).ratings.labels
    plain = [sorted(one) if isinstance(one, frozenset) else one for one in found]
    assert plain == case["labels"]
    check_noted(case, recwarn)


NOTHING = "<NA> #N/A #REF! #DIV/0! NaN -nan NaT (null) — *"


@pytest.mark.parametrize("text", NOTHING.split())
def test_what_programs_write_for_nothing_is_said(agree, text):
    content = f"item,a,b\n1,x,{text}\n2,x,x\n3,y,y\n"
    (note,) = (one for one in agree(content)[1]["notes"] if "is none: " in one)
    way = shlex.split(note.partition("if so, say ")[2])
    assert f"'{text}' once" in note and agree(content, *way)[1]["labels"] == ["x", "y"]


@pytest.mark.parametrize(
    "cell",
    ['"[""y"", ""x""]"', "\"['y', 'x']\"", "\"{'y', 'x'}\"", '"[""y"", """", ""x""]"'],
)
def test_sets_of_labels(read, cell):
    with pytest.warns(UserWarning, match=r"'\[\]' once; if so, say --missing '\[\]'"):
        found = read(f"item,a,b\nd1,x;y,{cell}\nd2,[],x\nd3,,x ;\n", sets=";")
    x, y, none = frozenset("x"), frozenset("xy"), frozenset()
    assert [*found.ratings.labels] == [none, x, y]
    assert said(found) == {
        *(("d1", "a", y), ("d1", "b", y)),
        *(("d2", "a", none), ("d2", "b", x), ("d3", "b", x)),
    }


def test_records_of_few_of_many_raters(agree):
    """Each of eighty judged two items; more than a table of judgments it is one of
    gaps."""
    lines = [json.dumps({"item": k, f"w{k}": "x", f"w{(k + 1) % 80}": "xy"[k % 2]})
             for k in range(80)]  # fmt: skip
    status, found = agree("\n".join(lines), name="file.jsonl")
    assert (status, found["n_raters"], found["n_ratings"]) == (0, 80, 160)


def test_several_columns_that_are_true_are_a_set(read):
    text = (
        "id,user,mood:::sad,mood:::calm\n0,a,true,true\n0,b,true,\n1,a,,\n1,b,true,\n"
    )
    found = read(text, item=["id"], rater="user", label="mood", sets=",")
    sad, both = frozenset(["sad"]), frozenset(["sad", "calm"])
    assert said(found) == {("0", "a", both), ("0", "b", sad), ("1", "b", sad)}


def test_last_columns_that_are_still_to_be_filled_in(read, recwarn):
    text = "item,rater,label,Approve,Reject,\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n"
    assert read(text).ratings.n_ratings == 4
    assert "are left out: Approve, Reject" in str(recwarn.pop().message)


# Columns ------------------------------------------------------------------------------


@cases("files/shapes")
def test_judgments_and_what_is_noted(read, case, recwarn):
    found = read(case["text"], **case.get("how", {}))
    judgments = {tuple(one.split(" ", 2)) for one in case["judgments"]}
    assert said(found) == judgments
    assert {*found.ratings.raters} == {who for _, who, _ in judgments}
    check_noted(case, recwarn)


def test_judgments_in_a_cell_without_raters_are_anonymous(read):
    r = read('item,label\nd1,"yes,yes,no"\nd2,no\nd3,\n', split=",").ratings
    assert r.raters is None and [*r.labels] == ["no", "yes"]
    assert r.counts.tolist() == [[1, 2], [1, 0]]


def test_rows_that_stand_for_many_items(read):
    caries = la.Ratings.from_matrix(np.repeat([[1, 1], [1, 2], [2, 2]], [5, 2, 3], 0))
    text = "a,b,how many\n1,1,5\n1,2,2\n2,2,3\n2,1,0\n"
    r = read(text, times="how many").ratings
    assert (r.n_items, len(r.items)) == (10, 4)
    assert la.cohen_kappa(r).value == la.cohen_kappa(caries).value
    text = "a,b,n\n1,1,5\n1,2,50000001\n2,2,4000000000\n"
    assert read(text, times="n").ratings.n_items == 4_050_000_006


TWICE = "item,rater,label\n1,a,x\n1,a,y\n1,a,x\n2,a,z\n2,a,z\n3,b,x\n"


@pytest.mark.parametrize("how", ["first", "last", "drop"])
def test_second_judgments_are_settled(read, how, recwarn):
    kept = {("1", "a", "x"), ("2", "a", "z"), ("3", "b", "x")}
    kept -= {("1", "a", "x")} if how == "drop" else set()
    assert said(read(TWICE, repeats=how)) == kept
    told = " | ".join(str(one.message) for one in recwarn)
    which = "all of them" if how == "drop" else f"the {how}"
    assert "counted once: 2" in told and f"contradict each other: 1; {which}" in told
    again = read("item,rater,label\n1,a,y\n1,a,x\n1,a,y\n", repeats="last")
    assert said(again) == {("1", "a", "y")}


def test_what_is_told_of_each_item(read, save):
    """As a column of a long file or a wide one, or as a file."""
    text = pd.DataFrame(sorted(PLAIN), columns=["item", "rater", "label"])
    told = text["item"].map({"1": "yes", "2": "no"})
    long, wide = text.assign(more=told).to_csv(index=False), WIDE.replace("cy", "more")
    expected = {"1": "yes", "2": "no"}
    gold = str(save("item,label\n1,yes\n2,no\n", "gold.csv"))
    assert read(long, gold=gold).gold.to_dict() == expected
    ids = long.replace("item,", "id,", 1)
    heads = "item,label", "ID,label", "id,truth", "item,truth"
    short = [f"{head}\n1,yes\n2,no\n" for head in heads]
    for text in (*short, "note,id,label\n,1,yes\n,2,no\n"):
        right = str(save(text, "right.csv"))
        assert read(ids, item="id", gold=right).gold.to_dict() == expected
        found = read(WIDE, raters=["ann", "bob"], gold=right)
        assert found.gold.to_dict() == expected
    numbers = str(save(",truth\n1,yes\n2,no\n", "numbers.csv"))
    assert read(WIDE.replace("id", ""), gold=numbers).gold.to_dict() == expected
    for option in ("suggested", "gold", "model"):
        found = getattr(read(long, **{option: "more"}), option)
        assert found.to_dict() == expected
        found = read(wide, **{option: "more"})
        assert [*found.ratings.raters] == ["ann", "bob"]
        assert getattr(found, option).dropna().to_dict() == {"1": "x", "3": "x"}
    with pytest.warns(UserWarning, match="numbered from 1"):
        numbered = read("ann,bob\nx,y\nx,x\n", raters=["ann", "bob"], gold=gold)
    assert numbered.gold.to_dict() == expected


# Refused ------------------------------------------------------------------------------


@cases("files/refused")
def test_refused_with_place_and_reason(refusal, case):
    """The words are the case's name."""
    told = refusal(case["text"], **case.get("how", {}))
    assert case["name"] in told and "\n" not in told
    assert "ratings.csv" in told or told.startswith("--")


@pytest.mark.filterwarnings("ignore:accuracy. 3 clusters")
def test_an_item_of_two_columns(agree, save, tmp_path):
    rows = [(d, s, w, "OQ"[(s + k + i) % 2]) for i, d in enumerate("pqr")
            for s in (1, 2, 3) for k, w in enumerate(("ann", "ben"))]  # fmt: skip
    right = table("doc,item,label", [(d, s, "O") for d, s, *_ in rows[::2]])
    gold, best = save(right, "g.csv"), tmp_path / "best.csv"
    text = table("doc,item,rater,label", rows)
    how = ["--item", "doc,item", "--cluster", "doc", "--gold", gold]
    status, found = agree(text, *how, "--consensus", best)
    assert status == 0 and found["n_items"] == 9
    right = sum(label == "O" for *_, label in rows) / len(rows)
    assert found["accuracy"]["overall"]["value"] == pytest.approx(right)
    head = best.read_text(encoding="utf-8").split("\n")[:2]
    assert head[0] == "doc,item,label,probability,O,Q" and head[1].startswith("p,1,")
    for content, words in (
        (table("item,label", [(1, "O")]), "g.csv has no column 'doc': a file of"),
        (table("doc,item,label", [("q", 9, "x")]), "no item of "),
    ):
        save(content, "g.csv")
        status, message = agree(text, *how)
        assert status == 2 and words in message


def test_a_table_of_two_raters_and_its_sums(agree):
    square = [("a", 9, 2), ("b", 1, 8)]
    sums = [("a", 9, 2, 11), ("b", 1, 8, 9), ("all", 10, 10, 20)]
    pairs = np.repeat([[*"aa"], [*"ab"], [*"ba"], [*"bb"]], [9, 2, 1, 8], axis=0)
    kappa = la.cohen_kappa(la.Ratings.from_matrix(pairs)).value
    for text in (table(",a,b", square), table(",a,b,all", sums), table(",A,B", square)):
        status, found = agree(text, "--table")
        assert status == 0 and found["n_items"] == 20
        assert found["coefficients"]["cohen_kappa"]["value"] == pytest.approx(kappa)
    for text, words in (
        (table(",a,c", square), "b, c not in both"),
        (table(",a,b", square[:1] * 2), "same names"),
        (table(",a,b", [("a", 0, 0), ("b", 0, 0)]), "has no item: every count is 0"),
    ):
        status, message = agree(text, "--table")
        assert status == 2 and words in message


def test_a_label_that_one_of_two_raters_never_said(agree):
    """As if the other side of the table had it, with zeros."""
    square = [("x", 9, 2, 0), ("y", 1, 8, 0), ("z", 0, 3, 0)]
    texts = table(",x,y,z", square), table(",x,y", [row[:3] for row in square])
    answers = [agree(text, "--table") for text in texts]
    assert answers[0][1]["coefficients"] == answers[1][1]["coefficients"]
    assert "only one side of the table has z" in " ".join(answers[1][1]["notes"])


def test_counts_with_clusters_and_times(agree):
    counts = [(3, 0, 0), (2, 1, 0), (0, 3, 0), (1, 0, 2), (0, 1, 2), (0, 0, 3)]
    rows = [(k, f"d{k // 2}", *row, 2) for k, row in enumerate(counts)]
    text = table("item,doc,p,n,u,w", rows)
    _, found = agree(text, "--counts", "p,n,u", "--times", "w")
    assert (found["n_items"], found["n_ratings"]) == (12, 36)
    way = ["--counts", "p,n,u", "--cluster", "doc"]
    for content in (text, text.replace(",0,0,2", ",,0,2", 1)):
        assert agree(content, *way)[1]["n_ratings"] == 18
    for content, words in (
        (text.replace(",3,0,0,2", ",,,,2"), "line 2: p must be a whole number"),
        (table("item,doc,p,n,u", [(1, "d", 0, 0, 0)]), "has no judgment: every count"),
    ):
        status, message = agree(content, *way)
        assert status == 2 and words in message


def test_formulas_are_disarmed_and_armed_again(agree, tmp_path):
    rows = [(f"=A{k}", *row) for k, row in enumerate([("=1", "+4"), ("@x", "@x")] * 4)]
    text, best = table("item,@ann,ben", rows), tmp_path / "best.csv"
    raters = tmp_path / "raters.csv"
    assert agree(text, "--consensus", best, "--raters-out", raters)[0] == 0
    lines = best.read_text(encoding="utf-8").split("\n")
    assert lines[0] == "item,label,probability,+4,'=1,'@x"
    assert lines[2].startswith("'=A1,'@x,1,")
    assert "\n'@ann," in raters.read_text(encoding="utf-8")
    how = ["--gold", best, "--second", tmp_path / "file.csv"]
    assert agree(text, *how)[1]["accuracy"]["overall"]["n_items"] == 8


def test_files_of_raters(save, capsys):
    rows = {"ann": "xyx", "ben": "xyy"}
    files = {f"{w}.v1.csv": table("id,tag", enumerate(c)) for w, c in rows.items()}
    paths = [save(content, name) for name, content in files.items()]
    how = {"rater_file": True, "item": "id", "label": "tag"}
    assert [*collection(paths, **how).ratings.raters] == ["ann.v1", "ben.v1"]
    (paths[0].parent / "x").mkdir()
    twin = save(paths[0].read_bytes(), "x/ann.v1.csv")
    for twins in ([*paths, twin], paths[:1] * 2):
        with pytest.raises(UnreadableError, match=r"two files are called 'ann.v1'"):
            collection(twins, **how)
    with pytest.warns(UserWarning, match=f"folders: {twin.parents[1].name}, x"):
        found = collection([paths[0], twin], **how)
    assert found.ratings.n_ratings == 6
    save(table("ID,Tag", enumerate("xyy")), "ben.v1.csv")
    assert collection(paths, **how).ratings.n_ratings == 6
    lines = json.dumps({"id": 1, "tag": "x"})
    assert collection([paths[0], save(lines, "c.jsonl")], **how).ratings.n_ratings == 4
