"""How good are these annotations, and how few must a person check to know?

`laws` has the probabilities that all else stands on. Three wings stand on it or beside
it and know nothing of each other: `plans` (acceptance sampling), `intervals` (error
rates and sample sizes) and `agreement` (coefficients). `reports` answers people with
data, `files` reads and writes what they have, `commands` is the command line, `sweeps`
runs notebooks over many parameters. `as_published` repeats published errors, and no
wing imports it; `figures` draws plans.

Names are loaded when first asked for, so that a command starts without what it does
not need: pandas and scipy take a second.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:  # what __getattr__ finds, for editors and type checkers
    from . import as_published as as_published
    from . import figures as figures
    from .agreement.across import cross_kappa
    from .agreement.agreement import Agreement
    from .agreement.alternative import AlternativeAnnotator, alternative_annotator
    from .agreement.coefficients import (
        bennett_s,
        cohen_kappa,
        fleiss_kappa,
        gwet_ac1,
        gwet_ac2,
        janson_olsson_iota,
        krippendorff_alpha,
        scott_pi,
        weighted_kappa,
    )
    from .agreement.differences import Difference, difference
    from .agreement.gold import Accuracy, accuracy
    from .agreement.latent import LatentClasses, dawid_skene
    from .agreement.normalized import normalized_cross_kappa
    from .agreement.ratings import Ratings
    from .agreement.scale import landis_koch
    from .agreement.study_size import items_needed
    from .agreement.suggested import dipietro_hazari_kappa
    from .intervals.proportion import proportion_interval
    from .intervals.sample_sizes import SampleSize, interval_sample_size
    from .plans.aql import aql_plan
    from .plans.double import double_plan
    from .plans.draw import inspection_sheet
    from .plans.levels import RELAXED, STRICT, QualityLevels
    from .plans.optimal.search import optimal_plan
    from .plans.plan import Decision, SamplingPlan, curtail
    from .plans.sequential import sequential_plan
    from .plans.single import single_plan
    from .recording import record
    from .reports.batch import Audit, audit
    from .reports.collection.found import Reliability
    from .reports.collection.study import reliability
    from .sweeps import sweep

    __version__: str

__all__ = [
    "RELAXED",
    "STRICT",
    "Accuracy",
    "Agreement",
    "AlternativeAnnotator",
    "Audit",
    "Decision",
    "Difference",
    "LatentClasses",
    "QualityLevels",
    "Ratings",
    "Reliability",
    "SampleSize",
    "SamplingPlan",
    "accuracy",
    "alternative_annotator",
    "aql_plan",
    "audit",
    "bennett_s",
    "cohen_kappa",
    "cross_kappa",
    "curtail",
    "dawid_skene",
    "difference",
    "dipietro_hazari_kappa",
    "double_plan",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
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
    "sweep",
    "weighted_kappa",
]

_NAMES = {
    "agreement.across": ("cross_kappa",),
    "agreement.agreement": ("Agreement",),
    "agreement.alternative": (
        "AlternativeAnnotator",
        "alternative_annotator",
    ),
    "agreement.coefficients": (
        "bennett_s",
        "cohen_kappa",
        "fleiss_kappa",
        "gwet_ac1",
        "gwet_ac2",
        "janson_olsson_iota",
        "krippendorff_alpha",
        "scott_pi",
        "weighted_kappa",
    ),
    "agreement.differences": (
        "Difference",
        "difference",
    ),
    "agreement.gold": (
        "Accuracy",
        "accuracy",
    ),
    "agreement.latent": (
        "LatentClasses",
        "dawid_skene",
    ),
    "agreement.normalized": ("normalized_cross_kappa",),
    "agreement.ratings": ("Ratings",),
    "agreement.scale": ("landis_koch",),
    "agreement.study_size": ("items_needed",),
    "agreement.suggested": ("dipietro_hazari_kappa",),
    "intervals.proportion": ("proportion_interval",),
    "intervals.sample_sizes": (
        "SampleSize",
        "interval_sample_size",
    ),
    "plans.aql": ("aql_plan",),
    "plans.double": ("double_plan",),
    "plans.draw": ("inspection_sheet",),
    "plans.levels": (
        "QualityLevels",
        "RELAXED",
        "STRICT",
    ),
    "plans.optimal.search": ("optimal_plan",),
    "plans.plan": (
        "Decision",
        "SamplingPlan",
        "curtail",
    ),
    "plans.sequential": ("sequential_plan",),
    "plans.single": ("single_plan",),
    "recording": ("record",),
    "reports.batch": (
        "Audit",
        "audit",
    ),
    "reports.collection.found": ("Reliability",),
    "reports.collection.study": ("reliability",),
    "sweeps": ("sweep",),
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
