"""Raters to talk to, and the tests that name them."""

from .flags import LEVEL, flags

__all__ = ["LEVEL", "flags"]
