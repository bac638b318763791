"""Paths into objects: exports are read by naming what is inside."""

import json
import re
import shlex

import pytest

from labelaudit.commands import main
from labelaudit.files.ratings import collection
from labelaudit.files.text import UnreadableError

SAID = {"t1": "xxy", "t2": "yyy", "t3": "xyx", "t4": "yxy"}
NAMES = ["ann", "ben", "cem"]
TOLD = {
    (item, who, c) for item, labels in SAID.items() for who, c in zip(NAMES, labels)
}


def studio(item, who, label):
    choice = {"from_name": "topic", "value": {"choices": [label]}}
    return {"completed_by": who, "lead_time": f"{item}{who}", "result": [choice]}


def two_questions(item, who, label):
    told = studio(item, who, label)
    tone = {"from_name": "tone", "value": {"choices": ["u"]}}
    return told | {"result": [*told["result"], tone]}


def of(make):
    return {
        item: [make(item, w, c) for w, c in zip(NAMES, s)] for item, s in SAID.items()
    }


FLAT = of(lambda _, who, label: {"class": label, "worker": who})
DEEP = of(studio)
EXPORTS = {
    "lists of objects": [
        {"doc_id": item, "text": f"a {item}", "marks": marks}
        for item, marks in FLAT.items()
    ],
    "lists in lists": [
        {"id": item, "data": {"text": item + "!"}, "annotations": marks}
        for item, marks in DEEP.items()
    ],
    "two questions at once": [
        {"id": item, "annotations": marks} for item, marks in of(two_questions).items()
    ],
    "records by key": {item: {"tokens": ["a"], "by": m} for item, m in FLAT.items()},
    "an object of lists": [
        {"uid": item, "responses": {"topic": marks}} for item, marks in FLAT.items()
    ],
    "the item inside": [
        {"meta": {"id": item}, "marks": marks} for item, marks in FLAT.items()
    ],
    "a list in a row for each judgment": [
        {"text": f"a {item}", "accept": [label], "_annotator_id": who}
        for item, labels in SAID.items()
        for who, label in zip(NAMES, labels)
    ],
    "an object in a row for each judgment": [
        {"id": item, "label_annotations": {"q": {"scale": label}}, "user_id": who}
        for item, labels in SAID.items()
        for who, label in zip(NAMES, labels)
    ],
    "raters and labels in step, beside an object": {
        item: {
            "annotators": ",".join(NAMES),
            "annotations": ",".join(labels),
            "soft": {"x": labels.count("x"), "y": labels.count("y")},
        }
        for item, labels in SAID.items()
    },
    "raters as keys": [
        {"item": item, "said": dict(zip(NAMES, labels))}
        for item, labels in SAID.items()
    ],
}


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("form", [json.dumps, lambda x: "\n".join(map(json.dumps, x))])
def test_what_is_offered_reads_the_judgments(tmp_path, capsys, name, form):
    content = EXPORTS[name]
    path = tmp_path / "export.json"
    text = form(content) if isinstance(content, list) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    assert main(["agree", str(path)]) == 2
    message = capsys.readouterr().err
    assert "export.json" in message and "paths inside: " in message
    (way,) = re.findall(r"say (--.*)$", message.strip())
    assert main(["agree", str(path), *shlex.split(way), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["n_items"], found["n_ratings"]) == (4, 12)
    assert found["labels"] == ["x", "y"]


def read(tmp_path, content, **how):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    r = collection(path, **how).ratings
    j = r.judgments
    return {
        (r.items[i], r.raters[a], r.labels[c])
        for i, a, c in zip(j.item, j.rater, j.label)
    }


def test_paths_through_one_list_are_in_step(tmp_path):
    deep, label = EXPORTS["lists in lists"], "annotations.result.value.choices.0"
    how = {"item": "id", "rater": "annotations.completed_by"}
    for path in (label, label.replace("result.", "result.0.")):
        assert read(tmp_path, deep, label=path, **how) == TOLD
    none = [{"id": "t9", "annotations": []}, {"id": "t8", "annotations": None}]
    assert read(tmp_path, deep + none, label=label, **how) == TOLD
    flat = EXPORTS["lists of objects"]
    how = {"item": "doc_id", "rater": "marks.worker", "label": "marks.class"}
    some = read(tmp_path, flat, where=["doc_id!=t1", "marks.worker!=ann"], **how)
    assert some == {one for one in TOLD if one[0] != "t1" and one[1] != "ann"}


REFUSED = {
    "nothing at a path": ({"label": "marks.tag"}, "nothing is found at 'marks.tag'"),
    "objects at its end": (
        {"label": "marks"},
        "cells of 'marks' hold lists or objects",
    ),
    "a text on the way": ({"label": "text.class"}, r"record 1: 'a t1' is no object"),
    "two lists": ({"label": "more.class"}, "record 1: .* different lists, of 3 and 2"),
    "objects, taken apart": ({"label": "marks", "split": ","}, "--rater marks.worker"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_what_is_inside(tmp_path, name):
    more, words = REFUSED[name]
    content = [one | {"more": one["marks"][:2]} for one in EXPORTS["lists of objects"]]
    how = {"item": "doc_id", "rater": "marks.worker"} | more
    with pytest.raises(UnreadableError, match=words):
        read(tmp_path, content, **how)


def test_a_column_whose_name_has_points_is_no_path(tmp_path):
    rows = [{"item": i, "rater": w, "a.b": c, "a": {"b": "z"}} for i, w, c in TOLD]
    assert read(tmp_path, rows, label="a.b") == TOLD


def test_keys_may_hold_points(tmp_path):
    rows = [{"id": i, "by.whom": [{"user.name": w, "a.b": {"c.d": c}}]}
            for i, w, c in TOLD]  # fmt: skip
    how = {"rater": "by.whom.user.name", "label": "by.whom.a.b.c.d"}
    assert read(tmp_path, rows, item="id", **how) == TOLD


def test_entries_that_are_passed_over_are_said(tmp_path):
    rows = [{"item": "t1", "rater": w, "label": ["x", "y"]} for w in NAMES]
    with pytest.warns(UserWarning, match="entries of lists that are passed over.*: 3"):
        read(tmp_path, rows, label="label.0")
    with pytest.raises(UnreadableError, match=r"add --sets , .*'label.0'$"):
        read(tmp_path, rows)
    assert len(read(tmp_path, rows, sets=",")) == 3
