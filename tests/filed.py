"""Tables as tests write them, what is read of a file, and what a sentence offers."""

import csv
import io
import re
import shlex

LONG = "item,rater,label\n1,a,yes\n1,b,yes\n2,a,no\n2,b,yes\n3,a,no\n3,b,no\n"
PLAIN = {tuple(line.split(",")) for line in LONG.split()[1:]}  # as said() has them
WIDE = "id,ann,bob,cy\n1,x,y,x\n2,y,y,\n3,x,x,x\n"


def table(head, rows, separator=","):
    """A file with these columns and rows."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerows([head.split(","), *rows])
    return out.getvalue()


def both(of):
    """A file's content, and how it is read."""
    return of if isinstance(of, tuple) else (of, {})


def said(found):
    """Every judgment as (item, rater, label)."""
    r = found.ratings
    j = r.judgments
    return {
        (r.items[i], r.raters[a], r.labels[k])
        for i, a, k in zip(j.item, j.rater, j.label, strict=True)
    }


def check_noted(case, recwarn):
    """What is noted is said, and nothing where nothing is noted."""
    told = " ".join(str(one.message) for one in recwarn)
    noted = case.get("noted", "")
    assert noted in told and bool(noted) == bool(told)


def offered(message):
    """What a message says to type, one way after the other."""
    ways = re.findall(r"\b(?:say|out by) (--.*?)(?=; | to see|, with | if |$)", message)
    return [shlex.split(one.split(", with")[0]) for one in ways]
