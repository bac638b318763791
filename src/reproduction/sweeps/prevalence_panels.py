"""What the prevalence of a label does to coefficients.

Throughout, raters give the true label with one probability, the accuracy, whatever
the true label is, and independently of each other.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from ..machinery import style
from ..machinery.style import WIDTH

Array = NDArray[np.float64]

BLACK, BLUE = style.COLOUR["single"], style.COLOUR["double"]
ORANGE, PURPLE = style.COLOUR["sequential"], style.COLOUR["interval"]
RED = style.COLOUR["bad"]

# Column of the sweep, how it is called, colour.
COEFFICIENTS = {
    "observed_agreement": ("observed agreement", style.MUTED),
    "gwet_ac1": ("Gwet's AC1", BLUE),
    "bennett_s": ("S", BLACK),
    "krippendorff_alpha": (r"$\kappa$, $\alpha$, $\iota$", ORANGE),
}


def population(prevalence: ArrayLike, accuracy: ArrayLike) -> pd.DataFrame:
    """Coefficients of infinitely many items, by the names of the sweep's columns.

    With S = (2 q - 1)^2 and v = 4 p (1 - p): kappa / (1 - kappa) = v S / (1 - S), and
    AC1 = S (2 - v) / (1 + (1 - v) S). The number of raters is in none of them.
    """
    p, q = np.broadcast_arrays(np.asarray(prevalence), np.asarray(accuracy))
    s, v = (2 * q - 1) ** 2, 4 * p * (1 - p)
    return pd.DataFrame(
        {
            "observed_agreement": (1 + s) / 2,
            "gwet_ac1": s * (2 - v) / (1 + (1 - v) * s),
            "bennett_s": s,
            "krippendorff_alpha": v * s / (v * s + 1 - s),
        },
        index=np.atleast_1d(p),
    )


def accuracy_for(kappa: float, prevalence: ArrayLike) -> Array:
    """The accuracy that makes kappa what it is at this prevalence."""
    p = np.asarray(prevalence)
    s = kappa / (kappa + 4 * p * (1 - p) * (1 - kappa))
    return (1 + np.sqrt(s)) / 2


# Coefficients -----------------------------------------------------------------


def coefficients(table: pd.DataFrame, kappa: float) -> Figure:
    """Coefficients by prevalence, their error by raters, and what one kappa means.

    Parameters
    ----------
    table : DataFrame
        What the sweep gave.
    kappa : float
        Whose meaning the third panel shows.
    """
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 3.3))
    _by_prevalence(axes[0], table, nearest(table["accuracy"], 0.9))
    _by_accuracy(axes[1], table, kappa)
    _gain(axes[2], table, nearest(table["prevalence"], 0.1))
    for axis in axes:
        axis.title.set_fontsize(9)
    return figure


def nearest(values: pd.Series, wanted: float) -> float:
    """The value of a column that is closest to the one wanted."""
    return float(values.iloc[(values - wanted).abs().argmin()])


def _by_prevalence(axis: Axes, table: pd.DataFrame, accuracy: float) -> None:
    part = table[(table["accuracy"] == accuracy)]
    part = part[part["raters"] == part["raters"].min()]
    means = part.groupby("prevalence").mean(numeric_only=True)
    p = np.geomspace(means.index.min(), means.index.max(), 200)
    exact = population(p, accuracy)
    # Where along the line its name stands, and how far above or below it.
    places = {
        "observed_agreement": (0.0, 8, "left"),
        "gwet_ac1": (0.0, -9, "left"),
        "bennett_s": (0.0, -9, "left"),
        "krippendorff_alpha": (0.52, -12, "left"),
    }
    for name, (text, ink) in COEFFICIENTS.items():
        axis.plot(p, exact[name], color=ink, lw=2.2 if ink == ORANGE else 1.4)
        axis.plot(means.index, means[name], "o", color=ink, ms=4)
        where, shift, side = places[name]
        at = int(where * (len(p) - 1))
        place = {"xytext": (-2, shift), "ha": side}
        style.label(axis, p[at], exact[name].iloc[at], text, ink, **place)
    axis.set(xscale="log", ylim=(0, 1), title=f"Raters {100 * accuracy:g} % right")
    axis.set(xlabel="prevalence of the rarer label", ylabel="value")
    _log_percent(axis)


def _log_percent(axis: Axes) -> None:
    low, high = axis.get_xlim()
    ticks = 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5
    axis.set_xticks([t for t in ticks if low <= t <= high])
    axis.xaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    axis.minorticks_off()


def _by_accuracy(axis: Axes, table: pd.DataFrame, kappa: float) -> None:
    few, many = table["prevalence"].min(), table["prevalence"].max()
    chosen = sorted({few, nearest(table["prevalence"], 0.1), many}, reverse=True)
    shades = plt.get_cmap("YlOrBr")(np.linspace(0.62, 0.98, len(chosen)))
    low = float(table["accuracy"].min())
    q = np.linspace(low, 1, 400)
    axis.axhline(kappa, color=style.MUTED, lw=0.8, ls=":")
    for i, (p, shade) in enumerate(zip(chosen, shades)):
        exact = population(np.full(len(q), p), q)["krippendorff_alpha"]
        axis.plot(q, exact, color=shade)
        part = table[table["prevalence"] == p].groupby("accuracy").mean()
        dots = {"color": shade, "ms": 4, "clip_on": False}
        axis.plot(part.index, part["krippendorff_alpha"], "o", zorder=4, **dots)
        need = float(accuracy_for(kappa, p))
        axis.plot([need], [kappa], "D", color=shade, ms=5, zorder=5)
        text = f"at {100 * p:g} %: {_right(need)} right"
        axis.text(low, 0.97 - 0.08 * i, text, color=shade, fontsize=8, va="top")
    axis.set(xlim=(low - 0.01, 1.005), ylim=(0, 1), xlabel="accuracy of raters")
    axis.set(title=rf"What $\kappa$ = {kappa:g} means", ylabel=r"$\kappa$")
    style.percent_axis(axis)


def _right(accuracy: float) -> str:
    """A percentage with a decimal where it is close to 100."""
    return f"{100 * accuracy:.{0 if accuracy < 0.985 else 1}f} %"


def _gain(axis: Axes, table: pd.DataFrame, prevalence: float) -> None:
    """More raters against the same number of judgments on more items."""
    errors = error_by_raters(table).loc[prevalence]
    few = errors.columns[0]
    for i, (raters, ink) in enumerate(zip(errors.columns[1:], (BLUE, PURPLE, RED))):
        ratio = errors[raters] / errors[few]
        axis.plot(ratio.index, ratio, "-o", color=ink)
        axis.axhline(np.sqrt(few / raters), color=ink, lw=1, ls="--")
        place = {"xytext": (0, -9), "ha": "left"}
        text = f"{raters} raters"
        style.label(axis, ratio.index[0], ratio.iloc[0], text, ink, **place)
        text = f"{few} raters, {raters / few:g} times the items"
        y = 0.04 + 0.07 * i
        axis.text(0.98, y, text, color=ink, fontsize=7.5, ha="right",
                  transform=axis.transAxes)  # fmt: skip
    y = 0.05 + 0.07 * (len(errors.columns) - 1)
    axis.text(0.98, y, "dashed: as many judgments by", fontsize=7.5, ha="right",
              color=style.MUTED, transform=axis.transAxes)  # fmt: skip
    axis.set(ylim=(0, 1.02), xlabel="accuracy of raters")
    axis.set_title(f"More raters, at {100 * prevalence:g} %")
    axis.set_ylabel(rf"standard error of $\alpha$, {few} raters' = 1")
    style.percent_axis(axis)


def error_by_raters(table: pd.DataFrame) -> pd.DataFrame:
    """The standard error of alpha: prevalence and accuracy down, raters across."""
    keys = ["prevalence", "accuracy", "raters"]
    return table.groupby(keys)["alpha_standard_error"].mean().unstack("raters")
