"""Paths into objects: exports are read by naming what is inside."""

import json
import warnings

import pytest

from filed import offered, said
from known import DATA, cases
from labelaudit.files.text import UnreadableError

SAID = {"t1": "xxy", "t2": "yyy", "t3": "xyx", "t4": "yxy"}
NAMES = ["ann", "ben", "cem"]
TOLD = {
    (item, who, c) for item, labels in SAID.items() for who, c in zip(NAMES, labels)
}


EXPORTS = json.loads((DATA / "files" / "exports.json").read_text(encoding="utf-8"))


def lines(rows):
    return "\n".join(map(json.dumps, rows))


@pytest.mark.parametrize("name", EXPORTS)
@pytest.mark.parametrize("form", [json.dumps, lines])
def test_what_is_offered_reads_the_judgments(agree, name, form):
    content = EXPORTS[name]
    text = form(content) if isinstance(content, list) else json.dumps(content)
    status, message = agree(text, name="export.json")
    assert status == 2 and "export.json" in message and "paths inside: " in message
    ways = offered(message.strip())
    assert len(ways) == (2 if "two questions" in name else 1)
    answers = [agree(text, *way) for way in ways]
    assert all([a["n_items"], a["n_ratings"]] == [4, 12] for _, a in answers)
    assert answers[0][0] == 0 and answers[0][1]["labels"] == ["x", "y"]


ROWS = [{"id": i, "who": {"no": len(w + i), "mail": w}, "tag": c, "at": {i: None}}
        for i, w, c in sorted(TOLD)]  # fmt: skip


@cases("files/offers_kept")
def test_an_offer_keeps_what_is_fine(agree, case):
    given, kept = case["typed"].split(), case["offered"].split()
    status, message = agree(lines(ROWS), *given)
    assert status == 2 and offered(message.strip()) == [kept]
    found = agree(lines(ROWS), *kept)[1]
    assert found["n_ratings"] == (9 if "--where" in kept else 12)


@pytest.mark.parametrize("users", ["ab", "11"])
def test_exports_of_one_person_each_say_who_judged(agree, save, users):
    """As Label Studio's, inside or by the files; their items' texts are no labels."""
    ann, ben = (
        lines(
            {"id": k, "data": {"text": f"t {k}"}, "marks": [{"user": who, "tag": tag}]}
            for k, tag in enumerate(tags)
        )
        for who, tags in zip(users, ("xyxxy", "xyyxx"))
    )
    more = save(ben, "ben.jsonl")
    status, message = agree(ann, more, name="ann.jsonl")
    way, *_ = offered(message.strip())
    own = ["--rater-file"] if users == "11" else ["--rater", "marks.user"]
    told = ["--item", "id", "--label", "marks.tag", *own]
    assert status == 2 and sorted(way) == sorted(told)
    assert agree(ann, more, *way, name="ann.jsonl")[1]["n_ratings"] == 10
    assert agree(ben, more, name=more.name)[0] == 2  # the same file twice


def test_an_offer_keeps_that_files_are_raters(agree, save):
    rows = [[{"id": k, "tag": ["xy"[k % n]]} for k in range(4)] for n in (1, 2)]
    ann, ben = map(lines, rows)
    more = [save(ben, "ben.jsonl"), "--rater-file", "--item", "id", "--label", "tag"]
    status, message = agree(ann, *more, name="a.jsonl")
    (way,) = offered(message.strip())
    assert status == 2 and way == ["--rater-file", "--item", "id", "--label", "tag.0"]
    assert agree(ann, more[0], *way, name="a.jsonl")[1]["n_ratings"] == 8


def test_a_choice_is_a_text_and_several_an_object(agree):
    several = {"choices": ["x", "y"]}
    rows = [{"id": k, "coder": w, "tag": several if (k + n) % 2 else "x"}
            for k in range(4) for n, w in enumerate(NAMES)]  # fmt: skip
    (way,) = offered(agree(lines(rows))[1].strip())
    found = agree(lines(rows), *way)[1]
    assert (found["n_ratings"], found["labels"]) == (12, [["x"], ["x", "y"]])


@cases("files/paths")
def test_paths(read, case):
    content = EXPORTS.get(case.get("export"), []) + json.loads(case.get("more", "[]"))
    judgments = {tuple(one.split()) for one in case.get("judgments", [])} or TOLD
    assert said(read(json.dumps(content), **case["how"])) == judgments


MARKS = {"item": "doc_id", "rater": "marks.worker"}


@cases("files/paths_refused")
def test_refused_with_what_is_inside(refusal, case):
    words = case.pop("name")
    content = [one | {"more": one["marks"][:2], "soft": {"x": 1}}
               for one in EXPORTS["lists of objects"]]  # fmt: skip
    assert words in refusal(json.dumps(content), **MARKS | case)


def test_labels_as_keys(read):
    """A rater ticks boxes; with --split, keys are raters, whatever they say."""
    rows = [{"item": t, "rater": w, "of": {"q": dict.fromkeys(c, "true")}}
            for t, w, c in (("t1", "ann", "x"), ("t1", "ben", "yx"))]  # fmt: skip
    found = said(read(json.dumps(rows), label="of.q", sets=","))
    assert found == {("t1", "ann", frozenset("x")), ("t1", "ben", frozenset("xy"))}
    row = {"item": "t1", "of": {"q": {"ann": True, "ben": True}}}
    found = said(read(json.dumps([row]), label="of.q", split=","))
    assert found == {("t1", "ann", "True"), ("t1", "ben", "True")}


def test_judgments_without_anything_at_the_path_are_counted(read):
    of = [{"label": ["x"]}]
    rows = [{"id": k, "by": [{"who": w, "of": of * (k > 1 or w == "ann")}
                             for w in NAMES]} for k in range(4)]  # fmt: skip
    how = {"item": "id", "rater": "by.who", "label": "by.of.0.label", "sets": ","}
    with pytest.warns(UserWarning, match="nothing is found at 'by.of.0.label': 4$"):
        assert len(said(read(json.dumps(rows), **how))) == 8


def test_the_empty_set_is_no_judgment_where_it_is_said_to_be(read):
    rows = [{"item": k, "rater": w, "label": ["x"] * (k > 0)}
            for k in range(3) for w in NAMES]  # fmt: skip
    for missing, n in (("{}", 6), ("[]", 6)):
        how = {"sets": ",", "missing": [missing]}
        with warnings.catch_warnings(action="ignore"):  # of cells that are left out
            assert read(json.dumps(rows), **how).ratings.n_ratings == n


def test_entries_that_are_passed_over_are_said(read):
    rows = [{"item": "t1", "rater": w, "label": ["x", "y"]} for w in NAMES]
    with pytest.warns(UserWarning, match="entries of lists that are passed over.*: 3"):
        read(json.dumps(rows), label="label.0")
    with pytest.raises(UnreadableError, match=r"add --sets , .*'label.0'$"):
        read(json.dumps(rows))
    assert len(said(read(json.dumps(rows), sets=","))) == 3
