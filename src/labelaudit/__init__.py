"""How good are these annotations, and how few must a person check to know?"""

from importlib import import_module as _import_module
from importlib.metadata import version as _version
from types import ModuleType as _ModuleType

from .agreement import Agreement, Difference, difference
from .batch import Audit, audit, inspection_sheet
from .coefficients import (
    bennett_s,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    janson_olsson_iota,
    krippendorff_alpha,
    scott_pi,
    weighted_kappa,
)
from .double import double_plan
from .gold import Accuracy, accuracy
from .inspection import Inspection
from .intervals import SampleSize, interval_sample_size, proportion_interval
from .latent import LatentClasses, dawid_skene
from .levels import RELAXED, STRICT, QualityLevels
from .optimal import optimal_plan
from .outgoing import (
    average_outgoing_quality,
    average_outgoing_quality_limit,
    average_total_inspection,
    expected_cost,
)
from .plan import Decision, SamplingPlan, curtail
from .planning import items_needed, landis_koch
from .ratings import Ratings
from .recording import record
from .reliability_study import Reliability, reliability
from .replication import (
    cross_alpha,
    cross_kappa,
    disattenuated_correlation,
    normalized_cross_kappa,
)
from .sequential import sequential_plan
from .single import single_plan
from .suggested import dipietro_hazari_kappa

__version__ = _version("labelaudit")

__all__ = [
    "RELAXED",
    "STRICT",
    "Accuracy",
    "Agreement",
    "Audit",
    "Decision",
    "Difference",
    "Inspection",
    "LatentClasses",
    "QualityLevels",
    "Ratings",
    "Reliability",
    "SampleSize",
    "SamplingPlan",
    "accuracy",
    "audit",
    "average_outgoing_quality",
    "average_outgoing_quality_limit",
    "average_total_inspection",
    "bennett_s",
    "cohen_kappa",
    "cross_alpha",
    "cross_kappa",
    "curtail",
    "dawid_skene",
    "difference",
    "dipietro_hazari_kappa",
    "disattenuated_correlation",
    "double_plan",
    "expected_cost",
    "fleiss_kappa",
    "gwet_ac1",
    "inspection_sheet",
    "interval_sample_size",
    "items_needed",
    "janson_olsson_iota",
    "krippendorff_alpha",
    "landis_koch",
    "normalized_cross_kappa",
    "optimal_plan",
    "proportion_interval",
    "record",
    "reliability",
    "scott_pi",
    "sequential_plan",
    "single_plan",
    "weighted_kappa",
]

_ON_DEMAND = ("as_published", "figures")


def __getattr__(name: str) -> _ModuleType:
    """la.as_published and la.figures, loaded when first asked for."""
    if name in _ON_DEMAND:
        return _import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ON_DEMAND, "__version__"])
