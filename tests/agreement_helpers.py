"""What several tests of agreement need: ratings from judgments, checks, warnings."""

import re
import warnings
from math import isnan

import numpy as np
import pandas as pd
import pytest

import agreement_oracles as oracles
import labelaudit as la

PARTS = "observed", "expected", "observed_disagreement", "expected_disagreement"


def ratings(judgments, labels=None):
    """Ratings from a list of (item, rater, label)."""
    frame = pd.DataFrame(judgments, columns=["item", "rater", "label"])
    return la.Ratings.from_long(frame, labels=labels)


def quietly(call, *args, **kwargs):
    """A call that may warn, of few items or a value that is undefined, say."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return call(*args, **kwargs)


def warned(call, *args, **kwargs):
    """(what the call returns, the messages of its warnings)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call(*args, **kwargs)
    assert all(w.category is UserWarning for w in caught)
    return found, [str(w.message) for w in caught]


def refused(call, *args, names, **kwargs):
    """The call is a ValueError whose message has every one of `names`."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call(*args, **kwargs)
    message = str(caught.value)
    for name in names:
        assert re.search(rf"(?<!\w){re.escape(str(name))}(?!\w)", message), message


def parts(found):
    """As oracles.parts."""
    return [getattr(found, name) for name in PARTS]


def close(value):
    """What double precision leaves of sums over a hundred pairs."""
    return pytest.approx(value, rel=1e-11, abs=1e-11, nan_ok=True)


def floats(values):
    """Fractions as numbers, None as NaN."""
    return [float("nan" if value is None else value) for value in values]


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
