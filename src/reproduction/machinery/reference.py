"""The reference: a page for each wing, which Sphinx's autodoc fills from docstrings."""

import labelaudit

FOLDER = "reference"
WINGS = {  # by the module that a name comes from
    "plans": "Plans: how many to check, and when to stop",
    "intervals": "Intervals and sample sizes",
    "agreement": "Agreement between raters",
    "reports": "Reports on a batch and on ratings",
    "recording": "Recording values in a sweep",
    "sweeps": "Sweeps over parameters",
    "figures": "Figures of plans",
    "as_published": "As published: the errors of a paper, repeated",
}


def pages() -> dict[str, str]:
    """Each page in reStructuredText, by the wing that it is about."""
    found = {wing: [title, "=" * len(title), ""] for wing, title in WINGS.items()}
    for name in labelaudit.__all__:
        thing = getattr(labelaudit, name)
        kind = "class" if isinstance(thing, type) else "function"
        kind = kind if callable(thing) else "data"
        wing = thing.__module__.split(".")[1]
        found[wing] += [f".. auto{kind}:: labelaudit.{name}", ""]
    for module in ("figures", "as_published"):
        found[module] += [f".. automodule:: labelaudit.{module}", ""]
    return {wing: "\n".join(lines) for wing, lines in found.items()}
