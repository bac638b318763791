"""Notebooks on one's own data. `audits` and `own_ratings` read what somebody brings, or
the examples, which `example_audit` and `example_ratings` make; `audit_panels` draws.
"""
