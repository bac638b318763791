"""Pages that walk through commands: they run in order and say what a page says."""

import io
import re
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout

import pandas as pd
import pytest
from scipy.stats import hypergeom

import labelaudit as la
from labelaudit.commands import main
from labelaudit.files.filled import read
from reproduction.machinery import paths
from walkthrough import blocks, commands, options, page

ABOUT = {  # options that a page is about
    "audit_a_batch.md": "--by --batch --inspectors --overlap --half-width",
    "your_labels.md": "--no-header --split --sets --repeats --where --gold",
    "may_a_model_label.md": "--model",
}
BATCH, MODEL = (" ".join(page(f"{name}.md").split())
                for name in ("audit_a_batch", "may_a_model_label"))  # fmt: skip


@pytest.fixture(scope="module", params=ABOUT)
def walk(request, tmp_path_factory):
    """A page, the folder its commands ran in, and what each of them says."""
    folder, said = tmp_path_factory.mktemp("page"), {}
    (folder / "output").mkdir()
    (folder / "data").symlink_to(paths.ROOT / "data")
    for command in commands(page(request.param)):
        out, err, words = io.StringIO(), io.StringIO(), shlex.split(command)
        with (
            chdir(folder),
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.MonkeyPatch.context() as patch,
        ):
            if "<" in words:
                words, source = words[:-2], folder / words[-1]
                stdin = io.TextIOWrapper(io.BytesIO(source.read_bytes()), "utf-8")
                patch.setattr("sys.stdin", stdin)
            assert main(words) == 0, command
        said[command] = out.getvalue() + err.getvalue()
    return request.param, folder, said


def test_commands_print_what_the_page_shows(walk):
    name, folder, said = walk
    text = page(name)
    assert {*ABOUT[name].split()} < options(text)
    shown, everything = blocks(text), "\n".join(said.values())
    if name == "your_labels.md":  # the first is its file
        file = folder / next(iter(said)).split()[-1]
        assert file.read_text(encoding="utf-8").startswith(shown.pop(0) + "\n")
    assert len(shown) == {"audit_a_batch.md": 7, "your_labels.md": 1}.get(name, 2)
    quoted = re.findall(r"^> (.*)$", text, re.MULTILINE)
    assert all(line in everything.splitlines() for line in quoted)
    written = [*(folder / "output").iterdir()]
    assert all(file.stat().st_size > 100 for file in written)
    if name == "your_labels.md":
        assert all("krippendorff_alpha" in one for one in said.values())
        assert (len(quoted), len(shown)) == (3, 1)
        shown = shown[0].splitlines()
        named = {word for one in said for word in one.split() if "output/" in word}
        assert {f"output/{file.name}" for file in written} == named
    assert all(block in everything for block in shown)
    if name == "audit_a_batch.md":
        check_batch(folder / "output", said)


def check_batch(output, said):
    """Verdicts, and the sheets that the page writes and has as filled ones."""
    assert "ACCEPT: 3 wrong of 303 inspected" in [*said.values()][2]
    by_annotator = next(out for command, out in said.items() if "--by" in command)
    parts = next(out for command, out in said.items() if "checked-1" in command)
    assert "annotator 'dev' has an error rate of" in by_annotator
    assert "22 items were judged by two inspectors, who agreed on 20" in parts
    for out in (by_annotator, parts):
        assert "REJECT: 13 wrong of 220 inspected" in out
    assert "13 of 220 are wrong, and the plan accepts 7 at most" in BATCH
    for written, filled in (
        ("release", "released"),
        ("week1", "checked"),
        ("shared-1", "checked-1"),
        ("shared-2", "checked-2"),
        ("estimate", "estimated"),
    ):
        ours = read(output / f"{written}.csv")
        theirs = read(paths.MADE / "batches" / f"{filled}.csv")
        assert ours.told == theirs.told
        assert ours.rows.equals(theirs.rows)


def test_the_numbers_on_auditing_a_batch_are_the_librarys():
    strict = la.single_plan(la.QualityLevels(0.01, 0.03, 0.01, 0.05), 5000)
    assert f"with 1 %, 3 %, 1 % and 5 %, it is {strict.max_sample} of 5,000" in BATCH
    levels = la.QualityLevels(0.02, 0.05, 0.05, 0.1)
    accepted = hypergeom.cdf(10, 5000, 150, la.single_plan(levels, 5000).max_sample)
    words = f"with 3 % wrong this plan accepts in {100 * accepted:.0f} % of cases"
    assert words in BATCH
    plan = la.optimal_plan(levels, 5000)
    good, bad = plan.average_sample_number([100, 250])
    averages = f"{good:.0f} where 2 % are wrong and {bad:.0f} where 5 % are"
    assert f"{averages}, but up to {plan.max_sample}" in BATCH


def test_the_numbers_of_items_are_those_of_the_notebook():
    """The least of those tried at which nine good models in ten pass."""
    needed = pd.read_csv(paths.FIGURES / "beyond_model_needed.csv")
    enough = needed[needed["passes"] >= 0.9]
    least = enough.groupby(["epsilon", "test"])["n"].min()
    text = page("may_a_model_label.md")
    rows = re.findall(r"^\| (0\.\d) \| ([\d,]+) \|$", text, re.M)
    assert len(rows) == 3
    for epsilon, number in rows:
        assert least[float(epsilon), "exact"] == int(number.replace(",", ""))


def test_what_is_said_of_ann_and_of_threats():
    table = pd.read_csv(paths.MADE / "with_model.csv", index_col="item")
    r = la.Ratings.from_matrix(table[["ann", "ben", "cleo", "dan"]])
    ann = la.alternative_annotator(r, table["model"]).per_rater.loc["ann"]
    assert f"on {100 * ann['advantage']:.0f} %" in MODEL
    assert f"model on {100 * ann['human_advantage']:.0f} %" in MODEL
    found = la.accuracy(r, table["adjudicated"]).per_label()
    assert f"people find {100 * found['accuracy']['threat']:.0f} % of them" in MODEL
    threats = table["adjudicated"] == "threat"
    assert (threats.sum(), len(table)) == (9, 240)
    assert (table["model"][threats] == "threat").sum() == 2
