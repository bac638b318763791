"""Files as people have them, read and written.

`tables` reads any table, every cell a text (`text`), with `records` for JSON;
`shapes` chooses rows and takes apart cells with several judgments; `cells` says what
texts mean as labels and counts, `ratings` finds the judgments, `columns` doubts that
some are raters, and `settled` says what counts of second judgments. `lots` reads a
batch's items; `sheets` are inspection sheets, written for people to fill in, `parts`
deals them out, `returned` is one that comes back, `filled` what one or several say, and
`sums` tells what was changed on the way. `outputs` writes, and refuses where something
would be lost.
"""
