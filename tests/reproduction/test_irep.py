"""The IRep data: fetching, reading, the subset's counts, the stand-in."""

import errno
import itertools
import os
import runpy
import shutil
import subprocess
import sys
from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

import labelaudit as la
from reproduction.machinery import paths
from reproduction.wong2021 import crowds, fetch, irep, stand_in, subset

CONTENT = b"what the file holds, " * 20_000


# Fetching ---------------------------------------------------------------------


@pytest.fixture
def serve(monkeypatch, tmp_path):
    """A repository that has, or had, files of these contents; where to fetch to."""
    origin = tmp_path / "origin"

    def git(*arguments):
        who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        run = ["git", "-C", str(origin), *who, *arguments]
        subprocess.run(run, capture_output=True, check=True)

    def has(*contents):
        origin.mkdir()
        git("init")
        for content in contents:
            (origin / fetch.NAME).write_bytes(content)
            git("add", ".")
            git("commit", "-m", "a file")
        monkeypatch.setattr(fetch, "BLOB", fetch.blob_id(CONTENT))
        monkeypatch.setattr(fetch, "REPOSITORY", str(origin))
        return tmp_path / "data" / "released"

    return has


def refused(folder, match, left=()):
    """The fetch is refused in one sentence and leaves what was there."""
    with pytest.raises(fetch.DataError, match=match) as caught:
        fetch.fetch(folder)
    assert "\n" not in str(caught.value)
    there = sorted(os.listdir(folder)) if folder.exists() else []
    assert there == sorted(left)


def test_blob_id_is_gits(tmp_path):
    file = tmp_path / "file"
    for content in (b"", b"a\r\nb\0", CONTENT):
        file.write_bytes(content)
        if shutil.which("git"):
            command = ["git", "hash-object", "--no-filters", "file"]
            run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
            assert fetch.blob_id(file.read_bytes()) == run.stdout.decode().strip()
    file.write_bytes(b"what is up, doc?")  # the example of Pro Git, section 10.2
    assert (
        fetch.blob_id(file.read_bytes()) == "bd9dbf5aae1a3862dd1526723246b20206e5fc37"
    )


@pytest.mark.parametrize("contents", [(CONTENT,), (CONTENT, b"a later one")])
def test_fetch(serve, contents):
    folder = serve(*contents)
    path = fetch.fetch(folder)
    assert path == folder / fetch.NAME
    assert path.read_bytes() == CONTENT
    assert os.listdir(folder) == [fetch.NAME]
    (folder / "mine").touch()  # the same rights as any file that one makes
    assert path.stat().st_mode == (folder / "mine").stat().st_mode


def test_a_right_file_is_kept_without_network(serve):
    folder = serve(b"another")
    folder.mkdir(parents=True)
    (folder / fetch.NAME).write_bytes(CONTENT)
    assert fetch.fetch(folder).read_bytes() == CONTENT


def test_a_wrong_file_is_left_as_it_was(serve):
    folder = serve(CONTENT)
    folder.mkdir(parents=True)
    (folder / fetch.NAME).write_bytes(b"mine")
    refused(folder, "4 bytes with git blob id .*; it was left as it is", [fetch.NAME])
    assert (folder / fetch.NAME).read_bytes() == b"mine"


def test_a_folder_in_the_files_place_is_refused(serve):
    folder = serve(CONTENT)
    (folder / fetch.NAME).mkdir(parents=True)
    refused(folder, "cannot be read: Is a directory", [fetch.NAME])


def test_a_link_to_nothing_in_the_files_place_is_refused(serve):
    """`make data` cannot be told to run `make data`."""
    folder = serve(CONTENT)
    folder.mkdir(parents=True)
    (folder / fetch.NAME).symlink_to(folder / "gone")
    refused(folder, "is a link to a file that is not there; remove", [fetch.NAME])
    assert (folder / fetch.NAME).is_symlink()


@pytest.mark.parametrize(
    ("change", "to", "match"),
    [
        (
            "REPOSITORY",
            "/nowhere",
            "'/nowhere' .*be put at data/released/IREP",
        ),
        ("BLOB", "0" * 40, "git cannot fetch .*origin: .*; nothing was kept"),
        ("PATIENCE", 0, "it took more than 0 seconds; nothing was kept"),
    ],
)
def test_a_failed_download_leaves_nothing(serve, monkeypatch, change, to, match):
    folder = serve(CONTENT)
    monkeypatch.setattr(fetch, change, to)
    refused(folder, match)
    assert not folder.exists()
    folder.mkdir(parents=True)
    refused(folder, match)
    assert folder.exists()  # it is somebody's


def test_without_git_it_is_said(serve, monkeypatch):
    folder = serve(CONTENT)
    monkeypatch.setenv("PATH", "")
    refused(folder, "git cannot be run .No such file or directory.")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(serve):
    folder = serve(CONTENT)
    folder.mkdir(parents=True)
    folder.chmod(0o555)
    try:
        refused(folder, "cannot be saved in .*: Permission denied; nothing was kept")
    finally:
        folder.chmod(0o755)


@pytest.mark.parametrize("where", ["pathlib.Path.open", "pathlib.Path.mkdir"])
def test_a_folder_that_cannot_be_written(serve, monkeypatch, where):
    def refuse(*args, **kwargs):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    folder = serve(CONTENT)
    monkeypatch.setattr(where, refuse)
    refused(folder, "cannot be saved in .*: Read-only file system; nothing was kept")


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk(serve, monkeypatch, call):
    def full(*args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder = serve(CONTENT)
    monkeypatch.setattr(os, call, full)
    refused(folder, "cannot be saved in .*: No space left on device; nothing was kept")


def test_the_command(serve, monkeypatch, capsys, tmp_path):
    folder = serve(CONTENT)
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    monkeypatch.setattr(paths, "RELEASED", folder)
    with monkeypatch.context() as patch:
        patch.setattr(fetch, "REPOSITORY", "/nowhere")
        assert fetch.main() == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1 and said.err.startswith("make data: git cannot")
    assert fetch.main() == 0
    expected = f"data/released/{fetch.NAME}: the released file, verified\n"
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize("module", ["fetch", "released"])
@pytest.mark.parametrize(("argument", "code"), [("--help", 0), ("file.csv", 2)])
@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
def test_the_commands_take_no_arguments(module, argument, code, monkeypatch, capsys):
    """Asked for help, or called wrongly, they do nothing else."""
    name = f"reproduction.wong2021.{module}"
    monkeypatch.setattr(sys, "argv", [module, argument])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(name, run_name="__main__")
    assert ended.value.code == code
    done = capsys.readouterr()
    said = done.err if code else done.out
    assert said.startswith(f"usage: python -m {name}")
    assert "make " not in done.err


def test_only_the_verified_file_is_read(tmp_path):
    with pytest.raises(fetch.DataError, match="is not there; `make data` fetches it"):
        irep.released(tmp_path)
    (tmp_path / fetch.NAME).write_text(text(), encoding="utf-8")
    with pytest.raises(fetch.DataError, match="is not the released file"):
        irep.released(tmp_path)


# Reading ----------------------------------------------------------------------

ROWS = [
    (1, "Budapest", 1, ["awe"]),
    (1, "Budapest", 2, ["awe", "love"]),
    (1, "Mexico", 1, []),
    (1, "Mexico", 2, ["unsure"]),
    (7, "KualaLumpur", 1, ["amusement"]),
    (7, "International", 1, list(irep.LABELS)),
]


def text(item='item_id"', rows=ROWS):
    lines = [[item, "platform", "rater", *irep.LABELS]]
    for number, platform, rater, chosen in rows:
        votes = [str(int(label in chosen)) for label in irep.LABELS]
        lines.append([str(number), platform, str(rater), *votes])
    return "".join(",".join(line) + "\n" for line in lines)


def reading(tmp_path, content):
    path = tmp_path / "small.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return irep.read(path)


@pytest.mark.parametrize("item", ['item_id"', '"item_id"""', "item_id", "item"])
def test_read(tmp_path, item):
    frame = reading(tmp_path, text(item))
    assert list(frame.columns) == ["item", "platform", "rater", *irep.LABELS]
    assert frame["item"].tolist() == [1, 1, 1, 1, 7, 7]
    assert frame["platform"].tolist() == [row[1] for row in ROWS]
    assert frame["rater"].tolist() == [1, 2, 1, 2, 1, 1]
    for k, row in enumerate(ROWS):
        votes = frame.loc[k, list(irep.LABELS)]
        assert votes[votes == 1].index.tolist() == sorted(row[3])
    assert set(frame[list(irep.LABELS)].dtypes) == {np.dtype(np.uint8)}
    assert list(frame["platform"].cat.categories) == list(irep.PLATFORMS)


def test_read_as_other_programs_write_it(tmp_path):
    frame = reading(tmp_path, text())
    quoted = text().replace("Mexico", '"Mexico"').replace(",0", ',"0"')
    for same in (text().replace("\n", "\r\n"), "\ufeff" + text(), quoted, text()[:-1]):
        pd.testing.assert_frame_equal(reading(tmp_path, same), frame)
    lines = [line.split(",") for line in text().splitlines()]
    turned = "".join(",".join(reversed(line)) + "\n" for line in lines)
    pd.testing.assert_frame_equal(reading(tmp_path, turned), frame)


def test_labels_are_those_of_the_released_file():
    assert len(irep.LABELS) == 32 and len(irep.EMOTIONS) == 31
    plain = [label for label in irep.LABELS if label != "error.other"]
    assert plain == sorted(plain)
    assert irep.LABELS.index("error.other") == irep.LABELS.index("embarrassment") + 1


def changed(line, column, to):
    """The small file with one cell changed; line as in the file."""
    lines = [row.split(",") for row in text().splitlines()]
    lines[line - 1][column] = to
    return "".join(",".join(row) + "\n" for row in lines)


def with_line(line, to):
    lines = text().splitlines()
    lines[line - 1 : line] = to(lines[line - 1])
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(4, 5, "2"), "line 4: awe must be 0 or 1"),
        (changed(4, 34, ""), "line 4: unsure must be 0 or 1"),
        (changed(2, 20, " 1"), "line 2: error.other must be 0 or 1"),
        (changed(5, 1, "Lima"), "line 5: platform must be Budapest or Mexico or"),
        (changed(3, 2, "3"), "line 3: rater must be 1 or 2"),
        (changed(6, 0, "seven"), "line 6: item must be a whole number"),
        (changed(6, 0, "-7"), "line 6: item must be a whole number"),
        (changed(3, 2, "1"), "line 3: a second row of this rater, item and platform"),
        (with_line(5, lambda x: [x, x]), "line 6: a second row of this rater, item"),
        (with_line(5, lambda x: [x[:-2]]), "line 5: not 35 cells"),
        (with_line(5, lambda x: [x + ",1"]), "line 5: not 35 cells"),
        (with_line(5, lambda x: ["", x]), "line 5: not 35 cells"),
        (text().replace(",awe", ",joy"), "line 1: not the 35 columns of IRep: awe, j"),
        (text().replace(",awe", ",anger"), "line 1: not the 35 columns of IRep: awe"),
        (text("item_id,item"), "line 1: not the 35 columns of IRep: one twice"),
        (changed(5, 1, '"Mexico'), "small.csv cannot be read: unexpected end of data"),
        ("", "line 1: not the 35 columns of IRep"),
        (text().splitlines()[0] + "\n", "small.csv holds no ratings"),
        (b"\xff" + text().encode(), "small.csv cannot be read: 'utf-8' codec"),
    ],
)
def test_read_refuses(tmp_path, content, message):
    with pytest.raises(fetch.DataError) as caught:
        reading(tmp_path, content)
    assert str(caught.value).startswith(("small.csv, " + message, message))


def test_read_refuses_what_is_no_file(tmp_path):
    with pytest.raises(fetch.DataError, match="is not there"):
        irep.read(tmp_path / "none.csv")
    with pytest.raises(fetch.DataError, match="cannot be read: Is a directory"):
        irep.read(tmp_path)


def test_replication(tmp_path):
    frame = reading(tmp_path, text())
    r = irep.replication(frame, "love", "Budapest")
    assert r.items.tolist() == [1] and r.raters.tolist() == [1, 2]
    assert r.labels.tolist() == [0, 1]
    assert r.counts.tolist() == [[1, 1]]
    assert irep.replication(frame, "love", "International").counts.tolist() == [[0, 1]]
    with pytest.raises(ValueError, match="label must be 'amusement' or"):
        irep.replication(frame, "joy", "Budapest")
    with pytest.raises(ValueError, match="platform must be 'Budapest' or"):
        irep.replication(frame, "awe", "Lima")


# The subset -------------------------------------------------------------------


@pytest.fixture(autouse=True, scope="module")
def files_of_counts_are_read_once():
    with pytest.MonkeyPatch.context() as patch:
        for name in ("pools", "pairs", "correlations"):
            patch.setattr(subset, name, cache(getattr(subset, name)))
        yield


UNUSED = [(c, "error.other") for c in irep.CITIES] + [("International", "unsure")]


def test_counts_of_the_subset_are_consistent():
    pools, pairs = subset.pools(), subset.pairs()
    assert len(pools) == 32 * 4 and len(pairs) == 32 * 3
    both, one = pools["both_positive_items"], pools["discordant_items"]
    assert (pools["positives"] == 2 * both + one).all()
    assert (pools["items"] == both + one + pools["both_negative_items"]).all()
    assert (pools["items"] == 1065).all() and (pairs["pairs"] == 4 * 1065).all()
    for label, city in pairs.index:
        row = pairs.loc[(label, city)]
        assert row["positives_a"] == pools.loc[(label, "International"), "positives"]
        assert row["positives_b"] == pools.loc[(label, city), "positives"]


def test_124_alphas_of_the_subset_are_the_printed_ones():
    pools = subset.pools()
    undefined = []
    for (label, pool), row in pools.iterrows():
        if row["positives"] == 0:
            undefined.append((pool, label))
            continue
        alpha = la.krippendorff_alpha(subset.ratings(label, pool)).value
        assert alpha == pytest.approx(row["alpha"], abs=1e-12)
        assert round(alpha, 4) == row["printed_alpha"]
    assert len(pools) - len(undefined) == 124
    assert sorted(undefined) == sorted(UNUSED)


@pytest.mark.parametrize(("pool", "label"), UNUSED)
def test_the_four_other_alphas_are_undefined(pool, label):
    row = subset.pools().loc[(label, pool)]
    assert row["printed_alpha"] == 1.0 and np.isnan(row["alpha"])
    with pytest.warns(UserWarning, match="undefined: every judgment is 0"):
        assert np.isnan(la.krippendorff_alpha(subset.ratings(label, pool)).value)


def test_96_kappa_x_of_the_subset_are_the_printed_ones():
    pairs = subset.pairs()
    assert len(pairs) == 96
    assert (pairs["kappa_x"].round(4) == pairs["printed_kappa_x"]).all()


# Spearman correlations: two cities ---------------------------------------------


def every(x, y, rho):
    """By hand: each table with margins x and y whose rank correlation prints as rho.

    Yields the discordant pairs and the counts of items, (3, 3, tables). Given three
    cells, one more item in the middle moves the correlation by the same amount, so
    that those which fit are from one number to another.
    """
    n = sum(x)
    u, v = ([2 * sum(m[:i]) + m[i] - n for i in range(3)] for m in (x, y))
    spread = np.sqrt(float(sum(c * r**2 for c, r in zip(x, u))))
    spread *= np.sqrt(float(sum(c * r**2 for c, r in zip(y, v))))
    ends = [(rho + side * (0.5e-4 + 1e-10)) * spread for side in (-1, 1)]
    more = (u[1] - u[0]) * (v[1] - v[0])
    for n22 in range(min(x[2], y[2]) + 1):
        n12, n21 = np.meshgrid(
            np.arange(min(x[1], y[2] - n22) + 1), np.arange(min(x[2] - n22, y[1]) + 1)
        )
        n02, n20 = y[2] - n12 - n22, x[2] - n21 - n22
        n01, n10 = y[1] - n21, x[1] - n12  # without any in the middle
        n00 = x[0] - n01 - n02
        top = u[0] * (n00 * v[0] + n01 * v[1] + n02 * v[2])
        top += u[1] * (n10 * v[0] + n12 * v[2])
        top += u[2] * (n20 * v[0] + n21 * v[1] + n22 * v[2])
        least = np.maximum(np.ceil((ends[0] - top) / more).astype(int), 0)
        least = np.maximum(least, -n00)
        most = np.minimum(np.floor((ends[1] - top) / more).astype(int), n01)
        many = np.maximum(np.minimum(most, n10) - least + 1, 0).ravel()
        at = np.repeat(np.arange(many.size), many)
        one = np.arange(len(at)) - (np.cumsum(many) - many)[at] + least.ravel()[at]
        n00, n01, n02, n10, n12, n20, n21 = (
            cell.ravel()[at] for cell in (n00, n01, n02, n10, n12, n20, n21)
        )
        rows = [n00 + one, n01 - one, n02], [n10 - one, one, n12]
        table = np.array([*rows, [n20, n21, np.full_like(n21, n22)]])
        unlike = 4 * (table[0, 2] + table[2, 0]) + 2 * table[1].sum(axis=0)
        yield unlike + 2 * (table[0, 1] + table[2, 1]), table


def counts(label, pool):
    names = ["both_negative_items", "discordant_items", "both_positive_items"]
    return [int(v) for v in subset.pools().loc[(label, pool), names]]


def listed(label, a, b):
    """Discordant pairs and tables that two pools can have on the subset."""
    rho = subset.correlations()[label, a, b]
    found = list(every(counts(label, a), counts(label, b), rho))
    unlike = np.concatenate([part for part, _ in found])
    return unlike, np.concatenate([tables for _, tables in found], axis=2)


def test_the_correlations_are_those_of_the_ranks():
    """Of all tables with two margins: those are listed whose correlation it is."""
    x, y = [7, 3, 2], [5, 4, 3]
    known = {}
    for n11, n12, n21, n22 in itertools.product(range(5), repeat=4):
        table = np.array([[0, 0, 0], [0, n11, n12], [0, n21, n22]])
        table[0] = y - table.sum(axis=0)
        table[:, 0] = x - table[:, 1:].sum(axis=1)
        if table.min() >= 0:
            at = np.repeat(np.arange(9), table.ravel())
            assert len(at) == 12
            known[(*table.ravel(),)] = stats.spearmanr(at // 3, at % 3).statistic
    assert len(known) > 20
    for rho in (*known.values(), 0.3117):
        found = [tables for _, tables in every(x, y, round(rho, 4))]
        listed = [(*t,) for part in found for t in part.reshape(9, -1).T]
        near = [t for t, r in known.items() if abs(r - round(rho, 4)) <= 0.5e-4 + 1e-9]
        assert sorted(listed) == sorted(near)
    spearman = subset.correlations()
    assert len(spearman) == 2 * 32 * 6
    missing = spearman[spearman.isna()].index
    assert {label for label, *_ in missing} == {"error.other", "unsure"}
    assert len(missing) == 2 * (6 + 3)


def test_bounds_are_those_of_all_tables():
    """Of all pairs of cities, against a list of all tables."""
    compared = 0
    for label, (a, b) in itertools.product(irep.EMOTIONS, irep.PAIRS):
        unlike, _ = listed(label, a, b)
        assert subset.discordant(label, a, b) == (unlike.min(), unlike.max())
        least, most = subset.bounds(label, a, b)
        p, q = (subset.pools().loc[(label, c), "positives"] / 2130 for c in (a, b))
        for value, number in ((least, unlike.max()), (most, unlike.min())):
            assert value == pytest.approx(1 - number / 4260 / (p + q - 2 * p * q))
        compared += 1
    assert compared == 93


def test_90_known_values_lie_inside():
    single = 0
    for (label, city), row in subset.pairs().iterrows():
        ends = subset.discordant(label, city, "International")
        if np.isnan(ends[0]):
            assert label in ("unsure", "error.other")
            continue
        assert ends[0] <= row["discordant_pairs"] <= ends[1]
        single += ends[0] == ends[1]
    assert single == 21


@pytest.mark.parametrize("seed", range(8))
def test_bounds_on_small_made_up_pools(seed, monkeypatch):
    """30 items: the bounds hold the true table, and are those of all tables."""
    rng = np.random.default_rng(seed)
    item = rng.random(30)[:, None] < 0.3
    x, y = (rng.binomial(1, np.where(item, 0.7, 0.15), (30, 2)).sum(1) for _ in "xy")
    names = ["both_negative_items", "discordant_items", "both_positive_items"]
    sides = {"X": np.bincount(x, minlength=3), "Y": np.bincount(y, minlength=3)}
    table = pd.DataFrame(sides, index=names).T
    table["prevalence"] = [x.mean() / 2, y.mean() / 2]
    table.index = pd.MultiIndex.from_product([["made up"], ["X", "Y"]])
    rho = round(stats.spearmanr(x, y).statistic, 4)
    printed = pd.Series({("made up", "X", "Y"): rho})
    monkeypatch.setattr(subset, "pools", lambda: table)
    monkeypatch.setattr(subset, "correlations", lambda: printed)
    fewest, most = subset.discordant.__wrapped__("made up", "X", "Y")
    assert fewest <= (x * (2 - y) + y * (2 - x)).sum() <= most
    found = np.concatenate([u for u, _ in every(list(sides["X"]), sides["Y"], rho)])
    assert (fewest, most) == (found.min(), found.max())


SHARES = [grid.ravel() / 2 for grid in np.indices((3, 3))]  # of positives


def pulls(share, a, b):
    """How far a little more of each kind of items moves kappa_x, numerically."""

    def value(share):
        p, q = share @ a, share @ b
        return 1 - share @ (a + b - 2 * a * b) / (p + q - 2 * p * q)

    step = 1e-6
    more = (1 - step) * share + step * np.eye(len(share))
    return np.array([(value(one) - value(share)) / step for one in more])


def test_bounds_of_the_standard_error_are_those_of_all_tables():
    for label, a, b in (
        ("awe", "International", "Mexico"),
        ("pride", "International", "Budapest"),
        ("contentment", "KualaLumpur", "Mexico"),
    ):
        unlike, tables = listed(label, a, b)
        least, greatest = subset.standard_errors(label, b, a)
        if a == "International":
            tables = tables[
                :, :, unlike == subset.pairs().loc[(label, b), "discordant_pairs"]
            ]
        items = tables.reshape(9, -1).T
        squares = [n @ pulls(n / 1065, *SHARES) ** 2 / 1065 / 1064 for n in items]
        assert least == pytest.approx(np.sqrt(min(squares)), rel=1e-4)
        assert greatest == pytest.approx(np.sqrt(max(squares)), rel=1e-4)


def test_what_is_not_known_has_no_bounds():
    for what in (
        subset.bounds("error.other", "Mexico", "Budapest"),
        subset.bounds("unsure", "International", "Budapest"),
        subset.standard_errors("unsure", "Budapest"),
        subset.standard_errors("love", "Budapest", "Mexico"),  # not one value
    ):
        assert np.isnan(what).all()


def test_the_table_of_cities():
    table = subset.cities().set_index(["label", "pools"])
    assert len(table) == 93
    row = table.loc[("contentment", "Mexico-KualaLumpur")]
    unlike, _ = listed("contentment", "Mexico", "KualaLumpur")
    assert len(set(unlike)) == 1
    p, q = (sum(np.array(counts("contentment", c)) * [0, 1, 2]) / 2130
            for c in ("Mexico", "KualaLumpur"))  # fmt: skip
    value = 1 - unlike[0] / 4260 / (p + q - 2 * p * q)
    assert row["low"] == row["high"] == pytest.approx(value, abs=1e-12)


# Counts behind printed decimals -------------------------------------------------

APART = Fraction(1, 10**15)  # of a printed value and a fraction: rounding errors


def shared_ratings(d_o: str, d_e: str, rows: list[int]) -> list[tuple[int, int]]:
    """The numbers of ratings on shared items that a printed d_o and d_e allow.

    At most two ratings an item and city are taken for granted. With R ratings of one
    city and S of the other on an item, d_o is a sum of halves over the total of all
    R + S, and d_e = (u S + v R - 2 u v) / (R S) for u and v positive ratings among
    the totals R and S. Every total and every split of it is tried.

    d_o, d_e: decimals of 16 digits; rows: how many ratings either city has in all.
    """
    within, between = Fraction(d_o), Fraction(d_e)
    found = []
    least, most = sorted(rows)
    for total in range(2, least + most + 1):
        if not _near(within, 2 * total):
            continue
        start = max(-(-total // 3), total - most)
        for fewer in range(start, min(total // 2, least) + 1):
            product = fewer * (total - fewer)
            if _near(between, product):
                unlike = round(between * product)
                if _positives(fewer, total - fewer, unlike):
                    found.append((fewer, total - fewer))
    return found


def _near(value: Fraction, denominator: int) -> bool:
    """Whether the value is a fraction with this denominator, but for rounding."""
    top = round(value * denominator)
    return abs(Fraction(top, denominator) - value) <= APART


def _positives(R: int, S: int, unlike: int) -> bool:  # noqa: N803
    """Whether some u of R and v of S have u S + v R - 2 u v = unlike."""
    for u in range(R + 1):
        left, by = unlike - u * S, R - 2 * u
        if by == 0 and left == 0:
            return True
        if by and left % by == 0 and 0 <= left // by <= S:
            return True
    return False


@pytest.mark.parametrize("seed", range(3))
def test_shared_ratings_are_found_again(seed):
    """From d_o and d_e of made-up ratings, one or two an item and city."""
    rng = np.random.default_rng(seed)
    items = 300
    times = rng.integers(1, 3, (items, 2))
    yes = rng.binomial(times, 0.2)
    a, b = (yes / times).T
    d_o = np.average(a * (1 - b) + b * (1 - a), weights=times.sum(axis=1))
    p, q = yes.sum(axis=0) / times.sum(axis=0)
    d_e = p * (1 - q) + q * (1 - p)
    rows = times.sum(axis=0)
    found = shared_ratings(repr(float(d_o)), repr(float(d_e)), list(rows))
    assert tuple(sorted(rows)) in found
    assert len(found) == 1


def test_shared_ratings_of_the_file():
    """Known of awe: 14,431 videos; the two numbers of README of the counts."""
    rows = [45751, 54516]
    cells = pd.read_csv(paths.IREP / "known_cells.csv", dtype="string")
    exact = cells[cells["statistic"].isin(["d_o", "d_e"])]
    awe, love = exact["value"][:2], exact["value"][2:]  # d_o and d_e of each
    assert shared_ratings(*awe, rows) == [(28469, 28768)]
    assert shared_ratings(*love, [45751, 26811]) == [(13931, 13966)]
    for d_o, d_e in (awe, love):
        assert round(1 - float(d_o) / float(d_e), 4) in (0.0817, 0.6042)


# Crowds -----------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_many_studies_at_once_are_the_librarys():
    """Values and intervals from nine counts, against those of listed judgments."""
    rng = np.random.default_rng(5)
    counts = crowds.studies(crowds.marked(0.3, 0.4, 0.7), 60, 20, rng)
    found = crowds.estimates(counts)
    ends = crowds.kappa_intervals(counts, 0.9)
    ends["Fieller"] = crowds.fieller(counts, 0.9)
    for k, one in enumerate(counts):
        x, y = crowds.of_counts(one)
        kappa_x, ratio = la.cross_kappa(x, y), la.normalized_cross_kappa(x, y)
        alphas = [la.krippendorff_alpha(r).value for r in (x, y)]
        values = [found.kappa_x[k], found.alpha_x[k], found.alpha_y[k]]
        assert values == pytest.approx([kappa_x.value, *alphas], abs=1e-12)
        assert found.normalized[k] == pytest.approx(ratio.value, nan_ok=True)
        for name, interval in (
            ("jackknife", kappa_x.interval(0.9, "jackknife")),
            ("items added", kappa_x.interval(0.9)),
            ("Fieller", ratio.interval(0.9, "fieller")),
        ):
            assert ends[name][:, k] == pytest.approx(interval, nan_ok=True)


def test_expected_values_are_those_of_very_many_items():
    kinds = crowds.marked(0.3, 0.5, 0.8)
    expected = crowds.expected(kinds)
    many = crowds.nine(kinds)[None] * 1e12
    found = crowds.estimates(many)
    for name in ("kappa_x", "normalized", "mean"):
        assert getattr(found, name)[0] == pytest.approx(expected[name], abs=1e-9)
    known = [0.3, 0.3, 0.5, 0.5, 0.8]
    assert expected[["p", "q", "irr_x", "irr_y", "rho"]].tolist() == pytest.approx(
        known
    )


# The stand-in -----------------------------------------------------------------

laws, targets = cache(stand_in.laws), cache(stand_in.targets)
SEEDS = range(8)


@pytest.fixture(scope="module")
def frames():
    return [stand_in.stand_in(seed) for seed in SEEDS]


def expected(law, statistic, pools):
    """What a label's law gives, from its cells by hand."""
    n, *m = (stand_in.YES[:, irep.CITIES.index(city)] for city in pools.split("-"))
    p = law @ n / 2
    if statistic == "prevalence":
        return p
    if statistic == "irr":
        return 1 - law[n == 1].sum() / (2 * p * (1 - p))
    q = law @ m[0] / 2
    unlike = law @ (n * (2 - m[0]) + m[0] * (2 - n)) / 4
    return 1 - unlike / (p + q - 2 * p * q)


def test_expected_irr_and_kappa_x_are_the_targets():
    assert len(targets()) == 31 * 9
    for row in targets().itertuples():
        value = expected(laws()[row.label], row.statistic, row.pools)
        assert value == pytest.approx(row.target, abs=1e-12), row


def test_laws_are_laws():
    for law in laws().values():
        assert law.shape == (27,)
        assert law.sum() == pytest.approx(1, abs=1e-12)
        assert law.min() >= 0


@pytest.mark.parametrize("label", ["awe", "love", "shame", "realization"])
def test_the_law_is_the_nearest_to_independent_cities(label):
    """Any other law with these moments is further in chi-square."""
    share = laws()[label]
    n = stand_in.YES
    alone = [[share[n[:, c] == k].sum() for k in range(3)] for c in range(3)]
    start = np.prod([np.array(alone[c])[n[:, c]] for c in range(3)], axis=0)
    rows = [np.ones(27), *(n == 1).T, *(n == 2).T]
    rows += [n[:, a] * n[:, b] for a, b in itertools.combinations(range(3), 2)]
    slope = (share - start) / start  # half the gradient of the distance
    steepest = optimize.linprog(slope, A_eq=rows, b_eq=rows @ share)
    assert steepest.status == 0
    assert steepest.fun > slope @ share - 1e-6


@cache
def by_name():
    return targets().set_index(["label", "statistic", "pools"])


def target(label, statistic, pools):
    return by_name().loc[(label, statistic, pools)]


def test_known_cells_are_targets():
    cells = stand_in.known_cells()
    cells = cells[cells["statistic"].isin(["irr", "kappa_x"])]
    assert len(cells) == 14
    for cell in cells.itertuples():
        row = target(cell.label, cell.statistic, cell.pools)
        assert row["target"] == pytest.approx(cell.value, abs=1e-12)
        assert not row["assumed"] and cell.origin in row["origin"]


@pytest.mark.parametrize(
    ("label", "pools", "normalized"),
    [
        ("awe", "Mexico-Budapest", 0.6872),
        ("sadness", "Mexico-Budapest", 0.9124),
        ("contentment", "Mexico-KualaLumpur", -0.0643),
    ],
)
def test_known_cells_give_the_normalized_ones(label, pools, normalized):
    a, b = (target(label, "irr", city)["target"] for city in pools.split("-"))
    kappa_x = target(label, "kappa_x", pools)["target"]
    assert round(kappa_x / np.sqrt(a * b), 4) == normalized


def test_irr_elsewhere_is_the_subsets_alpha():
    alpha = subset.pools()["alpha"]
    floors = []
    for row in targets()[targets()["statistic"] == "irr"].itertuples():
        if row.origin == stand_in.SUBSET:
            assert row.target == alpha[row.label, row.pools] > 0
        elif row.assumed:
            assert alpha[row.label, row.pools] <= 0
            of_pool = alpha.xs(row.pools, level="pool")
            raised = row.origin.endswith(stand_in.RAISED)
            assert raised == (row.label == "shame")
            floor = of_pool[of_pool > 0].min()
            assert row.target > floor if raised else row.target == floor
            floors.append((row.label, row.pools))
    assert floors == [
        ("embarrassment", "Mexico"),
        ("realization", "Mexico"),
        ("shame", "Mexico"),
        ("shame", "KualaLumpur"),
        ("shame", "Budapest"),
        ("unsure", "KualaLumpur"),
    ]


def test_the_aims_give_figure_7():
    """Pearson .99; no correlation of a label with an assumed IRR is above 1."""
    rows = []
    for label, (a, b) in itertools.product(irep.EMOTIONS, irep.PAIRS):
        kappa_x = target(label, "kappa_x", f"{a}-{b}")["target"]
        irr = [target(label, "irr", city) for city in (a, b)]
        p, q = (target(label, "prevalence", city)["target"] for city in (a, b))
        normalized = kappa_x / np.sqrt(irr[0]["target"] * irr[1]["target"])
        spread = np.sqrt(p * (1 - p) * q * (1 - q))
        rho = normalized * (p + q - 2 * p * q) / (2 * spread)
        rows.append([normalized, rho])
        if irr[0]["assumed"] or irr[1]["assumed"]:
            assert rho <= 1 + 1e-12
    assert round(np.corrcoef(*np.transpose(rows))[0, 1], 2) == 0.99


def product(label, a, b):
    """Correlation of two cities by those with International, from the counts."""
    pools, pairs = subset.pools(), subset.pairs().loc[label]
    alpha = pools["alpha"].unstack()
    irr = alpha.loc[label].where(alpha.loc[label] > 0, alpha[alpha > 0].min())
    p = pools.loc[label, "positives"] / 2130
    rho = 1.0
    for city in (a, b):
        discordant = pairs.loc[city, "discordant_pairs"] / 4260
        covariance = (p["International"] + p[city] - discordant) / 2
        covariance -= p["International"] * p[city]
        both = [city, "International"]
        sd = np.sqrt((irr * p * (1 - p))[both]).prod()
        rho *= np.clip(covariance / sd, -1, 1)
    return rho


@pytest.mark.parametrize(("a", "b"), irep.PAIRS)
def test_kappa_x_elsewhere_is_the_product_moved_into_the_bounds(a, b):
    others = []
    for label in irep.EMOTIONS:
        row = target(label, "kappa_x", f"{a}-{b}")
        home = label != "unsure"  # which nobody used in International
        rho = product(label, a, b) if home else np.median(others)
        others.append(rho)
        if row["origin"].startswith(stand_in.KNOWN):
            continue
        p, q = (target(label, "prevalence", city)["target"] for city in (a, b))
        irr = [target(label, "irr", city)["target"] for city in (a, b)]
        sd = np.sqrt(irr[0] * irr[1] * p * (1 - p) * q * (1 - q))
        free = 2 * rho * sd / (p + q - 2 * p * q)
        unlike = subset.discordant(label, a, b)
        ends = [1 - d / 4260 / (p + q - 2 * p * q) for d in unlike[::-1]]
        assert row["target"] == pytest.approx(np.clip(free, *ends), abs=1e-9)
        assert [row["low"], row["high"]] == pytest.approx(ends, abs=1e-12)
        one = unlike[0] == unlike[1]
        assert (row["origin"] == stand_in.ONE) == one and row["assumed"] != one
        if not one:
            moved = not ends[0] <= free <= ends[1]
            assert row["origin"].endswith(stand_in.MOVED) == moved
            start = stand_in.PRODUCT if home else stand_in.MEDIAN
            assert row["origin"].startswith(start)


def test_every_other_pair_of_cities_lies_within_what_the_subset_allows():
    pairs = targets()[targets()["statistic"] == "kappa_x"]
    known = pairs["origin"].str.startswith(stand_in.KNOWN)
    assert len(pairs) == 93 and known.sum() == 7
    rest = pairs[~known]
    assert rest["target"].between(rest["low"] - 1e-12, rest["high"] + 1e-12).all()
    assert targets().loc[targets()["statistic"] != "kappa_x", "low"].isna().all()


def test_contentments_pairs_have_the_order_of_the_subset():
    kx = {
        pair: target("contentment", "kappa_x", "-".join(pair))["target"]
        for pair in irep.PAIRS
    }
    real = {pair: subset.bounds("contentment", *pair) for pair in irep.PAIRS}
    order = sorted(kx, key=kx.get)
    assert order == sorted(real, key=real.get)
    for low, high in itertools.pairwise(order):
        assert real[low][1] < real[high][0]


def test_the_stand_in_has_ireps_shape(frames):
    for frame in frames[:2]:
        rows = frame["platform"].value_counts()
        assert rows["Budapest"] == 54516 and rows["Mexico"] == 45751
        assert rows["KualaLumpur"] == 26811 and rows["International"] == 0
        assert frame["item"].unique().tolist() == list(range(1, 38500))
        assert 31 * len(frame) == 3939418
        items = {
            city: set(frame.loc[frame["platform"] == city, "item"])
            for city in irep.CITIES
        }
        shared = items["Mexico"] & items["Budapest"]
        assert len(shared) == 14431
        on_shared = frame[frame["item"].isin(shared)].value_counts("platform")
        assert on_shared["Mexico"] == 28469 and on_shared["Budapest"] == 28768
        with_kl = items["Mexico"] & items["KualaLumpur"]
        on_shared = frame[frame["item"].isin(with_kl)].value_counts("platform")
        assert on_shared["Mexico"] == 13931 and on_shared["KualaLumpur"] == 13966
        assert len(with_kl) >= 6983
        assert len(items["KualaLumpur"] & shared) >= 1065
        assert (frame["error.other"] == 0).all()


def test_the_stand_in_reads_like_the_released_file(frames, tmp_path):
    frame = frames[0].head(3000)
    path = tmp_path / "stand_in.csv"
    written = frame.to_csv(index=False, lineterminator="\n")
    path.write_text(written.replace("item,", 'item_id",', 1), encoding="utf-8")
    pd.testing.assert_frame_equal(irep.read(path), frame)


def test_a_seed_gives_the_same_bytes(frames):
    again = stand_in.stand_in(SEEDS[1])
    pd.testing.assert_frame_equal(again, frames[1])
    assert not again.equals(frames[0])
    with pytest.raises(ValueError, match="seed must be a whole number"):
        stand_in.stand_in(-1)


def products(frame, label):
    """First and second rating of each item: (items, cities, 2), -1 where absent."""
    ratings = np.full((38499, 3, 2), -1, np.int8)
    for k, city in enumerate(irep.CITIES):
        here = frame[frame["platform"] == city]
        ratings[here["item"] - 1, k, here["rater"] - 1] = here[label]
    return ratings


def test_sampled_moments_are_binomial(frames):
    """Products of two ratings of an item are independent over items, 0 or 1.

    Tails as improbable as 4 standard errors, also where a label is rare.
    """
    level, tested = 2 * stats.norm.sf(4), 0
    for label, law in laws().items():
        ratings = products(frames[0], label)
        first = [ratings[:, k, 0] for k in range(3)]
        n = stand_in.YES
        pairs = [(first[k], ratings[:, k, 1], n[:, k] == 2) for k in range(3)]
        pairs += [(first[k], first[k] >= 0, n[:, k] / 2) for k in range(3)]
        for a, b in itertools.combinations(range(3), 2):
            pairs.append((first[a], first[b], n[:, a] * n[:, b] / 4))
        for x, y, chance in pairs:
            there = (x >= 0) & (y >= 0)
            both = int((x[there] & y[there]).sum())
            share = float(np.clip(law @ chance, 0, 1))
            p = stats.binomtest(both, int(there.sum()), share).pvalue
            assert p > level, (label, both)
            tested += 1
    assert tested == 31 * 9


def cross_kappa(x, y):
    """Eqs. 9 and 10 for ratings 0 and 1, (items, 2), -1 where absent."""
    n_x, n_y = (x >= 0).sum(1), (y >= 0).sum(1)
    both = (n_x > 0) & (n_y > 0)
    n_x, n_y, x, y = n_x[both], n_y[both], x[both] == 1, y[both] == 1
    a, b = x.sum(1) / n_x, y.sum(1) / n_y
    d_o = np.average(a + b - 2 * a * b, weights=n_x + n_y)
    p, q = x.sum() / n_x.sum(), y.sum() / n_y.sum()
    return 1 - d_o / (p + q - 2 * p * q)


def test_averages_over_seeds_meet_the_known_cells(frames):
    far = stats.t.isf(stats.norm.sf(4), len(SEEDS) - 1)
    known = targets()[targets()["origin"].str.startswith(stand_in.KNOWN)]
    assert len(known) == 14
    for row in known.itertuples():
        if row.statistic == "irr":
            values = [
                la.cohen_kappa(irep.replication(f, row.label, row.pools)).value
                for f in frames
            ]
        else:
            a, b = (irep.CITIES.index(city) for city in row.pools.split("-"))
            found = [products(f, row.label) for f in frames]
            values = [cross_kappa(r[:, a], r[:, b]) for r in found]
        error = np.std(values, ddof=1) / np.sqrt(len(values))
        assert abs(np.mean(values) - row.target) < far * error, row
        assert error < 0.01
