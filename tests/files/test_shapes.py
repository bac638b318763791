"""What cells and columns mean: labels, numbers, sets, items, raters, rows."""

import json
import shlex

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from filed import both, said, table
from labelaudit.files.ratings import collection
from labelaudit.files.text import UnreadableError

LONG = "item,rater,label\n1,a,yes\n1,b,yes\n2,a,no\n2,b,yes\n3,a,no\n3,b,no\n"
PLAIN = {tuple(line.split(",")) for line in LONG.split()[1:]}
WIDE = "id,ann,bob,cy\n1,x,y,x\n2,y,y,\n3,x,x,x\n"
OF_WIDE = {
    (row[0], who, c)
    for row in (line.split(",") for line in WIDE.split()[1:])
    for who, c in zip(("ann", "bob", "cy"), row[1:], strict=True)
    if c
}
LISTS = table("id,who,said", [(k, "ann;bob", f"x;{'xy'[k % 2]}") for k in range(3)])
PART = "item,rater,label,part,lang\n1,a,x,p,en\n1,b,y,p,en\n2,a,y,q,en\n"
NUMBERS = {"numbers": True}
# What R 4.2 writes of one data frame, by the calls that its users know.
R_WIDE = '"","item","label.ann","label.ben"\n"1","i1","a","b"\n"4","i2",NA,"b"\n'
R_CSV2 = '"rater";"item";"label"\n"ann";"i1";3,5\n"ben";"i1";NA\n"cleo";"i1";2,5\n'


def pair(*labels):
    """Two raters' labels, in a file with semicolons."""
    rows = [(k, label, labels[0]) for k, label in enumerate(labels)]
    return table("item,a,b", rows, ";")


# Labels -------------------------------------------------------------------------------

LABELS = {  # a file, how it is read, its labels, and what is noted
    "numbers as texts": (pair("1", "1.0", "01"), {}, ["01", "1", "1.0"]),
    "texts that may mean nothing": (
        "item,a,b\n1,x,NA\n2,x,-\n3,None,x\n4,NA,x\n", {"missing": ["?"]},
        ["-", "NA", "None", "x"], "'NA' 2 times, '-' once, 'None' once; if so, say "
        "--missing '?,NA,-,None'"),
    "texts that mean nothing": (
        "item,a,b\n1,x,NA\n2,x,-\n3,x,x\n", {"missing": ["NA", "-"]}, ["x"],
        "cells that --missing leaves out: 2"),
    "declared ones": (
        "item,a,b\n1,none,some\n2,none,none\n", {"labels": ["none", "some", "all"]},
        ["none", "some", "all"]),
    "points": (pair("1", "-3", "2.5", "1e1"), NUMBERS, [-3, 1, 2.5, 10]),
    "decimal commas": (pair("1", "-3", "2,5", "10,0"), NUMBERS, [-3, 1, 2.5, 10]),
    "three decimals": (pair("900", "1.234", "1.500"), NUMBERS, [1.234, 1.5, 900]),
    "three of a comma": (pair("9", "0,125", "1234,500"), NUMBERS, [0.125, 9, 1234.5]),
    "nothing among numbers": (
        "item,a,b\n1,1,NaN\n2,2,3\n", NUMBERS | {"missing": ["NaN"]}, [1, 2, 3],
        "leaves out: 1"),
    "numbers of R": (
        R_CSV2, NUMBERS | {"missing": ["NA"]}, [2.5, 3.5], "leaves out: 1"),
    **{f"{empty} of 20 cells empty": (
        table("item,rater,label", [
            (k // 2, k % 2, "" if k < empty else "xy"[k % 2]) for k in range(20)]),
        {"sets": ";"}, [frozenset("x"), frozenset("y")],
        *[f"{empty} of 20 cells are empty, which is no judgment"] * (empty > 4))
       for empty in (4, 5, 12)},
    "lists that are labels": ("id,ann,bob\n1,a;b,a;b\n2,a,a;b\n", {}, ["a", "a;b"]),
    "raters like labels": ("item,1,2,3\ni1,1,2,3\ni2,2,2,1\n", {}, ["1", "2", "3"]),
    "labels called as raters": (
        "doc,x,y\nd1,yes,x\nd2,no,y\nd3,x,x\n", {}, ["no", "x", "y", "yes"]),
}  # fmt: skip


@pytest.mark.parametrize("name", LABELS)
def test_labels_and_what_is_noted(read, name, recwarn):
    content, how, labels, *noted = LABELS[name]
    assert [*read(content, **how).ratings.labels] == labels
    told = " ".join(str(one.message) for one in recwarn)
    assert all(words in told for words in noted) and bool(noted) == bool(told)


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


# Columns ------------------------------------------------------------------------------

SHAPES = {  # a file, how it is read, its judgments, and what is noted
    "wide": (WIDE, {}, OF_WIDE),
    "wide, the items last": (
        "ann,bob,id\nx,y,1\nx,x,2\n", {"item": "ID"},
        {("1", "ann", "x"), ("1", "bob", "y"), ("2", "ann", "x"), ("2", "bob", "x")}),
    "columns without any entry": (
        "id,ann,dan,bob,,cy\n1,x,,y,,x\n2,y,-,y,,\n3,x,,x,,x\n", {"missing": ["-"]},
        OF_WIDE, "which count as no rater's: dan, (no name)"),
    "named ones without any entry": (
        "id,ann,dan,bob,cy\n1,x,,y,x\n2,y,,y,\n3,x,,x,x\n",
        {"raters": ["ann", "bob", "cy", "dan"]}, OF_WIDE, "no rater's: dan"),
    "raters by name": (
        WIDE.replace("id", "id,note").replace(",x,x,x", ",n,x,x,x").replace(
            "1,", "1,n,").replace("2,", "2,n,"),
        {"item": "id", "raters": ["Ann", "bob", "cy"]}, OF_WIDE),
    "all columns are raters": (
        "ann,bob\nx,y\nx,x\n", {"raters": ["ann", "bob"]},
        {("1", "ann", "x"), ("1", "bob", "y"), ("2", "ann", "x"), ("2", "bob", "x")},
        "'ann', is a rater's: items are the rows"),
    "no column names the items": (
        "ann,bob\nx,y\nx,x\n", {},
        {("1", "ann", "x"), ("1", "bob", "y"), ("2", "ann", "x"), ("2", "bob", "x")},
        "'ann', has values more than once: items"),
    "pandas' row number": (
        "".join(f"{k or ''},{line}\n" for k, line in enumerate(WIDE.split())), {},
        OF_WIDE, "numbers the rows: items are those of 'id'"),
    "pandas' index": (WIDE.replace("id", ""), {}, OF_WIDE),
    "R's row number": (
        R_WIDE, {"missing": ["NA"]},
        {("i1", "label.ann", "a"), ("i1", "label.ben", "b"), ("i2", "label.ben", "b")},
        "numbers the rows: items are those of 'item'"),
    "case that tells columns apart": (
        "item,Rater,RATER,label\n1,a,b,x\n", {"rater": "RATER"}, {("1", "b", "x")}),
    "lists in step": (
        LISTS, {"item": "id", "label": "said", "rater": "who", "split": ";"},
        {(str(k), who, c) for k in range(3) for who, c in zip(
            ("ann", "bob"), "x" + "xy"[k % 2], strict=True)}),
    "lists of numpy, of several words": (
        "item,rater,label\n1,['a' 'b'],['x y' 'not y']\n2,['a' 'b'],[1 2]\n",
        {"split": ","},
        {("1", "a", "x y"), ("1", "b", "not y"), ("2", "a", "1"), ("2", "b", "2")}),
    "a rater of several labels": (
        'item,rater,label\nd1,ann,"no,no"\n', {"split": ","}, {("d1", "ann", "no")},
        "counted once: 1, the first in line 2"),
    "rows of a value": (
        PART, {"where": ["part=p", "lang=en"]}, {("1", "a", "x"), ("1", "b", "y")}),
    "rows without one": (PART, {"where": ["part!=p"]}, {("2", "a", "y")}),
    "rows without one that is not there": (
        PART, {"where": ["rater!=c", "part=q"]}, {("2", "a", "y")},
        "--where rater!=c leaves out no row"),
    "repeated rows": (
        LONG + "1,a,yes\n3,b,no\n3,b,no\n", {}, PLAIN,
        "counted once: 3, the first in line 8"),
    "no judgment contradicts none": (LONG + "1,a,\n", {}, PLAIN),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_judgments_and_what_is_noted(read, name, recwarn):
    content, how, judgments, *noted = SHAPES[name]
    found = read(content, **how)
    assert said(found) == judgments
    assert {*found.ratings.raters} == {who for _, who, _ in judgments}
    told = " ".join(str(one.message) for one in recwarn)
    assert all(words in told for words in noted) and bool(noted) == bool(told)


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

TIMES = "a,b,n\n1,1,5\n1,2,2\n2,2,{}\n"
THOUSANDS = {
    f"line 4: '{mark}{text}' {words}": (pair("2", other, mark + text), NUMBERS)
    for mark, other in (("", "900"), ("", "2.5"), ("-", "2,5"))
    for text, words in (
        ("1,500", f"may mean {mark}1500 or {mark}1.5; write {mark}1500, or {mark}1.5"),
        ("12.345.678", f"has its thousands in groups: write {mark}12345678"))
}  # fmt: skip
REFUSED = THOUSANDS | {  # words of the sentence, a file, and how it is read
    "has no label: every cell is empty": "item,rater,label\n1,a,\n2,b, \n",
    "or among those of --missing": (LONG, {"missing": ["yes", "no"]}),
    "'10,0' has a decimal comma where others have a point; write 10, and so all others":
        (pair("1", "2.5", "10,0"), NUMBERS),
    "line 4: '10,0' has a decimal comma where": (pair("1", "2.5", "10,0"), NUMBERS),
    "line 2: '900,5' has a decimal comma": (pair("900,5", "1.234"), NUMBERS),
    "line 3: 'NA' is not a number, which this distance needs; if it means that there"
    " is none, say so: --missing NA (ordinal also takes words": (R_CSV2, NUMBERS),
    "line 2: 'unsure' is not a number, which this distance needs; if it means that "
    "there is none, say so: --missing unsure (": (pair("unsure", "1", "2"), NUMBERS),
    "line 2: 'low' is not a number, which this distance needs (ordinal also takes":
        (pair("low", "mid", "high", "3", "4"), NUMBERS),
    "line 4: 'no' is not among the labels that were named: yes, maybe":
        (LONG, {"labels": ["yes", "maybe"]}),
    "--labels names 'a', which is not a number":
        (WIDE, NUMBERS | {"labels": ["1", "a"]}),
    "--labels names 'x' twice": (WIDE, {"labels": ["x", "y", "x"]}),
    "line 5: item is missing; --where 'item!=' leaves": LONG.replace("2,b", " ,b"),
    "leaves such rows out; if these were merged cells, fill them down":
        LONG.replace("1,b", ",b").replace("2,b", ",b"),
    "line 5: rater is missing": LONG.replace("2,b", "2,"),
    "line 3: the item is missing": ",a,b\n1,x,y\n,x,x\n",
    "line 3: item '1' is there twice, so this is no table with one row per item; if":
        "item,who,verdict\n1,a,x\n1,b,y\n",
    "has no column 'rater': if each row is a judgment, name it by --rater; if each row":
        LONG.replace("rater", "annotator"),
    "item, rater, label (one row per judgment) nor": "item,a\n1,x\n",
    "--raters names one column, 'ann'": (WIDE, {"raters": ["ann"]}),
    "has no column 'Nr'; its columns: item, rater, label": (LONG, {"item": "Nr"}),
    """quotes keep a comma: ... '"Do, A"'""":
        ('item,"Do, A",b\n1,x,y\n', {"raters": ["Do", " A", "b"]}),
    "--raters names twice the column 'ann'": (WIDE, {"raters": ["ann", "ANN"]}),
    "--raters and --item are both the column 'bob'":
        (WIDE, {"item": "bob", "raters": ["bob", "ann"]}),
    "--item and --rater are both the column 'item'": (LONG, {"rater": "item"}),
    "--rater and --label are both the column 'label'": (LONG, {"rater": "label"}),
    "column 'm', which --suggested names, has no label: every":
        ("id,a,b,m\n1,x,y,\n", {"suggested": "m"}),
    "line 3: a second suggestion for item '1', 'm1' after 'm0'":
        ("item,rater,label,m\n1,a,x,m0\n1,b,x,m1\n", {"suggested": "m"}),
    "no column 'nothing', and no file": (LONG, {"gold": "nothing"}),
    "column 'n', which --times names, is 0 in every row that":
        ("a,b,n\nx,y,0\n,,3\n", {"times": "n"}),
    "csv: the counts that --times names,":
        (TIMES.format(8e15).replace(",5", ",5000000000000000"), {"times": "n"}),
    "line 4: n 1e300 is more than 9,007": (TIMES.format("1e300"), {"times": "n"}),
    "line 4: n must be a whole number of items, got nothing; write":
        (TIMES.format(""), {"times": "n"}),
    **{f"line 4: n must be a whole number of items, got '{text}'":
        (TIMES.format(text), {"times": "n"})
       for text in ("1.5", "-1", "many", "1.000", "inf")},
    **{f"line 4: '{text}' is not a number, which": (pair("1", "2", text), NUMBERS)
       for text in ("x", "1,234,5", "nan", "inf", "1_000", "0x10", "1 2")},
    "line 10: a second judgment by rater 'b' on item '2', 'no'; the first is 'yes' in":
        LONG + "1,a,yes\n\n2,b,no\n",
    "several judgments: 2, with different labels: 1; settle these by --repeats first":
        LONG + "1,a,yes\n2,b,no\n",
    "write it in one row as x;y, and say --sets": "item,rater,label\n1,a,x\n1,a,y\n",
    "{'y'}; the first is {'x'} in": (
        "item,rater,label\n1,a,x\n1,a,y\n", {"sets": ";"}),
    "--split and --rater-file exclude each other: a file has one judgment of an item":
        (LONG, {"split": ",", "rater_file": True}),
    "line 3: 3 raters and 2 labels":
        ('item,rater,label\nd1,ann,no\nd2,"ann,bob,eve","yes,no"\n', {"split": ","}),
    "line 2: a list of raters is wanted":
        ('item,rater,label\nd1,"{""a"": 1}",no\n', {"split": ","}),
    "no row has 'z' in the column 'part'": (PART, {"where": ["part=z"]}),
    "COLUMN=VALUE or COLUMN!=VALUE": (PART, {"where": ["part"]}),
    "--times and --cluster exclude each other: rows that stand for many":
        (WIDE, {"times": "n", "cluster": "c"}),
    "--raters and --counts exclude": (WIDE, {"raters": ["a"], "counts": ["b"]}),
    "--rater and --rater-file exclude each other: one says where raters":
        (WIDE, {"rater": "a", "rater_file": True}),
    "--rater is for tables with one row per judgment, --raters for those with":
        (WIDE, {"rater": "a", "raters": ["b"]}),
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED)
def test_refused_with_place_and_reason(refusal, words):
    content, how = both(REFUSED[words])
    assert words in refusal(content, **how)


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


def test_counts_with_clusters_and_times(agree):
    counts = [(3, 0, 0), (2, 1, 0), (0, 3, 0), (1, 0, 2), (0, 1, 2), (0, 0, 3)]
    rows = [(k, f"d{k // 2}", *row, 2) for k, row in enumerate(counts)]
    text = table("item,doc,p,n,u,w", rows)
    _, found = agree(text, "--counts", "p,n,u", "--times", "w")
    assert (found["n_items"], found["n_ratings"]) == (12, 36)
    way = ["--counts", "p,n,u", "--cluster", "doc"]
    assert agree(text, *way)[0] == 0
    for content, words in (
        (text.replace(",0,0,2", ",,0,2", 1), "line 2: n must be a whole number"),
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
    with pytest.raises(UnreadableError, match=r"two files are called 'ann.v1'"):
        collection([paths[0], twin], **how)
    save(table("ID,Tag", enumerate("xyy")), "ben.v1.csv")
    assert collection(paths, **how).ratings.n_ratings == 6
    lines = json.dumps({"id": 1, "tag": "x"})
    assert collection([paths[0], save(lines, "c.jsonl")], **how).ratings.n_ratings == 4
