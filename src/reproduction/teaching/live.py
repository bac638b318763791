"""Controls above a picture that follows them, and the picture alone where none can be.

A cell that ends with `controls(...)` shows sliders in a running notebook. Its output
holds the picture as saved, too, so that a page without a kernel shows that one.
"""

from __future__ import annotations

import io
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

import matplotlib.pyplot as plt
from IPython.display import Image
from matplotlib.figure import Figure

SHARP = 200  # dots per inch: two for each of a page's
# Seconds. A page sends a slider's next value when the last one is answered, so that
# pictures never queue; slower ones than this wait until the slider is let go.
FOLLOWS = 0.5
STALE = "labelaudit-stale"  # a picture of other settings than those shown
GREY = f"<style>.{STALE} {{opacity: 0.3; filter: grayscale(1)}}</style>"
LABEL, LEAST = "6.5em", "21em"  # widths: of a control's name; of a control
DEAD = "Nothing moves? The kernel was started anew: run all cells again."
LINES = "line-height: 1.4; min-height: 4.2em"  # three, so that the picture stays put

Draw = Callable[..., tuple[Figure, str]]


@dataclass(frozen=True)
class Range:
    """A slider from low to high, which also takes a typed number."""

    label: str
    low: float
    high: float
    step: float = 1

    def widget(self, ipywidgets: Any, value: float) -> Any:
        if isinstance(self.step, int):
            slider = ipywidgets.IntSlider(min=self.low, max=self.high)
        else:
            slider = ipywidgets.FloatSlider(min=self.low, max=self.high, step=self.step)
            slider.readout_format = ".1f"
        self.put(slider, value)
        return slider

    def put(self, slider: Any, value: float) -> None:
        """Give the slider a value, with more room for as long as it needs it."""
        slider.max = max(slider.max, value)
        slider.value = value
        slider.max = max(self.high, value)


@dataclass(frozen=True)
class Steps:
    """A slider over some whole numbers."""

    label: str
    values: Iterable[int]

    def widget(self, ipywidgets: Any, value: int) -> Any:
        options = [(f"{n:,}", n) for n in sorted({*self.values, value})]
        return ipywidgets.SelectionSlider(options=options, value=value)


@dataclass(frozen=True)
class Choice:
    """One of some words, a button each."""

    label: str
    values: Iterable[str]

    def widget(self, ipywidgets: Any, value: str) -> Any:
        buttons = ipywidgets.ToggleButtons(options=list(self.values), value=value)
        buttons.style.button_width = "auto"
        buttons.add_class("widget-inline-hbox")  # the label beside the buttons
        return buttons


def controls(
    draw: Draw,
    still: Image,
    start: dict[str, Any],
    given: dict[str, Range | Steps | Choice],
    presets: dict[str, dict[str, Any]] | None = None,
) -> Panel | Image:
    """Controls, and one picture that follows them.

    Parameters
    ----------
    draw : function of all values, by name
        Gives a figure and a sentence about it. A ValueError is an impossible
        setting: what it says is shown, and the last picture greyed.
    still : Image
        The picture for start, as saved.
    start : dict
        The values to begin with.
    given : dict
        A control for each value.
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

    def __init__(
        self,
        ipywidgets: Any,
        draw: Draw,
        still: Image,
        start: dict[str, Any],
        given: dict[str, Range | Steps | Choice],
        presets: dict[str, dict[str, Any]],
    ) -> None:
        self._draw, self._still, self._given = draw, still, given
        self._seconds, self._waiting = 0.0, False
        auto = ipywidgets.Layout(width="auto")
        self.widgets = {}
        for name, control in given.items():
            widget = control.widget(ipywidgets, start[name])
            widget.description, widget.layout = control.label, auto
            widget.style.description_width = LABEL
            widget.observe(self._redraw, "value")
            self.widgets[name] = widget
        self.presets = {}
        for name, values in presets.items():
            button = ipywidgets.Button(description=name, layout=auto)
            button.on_click(lambda _, values=values: self.set(**values))
            self.presets[name] = button
        self.words = ipywidgets.HTML()
        # Without a tooltip: an Image that has one is not shown by JupyterLab.
        self.image = ipywidgets.Image(width=still.width)
        self.image.layout.max_width = "100%"
        columns = f"repeat(auto-fit, minmax({LEAST}, 1fr))"
        grid = ipywidgets.Layout(grid_template_columns=columns)
        self.box = ipywidgets.VBox(
            [
                ipywidgets.Box(tuple(self.presets.values())),
                ipywidgets.GridBox(tuple(self.widgets.values()), layout=grid),
                ipywidgets.HTML(f"<small>{DEAD}</small>"),
                self.words,
                self.image,
            ]
        )
        self.box.children[0].layout.flex_flow = "row wrap"
        self.box.layout.max_width = f"{still.width + 60}px"  # four buttons in a row
        self._redraw()

    def set(self, **values: Any) -> None:
        """Give controls their values by name, and draw once."""
        self._waiting = True
        for name, value in values.items():
            control, widget = self._given[name], self.widgets[name]
            if isinstance(control, Range):
                control.put(widget, value)
            else:
                widget.value = value
        self._waiting = False
        self._redraw()

    def _redraw(self, change: Any = None) -> None:
        if self._waiting:
            return
        if self._seconds > FOLLOWS:
            self._say("Computing ...")
        begin = time.perf_counter()
        values = {name: widget.value for name, widget in self.widgets.items()}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the sentence says it
                figure, text = self._draw(**values)
        except ValueError as refusal:
            self._say(f"Not possible: {refusal}", stale=True)
            return
        except Exception as failure:  # in a page nobody would see a traceback
            self._say(f"Failed: {type(failure).__name__}: {failure}", stale=True)
            return
        picture = io.BytesIO()
        figure.savefig(picture, format="png", dpi=SHARP, metadata={"Software": None})
        plt.close(figure)
        self.image.value = picture.getvalue()
        self._say(text)
        self._seconds = time.perf_counter() - begin
        for widget in self.widgets.values():
            if widget.has_trait("continuous_update"):
                widget.continuous_update = self._seconds < FOLLOWS

    def _say(self, text: str, stale: bool = False) -> None:
        """Show the text, to be read aloud where pages are."""
        self.text = text
        role = "alert" if stale else "status"
        start = f'{GREY}<div role="{role}" style="{LINES}">'
        self.words.value = f"{start}{escape(text)}</div>"
        if stale:
            self.image.add_class(STALE)
        else:
            self.image.remove_class(STALE)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = self._still._repr_mimebundle_()
        return self.box._repr_mimebundle_() | data | {"text/plain": self.text}, metadata
