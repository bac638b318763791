"""How reliable are these labels? Everything that a set of ratings shows.

`study` puts it together, and `found` is the result. Its parts: `fitting` (the
coefficients), `breakdowns` (by label and by rater), `flags` (whom to talk to)
and `two_collections`; `warnings` says in words what to be careful about, such as labels
that are perhaps one.
`findings` lists all of it once, which commands tell as text and JSON, and `page` as
HTML, with `figures`.
"""
