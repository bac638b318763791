"""What several tests of agreement need: ratings from judgments, checks, warnings."""

import warnings
from math import isnan

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la

COLUMNS = ["item", "rater", "label"]
PARTS = "observed", "expected", "observed_disagreement", "expected_disagreement"


def ratings(judgments, labels=None, clusters=None):
    """Ratings from a list of (item, rater, label), and {item: cluster}."""
    frame = pd.DataFrame(judgments, columns=COLUMNS)
    if clusters is None:
        return la.Ratings.from_long(frame, labels=labels)
    frame["document"] = frame["item"].map(clusters)
    return la.Ratings.from_long(frame, labels=labels, cluster="document")


def long(rows):
    """A row for each judgment in a matrix; items and raters numbered from 0."""
    return pd.DataFrame(oracles.from_rows(rows), columns=COLUMNS, dtype=object)


def wide(judgments):
    """A frame of items by raters, None where a judgment is missing."""
    frame = pd.DataFrame(judgments, columns=COLUMNS, dtype=object)
    table = frame.pivot(index="item", columns="rater", values="label")
    return table.astype(object).where(table.notna(), None)


def counts(judgments, labels):
    """A frame of judgments per item and label."""
    items = oracles.by_item(judgments)
    table = [[sum(n for (_, c), n in item.items() if c == label) for label in labels]
             for item in items.values()]  # fmt: skip
    return pd.DataFrame(table, [*items], labels)


def of_counts(judgments, labels):
    """Who judged is lost."""
    return la.Ratings.from_counts(counts(judgments, labels))


def quietly(call, *args, **kwargs):
    """A call that may warn, of few items or a value that is undefined, say."""
    return warned(call, *args, **kwargs)[0]


def warned(call, *args, **kwargs):
    """(what the call returns, the messages of its warnings)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call(*args, **kwargs)
    assert all(w.category is UserWarning for w in caught)
    return found, [str(w.message) for w in caught]


def parts(found):
    """As oracles.parts."""
    return [getattr(found, name) for name in PARTS]


def close(value):
    """What double precision leaves of sums over a hundred pairs."""
    return pytest.approx(value, rel=1e-11, abs=1e-11, nan_ok=True)


def floats(values):
    """Fractions as numbers, None as NaN."""
    return [float("nan" if value is None else value) for value in values]


def same(a, b):
    """Two Agreements have the same numbers."""
    for get in (parts, lambda a: [a.value, a.standard_error, a.n_items, a.n_ratings]):
        assert quietly(get, a) == close(quietly(get, b))
    assert quietly(a.interval) == close(quietly(b.interval))


def check(call, exact, left, agrees=True, items=None):
    """An Agreement against brute force: the whole, and what is left without an item.

    Where brute force has None, NaN and a warning. The Agreement, or None. Of how many
    `items` some took no part is said.
    """
    found, told = warned(call)
    if items:
        said = f"{items - exact.n_items} of {items} items dropped"
        assert (said in found.dropped) == (exact.n_items < items)
    assert isinstance(found, la.Agreement)
    assert (found.n_items, found.n_ratings) == (exact.n_items, exact.n_ratings)
    assert any("undefined" in message for message in told) == (exact.value is None)
    if exact.value is None:
        assert isnan(found.value) and isnan(float(found)) and found.undefined
        return None
    assert float(found) == found.value == close(float(exact.value))
    assert parts(found) == close(oracles.parts(exact, agrees))
    times = quietly(found.per_item).get("times", 1)  # of patterns
    without = np.sort(np.repeat(found.without, times))
    assert without == close(np.sort(floats(left.values())))
    check_error(found, oracles.jackknife(left.values()))
    return found


def check_error(found, error):
    if error is None:
        with pytest.warns(UserWarning, match="standard error"):
            assert isnan(found.standard_error)
    else:
        assert found.standard_error == pytest.approx(error, rel=1e-9, abs=1e-11)
