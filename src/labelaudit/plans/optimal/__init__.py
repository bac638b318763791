"""Plans that keep both risks exactly, with the least inspections that a search finds.

`problem` says what is to be small, and has the tables of probabilities; `bound` finds
the best plan at given prices of the two errors, the prices, and a bound that no plan is
below; `search` picks the best of the plans met there; `polish` improves them, limit by
limit; `exhaustive` tries every plan where samples are small.
"""
