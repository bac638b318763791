"""Pages that walk through commands: which, and what they show."""

import re

from reproduction.machinery import paths


def page(name):
    return (paths.NOTEBOOKS / name).read_text(encoding="utf-8")


def commands(text):
    """What follows the name of the command, lines that go on put together."""
    found = re.findall(
        r"^    \.venv/bin/labelaudit ((?:.*\\\n)*.*)$", text, re.MULTILINE
    )
    return [words.replace("\\\n", " ") for words in found]


def options(text):
    return {word for command in commands(text) for word in command.split()}


def blocks(text, language="text"):
    """What stands between fences."""
    pattern = rf"^```{language}\n(.*?)\n```$"
    return re.findall(pattern, text, re.MULTILINE | re.DOTALL)
