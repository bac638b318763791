"""Raters to talk to, and the tests that name them.

`flags` puts the tests together and adjusts for their number. `least_able` asks whether
a rater agrees with others as the least able of honest raters would, `one_label` who
gives one label only.
"""

from .flags import LEVEL, flags

__all__ = ["LEVEL", "flags"]
