"""The public names, each once: for editors and type checkers, and for __init__.py."""

from . import as_published as as_published, figures as figures
from .agreement.across import cross_kappa as cross_kappa
from .agreement.agreement import Agreement as Agreement
from .agreement.alternative import (
    AlternativeAnnotator as AlternativeAnnotator,
    alternative_annotator as alternative_annotator,
)
from .agreement.coefficients import (
    bennett_s as bennett_s,
    cohen_kappa as cohen_kappa,
    fleiss_kappa as fleiss_kappa,
    janson_olsson_iota as janson_olsson_iota,
    krippendorff_alpha as krippendorff_alpha,
    scott_pi as scott_pi,
    weighted_kappa as weighted_kappa,
)
from .agreement.differences import Difference as Difference, difference as difference
from .agreement.gold import Accuracy as Accuracy, accuracy as accuracy
from .agreement.gwet import gwet_ac1 as gwet_ac1, gwet_ac2 as gwet_ac2
from .agreement.latent import LatentClasses as LatentClasses, dawid_skene as dawid_skene
from .agreement.normalized import normalized_cross_kappa as normalized_cross_kappa
from .agreement.ratings import Ratings as Ratings
from .agreement.scale import landis_koch as landis_koch
from .agreement.study_size import items_needed as items_needed
from .agreement.suggested import dipietro_hazari_kappa as dipietro_hazari_kappa
from .intervals.proportion import proportion_interval as proportion_interval
from .intervals.sample_sizes import (
    SampleSize as SampleSize,
    interval_sample_size as interval_sample_size,
)
from .intervals.stratified import stratified_interval as stratified_interval
from .plans.aql import aql_plan as aql_plan
from .plans.double import double_plan as double_plan
from .plans.draw import inspection_sheet as inspection_sheet
from .plans.levels import (
    RELAXED as RELAXED,
    STRICT as STRICT,
    QualityLevels as QualityLevels,
)
from .plans.optimal.search import optimal_plan as optimal_plan
from .plans.plan import (
    Decision as Decision,
    SamplingPlan as SamplingPlan,
    curtail as curtail,
)
from .plans.sequential import sequential_plan as sequential_plan
from .plans.single import single_plan as single_plan
from .recording import record as record
from .reports.batch import Audit as Audit, audit as audit
from .reports.collection.found import Reliability as Reliability
from .reports.collection.study import reliability as reliability
from .sweeps import sweep as sweep

__version__: str
