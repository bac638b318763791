"""Pictures of two replications: pairs, ranges, ceilings, crowds, coverage."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import WIDTH
from . import subset
from .replications import CITY_LOOK, NAMES

BLUE, ORANGE, MAGENTA = (style.PALETTE[k] for k in ("blue", "orange", "magenta"))
X_INK, Y_INK, OTHER = BLUE, ORANGE, MAGENTA
GOOD, BAD = style.COLOUR["good"], style.COLOUR["bad"]
REAL = f"{subset.TIER}, {subset.ITEMS:,} real items"
PALE = 0.35  # of marks without an interval


def pairs(of_x: int, of_y: int) -> Figure:
    """Which judgments d_o (one item) and d_e (any two items) compare."""
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.9))
    titles = (
        "$d_o$ compares judgments of one item",
        "$d_e$ compares judgments of any items",
    )
    for axis, title, same in zip(axes, titles, (True, False)):
        axis.set_title(title)
        x_at = [
            (0.0, 2 - i + 0.22 * (of_x / 2 - r)) for i in range(3) for r in range(of_x)
        ]
        y_at = [
            (1.0, 2 - i + 0.22 * (of_y / 2 - s)) for i in range(3) for s in range(of_y)
        ]
        for u, (x0, y0) in enumerate(x_at):
            for v, (x1, y1) in enumerate(y_at):
                here = u // of_x == v // of_y
                if here or not same:
                    ink = style.INK if here else style.MUTED
                    axis.plot([x0, x1], [y0, y1], color=ink, lw=0.9 if here else 0.3)
        axis.plot(*zip(*x_at), "o", color=X_INK, ms=7)
        axis.plot(*zip(*y_at), "s", color=Y_INK, ms=7)
        for i in range(3):
            axis.text(-0.32, 2 - i, f"item {i + 1}", va="center", ha="right")
        axis.text(0, 2.62, "replication X", color=X_INK, ha="center", weight="bold")
        axis.text(1, 2.62, "replication Y", color=Y_INK, ha="center", weight="bold")
        axis.set(xlim=(-0.75, 1.3), ylim=(-0.6, 2.9))
        axis.axis("off")
    return figure


def ranges(every: np.ndarray, at_random: np.ndarray, items: int) -> Figure:
    """kappa_x of all small tables, and where there is nothing in common."""
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.7))
    drawn = at_random[np.isfinite(at_random)]
    ends = f"from {every.min():g} to {every.max():g}"
    below = f"{100 * (drawn < 0).mean():.0f} % below 0"
    for axis, values, title in (
        (axes[0], every, f"All tables of 4 items: $κ_x$ {ends}"),
        (axes[1], drawn, f"Nothing in common: {below}"),
    ):
        axis.set_title(title)
        if axis is axes[0]:
            edges = np.linspace(-1.05, 1.05, 22)
        else:
            most = abs(values).max()
            edges = np.linspace(-most, most, 33)
        share, edges = np.histogram(values, edges)
        colours = [OTHER if e < -1e-9 else X_INK for e in (edges[:-1] + edges[1:]) / 2]
        axis.bar(
            edges[:-1], share / len(values), np.diff(edges), align="edge",
            color=colours, edgecolor="white", linewidth=0.4,
        )  # fmt: skip
        axis.axvline(0, color=style.INK, lw=0.8)
        style.percent_axis(axis, "y")
    axes[0].set(xlabel="$κ_x$ (magenta: below 0)", ylabel="share of tables")
    axes[1].set(xlabel=f"$κ_x$ of {items} items", ylabel="share of studies")
    return figure


def eq14(laws: pd.DataFrame) -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.4))
    for name, ink, mark in (("equal", X_INK, "o"), ("different", Y_INK, "^")):
        part = laws[laws["shares"] == name]
        text = f"{name} shares of yes"
        axes[0].plot(
            part["rho"] * part["geometric_mean"], part["simulated"], mark,
            color=ink, label=text,
        )  # fmt: skip
        axes[1].plot(part["rho"], part["normalized"], mark, color=ink, label=text)
    for axis in axes:
        ends = np.array(axis.dataLim.intervalx)
        axis.plot(ends, ends, color=style.MUTED, lw=0.8, zorder=0,
                  label="both axes equal")  # fmt: skip
    axes[0].set(
        title="Simulated $κ_x$ against Eq. 14",
        xlabel=r"$\rho \sqrt{\mathrm{IRR}_X\,\mathrm{IRR}_Y}$",
        ylabel="$κ_x$, mean of 300 studies",
    )
    axes[1].set(
        title="Normalised $κ_x$ against $\\rho$",
        xlabel="$\\rho$, true correlation",
        ylabel="normalised $κ_x$, expected",
    )
    axes[0].legend(loc="upper left")
    return figure


def ceiling(curve: pd.DataFrame, drawn: pd.DataFrame, items: int) -> Figure:
    """Two ceilings against the other IRR; samples of a perfect replication."""
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.2))
    x = curve["irr_y"]
    axes[0].plot(x, curve["greater"], "--", color=style.MUTED)
    axes[0].plot(x, curve["geometric_mean"], color=X_INK)
    axes[0].fill_between(x, curve["geometric_mean"], color=X_INK, alpha=0.12, lw=0)
    axes[0].text(0.52, 0.62, "the paper's cap:\nthe greater IRR", color=style.MUTED,
                 ha="right", fontsize=8)  # fmt: skip
    axes[0].text(0.98, 0.3, "possible $κ_x$", color=X_INK, ha="right", fontsize=8)
    axes[0].text(0.98, 0.5, "geometric mean", color=X_INK, ha="right", fontsize=8)
    axes[0].set(title="Two ceilings of expected $κ_x$",
                xlabel="IRR of Y; that of X is 0.2", ylabel="$κ_x$",
                xlim=(0, 1), ylim=(0, 1))  # fmt: skip
    above = drawn["kappa_x"] > drawn["geometric_mean"]
    for part, ink, text in (
        (drawn[above], OTHER, "above the line"),
        (drawn[~above], X_INK, "below the line"),
    ):  # fmt: skip
        axes[1].plot(part["geometric_mean"], part["kappa_x"], "o", ms=2.5, color=ink,
                     alpha=0.6, mew=0,
                     label=f"{text}: {len(part)} studies")  # fmt: skip
    ends = np.array(axes[1].dataLim.intervalx)
    axes[1].plot(ends, ends, color=style.INK, lw=0.8)
    axes[1].legend(loc="upper left", markerscale=2)
    share = f"{100 * above.mean():.0f} % above"
    axes[1].set(title=f"Perfect replications: {share}",
                xlabel="geometric mean of the two IRRs",
                ylabel=f"$κ_x$, {items} items")  # fmt: skip
    return figure


# The subset -------------------------------------------------------------------

POOLS = CITY_LOOK


def pool_name(pool: str) -> str:
    return NAMES.get(pool, pool)


def alphas(table: pd.DataFrame, order: list[str]) -> Figure:
    """Dots with intervals: labels down, one panel per pool."""
    figure, axes = plt.subplots(1, 4, figsize=(WIDTH, 6.2), sharey=True, sharex=True)
    for axis, (pool, (ink, mark)) in zip(axes, POOLS.items()):
        part = table[table["pool"] == pool].set_index("label").reindex(order)
        at = np.arange(len(order))
        axis.hlines(at, part["low"], part["high"], color=ink, lw=1.1, alpha=0.6)
        axis.plot(part["alpha"], at, mark, color=ink, ms=4)
        axis.axvline(0.6, color=style.MUTED, lw=0.8, ls=":")
        axis.set_title(pool_name(pool), color=ink)
        axis.set_yticks(at, order)
        axis.set(ylim=(-0.7, len(order) - 0.3), xlabel="alpha", xlim=(-0.12, 1))
        none = part["alpha"].isna()
        for y in at[none]:
            axis.text(0.0, y, "never used", fontsize=7, va="center", color=style.MUTED)
    figure.supxlabel("lines: 95 % intervals", fontsize=8, color=style.MUTED)
    above, known = (table["alpha"] > 0.6).sum(), table["alpha"].notna().sum()
    figure.suptitle(
        f"{above} of {known} alphas are above 0.6, the dotted line ({REAL})",
        x=0.01, ha="left", fontsize=10, weight="bold",
    )  # fmt: skip
    return figure


def travels(table: pd.DataFrame) -> Figure:
    """kappa_x with intervals against its ceiling, one panel per city."""
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 3.1), sharey=True, sharex=True)
    enough = table["J"] >= 5
    all_three = enough.groupby(table["label"]).transform("all")
    for axis, city in zip(axes, ("Budapest", "KualaLumpur", "Mexico")):
        ink, mark = POOLS[city]
        part = table[(table["city"] == city) & table["ceiling"].notna()]
        axis.plot([0, 0.75], [0, 0.75], color=style.MUTED, lw=0.8, zorder=0)
        axis.vlines(part["ceiling"], part["low"], part["high"], color=ink, lw=0.8,
                    alpha=0.45)  # fmt: skip
        for few, alpha in ((True, PALE), (False, 1)):
            some = part[(part["J"] < 5) == few]
            axis.plot(some["ceiling"], some["kappa_x"], mark, color=ink, alpha=alpha,
                      ms=4)  # fmt: skip
        median = part.loc[all_three[part.index], "normalized"].median()
        axis.set_title(f"{pool_name(city)}: median {median:.2f}", color=ink)
        axis.set(xlabel="$\\sqrt{\\alpha_X \\alpha_Y}$, the ceiling")
    axes[0].set(ylabel="$κ_x$ with International")
    note = "lines: 95 % intervals; pale: none, fewer than 5 items carry the label"
    figure.supxlabel(note, fontsize=8, color=style.MUTED)
    figure.suptitle(
        f"$κ_x$ with International against its ceiling ({REAL})",
        x=0.01, ha="left", fontsize=10, weight="bold",
    )  # fmt: skip
    return figure


def by_label(solid: pd.DataFrame) -> Figure:
    """Normalised kappa_x by label, cities as marks."""
    figure, axis = plt.subplots(figsize=(WIDTH, 0.26 * len(solid) + 1.1))
    at = np.arange(len(solid))[::-1]
    cities = [c for c in POOLS if c in solid]
    axis.hlines(at, solid[cities].min(axis=1), solid[cities].max(axis=1),
                color=style.GRID, lw=3, zorder=0)  # fmt: skip
    for city in cities:
        ink, mark = POOLS[city]
        axis.plot(solid[city], at, mark, color=ink, label=pool_name(city))
    axis.axvline(1, color=style.INK, lw=0.8)
    axis.set_yticks(at, solid.index)
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    ends = f"{solid['mean'].min():.2f} to {solid['mean'].max():.2f}"
    axis.set(title=f"Normalised $κ_x$: means of the labels from {ends} ({REAL})",
             xlabel="normalised $κ_x$ with International; 1 = pools differ no more"
             " than raters")  # fmt: skip
    return figure


# Crowds -----------------------------------------------------------------------

CROWDS = {
    "good": GOOD,
    "clickers": ORANGE,
    "lenient": BLUE,
    "own reading": MAGENTA,
    "easy cue": style.PALETTE["cyan"],
    "colluding": style.MUTED,
}


def limits(best: pd.DataFrame, cut: float) -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.8), sharey=True)
    labels = {
        "subjectivity": ("All answer by their opinion", "items that divide opinion"),
        "imbalance": ("Class rare: all are 95 % accurate", "items of the class"),
    }
    for axis, (cause, (title, what)) in zip(axes, labels.items()):
        part = best[best["cause"] == cause]
        if cause == "imbalance":
            axis.set_xscale("log")
            axis.set_xticks([0.005, 0.02, 0.1, 0.5])
        style.percent_axis(axis)
        axis.minorticks_off()
        axis.plot(part["share"], part["irr"], color=X_INK)
        low = part["irr"] < cut
        axis.fill_between(part["share"], part["irr"], where=low, color=BAD, alpha=0.15,
                          lw=0)  # fmt: skip
        axis.axhline(cut, color=style.MUTED, lw=0.8, ls=":")
        axis.set(title=title, xlabel=what, ylim=(0, 1))
    axes[0].text(1.0, cut + 0.02, f"usual threshold {cut:g}", ha="right", fontsize=8,
                 color=style.MUTED)  # fmt: skip
    axes[0].set(ylabel="IRR")
    return figure


def crowds(table: pd.DataFrame, means: pd.DataFrame) -> Figure:
    """Where each crowd lies: its own IRR, and normalised kappa_x."""
    figure, axis = plt.subplots(figsize=(WIDTH, 3.8))
    for name, ink in CROWDS.items():
        part = table[table["crowd"] == name].head(150)
        axis.plot(part["irr_crowd"], part["normalized"], ".", color=ink, ms=3.5,
                  alpha=0.35, mew=0)  # fmt: skip
        x, y = means.loc[name, ["irr_crowd", "normalized"]]
        axis.plot(x, y, "o", color=ink, ms=8, mec="white")
        place = {"good": (-42, 16), "colluding": (14, -40)}.get(name, (9, 14))
        axis.annotate(name, (x, y), xytext=place, textcoords="offset points",
                      color=ink, weight="bold")  # fmt: skip
    trusted = means["irr_trusted"].mean()
    axis.axvline(trusted, color=style.INK, lw=0.8, ls=":")
    axis.axhline(1, color=style.INK, lw=0.8, ls=":")
    axis.annotate("IRR of trusted annotators", (trusted, 0.02),
                  xycoords=("data", "axes fraction"), xytext=(4, 0),
                  textcoords="offset points", fontsize=8)  # fmt: skip
    axis.set(title="Simulated crowds; a copy of the trusted group: where lines cross",
             xlabel="IRR of the crowd", ylabel="normalised $κ_x$",
             ylim=(-0.3, 1.5))  # fmt: skip
    return figure


def strips(parts: dict[str, np.ndarray], means: pd.DataFrame) -> Figure:
    """Judgments as dark and pale squares: items across, judgments down."""
    figure, axes = plt.subplots(len(parts), 1, figsize=(WIDTH, 2.9), sharex=True)
    named = {"good crowd": "good", "own reading": "own reading"}
    for axis, (name, judgments) in zip(axes, parts.items()):
        axis.pcolormesh(judgments, cmap="Greys", vmin=-0.12, vmax=1.15,
                        edgecolors="white", linewidth=0.6)  # fmt: skip
        title = f"{name}: IRR {means['irr_trusted'].mean():.2f}"
        if name in named:
            row = means.loc[named[name]]
            title = f"{name}: IRR {row['irr_crowd']:.2f}, $κ_x$ {row['kappa_x']:.2f}"
        axis.set_title(title, fontsize=9)
        axis.set_yticks([])
        axis.grid(False)
        axis.tick_params(length=0)
    axes[-1].set_xlabel("60 items, those with a trusted yes first")
    return figure


def accuracies(chance: pd.DataFrame) -> Figure:
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.8), sharey=True)
    for axis, what, title in (
        (axes[0], "accuracy", "Accuracy"),
        (axes[1], "kappa_x", "$κ_x$"),
    ):
        for who, ink in (("honest", GOOD), ("always no", BAD)):
            y = chance[f"{what} {who}"]
            axis.plot(chance["share"], y, color=ink)
            at, up, side = {
                ("accuracy", "honest"): (0.02, -0.08, "center"),
                ("accuracy", "always no"): (0.25, -0.08, "right"),
                ("kappa_x", "honest"): (0.06, 0.08, "right"),
                ("kappa_x", "always no"): (0.25, 0.06, "center"),
            }[what, who]
            height = np.interp(at, chance["share"], y) + up
            axis.text(at, height, who, color=ink, ha=side, va="center", fontsize=8)
        axis.set_xscale("log")
        axis.set_xticks([0.01, 0.03, 0.1, 0.3])
        axis.minorticks_off()
        style.percent_axis(axis)
        axis.set(title=title, xlabel="items of the class", ylim=(-0.05, 1.05))
    axes[0].set(ylabel="value")
    return figure


def drift(table: pd.DataFrame, items: int) -> Figure:
    figure, axis = plt.subplots(figsize=(WIDTH, 2.9))
    x = table["drift"]
    axis.fill_between(x, table["low"], table["high"], color=OTHER, alpha=0.15, lw=0)
    lines = (
        ("normalized", "normalised $κ_x$", OTHER, 2, 0.2),
        ("irr_new", "IRR on the new platform", X_INK, 7, 0.05),
        ("share of yes, change", "change in the share of yes", style.MUTED, 2, 0.05),
    )
    for column, text, ink, k, up in lines:
        axis.plot(x, table[column], "o-", color=ink)
        axis.text(x[k], table[column][k] + up, text, color=ink, fontsize=8)
    style.percent_axis(axis)
    last = table["normalized"].iloc[-1]
    most = table["share of yes, change"].abs().max()
    moves = f"moves by {most:.2g}" if most > 1e-9 else "stays"
    point = f"Share of yes {moves}, normalised $κ_x$ ends at {last:.2f}"
    axis.set(title=point,
             xlabel=f"items read in another way (band: 95 % of studies of {items})",
             ylabel="value", ylim=(-0.2, 1.3))  # fmt: skip
    return figure


# Section 6 --------------------------------------------------------------------

METHODS = {
    "jackknife, atanh scale": (MAGENTA, "o"),
    "items added (default)": (BLUE, "s"),
    "block bootstrap": (ORANGE, "^"),
    "Fieller": (MAGENTA, "o"),
    "log scale": (BLUE, "s"),
}


def coverages(table: pd.DataFrame, confidence: float, width: float) -> Figure:
    """Coverage of three intervals, settings down in the order of J."""
    figure, axis = plt.subplots(figsize=(WIDTH, 4.6))
    at = np.arange(len(table))[::-1]
    axis.axvspan(confidence - width, confidence + width, color=style.GRID, lw=0,
                 label=f"{100 * confidence:g} %, give or take\nchance in the"
                 " simulation")  # fmt: skip
    axis.axvline(confidence, color=style.MUTED, lw=0.8)
    for name, (ink, mark) in METHODS.items():
        if name in table:
            axis.plot(table[name], at, mark, color=ink, label=name, alpha=0.9)
    axis.set_yticks(at, [""] * len(at))
    look = {"transform": axis.get_yaxis_transform(), "ha": "right", "va": "center"}
    for place, name in zip((-0.41, -0.29, -0.17, -0.03), ("n", "p", "irr", "J")):
        head = {"n": "items", "p": "yes", "irr": "IRR"}.get(name, name)
        axis.text(place, len(at), head, **look, fontsize=8, fontweight="bold")
        for height, cell in zip(at, table[name]):
            text = f"{100 * cell:.0f} %" if name == "p" else f"{cell:,.3g}"
            text = f"{cell:,}" if name == "n" else text
            axis.text(place, height, text, **look, fontsize=8)
    axis.legend(loc="lower left", bbox_to_anchor=(0, 0.3))
    style.percent_axis(axis)
    text = "Coverage of three intervals where J items carry the label in both pools"
    figure.suptitle(text, fontsize=10, fontweight="bold", x=0.01, ha="left")
    axis.set(xlabel="coverage, of the studies that have an interval")
    axis.set_ylim(-0.7, len(at) - 0.3)
    return figure


def ratios(table: pd.DataFrame, confidence: float) -> Figure:
    """Coverage of intervals of the normalised kappa_x, one panel per true value."""
    truths = sorted(table["truth"].unique())
    figure, axes = plt.subplots(1, len(truths), figsize=(WIDTH, 3.0), sharey=True)
    for axis, truth in zip(np.atleast_1d(axes), truths):
        part = table[table["truth"] == truth]
        for name, (ink, mark) in METHODS.items():
            if name in part:
                axis.plot(part["irr"], part[name], mark + "-", color=ink, label=name)
        axis.plot(part["irr"], part["unbounded"], ":", color=style.MUTED,
                  label="Fieller unbounded")  # fmt: skip
        axis.plot(part["irr"], part["undefined"], "--", color=style.MUTED,
                  label="no value")  # fmt: skip
        axis.axhline(confidence, color=style.MUTED, lw=0.8)
        axis.set(title=f"true value {truth:g}", xlabel="IRR", ylim=(-0.03, 1.03))
        style.percent_axis(axis, "y")
    np.atleast_1d(axes)[0].set(ylabel="coverage, or share")
    np.atleast_1d(axes)[-1].legend(loc="center right")
    return figure


def run_time(measured: pd.DataFrame) -> Figure:
    """Seconds against items, both axes logarithmic."""
    figure, axis = plt.subplots(figsize=(WIDTH, 3.3))
    for what, ink in (
        ("cross_kappa", MAGENTA),
        ("normalized_cross_kappa with Fieller's interval", BLUE),
        ("quadruple sum with numpy", ORANGE),
        ("quadruple sum in loops", style.INK),
    ):
        part = measured[measured["what"] == what].sort_values("n_items")
        if len(part):
            axis.plot(part["n_items"], part["seconds"], "o-", color=ink)
            last = part.iloc[-1]
            text = what.split(" with F")[0]
            shift = (7, -7 if what == "cross_kappa" else 8)
            style.label(axis, last["n_items"], last["seconds"], text, ink, xytext=shift)
    told = measured[measured["what"].str.contains("reported")]
    axis.plot(told["n_items"], told["seconds"], "o", mfc="white", mec=style.INK, ms=6)
    for row in told.itertuples():
        text = row.what.split(";")[0]
        style.label(axis, row.n_items, row.seconds, text, style.INK, xytext=(7, 0))
    axis.set_xscale("log")
    axis.set_yscale("log")
    own = measured[measured["what"] == "cross_kappa"]
    most = own.loc[own["n_items"].idxmax()]
    point = f"{most['n_items']:,} items in {most['seconds']:.2g} s"
    axis.set(title=f"Cross-kappa of {point}",
             xlabel="items, two judgments in each replication", ylabel="seconds",
             xlim=(600, 3e7))  # fmt: skip
    return figure


def alternatives(noise: pd.DataFrame, shift: pd.DataFrame) -> Figure:
    """Normalisations and coefficients against noise and against leniency."""
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.4), sharey=True)
    looks = {
        "normalized": ("normalised $κ_x$", MAGENTA, "-"),
        "rho": ("$\\rho_{xy}$", style.INK, ":"),
        "by_expert": ("$κ_x$ / IRR of experts", style.PALETTE["cyan"], "-"),
        "kappa_x": ("$κ_x$", BLUE, "-"),
        "cross_alpha": ("cross-alpha", ORANGE, "--"),
        "irr_crowd": ("IRR of the crowd", style.MUTED, "-."),
    }
    for axis, part, title, what in (
        (axes[0], noise, "Crowd adds noise", "noise among the crowd's judgments"),
        (axes[1], shift, "Crowd says yes more often", "the crowd's share of yes"),
    ):
        for column, (text, ink, line) in looks.items():
            axis.plot(part.iloc[:, 0], part[column], line, color=ink, label=text)
        style.percent_axis(axis)
        axis.set(title=title, xlabel=what)
        axis.axhline(0, color=style.INK, lw=0.6)
    axes[0].set(ylabel="expected value")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center",
                  ncols=6, columnspacing=1.0, handlelength=1.6)  # fmt: skip
    return figure


def imbalance(table: pd.DataFrame) -> Figure:
    figure, axis = plt.subplots(figsize=(WIDTH, 2.9))
    lines = (
        (
            "alike_normalized",
            "normalised, both err alike",
            style.PALETTE["cyan"],
            0,
            (0, 7),
        ),
        ("differ_normalized", "normalised, the crowd errs more", MAGENTA, 0, (0, -9)),
        ("alike_kappa_x", "$κ_x$, both err alike", BLUE, -1, (5, 0)),
        ("differ_kappa_x", "$κ_x$, the crowd errs more", ORANGE, -1, (5, 0)),
    )
    for column, text, ink, end, shift in lines:
        axis.plot(table["share"], table[column], color=ink)
        at = table.iloc[end]
        style.label(axis, at["share"], at[column], text, ink, xytext=shift)
    axis.set_xscale("log")
    axis.set_xticks([0.005, 0.02, 0.1, 0.5])
    axis.minorticks_off()
    style.percent_axis(axis)
    alike, differ = (table[f"{k}_normalized"].min() for k in ("alike", "differ"))
    point = f"Normalised: {alike:.2f} where both say yes equally often"
    axis.set(title=f"{point}, down to {differ:.2f} where not",
             xlabel="items of the class", ylabel="expected value", xlim=(0.0045, 2.2),
             ylim=(0, 1.12))  # fmt: skip
    return figure
