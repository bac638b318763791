"""A stand-in for the IRep data: generated, of its shape, calibrated to what is known.

It is not IRep. Given an item, raters are independent; in city c an item gets a
label with probability P_c, which has two values: high where the item is marked
for the city's raters, else low. With Z_c = 1 for a marked item,

    P_c = p_c + sd_c (Z_c - pi_c) / sqrt(pi_c (1 - pi_c)),  pi_c = E Z_c,

has mean p_c and standard deviation sd_c = sqrt(IRR_c p_c (1 - p_c)), and P_a, P_b
correlate as Z_a, Z_b. So the IRR expected in a city is IRR_c, and kappa_x is

    kappa_x(a, b) = 2 Cov(P_a, P_b) / (p_a + p_b - 2 p_a p_b).

The three Z make eight classes of items; their shares follow from pi and the three
correlations, up to the share of items marked in all three cities, which is put
in the middle of its range. Labels are independent of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labelaudit import _checks

from ..machinery import paths
from . import subset
from .irep import CITIES, EMOTIONS, LABELS, PAIRS, PLATFORMS, tidy

Array = NDArray[Any]

PAIR_NAMES = tuple("-".join(pair) for pair in PAIRS)
FIRST, SECOND = np.array([[CITIES.index(c) for c in pair] for pair in PAIRS]).T

KNOWN = "known_cells.csv: "
SUBSET = "subset counts"
FLOOR = "smallest positive alpha of the pool, for an alpha of 0 or less"
PRODUCT = "product of both cities' correlations with International"
MEDIAN = "median of the other labels' products, for want of one"
CUT = "; cut to what two pools can have"


@dataclass(frozen=True)
class Law:
    """The joint law of P = (P_Mexico, P_KualaLumpur, P_Budapest) for one label.

    share: (8,) of the items in each class; P: (8, 3), order of CITIES.
    """

    share: Array
    P: Array

    @property
    def prevalence(self) -> Array:
        """E P, (3,)."""
        return self.share @ self.P

    @property
    def covariance(self) -> Array:
        """Cov(P_a, P_b), (3, 3)."""
        apart = self.P - self.prevalence
        return (self.share[:, None] * apart).T @ apart

    @property
    def irr(self) -> Array:
        """The kappa of two raters of one city, (3,)."""
        p = self.prevalence
        return np.diag(self.covariance) / (p * (1 - p))

    @property
    def kappa_x(self) -> Array:
        """Of each two cities, (3, 3)."""
        p = self.prevalence
        return 2 * self.covariance / (p[:, None] + p - 2 * np.outer(p, p))


def known_cells() -> pd.DataFrame:
    """Cells of the paper's tables that are known, with their origin."""
    return pd.read_csv(paths.IREP / "known_cells.csv", dtype={"label": "string"})


# What is aimed at -------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What each label is to have; rows are EMOTIONS.

    p, irr: prevalence and IRR, (labels, 3) in the order of CITIES. pi: share of
    marked items, (labels, 3). rho: correlation of P_a and P_b, (labels, 3) in the
    order of PAIRS. irr_origin, rho_origin: where irr and rho come from.
    """

    p: Array
    irr: Array
    pi: Array
    rho: Array
    irr_origin: Array
    rho_origin: Array

    @property
    def sd(self) -> Array:
        return np.sqrt(self.irr * self.p * (1 - self.p))

    @property
    def kappa_x(self) -> Array:
        p, q = self.p[:, FIRST], self.p[:, SECOND]
        covariance = self.rho * self.sd[:, FIRST] * self.sd[:, SECOND]
        return 2 * covariance / (p + q - 2 * p * q)


def targets() -> pd.DataFrame:
    """What the stand-in is calibrated to.

    Returns
    -------
    DataFrame
        label; statistic (prevalence, irr, kappa_x); pools ("Mexico", or two
        joined by "-"); target; origin; assumed: whether nothing that was
        published about this label and these pools fixes it.
    """
    plan = planned()
    everywhere = np.full(plan.p.shape, SUBSET, object)
    parts = []
    for statistic, names, value, origin in (
        ("prevalence", CITIES, plan.p, everywhere),
        ("irr", CITIES, plan.irr, plan.irr_origin),
        ("kappa_x", PAIR_NAMES, plan.kappa_x, plan.rho_origin),
    ):
        part = pd.DataFrame(
            {
                "label": np.repeat(EMOTIONS, 3),
                "statistic": statistic,
                "pools": np.tile(names, len(EMOTIONS)),
                "target": value.ravel(),
                "origin": origin.ravel(),
            }
        )
        parts.append(part)
    table = pd.concat(parts, ignore_index=True)
    given = table["origin"].str.startswith(KNOWN) | (table["origin"] == SUBSET)
    return table.assign(assumed=~given)


def planned() -> Plan:
    """The targets, from the known cells, else the subset, else by assumption."""
    counts = subset.pools()
    p = counts["prevalence"].unstack().loc[list(EMOTIONS)]
    alpha = counts["alpha"].unstack().loc[list(EMOTIONS)]
    floored = alpha.where(alpha > 0, alpha[alpha > 0].min(), axis=1)
    rho, rho_origin = _products(p, floored)
    cities = list(CITIES)
    p, irr = p[cities].to_numpy(), floored[cities].to_numpy().copy()
    irr_origin = np.where(alpha[cities] > 0, SUBSET, FLOOR).astype(object)
    cells = known_cells().set_index("statistic")
    for cell in cells.loc["irr"].itertuples():
        at = EMOTIONS.index(cell.label), CITIES.index(cell.pools)
        irr[at], irr_origin[at] = cell.value, KNOWN + cell.origin
    sd = np.sqrt(irr * p * (1 - p))
    for cell in cells.loc["kappa_x"].itertuples():
        at = k, pair = EMOTIONS.index(cell.label), PAIR_NAMES.index(cell.pools)
        a, b = FIRST[pair], SECOND[pair]
        rho[at] = _rho(cell.value, p[k, a], p[k, b], sd[k, a], sd[k, b])
        rho_origin[at] = KNOWN + cell.origin
    pi = _marked(p, irr, rho)
    least, most = _range(pi)
    cut = np.where(np.isin(rho_origin, [PRODUCT, MEDIAN]), rho.clip(least, most), rho)
    rho_origin[abs(cut - rho) > 1e-9] += CUT
    return Plan(p, irr, pi, cut, irr_origin, rho_origin)


def _rho(kappa_x: Any, p: Any, q: Any, sd_p: Any, sd_q: Any) -> Any:
    """The disattenuated correlation, of P_a and P_b, from kappa_x."""
    return kappa_x * (p + q - 2 * p * q) / (2 * sd_p * sd_q)


def _products(p: pd.DataFrame, irr: pd.DataFrame) -> tuple[Array, Array]:
    """Correlations of two cities by those with International, and their origin."""
    sd = np.sqrt(irr * p * (1 - p))
    kappa_x = subset.pairs()["kappa_x"].unstack().loc[p.index]
    home = "International"
    used = p[home] > 0
    with_home = np.column_stack(
        [_rho(kappa_x[c], p[home], p[c], sd[home], sd[c]).where(used) for c in CITIES]
    ).clip(-1, 1)
    rho = with_home[:, FIRST] * with_home[:, SECOND]
    unknown = np.isnan(rho)
    rho = np.where(unknown, np.nanmedian(rho, axis=0), rho)
    return rho, np.where(unknown, MEDIAN, PRODUCT).astype(object)


def _marked(p: Array, irr: Array, rho: Array) -> Array:
    """Shares of marked items.

    P_c stays in [0, 1] where the odds of pi_c lie from IRR odds(p_c) to odds(p_c)
    / IRR. P_a and P_b can correlate fully only where pi_a = pi_b, so the three are
    as near to each other as that allows; but pi = p for a label with a negative
    correlation, which cannot be below -sqrt(odds(pi_a) odds(pi_b)).
    """
    odds = p / (1 - p)
    middle = np.exp(np.log(odds).mean(axis=1, keepdims=True))
    near = np.clip(middle, irr * odds, odds / irr)
    near = np.where((rho < 0).any(axis=1, keepdims=True), odds, near)
    return near / (1 + near)


def _range(pi: Array) -> tuple[Array, Array]:
    """Least and greatest correlation of Z_a and Z_b."""
    a, b = pi[:, FIRST], pi[:, SECOND]
    scale = np.sqrt(a * (1 - a) * b * (1 - b))
    least = np.maximum(a + b - 1, 0) - a * b
    return least / scale, (np.minimum(a, b) - a * b) / scale


def laws() -> dict[str, Law]:
    """The law of each of the 31 labels."""
    plan = planned()
    parts = zip(EMOTIONS, plan.p, plan.sd, plan.pi, plan.rho)
    return {label: _law(*part) for label, *part in parts}


def _law(p: Array, sd: Array, pi: Array, rho: Array) -> Law:
    """Eight classes of items, by (Z_Mexico, Z_KualaLumpur, Z_Budapest)."""
    spread = np.sqrt(pi * (1 - pi))
    a, b, c = pi
    joint = pi[FIRST] * pi[SECOND] + rho * spread[FIRST] * spread[SECOND]
    ab, ac, bc = joint.clip(0, np.minimum(pi[FIRST], pi[SECOND]))  # from rounding
    union = a + b + c - ab - ac - bc
    least = max(0.0, ab + ac - a, ab + bc - b, ac + bc - c)
    abc = (least + min(ab, ac, bc, 1 - union)) / 2
    share = {
        (0, 0, 0): 1 - union - abc,
        (0, 0, 1): c - ac - bc + abc,
        (0, 1, 0): b - ab - bc + abc,
        (0, 1, 1): bc - abc,
        (1, 0, 0): a - ab - ac + abc,
        (1, 0, 1): ac - abc,
        (1, 1, 0): ab - abc,
        (1, 1, 1): abc,
    }
    P = p + sd * (np.array(list(share)) - pi) / spread  # noqa: N806
    return Law(np.array(list(share.values())), P)


# What is generated ------------------------------------------------------------


def stand_in(seed: int) -> pd.DataFrame:
    """Ratings of the shape of IRep; see the head of this file.

    Parameters
    ----------
    seed : int
        One stream for who rated what, and one for each label.

    Returns
    -------
    DataFrame
        As from `irep.read`, without International; error.other is 0 throughout.
    """
    streams = np.random.SeedSequence(_checks.count("seed", seed)).spawn(1 + len(LABELS))
    order = [CITIES.index(city) for city in PLATFORMS[:3]]
    times = raters(np.random.default_rng(streams[0]))[:, order].ravel()
    cell = np.repeat(np.arange(len(times)), times)  # item, then platform
    second = np.append(False, cell[1:] == cell[:-1])
    votes = np.zeros((len(cell), len(LABELS)), np.uint8, order="F")
    for label, law in laws().items():
        k = LABELS.index(label)
        rng = np.random.default_rng(streams[1 + k])
        bounds = np.cumsum(law.share)[:-1]
        kind = np.searchsorted(bounds, rng.random(len(times) // 3), side="right")
        chance = law.P[:, order][kind].ravel()
        votes[:, k] = rng.random(len(cell)) < chance[cell]
    return tidy(cell // 3 + 1, cell % 3, 1 + second, votes)


def raters(rng: np.random.Generator) -> Array:
    """How many raters each item has in each of CITIES: 0, 1 or 2, (items, 3).

    Rows, items, the items that Mexico and Budapest share and the ratings on those
    are IRep's; Mexico has the fewer ratings there, which is assumed. Assumed too:
    that two raters are as frequent on the other items of each of the two, and as
    frequent in Kuala Lumpur as in both together; that Kuala Lumpur judged the
    same share of every kind of the other cities' items.
    """
    shape = _shape()
    rows, on_shared, shared = shape.rows, shape.on_shared, shape.shared
    share = {c: on_shared[c] / shared - 1 for c in on_shared}  # with two raters
    others = {c: round((rows[c] - on_shared[c]) / (1 + share[c])) for c in on_shared}
    kl = round(rows["KualaLumpur"] / (1 + np.mean(list(share.values()))))
    kinds = [shared, others["Mexico"], others["Budapest"]]
    only_kl = shape.items - sum(kinds)
    with_kl = [round(kind * (kl - only_kl) / sum(kinds)) for kind in kinds[1:]]
    with_kl = [kl - only_kl - sum(with_kl), *with_kl, only_kl]
    both, mexico, budapest, rest = np.split(
        _some(np.arange(shape.items), shape.items, rng), np.cumsum(kinds)
    )
    of_kl = [
        _some(kind, number, rng)
        for kind, number in zip((both, mexico, budapest, rest), with_kl)
    ]
    times = np.zeros((shape.items, 3), int)
    for city, items, ratings in (
        ("Mexico", both, on_shared["Mexico"]),
        ("Mexico", mexico, rows["Mexico"] - on_shared["Mexico"]),
        ("Budapest", both, on_shared["Budapest"]),
        ("Budapest", budapest, rows["Budapest"] - on_shared["Budapest"]),
        ("KualaLumpur", np.concatenate(of_kl), rows["KualaLumpur"]),
    ):
        times[items, CITIES.index(city)] = 1
        times[_some(items, ratings - len(items), rng), CITIES.index(city)] = 2
    return times


@dataclass(frozen=True)
class Shape:
    """Rows of each city, items, and what Mexico and Budapest share: items, ratings."""

    rows: dict[str, int]
    items: int
    shared: int
    on_shared: dict[str, int]


def _shape() -> Shape:
    cells = known_cells()

    def known(statistic: str, pools: str) -> list[int]:
        rows = (cells["statistic"] == statistic) & (cells["pools"] == pools)
        return sorted(int(value) for value in cells.loc[rows, "value"])

    fewer, more = known("ratings on the shared items", "Mexico or Budapest")
    return Shape(
        rows={city: known("rows", city)[0] for city in CITIES},
        items=known("items", "all")[0],
        shared=known("items", "Mexico-Budapest")[0],
        on_shared={"Mexico": fewer, "Budapest": more},
    )


def _some(items: Array, number: int, rng: np.random.Generator) -> Array:
    """So many of the items, each as likely as the others."""
    return items[np.argsort(rng.random(len(items)), kind="stable")[:number]]
