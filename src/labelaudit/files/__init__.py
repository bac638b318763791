"""Files as people have them, read and written.

`contents` reads bytes and makes them text; `delimited`, `records` and `parquet` make
these a table, and `tables` any of them, every cell a text (`text`).
`shapes` chooses rows and takes apart cells with several judgments; `cells` says what
texts mean as labels and counts, `ratings` finds the judgments, `columns` doubts that
some are raters, and `settled` says what counts of second judgments. `lots` reads a
batch's items; `sheets` are inspection sheets, written for people to fill in and read
back, `parts` deals them out, and `sums` tells what was changed on the way. `outputs`
refuses to write where something would be lost.
"""
