"""One label for each item, written so that it is read back as gold labels."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from .._words import in_order, text, warn, whole
from ..agreement.latent import dawid_skene
from ..agreement.ratings import Ratings
from ..files.cells import members
from ..reports.saying import say

LEAST = 3  # judgments of the median rater for each label; ours
DIGITS = 6  # of a probability: no labels tell more of one


def consensus(r: Ratings, item: Sequence[str], sets: str | None) -> pd.DataFrame:
    """Each item's most likely label, its probability, and that of every label.

    item : the columns that name an item together
    sets : what separates the labels of a set
    """
    if r.raters is None:
        raise ValueError(say("no_consensus"))
    j, labels = r.judgments, len(r.labels)
    judgments = np.bincount(j.rater, j.count * r.standing[j.item])
    half = np.median(judgments[judgments > 0])
    if half < LEAST * labels:
        warn(say("consensus_of_few", half=half, labels=labels, least=LEAST))
    fit = dawid_skene(r, tolerance=1e-6)
    columns: dict[str, Any] = {"item": r.items}
    if len(item) > 1:
        columns = dict(zip(item, zip(*r.items)))
    columns["label"] = [written(label, sets) for label in fit.most_likely]
    names = ["probability", *(written(label, sets) for label in r.labels)]
    shares = np.column_stack([fit.posterior.max(axis=1), fit.posterior])
    table = pd.DataFrame(shares, columns=names).map(
        lambda p: np.format_float_positional(round(p, DIGITS), trim="-")
    )
    return pd.concat([pd.DataFrame(columns), table], axis=1)


def written(label: Any, sets: str | None) -> str:
    """A label as a file has it: a set with what separates its labels, or as a list of
    JSON where that would be read as another set, or as no judgment.

    >>> from labelaudit.commands.consensus import written
    >>> written(frozenset("ba"), "|"), written(frozenset(), "|"), written(2.0, None)
    ('a|b', '[]', '2')
    """
    if sets is None:
        return text(whole(label))
    joined = sets.join(in_order(label))
    same = bool(joined) and members(joined, sets) == label
    return joined if same else json.dumps(in_order(label), ensure_ascii=False)
