"""Notebooks on one's own data. `audits` and `own_ratings` read what somebody brings, or
the examples, which `made` writes by `example_audit`, `example_batches`,
`example_model`, `example_ratings` and `example_shapes`; `audit_panels` draws.
"""
