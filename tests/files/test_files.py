"""Files as people have them: what is read, and what is refused with line and reason."""

import gzip
import io
import json
import shlex
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import labelaudit as la
from labelaudit import commands
from labelaudit.files import tables
from labelaudit.files.ratings import collection
from labelaudit.files.tables import UnreadableError

LONG = "item,rater,label\n1,a,yes\n1,b,yes\n2,a,no\n2,b,yes\n3,a,no\n3,b,no\n"
ROWS = [list("abc"), ["1", "2", "3"], ["4", None, "6"]]
WIDE = "id,ann,bob,cy\n1,x,y,x\n2,y,y,\n3,x,x,x\n"


@pytest.fixture
def save(tmp_path):
    def saved(content, name="ratings.csv", encoding="utf-8"):
        path = tmp_path / name
        data = content.encode(encoding) if isinstance(content, str) else content
        path.write_bytes(data)
        return path

    return saved


def ratings(*arguments, **how):
    return collection(*arguments, **how).ratings


def judgments(r):
    """Every judgment as (item, rater, label)."""
    j = r.judgments
    return {
        (r.items[i], r.raters[a], r.labels[k])
        for i, a, k in zip(j.item, j.rater, j.label, strict=True)
    }


PLAIN = {
    ("1", "a", "yes"), ("1", "b", "yes"), ("2", "a", "no"), ("2", "b", "yes"),
    ("3", "a", "no"), ("3", "b", "no"),
}  # fmt: skip

# The same judgments as LONG, as programs write them.
SPELLINGS = {
    "byte-order mark": ("\ufeff" + LONG, "utf-8"),
    "Excel's Unicode text": (LONG.replace(",", "\t"), "utf-16"),
    "UTF-16, big end first": ("\ufeff" + LONG, "utf-16-be"),
    "semicolons": (LONG.replace(",", ";"), "utf-8"),
    "bars": (LONG.replace(",", "|"), "utf-8"),
    "Windows": (LONG.replace("\n", "\r\n"), "utf-8"),
    "an old Macintosh": (LONG.replace("\n", "\r"), "utf-8"),
    "no line end at the end": (LONG.strip(), "utf-8"),
    "a tab named": ("sep=\t\n" + LONG.replace(",", "\t"), "utf-8"),
    "a separator named": ("sep=;\n" + LONG.replace(",", ";"), "utf-8"),
    "a separator named, in quotes": ('"sep=|"\r\n' + LONG.replace(",", "|"), "utf-8"),
    "trailing separators": (LONG.replace("\n", ",\n"), "utf-8"),
    "trailing separators, not in the header": (
        LONG.replace("\n", ",,\n").replace("label,,", "label"), "utf-8"),
    "a trailing separator in the header": (LONG.replace("label", "label,"), "utf-8"),
    "blank lines": (LONG.replace("2,a", "\n  \n2,a") + "\n\n,,\n", "utf-8"),
    "rows of other blanks": (LONG.replace("2,a", "\t,\u00a0,\t\n2,a"), "utf-8"),
    "blanks around names": (LONG.replace("item,rater", " item , rater "), "utf-8"),
    "blanks around cells": (LONG.replace("yes", " yes  "), "utf-8"),
    "another case in names": (LONG.replace("item,rater", "Item,RATER"), "utf-8"),
    "everything in quotes": (
        "\n".join('"' + line.replace(",", '","') + '"' for line in LONG.split()),
        "utf-8",
    ),
    "blanks before quotes": (LONG.replace(",yes", ', "yes"'), "utf-8"),
    "pandas' nameless row number": (
        ",item,rater,label\n"
        + "".join(f"{k},{row}\n" for k, row in enumerate(LONG.split()[1:])),
        "utf-8",
    ),
    "more columns": (LONG.replace("\n", ",2024-01-31\n", 99).replace(
        "label,2024-01-31", "label,date"), "utf-8"),
    "more judgments that are none": (LONG + "4,a,\n4,b,   \n", "utf-8"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
def test_the_same_ratings_however_they_are_written(save, name):
    r = ratings(save(*_named(SPELLINGS[name])))
    assert judgments(r) == PLAIN


def _named(spelling):
    text, encoding = spelling
    return text, "ratings.csv", encoding


def test_gzip(save):
    path = save(gzip.compress(LONG.encode()), "ratings.csv.gz")
    assert judgments(ratings(path)) == PLAIN
    with pytest.raises(UnreadableError, match="broken gzip file"):
        ratings(save(gzip.compress(LONG.encode())[:-9], "cut.csv.gz"))


def test_quoted_separators_quotes_and_line_ends(save):
    text = (
        'rater,"the item",label\n"a, b","one\r\nline","say ""x"""\nc,"one\r\nline",y\n'
    )
    r = ratings(save(text), item="the item")
    assert judgments(r) == {
        ("one\r\nline", "a, b", 'say "x"'),
        ("one\r\nline", "c", "y"),
    }


def test_names_with_a_separator_in_quotes(save):
    text = '"item, or text";rater;label\n1;a;x\n1;b;y\n'
    r = ratings(save(text), item="item, or text")
    assert len(r.items) == 1


def test_rows_know_their_lines(save):
    text = 'item,rater,label\n\n1,a,"x\ny"\n \n1,,x\n'
    frame = tables.table(save(text))
    assert list(frame.index) == [3, 6]
    assert frame.index.name == "line"
    assert frame.to_numpy().tolist() == [["1", "a", "x\ny"], ["1", None, "x"]]
    named = tables.table(save("sep=;\n\nitem;rater;label\n1;a;x\n"))
    assert list(named.index) == [4]


# Labels -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels", [["1", "1.0", "01"], ["TRUE", "False"], ["2024-01-31"]]
)
def test_labels_stay_as_they_are(save, labels):
    rows = "".join(f"{k},{a},{v}\n" for k, v in enumerate(labels) for a in "ab")
    r = ratings(save("item,rater,label\n" + rows))
    assert list(r.labels) == sorted(labels)


def test_texts_that_may_mean_nothing_are_labels_and_said(save):
    text = "item,a,b\n1,x,NA\n2,x,-\n3,None,x\n4,NA,x\n"
    with pytest.warns(UserWarning, match="may mean that there is none") as said:
        r = ratings(save(text), missing=["?"])
    assert list(r.labels) == ["-", "NA", "None", "x"]
    (note,) = (str(one.message) for one in said)
    assert "'NA' 2 times, '-' once, 'None' once; if so" in note
    assert note.endswith("say --missing '?,NA,-,None'")
    r = ratings(save(text), missing=["NA", "-", "None"])
    assert list(r.labels) == ["x"]
    assert r.n_ratings == 4


@pytest.mark.parametrize(
    "text",
    ["<NA>", "#N/A", "#REF!", "#VALUE!", "#DIV/0!", "NaN", "-nan", "NaT", "(null)"],
)
def test_what_programs_write_for_nothing_is_said(capsys, save, text):
    path = save(f"item,a,b\n1,x,{text}\n2,x,x\n3,y,y\n")
    with pytest.warns(
        UserWarning, match="may mean that there is none: .* once"
    ) as said:
        ratings(path)
    advice = shlex.split(str(said[0].message).partition("if so, say ")[2])
    assert commands.main(["agree", str(path), *advice, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["labels"] == ["x", "y"]


def test_labels_that_are_declared_are_not_doubted(save):
    text = "item,a,b\n1,none,some\n2,none,none\n"
    r = ratings(save(text), labels=["none", "some", "all"])
    assert list(r.labels) == ["none", "some", "all"]
    assert r.declared


def test_numbers_with_points_or_decimal_commas(save):
    plain = "item;a;b\n1;1;2.5\n2;-3;1e1\n"
    r = ratings(save(plain), numbers=True)
    assert list(r.labels) == [-3, 1, 2.5, 10]
    commas = plain.replace("2.5", "2,5").replace("1e1", "10,0")
    again = ratings(save(commas), numbers=True)
    assert list(again.labels) == [-3, 1, 2.5, 10]
    assert list(ratings(save(commas)).labels) == ["-3", "1", "10,0", "2,5"]
    mixed = plain.replace("1e1", "10,0")
    with pytest.raises(
        UnreadableError, match=r"line 3: '10,0' has a decimal comma where"
    ):
        ratings(save(mixed), numbers=True)


@pytest.mark.parametrize("mark", ["", "-"])
@pytest.mark.parametrize("other", ["900", "2.5", "2,5"])
def test_what_may_be_a_thousand_is_refused(save, other, mark):
    text = f"item;a;b\n1;{other};2\n2;{mark}1,500;3\n"
    why = (
        f"line 3: '{mark}1,500' may mean {mark}1500 or {mark}1.5; write {mark}1500, or"
    )
    with pytest.raises(UnreadableError, match=why):
        ratings(save(text), numbers=True)
    text = f"item;a;b\n1;{other};2\n2;{mark}12.345.678;3\n"
    why = f"line 3: '{mark}12.345.678' has its thousands in groups: write {mark}12345"
    with pytest.raises(UnreadableError, match=why):
        ratings(save(text), numbers=True)
    r = ratings(save(text.replace("12.345.678", "1,500")))
    assert f"{mark}1,500" in r.labels  # a text


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1.234", 1.234), ("1.500", 1.5), ("0,125", 0.125), ("1234,500", 1234.5)],
)
def test_three_decimals_that_are_no_thousands(save, cell, value):
    text = f"item;a;b\n1;900;2\n2;{cell};3\n"
    assert list(ratings(save(text), numbers=True).labels) == sorted([900, 2, value, 3])


def test_a_point_that_may_group_thousands_beside_a_decimal_comma_is_refused(save):
    text = "item;a;b\n1;900,5;2\n2;1.234;3\n"
    with pytest.raises(UnreadableError, match=r"line 2: '900,5' has a decimal comma"):
        ratings(save(text), numbers=True)


@pytest.mark.parametrize("bad", ["x", "1,234,5", "nan", "inf", "1_000", "0x10", "1 2"])
def test_what_is_no_number_is_refused_with_its_line(save, bad):
    text = f"item;a;b\n1;1;2\n2;3;{bad}\n"
    with pytest.raises(UnreadableError, match=r"line 3: '.*' is not a number, which"):
        ratings(save(text), numbers=True)


def test_a_missing_spelling_is_none_among_numbers_too(save):
    text = "item,a,b\n1,1,NaN\n2,2,3\n"
    r = ratings(save(text), numbers=True, missing=["NaN"])
    assert list(r.labels) == [1, 2, 3]


def test_a_label_that_was_not_declared_is_refused_with_its_line(save):
    with pytest.raises(UnreadableError, match=r"line 4: 'no' is not among the labels"):
        collection(save(LONG), labels=["yes", "maybe"])
    text = "item,a,b\n1,1,2\n2,1,7\n"
    with pytest.raises(UnreadableError, match=r"line 3: '7' is not among the labels"):
        collection(save(text), labels=["1", "2"], numbers=True)


# Rows ---------------------------------------------------------------------------------


def test_repeated_rows_count_once_and_are_said(save):
    text = LONG + "1,a,yes\n3,b,no\n3,b,no\n"
    with pytest.warns(UserWarning, match=r"counted once: 3, the first in line 8"):
        r = ratings(save(text))
    assert judgments(r) == PLAIN
    assert r.n_ratings == 6
    again = ratings(save(LONG + "1,a,\n"))  # no judgment contradicts none
    assert judgments(again) == PLAIN


def test_a_judgment_that_contradicts_another_is_refused_with_both_lines(save):
    text = LONG + "1,a,yes\n\n2,b,no\n"
    with pytest.raises(UnreadableError) as refused:
        ratings(save(text))
    assert str(refused.value).endswith(
        "line 10: a second judgment by rater 'b' on item '2', 'no'; the first is 'yes'"
        " in line 5; pairs of rater and item with several judgments: 2, with different"
        " labels: 1; settle these by --repeats first, last or drop"
    )


# Shapes -------------------------------------------------------------------------------


def test_a_wide_table(save):
    r = ratings(save(WIDE))
    assert list(r.items) == ["1", "2", "3"]
    assert list(r.raters) == ["ann", "bob", "cy"]
    assert r.n_ratings == 8
    text = "ann,bob,id\nx,y,1\nx,x,2\n"
    assert list(ratings(save(text), item="ID").raters) == ["ann", "bob"]


def test_items_that_no_column_names_are_numbered(save):
    """All columns are raters, which --raters says; a gold file has the numbers."""
    text = "ann,ben,cleo\nx,x,y\nx,y,y\ny,y,y\n"
    gold = save("item,label\n1,x\n3,y\n", "gold.csv")
    raters = ["ann", "ben", "cleo"]
    with pytest.warns(UserWarning, match="'ann', is a rater's: items are the rows"):
        found = collection(save(text), raters=raters, gold=str(gold))
    rows = [line.split(",") for line in text.split()[1:]]
    expected = la.Ratings.from_matrix(rows)
    assert list(found.ratings.items) == ["1", "2", "3"]
    assert list(found.ratings.raters) == raters
    value = la.krippendorff_alpha(expected).value
    assert la.krippendorff_alpha(found.ratings).value == value
    assert found.gold.to_dict() == {"1": "x", "3": "y"}
    with pytest.warns(UserWarning, match="'ann', has values more than once: items"):
        assert list(ratings(save(text)).raters) == raters


def test_the_raters_of_a_wide_table_by_name(save):
    text = "split,id,ann,bob,cy,note\ntest,1,x,y,x,x\ntest,2,y,y,,y\ntrain,3,x,x,x,x\n"
    r = ratings(save(text), item="id", raters=["Ann", "bob", "cy"])
    assert judgments(r) == judgments(ratings(save(WIDE, "wide.csv")))
    with pytest.warns(UserWarning, match="'split' shares no label with any other"):
        ratings(save(text.replace("note", "dan")), item="id")


def test_pandas_row_number_before_the_items(save):
    frame = pd.read_csv(io.StringIO(WIDE), dtype=str)
    numbered = save(frame.to_csv())
    with pytest.warns(UserWarning, match="numbers the rows: items are those of 'id'"):
        r = ratings(numbered)
    assert judgments(r) == judgments(ratings(save(WIDE, "wide.csv")))
    named = save(frame.set_index("id").rename_axis(None).to_csv(), "index.csv")
    assert judgments(ratings(named)) == judgments(r)


def test_rows_that_stand_for_many_items(save):
    caries = la.Ratings.from_matrix(np.repeat([[1, 1], [1, 2], [2, 2]], [5, 2, 3], 0))
    text = "a,b,how many\n1,1,5\n1,2,2\n2,2,3\n2,1,0\n"
    r = ratings(save(text), times="how many")
    assert (r.n_items, len(r.items)) == (10, 4)
    assert la.cohen_kappa(r).value == la.cohen_kappa(caries).value
    for bad in ("1.5", "-1", "many", "", "1.000", "inf"):
        with pytest.raises(UnreadableError, match=r"line 4: how many must be a whole"):
            collection(save(text.replace("2,2,3", f"2,2,{bad}")), times="how many")


def test_counts_may_be_as_large_as_a_double_can_count(save):
    text = "a,b,n\n1,1,5\n1,2,50000001\n2,2,4000000000\n"
    assert ratings(save(text), times="n").n_items == 4_050_000_006
    text = "a,b,n\n1,1,5000000000000000\n1,2,5000000000000000\n"
    with pytest.raises(UnreadableError, match=r"csv: the counts that --times names,"):
        collection(save(text), times="n")
    text = "a,b,n\n1,1,5\n1,2,1e300\n"
    with pytest.raises(UnreadableError, match=r"line 3: n 1e300 is more than 9,007"):
        collection(save(text), times="n")


# Suggestions --------------------------------------------------------------------------


def test_a_suggestion_for_each_item(save):
    told = {"1": "yes", "2": "no", "3": None}
    lines = LONG.split()
    rows = [f"{row},{told[row[0]] or ''}" for row in lines[1:]]
    found = collection(save("\n".join([lines[0] + ",model", *rows])), suggested="model")
    assert found.suggested.to_dict() == {"1": "yes", "2": "no"}
    wide = collection(save(WIDE.replace("cy", "model")), suggested="model")
    assert list(wide.ratings.raters) == ["ann", "bob"]
    assert wide.suggested.dropna().to_dict() == {"1": "x", "3": "x"}


def test_two_suggestions_for_an_item_are_refused(save):
    lines = LONG.split()
    rows = [f"{row},m{k}" for k, row in enumerate(lines[1:])]
    with pytest.raises(UnreadableError) as refused:
        collection(save("\n".join([lines[0] + ",told", *rows])), suggested="told")
    assert "line 3: a second suggestion for item '1', 'm1' after 'm0'" in str(
        refused.value
    )


# Refused ------------------------------------------------------------------------------

REFUSED = {
    "empty": ("", "is empty"),
    "blank": (" \n\n", "is empty"),
    "header only": ("item,rater,label\n", "has no row below its header"),
    "no label": ("item,rater,label\n1,a,\n2,b, \n", "has no label: every cell"),
    "a cell too many": (LONG + "5,a,x,y\n", "line 8: 4 cells where the header has 3"),
    "a cell too few": (LONG + "5,a\n", "line 8: 2 cells where the header has 3; an em"),
    "a header too short": (
        "item,rater\n1,a,x\n2,b,y\n",
        "line 2: 3 cells where the header has 2, as in every line: does the first",
    ),
    "a quote that never ends": (
        LONG.replace('2,b,yes', '2,b,"yes'), "line 5: a quoted cell begins and never"),
    "text after a quote": (
        LONG.replace("2,b,yes", '2,b,"yes"!'), "line 5: text after a quoted cell"),
    "a cell without end": (LONG + '4,a,"' + "x" * 200_000, "line 8: a cell of more"),
    "two columns of a name": ("item,a, a\n1,x,y\n", "two columns are called 'a'"),
    "two columns without": ("item,,\n1,x,y\n", "two columns have no name"),
    "an item missing": (LONG.replace("2,b", " ,b"), "line 5: item is missing"),
    "a rater missing": (LONG.replace("2,b", "2,"), "line 5: rater is missing"),
    "a nameless item": (",a,b\n1,x,y\n,x,x\n", "line 3: the item is missing"),
    "an item twice": (
        "item,who,verdict\n1,a,x\n1,b,y\n",
        "line 3: item '1' is there twice, so this is no table with one row per item; if"
        " each row is a judgment, it needs the columns item, rater, label, or their"
        " names by --item, --rater, --label; if the column names no items, name all"
        " raters' columns by --raters",
    ),
    "no rater's column": (
        LONG.replace("rater", "annotator"),
        "has no column 'rater': if each row is a judgment, name it by --rater; if each"
        " row is an item, name the raters' columns by --raters; its columns: item,"
        " annotator",
    ),
    "one rater": ("item,a\n1,x\n", "item, rater, label (one row per judgment) nor"),
    "lines of text": ("This is\nno table\n", "neither item, rater, label"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_line_and_reason(save, name):
    text, message = REFUSED[name]
    with pytest.raises(UnreadableError) as refused:
        ratings(save(text))
    assert message in str(refused.value)
    assert "ratings.csv" in str(refused.value)


def workbook():
    import zipfile

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return file.getvalue()


BINARY = {
    "an Excel workbook": (workbook(), "is an Excel workbook or another zip archive;"),
    "an old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old Excel workbook; save"),
    "zeros": (b"item,rater\0,label\n", "is no text, or UTF-16 without a byte"),
    "a zero late": (LONG.encode() * 999 + b"\0\n", "line 6994: a zero byte; it is no"),
    "a bomb": (gzip.compress(bytes(2**28)), "of gzip, more than a file of labels does"),
    "a key twice": (
        b'[{"item": 1, "a": {"b": 1, "b": 2}}]', "the key 'b' stands twice in one obj"),
    "a key twice in a line": (
        b'{"item": 1}\n{"item": 2, "item": 3}\n', "line 2: the key 'item' stands twi"),
    "deep in a cell": (
        b'{"a": 1}\n{"a": ' + b"[" * 9999 + b"]" * 9999 + b"}", "nested too deeply"),
    "a number of 5,000 digits": (
        b'[{"a": 1' + b"0" * 5000 + b"}]", "Exceeds the limit"),
    "UTF-16 without a mark": (LONG.encode("utf-16-le"), "is no text, or UTF-16"),
    "Latin 1": (
        LONG.replace("3,b,no", "3,b,né").encode("latin-1"),
        "line 7: not UTF-8 (byte 0xe9); save it as CSV (UTF-8)",
    ),
    "half a UTF-16 file": (LONG.encode("utf-16")[:-1], "not UTF-16"),
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_what_is_no_text_is_refused_with_advice(save, name):
    content, message = BINARY[name]
    with pytest.raises(UnreadableError) as refused:
        ratings(save(content))
    assert message in str(refused.value)


def test_no_file(tmp_path):
    with pytest.raises(UnreadableError, match=r"cannot read .*: No such file"):
        ratings(tmp_path / "none.csv")
    with pytest.raises(UnreadableError, match=r"cannot read .*: Is a directory"):
        ratings(tmp_path)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"item": "Nr"}, "has no column 'Nr'; its columns: item, rater, label"),
        ({"suggested": "model"}, "has no column 'model'"),
        ({"raters": ["ann"]}, "has no column 'ann'"),
        ({"item": "item", "label": "tag"}, "has no column 'tag'; its columns: item"),
    ],
)
def test_columns_that_are_not_there(save, how, message):
    with pytest.raises(UnreadableError) as refused:
        collection(save(LONG), **how)
    assert message in str(refused.value)


def test_case_tells_columns_apart(save):
    text = "item,Rater,RATER,label\n1,a,b,x\n"
    with pytest.raises(UnreadableError, match="has no column 'rater'"):
        ratings(save(text))
    assert list(ratings(save(text), rater="RATER").raters) == ["b"]


OPTIONS = {
    "counts of nothing": (
        "a,b,n\nx,y,0\ny,y,0\n", {"times": "n"},
        "column 'n', which --times names, is 0 in every row that has a label"),
    "counts where no label is": (
        "a,b,n\nx,y,0\n,,3\n", {"times": "n"}, "--times names, is 0 in every row"),
    "a rater twice": (
        WIDE, {"raters": ["ann", "ANN"]}, "--raters names twice the column 'ann'"),
    "the items as a rater": (
        WIDE, {"item": "bob", "raters": ["bob", "ann"]},
        "--raters and --item are both the column 'bob'"),
    "the first column twice": (
        WIDE, {"raters": ["id", "id"]}, "--raters names twice the column 'id'"),
    "the suggestions as a rater": (
        WIDE, {"raters": ["bob", "ann"], "suggested": "bob"},
        "--raters and --suggested are both the column 'bob'"),
    "items that are raters": (
        LONG, {"rater": "item"}, "--item and --rater are both the column 'item'"),
    "no suggestion, wide": (
        "id,a,b,m\n1,x,y,\n", {"suggested": "m"},
        "column 'm', which --suggested names, has no label: every cell is empty"),
    "no suggestion, long": (
        "item,rater,label,m\n1,a,x,\n", {"suggested": "m"},
        "column 'm', which --suggested names, has no label: every cell is empty"),
    "a label that is no number": (
        WIDE, {"labels": ["1", "a"], "numbers": True},
        "--labels names 'a', which is not a number"),
    "a label twice": (WIDE, {"labels": ["x", "y", "x"]}, "--labels names 'x' twice"),
    "a number twice": (
        WIDE, {"labels": ["1", "1.0"], "numbers": True}, "--labels names '1.0' twice"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIONS)
def test_options_that_do_not_fit_are_refused_by_name(save, name):
    text, how, message = OPTIONS[name]
    with pytest.raises(UnreadableError) as refused:
        collection(save(text), **how)
    assert message in str(refused.value)
    assert "ratings.csv: " in str(refused.value)


def test_separators_in_quotes_do_not_count(save):
    text = 'item;"rater one, Ann";"rater ""two"", Bob"\n1;x;y\n2;y;y\n'
    r = ratings(save(text))
    assert list(r.raters) == ["rater one, Ann", 'rater "two", Bob']
    text = '"a|b|c|d\n|||";"e,f,g"\n1;2\n'
    assert list(tables.table(save(text))) == ["a|b|c|d\n|||", "e,f,g"]


def test_a_ragged_line_is_refused_with_the_separator_that_was_taken(save):
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        text = (LONG + "5,a\n").replace(",", separator)
        with pytest.raises(UnreadableError, match=rf"separated by {name} here\)"):
            ratings(save(text))


# Parquet ------------------------------------------------------------------------------


def test_parquet_gives_what_csv_gives(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {
            "item": [1, 1, 2, 2],
            "rater": pd.Categorical(list("abab")),
            "label": [1.0, 2.0, np.nan, 2.0],  # whole numbers beside a gap
            "flag": [True, False, None, True],
            "day": pd.to_datetime(["2024-01-31", None, "2024-02-01", "2024-02-01"]),
            "hour": pd.to_datetime(
                ["2024-01-31 10:00", None] + ["2024-02-01 00:00"] * 2
            ),
            "score": [0.5, 1.0, 2.0, None],
            "count": pd.array([1, None, 3, 4], dtype="Int64"),
            "raw": [b"x", b" y ", None, b""],
        }
    )
    frame.to_parquet(tmp_path / "a.parquet")
    found = tables.table(tmp_path / "a.parquet")
    assert found.index.name == "row" and list(found.index) == [1, 2, 3, 4]
    assert found["label"].tolist() == ["1", "2", None, "2"]
    assert found["flag"].tolist() == ["True", "False", None, "True"]
    assert found["day"].tolist() == ["2024-01-31", None, "2024-02-01", "2024-02-01"]
    assert found["hour"].tolist()[0] == "2024-01-31 10:00:00"
    assert found["score"].tolist() == ["0.5", "1", "2", None]
    assert found["count"].tolist() == ["1", None, "3", "4"]
    assert found["raw"].tolist() == ["x", "y", None, None]
    frame.to_csv(tmp_path / "a.csv", index=False)
    r = ratings(tmp_path / "a.parquet")
    frame["label"] = frame["label"].astype("Int64")
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert judgments(r) == judgments(ratings(tmp_path / "a.csv"))


def test_equal_numbers_of_a_parquet_file_are_one_label(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(
        {
            "item": [1, 2, 3],
            "whole": [1, 2, 0],
            "gap": pd.Categorical([1, None, 0]),
            "float": [1.0, 2.5, -0.0],
            "decimal": [Decimal("1.00"), Decimal("2.50"), None],
        }
    )
    frame.to_parquet(tmp_path / "a.parquet")
    r = ratings(tmp_path / "a.parquet")
    assert list(r.labels) == ["0", "1", "2", "2.5"]


BIG = 2**53


@pytest.mark.parametrize(
    ("values", "kind", "cells"),
    [
        ([BIG, BIG + 1, None], "int64", [str(BIG), str(BIG + 1), None]),
        ([2**64 - 1, None], "uint64", [str(2**64 - 1), None]),
        ([1, None], "int8", ["1", None]),
        ([True, None], "bool_", ["True", None]),
        ([1.0, None, 2.5], "float64", ["1", None, "2.5"]),
        ([[BIG + 1, None], None], "list", [f"[{BIG + 1}, null]", None]),
        ([{"a": BIG + 1}, None], "struct", [f'{{"a": {BIG + 1}}}', None]),
        ([BIG + 1, None, BIG], "dictionary", [str(BIG + 1), None, str(BIG)]),
        ([0, None], "date32", ["1970-01-01", None]),
    ],
)  # fmt: skip
def test_whole_numbers_of_parquet_stay_whole_beside_an_empty_cell(
    values, kind, cells, tmp_path
):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    nested = kind in ("list", "struct", "dictionary")
    column = pyarrow.array(values, None if nested else getattr(pyarrow, kind)())
    if kind == "dictionary":
        column = column.dictionary_encode()
    parquet.write_table(pyarrow.table({"a": column}), tmp_path / "a.parquet")
    assert tables.table(tmp_path / "a.parquet")["a"].tolist() == cells


def test_long_numbers_are_different_labels(tmp_path):
    """Observed agreement 8 / 11 by hand; as floats two of the labels are one."""
    ann = [BIG + k for k in (0, 0, 1, 1, 2, 2, 0, 1, 2, 0, 0)]
    ben = [BIG + k for k in (0, 0, 1, 1, 2, 2, 0, 1, 0, 1, 2)]
    frame = pd.DataFrame({"item": range(12), "ann": [*ann, BIG]})
    frame["ben"] = pd.array([*ben, None], dtype="Int64")
    frame.to_parquet(tmp_path / "a.parquet", index=False)
    r = ratings(tmp_path / "a.parquet")
    assert [*r.labels] == [str(BIG), str(BIG + 1), str(BIG + 2)]
    assert la.cohen_kappa(r).observed == pytest.approx(8 / 11, abs=1e-15)


def test_parquet_by_content_and_by_index(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.read_csv(io.StringIO(WIDE), dtype=str).set_index("id")
    frame.to_parquet(tmp_path / "no_suffix")
    r = ratings(tmp_path / "no_suffix")
    assert list(r.items) == ["1", "2", "3"]
    (tmp_path / "no.parquet").write_text("no", encoding="utf-8")
    with pytest.raises(UnreadableError, match="is not a Parquet file"):
        ratings(tmp_path / "no.parquet")


def test_a_parquet_row_is_named_by_its_number(tmp_path):
    pytest.importorskip("pyarrow")
    table = {"item": [1, 1, None], "rater": list("aba"), "label": list("xyz")}
    pd.DataFrame(table).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(UnreadableError, match=r"a\.parquet, row 3: item is missing"):
        ratings(tmp_path / "a.parquet")


# Many ---------------------------------------------------------------------------------


def test_reading_leaves_the_collector_of_garbage_as_it_was(save):
    import gc

    assert gc.isenabled()
    ratings(save(LONG))
    with pytest.raises(UnreadableError):
        ratings(save(LONG + '4,a,"'))
    assert gc.isenabled()
    gc.disable()
    try:
        ratings(save(LONG))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_time_and_memory_are_linear(save):
    """Many columns, and a table with nearly as many columns as judgments."""
    names = [f"r{k}" for k in range(20_000)]
    rows = [[f"{i}", *("xy"[k * i % 2] for k in range(20_000))] for i in range(3)]
    path = save("".join(",".join(row) + "\n" for row in [["item", *names], *rows]))
    assert ratings(path).n_ratings == 60_000
    told = {f"i{k}": {f"w{k}": "x", f"w{k + 1}": "y"} for k in range(9000)}
    r = ratings(save(json.dumps(told), "sparse.json"))
    assert (r.n_items, len(r.raters), r.n_ratings) == (9000, 9001, 18_000)


def test_nothing_is_said_of_a_plain_file(save):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ratings(save(LONG))
        ratings(save(WIDE))
