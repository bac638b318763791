"""Wong et al. 2021 on a tier of the IRep data: every cell, as numbers and pictures.

A tier is "stand-in" (generated, never IRep's result) or "released" (the file
itself). Every picture and table made here says which it shows.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

import labelaudit as la
from labelaudit.agreement.scale import SCALE

from ..machinery import paths, style
from ..machinery.style import WIDTH
from . import crowds, irep, stand_in, subset
from .irep import CITIES, EMOTIONS, PAIRS

FIVE = ("awe", "love", "sadness", "contentment", "contemplation")
STATISTICS = ("irr", "kappa_x", "normalized")
NAMES = {"Mexico": "Mexico City", "KualaLumpur": "Kuala Lumpur", "Budapest": "Budapest"}
SHORT = {"Mexico": "MC", "KualaLumpur": "KL", "Budapest": "Bud"}
# The colour and the mark of a city and of a pair of cities, in every figure.
CITY_LOOK = {
    "International": (style.PALETTE["ink"], "o"),
    "Budapest": (style.PALETTE["blue"], "s"),
    "KualaLumpur": (style.PALETTE["orange"], "^"),
    "Mexico": (style.PALETTE["teal"], "D"),
}
INK = {city: CITY_LOOK[city][0] for city in CITIES}
PAIR_LOOK = {
    "-".join(pair): (style.PALETTE[colour], mark)
    for pair, (colour, mark) in zip(
        PAIRS, (("magenta", "v"), ("ink", "P"), ("cyan", "X"))
    )
}
MARK = "\N{DAGGER}"
BARS = "lines: 95 % intervals; hollow circles: printed in the paper's text"
PRINTED = "hollow circles: printed in the paper's text"
PALE = 0.3  # opacity of a mark whose aim in the stand-in is assumed
WHAT = {"stand-in": "stand-in, not IRep", "released": "released file"}
SIGN = {
    "irr": "IRR (Cohen's kappa)",
    "kappa_x": r"$\kappa_x$",
    "normalized": r"normalised $\kappa_x$",
}

Replications = dict[tuple[str, str], la.Ratings]


# Data ---------------------------------------------------------------------------


def frame(tier: str, seed: int) -> pd.DataFrame:
    """Ratings of the three cities, tidy; the released file is verified first."""
    if tier == "stand-in":
        return stand_in.stand_in(seed)
    everything = irep.released(paths.RELEASED)
    return everything[everything["platform"].isin(CITIES)]


def replications(
    ratings: pd.DataFrame, labels: tuple[str, ...] = EMOTIONS
) -> Replications:
    """Ratings by (label, city)."""
    return {(k, c): irep.replication(ratings, k, c) for k in labels for c in CITIES}


def cells(
    pools: Replications, statistics: tuple[str, ...] = STATISTICS, tier: str = ""
) -> pd.DataFrame:
    """Every cell of Table 5 for the labels of these pools, with intervals.

    IRR is Cohen's kappa of the two placeholders over a pool's own items with two
    raters, as in the paper.

    Returns
    -------
    DataFrame
        One row per cell: tier, label, statistic, pools, value, low, high (95 %; NaN or
        infinite where there is no honest interval), note (what the library warns
        of), printed (in the paper's text; NaN where it is not), and on the stand-in
        target (what it is calibrated to) and assumed.
    """
    irr = {key: la.cohen_kappa(r) for key, r in pools.items()}
    of = {id(r): irr[key] for key, r in pools.items()}
    rows = []
    for label in dict.fromkeys(label for label, _ in pools):
        found: dict[tuple[str, str], Any] = {}
        if "irr" in statistics:
            found = {("irr", c): partial(irr.__getitem__, (label, c)) for c in CITIES}
        for a, b in PAIRS:
            x, y = pools[label, a], pools[label, b]
            if "kappa_x" in statistics:
                found["kappa_x", f"{a}-{b}"] = partial(la.cross_kappa, x, y)
            if "normalized" in statistics:
                found["normalized", f"{a}-{b}"] = partial(
                    la.normalized_cross_kappa, x, y, irr=lambda r: of[id(r)]
                )
        for (statistic, where), compute in found.items():
            rows.append([label, statistic, where, *_with_interval(compute)])
    columns = ["label", "statistic", "pools", "value", "low", "high", "note"]
    table = pd.DataFrame(rows, columns=columns)
    rank = table["statistic"].map(STATISTICS.index)
    table = table.iloc[np.lexsort([np.arange(len(table)), rank])]
    table = table.sort_values("label", kind="stable", ignore_index=True)
    table.insert(0, "tier", tier)
    table = table.merge(in_print(), how="left")
    if tier == "stand-in":
        table = table.merge(goals(), on=["label", "statistic", "pools"], how="left")
    return table


def _with_interval(compute: Callable[[], la.Agreement]) -> tuple[Any, ...]:
    """Value, both ends, and the last that the library warns of."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        agreement = compute()
        ends = agreement.interval()
    return agreement.value, *ends, str(said[-1].message) if said else ""


def in_print() -> pd.DataFrame:
    """The cells that the paper's text prints: label, statistic, pools, printed."""
    known = stand_in.known_cells()
    known = known[known["origin"].str.startswith("paper")]
    columns = ["label", "statistic", "pools", "value"]
    return known[columns].rename(columns={"value": "printed"})


def goals() -> pd.DataFrame:
    """What the stand-in is calibrated to, the normalised values too (Eq. 13)."""
    table = stand_in.targets()[["label", "statistic", "pools", "target", "assumed"]]
    at = table.set_index(["statistic", "label", "pools"])
    rows = []
    for label in EMOTIONS:
        for a, b in PAIRS:
            x, y = at.loc[("irr", label, a)], at.loc[("irr", label, b)]
            k = at.loc[("kappa_x", label, f"{a}-{b}")]
            value = k.target / np.sqrt(x.target * y.target)
            assumed = bool(k.assumed or x.assumed or y.assumed)
            rows.append([label, "normalized", f"{a}-{b}", value, assumed])
    return pd.concat([table, pd.DataFrame(rows, columns=table.columns)])


def value(table: pd.DataFrame, label: str, statistic: str, pools: str) -> pd.Series:
    """One cell, its pools in any order."""
    turned = "-".join(reversed(pools.split("-")))
    here = (table["label"] == label) & (table["statistic"] == statistic)
    return table[here & table["pools"].isin([pools, turned])].iloc[0]


def square(
    table: pd.DataFrame, digits: int = 4, intervals: bool = True
) -> pd.DataFrame:
    """Labels by statistic and pools, as text; a dagger where the target is assumed."""

    def text(cell: pd.Series) -> str:
        shown = f"{cell.value:.{digits}f}"
        if intervals:
            ends = np.isfinite([cell.low, cell.high]).all()
            shown += f" [{cell.low:.2f}, {cell.high:.2f}]" if ends else " [-]"
        return shown + (MARK if bool(cell.get("assumed", False)) else "")

    shown = table.assign(
        text=[text(row) for _, row in table.iterrows()],
        pools=["-".join(SHORT[c] for c in p.split("-")) for p in table["pools"]],
    )
    wide = shown.pivot(index="label", columns=["statistic", "pools"], values="text")
    order = shown[["statistic", "pools"]].drop_duplicates()
    wide = wide[[tuple(pair) for pair in order.to_numpy()]]
    wide = wide.rename(columns={"normalized": "normalised"}, level=0)
    wide.columns.names = [table["tier"].iloc[0], ""]
    return wide.loc[list(dict.fromkeys(table["label"]))]


def sizes(ratings: pd.DataFrame, tier: str) -> pd.DataFrame:
    """Table 4: per pool items with one and with two raters, and annotations."""
    times = ratings.groupby(["item", "platform"], observed=True).size()
    total, rows = ratings["item"].nunique(), {}
    for city in CITIES:
        here = times.xs(city, level="platform")
        rows[NAMES[city]] = {
            "items": len(here),
            "share of all items": len(here) / total,
            "one rater": int((here == 1).sum()),
            "two raters": int((here == 2).sum()),
            "more": int((here > 2).sum()),
            "rows": int(here.sum()),
            "annotations": int(here.sum()) * len(EMOTIONS),
        }
    table = pd.DataFrame(rows).T
    whole = [name for name in table if name != "share of all items"]
    return table.astype(dict.fromkeys(whole, int)).assign(tier=tier)


def correlations(pools: Replications, normalized: pd.DataFrame) -> pd.DataFrame:
    """rho_xy (Eq. 12) beside the normalised kappa_x of the same pools.

    Adds rho_xy, and shares: the factor 2 sqrt(p (1-p) q (1-q)) / (p + q - 2 p q),
    at most 1, by which the second falls short of the first where the shares p and
    q of yes in the two pools differ.
    """
    table = normalized.rename(columns={"value": "normalized"})
    rows = list(table.itertuples())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NaN says it
        rho = [_rho(pools, row.label, row.pools) for row in rows]
    p, q = (
        np.array([yes(pools[row.label, row.pools.split("-")[k]]) for row in rows])
        for k in (0, 1)
    )
    shares = 2 * np.sqrt(p * (1 - p) * q * (1 - q)) / (p + q - 2 * p * q)
    return table.assign(rho_xy=rho, shares=shares)


def yes(r: la.Ratings) -> float:
    """Share of yes among all judgments."""
    return float(r.counts[:, 1].sum() / r.n_ratings)


def _rho(pools: Replications, label: str, pair: str) -> float:
    return crowds.rho_xy(*(pools[label, city] for city in pair.split("-")))


def as_printed(table: pd.DataFrame) -> tuple[int, int]:
    """How many of the IRRs in the paper's text these are, and how many it prints."""
    irrs = table[(table["statistic"] == "irr") & table["printed"].notna()]
    digits = irrs["printed"].astype(str).str.partition(".")[2].str.len()
    apart = (irrs["value"] - irrs["printed"]).abs()
    return int((apart <= 0.5 * 10.0**-digits + 1e-9).sum()), len(irrs)


# Pictures -----------------------------------------------------------------------


def title(text: str, tier: str) -> str:
    return f"{text} ({WHAT[tier]})"


def scale(marks: dict[str, float]) -> Figure:
    """Fig. 1: the grades of Landis and Koch, with values above them."""
    figure, axis = plt.subplots(figsize=(WIDTH, 2.1))
    lowest = -0.2
    shades = plt.get_cmap("Blues")(np.linspace(0.02, 0.55, len(SCALE)))
    for (end, name), shade in zip(SCALE, shades):
        axis.axvspan(lowest, end, ymax=0.5, color=shade, lw=0)
        place = {"ha": "center", "va": "center", "fontsize": 8}
        axis.text((lowest + end) / 2, 0.5, name.replace(" ", "\n"), **place)
        lowest = end
    for name, at in marks.items():
        axis.plot(at, 1, "o", mfc="white", mec=style.INK, ms=6, clip_on=False)
        place = {"rotation": 35, "ha": "left", "va": "bottom", "fontsize": 8}
        axis.text(at, 1.08, name, **place)
    axis.axvline(0.6, ymax=0.5, color=style.COLOUR["bad"], lw=1.2, ls="--")
    place = {"ha": "left", "va": "center", "fontsize": 8}
    axis.text(0.61, 0.12, "usual limit", color=style.COLOUR["bad"], **place)
    axis.set(xlim=(-0.2, 1), ylim=(0, 2), yticks=[], xlabel="kappa")
    axis.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    axis.grid(visible=False)
    axis.spines["left"].set_visible(False)
    axis.set_title("Names for values of kappa, and values that the paper prints")
    return figure


def histograms(table: pd.DataFrame, tier: str) -> Figure:
    """Fig. 2: the labels' IRR in each city."""
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 2.5), sharey=True, sharex=True)
    edges = np.arange(np.floor(10 * min(0, table["value"].min())), 11) / 10
    for axis, city in zip(axes, CITIES):
        found = table.loc[table["pools"] == city, "value"]
        axis.hist(found, edges, color=INK[city], edgecolor="white")
        axis.axvline(found.median(), color=style.INK, lw=1, ls=":")
        text = f"{NAMES[city]}: {found.min():.2f} to {found.max():.2f}"
        axis.set_title(text, fontsize=9, color=INK[city])
        axis.set(xlabel="IRR of a label")
        axis.grid(visible=False, axis="x")
        axis.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0].set_ylim(top=1.18 * axes[0].get_ylim()[1])
    place = {"fontsize": 8, "color": style.INK, "va": "top"}
    top = 0.99 * axes[0].get_ylim()[1]
    for axis, city in zip(axes, CITIES):
        middle = table.loc[table["pools"] == city, "value"].median()
        axis.text(middle + 0.02, top, f"median {middle:.2f}", **place)
    axes[0].set_ylabel(f"labels, of {table['label'].nunique()}")
    text = title(f"IRR of {table['label'].nunique()} labels in each city", tier)
    figure.suptitle(text, fontsize=10, fontweight="bold", x=0.01, ha="left")
    return figure


def bars(
    axis: Axes,
    part: pd.DataFrame,
    names: list[str],
    inks: list[str],
    pale: bool = False,
) -> None:
    """Values as bars with intervals; hollow marks: what the paper prints."""
    at = np.arange(len(part))
    light = 0.45 if pale else 1
    axis.bar(at, part["value"], color=inks, width=0.62, alpha=light)
    for x, (_, row) in zip(at, part.iterrows()):
        if np.isfinite([row.low, row.high]).all():
            axis.vlines(x, row.low, row.high, color="white", lw=3.4)
            axis.vlines(x, row.low, row.high, color=style.INK, lw=1.4)
        top = max(row["value"], row.high if np.isfinite(row.high) else 0, 0)
        text = (
            f"{row['value']:.2f}" if abs(row["value"]) >= 0.2 else f"{row['value']:.3f}"
        )
        axis.text(x, top + 0.012, text, ha="center", va="bottom", fontsize=8)
        axis.plot(x + 0.2, row.printed, "o", mfc="white", mec=style.INK, ms=5, mew=1)
    axis.axhline(0, color=style.MUTED, lw=0.8)
    axis.set_xticks(at, names)
    axis.grid(visible=False, axis="x")


def cities(table: pd.DataFrame, labels: list[str], tier: str) -> Figure:
    """Fig. 3: the IRR of some labels in each city, as bars."""
    figure, axes = plt.subplots(1, len(labels), figsize=(WIDTH, 2.9), sharey=True)
    for axis, label in zip(np.atleast_1d(axes), labels):
        part = table[(table["label"] == label) & (table["statistic"] == "irr")]
        names = [NAMES[c].replace(" ", "\n") for c in part["pools"]]
        bars(axis, part, names, [INK[c] for c in part["pools"]])
        axis.set_title(label, fontsize=9)
    axes[0].set_ylabel(SIGN["irr"])
    figure.supxlabel(BARS, fontsize=8, color=style.MUTED)
    axes[0].set_ylim(top=table.loc[table["label"].isin(labels), "high"].max() + 0.09)
    ends = table.groupby("label")["value"].agg(["min", "max"]).loc[labels]
    point = ", ".join(f"{k} {low:.2f} to {high:.2f}" for k, low, high in
                      ends.itertuples())  # fmt: skip
    text = title(f"IRR in three cities: {point}", tier)
    figure.suptitle(text, fontsize=10, fontweight="bold", x=0.01, ha="left")
    return figure


def trio(
    table: pd.DataFrame, label: str, pair: tuple[str, str], tier: str
) -> tuple[Figure, pd.DataFrame]:
    """Figs. 4-6: the IRR of two cities, their kappa_x and its normalised value."""
    a, b = pair
    rows = [
        value(table, label, "irr", a),
        value(table, label, "irr", b),
        value(table, label, "kappa_x", f"{a}-{b}"),
        value(table, label, "normalized", f"{a}-{b}"),
    ]
    part = pd.DataFrame(rows)
    names = [f"IRR\n{NAMES[a]}", f"IRR\n{NAMES[b]}", "$\\kappa_x$\nbetween them"]
    figure, (axis, beside) = plt.subplots(
        1, 2, figsize=(WIDTH, 2.9), sharey=True, width_ratios=(3, 1)
    )
    ink = next(
        ink for at, (ink, _) in PAIR_LOOK.items() if at in (f"{a}-{b}", f"{b}-{a}")
    )
    bars(axis, part[:3], names, [INK[a], INK[b], ink], pale=False)
    bars(beside, part[3:], ["normalised $\\kappa_x$"], [ink], pale=True)
    axis.set(ylabel=f"agreement on {label}", xlim=(-0.6, 2.6))
    beside.set(xlim=(-0.6, 0.6))
    beside.set_title("not in the paper's figure", fontsize=8, color=style.MUTED,
                     fontweight="normal")  # fmt: skip
    low, high = axis.get_ylim()
    axis.set_ylim(low - 0.02 * (low < 0), high + 0.08)
    text = title(f"{label.capitalize()}: agreement within and between cities", tier)
    figure.suptitle(text, fontsize=10, fontweight="bold", x=0.01, ha="left")
    axis.set_title(BARS, fontsize=8, color=style.MUTED, fontweight="normal", loc="left")
    return figure, part


def pairs(table: pd.DataFrame, tier: str, real: pd.DataFrame | None = None) -> Figure:
    """Table 2 as a picture: kappa_x and its normalised value for each pair.

    real: what kappa_x can be on the subset, from `bounded.cities`; grey bars.
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.8), sharey=True)
    labels = list(dict.fromkeys(table["label"]))[::-1]
    for axis, statistic in zip(axes, ("kappa_x", "normalized")):
        for k, (pools, (ink, mark)) in enumerate(PAIR_LOOK.items()):
            for y, label in enumerate(labels):
                row = value(table, label, statistic, pools)
                height = y + 0.24 * (1 - k)
                if real is not None and statistic == "kappa_x":
                    at = (real["label"] == label) & (real["pools"] == pools)
                    low, high = real.loc[at, ["low", "high"]].iloc[0]
                    grey = {"color": style.PALETTE["grey"], "lw": 7, "zorder": 0.5}
                    axis.hlines(height, low - 0.004, high + 0.004, **grey)
                _interval(axis, row.low, row.high, height, (-0.3, 1.3), ink)
                light = PALE if bool(row.get("assumed", False)) else 1
                face = to_rgba(ink, light)
                axis.plot(row.value, height, mark, mfc="white", mec="none", ms=6)
                axis.plot(row.value, height, mark, mfc=face, mec=ink, ms=6)
                axis.plot(row.printed, height - 0.1, "o", mfc="white", mec=style.INK,
                          ms=4.5, mew=1)  # fmt: skip
            name = ",\n".join(NAMES[city] for city in pools.split("-"))
            axis.plot([], [], mark, color=ink, ms=6, label=name)
        axis.axvline(0, color=style.MUTED, lw=0.8)
        axis.set(xlabel=SIGN[statistic], ylim=(-0.5, len(labels) - 0.5))
    axes[1].axvline(1, color=style.MUTED, lw=0.8, ls=":")
    axes[0].set_yticks(range(len(labels)), labels)
    axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    text = title("Agreement across two cities, plain and normalised", tier)
    figure.suptitle(text, fontsize=10, fontweight="bold", x=0.01, ha="left")
    note = f"lines: 95 % intervals; {PRINTED}"
    note += "; pale marks: the stand-in's aim is assumed" if tier == "stand-in" else ""
    if real is not None:
        note += (
            f"\ngrey bars: what $\\kappa_x$ can be on the {subset.ITEMS:,} real items"
            " of the subset"
        )
    figure.supxlabel(note, fontsize=8, color=style.MUTED)
    return figure


def _interval(
    axis: Axes, low: float, high: float, height: float, ends: Any, ink: str
) -> None:
    """An interval as a line; an arrowhead where it goes on beyond the ends drawn."""
    if np.isfinite([low, high]).all():
        axis.hlines(height, *np.clip([low, high], *ends), color=ink, lw=1.2)
        for beyond, end, mark in (
            (low < ends[0], ends[0], "<"),
            (high > ends[1], ends[1], ">"),
        ):
            if beyond:
                axis.plot(end, height, mark, color=ink, ms=3, clip_on=False)


def scatter(table: pd.DataFrame, tier: str, named: int = 4) -> Figure:
    """Fig. 7: rho_xy against normalised kappa_x; those furthest apart are named."""
    figure, axis = plt.subplots(figsize=(WIDTH, 4.2))
    both = table[["normalized", "rho_xy"]]
    ends = [
        min(-0.4, both[table["sure"]].min().min() - 0.05),
        max(1.1, both[table["sure"]].max().max() + 0.05),
    ]
    inside = both.clip(*ends)
    off = both.notna().all(axis=1) & (both != inside).any(axis=1)
    axis.plot(ends, ends, color=style.MUTED, lw=0.8, ls=":")
    for pools, (ink, mark) in PAIR_LOOK.items():
        part = table[table["pools"] == pools]
        name = " and ".join(NAMES[c] for c in pools.split("-"))
        for some, light in ((part["sure"], 1), (~part["sure"], PALE)):
            look = {"mfc": to_rgba(ink, light), "mec": ink, "ms": 5.5, "mew": 0.8}
            axis.plot(part.normalized[some], part.rho_xy[some], mark, ls="", **look)
        axis.plot([], [], mark, color=ink, ms=5.5, label=name)
    text = "pale: too few videos carry the label\nin both cities for an interval"
    pale = {"mfc": to_rgba(style.MUTED, PALE), "mec": style.MUTED, "ms": 5.5}
    axis.plot([], [], "o", **pale, label=text)
    for _, row in table[off].iterrows():
        at = inside.loc[row.name]
        steps = np.sign(row[["normalized", "rho_xy"]].astype(float) - at)
        start = at - 0.12 * steps
        ink = PAIR_LOOK[row.pools][0]
        arrow = {"arrowstyle": "-|>", "color": ink, "shrinkA": 0, "shrinkB": 0}
        axis.annotate("", tuple(at), xytext=tuple(start), arrowprops=arrow)
        name = f"{row.label}, " + "-".join(SHORT[c] for c in row.pools.split("-"))
        text = f"{name}, outside:\n({row.normalized:.2f}, {row.rho_xy:.2f})"
        right = start["normalized"] > sum(ends) / 2
        place = {"xytext": (18, 0), "ha": "left"}
        if right:
            place = {"xytext": (-18, 0), "ha": "right"}
        style.label(axis, *start, text, style.INK, **place)
    near = table[~off]
    apart = (near["rho_xy"] - near["normalized"]).abs().nlargest(named).index
    for _, row in table.loc[apart].iterrows():
        left = row.normalized < row.rho_xy or row.normalized > 1
        place = {"xytext": (-6 if left else 6, 0), "ha": "right" if left else "left"}
        name = f"{row.label}, " + "-".join(SHORT[c] for c in row.pools.split("-"))
        style.label(axis, row.normalized, row.rho_xy, name, style.INK, **place)
    axis.set(xlim=ends, ylim=ends, xlabel=SIGN["normalized"])
    axis.set_ylabel(r"disattenuated correlation $\rho_{xy}$")
    axis.legend(loc="lower right")
    r = table["rho_xy"].corr(table["normalized"])
    text = f"$\\rho_{{xy}}$ and normalised $\\kappa_x$: Pearson correlation {r:.3f}"
    axis.set_title(title(text, tier))
    return figure


def everything(table: pd.DataFrame, tier: str) -> Figure:
    """Table 5 as a picture: a label a line, three panels."""
    first = table[table["statistic"] == "irr"]
    order = first.groupby("label")["value"].mean().sort_values().index
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 6.6), sharey=True)
    limits = {
        statistic: (min(-0.15, part.min() - 0.05), np.clip(part.max() + 0.05, 1, 2))
        for statistic, part in table.groupby("statistic")["value"]
    }
    for axis, statistic in zip(axes, STATISTICS):
        part = table[table["statistic"] == statistic]
        names = list(dict.fromkeys(part["pools"]))
        looks = CITY_LOOK if statistic == "irr" else PAIR_LOOK
        for k, name in enumerate(names):
            ink, mark = looks[name]
            rows = part[part["pools"] == name].set_index("label").loc[order]
            y = np.arange(len(rows)) + 0.24 * (1 - k)
            shown = limits[statistic]
            for low, high, at in zip(rows["low"], rows["high"], y):
                _interval(axis, low, high, at, shown, ink)
            known = (
                ~rows["assumed"].astype(bool)
                if "assumed" in rows
                else rows["value"] > -9
            )
            beyond = (rows["value"] > shown[1]).to_numpy()
            for at in y[beyond]:
                axis.plot(shown[1], at, ">", color=ink, ms=3, clip_on=False)
            for some, light in ((known, 1), (~known, PALE)):
                here = some & ~beyond
                look = {"mfc": to_rgba(ink, light), "mec": ink, "ms": 4.3, "mew": 0.6}
                under = {"mfc": "white", "mec": "none", "ms": 4.3}
                axis.plot(rows["value"][here], y[here], mark, **under)
                axis.plot(rows["value"][here], y[here], mark, **look)
            look = {"mfc": "white", "mec": style.INK, "ms": 3, "mew": 0.8}
            axis.plot(rows["printed"], y - 0.12, "o", **look)
            short = "-".join(SHORT[c] for c in name.split("-"))
            axis.plot([], [], mark, color=ink, ms=4, label=short)
        axis.axvline(0, color=style.MUTED, lw=0.8)
        axis.set(xlabel=SIGN[statistic], ylim=(-0.7, len(order) - 0.3))
        axis.set_xlim(*limits[statistic])
        axis.legend(
            loc="lower center",
            bbox_to_anchor=(0.5, 1),
            ncols=3,
            fontsize=7,
            handletextpad=0,
            columnspacing=0.5,
        )
        axis.grid(visible=False, axis="y")
        for y in range(0, len(order), 2):
            axis.axhspan(y - 0.5, y + 0.5, color=style.PALEST, lw=0, zorder=0)
    axes[0].set_yticks(range(len(order)), order)
    text = title("Agreement within and between cities", tier)
    figure.suptitle(text, fontsize=10, fontweight="bold", x=0.01, ha="left")
    note = f"lines: 95 % intervals; arrowheads: beyond the axis; {PRINTED}"
    if "assumed" in table:
        note += "\npale marks: the stand-in's aim is assumed"
    note += "\nMC: Mexico City, KL: Kuala Lumpur, Bud: Budapest"
    figure.supxlabel(note, fontsize=8, color=style.MUTED)
    return figure
