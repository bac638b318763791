"""The page on auditing a batch: its commands run in order and say what it says."""

import io
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout

import pytest
from scipy.stats import hypergeom

import labelaudit as la
from labelaudit.commands import main
from labelaudit.files.filled import read
from reproduction.machinery import paths
from walkthrough import blocks, commands, options, page

PAGE = page("audit_a_batch.md")
COMMANDS, SHOWN = commands(PAGE), blocks(PAGE)


def test_the_page_walks_through_all_that_it_is_about():
    wanted = {"--by", "--batch", "--inspectors", "--overlap", "--half-width"}
    assert wanted < options(PAGE)


def test_the_numbers_in_its_text_are_the_librarys():
    text = " ".join(PAGE.split())
    strict = la.single_plan(la.QualityLevels(0.01, 0.03, 0.01, 0.05), 5000)
    assert f"with 1 %, 3 %, 1 % and 5 %, it is {strict.max_sample} of 5,000" in text
    levels = la.QualityLevels(0.02, 0.05, 0.05, 0.1)
    accepted = hypergeom.cdf(10, 5000, 150, la.single_plan(levels, 5000).max_sample)
    assert (
        f"with 3 % wrong this plan accepts in {100 * accepted:.0f} % of cases" in text
    )
    plan = la.optimal_plan(levels, 5000)
    good, bad = plan.average_sample_number([100, 250])
    averages = f"{good:.0f} where 2 % are wrong and {bad:.0f} where 5 % are"
    assert f"{averages}, but up to {plan.max_sample}" in text


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """What all commands write to output, and what each says, one after the other."""
    folder, said = tmp_path_factory.mktemp("batch"), {}
    (folder / "output").mkdir()
    (folder / "data").symlink_to(paths.ROOT / "data")
    for command in COMMANDS:
        out, err = io.StringIO(), io.StringIO()
        with chdir(folder), redirect_stdout(out), redirect_stderr(err):
            assert main(shlex.split(command)) == 0, command
        said[command] = out.getvalue() + err.getvalue()
    return folder / "output", said


def test_the_commands_run_one_after_the_other(ran):
    _, said = ran
    everything = "\n".join(said.values())
    assert len(SHOWN) == 7
    for block in SHOWN:
        assert block in everything, block
    assert SHOWN[0] in said[COMMANDS[0]]
    assert "ACCEPT: 3 wrong of 303 inspected" in said[COMMANDS[2]]
    by_annotator = next(out for command, out in said.items() if "--by" in command)
    assert "REJECT: 13 wrong of 220 inspected" in by_annotator
    assert "13 of 220 are wrong, and the plan accepts 7 at most" in PAGE
    assert "annotator 'dev' has an error rate of" in by_annotator
    parts = next(out for command, out in said.items() if "checked-1" in command)
    assert "REJECT: 13 wrong of 220 inspected" in parts
    assert "22 items were judged by two inspectors, who agreed on 20" in parts


@pytest.mark.parametrize(
    ("written", "filled"),
    [
        ("release", "released"),
        ("week1", "checked"),
        ("shared-1", "checked-1"),
        ("shared-2", "checked-2"),
        ("estimate", "estimated"),
    ],
)
def test_the_filled_sheets_are_those_that_the_page_writes(ran, written, filled):
    output, _ = ran
    ours = read(output / f"{written}.csv")
    theirs = read(paths.MADE / "batches" / f"{filled}.csv")
    assert ours.told == theirs.told
    assert ours.rows.equals(theirs.rows)
