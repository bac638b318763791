"""A command as one types it: its exit status, and what it prints."""

import json

from labelaudit import commands


def call(capsys, *arguments):
    try:
        status = commands.main([*map(str, arguments)])
    except SystemExit as left:
        status = left.code
    out, err = capsys.readouterr()
    return status, out, err


def told(capsys, *arguments):
    """What a call that goes well prints as JSON."""
    status, out, err = call(capsys, *arguments, "--json")
    assert status == 0, err
    return json.loads(out)
