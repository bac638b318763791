"""What several tests of agreement need: ratings from judgments, and warnings."""

import re
import warnings

import pandas as pd
import pytest

import labelaudit as la


def ratings(judgments, labels=None):
    """Ratings from a list of (item, rater, label)."""
    frame = pd.DataFrame(judgments, columns=["item", "rater", "label"])
    return la.Ratings.from_long(frame, labels=labels)


def quietly(call, *args, **kwargs):
    """A call that may warn, of few items or a value that is undefined, say."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return call(*args, **kwargs)


def refused(call, *args, names, **kwargs):
    """The call is a ValueError whose message has every one of `names`."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call(*args, **kwargs)
    message = str(caught.value)
    for name in names:
        assert re.search(rf"(?<!\w){re.escape(str(name))}(?!\w)", message), message
