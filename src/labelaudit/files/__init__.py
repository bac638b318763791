"""Files as people have them, read and written.

`tables` reads any table, every cell a text; `cells` says what these texts mean as
labels and counts, and `ratings` finds the judgments; `sheets` are inspection sheets,
written for people to fill in and read back.
"""
