"""Procedures that repeat a published approximation or error.

Nothing else in the library uses them. They are here so that a printed number can be
shown to come from a procedure, by running it beside the right one. Facts about the
procedures are from Klie et al. 2024 and from the code released with it
(apple/ml-sampleplan). `intervals` has the intervals and sample sizes, `plans` the
plans, `released` the simulation.
"""

from .intervals import both_tails, interval_sample_size, plug_in_interval
from .plans import (
    counted_average_sample_number,
    double_average_sample_number,
    double_plan,
    wald_average_sample_number,
    wald_slope,
    wedge_plan,
)
from .released import replay

__all__ = [
    "both_tails",
    "counted_average_sample_number",
    "double_average_sample_number",
    "double_plan",
    "interval_sample_size",
    "plug_in_interval",
    "replay",
    "wald_average_sample_number",
    "wald_slope",
    "wedge_plan",
]
