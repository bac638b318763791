"""A stand-in for the IRep data: generated, of its shape, calibrated to what is known.

It is not IRep. For each item a label's law says how many of two raters of each city
say yes: one of 27 cells, 0, 1 or 2 in each of three cities. With n_c that number in
city c and a_c = n_c / 2 the share of yes, the law has

    E a_c = p_c,   P(n_c = 1) = 2 p_c (1 - p_c) (1 - IRR_c),
    Cov(a_c, a_d) = kappa_x(c, d) (p_c + p_d - 2 p_c p_d) / 2,

so that prevalence, IRR and kappa_x are expected to be what is aimed at. Of all laws
that have these moments it is the one nearest to independent cities in chi-square.
Where an item has one rater in a city, that is either of the two. Labels are
independent of each other.
"""

from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import minimize

from labelaudit import _checks

from ..machinery import paths
from . import subset
from .irep import CITIES, EMOTIONS, LABELS, PAIR_NAMES, PAIRS, PLATFORMS, tidy

Array = NDArray[Any]

FIRST, SECOND = np.array([[CITIES.index(c) for c in pair] for pair in PAIRS]).T
YES = np.array(list(np.ndindex(3, 3, 3)))  # of two raters, cells by cities

KNOWN = "known_cells.csv: "
SUBSET = "subset counts"
ONE = "the one value that the subset's counts and correlation allow"
FLOOR = "smallest positive alpha of the pool, for an alpha of 0 or less"
RAISED = "; raised until no correlation of the label is above 1"
PRODUCT = "product of both cities' correlations with International"
MEDIAN = "median of the other labels' products, for want of one"
MOVED = "; moved to the nearest value that the subset's counts and correlation allow"


def known_cells() -> pd.DataFrame:
    """Cells of the paper's tables that are known, with their origin."""
    return pd.read_csv(paths.IREP / "known_cells.csv", dtype={"label": "string"})


# What is aimed at -------------------------------------------------------------


def targets() -> pd.DataFrame:
    """What the stand-in is calibrated to.

    Returns
    -------
    DataFrame
        label; statistic (prevalence, irr, kappa_x); pools ("Mexico", or two
        joined by "-"); target; origin; assumed: whether nothing that was
        published about this label and these pools fixes it. low, high: what kappa_x
        of these pools can be on the subset's items; NaN for the other statistics.
    """
    plan, nothing = planned(), np.full((len(EMOTIONS), 3), np.nan)
    everywhere, (low, high) = np.full(plan.p.shape, SUBSET, object), _bounds()
    parts = {
        ("prevalence", CITIES): (plan.p, everywhere, nothing, nothing),
        ("irr", CITIES): (plan.irr, plan.irr_origin, nothing, nothing),
        ("kappa_x", PAIR_NAMES): (plan.kappa_x, plan.kappa_x_origin, low, high),
    }
    names, tables = ["target", "origin", "low", "high"], []
    for (statistic, pools), columns in parts.items():
        places = product(EMOTIONS, [statistic], pools)
        part = pd.DataFrame(places, columns=["label", "statistic", "pools"])
        tables.append(part.assign(**dict(zip(names, map(np.ravel, columns)))))
    table = pd.concat(tables, ignore_index=True)
    given = table["origin"].str.startswith(KNOWN) | table["origin"].isin([SUBSET, ONE])
    return table.assign(assumed=~given)


def planned() -> SimpleNamespace:
    """The targets, from the known cells, else the subset, else by assumption.

    Rows are EMOTIONS. p, irr: prevalence and IRR, (labels, 3) in the order of CITIES;
    kappa_x: (labels, 3) in the order of PAIRS; irr_origin, kappa_x_origin: where they
    come from.
    """
    counts = subset.pools()
    p = counts["prevalence"].unstack().loc[list(EMOTIONS)]
    alpha = counts["alpha"].unstack().loc[list(EMOTIONS)]
    floored = alpha.where(alpha > 0, alpha[alpha > 0].min(), axis=1)
    rho, origin = _products(p, floored)
    cities = list(CITIES)
    p, irr = p[cities].to_numpy(), floored[cities].to_numpy().copy()
    irr_origin = np.where(alpha[cities] > 0, SUBSET, FLOOR).astype(object)
    cells = known_cells().set_index("statistic")
    for cell in cells.loc["irr"].itertuples():
        at = EMOTIONS.index(cell.label), CITIES.index(cell.pools)
        irr[at], irr_origin[at] = cell.value, KNOWN + cell.origin
    free = rho / _of_cities(1, p, irr)
    least, most = _bounds()
    kappa_x = free.clip(least, most)
    origin[abs(kappa_x - free) > 1e-9] += MOVED
    origin[most - least < 1e-9] = ONE
    for cell in cells.loc["kappa_x"].itertuples():
        at = EMOTIONS.index(cell.label), PAIR_NAMES.index(cell.pools)
        kappa_x[at], origin[at] = cell.value, KNOWN + cell.origin
    guessed = irr_origin == FLOOR  # too low where a correlation would exceed 1
    rho = _of_cities(kappa_x, p, irr)
    how_many = guessed[:, FIRST].astype(int) + guessed[:, SECOND]
    power = np.where(how_many > 0, 2 / np.maximum(how_many, 1), 0)
    up = (np.maximum(rho, 1) ** power).max(axis=1, keepdims=True)
    irr_origin[guessed & (up > 1)] += RAISED
    irr = np.where(guessed, irr * up, irr)
    origins = {"irr_origin": irr_origin, "kappa_x_origin": origin}
    return SimpleNamespace(p=p, irr=irr, kappa_x=kappa_x, **origins)


@cache
def _bounds() -> Array:
    """Least and greatest kappa_x of two cities on the subset, (2, labels, 3)."""
    return subset.cities()[["low", "high"]].to_numpy().T.reshape(2, -1, 3)


def _rho(kappa_x: Any, p: Any, q: Any, sd_p: Any, sd_q: Any) -> Any:
    """The disattenuated correlation, from kappa_x; the sd are of true scores."""
    return kappa_x * (p + q - 2 * p * q) / (2 * sd_p * sd_q)


def _of_cities(kappa_x: Any, p: Array, irr: Array) -> Array:
    """The same of two cities, (labels, 3) in the order of PAIRS."""
    sd = np.sqrt(irr * p * (1 - p))
    return _rho(kappa_x, p[:, FIRST], p[:, SECOND], sd[:, FIRST], sd[:, SECOND])


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


def laws() -> dict[str, Array]:
    """The law of each of the 31 labels: shares of items in the cells of YES, (27,)."""
    plan = planned()
    parts = zip(EMOTIONS, plan.p, plan.irr, plan.kappa_x)
    return {label: _shares(*part) for label, *part in parts}


def _shares(p: Array, irr: Array, kappa_x: Array) -> Array:
    """Shares of the 27 cells with these moments, nearest to independent cities."""
    one = 2 * p * (1 - p) * (1 - irr)
    both = p - one / 2
    alone = np.array([1 - one - both, one, both])  # 0, 1, 2 by cities
    covariance = kappa_x * (p[FIRST] + p[SECOND] - 2 * p[FIRST] * p[SECOND]) / 2
    together = YES[:, FIRST] * YES[:, SECOND] / 4
    moments = np.vstack([np.ones(len(YES)), (YES == 1).T, (YES == 2).T, together.T])
    wanted = np.concatenate([[1], one, both, covariance + p[FIRST] * p[SECOND]])
    return _nearest(alone[YES, range(3)].prod(axis=1), moments, wanted)


def _nearest(start: Array, moments: Array, wanted: Array) -> Array:
    """The shares x >= 0 with moments @ x = wanted of least sum (x - start)^2 / start.

    They are start times max(0, y @ moments) for some weights y, which make the dual
    function largest; that is concave and piecewise quadratic.
    """

    def shares(y: Array) -> Array:
        return start * np.maximum(y @ moments, 0)

    def less(y: Array) -> float:
        return float(shares(y) @ np.maximum(y @ moments, 0) / 2 - y @ wanted)

    def curved(y: Array) -> Array:
        used = y @ moments > 0
        return moments[:, used] * start[used] @ moments[:, used].T

    begin = np.append(1.0, np.zeros(len(wanted) - 1))
    how = {"hess": curved, "method": "trust-exact", "options": {"gtol": 1e-15}}
    found = minimize(less, begin, jac=lambda y: moments @ shares(y) - wanted, **how)
    if abs(moments @ shares(found.x) - wanted).max() > 1e-12:
        raise ValueError("no law of 27 cells has these moments")
    return shares(found.x)


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
        bounds = np.cumsum(law)[:-1]
        kind = np.searchsorted(bounds, rng.random(len(times) // 3), side="right")
        yes = YES[:, order][kind].ravel()
        who = rng.random(len(times)) < 0.5  # the one of two that says yes
        votes[:, k] = (yes[cell] == 2) | ((yes[cell] == 1) & (who[cell] == second))
    return tidy(cell // 3 + 1, cell % 3, 1 + second, votes)


def raters(rng: np.random.Generator) -> Array:
    """How many raters each item has in each of CITIES: 0, 1 or 2, (items, 3).

    Rows, items, the items that Mexico and Budapest share and the ratings on those,
    and the ratings on the items that Mexico and Kuala Lumpur share, are IRep's; that
    Mexico has the fewer of both is assumed. Assumed too: that two raters are as
    frequent on the other items of a city as on those; that Kuala Lumpur judged as
    large a share of Mexico's items whether or not Budapest did.
    """
    cells = known_cells().set_index(["statistic", "pools"])["value"].sort_index()
    rows = cells["rows"].astype(int)
    both, total = int(cells["items", "Mexico-Budapest"]), int(cells["items", "all"])
    shared = cells["ratings on the shared items"].astype(int)
    on_both, on_kl = (
        dict(zip(("Mexico", city), sorted(shared[f"Mexico or {city}"])))
        for city in ("Budapest", "KualaLumpur")
    )
    two = {c: on_both[c] / both - 1 for c in on_both}  # share with two raters
    others = {c: round((rows[c] - on_both[c]) / (1 + two[c])) for c in on_both}
    with_kl = round(on_kl["Mexico"] / (1 + two["Mexico"]))
    kl = round(rows["KualaLumpur"] * with_kl / on_kl["KualaLumpur"])
    kinds = np.cumsum([both, others["Mexico"], others["Budapest"]])
    order = _some(np.arange(total), total, rng)
    shared, mexico, budapest, only_kl = np.split(order, kinds)
    times = np.zeros((total, 3), int)

    def judged(city: str, items: Array, ratings: int) -> None:
        times[items, CITIES.index(city)] = 1
        times[_some(items, ratings - len(items), rng), CITIES.index(city)] = 2

    for city, rest in (("Mexico", mexico), ("Budapest", budapest)):
        judged(city, shared, on_both[city])
        judged(city, rest, rows[city] - on_both[city])
    second = on_kl["Mexico"] - with_kl
    numbers = {2: second, 1: with_kl - second}
    parts = {k: np.flatnonzero(times[:, 0] == k) for k in numbers}
    of_mexico = [_some(parts[k], number, rng) for k, number in numbers.items()]
    of_budapest = _some(budapest, kl - with_kl - len(only_kl), rng)
    judged("KualaLumpur", np.concatenate(of_mexico), on_kl["KualaLumpur"])
    left = rows["KualaLumpur"] - on_kl["KualaLumpur"]
    judged("KualaLumpur", np.concatenate([of_budapest, only_kl]), left)
    return times


def _some(items: Array, number: int, rng: np.random.Generator) -> Array:
    """So many of the items, each as likely as the others."""
    return items[np.argsort(rng.random(len(items)), kind="stable")[:number]]
