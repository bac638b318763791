"""Files as people have them, read and written.

`tables` reads any table, every cell a text; `ratings` finds the judgments in it and
`spelling` the labels that are perhaps one; `sheets` are inspection sheets, written for
people to fill in and read back.
"""
