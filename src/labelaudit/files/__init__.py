"""Files as people have them, read and written.

`tables` reads any table, every cell a text (`text`), with `records` for JSON;
`shapes` chooses rows and takes apart cells with several judgments; `cells` says what
texts mean as labels and counts, `ratings` finds the judgments, `columns` doubts that
some are raters, and `settled` says what counts of second judgments. `lots` reads a
batch's items; `sheets` are inspection sheets, written for people to fill in and read
back, `parts` deals them out, and `sums` tells what was changed on the way. `outputs`
refuses to write where something would be lost.
"""
