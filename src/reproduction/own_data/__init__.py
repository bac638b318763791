"""Notebooks on one's own data. `audits` and `own_ratings` read what somebody brings, or
the examples; `audit_panels` draws.
"""
