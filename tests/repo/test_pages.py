"""The pages in Markdown: their code runs and gives what they say, their links hold."""

import re
from contextlib import chdir

import numpy as np
import pytest

from labelaudit.agreement.table import TABLE
from reproduction.machinery import front, notebooks, parameters, paths
from walkthrough import blocks

FOLDERS = [paths.ROOT / name for name in ("", "data", "notebooks", "src", "sweeps")]
PAGES = sorted(page for folder in FOLDERS for page in folder.glob("*.md"))
NAMES = [page.relative_to(paths.ROOT).as_posix() for page in PAGES]


def python(page):
    """Blocks of Python that need no cluster."""
    found = blocks(page.read_text(encoding="utf-8"), "python")
    return [block for block in found if "Cluster" not in block]


def printed(text):
    """A value as a page shows it: numbers at their digits."""
    return [
        (float(n), len(n.partition(".")[2])) for n in re.findall(r"-?\d+\.?\d*", text)
    ]


def values(value):
    return [float(v) for v in np.ravel(np.array(value, dtype=object))]


def claims(block):
    """Each expression with what the page says that it gives."""
    return re.findall(r"^(\S.*?) +# -> (.*)$", block, re.M)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
def test_code_on_a_page_runs_and_gives_what_it_says(page, capsys):
    space = {}
    for block in python(page):
        if ".parquet" in block:  # test_your_labels runs it, with such files
            continue
        exec(compile(block, page.name, "exec"), space)
        for expression, text in claims(block):
            value = eval(expression, space)
            if printed(text) and not re.search("[A-Za-z]", text):
                expected = printed(text)
                got = values(value)
                assert len(got) == len(expected), expression
                for one, (number, digits) in zip(got, expected):
                    assert abs(one - number) <= 0.5000001 * 10**-digits, expression
            else:
                assert str(value) == text, expression
    if page == paths.README or page.name == "library.md":
        assert sum(len(claims(block)) for block in python(page)) >= 4


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_of_a_page_lead_somewhere(page):
    links = re.findall(
        r"\]\(([^)#]+)\)|(?:src|href)=\"([^\"#]+)\"", page.read_text(encoding="utf-8")
    )
    local = [a or b for a, b in links if "://" not in (a or b)]
    lost = [link for link in local if not (page.parent / link).exists()]
    assert not lost


def test_the_list_leads_to_every_notebook():
    text = (paths.NOTEBOOKS / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\]\((\w+)\.ipynb\)", text))
    assert (named, front.listed(text)) == ({*notebooks.stems()}, text)


@pytest.mark.parametrize(
    "page", [paths.README, paths.SITE / "index.md"], ids=["README", "site"]
)
def test_the_first_figure_is_of_the_levels_that_its_caption_names(page):
    given = parameters.as_published("beyond_01_how_few")
    p_a, p_r, alpha, beta = (f"{100 * rate:g}" for rate in given["levels"])
    said = f"levels: {p_a} and {p_r} % of errors, risks {alpha} and {beta} %"
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert f"a batch of {given['lot_size']:,} is accepted or rejected ({said})" in text


def test_the_readme_is_read_in_a_few_minutes():
    words = len(paths.README.read_text(encoding="utf-8").split())
    assert words <= 1400, f"README.md has {words} words, of at most 1,400: cut some"


def test_the_readme_shows_what_the_commands_print(call):
    text = paths.README.read_text(encoding="utf-8")
    shown = re.findall(r"    \$ labelaudit ([^\n]+)\n\n```text\n(.+?)```", text, re.S)
    assert len(shown) == 3
    for command, said in shown:
        with chdir(paths.ROOT):
            assert said in call(command)[1]


def test_the_page_of_the_library_has_every_coefficient():
    page = (paths.NOTEBOOKS / "library.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in TABLE)


def test_the_map_of_the_code_names_what_is_there():
    """Each file of a row of the table, and in one of them each name in capitals."""
    text = (paths.SOURCE / "README.md").read_text(encoding="utf-8")
    tops = [paths.ROOT / top for top in ("src", "tests", "notebooks")]
    named = 0
    for row in re.findall(r"^\| .*", text, re.MULTILINE):
        code = ""
        for end in re.findall(r"`([\w/]+\.(?:pyi?|toml|md|rst))`", row):
            found = [f for top in tops for f in top.rglob(f"*/{end}")]
            found += [f for top in tops for f in top.glob(end)]
            found += [paths.ROOT / end] if (paths.ROOT / end).is_file() else []
            assert found, end
            code += "\n".join(f.read_text(encoding="utf-8") for f in found)
        for name in re.findall(r"`([A-Z]{3,})`", row):
            assert re.search(rf"^{name}\b.* = ", code, re.MULTILINE), name
            named += 1
    assert named >= 4
