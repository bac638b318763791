"""Pictures of what the standard tables and their streams promise."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..machinery import style
from ..machinery.style import WIDTH
from .streams import NORMAL, REDUCED, STOPPED, TIGHTENED

INKS = {
    NORMAL: style.PALETTE["blue"],
    TIGHTENED: style.PALETTE["red"],
    REDUCED: style.PALETTE["teal"],
    STOPPED: style.PALETTE["ink"],
}


def promise_panels(cells: pd.DataFrame) -> Figure:
    """Both risks of every cell against its acceptance number.

    cells : as aql_table.enumerated() gives them, without batches inspected whole
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.0))
    numbers = sorted(cells["Ac"].unique())
    at = cells["Ac"].map(numbers.index)
    look = {"ms": 4, "alpha": 0.6, "markeredgewidth": 0.8}
    grey = {"color": style.MUTED, "fillstyle": "none"} | look
    axes[0].plot(at + 0.17, cells["process risk"], "o", **grey)
    some = cells["errors"] > 0
    blue = {"color": style.PALETTE["blue"], "clip_on": False} | look
    axes[0].plot(at[some] - 0.17, cells["risk"][some], "o", **blue)
    height = cells["process risk"].max()
    for text, kind in (("a batch", blue), ("a process", grey)):
        axes[0].plot(2.2, height, "o", **kind)
        style.label(axes[0], 2.3, height, text, kind["color"])
        height *= 0.9
    times = cells["rate at 10 %"] / (cells["AQL"] / 100)
    axes[1].plot(at, times, "o", color=style.PALETTE["red"], **look)
    axes[0].set(title="Good: rejected exactly at the AQL")
    axes[0].set(ylabel="probability of rejection", ylim=(0, None))
    axes[1].set(title="Bad: the rate accepted with 10 %")
    axes[1].set(ylabel="error rate over the AQL", ylim=(0, None))
    axes[1].axhline(1, color=style.MUTED, linewidth=0.9, linestyle=":")
    place = {"va": "bottom", "xytext": (0, 1)}
    style.label(axes[1], 0.2, 1, "the AQL", style.MUTED, **place)
    axes[1].yaxis.set_major_locator(MaxNLocator(integer=True))
    style.percent_axis(axes[0], "y")
    for axis in axes:
        axis.set_xticks(range(len(numbers)), numbers)
        axis.set_xlabel("acceptance number of the plan")
        axis.grid(axis="x", visible=False)
    return figure


def severity_panel(axis: Axes, table: pd.DataFrame) -> None:
    """Shares of the batches in each severity against their error rate, stacked.

    table : index error rate; columns reduced, normal, tightened
    """
    order = (REDUCED, NORMAL, TIGHTENED)
    parts = [table[name] for name in order]
    axis.stackplot(
        table.index, *parts, colors=[INKS[n] for n in order], alpha=0.75, linewidth=0
    )
    below = 0 * table[NORMAL]
    for name, part in zip(order, parts):
        widest = (part.where(table.index < 0.93 * table.index.max())).idxmax()
        at = widest if name != TIGHTENED else 0.75 * table.index.max()
        at = at if name != REDUCED else 0.12 * table.index.max()
        near = abs(table.index - at).argmin()
        height = below.iloc[near] + part.iloc[near] / 2
        if part.iloc[near] > 0.1:
            kind = {"ha": "center", "xytext": (0, 0), "fontweight": "bold"}
            style.label(axis, table.index[near], height, name, "#ffffff", **kind)
        below = below + part
    axis.set(xlim=table.index[[0, -1]], ylim=(0, 1), ylabel="share of the batches")
    axis.set_xlabel("error rate of the batches")
    style.percent_axis(axis)
    style.percent_axis(axis, "y")


def quality_panels(tables: dict[str, pd.DataFrame], aql: float) -> Figure:
    """What goes out and what is inspected, a line for each way of inspecting.

    tables : index error rate; columns outgoing, sampled
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.2))
    inks = [style.PALETTE[name] for name in ("ink", "magenta", "orange", "blue")]
    for (name, table), ink in zip(tables.items(), inks):
        axes[0].plot(table.index, table["outgoing"], color=ink, label=name)
        axes[1].plot(table.index, table["sampled"], color=ink)
        worst = table["outgoing"].idxmax()
        axes[0].plot(worst, table["outgoing"][worst], "o", color=ink, ms=5)
    for axis in axes:
        axis.axvline(aql, color=style.MUTED, linewidth=0.8, linestyle=":", zorder=0)
        axis.set(xlim=(0, table.index.max()), ylim=(0, None))
        axis.set_xlabel("error rate of the batches")
        style.percent_axis(axis)
    top = axes[0].get_ylim()[1]
    axes[0].plot([0, top], [0, top], color=style.MUTED, linewidth=0.9, linestyle=":")
    axes[0].set(ylim=(0, top), title="Errors that go out")
    axes[0].set_ylabel("error rate after inspection")
    style.percent_axis(axes[0], "y")
    style.label(axes[1], aql, 0.55 * axes[1].get_ylim()[1], "AQL", style.MUTED)
    axes[1].set(title="Annotations inspected", ylabel="sample of a batch, on average")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure


def jump_panels(path: pd.DataFrame) -> Figure:
    """From the first bad batch on: where inspection is, and what is accepted.

    path : as Stream.path gives it, with the batch as index
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.2))
    for name in (REDUCED, NORMAL, TIGHTENED, STOPPED):
        axes[0].plot(path.index, path[name], "o-", color=INKS[name], ms=3, label=name)
    axes[0].set(title="How the batch is inspected", ylabel="probability")
    total = path["accepted"].cumsum()
    axes[1].plot(path.index, path["accepted"], "o-", color=style.PALETTE["blue"], ms=3)
    axes[1].plot(path.index, total, "o-", color=style.PALETTE["red"], ms=3)
    end = path.index[-1]
    above = {"ha": "right", "va": "bottom", "xytext": (0, 4)}
    words = "accepted so far, on average"
    style.label(axes[1], end, total.iloc[-1], words, style.PALETTE["red"], **above)
    words = "this batch is accepted"
    at = path["accepted"].iloc[-1]
    style.label(axes[1], end, at, words, style.PALETTE["blue"], **above)
    axes[1].set(title="Bad batches that pass", ylabel="batches, or probability")
    axes[1].set_ylim(0, 1.15 * total.iloc[-1])
    style.percent_axis(axes[0], "y")
    for axis in axes:
        axis.set_xlabel("batch, the first bad one is 1")
        axis.set_xlim(0.5, end + 0.5)
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(handles[0]))
    return figure


def choice_panels(table: pd.DataFrame, good: float, bad: float) -> Figure:
    """What each way costs while batches are good, and what it lets through.

    table : index the way; columns sampled, outgoing, passes (the first bad batch)
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.3), sharex=True)
    for axis, what in zip(axes, ("outgoing", "passes")):
        for name, row in table.iterrows():
            ink = style.PALETTE["red"] if "stream" in str(name) else style.INK
            axis.plot(row["sampled"], row[what], "o", color=ink, ms=6)
            right = row["sampled"] < 0.6 * table["sampled"].max()
            kind = {"ha": "left"} if right else {"ha": "right"}
            up = {"xytext": (6 if right else -6, -6 if name == "normal plan" else 6)}
            style.label(axis, row["sampled"], row[what], str(name), ink, **kind | up)
        axis.set_xlabel(f"annotations inspected of a batch with {100 * good:g} %")
        axis.set(ylim=(0, 1.15 * table[what].max()), xlim=(0, None))
        style.percent_axis(axis, "y")
    axes[0].set(title="In the long run", ylabel="worst error rate that goes out")
    axes[1].set(title="The first bad batch", ylabel=f"accepted, with {100 * bad:g} %")
    return figure
