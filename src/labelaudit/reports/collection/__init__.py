"""How reliable are these labels? Everything that a set of ratings shows.

`study` puts it together, and `found` is the result. Its parts: `fitting` (the
coefficients), `breakdowns` (by label and by rater), `raters` (whom to talk to),
`following` (do suggestions lead raters?) and `two_collections`; `warnings` says in
words what to be careful about, with `rater_words` for raters; `spelling` finds the
labels that are perhaps one.
`page` lists the findings and writes them, in words of findings.toml, with `figures`.
"""
