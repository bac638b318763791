"""Against irrCAC 0.4.4, from tests/data/irrcac.json (`make irrcac` writes it anew).

With missing judgments only Krippendorff's alpha is the same coefficient there (and
kappa of the items that both raters judged); see "about" in the file. irrCAC's
standard errors are linearised and ours are jackknifed: they differ in the order of
1 / items.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import labelaudit as la

SETS = json.loads(
    (Path(__file__).parents[1] / "data" / "irrcac.json").read_text(encoding="utf-8")
)["sets"]
NOMINAL = {
    "fleiss": la.fleiss_kappa,
    "conger": la.janson_olsson_iota,
    "gwet": la.gwet_ac1,
    "krippendorff": la.krippendorff_alpha,
    "bp": la.bennett_s,
    "cohen": la.cohen_kappa,
    "scott": la.scott_pi,
}
WEIGHTED = {
    "conger": la.janson_olsson_iota,
    "krippendorff": la.krippendorff_alpha,
    "cohen": la.weighted_kappa,
}
COMPLETE_ONLY = {"fleiss", "conger", "gwet", "bp"}


def ratings(found):
    labels, data = found["labels"], found["data"]
    if found["kind"] == "counts":
        return la.Ratings.from_counts(data, labels=labels)
    if found["kind"] == "table":
        data = [
            [labels[i], labels[k]]
            for i, row in enumerate(data)
            for k, count in enumerate(row)
            for _ in range(count)
        ]
    return la.Ratings.from_matrix(data, labels=labels)


def cases():
    for name, found in SETS.items():
        for weighting, peers in found["coefficients"].items():
            for peer in peers:
                if found["complete"] or peer not in COMPLETE_ONLY:
                    yield name, weighting, peer


@pytest.mark.filterwarnings("ignore:the matrix has")
@pytest.mark.parametrize(("name", "weighting", "peer"), list(cases()))
def test_irrcac(name, weighting, peer):
    found = SETS[name]
    theirs = found["coefficients"][weighting][peer]
    r = ratings(found)
    if weighting == "identity":
        a = NOMINAL[peer](r)
    elif peer in WEIGHTED:
        a = WEIGHTED[peer](r, 1 - np.array(found["weights"][weighting], dtype=float))
    else:
        pytest.skip("Fleiss' kappa with weights is not in this library")
    assert a.value == pytest.approx(theirs["value"], abs=1e-10)
    if a.n_items >= 50 and theirs["se"]:
        assert a.standard_error == pytest.approx(theirs["se"], rel=0.05)
    elif theirs["se"]:
        assert a.standard_error == pytest.approx(theirs["se"], rel=0.3)


def test_there_are_cases():
    assert len(list(cases())) > 100
