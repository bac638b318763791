"""Pictures and tables of two sweeps: how many to check, and truncated tests."""

from __future__ import annotations

import json

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import WIDTH

# Colours for p_a (sample sizes) and for the promised risks (truncation).
INKS = tuple(
    style.PALETTE[name] for name in ("blue", "magenta", "orange", "teal", "ink", "red")
)


# How many must be checked ---------------------------------------------------------


def with_levels(table: pd.DataFrame) -> pd.DataFrame:
    """The results of the sweep sample_sizes, their levels as columns and in words.

    The column `levels` becomes a name such as "1 | 3 %": p_a and p_r. The risks
    stand in it, too, where they are not those of most rows; see common_risks.
    """
    levels = [json.loads(each) for each in table["levels"]]
    parts = pd.DataFrame(levels, columns=["p_a", "p_r", "alpha", "beta"])
    table = table.drop(columns="levels").join(parts)
    usual = common_risks(table)
    names = []
    for row in parts.itertuples():
        name = f"{100 * row.p_a:g} | {100 * row.p_r:g} %"
        if (row.alpha, row.beta) != usual:
            name += f" ({100 * row.alpha:g}, {100 * row.beta:g} %)"
        names.append(name)
    return table.assign(levels=names)


def common_risks(table: pd.DataFrame) -> tuple[float, float]:
    """alpha and beta of most rows."""
    alpha, beta = table[["alpha", "beta"]].value_counts().index[0]
    return float(alpha), float(beta)


def legend(table: pd.DataFrame) -> str:
    """What the names of levels and the bands of by_lot_size mean."""
    alpha, beta = common_risks(table)
    return (
        f"Names: good | bad error rate; risks {100 * alpha:g} and {100 * beta:g} %"
        " unless given. Right: line, average in a good lot; band, down to that in a"
        " bad one."
    )


def planning_table(table: pd.DataFrame) -> pd.DataFrame:
    """n (c) of the single plan, lot size down, levels across."""
    cells = [f"{n} ({c})" for n, c in zip(table["n"], table["c"])]
    wide = table.assign(cell=cells).pivot(
        index="lot_size", columns="levels", values="cell"
    )
    return wide[table["levels"].unique()].fillna("")


def costs(table: pd.DataFrame, lot_size: int) -> pd.DataFrame:
    """All three plans in lots of one size, and what the optimal one saves."""
    part = table[table["lot_size"] == lot_size].set_index("levels")
    n = part["n"]
    return pd.DataFrame(
        {
            "single": n,
            "double: stages": [
                "" if first != first else f"{first:.0f} + {second:.0f}"
                for first, second in zip(part["double_first"], part["double_second"])
            ],
            "double: at p_a": part["double_asn_at_p_a"],
            "optimal: at p_a": part["optimal_asn_at_p_a"],
            "at p_r": part["optimal_asn_at_p_r"],
            "at most": part["optimal_max_sample"],
            "saved at p_a, %": 100 * (1 - part["optimal_asn_at_p_a"] / n),
            "saved at p_r, %": 100 * (1 - part["optimal_asn_at_p_r"] / n),
        }
    )


def growth(table: pd.DataFrame) -> pd.DataFrame:
    """How the single plan's n grows with the lot, a row for each pair of levels.

    The share of the smallest lot that is checked, and how much more each tenfold
    lot takes, both in percent.
    """
    wide = table.pivot(index="levels", columns="lot_size", values="n")
    wide = wide.loc[table["levels"].unique()]
    size = int(wide.columns[0])
    found = {f"checked of {size:,}, %": 100 * wide[size] / size}
    while 10 * size in wide:
        name = f"more from {size:,} to {10 * size:,}, %"
        found[name] = 100 * (wide[10 * size] / wide[size] - 1)
        size *= 10
    return pd.DataFrame(found)


def by_lot_size(table: pd.DataFrame) -> Figure:
    """The single plan's n, and the optimal plan's average, against the lot size."""
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 4.4), sharex=True, sharey=True)
    inks = dict(zip(sorted(table["p_a"].unique()), INKS * len(table)))
    usual = common_risks(table)
    sizes = np.array(sorted(table["lot_size"].unique()))
    for axis in axes:
        axis.plot(sizes, sizes, color=style.MUTED, lw=0.8, ls=":", zorder=1)
    for name, part in table.groupby("levels", sort=False):
        part = part.sort_values("lot_size")
        ink = inks[part["p_a"].iloc[0]]
        same = (part["alpha"].iloc[0], part["beta"].iloc[0]) == usual
        line = "-" if same else "--"
        _line(axes[0], part, "n", str(name), ink, line)
        _line(axes[1], part, "optimal_asn_at_p_a", str(name), ink, line)
        means = part["optimal_asn_at_p_a"], part["optimal_asn_at_p_r"]
        axes[1].fill_between(part["lot_size"], *means, color=ink, alpha=0.18, lw=0)
    top = 1.35 * table["n"].max()
    bottom = 0.8 * table["optimal_asn_at_p_r"].min()
    for axis in axes:
        axis.set(xscale="log", yscale="log", xlabel="lot size", ylim=(bottom, top))
        axis.xaxis.set_major_formatter("{x:,.0f}")
        axis.yaxis.set_major_formatter("{x:,.0f}")
        axis.set_yticks([t for t in _ticks() if bottom < t < top])
        axis.minorticks_off()
        axis.tick_params(labelleft=True)
        at = 0.72 * top
        style.label(axis, at, at, "the whole lot", style.MUTED, xytext=(6, 4))
    axes[0].set(title="Single plan", ylabel="annotations to check")
    axes[1].set(title="Optimal plan, on average")
    return figure


def _ticks() -> list[float]:
    """1, 2, 5, 10, 20, 50, ..."""
    return [step * 10.0**power for power in range(6) for step in (1, 2, 5)]


def _line(
    axis: Axes, part: pd.DataFrame, column: str, name: str, ink: str, line: str
) -> None:
    """One pair of levels, named at its end."""
    axis.plot(part["lot_size"], part[column], line, color=ink, lw=1.4)
    end = part["lot_size"].iloc[-1], part[column].iloc[-1]
    style.label(axis, *end, name, ink, fontsize=7.5, annotation_clip=False)


# How often truncation misses its risk ---------------------------------------------

RULES = {"described": "as described", "released": "as released"}
SIDES = {"consumer": "beta", "producer": "alpha"}


def with_promises(table: pd.DataFrame) -> pd.DataFrame:
    """The results of the sweep truncation with alpha and beta, and what is promised.

    For each rule and risk the multiple of the promise that it takes, and the share
    of the lot that the single plan inspects.
    """
    risks = [json.loads(each) for each in table["risks"]]
    parts = pd.DataFrame(risks, columns=["alpha", "beta"])
    table = table.join(parts).assign(share=table["n"] / table["lot_size"])
    for rule in RULES:
        for side, promise in SIDES.items():
            actual = table[f"{rule}_{side}s_risk"]
            table[f"{rule}_{side}_multiple"] = actual / table[promise]
    return table


def missed(table: pd.DataFrame) -> pd.DataFrame:
    """For each rule and risk: how often it is missed, and by how much."""
    rows = {}
    for rule, text in RULES.items():
        for side in SIDES:
            multiple = table[f"{rule}_{side}_multiple"]
            gone = table[f"{rule}_{side}_missed"]
            rows[text, f"{side}'s"] = {
                "sets": len(table),
                "missed": int(gone.sum()),
                "missed, %": 100 * gone.mean(),
                "median / promised": multiple.median(),
                "largest / promised": multiple.max(),
            }
    found = pd.DataFrame.from_dict(rows, orient="index")
    found.index.names = ["rule", "risk"]
    return found.astype({"sets": int, "missed": int})


def depends(table: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """Misses and medians for each value of each column of names, which is called so.

    Medians are multiples of what is promised.
    """
    rows = {}
    for column, called in names.items():
        for value, part in table.groupby(column, observed=True):
            rows[called, value] = {
                "sets": len(part),
                "consumer's missed": int(part["described_consumer_missed"].sum()),
                "consumer's median": part["described_consumer_multiple"].median(),
                "producer's missed": int(part["described_producer_missed"].sum()),
                "producer's median": part["described_producer_multiple"].median(),
                "released, consumer's": part["released_consumer_multiple"].median(),
            }
    found = pd.DataFrame.from_dict(rows, orient="index")
    found.index.names = ["parameter", "value"]
    counts = ["sets", "consumer's missed", "producer's missed"]
    return found.astype(dict.fromkeys(counts, int))


def multiples(table: pd.DataFrame) -> Figure:
    """Each risk over what is promised: the consumer's against the share of the lot
    that is inspected, the producer's against the single plan's acceptance number.

    Circles: the rule as described; triangles: as released. A colour for each pair
    of promised risks.
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 4.3))
    pairs = table[["alpha", "beta"]].drop_duplicates().to_numpy()
    for axis, side, x in zip(axes, SIDES, ("share", "c")):
        for ink, (alpha, beta) in zip(INKS * len(pairs), pairs):
            part = table[(table["alpha"] == alpha) & (table["beta"] == beta)]
            text = rf"$\alpha$ = {100 * alpha:g} %, $\beta$ = {100 * beta:g} %"
            ours = part[f"described_{side}_multiple"]
            theirs = part[f"released_{side}_multiple"]
            axis.plot(part[x], theirs, "^", color=ink, ms=4.5, mew=0, alpha=0.5)
            axis.plot(part[x], ours, "o", color=ink, ms=4.5, mew=0.9, label=text)
        top = 1.08 * table[[f"{rule}_{side}_multiple" for rule in RULES]].max().max()
        axis.axhline(1, color=style.INK, lw=1.2)
        axis.set(title=f"{side.capitalize()}'s risk", ylim=(-0.02 * top, top))
        axis.yaxis.set_major_formatter("{x:g}")
    for rule, (mark, alpha) in zip(RULES.values(), (("o", 1), ("^", 0.5))):
        look = {"color": style.MUTED, "ms": 4.5, "mew": 0, "alpha": alpha}
        axes[0].plot([], [], mark, label=rule, **look)
    axes[0].set(xscale="log", xlabel="share of the lot that the single plan inspects")
    axes[0].set_ylabel("exact risk divided by the promised one")
    axes[0].xaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    axes[0].set_xlim(0.7 * table["share"].min(), 1.3)
    axes[1].set_xscale("symlog", linthresh=1)
    axes[1].set_xlim(0.7 * table["c"].min(), 1.6 * table["c"].max() + 1)
    axes[1].set_xticks([t for t in _ticks() if t <= table["c"].max()])
    axes[1].xaxis.set_major_formatter("{x:g}")
    axes[1].minorticks_off()
    axes[1].set_xlabel("acceptance number c of the single plan")
    place = {"ha": "right", "va": "bottom", "xytext": (-2, 1)}
    style.label(axes[1], axes[1].get_xlim()[1], 1, "promised", style.INK, **place)
    place = {"ha": "left", "va": "top", "xytext": (2, -2)}
    style.label(axes[0], axes[0].get_xlim()[0], 1, "promised", style.INK, **place)
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=5, handletextpad=0.1)
    return figure
