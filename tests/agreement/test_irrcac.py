"""Against irrCAC 0.4.4, from tests/data/irrcac.json (`make irrcac` writes it anew).

With missing judgments Krippendorff's alpha is the same coefficient there (and kappa
of the items that both raters judged), and others are with items alike; see "about" in
the file. irrCAC's
standard errors are linearised and ours are jackknifed: they differ in the order of
1 / items. Fleiss' kappa with weights is not in this library.
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
    "gwet": la.gwet_ac2,
    "bp": la.bennett_s,
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


def computed(r, peer, weights, **options):
    """Our coefficient of this name there; weights None: nominal."""
    if weights is None:
        return NOMINAL[peer](r, **options)
    distance = 1 - np.array(weights, dtype=float)
    if peer == "bp":
        return la.bennett_s(r, distance=distance, **options)
    return WEIGHTED[peer](r, distance, **options)


def cases():
    for name, found in SETS.items():
        for weighting, peers in found["coefficients"].items():
            for peer in peers:
                known = weighting == "identity" or peer in WEIGHTED
                if known and (found["complete"] or peer not in COMPLETE_ONLY):
                    yield name, weighting, peer


@pytest.mark.filterwarnings("ignore:the matrix has")
@pytest.mark.parametrize(("name", "weighting", "peer"), list(cases()))
def test_irrcac(name, weighting, peer):
    found = SETS[name]
    theirs = found["coefficients"][weighting][peer]
    r = ratings(found)
    weights = None if weighting == "identity" else found["weights"][weighting]
    a = computed(r, peer, weights)
    assert a.value == pytest.approx(theirs["value"], abs=1e-10)
    if a.n_items >= 50 and theirs["se"]:
        assert a.standard_error == pytest.approx(theirs["se"], rel=0.05)
    elif theirs["se"]:
        assert a.standard_error == pytest.approx(theirs["se"], rel=0.3)


def alike():
    for name, found in SETS.items():
        for weighting, peers in found["items alike"].items():
            for peer in peers:
                if weighting == "identity" or peer in WEIGHTED:
                    yield name, weighting, peer


@pytest.mark.filterwarnings("ignore:the matrix has")
@pytest.mark.filterwarnings("ignore:.*dropped")
@pytest.mark.parametrize(("name", "weighting", "peer"), list(alike()))
def test_irrcac_with_items_alike(name, weighting, peer):
    found = SETS[name]
    weights = None if weighting == "identity" else found["weights"][weighting]
    a = computed(ratings(found), peer, weights, weigh="items")
    theirs = found["items alike"][weighting][peer]
    assert a.value == pytest.approx(theirs["value"], abs=1e-10)
    if theirs["se"]:
        near = 0.05 if a.n_items >= 50 else 0.3
        assert a.standard_error == pytest.approx(theirs["se"], rel=near)


def test_there_are_cases():
    assert len(list(cases())) > 100
    assert len(list(alike())) > 40
