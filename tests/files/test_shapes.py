"""Files as people have them: no header, JSON, several at once, lists in cells."""

import gzip
import json

import pandas as pd
import pytest

from labelaudit.files.ratings import collection
from labelaudit.files.tables import UnreadableError, table, tables

ROWS = [("d1", "ann", "yes"), ("d1", "bob", "no"), ("d2", "ann", "no")]
NAMES = ["item", "rater", "label"]
FRAME = pd.DataFrame(ROWS, columns=NAMES)


def said(found):
    """Who said what of which item."""
    r = found.ratings
    j = r.judgments
    return {
        (r.items[i], r.raters[a], r.labels[c])
        for i, a, c in zip(j.item, j.rater, j.label)
    }


@pytest.fixture
def save(tmp_path):
    def write(text, name="ratings.csv"):
        path = tmp_path / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")
        return path

    return write


WRITTEN = {  # as pandas writes them
    "a.csv": FRAME.to_csv(index=False),
    "records.json": FRAME.to_json(orient="records"),
    "lines.jsonl": FRAME.to_json(orient="records", lines=True),
    "packed.csv.gz": gzip.compress(FRAME.to_csv(index=False).encode()),
    "packed.jsonl.gz": gzip.compress(
        FRAME.to_json(orient="records", lines=True).encode()
    ),
    "one.txt": json.dumps(FRAME.to_dict("records"), indent=2),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_files_as_pandas_writes_them(save, name):
    assert said(collection(save(WRITTEN[name], name))) == set(ROWS)


def test_parquet_with_lists_in_cells(tmp_path):
    grouped = FRAME.groupby("item", as_index=False).agg(list)
    path = tmp_path / "grouped.parquet"
    grouped.to_parquet(path)
    assert said(collection(path, split=",")) == set(ROWS)


def test_records_by_item(save):
    text = json.dumps({"d1": {"ann": "yes", "bob": "no"}, "d2": {"ann": "no"}})
    assert said(collection(save(text, "keyed.json"))) == set(ROWS)
    by_item = FRAME.groupby("item")[["rater", "label"]]
    text = json.dumps({item: part.to_dict("records") for item, part in by_item})
    assert said(collection(save(text, "listed.json"))) == set(ROWS)


def test_names_in_brackets_are_no_json(save):
    head = {"item": "[item]", "rater": "{rater}", "label": "label"}
    path = save(FRAME.rename(columns=head).to_csv(index=False))
    assert said(collection(path, **head)) == set(ROWS)


def test_json_numbers_are_texts_without_a_point_and_null_is_missing(save):
    text = '[{"item": 1, "a": 2.0, "b": 3}, {"item": 2, "a": null, "b": true}]'
    frame = table(save(text, "t.json"))
    assert frame.to_numpy().tolist() == [["1", "2", "3"], ["2", None, "True"]]


def test_without_a_header(save):
    path = save(FRAME.to_csv(index=False, header=False))
    assert said(collection(path, names=NAMES)) == set(ROWS)
    with pytest.raises(UnreadableError, match="--no-header"):
        collection(path)
    with pytest.raises(UnreadableError, match="line 1: 3 cells, and --columns names 2"):
        collection(path, names=["item", "rater"])


@pytest.mark.parametrize(
    "text",
    [
        "item,1,2,3\ni1,1,2,3\ni2,2,2,3\n",  # raters called as labels are
        "id,ann,bob\na,yes,no\nb,no,no\n",
        ",0,1\n0,a,b\n1,b,b\n",
        "doc,x,y\nd1,yes,x\nd2,no,y\n",
    ],
)
@pytest.mark.filterwarnings("ignore:column .* shares no label")
def test_a_header_is_not_taken_for_data(save, text):
    collection(save(text))


def test_several_files_are_one_table(save):
    one = save(FRAME.iloc[:1].to_csv(index=False), "one.csv")
    other = save(FRAME.iloc[1:][NAMES[::-1]].to_csv(index=False), "other.csv")
    assert said(collection([one, other])) == set(ROWS)
    again = save("label,rater,item\nno,ann,d9\n,bob,\n", "third.csv")
    with pytest.raises(UnreadableError, match=r"third.csv, line 3: item is missing"):
        collection([one, again])
    odd = save("item,rater,tag\n1,2,3\n", "odd.csv")
    with pytest.raises(UnreadableError, match=r"odd.csv has the columns item, rater"):
        collection([one, odd])
    with pytest.raises(UnreadableError, match="can be read once"):
        tables(["-", "-"])


def test_rows_are_chosen_by_their_values(save):
    text = FRAME.assign(part=["x", "x", "y"], lang="en").to_csv(index=False)
    path = save(text)
    assert said(collection(path, where=["part=x", "lang=en"])) == set(ROWS[:2])
    for condition, words in (
        ("part=z", "no row has 'z' in the column 'part'"),
        ("part", "COLUMN=VALUE"),
        ("side=x", "no column 'side'"),
    ):
        with pytest.raises(UnreadableError, match=words):
            collection(path, where=[condition])


SPLIT = {
    "texts": 'item,rater,label\nd1,"ann, bob","yes, no"\nd2,ann,no\n',
    "lists": 'item,rater,label\nd1,"[""ann"",""bob""]","[""yes"", ""no""]"\n'
    "d2,ann,no\n",
    "objects": 'item,label\nd1,"{""ann"": ""yes"", ""bob"": ""no""}"\n'
    'd2,"{""ann"": ""no""}"\n',
    "lists of Python": "item,rater,label\nd1,\"['ann', 'bob']\",\"['yes', 'no']\"\n"
    "d2,['ann'],['no']\n",
    "lists of numpy": "item,rater,label\nd1,['ann' 'bob'],['yes' 'no']\nd2,ann,no\n",
    "objects of Python": "item,label\nd1,\"{'ann': 'yes', 'bob': 'no'}\"\n"
    "d2,{'ann': 'no'}\n",
}


@pytest.mark.parametrize("text", SPLIT.values(), ids=SPLIT)
def test_several_judgments_in_a_cell(save, text):
    assert said(collection(save(text), split=",")) == set(ROWS)


def test_judgments_in_a_cell_without_raters_are_anonymous(save):
    path = save('item,label\nd1,"yes,yes,no"\nd2,no\nd3,\n')
    r = collection(path, split=",").ratings
    assert r.raters is None
    assert [*r.labels] == ["no", "yes"]
    assert r.counts.tolist() == [[1, 2], [1, 0]]


def test_unequal_numbers_in_two_cells_are_refused_with_the_line(save):
    path = save('item,rater,label\nd1,ann,no\nd2,"ann,bob,eve","yes,no"\n')
    with pytest.raises(UnreadableError, match="line 3: 3 raters and 2 labels"):
        collection(path, split=",")


def test_an_object_of_labels_beside_a_rater_is_refused(save):
    path = save('id,user,label\n1,ann,"{""q1"": ""a"", ""q2"": ""b""}"\n')
    with pytest.raises(UnreadableError, match=r"line 2: .* as --label label.q1"):
        collection(path, item="id", rater="user", label="label", split=",")
    assert collection(path, item="id", rater="user", label="label.q1")


def test_columns_of_json_as_pandas_writes_them(save):
    frame = pd.concat([FRAME, FRAME.assign(item=["d3", "d3", "d4"])], ignore_index=True)
    path = save(frame.to_json(), "columns.json")
    assert said(collection(path)) == {*frame.itertuples(index=False, name=None)}


@pytest.mark.parametrize(
    "cell", ['"[""y"", ""x""]"', "\"['y', 'x']\"", "\"{'y', 'x'}\""]
)
def test_sets_of_labels(save, cell):
    path = save(f"item,a,b\nd1,x;y,{cell}\nd2,[],x\nd3,,x ;\n")
    r = collection(path, sets=";").ratings
    x, y = frozenset("x"), frozenset("xy")
    assert [*r.labels] == [frozenset(), x, y]
    j = r.judgments
    labels = [(r.items[i], r.labels[c]) for i, c in zip(j.item, j.label)]
    expected = [("d1", y), ("d1", y), ("d2", frozenset()), ("d2", x), ("d3", x)]
    assert labels == expected


TWICE = "item,rater,label\n1,a,x\n1,a,y\n1,a,x\n2,a,z\n2,a,z\n3,b,x\n"


@pytest.mark.parametrize(
    ("how", "kept"),
    [
        ("first", {("1", "a", "x"), ("2", "a", "z"), ("3", "b", "x")}),
        ("last", {("1", "a", "x"), ("2", "a", "z"), ("3", "b", "x")}),
        ("drop", {("2", "a", "z"), ("3", "b", "x")}),
    ],
)
@pytest.mark.filterwarnings("ignore:r")
def test_second_judgments_are_settled(save, how, kept):
    with pytest.warns(UserWarning, match="contradict each other: 1") as caught:
        assert said(collection(save(TWICE), repeats=how)) == kept
    text = " | ".join(str(one.message) for one in caught)
    assert "counted once: 2" in text
    # Pairs of judgments by the same rater: 1 of 3 alike on item 1, 1 of 1 on item 2.
    assert "2 pairs of rater and item, with the same label as before in 67 %" in text
    assert "contradict each other: 1" in text


@pytest.mark.filterwarnings("ignore:r", "ignore:pairs of rater")
def test_the_last_judgment_is_that_of_the_last_row(save):
    path = save("item,rater,label\n1,a,y\n1,a,x\n1,a,y\n")
    with pytest.warns(UserWarning, match="counted once"):
        assert said(collection(path, repeats="last")) == {("1", "a", "y")}


def test_gold_as_a_column_and_as_a_file(save):
    path = save(FRAME.assign(right=["yes", "yes", "no"]).to_csv(index=False))
    gold = collection(path, gold="right").gold
    assert gold.to_dict() == {"d1": "yes", "d2": "no"}
    other = save("item,label\nd1,yes\nd2,no\n", "gold.csv")
    assert collection(path, gold=str(other)).gold.to_dict() == gold.to_dict()
    bad = save(FRAME.assign(right=["yes", "no", "no"]).to_csv(index=False), "bad.csv")
    with pytest.raises(UnreadableError, match="line 3: a second gold label for item"):
        collection(bad, gold="right")
    with pytest.raises(UnreadableError, match="no column 'nothing', and no file"):
        collection(path, gold="nothing")


HOSTILE = [
    ("[1, 2]", "record 1: 1 is no record"),
    ('[{"item": 1}, 7]', "record 2: 7 is no record"),
    ('[{"item": 1,]', "line 1: not JSON"),
    ('{"item": 1}\n{"item": }\n', "line 2: not JSON"),
    ('{"item": 1}\n[2]\n', "line 2: .* is no record"),
    ("[]", "no row"),
    ("[" * 100_000, "JSON"),
    ('{"item": {"0": 1}, "rater": {"0": 1}, "label": {"0": 1}}', "orient="),
    ('[{"a": 1, " a": 2}]', "two columns are called 'a'"),
]


@pytest.mark.parametrize(("text", "words"), HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_table_is_refused_in_a_sentence(save, text, words):
    with pytest.raises(UnreadableError, match=words) as refused:
        collection(save(text, "bad.json"))
    assert "bad.json" in str(refused.value) and "\n" not in str(refused.value)


def test_names_are_refused_for_a_file_that_has_them(save):
    path = save(WRITTEN["records.json"], "r.json")
    with pytest.raises(UnreadableError, match="JSON names its columns"):
        collection(path, names=NAMES)


def test_rows_that_a_spreadsheet_put_into_one_column(save):
    """As LibreOffice writes semicolons that were opened as commas."""
    path = save('"item;rater;label"\n"d1;ann;yes"\n"d1;bob;no"\n')
    with pytest.raises(UnreadableError, match="its cells seem to hold whole rows"):
        collection(path)


def test_cells_with_lists_are_no_labels_of_raters(save):
    rows = [f"{i},ann;bob,x;{'xy'[i % 2]}" for i in range(3)]
    lists = save("\n".join(["id,who,said", *rows]) + "\n")
    with pytest.raises(
        UnreadableError,
        match=r"no label in common, and a cell of 'said' is 'x;x': if a cell holds"
        r" several judgments, add --label said --split ';', and by --rater",
    ):
        collection(lists)
    r = collection(lists, item="id", label="said", rater="who", split=";").ratings
    assert r.n_ratings == 6 and list(r.raters) == ["ann", "bob"]
    alike = save("id,ann,bob\n1,a;b,a;b\n2,a,a;b\n", "alike.csv")
    assert collection(alike).ratings.n_ratings == 4  # a label may hold the mark


@pytest.mark.parametrize("rows", [9, 10])
def test_two_columns_without_a_label_in_common(save, rows):
    text = "".join(f"{i},a text {i},{'yn'[i % 2]}\n" for i in range(rows))
    path = save("id,said,label_\n" + text)
    with pytest.raises(UnreadableError, match=r"free text|in common"):
        collection(path)
    assert len(collection(path, raters=["said", "label_"]).ratings.items) == rows


# What R 4.2 writes of one data frame, by the calls that its users know.
R_WIDE = """"","item","label.ann","label.ben"
"1","i1","a","b"
"4","i2",NA,"b"
"7","i3","a","a"
"""
R_TABLE = '"rater" "item" "label"\n"1" "ann" "i1" "yes"\n"2" "ben" "i1" "no"\n'
R_CSV2 = '"rater";"item";"label"\n"ann";"i1";3,5\n"ben";"i1";NA\n"cleo";"i1";2,5\n'


def test_files_written_by_r(save):
    with pytest.warns(UserWarning, match="numbers the rows: items are those of 'item'"):
        r = collection(save(R_WIDE), missing=["NA"]).ratings
    assert list(r.raters) == ["label.ann", "label.ben"] and r.n_ratings == 5
    assert list(r.items) == ["i1", "i2", "i3"]
    with pytest.raises(
        UnreadableError, match=r"by spaces; save it with commas, as R's"
    ):
        collection(save(R_TABLE, "table.txt"))
    with pytest.raises(UnreadableError, match="its cells seem to hold whole rows"):
        collection(save(R_TABLE.replace('"', ""), "bare.txt"))
    with pytest.raises(
        UnreadableError, match=r"line 3: 'NA' is not a number.* say so: --missing NA$"
    ):
        collection(save(R_CSV2, "two.csv"), numbers=True)
    r = collection(save(R_CSV2, "two.csv"), numbers=True, missing=["NA"]).ratings
    assert list(r.labels) == [2.5, 3.5] and r.n_ratings == 2
