"""How good are these annotations, and how few must a person check to know?"""

from importlib.metadata import version as _version

from .double import double_plan
from .intervals import SampleSize, interval_sample_size, proportion_interval
from .levels import RELAXED, STRICT, QualityLevels
from .plan import Decision, SamplingPlan, curtail
from .recording import record
from .sequential import sequential_plan
from .single import single_plan

__version__ = _version("labelaudit")

__all__ = [
    "RELAXED",
    "STRICT",
    "Decision",
    "QualityLevels",
    "SampleSize",
    "SamplingPlan",
    "curtail",
    "double_plan",
    "interval_sample_size",
    "proportion_interval",
    "record",
    "sequential_plan",
    "single_plan",
]
