"""A command as one types it: its exit status, and what it prints; filled sheets."""

import json
import os
import shlex

import pandas as pd

from labelaudit import commands


def call(capsys, line, *more):
    """With a line as it is typed, and more arguments."""
    try:
        status = commands.main([*shlex.split(line), *map(str, more)])
    except SystemExit as left:
        status = left.code
    out, err = capsys.readouterr()
    return status, out, err


def told(capsys, line, *more):
    """What a call that goes well prints as JSON."""
    status, out, err = call(capsys, line, *more, "--json")
    assert status == 0, err
    return json.loads(out)


def refused(call, words, *arguments):
    """A wrong call is answered with these words, and leaves no file."""
    before = sorted(os.listdir())
    status, out, err = call(*arguments)
    assert (status, out) == (2, ""), err
    assert words in " ".join(err.split())
    assert "Traceback" not in err and sorted(os.listdir()) == before


def fill(path, wrong, steps=None):
    """Fill in a sheet: wrong is a function of a row."""
    sheet = pd.read_csv(path, dtype=str, keep_default_na=False)
    chosen = [steps is None or int(step) in steps for step in sheet["step"]]
    told = [str(wrong(row)) for row in sheet.to_dict(orient="records")]
    sheet["wrong"] = sheet["wrong"].mask(chosen, told)
    sheet.to_csv(path, index=False)
