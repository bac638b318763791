"""The parts of the site, and to which a page belongs."""

# The parts in their order, and what the names of their pages begin with.
CAPTIONS = {
    "Start here": "start README glossary",
    "Use it on your data": "audit_a_batch your_labels may_a_model_label audit library",
    "Teaching": "teach",
    "Reference": "reference",
    "Klie et al. 2024": "klie2024",
    "Artstein 2007": "artstein2007",
    "Lim 2022": "lim2022",
    "DiPietro and Hazari": "dipietro_hazari",
    "Wong, Paritosh and Aroyo 2021": "wong2021",
    "Beyond the papers": "beyond",
    "Sweeps": "sweep",
    "The ledger": "differences ledger",
}
PARTS = {name: part for part, names in CAPTIONS.items() for name in names.split()}


def part(stem: str) -> str:
    """The part of the site that a page belongs to."""
    return PARTS[prefix(stem)]


def prefix(stem: str) -> str:
    """What the page's name begins with, of what names may begin with."""
    for known in PARTS:
        if stem == known or stem.startswith(f"{known}_"):
            return known
    raise ValueError(
        f"{stem} belongs to no part of the site: a page's name begins with one of"
        f" {', '.join(PARTS)}"
    )
