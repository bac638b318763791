"""What looks like something else: refused with what to type, which then works."""

import itertools
import json
import random
import shlex

import pytest

from filed import offered, table

WIDE = [("t1", *"xxy"), ("t2", *"yyy"), ("t3", *"xyx"), ("t4", *"yxy"), ("t5", *"xxx")]
COUNTS = [(3, 0, 0), (2, 1, 0), (0, 3, 0), (1, 0, 2), (0, 1, 2), (0, 0, 3)]
SQUARE = [("a", 9, 2), ("b", 1, 8)]
AGAIN = [
    (doc, s, who, "OQ"[(s * len(who) + k) % 2])
    for k, doc in enumerate("pqr")
    for s in (1, 2, 3)
    for who in ("ann", "ben")
]


def drawn(seed, names, n=40):
    draw = random.Random(seed)
    return [[k, *(draw.choice("12345") for _ in names)] for k in range(n)]


def with_column(name, values):
    rows = [(*row, value) for row, value in zip(WIDE, values)]
    return table(f"item,ann,ben,cem,{name}", rows)


def majority():
    """Five raters who guess, and a column with the first of their most frequent."""
    draw = random.Random(1)
    rows = [[draw.choice("xyz") for _ in range(5)] for _ in range(60)]
    told = [(k, *row, max(row, key=row.count)) for k, row in enumerate(rows)]
    return table("item,a,b,c,d,e,f", told)


# A file, what is said of it, and how many raters and judgments what is offered has.
INSTEAD = {
    "counts": (table("p,n,u", COUNTS), "add up to 3", [(None, 18), (3, 18)]),
    "counts and their sum": (
        table("item,all,p,n", [(k, a + b, a, b) for k, (a, b, _) in enumerate(COUNTS)]),
        "'all' is the sum of p, n", [(None, 9), (2, 12)]),
    "a table of two raters": (
        table("1st,a,b", SQUARE), "as in a table of two raters", [(2, 40), (2, 4)]),
    "a gold column": (
        with_column("Final_label", "xyxyx"), "labels that were agreed on",
        [(3, 15), (4, 20)]),
    "a column of sums": (
        with_column("Summe", "xyxyx"), "'Summe' by its name", [(3, 15), (4, 20)]),
    **{f"what stands beside labels, {more}": (
        table(f"item,ann,ann{more},ben,ben{more}", [
            (t, a, k % 3, b, 2) for k, (t, a, b, _) in enumerate(WIDE)]),
        f"column 'ann{more}' by its name says something beside", [(2, 10), (4, 20)])
       for more in ("_conf", " confidence", ".time", "Certain", "_note")},
    "a majority": (
        majority(), "'f' has the others' most frequent", [(5, 300), (6, 360)]),
    "free text": (
        table("item,a,b,m", [(k, "x", "xy"[k % 2], f"on {k}") for k in range(9)]),
        "'m' holds free text", [(2, 18), (3, 27)]),
    "a group": (
        table("ward,a,b,c", [("n" if k % 2 else "s", *row[1:]) for k, row in
                             enumerate(WIDE)]),
        "'ward' shares no label with a, b, c;", [(3, 15), (4, 20)]),
    "two columns beside two raters'": (
        table("item,a label,a sure,b label,b sure", [
            (k, "xy"[k % 2], k % 3, "x", 2) for k in range(6)]),
        "'a sure' shares no label with a label, b label, column 'b sure' shares",
        [(2, 12), (4, 24)]),
    "two columns that name the item": (
        table("doc,part,a,b", [(k // 4, k % 4, "xy"[k % 2], "x") for k in range(12)]),
        "column 'doc' shares no label with a, b, column 'part'", [(2, 24), (4, 48)]),
    "nothing in common": (
        table("item,a,b", [(k, "xy"[k % 2], "uv"[k % 2]) for k in range(10)]),
        "a, b have no label in common", [(2, 20)]),
    "how many items a row stands for": (
        table("a,b,freq", [("x", "x", 30), ("x", "y", 10), ("y", "y", 60)]),
        "'freq' by its name", [(2, 6), (3, 9)]),
    "how many, in the first column": (
        table("Häufigkeit,a,b", [(30, "x", "x"), (10, "x", "y"), (60, "y", "y")]),
        "'Häufigkeit' by its name", [(2, 6), (3, 9)]),
    "a row for each judgment": (
        table("task,worker_id,ok,answer", [(t, w, "n", "xy"[(t + w) % 2])
                                           for t in range(4) for w in range(3)]),
        "'worker_id' by its name says who judged", [(3, 12)]),
    "a row for each judgment of an item of two columns": (
        table("doc,part,coder,code", [(d, s, w, "uv"[(d + s * w) % 2])
              for d in range(3) for s in range(3) for w in range(3)]),
        "say --item doc,part --rater coder --label code;", [(3, 27)]),
    "a row for each judgment, beside an object": (
        json.dumps([{"id": k, "annotation_agent": w, "annotation": "xy"[(k + n) % 2],
                     "prediction": [{"label": "x", "score": 1}]}
                    for k in range(16) for n, w in enumerate(("a", "b", "c"))]),
        "say --item id --rater annotation_agent --label annotation", [(3, 48)]),
    "a row for each judgment, by its structure": (
        table("no,case,doctor,grade,sure", [(3 * t + w, t, w, (t * w + t) % 4, t % 4)
                                            for t in range(9) for w in range(3)]),
        "'doctor' is there at most once with each 'case'", [(3, 27)]),
    "counts beside a class": (
        table("item,p,m,u,class", [(k, *c, c.index(max(c))) for k, c in enumerate(
            [(k % 4 + 1, 0, 1), (0, 4, 1), (1, 0, 5)][k % 3] for k in range(12))]),
        "where one of p, m, u is large", [(None, 58), (3, 36)]),
    "shares": (
        table("item,p,n,u", [(k, *(f"{n / 3:.2f}" for n in c))
                             for k, c in enumerate(COUNTS)]),
        "add up to 1 in every row, as shares", [(3, 18)]),
    "one judgment of each item": (
        table("item,p,n,u", [(k, *(int(k % 3 == c) for c in range(3)))
                             for k in range(10)]),
        "each row has one 1", [(3, 30)]),
    "people in rows": (
        table("Timestamp,E-mail,q1,q2", [(f"1/{k}", f"p{k}", "xy"[k % 2], "x")
                                         for k in range(4)]),
        "'Timestamp' by its name says who answered or when", [(2, 8)]),
    "a mean": (
        table("item,a,b,c,d", [(k, k % 3, k % 2, 1, f"{(k % 3 + k % 2 + 1) / 3:.2f}")
                               for k in range(9)]),
        "'d' shares no label", [(3, 27), (4, 36)]),
    "a header that is data": (
        table("t0,ann,x", [(f"t{k}", who, "xy"[k % 2]) for k in (0, 1, 2) for who in
                           ("ann", "ben")][1:]),
        "looks like a first row of data", [(2, 6)]),
    "a header of labels alone": (
        table("x,y,z", [*(row[1:] for row in WIDE), "xyz"]),
        "say --no-header --columns rater1,rater2,rater3;", [(3, 21)]),
    "lists in step, in a row for each item": (
        table("id,raters,labels", [(k, "a;b", f"x;{'xy'[k % 2]}") for k in range(6)]),
        "say --item id --rater raters --label labels --split ';'", [(2, 12)]),
    "lists of raters and of labels": (
        table("item,rater,label", [(k, "ann;ben", "x;y") for k in range(4)]),
        "cells of rater, label hold several", None),
    "lists as Python writes them": (
        "id,annotators,labels\n" + "".join(
            f"{k},\"['ann', 'ben']\",\"['x', '{c}']\"\n" for k, c in enumerate("xyxy")),
        "cells of 'labels' hold lists", [(2, 8)]),
    "capital letters of one rater": (
        table("item,a,b", [(k, "xy"[k % 2], "XY"[k % 2]) for k in range(10)]),
        "a, b have no label in common", [(2, 20)]),
    "an item of two columns": (
        table("doc,item,rater,label", AGAIN), "each once with another 'doc'",
        [(2, 18)]),
    "an item that does not tell rows apart": (
        table("talk,turn,a,b", [(k // 4, k % 4, "xy"[k % 2], "x") for k in range(8)]),
        "so talk does not tell rows apart; if 'turn' beside it does", [(2, 16)],
        "--item", "talk"),
    "no item at all": (
        table("talk,a,b", [(k // 4, "xy"[k % 2], "x") for k in range(8)]),
        "if each row is an item, leave --item and say --cluster talk", [(2, 16)],
        "--item", "talk"),
    "a name with a comma": (
        table("no,case,rater,grade", [
            (k, t, w, (t * w + t) % 3) for k, (t, w) in enumerate(
                itertools.product(range(9), range(3)))]).replace("grade", '"gra,de"'),
        "say --item case --rater rater --label gra,de;", [(3, 27)]),
    **{f"labels beside {name}": (
        table(f"post_id,annotator,stance,{name}", [
            (t, w, "xy"[(t + w) % 2], k) for t in range(4)
            for w, k in ((0, "hi"), (1, "lo"), (2, "hi"))]),
        "--label stance; if each row", [(3, 12)])
       for name in ("confidence", "lead_time", "_view_id", "Sicherheit")},
    "labels in either of two columns": (
        table("post,annotator,stance,topic", [
            (t, w, "xy"[(t + w) % 2], "uv"[t * w % 2]) for t in range(4)
            for w in range(3)]),
        "--label topic; labels may also be those of stance; if", [(3, 12)]),
    "one column of lists": (
        "id,text,said\n" + "".join(
            f"{k},t{k},\"['x', '{c}']\"\n" for k, c in enumerate("xyxy")),
        "say --item id --label said --split", [(None, 8)]),
}  # fmt: skip


@pytest.mark.parametrize("name", INSTEAD)
def test_what_looks_like_something_else(agree, name):
    text, said, sizes, *more = INSTEAD[name]
    status, message = agree(text, *more)
    assert status == 2 and said in message and "file.csv" in message
    ways = offered(message)
    assert ways
    for way, size in zip(ways, sizes or [], strict=sizes is not None):
        again = () if more[:1] == ["--item"] else more
        status, found = agree(text, *way, *again)
        assert status == 0, (way, found)
        assert (found["n_raters"], found["n_ratings"]) == size


GOLD = (
    "Mehrheit majorité mayoría 다수결 最终标签 多数決 GoldStandard adjudicated y_true"
)
OTHER = "Kommentar remarques comentario 备注 コメント 합계 answer"


@pytest.mark.parametrize("name", [*GOLD.split(), *OTHER.split(), "prediction"])
def test_columns_in_many_tongues_are_no_raters(agree, name):
    status, message = agree(with_column(name, "xyxyx"))
    way = f", with --gold {shlex.quote(name)} to" if name in GOLD else "; if all"
    way = ", with --model prediction to" if name == "prediction" else way
    assert status == 2 and f"--raters ann,ben,cem{way}" in message


@pytest.mark.parametrize("labels", ["01", "12345", "xy", "abcd"])
def test_ordinary_files_are_read(read, labels):
    """Raters who agree always, often, or by chance."""
    draw = random.Random(labels)
    for n, k, share in itertools.product((3, 6, 12, 40), (2, 3, 5), (0.4, 0.9, 1)):
        rows = []
        for item in range(1, n + 1):
            true = draw.choice(labels)
            said = [true if draw.random() < share else draw.choice(labels)
                    for _ in range(k)]  # fmt: skip
            rows.append((item, *said))
        names = draw.choice(["ABCDE", "12345", ["ann", "ben", "cem", "dan", "eva"]])
        r = read(table(",".join(["item", *names[:k]]), rows)).ratings
        assert (len(r.raters), r.n_ratings) == (k, n * k)


def test_words_and_measurements_are_read(read):
    """Labels of several words, few of which come twice, and numbers that never do."""
    draw = random.Random(3)
    scale = ["strongly agree", "rather agree", "do not know", "not at all"]
    said = [(k, *(draw.choice(scale) for _ in range(3))) for k in range(9)]
    rows = [(k, *(f"{k + draw.random():.3f}" for _ in range(3))) for k in range(30)]
    for told, numbers in ((said, False), (rows, False), (rows, True)):
        assert len(read(table("item,a,b,c", told), numbers=numbers).ratings.raters) == 3


def coded(rows):
    """Grades of three people, with codes for what was not judged."""
    rows[3][1], rows[7][1:], rows[9][3] = "-1", [99, 1, "not annotated"], "*"
    return table("item,a,b,c", rows)


BOXES = table("id,text,rater_id,age,joy,anger", [
    (k, f"t{k}", who, age, (k + age) % 2, int(k < 5))
    for k in range(8) for who, age in (("p", 30), ("q", 40), ("r", 51))])  # fmt: skip


def panels(seed=4):
    """Counts of the labels that three to five people gave, and grades by three."""
    draw, counts, grades = random.Random(seed), [], []
    for k in range(30):
        true, n = draw.randrange(3), draw.randint(3, 5)
        said = [true if draw.random() < 0.8 else draw.randrange(3) for _ in range(n)]
        counts.append((k, *map(said.count, range(3))))
        grades.append((k, *(max(0, true + draw.choice([-1, 0, 0, 1])) for _ in "abc")))
    return table("item,pos,neg,neu", counts), table("item,a,b,c", grades)


# What is read with a note, and raters and judgments of what it offers.
NOTED = {
    "sets in another order": (
        table("item,a,b", [(k, *[("x;y", "y; x"), ("x", "x")][k % 2])
                           for k in range(6)]),
        "same parts in another order", (2, 12)),
    "sets beside their labels": (
        table("item,a,b", [(k, *[("x|y", "x"), ("x", "y")][k % 2]) for k in range(6)]),
        "have others as their parts", (2, 12)),
    "a first rater's numbers": (
        table("a,b,c", [(f"{k * k}.5", f"{k * k}.4", f"{k}.7") for k in range(1, 8)]),
        "the items are called by the first column, 'a'", (3, 21)),
    "means below": (
        table("item,a,b", [*((k, k % 2, 1) for k in range(8)), ("Mean", 0.5, 1)]),
        "at the end: Mean; if", (2, 16)),
    **{f"sums below, called {name}": (
        table("item,a,b,c", [*WIDE, (name, 5, 5, 5)]), f"at the end: {name}; if",
        (3, 15)) for name in ("Total", "Summe", "x")},
    "several figures below": (
        table("item,a,b,c", [*WIDE, ("Summe", 5, 5, 5), ("% agreement", 80, 60, "")]),
        "at the end: Summe, % agreement; if", (3, 15)),
    "rejected judgments": (
        table("item,rater,label,answer", [
            (t, w, c, "reject" if (t, w) == ("t2", "b") else "accept")
            for t, *cs in WIDE for w, c in zip("abc", cs, strict=True)]),
        "'answer' = reject", (3, 14)),
    "codes": (
        coded(drawn(2, "abc")), "say --missing '*,-1,99,not annotated'", (3, 115),
        "--missing", "*"),
    **{f"empty sets, {sets} left out": (
        table("item,a,b", [(k, "xy"[k % 2], ["x", "[]"][k > 3]) for k in range(8)]),
        f"'[]' 4 times; if so, say --missing {sets}", (2, 8), "--sets", ",", *more)
       for sets, more in (("'[]'", ()), ("'?,[]'", ("--missing", "?")))},
    "boxes that each of three people ticked": (
        BOXES, "joy, anger are 0 or 1 and id is there more than once, so a row may",
        (3, 24), "--counts", "joy,anger"),
    "counts of unequal sums": (
        panels()[0], "is large the others are small", (None, 119)),
    "an item of two columns, and judgments that repeat": (
        table("doc,item,rater,label", AGAIN), "each once with another 'doc', and count",
        (2, 18), "--repeats", "first"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTED)
def test_what_is_noted_with_what_to_type(agree, name):
    text, said, size, *more = NOTED[name]
    (note,) = (one for one in agree(text, *more)[1]["notes"] if said in one)
    (way,) = offered(note)
    kept = more[:2] if "--sets" in more else ()
    status, found = agree(text, *kept, *way)
    assert status == 0 and (found["n_raters"], found["n_ratings"]) == size
    assert not [one for one in found["notes"] if said in one]


def of_documents(name, values, *more):
    """Eight items, judged twice, with a column of eight values, or of sixteen."""
    told = [*values] if len(values) > 8 else [v for v in values for _ in "ab"]
    rows = [(k // 2, "ab"[k % 2], "xyxx"[k % 4], *told[k : k + 1]) for k in range(16)]
    return table(f"item,rater,label,{name}", rows), *more


GROUPED = {  # and how many values are told; 0 where nothing is to be said
    "documents": (*of_documents("doc_id", "ppqqrrss"), 4),
    "most have two items": (*of_documents("Patient No", "ppqqrrrs"), 4),
    "in Korean": (*of_documents("문서번호", "ppppqqqq"), 2),
    "in Japanese": (*of_documents("ユーザーID", "ppppqqqq"), 2),
    "one value": (*of_documents("doc_id", "pppppppp"), 0),
    "one item each": (*of_documents("doc_id", "pqrstuvw"), 0),
    "most with one item": (*of_documents("doc_id", "ppqrstuv"), 0),
    "two in an item": (*of_documents("session", "pqqqpppprrrrssss"), 0),
    "an empty cell": (*of_documents("doc_id", ["", *"pqqrrss"]), 0),
    "objects": (*of_documents("user", ["[1]"] * 4 + ["[2]"] * 4), 0),
    "not what items belong to": (*of_documents("doc_type", "ppqqrrss"), 0),
    "it is asked for": (*of_documents("doc_id", "ppqqrrss", "--cluster", "doc_id"), 0),
    "it is used": (*of_documents("doc_id", "ppqqrrss", "--where", "doc_id!=z"), 0),
    "it is the model's": (*of_documents("page", "xxyyxxyy", "--model", "page"), 0),
    "of two the larger": (
        table("item,doc,author,ann,ben",
              [(k, k // 2, k // 4, "xy"[k % 2], "x") for k in range(8)]),
        "--raters", "ann,ben", 2),
    "rows that stand for many": (
        table("doc,ann,ben,n", [(k // 2, "xy"[k % 2], "x", 3) for k in range(8)]),
        "--raters", "ann,ben", "--times", "n", 0),
    "counts": (
        table("item,doc,x,y", [(k, k // 2, k % 3, 2 - k % 3) for k in range(8)]),
        "--counts", "x,y", 0),
    "a part of the item's name": (
        table("doc,s,rater,label",
              [(k // 4, k // 2, "ab"[k % 2], "xyxx"[k % 4]) for k in range(16)]),
        "--item", "doc,s", 4),
    "judgments in cells": (
        table("item,doc,label", [(k, k // 2, "xy"[k % 2] + ";x") for k in range(8)]),
        "--split", ";", 4),
}  # fmt: skip


@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_column_that_says_to_what_items_belong(agree, name):
    text, *more, number = GROUPED[name]
    status, found = agree(text, *more)
    notes = [one for one in found["notes"] if "items belong" in one]
    assert status == 0 and len(notes) == bool(number)
    for note in notes:
        assert f"has {number} values for 8 items" in note
        status, again = agree(text, *more, *offered(note)[0])
        assert status == 0 and again["n_clusters"] == number
        value = [one["coefficients"]["gwet_ac1"]["value"] for one in (found, again)]
        assert value[0] == pytest.approx(value[1])


def test_scales_are_not_noted(agree):
    """Numbers that may be codes on another scale, and grades that rise together."""
    files = [panels()[1]]
    for low, high in ((-1, 1), (1, 10), (0, 9), (90, 105)):
        size = high - low + 1
        rows = [(k, low + k % size, low + k % size) for k in range(60)]
        files.append(table("item,a,b", rows))
    for text in files:
        said = " ".join(agree(text)[1]["notes"])
        assert "--missing" not in said and "--counts" not in said


def test_raters_of_the_first_collection_are_raters_in_the_second(agree, save):
    names = ["Sum", "Date", "Truth"]
    long = [(t, w, c) for t, *cs in WIDE for w, c in zip(names, cs, strict=True)]
    text = table("item,rater,label", long)
    first, second = (table(f"item,Sum,Date,{name}", WIDE) for name in ("Truth", "eva"))
    raters = ["--raters", "Sum,Date,Truth"]
    for content, other, more in ((text, first, ()), (first, second, raters)):
        way = [*more, "--second", save(other, "second.csv")]
        assert agree(content, *way)[0] == 0
    status, message = agree(first)
    assert status == 2 and "say --raters Sum,Date,Truth" in message
    other = save(with_column("gold", "xyxyx"), "second.csv")
    status, message = agree(text, "--second", other)
    assert status == 2 and "leave out of this file what is no rater" in message


def one_each(rows):
    return [(name, table(head, told)) for name, head, told in rows]


DOCCANO = [(k, "xy"[k % 2]) for k in range(4)]
LINES = "".join(f'{{"id": {k}, "label": ["{c}"]}}\n' for k, c in DOCCANO)
FILES = {  # of one rater each: words of the sentence, and the number of judgments
    "the same items": ("the same items are in several files", 6, one_each(
        (f"{w}.csv", "id,text,tag", [(k, f"t {k}", c) for k, c in enumerate(labels)])
        for w, labels in (("ann", "xyx"), ("ben", "xyy")))),
    "an item twice": ("--label tag;", 8, one_each(
        (f"{w}.csv", "id,text,tag", [(k, f"t {k}", c) for k, c in [*DOCCANO, *more]])
        for w, more in (("ann", DOCCANO[:1]), ("ben", ())))),
    "items called item": ("the same items are in several files", 8, one_each(
        (f"{w}.csv", "item,label", DOCCANO) for w in ("ann", "ben"))),
    "lists": ("--label label --sets ,", 8, [("ann.json", LINES), ("ben.json", LINES)]),
    "how sure they are": ("--label tag;", 8, one_each(
        (f"{w}.csv", "id,tag,grade,sure", [(k, c, k % 3, "no") for k, c in DOCCANO])
        for w in ("ann", "ben"))),
    "another column": ("if each file is one rater's, say --rater-file", 8, one_each([
        ("ann.csv", "id,label", DOCCANO),
        ("ben.csv", "id,label,sure", [(*row, 1) for row in DOCCANO])])),
}  # fmt: skip


@pytest.mark.parametrize("more", [(), ("--item", "item"), ("--where", "item!=")])
def test_a_rater_whose_file_has_other_columns(agree, save, more):
    ben = save("id,y\n0,x\n1,y\n", "ben.csv")
    text = "item,label\n0,x\n1,y\n"
    status, message = agree(text, ben, "--rater-file", *more, name="ann.csv")
    assert status == 2
    assert "ben.csv has no column '" in message
    assert "'; its columns: id, y" in message


@pytest.mark.parametrize("name", FILES)
def test_a_file_for_each_rater(agree, save, name):
    words, size, files = FILES[name]
    (first, content), *rest = files
    paths = [save(text, name) for name, text in rest]
    status, message = agree(content, *paths, name=first)
    (way,) = offered(message)
    assert status == 2 and words in message and way[0] == "--rater-file"
    status, found = agree(content, *paths, *way, name=first)
    assert (found["n_raters"], found["n_ratings"]) == (2, size)


def test_gold_of_a_file_beside_a_column_of_its_name(agree, save):
    gold = save(table("item,label", [(row[0], "x") for row in WIDE]), "gold.csv")
    how = ["--raters", "ann,ben,cem", "--gold", gold]
    status, found = agree(with_column("gold", "xyxyx"), *how)
    assert status == 0 and found["accuracy"]["overall"]["n_items"] == 5


def test_items_of_gold_that_nobody_judged_are_noted(agree, save):
    gold = save("item,label\nt1,x\nT2,y\nt9,x\nt8,\n", "gold.csv")
    status, found = agree(table("item,ann,ben,cem", WIDE), "--gold", gold)
    noted = " ".join(found["notes"])
    assert status == 0 and found["accuracy"]["overall"]["n_items"] == 1
    assert "file.csv (3): T2, t9, t8" in noted
    assert "'t2' and 'T2' are different items here" in noted


def test_files_of_raters_without_a_header(agree, save):
    lines = {w: "".join(f"t{k},{c}\n" for k, c in enumerate(s * 4)) for w, s in
             (("ann", "xyx"), ("ben", "xyy"))}  # fmt: skip
    paths = [save(lines["ben"], "ben.csv"), "--rater-file"]
    status, message = agree(lines["ann"], *paths, name="ann.csv")
    (way,) = offered(message)
    assert status == 2 and way == ["--no-header", "--columns", "item,label"]
    status, found = agree(lines["ann"], *paths, *way, name="ann.csv")
    assert (status, found["n_raters"], found["n_ratings"]) == (0, 2, 24)


def test_a_label_that_may_mean_none_is_told_once(agree):
    rows = [(k, w, "none" if k % 3 else "x", "none") for k in range(9) for w in "ab"]
    text = table("item,rater,label,shown", rows)
    notes = agree(text, "--suggested", "shown")[1]["notes"]
    assert sum("may mean that there is none" in one for one in notes) == 1
    assert not [one for one in notes if "so also" in one]
