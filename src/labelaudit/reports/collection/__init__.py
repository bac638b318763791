"""How reliable are these labels? Everything that a set of ratings shows.

`study` puts it together, and `found` is the result. Its parts: `fitting` (the
coefficients), `breakdowns` (by label and by rater) and `flags` (whom to talk to);
`warnings` says in words what to be careful about, such as labels that are perhaps one.
`findings` lists all of it once, and tells it as text, JSON and HTML, with `figures`.
"""
