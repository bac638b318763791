"""Commands as one types them, in a folder with batches and ratings."""

import shutil
from functools import partial

import numpy as np
import pandas as pd
import pytest

import typed

LABELS = ["fine", "rude", "threat"]
SIZES = {"week1": 300, "week2": 200, "week3": 300}


@pytest.fixture
def refused(call):
    """The call is wrong, is answered with these words, and leaves no file."""
    return partial(typed.refused, call)


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """Three weeks of labels: a file each, and one of all; and some ratings."""
    made = tmp_path_factory.mktemp("files")
    random, weeks = np.random.default_rng(4), []
    for name, size in SIZES.items():
        frame = pd.DataFrame({"item": [f"{name[-1]}-{i:03d}" for i in range(size)]})
        frame["label"] = random.choice(LABELS, size, p=[0.7, 0.2, 0.1])
        frame["source"] = random.choice(["a", "b", ""], size)
        frame["note"] = np.resize(["1", "01", "0"], size)
        frame.to_csv(made / f"{name}.csv", index=False)
        weeks.append(frame.assign(week=f"week {name[-1]}"))
    pd.concat(weeks).to_csv(made / "all.csv", index=False)
    (made / "tiny.csv").write_bytes(b"item\n1\n2\n3\n")
    (made / "r.csv").write_bytes(b"item,a,b,tom\n1,x,x,x\n2,x,y,y\n3,y,y,y\n")
    return made


@pytest.fixture
def folder(files, tmp_path, monkeypatch):
    """A copy of them, in which commands run."""
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def file(folder):
    """Writes a file of ratings; its name."""

    def write(*lines, name="ratings.csv"):
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
        return name

    return write


@pytest.fixture
def agreed(told):
    return lambda line, *more: told(f"agree {line}", *more)


@pytest.fixture
def judged(folder, told):
    """600 items with a judge's word, the truth, and who labelled them; s.csv of them.

    The items are in items.csv; given are they by their names, and what estimate told.
    """
    random = np.random.default_rng(2)
    wrong = random.random(600) < 0.1
    called = np.where(wrong, random.random(600) < 0.8, random.random(600) < 0.05)
    frame = pd.DataFrame({"item": [f"i{k}" for k in range(600)]})
    frame["by"] = random.choice(["ann", "bob", ""], 600, p=[0.6, 0.37, 0.03])
    frame["model"] = np.where(called, "TRUE", "FALSE")
    frame.to_csv("items.csv", index=False)
    ask = "--half-width .05 --items items.csv --judge model=TRUE --seed 5 --sheet s.csv"
    return frame.assign(wrong=wrong).set_index("item"), told(f"estimate {ask}")
