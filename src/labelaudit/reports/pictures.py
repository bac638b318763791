"""Figures as files: the same bytes on every processor, whatever drew them before.

Processors differ in the last digits of what they compute. A coordinate in the
middle between two pixels then falls to either, and a picture changes visibly for a
difference of 1e-13. So all coordinates are rounded before anything is drawn, and
the ends of the axes before that.
"""

import io
import re
from contextlib import suppress
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import Bbox, IdentityTransform, TransformedPath

from .._digits import steady

DECIMAL = re.compile(r"-?\d+\.\d{4,}")
AS_IS = IdentityTransform()
NAMED = re.compile(r'((?:\bid="|href="#|url\(#)\w*?)([0-9a-f]{10})(?=["\)])')


def svg(figure: Figure) -> str:
    """The figure as SVG; its parts are counted, not named after their coordinates."""
    written = _saved(figure, "svg", {"Date": None, "Creator": None}).decode()
    counts: dict[str, int] = {}

    def counted(found: re.Match[str]) -> str:
        return f"{found[1]}{counts.setdefault(found[2], len(counts) + 1)}"

    def short(found: re.Match[str]) -> str:
        return f"{float(found[0]):.3f}".rstrip("0").rstrip(".")

    return DECIMAL.sub(short, NAMED.sub(counted, written))


def png(figure: Figure) -> bytes:
    return _saved(figure, "png", {"Software": None})


def _saved(figure: Figure, kind: str, metadata: dict[str, None]) -> bytes:
    engine = figure.get_layout_engine()

    def draw(renderer: Any) -> None:
        # Where there is an engine, matplotlib first draws nothing to lay things out,
        # and takes as long as for a picture.
        if figure.axes and engine and figure.get_layout_engine() is engine:
            with suppress(ValueError):  # as in Figure.draw
                engine.execute(figure)
        else:
            rounded: Any = _Rounded(renderer)
            type(figure).draw(figure, rounded)

    for axes in figure.axes:  # ticks are chosen from the ends of an axis
        limits = axes.viewLim
        limits.intervalx = [steady(end) for end in limits.intervalx]
        limits.intervaly = [steady(end) for end in limits.intervaly]
    # After a save matplotlib gives a figure that has no layout engine the default.
    written = io.BytesIO()
    figure.draw = draw  # type: ignore[method-assign]
    try:
        with rc_context({"figure.constrained_layout.use": bool(engine)}):
            figure.savefig(written, format=kind, metadata=metadata)
            return written.getvalue()
    finally:
        del figure.draw  # the class's is seen again


def _round(coordinates: Any) -> np.ndarray:
    """To 1/1000 of a pixel: of what is the same on every processor, so no ties."""
    return np.round(np.round(coordinates, 9), 3)


def _path(path: Path, transform: Any) -> Path:
    """The path where it is drawn."""
    moved = transform.transform_path(path)
    rounded = Path(_round(moved.vertices), moved.codes)
    rounded.should_simplify = moved.should_simplify
    return rounded


class _Context(GraphicsContextBase):
    """A graphics context that cuts off at rounded coordinates."""

    def set_clip_rectangle(self, rectangle: Any) -> None:
        if rectangle is not None:
            rectangle = Bbox(_round(rectangle.get_points()))
        super().set_clip_rectangle(rectangle)

    def set_clip_path(self, path: Any) -> None:
        if path is not None:
            drawn = _path(*path.get_transformed_path_and_affine())
            path = TransformedPath(drawn, AS_IS)
        super().set_clip_path(path)


class _Rounded:
    """A renderer of matplotlib's that gets rounded coordinates."""

    def __init__(self, renderer: Any) -> None:
        self._renderer = renderer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._renderer, name)

    def new_gc(self) -> _Context:
        return _Context()

    def draw_path(self, gc: Any, path: Path, transform: Any, *rest: Any) -> None:
        self._renderer.draw_path(gc, _path(path, transform), AS_IS, *rest)

    def draw_markers(self, gc: Any, *given: Any) -> None:
        mark, size, path, transform, *rest = given
        mark, places = _path(mark, size), _path(path, transform)
        self._renderer.draw_markers(gc, mark, AS_IS, places, AS_IS, *rest)

    def draw_path_collection(self, gc: Any, *given: Any, **options: Any) -> None:
        transform, paths, sizes, offsets, offset_transform, *rest = given
        if not len(sizes):  # paths in data, not shapes of different sizes
            paths, transform = [_path(path, transform) for path in paths], AS_IS
        sizes, offsets = np.round(sizes, 9), _round(offset_transform.transform(offsets))
        moved = transform, paths, sizes, offsets, AS_IS, *rest
        self._renderer.draw_path_collection(gc, *moved, **options)

    def draw_quad_mesh(self, gc: Any, *given: Any) -> None:
        transform, width, height, corners, offsets, offset_transform, *rest = given
        places = _round(transform.transform(corners.reshape(-1, 2)))
        offsets = _round(offset_transform.transform(offsets))
        moved = width, height, places.reshape(corners.shape), offsets, AS_IS, *rest
        self._renderer.draw_quad_mesh(gc, AS_IS, *moved)

    def draw_image(self, gc: Any, x: float, y: float, *rest: Any) -> None:
        self._renderer.draw_image(gc, *_round([x, y]), *rest)

    def draw_text(self, gc: Any, x: Any, y: Any, *rest: Any, **options: Any) -> None:
        self._renderer.draw_text(gc, *_round([x, y]), *rest, **options)
