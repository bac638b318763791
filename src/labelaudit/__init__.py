"""How good are these annotations, and how few must a person check to know?

Names are loaded when first asked for, so that a command starts without what it does
not need: pandas and scipy take a second.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:  # what __getattr__ finds, for editors and type checkers
    from . import as_published as as_published
    from . import figures as figures
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

    __version__: str

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

_NAMES = {
    "agreement": ("Agreement", "Difference", "difference"),
    "batch": ("Audit", "audit", "inspection_sheet"),
    "coefficients": (
        "bennett_s",
        "cohen_kappa",
        "fleiss_kappa",
        "gwet_ac1",
        "janson_olsson_iota",
        "krippendorff_alpha",
        "scott_pi",
        "weighted_kappa",
    ),
    "double": ("double_plan",),
    "gold": ("Accuracy", "accuracy"),
    "inspection": ("Inspection",),
    "intervals": ("SampleSize", "interval_sample_size", "proportion_interval"),
    "latent": ("LatentClasses", "dawid_skene"),
    "levels": ("RELAXED", "STRICT", "QualityLevels"),
    "optimal": ("optimal_plan",),
    "outgoing": (
        "average_outgoing_quality",
        "average_outgoing_quality_limit",
        "average_total_inspection",
        "expected_cost",
    ),
    "plan": ("Decision", "SamplingPlan", "curtail"),
    "planning": ("items_needed", "landis_koch"),
    "ratings": ("Ratings",),
    "recording": ("record",),
    "reliability_study": ("Reliability", "reliability"),
    "replication": (
        "cross_alpha",
        "cross_kappa",
        "disattenuated_correlation",
        "normalized_cross_kappa",
    ),
    "sequential": ("sequential_plan",),
    "single": ("single_plan",),
    "suggested": ("dipietro_hazari_kappa",),
}
_MODULE = {name: module for module, names in _NAMES.items() for name in names}
_MODULES = ("as_published", "figures")

if not _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any:
        """A public name, from its module, once; see PEP 562."""
        if name in _MODULE:
            value = getattr(_import_module(f".{_MODULE[name]}", __name__), name)
        elif name in _MODULES:
            value = _import_module(f".{name}", __name__)
        elif name == "__version__":
            value = _import_module("importlib.metadata").version("labelaudit")
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES, "__version__"])
