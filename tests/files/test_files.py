"""Files as people have them: read alike however they are written, or refused."""

import gzip
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest

from filed import LONG, PLAIN, WIDE, both, said, table
from known import cases, rows
from labelaudit.files import tables
from labelaudit.files.ratings import collection
from labelaudit.files.text import UnreadableError
from refusals import NAMES

FRAME = pd.read_csv(io.StringIO(LONG), dtype=str)
COLUMNS = [*FRAME]
BY_ITEM = {item: part[["rater", "label"]] for item, part in FRAME.groupby("item")}
GROUPED = FRAME.groupby("item", as_index=False).agg(list)


def grouped(form):
    """A row for each item, its raters and labels in one cell each."""
    rows = [(k, form(a), form(b)) for k, a, b in GROUPED.itertuples(index=False)]
    return table("item,rater,label", rows), {"split": ","}


def objects(form):
    """A row for each item, its raters as keys of an object."""
    rows = [(k, form(dict(p.itertuples(index=False)))) for k, p in BY_ITEM.items()]
    return table("item,label", rows), {"split": ","}


def parquet(frame):
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


# The same judgments as LONG, as programs write them, and how they are read.
SPELLINGS = {
    "plain": LONG,
    "byte-order mark": "\ufeff" + LONG,
    "Excel's Unicode text": LONG.replace(",", "\t").encode("utf-16"),
    "UTF-16, big end first": ("\ufeff" + LONG).encode("utf-16-be"),
    "semicolons": LONG.replace(",", ";"),
    "Windows": LONG.replace("\n", "\r\n"),
    "an old Macintosh": LONG.replace("\n", "\r"),
    "a tab named": "sep=\t\n" + LONG.replace(",", "\t"),
    "a separator named": "sep=;\n" + LONG.replace(",", ";"),
    "a separator named, in quotes": '"sep=|"\r\n' + LONG.replace(",", "|"),
    "trailing separators": LONG.replace("\n", ",\n"),
    "trailing separators, not in the header":
        LONG.replace("\n", ",,\n").replace("label,,", "label"),
    "a trailing separator in the header": LONG.replace("label", "label,"),
    "blank lines": LONG.replace("2,a", "\n  \n2,a") + "\n\n,,\n",
    "blanks around names": LONG.replace("item,rater", " item , rater "),
    "blanks around cells": LONG.replace("yes", " yes  "),
    "another case in names": LONG.replace("item,rater", "Item,RATER"),
    "everything in quotes":
        "\n".join('"' + line.replace(",", '","') + '"' for line in LONG.split()),
    "pandas' nameless row number": FRAME.to_csv(),
    "more columns": FRAME.assign(date="2024-01-31").to_csv(index=False),
    "more judgments that are none": LONG + "4,a,\n4,b,   \n",
    "gzip": gzip.compress(LONG.encode()),
    "records": FRAME.to_json(orient="records"),
    "lines": FRAME.to_json(orient="records", lines=True),
    "columns, as pandas writes them": FRAME.to_json(),
    "records by item": json.dumps(
        {k: dict(p.itertuples(index=False)) for k, p in BY_ITEM.items()}),
    "lists by item": json.dumps({k: p.to_dict("records") for k, p in BY_ITEM.items()}),
    "one list in an object": json.dumps({"all": FRAME.to_dict("records")}),
    "a list beside what is said of all": json.dumps(
        {"of": {"id": 1}, "all": FRAME.to_dict("records")}),
    "Parquet": parquet(FRAME),
    "no header": (LONG.partition("\n")[2], {"names": COLUMNS}),
    "names in brackets, which are no JSON": (
        LONG.replace("item,rater", "[item],{rater}"),
        {"item": "[item]", "rater": "{rater}"}),
    "a separator in a name": (
        LONG.replace(",", ";").replace("item", '"item, or text"'),
        {"item": "item, or text"}),
    "texts in cells": grouped(", ".join),
    "lists": grouped(json.dumps),
    "lists of Python": grouped(repr),
    "lists of numpy": grouped(lambda texts: str(np.array(texts))),
    "lists of Parquet": (parquet(GROUPED), {"split": ","}),
    "objects": objects(json.dumps),
    "objects of Python": objects(repr),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
def test_the_same_ratings_however_they_are_written(read, name):
    content, how = both(SPELLINGS[name])
    assert said(read(content, **how)) == PLAIN


@pytest.mark.filterwarnings("error")
def test_nothing_is_said_of_a_plain_file(read):
    read(LONG)
    read(WIDE)


@pytest.mark.parametrize(
    ("outer", "inner", "lost", "noted"),
    [(3, 26, True, True), (5, 12, False, True), (12, 5, True, False),
     (2, 3, False, False), (10, 40, True, True)],
)  # fmt: skip
def test_keys_outside_that_may_be_raters(read, recwarn, outer, inner, lost, noted):
    """Where more are inside; some are not there."""
    told = {f"k{a}": {f"q{b}": "xyz"[(b + (a * b) % 3) % 3] for b in range(inner)
                      if not (lost and (a + b) % 9 == 0)}
            for a in range(outer)}  # fmt: skip
    r = read(json.dumps(told)).ratings
    assert (len(r.items), len(r.raters)) == (outer, inner)
    said = [str(one.message) for one in recwarn]
    assert any("if the outer ones are raters" in one for one in said) == noted


@pytest.mark.filterwarnings("error")
def test_keys_outside_are_items_where_few_of_many_raters_judged_each(read):
    told = {f"k{a}": {f"w{b}": "xy"[(a // 4 + b) % 2] for b in range(a, a + 5)}
            for a in range(0, 40, 4)}  # fmt: skip
    assert len(read(json.dumps(told)).ratings.items) == 10


@cases("files/cells")
def test_cells_and_their_lines(save, case):
    frame = tables.table(save(case["text"]))
    assert [*frame.index] == case["lines"]
    wanted = [[cell or None for cell in row] for row in case["cells"]]
    assert frame.to_numpy().tolist() == wanted


def test_a_named_index_of_pandas_is_the_first_column_of_parquet(save):
    index = pd.Index([7, 8], name="item")
    found = tables.table(save(parquet(pd.DataFrame({"a": ["x", "y"]}, index)), "file"))
    assert found.index.name == "row" and [*found.index] == [1, 2]
    assert found.to_dict("list") == {"item": ["7", "8"], "a": ["x", "y"]}


@pytest.mark.parametrize(("values", "kind", "cells"), rows("files/parquet"))
def test_cells_of_parquet_are_as_they_are_beside_an_empty_one(
    values, kind, cells, tmp_path
):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    nested = kind in ("list", "struct", "dictionary", "decimal")
    told = None if nested else getattr(pyarrow, kind)()
    column = pyarrow.array(eval(values, NAMES), told)
    if kind == "dictionary":
        column = column.dictionary_encode()
    parquet.write_table(pyarrow.table({"a": column}), tmp_path / "a.parquet")
    assert tables.table(tmp_path / "a.parquet")["a"].tolist() == eval(cells)


def test_a_table_with_as_many_columns_as_judgments_is_refused(read):
    told = {f"i{k}": {f"w{k}": "x", f"w{k + 1}": "y"} for k in range(9000)}
    with pytest.raises(UnreadableError, match="9,002 keys in 9,000 records, nearly"):
        read(json.dumps(told))


# Refused ------------------------------------------------------------------------------


def workbook():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return file.getvalue()


REFUSED = {  # words of the sentence, and a file; more in tests/data/files/refused.toml
    "line 8: a cell of more": LONG + '4,a,"' + "x" * 200_000,
    "is an Excel workbook or another zip archive;": workbook(),
    "line 6994: a zero byte; it is no": LONG.encode() * 999 + b"\0\n",
    "of gzip, more than a file of labels does": gzip.compress(bytes(2**20)) * 2**8,
    "is a broken gzip file": gzip.compress(LONG.encode())[:-9],
    "is compressed twice;": gzip.compress(gzip.compress(LONG.encode())),
    "is XML;": b'<?xml version="1.0"?><a><b>1</b></a>',
    "is a page of HTML;": b"<!DOCTYPE html>\n<html></html>",
    "is no text, or UTF-16": LONG.encode("utf-16-le"),
    "not UTF-16": LONG.encode("utf-16")[:-1],
    "line 7: not UTF-8 (byte 0xe9); save it as CSV (UTF-8)":
        LONG.replace("3,b,no", "3,b,né").encode("latin-1"),
    "row 2: item is missing": parquet(FRAME.assign(item=["1", None, *"2345"])),
    "too deeply": '{"a": 1}\n{"a": ' + "[" * 9999 + "]" * 9999 + "}",
    "JSON": "[" * 100_000,
    "thousands of digits": '[{"a": 1' + "0" * 5000 + "}]",
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_no_table_is_refused_in_a_sentence(refusal, words):
    told = refusal(REFUSED[words])
    assert words in told and "ratings.csv" in told and "\n" not in told


def test_no_file(tmp_path):
    for name, words in (("none.csv", "No such file"), ("", "Is a directory")):
        with pytest.raises(UnreadableError, match=f"cannot read .*: {words}"):
            collection(tmp_path / name)


def test_several_files_are_one_table(save):
    one = save(FRAME.iloc[:1].to_csv(index=False), "one.csv")
    rest = save(FRAME.iloc[1:][COLUMNS[::-1]].to_csv(index=False), "rest.csv")
    assert said(collection([one, rest])) == PLAIN
    lost = save("label,rater,item\nno,ann,d9\n,bob,\n", "third.csv")
    odd = save("item,rater,tag\n1,2,3\n", "odd.csv")
    for paths, words in (
        ([one, lost], r"third.csv, line 3: item is missing"),
        ([one, odd], r"odd.csv has the columns item, rater, tag; .*one.csv has"),
        (["-", "-"], "can be read once"),
    ):
        with pytest.raises(UnreadableError, match=words):
            collection(paths)
