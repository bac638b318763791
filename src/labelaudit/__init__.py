"""How good are these annotations, and how few must a person check to know?"""

from importlib import import_module as _import_module
from importlib.metadata import version as _version
from types import ModuleType as _ModuleType

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

_ON_DEMAND = ("as_published", "figures")


def __getattr__(name: str) -> _ModuleType:
    """la.as_published and la.figures, loaded when first asked for."""
    if name in _ON_DEMAND:
        return _import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ON_DEMAND, "__version__"])
