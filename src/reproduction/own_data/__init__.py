"""Notebooks on one's own data. `audits` and `own_ratings` read what somebody brings, or
the examples, which `made` writes by `example_audit` and `example_ratings`;
`audit_panels` draws.
"""
