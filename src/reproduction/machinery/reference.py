"""The reference: pages that Sphinx's autodoc fills from docstrings."""

import labelaudit

FOLDER = "reference"
# Each page with its title, and the modules whose names it has; the longest fits.
PAGES = {
    "plans": ("Plans: how many to check, and when to stop", "plans"),
    "inspecting": (
        "A plan in use: its risks, its sheet, its verdict",
        "plans.plan plans.draw",
    ),
    "intervals": ("Intervals and sample sizes", "intervals"),
    "ratings": ("Ratings: who gave which label to which item", "agreement.ratings"),
    "agreement": ("Coefficients of agreement", "agreement"),
    "estimates": (
        "Agreement in use: errors, intervals, breakdowns, study sizes",
        "agreement.agreement agreement.differences agreement.study_size",
    ),
    "gold": (
        "Accuracy, gold labels and models as annotators",
        "agreement.gold agreement.latent agreement.alternative",
    ),
    "reports": ("Reports on a batch and on ratings", "reports"),
    "recording": ("Recording values in a sweep", "recording"),
    "sweeps": ("Sweeps over parameters", "sweeps"),
    "figures": ("Figures of plans", "figures"),
    "as_published": ("As published: the errors of a paper, repeated", "as_published"),
}
WHERE = {module: page for page, (_, of) in PAGES.items() for module in of.split()}


def pages() -> dict[str, str]:
    """Each page in reStructuredText, by its name."""
    found = {page: [title, "=" * len(title), ""] for page, (title, _) in PAGES.items()}
    for name in labelaudit.__all__:
        thing = getattr(labelaudit, name)
        kind = "class" if isinstance(thing, type) else "function"
        kind = kind if callable(thing) else "data"
        module = thing.__module__.removeprefix("labelaudit.")
        page = WHERE[max(filter(module.startswith, WHERE), key=len)]
        found[page] += [f".. auto{kind}:: labelaudit.{name}", ""]
    for module in ("figures", "as_published"):
        found[module] += [f".. automodule:: labelaudit.{module}", ""]
    return {page: "\n".join(lines) for page, lines in found.items()}
