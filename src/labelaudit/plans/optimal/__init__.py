"""The plans with the fewest inspections that keep both risks exactly.

`aims` says what is to be small; `bellman` finds the best plan at given prices of the
two errors; `search` finds the prices, and a bound that no plan is below; `polish`
improves the plan found, limit by limit; `exhaustive` tries every plan where samples are
small.
"""
