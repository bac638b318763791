"""What the prevalence of a label does to coefficients.

Throughout, raters give the true label with one probability, the accuracy, whatever
the true label is, and independently of each other.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from ..machinery import style
from ..machinery.style import WIDTH

Array = NDArray[np.float64]

BLACK, BLUE = style.COLOUR["single"], style.COLOUR["double"]
ORANGE = style.COLOUR["sequential"]

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
    found = {
        "observed_agreement": (1 + s) / 2,
        "gwet_ac1": s * (2 - v) / (1 + (1 - v) * s),
        "bennett_s": s,
        "krippendorff_alpha": v * s / (v * s + 1 - s),
    }
    return pd.DataFrame(found, np.atleast_1d(p))


def accuracy_for(kappa: float, prevalence: ArrayLike) -> Array:
    """The accuracy that makes kappa what it is at this prevalence."""
    p = np.asarray(prevalence)
    s = kappa / (kappa + 4 * p * (1 - p) * (1 - kappa))
    return (1 + np.sqrt(s)) / 2


def nearest(values: pd.Series, wanted: float) -> float:
    """The value of a column that is closest to the one wanted."""
    return float(values.iloc[(values - wanted).abs().argmin()])


def by_prevalence(table: pd.DataFrame, accuracy: float) -> Figure:
    """Coefficients of raters of one accuracy: lines are formulas, dots are runs."""
    figure, axis = plt.subplots(figsize=(WIDTH, 3.3))
    part = table[table["accuracy"] == accuracy]
    part = part[part["raters"] == part["raters"].min()]
    means = part.groupby("prevalence").mean(numeric_only=True)
    p = np.geomspace(means.index.min(), means.index.max(), 200)
    exact = population(p, accuracy)
    for name, (text, ink) in COEFFICIENTS.items():
        axis.plot(p, exact[name], color=ink)
        axis.plot(means.index, means[name], "o", color=ink)
        lift = -8 if name == "gwet_ac1" else 8
        end = p[0], exact[name].iloc[0]
        style.label(axis, *end, text, ink, ha="left", xytext=(2, lift))
    axis.set(xscale="log", ylim=(0, 1), ylabel="value")
    axis.set_xlabel("prevalence of the rarer label")
    style.percent_axis(axis)
    return figure


def error_by_raters(table: pd.DataFrame) -> pd.DataFrame:
    """The standard error of alpha: prevalence and accuracy down, raters across."""
    keys = ["prevalence", "accuracy", "raters"]
    return table.groupby(keys)["alpha_standard_error"].mean().unstack("raters")
