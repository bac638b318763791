"""Notebooks on one's own data. `audits` and `own_ratings` read what somebody brings, or
the examples, which `example_audit`, `example_batches`, `example_ratings` and
`example_shapes` make; `audit_panels` draws.
"""
