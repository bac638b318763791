"""The page on a model's labels: its commands print what it shows, its numbers hold."""

import re
import shlex

import pandas as pd

import labelaudit as la
from labelaudit.commands import main
from reproduction.machinery import paths
from walkthrough import blocks, commands, page

PAGE = page("may_a_model_label.md")
COMMANDS, SHOWN = commands(PAGE), blocks(PAGE)
TABLE = pd.read_csv(paths.MADE / "with_model.csv", index_col="item")


def test_the_commands_print_what_the_page_shows(capsys, monkeypatch):
    monkeypatch.chdir(paths.ROOT)
    assert len(COMMANDS) == len(SHOWN) == 2
    for command, block in zip(COMMANDS, SHOWN):
        assert main(shlex.split(command)) == 0
        assert block in capsys.readouterr().out


def test_the_numbers_of_items_are_those_of_the_notebook():
    """The least of those tried at which nine good models in ten pass."""
    needed = pd.read_csv(paths.FIGURES / "beyond_model_needed.csv")
    enough = needed[needed["passes"] >= 0.9]
    least = enough.groupby(["epsilon", "test"])["n"].min()
    rows = re.findall(r"^\| (0\.\d) \| ([\d,]+) \|$", PAGE, re.M)
    assert len(rows) == 3
    for epsilon, number in rows:
        assert least[float(epsilon), "exact"] == int(number.replace(",", ""))


def test_what_is_said_of_ann_and_of_threats():
    people = ["ann", "ben", "cleo", "dan"]
    r = la.Ratings.from_matrix(TABLE[people])
    ann = la.alternative_annotator(r, TABLE["model"]).per_rater.loc["ann"]
    assert f"on {100 * ann['advantage']:.0f} %" in PAGE
    assert f"model on {100 * ann['human_advantage']:.0f} %" in PAGE
    found = la.accuracy(r, TABLE["adjudicated"]).per_label()
    assert f"people find {100 * found['accuracy']['threat']:.0f} % of them" in PAGE
    threats = TABLE["adjudicated"] == "threat"
    assert (threats.sum(), len(TABLE)) == (9, 240)
    assert (TABLE["model"][threats] == "threat").sum() == 2
