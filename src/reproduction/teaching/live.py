"""Controls above a picture that follows them, and the picture alone where none can be.

A cell that ends with `controls(...)` shows sliders in a running notebook. Its output
holds the picture as saved, too, so that a page without a kernel shows that one.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import matplotlib.pyplot as plt
from IPython.display import Image
from matplotlib.figure import Figure

SHARP = 200  # dots per inch: two for each of a page's
DEAD = "<small>Nothing moves? The kernel was started anew: run all cells again.</small>"
LINES = "line-height: 1.4; min-height: 4.2em"  # three, so that the picture stays put

Draw = Callable[..., tuple[Figure, str]]


def controls(
    draw: Draw,
    still: Image,
    start: dict[str, Any],
    given: dict[str, tuple[str, Sequence[Any]]],
    presets: dict[str, dict[str, Any]] | None = None,
) -> Panel | Image:
    """Controls, and one picture that follows them.

    Parameters
    ----------
    draw : function of all values, by name
        Gives a figure and a sentence about it. A ValueError is an impossible
        setting: what it says is shown, and the last picture stays.
    still : Image
        The picture for start, as saved.
    start : dict
        The values to begin with.
    given : dict
        For each value a control: its label, and the words or numbers to choose from.
        Fractions are shown in percent.
    presets : dict, optional
        Values to be set by a click on their name.

    Returns
    -------
    Panel
        Without ipywidgets, the picture alone.
    """
    try:
        import ipywidgets
    except ImportError:
        print("For controls: pip install ipywidgets, and start the kernel anew.")
        return still
    return Panel(ipywidgets, draw, still, start, given, presets or {})


class Panel:
    """What `controls` shows: .widgets and .presets by name, .image, .words, .box."""

    def __init__(self, ipywidgets, draw: Draw, still: Image, start, given, presets):
        self._draw, self._still, self._waiting = draw, still, False
        self.widgets = {}
        for name, (label, values) in given.items():
            about = {"description": label, "value": start[name]}
            if isinstance(start[name], str):
                widget = ipywidgets.ToggleButtons(options=[*values], **about)
            else:
                set_to = {some[name] for some in presets.values() if name in some}
                numbers = sorted({*values, start[name], *set_to})
                options = [(_written(value), value) for value in numbers]
                about |= {"continuous_update": False}  # pictures never queue
                widget = ipywidgets.SelectionSlider(options=options, **about)
            widget.style.description_width = "6.5em"
            widget.observe(self._redraw, "value")
            self.widgets[name] = widget
        self.presets = {name: ipywidgets.Button(description=name) for name in presets}
        for name, button in self.presets.items():
            button.on_click(lambda _, name=name: self.set(**presets[name]))
        self.words = ipywidgets.HTML()
        # Without a tooltip: an Image that has one is not shown by JupyterLab.
        self.image = ipywidgets.Image(width=still.width)
        self.image.layout.max_width = "100%"
        buttons = ipywidgets.HBox(tuple(self.presets.values()))
        buttons.layout.flex_flow = "row wrap"
        below = [ipywidgets.HTML(DEAD), self.words, self.image]
        self.box = ipywidgets.VBox([buttons, *self.widgets.values(), *below])
        self._redraw()

    def set(self, **values: Any) -> None:
        """Give controls their values by name, and draw once."""
        self._waiting = True
        for name, value in values.items():
            self.widgets[name].value = value
        self._waiting = False
        self._redraw()

    def _redraw(self, change: Any = None) -> None:
        if self._waiting:
            return
        values = {name: widget.value for name, widget in self.widgets.items()}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the sentence says it
                figure, self.text = self._draw(**values)
        except ValueError as refusal:
            self.text = f"Not possible, so the picture is the last one: {refusal}"
        except Exception as failure:  # in a page nobody would see a traceback
            self.text = f"Failed: {type(failure).__name__}: {failure}"
        else:
            png = io.BytesIO()
            figure.savefig(png, format="png", dpi=SHARP, metadata={"Software": None})
            plt.close(figure)
            self.image.value = png.getvalue()
        words = escape(self.text)  # read aloud where pages are
        self.words.value = f'<div role="status" style="{LINES}">{words}</div>'

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = self._still._repr_mimebundle_()
        return self.box._repr_mimebundle_() | data | {"text/plain": self.text}, metadata


def _written(value: float) -> str:
    return f"{100 * value:g} %" if isinstance(value, float) else f"{value:,}"
