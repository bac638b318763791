"""The sweeps over sample sizes and truncated tests: what is read off them, drawn."""

import json
from itertools import product

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from ..machinery import style
from ..machinery.style import WIDTH

INKS = ("blue", "magenta", "orange", "teal", "ink", "red")
USUAL = [0.05, 0.1]  # alpha and beta, which a name leaves out
LEGEND = "Solid: the single plan. Dotted: the optimal plan, on average in a good lot."
TICKS = [step * 10**power for power in range(1, 6) for step in (1, 2, 5)]


def with_levels(table: pd.DataFrame) -> pd.DataFrame:
    """The results of the sweep sample_sizes, their levels as columns and in words.

    The column `levels` becomes a name such as "1 | 3 %": p_a and p_r, with other risks
    than the usual ones in brackets.
    """
    levels = [json.loads(each) for each in table["levels"]]
    parts = pd.DataFrame(levels, columns=["p_a", "p_r", "alpha", "beta"])
    names = []
    for p_a, p_r, *risks in levels:
        name = f"{100 * p_a:g} | {100 * p_r:g} %"
        if risks != USUAL:
            name += " ({:g}, {:g} %)".format(*(100 * risk for risk in risks))
        names.append(name)
    return table.assign(levels=names).join(parts)


def by_lot_size(table: pd.DataFrame) -> Figure:
    """The single plan's n, and the optimal plan's average, against the lot size."""
    figure, axis = plt.subplots(figsize=(WIDTH, 4.2))
    inks = dict(zip(sorted(table["p_a"].unique()), INKS * len(table)))
    for name, part in table.groupby("levels", sort=False):
        part = part.sort_values("lot_size")
        ink = style.PALETTE[inks[part["p_a"].iloc[0]]]
        axis.plot(part["lot_size"], part["n"], color=ink)
        axis.plot(part["lot_size"], part["optimal_asn_at_p_a"], ":", color=ink)
        end = part[["lot_size", "n"]].iloc[-1]
        style.label(axis, *end, str(name), ink, annotation_clip=False)
    axis.set(xscale="log", yscale="log", xlabel="lot size", ylabel="checks")
    axis.set_yticks([tick for tick in TICKS if tick < table["n"].max()])
    axis.set_ylim(0.8 * table["optimal_asn_at_p_a"].min(), 1.2 * table["n"].max())
    for scale in (axis.xaxis, axis.yaxis):
        scale.set_major_formatter("{x:,.0f}")
    axis.minorticks_off()
    return figure


RULES = {"described": "o", "released": "^"}  # and their marks
SIDES = {"consumer": "beta", "producer": "alpha"}


def with_promises(table: pd.DataFrame) -> pd.DataFrame:
    """The results of the sweep truncation with alpha and beta, and what is promised.

    For each rule and risk the multiple of the promise that it takes, and the share
    of the lot that the single plan inspects.
    """
    risks = [json.loads(each) for each in table["risks"]]
    parts = pd.DataFrame(risks, columns=["alpha", "beta"])
    table = table.join(parts).assign(share=table["n"] / table["lot_size"])
    for rule, (side, promise) in product(RULES, SIDES.items()):
        actual = table[f"{rule}_{side}s_risk"]
        table[f"{rule}_{side}_multiple"] = actual / table[promise]
    return table


def multiples(table: pd.DataFrame) -> Figure:
    """Each risk over what is promised: the consumer's against the share of the lot
    that is inspected, the producer's against the single plan's acceptance number.

    A colour for each pair of promised risks, a mark for each rule.
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 4.3), sharey=True)
    for axis, side, x in zip(axes, SIDES, ("share", "c")):
        parts = table.groupby(["alpha", "beta"], sort=False)
        for name, ((alpha, beta), part) in zip(INKS * len(parts), parts):
            text = rf"$\alpha$ = {100 * alpha:g} %, $\beta$ = {100 * beta:g} %"
            for rule, mark in RULES.items():
                look = {"color": style.PALETTE[name], "ms": 4.5, "alpha": 0.7}
                look["label"] = f"{text}, as {rule}"
                axis.plot(part[x], part[f"{rule}_{side}_multiple"], mark, **look)
        axis.axhline(1, color=style.INK, lw=1.2)
        axis.set_title(f"{side.capitalize()}'s risk; the line is promised")
    axes[0].set(xscale="log", xlabel="share of the lot that the single plan inspects")
    axes[0].set_ylabel("exact risk divided by the promised one")
    axes[0].xaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    axes[1].set_xscale("symlog", linthresh=1)
    axes[1].set_xlim(left=-0.1)
    axes[1].set_xlabel("acceptance number c of the single plan")
    axes[1].xaxis.set_major_formatter("{x:g}")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, handletextpad=0.1)
    return figure
