"""Against irrCAC 0.4.4, from tests/data/irrcac.json (`make peers` writes it anew).

With missing judgments Krippendorff's alpha is the same coefficient there (and kappa
of the items that both raters judged), and others are with items alike; see "about" in
the file. irrCAC's
standard errors are linearised and ours are jackknifed: they differ in the order of
1 / items. Fleiss' kappa with weights is not in this library.
"""

import json

import numpy as np
import pytest

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import ratings
from known import DATA

SETS = json.loads((DATA / "irrcac.json").read_text(encoding="utf-8"))["sets"]
NOMINAL = {
    "fleiss": la.fleiss_kappa,
    "conger": la.janson_olsson_iota,
    "gwet": la.gwet_ac1,
    "krippendorff": la.krippendorff_alpha,
    "bp": la.bennett_s,
    "cohen": la.cohen_kappa,
    "scott": la.scott_pi,
}
WEIGHTED = NOMINAL | {"gwet": la.gwet_ac2, "cohen": la.weighted_kappa}
COMPLETE_ONLY = {"fleiss", "conger", "gwet", "bp"}


def made(found):
    labels, data = found["labels"], found["data"]
    if found["kind"] == "counts":
        return la.Ratings.from_counts(data, labels=labels)
    if found["kind"] == "table":
        return ratings(oracles.from_table(data, labels), labels)
    return la.Ratings.from_matrix(data, labels=labels)


def cases(kind):
    for name, found in SETS.items():
        complete = found["complete"] or kind == "items alike"
        for weighting, peers in found[kind].items():
            for peer in peers:
                known = weighting == "identity" or peer not in ("fleiss", "scott")
                if known and (complete or peer not in COMPLETE_ONLY):
                    yield kind, name, weighting, peer


CASES = [[*cases(kind)] for kind in ("coefficients", "items alike")]


@pytest.mark.filterwarnings("ignore:the matrix has")
@pytest.mark.filterwarnings("ignore:.*dropped")
@pytest.mark.parametrize(("kind", "name", "weighting", "peer"), CASES[0] + CASES[1])
def test_irrcac(kind, name, weighting, peer):
    found = SETS[name]
    theirs, r = found[kind][weighting][peer], made(found)
    options = {"weigh": "items"} if kind == "items alike" else {}
    call = NOMINAL[peer]
    if weighting != "identity":
        call = WEIGHTED[peer]
        options["distance"] = 1 - np.array(found["weights"][weighting], dtype=float)
    a = call(r, **options)
    assert a.value == pytest.approx(theirs["value"], abs=1e-10)
    if theirs["se"]:
        near = 0.05 if a.n_items >= 50 else 0.3
        assert a.standard_error == pytest.approx(theirs["se"], rel=near)


def test_there_are_cases():
    assert len(CASES[0]) > 100 and len(CASES[1]) > 40
