"""The scale of Landis and Koch as bands, with values on it, for three documents."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from labelaudit.agreement.scale import SCALE

from . import style


def picture(examples: pd.DataFrame, limits: Mapping[str, float]) -> Figure:
    """A line for each example, and dashed lines at the limits.

    examples : by name; low, value and high are ours, printed (hollow) is the document's
    """
    shown = examples.reindex(columns=["low", "high", "value", "printed"]).astype(float)
    at, small = np.arange(len(shown)), {"va": "center", "fontsize": 8}
    figure, axis = plt.subplots(figsize=(style.WIDTH, 1.5 + 0.27 * len(shown)))
    starts = [-0.2, *(end for end, _ in SCALE)]
    shades = plt.get_cmap("Blues")(np.linspace(0.02, 0.5, len(SCALE)))
    for start, (end, name), shade in zip(starts, SCALE, shades):
        axis.axvspan(start, end, color=shade, lw=0)
        middle = (start + end) / 2
        axis.text(middle, -1.2, name.replace(" ", "\n"), ha="center", **small)
    for (name, limit), side in zip(limits.items(), ("right", "left")):
        axis.axvline(limit, color=style.INK, lw=1.2, ls="--", ymax=0.8)
        axis.text(limit, len(shown) - 0.2, f" {name} ", ha=side, **small)
    axis.hlines(at, shown["low"], shown["high"], color=style.INK)
    axis.plot(shown["value"], at, "o", color=style.INK, ms=5)
    axis.plot(shown["printed"], at, "o", mfc="none", mec=style.INK, ms=9)
    axis.set_yticks(at, shown.index)
    axis.set(xlim=(-0.2, 1), ylim=(len(shown) + 0.2, -1.8))
    axis.set_xlabel("coefficient of agreement")
    axis.grid(visible=False)
    return figure
