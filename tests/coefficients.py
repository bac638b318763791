"""Every coefficient, with its distance, as tests call it and as oracles compute it."""

from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

import agreement_oracles as oracles
import labelaudit as la
from agreement_helpers import counts, of_counts, quietly, ratings, wide
from replications import two

LABELS = [1, 2, 4, 7]  # unevenly spaced
SETS = [frozenset(), frozenset("b"), frozenset("ab"), frozenset("abcd")]
TABLE = [[0, 0.25, 1, 0.5], [0.25, 0, 0.5, 1], [1, 0.5, 0, 0.75], [0.5, 1, 0.75, 0]]
FAR = [[0, 1, 0.5, 2], [1, 0, 3, 1], [0.5, 3, 0, 0.25], [2, 1, 0.25, 0]]
DISTANCES = {
    "linear": oracles.by_place(LABELS, 1),
    "quadratic": oracles.by_place(LABELS, 2),
    "matrix": oracles.matrix(LABELS, TABLE),
    "frame": oracles.matrix(LABELS, FAR),
    "far": lambda a, b: 3 * abs(a - b),
}
GIVEN = {
    "matrix": np.array(TABLE),
    "frame": pd.DataFrame(FAR, LABELS, LABELS),
    "far": lambda a, b: 3.0 * abs(a - b),
}
NO_AGREEMENT = "ordinal", "interval", "far", "frame"  # values above 1
OF_TWO = "scott_pi", "cohen_kappa", "weighted_kappa"
CROSS, SUGGESTED = "cross_kappa", "dipietro_hazari_kappa"
WITH_REST = "bennett_s", "gwet_ac1", "gwet_ac2"  # by label: this one and the rest


def shown(item):
    """The label that was suggested for an item."""
    return LABELS[int(item[5:]) ** 2 % 3]


class Coefficient(NamedTuple):
    name: str
    distance: str = "nominal"
    weigh: str = "judgments"

    def __str__(self):
        return " ".join(self)

    @property
    def labels(self):
        return SETS if self.distance in ("jaccard", "masi") else LABELS

    @property
    def agrees(self):
        return self.distance not in NO_AGREEMENT

    @property
    def part(self):
        """Of judgments, those that take part."""
        return oracles.crossing if self.name == CROSS else oracles.kept

    def judgments(self, seed, n_items, n_raters, n_labels, missing=0.0):
        """By two raters, or by as many, and of one item by one more."""
        n_raters = 2 if self.name in OF_TWO else n_raters
        labels = self.labels[:n_labels]
        found = oracles.random_judgments(seed, n_items, n_raters, labels, missing)
        if self.name == CROSS:  # which half of the raters are in
            names = {f"rater {k}": f"{'yx'[k % 2]} {k}" for k in range(n_raters)}
            return [(item, names[rater], label) for item, rater, label in found]
        if seed == 2 and n_raters > 2:
            found.append(("item 3", "rater 9", labels[1]))
        return found

    def far(self, judgments):
        """The distance of two labels; ranks are those of the judgments."""
        if self.distance == "ordinal":
            return oracles.ordinal(self.part(judgments), LABELS)
        return DISTANCES.get(self.distance) or getattr(oracles, self.distance)

    def exact(self, judgments):
        """What computes it of judgments as these."""
        if self.name == SUGGESTED:
            told = {item: shown(item) for item, _, _ in judgments}
            return partial(oracles.dipietro_hazari, suggested=told)
        far = self.far(judgments)
        return lambda rest: oracles.agreement(
            self.name, rest, far, self.labels, self.weigh
        )

    def left(self, judgments):
        compute = self.exact(judgments)
        suggested = {item: shown(item) for item, _, _ in judgments}
        seen = suggested if self.name == SUGGESTED else None
        return oracles.leave_one_out(
            lambda rest: compute(rest).value, judgments, self.part, seen
        )

    def call(self, *of):
        options = {} if self.weigh == "judgments" else {"weigh": self.weigh}
        if self.distance != "nominal" or self.name in ("gwet_ac2", "weighted_kappa"):
            options["distance"] = GIVEN.get(self.distance, self.distance)
        return getattr(la, self.name)(*of, **options)

    def given(self, judgments, build=ratings, **more):
        """What it is called with."""
        if self.name == CROSS:
            return two(judgments, LABELS, partial(build, **more))
        r = build(judgments, self.labels, **more)
        told = pd.Series({item: shown(item) for item in r.items})[::-1]
        return [r, told] if self.name == SUGGESTED else [r]

    def doors(self, judgments):
        """The same judgments in every way in."""
        anonymous = self.name not in (*OF_TWO, "janson_olsson_iota")
        for build in [ratings, of_counts] if anonymous else [ratings]:
            given = self.given(judgments, build)
            yield given
            if self.name == CROSS:
                yield given[::-1]
            if self.name == SUGGESTED:
                yield [given[0], [*given[1][::-1]]]
        if self.name in (CROSS, SUGGESTED):
            return
        table = wide(judgments)
        yield [quietly(la.Ratings.from_matrix, table, self.labels)]
        rows = table.to_numpy().tolist()
        kinds = [list(kind) for kind in dict.fromkeys(map(tuple, rows))]
        times = [*map(rows.count, kinds), 0]  # of one that no item has
        kinds.append([self.labels[-1]] * len(rows[0]))
        yield [quietly(la.Ratings.from_patterns, kinds, times, self.labels)]
        if anonymous:
            each = counts(judgments, self.labels).value_counts()
            kinds = [*map(list, each.index)]
            yield [la.Ratings.from_patterns(kinds, each, self.labels, raters=False)]


BY_PLACE = "nominal", "linear", "quadratic", "matrix"
BY_VALUE = "ordinal", "interval", "ratio", "far"
WEIGHED = "bennett_s", "gwet_ac2", "janson_olsson_iota", "fleiss_kappa"
OF_SETS = [Coefficient("krippendorff_alpha", name) for name in ("jaccard", "masi")]
COEFFICIENTS = [
    *map(Coefficient, ("scott_pi", "cohen_kappa", "gwet_ac1")),
    *(Coefficient("weighted_kappa", distance) for distance in BY_PLACE[1:]),
    *(Coefficient("krippendorff_alpha", d) for d in ("nominal", "matrix", *BY_VALUE)),
    *(Coefficient("janson_olsson_iota", d) for d in BY_VALUE),
    *(
        Coefficient(name, distance, weigh)
        for name in WEIGHED
        for distance in (BY_PLACE if name in WITH_REST else BY_PLACE[:1])
        for weigh in ("judgments", "items")
    ),
    Coefficient("janson_olsson_iota", "matrix", "items"),
]
OTHERS = [
    Coefficient(SUGGESTED),
    *(Coefficient(CROSS, d) for d in ("nominal", "matrix", "frame", *BY_VALUE)),
]
ALL = [*COEFFICIENTS, *OTHERS, *OF_SETS]
