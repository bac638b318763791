"""The parts of the site, and to which a page belongs."""

from __future__ import annotations

# What the name of a page begins with, and the part of the site that it belongs to.
PARTS = {
    "start": "Start here",
    "README": "Start here",
    "glossary": "Start here",
    "audit_a_batch": "Use it on your data",
    "your_labels": "Use it on your data",
    "may_a_model_label": "Use it on your data",
    "audit": "Use it on your data",
    "library": "Use it on your data",
    "teach": "Teaching",
    "reference": "Reference",
    "klie2024": "Klie et al. 2024",
    "artstein2007": "Artstein 2007",
    "lim2022": "Lim 2022",
    "dipietro_hazari": "DiPietro and Hazari",
    "wong2021": "Wong, Paritosh and Aroyo 2021",
    "beyond": "Beyond the papers",
    "sweep": "Sweeps",
    "differences": "The ledger",
    "ledger": "The ledger",
}


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
