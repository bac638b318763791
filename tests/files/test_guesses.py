"""What looks like something else: refused with what to type, which then works."""

import itertools
import json
import random
import re
import shlex

import pytest

import labelaudit as la
from labelaudit.commands import main
from labelaudit.files.ratings import collection
from labelaudit.files.text import UnreadableError

WIDE = [("t1", *"xxy"), ("t2", *"yyy"), ("t3", *"xyx"), ("t4", *"yxy"), ("t5", *"xxx")]
COUNTS = [(3, 0, 0), (2, 1, 0), (0, 3, 0), (1, 0, 2), (0, 1, 2), (0, 0, 3)]
SQUARE = [("a", 9, 2), ("b", 1, 8)]
AGAIN = [
    (doc, s, who, "OQ"[(s * len(who) + k) % 2])
    for k, doc in enumerate("pqr")
    for s in (1, 2, 3)
    for who in ("ann", "ben")
]


def table(head, rows):
    return "".join(",".join(map(str, row)) + "\n" for row in [head.split(","), *rows])


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
    "a majority": (
        majority(), "'f' has the others' most frequent", [(5, 300), (6, 360)]),
    "free text": (
        table("item,a,b,m", [(k, "x", "xy"[k % 2], f"on {k}") for k in range(9)]),
        "'m' holds free text", [(2, 18), (3, 27)]),
    "a group": (
        table("ward,a,b,c", [("n" if k % 2 else "s", *row[1:]) for k, row in
                             enumerate(WIDE)]),
        "'ward' shares no label", [(3, 15), (4, 20)]),
    "nothing in common": (
        table("item,a,b", [(k, "xy"[k % 2], "uv"[k % 2]) for k in range(10)]),
        "a, b have no label in common", [(2, 20)]),
    "how many items a row stands for": (
        table("a,b,freq", [("x", "x", 30), ("x", "y", 10), ("y", "y", 60)]),
        "'freq' by its name", [(2, 6), (3, 9)]),
    "a row for each judgment": (
        table("task,worker_id,ok,answer", [(t, w, "n", "xy"[(t + w) % 2])
                                           for t in range(4) for w in range(3)]),
        "'worker_id' by its name says who judged", [(3, 12)]),
    "a row for each judgment, by its structure": (
        table("no,case,doctor,grade,sure", [(3 * t + w, t, w, (t * w + t) % 4, t % 4)
                                            for t in range(9) for w in range(3)]),
        "'doctor' is there at most once with each 'case'", [(3, 27)]),
    "counts as pandas joins them": (
        table("item,p,n,u", [(k, *(f"{n}.0" for n in c))
                             for k, c in enumerate(COUNTS)]),
        "p, n, u add up to 3", [(None, 18), (3, 18)]),
    "counts beside their sum and more": (
        table(",count,p,n,class", [(k, a + b, a, b, int(b > a))
                                   for k, (a, b, _) in enumerate(COUNTS)]),
        "'count' is the sum of p, n", [(None, 9), (2, 12)]),
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
    "labels as they were decided": (
        with_column("y_true", "xyxyx"), "labels that were agreed on",
        [(3, 15), (4, 20)]),
    "labels of rows": (
        with_column("answer", "xyxyx"), "'answer' by its name",
        [(3, 15), (4, 20)]),
    "what a model says": (
        with_column("prediction", "xyxyx"), "is a model's", [(3, 15), (4, 20)]),
    "a table of two raters in other letters": (
        table("1st,A,B", SQUARE), "as in a table of two raters", [(2, 40), (2, 4)]),
    "a header that is data": (
        table("t0,ann,x", [(f"t{k}", who, "xy"[k % 2]) for k in (0, 1, 2) for who in
                           ("ann", "ben")][1:]),
        "looks like a first row of data", [(2, 6)]),
    "two raters without a header": (
        table("t0,1,x", [(f"t{k}", "x1"[k % 2], "1x"[k > 3]) for k in range(1, 9)]),
        "looks like a first row of data", [(2, 18)]),
    "lists of raters and of labels": (
        table("item,rater,label", [(k, "ann;ben", "x;y") for k in range(4)]),
        "cells of rater, label hold several", None),
    "lists as Python writes them": (
        "id,annotators,labels\n" + "".join(
            f"{k},\"['ann', 'ben']\",\"['x', '{c}']\"\n" for k, c in enumerate("xyxy")),
        "cells of 'labels' hold lists", [(2, 8)]),
    "lists of answers and of users": (
        "id,q.responses,q.responses.users\n" + "".join(
            f"{k},\"['x', '{c}']\",\"['ann', 'ben']\"\n" for k, c in enumerate("xyxy")),
        "cells of 'q.responses' hold lists", [(2, 8)]),
    "capital letters of one rater": (
        table("item,a,b", [(k, "xy"[k % 2], "XY"[k % 2]) for k in range(10)]),
        "the same labels but for small and capital letters", [(2, 20)]),
    "the same in a wide file": (
        table("t0,x,y,x y", [(f"t{k}", *"xxy"[k % 2 :], "x y")[:4] for k in range(6)]),
        "looks like a first row of data", None),
    "an item of two columns": (
        table("doc,item,rater,label", AGAIN), "each once with another 'doc'",
        [(2, 18)]),
}  # fmt: skip


def offered(message):
    """What a message says to type."""
    said = re.findall(r"\bsay (--.*?)(?=; | to see|, with |$)", message)
    return [shlex.split(one.split(", with")[0]) for one in said]


@pytest.fixture
def typed(tmp_path, capsys):
    def run(text, *more, name="file.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        status = main(["agree", str(path), *more, "--json"])
        out, err = capsys.readouterr()
        return status, json.loads(out) if out else err

    return run


@pytest.mark.parametrize("name", INSTEAD)
def test_what_looks_like_something_else(typed, name):
    text, said, sizes = INSTEAD[name]
    status, message = typed(text)
    assert status == 2 and said in message and "file.csv" in message
    ways = offered(message)
    assert ways
    for way, size in zip(ways, sizes or [], strict=sizes is not None):
        status, found = typed(text, *way)
        assert status == 0, (way, found)
        assert (found["n_raters"], found["n_ratings"]) == size


def test_columns_in_many_tongues_are_no_raters(typed):
    for name in ("Mehrheit", "majorité", "mayoría", "다수결", "最终标签", "多数決",
                 "GoldStandard", "adjudicated label"):  # fmt: skip
        status, message = typed(with_column(name, "xyxyx"))
        assert (
            status == 2 and "--gold" in message and "--raters ann,ben,cem," in message
        )
    for name in ("Kommentar", "remarques", "comentario", "备注", "コメント", "합계"):
        status, message = typed(with_column(name, "xyxyx"))
        assert status == 2 and "--raters ann,ben,cem; if" in message


@pytest.mark.parametrize("labels", ["01", "12345", "xy", "abcd"])
def test_ordinary_files_are_read(typed, labels):
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
        status, found = typed(table(",".join(["item", *names[:k]]), rows))
        assert status in (0, 4), found
        assert (found["n_raters"], found["n_ratings"]) == (k, n * k)


def test_words_and_measurements_are_read(typed):
    """Labels of several words, few of which come twice, and numbers that never do."""
    draw = random.Random(3)
    scale = ["strongly agree", "rather agree", "do not know", "not at all"]
    rows = [(k, *(draw.choice(scale) for _ in range(3))) for k in range(9)]
    assert typed(table("item,a,b,c", rows))[0] == 0
    rows = [(k, *(f"{k + draw.random():.3f}" for _ in range(3))) for k in range(30)]
    for more in ((), ("--distance", "interval")):
        assert typed(table("item,a,b,c", rows), *more)[0] == 0


def test_codes_and_sums_are_noted_with_what_to_type(typed):
    draw = random.Random(2)
    rows = [(k, *(draw.choice("12345") for _ in range(3))) for k in range(40)]
    rows[3], rows[7], rows[9] = (
        (3, "-1", 4, 4),
        (7, 99, 1, "not annotated"),
        (9, 2, 2, "*"),
    )
    _, found = typed(table("item,a,b,c", rows), "--missing", "*")
    (note,) = (one for one in found["notes"] if "--missing" in one)
    way = shlex.split(note.partition("if so, say ")[2])
    _, found = typed(table("item,a,b,c", rows), *way, "--distance", "interval")
    assert found["labels"] == [1, 2, 3, 4, 5] and found["n_ratings"] == 115
    for last in ("Total", "Summe", "x"):
        text = table("item,a,b,c", [*WIDE, (last, 5, 5, 5)])
        _, found = typed(text)
        (note,) = (one for one in found["notes"] if "looks like sums" in one)
        _, found = typed(text, *shlex.split(note.partition("leave it out by ")[2]))
        assert found["n_items"] == 5 and found["labels"] == ["x", "y"]


NOTED = {  # what is read with a note, and what it offers: raters and judgments
    "sets in another order": (
        table("item,a,b", [(k, *[("x;y", "y; x"), ("x", "x")][k % 2])
                           for k in range(6)]),
        "in the order of their parts", (2, 12)),
    "a first rater's numbers": (
        table("a,b,c", [(f"{k * k}.5", f"{k * k}.4", f"{k}.7") for k in range(1, 8)]),
        "the items are called by the first column, 'a'", (3, 21)),
    "means below": (
        table("item,a,b", [*((k, k % 2, 1) for k in range(8)), ("Mean", 0.5, 1)]),
        "looks like sums or means", (2, 16)),
    "dashes": (
        table("item,a,b", [(k, "xy"[k % 2], "x" if k else "—") for k in range(8)]),
        "may mean that there is none: '—' once", (2, 14)),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTED)
def test_what_is_noted_with_what_to_type(typed, name):
    text, said, size = NOTED[name]
    status, found = typed(text)
    (note,) = (one for one in found["notes"] if said in one)
    way = shlex.split(re.search(r"--\w.*$", note)[0])
    status, found = typed(text, *way)
    assert status == 0 and (found["n_raters"], found["n_ratings"]) == size


def of_documents(name, values, *more):
    """Eight items, judged twice, with a column of eight values, or of sixteen."""
    told = [*values] if len(values) > 8 else [v for v in values for _ in "ab"]
    rows = [(k // 2, "ab"[k % 2], "xyxx"[k % 4], *told[k : k + 1]) for k in range(16)]
    return table(f"item,rater,label,{name}", rows), *more


GROUPED = {  # and how many values are told; 0 where nothing is to be said
    "documents": (*of_documents("doc_id", "ppqqrrss"), 4),
    "most have two items": (*of_documents("Patient No", "ppqqrrrs"), 4),
    "in German": (*of_documents("Gespräch", "ppppqqqq"), 2),
    "in French": (*of_documents("id_auteur", "ppppqqqq"), 2),
    "in Spanish": (*of_documents("página", "ppppqqqq"), 2),
    "in Korean": (*of_documents("문서번호", "ppppqqqq"), 2),
    "in Chinese": (*of_documents("患者编号", "ppppqqqq"), 2),
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
    "judgments in cells": (
        table("item,doc,label", [(k, k // 2, "xy"[k % 2] + ";x") for k in range(8)]),
        "--split", ";", 4),
}  # fmt: skip


@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_column_that_says_to_what_items_belong(typed, name):
    text, *more, number = GROUPED[name]
    status, found = typed(text, *more)
    notes = [one for one in found["notes"] if "items belong" in one]
    assert status == 0 and len(notes) == bool(number)
    for note in notes:
        assert f"has {number} values for 8 items" in note
        status, again = typed(text, *more, *shlex.split(note.partition(", say ")[2]))
        assert status == 0 and again["n_clusters"] == number
        value = [one["coefficients"]["gwet_ac1"]["value"] for one in (found, again)]
        assert value[0] == pytest.approx(value[1])


@pytest.mark.parametrize("f", [max, min, lambda *told: round(sum(told) / len(told))])
def test_a_column_that_is_made_of_the_others(typed, f):
    draw = random.Random(6)
    rows = [[draw.randint(1, 5) for _ in range(4)] for _ in range(60)]
    text = table("item,a,b,c,d,e", [(k, *row, f(*row)) for k, row in enumerate(rows)])
    status, message = typed(text, "--distance", "interval")
    assert status == 2 and "column 'e' has the others' mean" in message
    status, found = typed(text, *offered(message)[0], "--distance", "interval")
    assert status == 0 and found["n_raters"] == 4


def test_counts_of_unequal_sums_are_noted_and_grades_are_not(typed):
    """One number is large where the others are small; those of people who rate rise
    together."""
    draw = random.Random(4)
    rows, grades = [], []
    for k in range(30):
        true, n = draw.randrange(3), draw.randint(3, 5)
        said = [true if draw.random() < 0.8 else draw.randrange(3) for _ in range(n)]
        rows.append((k, *map(said.count, range(3))))
        grades.append((k, *(max(0, true + draw.choice([-1, 0, 0, 1])) for _ in "abc")))
    _, found = typed(table("item,pos,neg,neu", rows))
    (note,) = (one for one in found["notes"] if "--counts" in one)
    status, found = typed(table("item,pos,neg,neu", rows), *offered(f"{note}; ")[0])
    assert status == 0 and found["n_raters"] is None
    assert found["n_ratings"] == sum(sum(row[1:]) for row in rows)
    _, found = typed(table("item,a,b,c", grades))
    assert not [one for one in found["notes"] if "--counts" in one]


def test_raters_of_the_first_collection_are_raters_in_the_second(typed, tmp_path):
    names = ["Sum", "Date", "Truth"]
    long = [(t, w, c) for t, *cs in WIDE for w, c in zip(names, cs, strict=True)]
    wide = tmp_path / "wide.csv"
    wide.write_text(table("item,Sum,Date,Truth", WIDE), encoding="utf-8")
    text = table("item,rater,label", long)
    assert typed(text, "--second", str(wide))[0] == 0
    status, message = typed(wide.read_text(encoding="utf-8"))
    assert status == 2 and "say --raters Sum,Date,Truth" in message
    some = ["--raters", "Sum,Date,Truth"]
    wide.write_text(table("item,Sum,Date,eva", WIDE), encoding="utf-8")
    assert (
        typed(table("item,Sum,Date,Truth", WIDE), *some, "--second", str(wide))[0] == 0
    )


def test_scales_that_hold_such_numbers_are_not_noted(typed):
    for low, high in ((-1, 1), (1, 10), (0, 9), (90, 105)):
        rows = [(k, low + k % (high - low + 1), low + k % (high - low + 1))
                for k in range(60)]  # fmt: skip
        _, found = typed(table("item,a,b", rows))
        assert not [one for one in found["notes"] if "--missing" in one]


def test_a_file_for_each_rater(tmp_path, capsys):
    paths = []
    for name, labels in (("ann", "xyx"), ("ben", "xyy")):
        rows = [(k, f"text {k}", label) for k, label in enumerate(labels)]
        paths.append(tmp_path / f"{name}.v1.csv")
        paths[-1].write_text(table("id,text,tag", rows), encoding="utf-8")
    with pytest.raises(UnreadableError, match="--rater-file") as refused:
        collection(paths)
    (way,) = offered(str(refused.value))
    assert main(["agree", *map(str, paths), *way, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n_ratings"] == 6
    how = {"rater_file": True, "item": "id", "label": "tag"}
    assert [*collection(paths, **how).ratings.raters] == ["ann.v1", "ben.v1"]
    (tmp_path / "x").mkdir()
    twin = tmp_path / "x" / "ann.v1.csv"
    twin.write_bytes(paths[0].read_bytes())
    with pytest.raises(UnreadableError, match=r"two files are called 'ann.v1'"):
        collection([paths[0], twin], **how)


DOCCANO = [(k, "xy"[k % 2]) for k in range(4)]


def test_files_whose_names_differ(tmp_path, capsys):
    """In case they are the same; in the label each is one rater's."""
    paths = [tmp_path / "ann.csv", tmp_path / "ben.csv"]
    for path, head in zip(paths, ("id,label", "ID,Label"), strict=True):
        path.write_text(table(head, DOCCANO), encoding="utf-8")
    how = {"rater_file": True, "item": "id", "label": "label"}
    assert collection(paths, **how).ratings.n_ratings == 8
    paths[1].write_text(
        table("id,label,sure", [(*r, 1) for r in DOCCANO]), encoding="utf-8"
    )
    with pytest.raises(UnreadableError, match="each file is one rater's") as refused:
        collection(paths)
    (way,) = offered(str(refused.value))
    assert main(["agree", *map(str, paths), *way, "--json"]) == 0
    for path in paths:
        path = path.with_suffix(".jsonl")
        lines = [json.dumps({"id": k, "label": [c]}) for k, c in DOCCANO]
        path.write_text("\n".join(lines), encoding="utf-8")
    capsys.readouterr()
    lists = [path.with_suffix(".jsonl") for path in paths]
    with pytest.raises(UnreadableError, match="--sets ,") as refused:
        collection(lists)
    (way,) = offered(str(refused.value))
    assert main(["agree", *map(str, lists), *way, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n_raters"] == 2


def test_a_table_of_two_raters_and_its_sums(typed):
    plain, sums = (
        table(",a,b", SQUARE),
        table(",a,b,all", [("a", 9, 2, 11), ("b", 1, 8, 9), ("all", 10, 10, 20)]),
    )
    pairs = [[row, column] for row, *cells in SQUARE for column, n in zip("ab", cells)
             for _ in range(n)]  # fmt: skip
    kappa = la.cohen_kappa(la.Ratings.from_matrix(pairs)).value
    for text in (plain, sums):
        status, found = typed(text, "--table")
        assert status == 0 and found["n_items"] == 20
        assert found["coefficients"]["cohen_kappa"]["value"] == pytest.approx(kappa)
    status, message = typed(table(",a,c", SQUARE), "--table")
    assert status == 2 and "b, c not in both" in message


def test_counts_with_clusters_and_times(typed):
    rows = [(k, f"d{k // 2}", *row, 2) for k, row in enumerate(COUNTS)]
    text = table("item,doc,p,n,u,w", rows)
    _, found = typed(text, "--counts", "p,n,u", "--times", "w")
    assert (found["n_items"], found["n_ratings"]) == (12, 36)
    path = ["--counts", "p,n,u", "--cluster", "doc"]
    assert typed(text, *path)[0] == 0
    status, message = typed(text.replace(",0,0,2", ",,0,2", 1), *path)
    assert status == 2 and "line 2: n must be a whole number" in message


@pytest.mark.filterwarnings("ignore:accuracy. 3 clusters")
def test_an_item_of_two_columns(typed, tmp_path):
    gold, best = tmp_path / "gold.csv", tmp_path / "best.csv"
    rows = [(doc, s, "O") for doc in "pqr" for s in (1, 2, 3)]
    gold.write_text(table("doc,item,label", rows), encoding="utf-8")
    how = ["--item", "doc,item", "--cluster", "doc", "--gold", str(gold)]
    text = table("doc,item,rater,label", AGAIN)
    status, found = typed(text, *how, "--consensus", str(best))
    assert status == 0 and found["n_items"] == 9
    right = sum(label == "O" for *_, label in AGAIN) / len(AGAIN)
    assert found["accuracy"]["overall"]["value"] == pytest.approx(right)
    assert best.read_text(encoding="utf-8").startswith(
        "doc,item,label,probability,O,Q\np,1,"
    )
    gold.write_text(table("item,label", [(1, "O")]), encoding="utf-8")
    status, message = typed(text, *how)
    assert status == 2 and "which --gold names, has no column 'doc'" in message


def test_formulas_are_disarmed_and_armed_again(typed, tmp_path):
    rows = [(f"=A{k}", *row) for k, row in enumerate([("=1", "+4"), ("@x", "@x")] * 4)]
    text, best = table("item,@ann,ben", rows), tmp_path / "best.csv"
    raters = tmp_path / "raters.csv"
    how = ["--consensus", str(best), "--raters-out", str(raters)]
    assert typed(text, *how)[0] == 0
    lines = best.read_text(encoding="utf-8").split("\n")
    assert lines[0] == "item,label,probability,+4,'=1,'@x"
    assert lines[2].startswith("'=A1,'@x,1,") and "\n'@ann," in raters.read_text(
        encoding="utf-8"
    )
    _, found = typed(
        text, "--gold", str(best), "--second", str(best.with_name("file.csv"))
    )
    assert found["accuracy"]["overall"]["n_items"] == 8


REFUSED = [
    ("item,a,b\n1,,\n2,,\n", [], "has no label: every cell is empty"),
    ("item,a,b\n1,x,y\n2,x,x\n", ["--missing", "x,y"], "among those of --missing"),
    ("item,a,b\n1,x,y\n", ["--raters", "a"], "--raters names one column, 'a'"),
    ('item,"Do, A",b\n1,x,y\n', ["--raters", "Do, A,b"], "quotes keep a comma"),
    ("item,rater,label\n1,a,x\n1,a,y\n", [], "as x;y, and say --sets ';'"),
]


@pytest.mark.parametrize(("text", "more", "said"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused_in_the_words_of_a_person(typed, text, more, said):
    status, message = typed(text, *more)
    assert status == 2 and said in message


def test_gold_of_a_file_beside_a_column_of_its_name(typed, tmp_path):
    gold = tmp_path / "gold.csv"
    text = with_column("gold", "xyxyx")
    gold.write_text(
        table("item,label", [(row[0], "x") for row in WIDE]), encoding="utf-8"
    )
    how = ["--raters", "ann,ben,cem", "--gold", str(gold)]
    assert typed(text, *how)[0] == 0
    gold.write_text(table("item,label", [("q", "x")]), encoding="utf-8")
    status, message = typed(text, *how)
    assert status == 2 and "no item of " in message and "has 'q'" in message


def test_options_that_exclude_each_other(typed):
    for more, words in (
        (
            ["--times", "n", "--cluster", "c"],
            "--times and --cluster exclude each other",
        ),
        (["--table", "--cluster", "c"], "--table and --cluster exclude"),
        (["--raters", "a", "--counts", "b"], "--raters and --counts exclude"),
        (["--rater", "a", "--rater-file"], "--rater and --rater-file exclude"),
        (["--table", "--second", "x"], "--table and --second exclude"),
    ):
        status, message = typed(table("item,a,b", WIDE), *more)
        assert status == 2 and words in message
