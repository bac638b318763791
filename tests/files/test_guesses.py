"""What looks like something else: refused with what to type, which then works."""

import itertools
import json
import random
import re
import shlex

import pytest

from filed import offered, table
from known import DATA, cases, rows

WIDE = [("t1", *"xxy"), ("t2", *"yyy"), ("t3", *"xyx"), ("t4", *"yxy"), ("t5", *"xxx")]


def sized(answer):
    """Raters, where they are known, and judgments of a call that goes well."""
    status, found = answer
    assert status == 0, found
    return [found[n] for n in ("n_raters", "n_ratings") if found[n] is not None]


def with_column(name, values):
    rows = [(*row, value) for row, value in zip(WIDE, values)]
    return table(f"item,ann,ben,cem,{name}", rows)


@cases("files/instead")
def test_what_looks_like_something_else(agree, case):
    text, more = case["text"], case.get("more", [])
    status, message = agree(text, *more)
    assert status == 2 and case["said"] in message and "file.csv" in message
    ways = offered(message)
    assert ways
    sizes = case.get("sizes", [None] * len(ways))
    for way, size in zip(ways, sizes, strict=True):
        again = () if more[:1] == ["--item"] else more
        if size is not None:
            assert sized(agree(text, *way, *again)) == size, way


def test_a_name_with_a_line_end_in_it_can_be_typed(agree):
    """As spreadsheets write it; the offer is as bash reads it."""
    names = ["ann\n(1st)", "ben", "cem"]
    head = ",".join(f'"{name}"' for name in names)
    text = table(f"item,{head},gold", [(*row, row[1]) for row in WIDE])
    status, message = agree(text)
    way = re.search(r"--raters \$'(.*?)'", message)[1].replace("\\n", "\n")
    assert status == 2 and agree(text, "--raters", way)[1]["n_raters"] == 3
    status, message = agree(text, "--raters", way.replace('"', ""))
    assert status == 2 and "has a line's end outside of quotes" in message


def test_items_are_no_groups_of_items(agree):
    """Of two comments of a thread nobody judged both."""
    rows = [
        (f"text {c}", f"c{c}", f"t{c % 10}", f"u{(3 * c + k) % 33}", *labels)
        for c in range(20)
        for k, labels in enumerate([(0, 1), (c % 2, 0), (0, c % 3 % 2)])
    ]
    status, message = agree(table("text,id,thread,rater_id,joy,fear", rows))
    assert status == 2 and "--item id --rater rater_id --label fear;" in message


def test_seconds_name_no_items(agree):
    """Although no label is there twice with one of them."""
    times = [f"{1 + k // 3 / 8:.3f}" for k in range(60)]
    rows = [
        (k, "xyz"[k % 3], times[k], "xyz"[k // 2 % 3], times[-k]) for k in range(60)
    ]
    status, message = agree(table("tweet,ann,ann_time,ben,ben_time", rows))
    assert status == 2 and "something beside labels; say --raters ann,ben;" in message


@pytest.mark.parametrize(("name", "option"), rows("files/columns"))
def test_columns_in_many_tongues_are_no_raters(agree, name, option):
    status, message = agree(with_column(name, "xyxyx"))
    way = f", with {option} {shlex.quote(name)} to" if option else "; if all"
    assert status == 2 and f"--raters ann,ben,cem{way}" in message


@pytest.mark.parametrize("names", [row[0] for row in rows("files/raters")])
def test_names_that_may_be_raters_are_read(agree, names):
    """Of all raters, of two, or of columns that are alike whatever their words."""
    draw, size = random.Random(names), 1 + names.count(",")
    said = [draw.choice("xyz") for _ in range(25)]
    rows = [(k, *(draw.choice(["x", c, c, c]) for _ in range(size)))
            for k, c in enumerate(said)]  # fmt: skip
    assert agree(table(f"item,{names}", rows))[1]["n_raters"] == size


@cases("files/plain")
def test_what_is_what_it_seems(agree, case):
    status, found = agree(case["text"], *case.get("more", []))
    assert status == 0, found
    assert found["n_raters"] == case["raters"]
    assert case["unsaid"] not in " ".join(found["notes"])


@pytest.mark.filterwarnings("ignore:.*is it a rater")
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


def test_raters_with_own_labels_who_share_few_items_or_none(read):
    for shared in (0, 9):
        rows = [(k, "ann", "xy"[k % 2]) for k in range(20)]
        rows += [(k, "ben", "uv"[k % 2]) for k in range(20 - shared, 40)]
        assert len(read(table("item,rater,label", rows)).ratings.raters) == 2


def test_words_and_measurements_are_read(read):
    """Labels of several words, few of which come twice, and numbers that never do."""
    draw = random.Random(3)
    scale = ["strongly agree", "rather agree", "neither nor", "not at all"]
    said = [(k, *(draw.choice(scale) for _ in range(3))) for k in range(9)]
    rows = [(k, *(f"{k + draw.random():.3f}" for _ in range(3))) for k in range(30)]
    for told, numbers in ((said, False), (rows, False), (rows, True)):
        assert len(read(table("item,a,b,c", told), numbers=numbers).ratings.raters) == 3


@pytest.mark.parametrize("labels", ["abc", "123"])
def test_three_who_always_agree_beside_one_who_does_not(agree, labels):
    """Each has the majority's label, their mean and their median: none is computed."""
    said = [labels[k * k % 3] for k in range(40)]
    rows = [(k, labels[k % 3] if k % 4 else s, s, s, s) for k, s in enumerate(said)]
    status, found = agree(table("id,Anna,Ben,Clara,David", rows))
    assert (status, found["n_raters"], found["n_ratings"]) == (0, 4, 160)
    assert not any("is it a rater" in one for one in found["notes"])


def test_many_raters_of_few_items_may_be_a_turned_table(agree):
    """Not where the items' column is called so."""
    rows = [
        (who, *("xy"[(k // 2 + n) % 2] for k in range(9)))
        for n, who in enumerate("abc")
    ]
    for name, noted in (("name", 1), ("item", 0)):
        told = agree(table(",".join([name, *"bcdefghij"]), rows))[1]["notes"]
        assert sum("9 raters, and rows as 3 items" in one for one in told) == noted


@pytest.mark.parametrize(
    ("head", "noted"),
    [("Name,Bild 1,Bild 2,Bild 3", True), ("id,Clip3,Clip4,Clip5", True),
     ("Name,R1,R2,R3", False), ("item,Q1,Q2,Q3", False)],
)  # fmt: skip
def test_columns_that_are_called_as_items_and_numbered(agree, head, noted):
    rows = [("Anna", *"xxy"), ("Ben", *"xyy"), ("Cem", *"xyx")]
    notes = agree(table(head, rows))[1]["notes"]
    assert any("3 raters, and rows as 3 items" in one for one in notes) == noted


@pytest.mark.parametrize("name", ["sentiment", "label"])
def test_a_status_in_step_with_labels_is_noted_and_chosen(agree, name):
    """As Argilla writes answers, by question."""
    lines = [{"id": k, name: ["x", "y"], f"{name}.users": ["a", "b"],
              f"{name}.status": ["submitted", "discarded" if k % 3 else "submitted"]}
             for k in range(9)]  # fmt: skip
    text = "\n".join(map(json.dumps, lines))
    way = ["--item", "id", "--rater", f"{name}.users", "--split", ","]
    way += ["--label", name] * (name != "label")
    status, found = agree(text, *way, name="file.jsonl")
    assert (status, found["n_ratings"]) == (0, 18)
    (note,) = (one for one in found["notes"] if "taken back" in one)
    for where in (offered(note)[0], ["--where", f"{name}.status=submitted"]):
        status, found = agree(text, *way, *where, name="file.jsonl")
        assert (status, found["n_items"]) == (0, 3)
        assert not [one for one in found["notes"] if "taken back" in one]


@cases("files/noted")
def test_what_is_noted_with_what_to_type(agree, case):
    text, more = case["text"], case.get("more", [])
    (note,) = (one for one in agree(text, *more)[1]["notes"] if case["said"] in one)
    (way,) = offered(note)
    kept = more[:2] if {"--sets", "--item"} & {*more} else ()
    answer = agree(text, *kept, *way)
    assert sized(answer) == case["size"]
    assert not [one for one in answer[1]["notes"] if case["said"] in one]


@cases("files/grouped")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_column_that_says_to_what_items_belong(agree, case):
    text, more, number = case["text"], case.get("more", []), case["values"]
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
    files = [(DATA / "files" / "grades.csv").read_text(encoding="utf-8")]
    for low, high in ((-1, 1), (1, 10), (0, 9), (90, 105)):
        size = high - low + 1
        rows = [(k, low + k % size, low + k % size) for k in range(60)]
        files.append(table("item,a,b", rows))
    many = range(45)  # of whom all rows add up to about 100
    rows = [(k, *(1 + k * (j + 3) ** 2 % 17 % 3 for j in many)) for k in range(1, 9)]
    files.append(table(",".join(["item", *(f"r{j}" for j in many)]), rows))
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


@pytest.mark.parametrize("more", [(), ("--item", "item"), ("--where", "item!=")])
def test_a_rater_whose_file_has_other_columns(agree, save, more):
    ben = save("id,y\n0,x\n1,y\n", "ben.csv")
    text = "item,label\n0,x\n1,y\n"
    status, message = agree(text, ben, "--rater-file", *more, name="ann.csv")
    assert status == 2
    assert "ben.csv has no column '" in message
    assert "'; its columns: id, y" in message


def test_a_file_by_rater_has_no_rater_column_of_its_own(agree, save):
    ben = save("item,rater,label\n0,b,x\n1,b,y\n", "ben.csv")
    status, message = agree("item,label\n0,x\n1,y\n", ben, "--rater-file")
    assert status == 2 and "ben.csv has a column 'rater'" in message
    text = "item,rater,label\n0,a,x\n1,a,y\n"
    assert agree(text, ben)[1]["n_raters"] == 2


def test_a_header_again_in_a_file_of_a_rater(agree, save):
    ben = save("item,label,conf\n0,x,1\nitem,label,conf\n1,y,2\n", "ben.csv")
    text = "item,label\n0,x\nitem,label\n1,y\n"
    status, found = agree(text, ben, "--rater-file", name="ann.csv")
    assert (status, found["n_items"], found["labels"]) == (0, 2, ["x", "y"])
    (note,) = (one for one in found["notes"] if "repeat the header" in one)
    assert note.endswith("line 3, 3")


@pytest.mark.parametrize(("again", "offers"), [(1, True), (0, False)])
def test_sets_beside_raters_in_step_only_where_items_are_judged_again(
    agree, again, offers
):
    text = table("item,rater,label", [("1", "a|b", "x|y"), ("2", "a|b", "y|y")])
    status, message = agree(text + "1,c|d,x|x\n" * again)
    assert status == 2 and ("--sets" in message) == offers
    assert "--split '|'" in message


@cases("files/of_raters")
def test_a_file_for_each_rater(agree, save, case):
    (first, content), *rest = case["files"].items()
    paths = [save(text, name) for name, text in rest]
    status, message = agree(content, *paths, name=first)
    (way,) = offered(message)
    assert status == 2 and case["said"] in message and way[0] == "--rater-file"
    if name := case.get("renamed"):  # as the message says, by hand
        alike = [re.sub(r"(label_)?(ann|ben)", name, text, flags=re.I)
                 for text in case["files"].values()]  # fmt: skip
        content, way = alike[0], [*way, "--label", name]
        save(alike[1], [*case["files"]][1])
    answer = agree(content, *paths, *way, name=first)
    assert sized(answer) == [2, case["judgments"]]


def test_files_with_other_items_may_lack_columns(agree, save):
    """As where a rater joined later; with the same items they may be raters'."""
    first, later = table("item,ann,ben", [w[:3] for w in WIDE[:3]]), WIDE[3:]
    second = save(table("item,ann,ben,cem", later), "week2.csv")
    for more in ((), ("--raters", "ann,ben,cem")):
        status, found = agree(first, second, *more)
        assert (status, found["n_raters"], found["n_ratings"]) == (0, 3, 12)
        (note,) = (one for one in found["notes"] if "other items" in one)
        assert note.endswith("empty in the other: cem")
    save(table("item,ann,ben,cem", [WIDE[2], *later]), "week2.csv")
    assert "if each file is one rater's" in agree(first, second)[1]


def test_right_labels_beside_judgments_are_no_raters_file(agree, save):
    rows = [(k, who, "xy"[k % 2]) for k in range(4) for who in ("ann", "ben")]
    judged = table("item,rater,label", rows)
    gold = save(table("item,label", [(k, "xy"[k % 2]) for k in range(4)]), "gold.csv")
    assert offered(agree(judged, gold)[1]) == [["--gold", str(gold)]]
    assert agree(judged, "--gold", gold)[1]["accuracy"]["overall"]["value"] == 1


def test_gold_of_a_file_beside_a_column_of_its_name(agree, save):
    gold = save(table("item,label", [(row[0], "x") for row in WIDE]), "gold.csv")
    how = ["--raters", "ann,ben,cem", "--gold", gold]
    right = agree(with_column("gold", "xyxyx"), *how)[1]["accuracy"]
    assert right["overall"]["n_items"] == 5


def test_a_file_of_right_labels_that_has_no_item(agree, save):
    gold = save("question,truth\nt1,x\nt2,y\n", "gold.csv")
    text = table("id,ann,ben,cem", WIDE)
    assert "a first line: item, label" in agree(text, "--gold", gold)[1]
    how = ["--item", "question", "--gold", gold]
    assert agree(text.replace("id,", "question,"), *how)[0] == 0


def test_items_of_gold_that_nobody_judged_are_noted(agree, save):
    gold = save("item,label\nt1,x\nT2,y\nt9,x\nt8,\n", "gold.csv")
    status, found = agree(table("item,ann,ben,cem", WIDE), "--gold", gold)
    noted = " ".join(found["notes"])
    assert status == 0 and found["accuracy"]["overall"]["n_items"] == 1
    assert "file.csv (3): T2, t9, t8" in noted
    assert "'t2' and 'T2' are different items here" in noted


@pytest.mark.parametrize(("ben", "known"), [("xyy", True), ("yxy", False)])
def test_files_of_raters_without_a_header(agree, save, ben, known):
    """The option may be given, or be part of what is offered."""
    lines = {w: "".join(f"t{k},{c}\n" for k, c in enumerate(s * 4)) for w, s in
             (("ann", "xyx"), ("ben", ben))}  # fmt: skip
    paths, option = [save(lines["ben"], "ben.csv")], ["--rater-file"]
    status, message = agree(lines["ann"], *paths, *option * known, name="ann.csv")
    (way,) = offered(message)
    way = option * known + way
    assert status == 2 and way == [*option, "--no-header", "--columns", "item,label"]
    assert sized(agree(lines["ann"], *paths, *way, name="ann.csv")) == [2, 24]


def test_files_of_labels_alone_are_in_step_by_their_lines(agree, save):
    ann, ben = "label\nx\n\ny\nx\n", save("label\nx\ny\n\nx\n", "ben.csv")
    assert "ends with line 5, " in agree(ann + "y\n", ben, "--rater-file")[1]
    assert "has no header" in agree(ann[6:] * 2, ben, "--rater-file")[1]


@pytest.mark.parametrize(("name", "said"), [("gold", True), ("gpt", False)])
def test_right_labels_are_spoken_of_where_a_rater_may_have_them(agree, name, said):
    rows = [(t, w, c) for t, *cs in WIDE for w, c in zip(("a", "b", name), cs)]
    notes = agree(table("item,rater,label", rows))[1]["notes"]
    (note,) = (one for one in notes if f"rater '{name}' by its name" in one)
    assert ("--gold" in note) == said


def test_a_label_that_may_mean_none_is_told_once(agree):
    said = ("none", "none", "x", "y")
    rows = [(k, w, said[k % 4], said[-k % 4]) for k in range(12) for w in "ab"]
    text = table("item,rater,label,shown", rows)
    notes = agree(text, "--suggested", "shown")[1]["notes"]
    assert sum("may mean that there is none" in one for one in notes) == 1
    assert not [one for one in notes if "so also" in one]
