"""Files as people have them, read and written.

Reading goes one way. `contents` are bytes made text; `rows` finds cells in them, and
`tables` makes a table of these, every cell a `text`. `asked` is what a call says of it.
`cells` says what texts mean as labels and counts, and `nested` follows paths into
objects: a table so far is `judged`. `ratings` is the whole way: it chooses rows, takes
them apart and makes ratings of judgments, and `wide` does of items. `guesses` are what
a file may be instead, as it `looks`, as its `columns` are by their names and values, as
`pairs` of them name judgments, as is `computed` from others or `inside` cells, as
`keys` of objects may be, or lists in `steps` with others: each offers what to type.
`said` has all sentences, and writes the options in them; `told` reads such files of
sentences.

`lots` reads a batch's items; `sheets` are inspection sheets, written for people to fill
in, whole or dealt out, `filled` is what one or several say that come back, and
`sums` tells what was changed on the way. `outputs` writes, and refuses where something
would be lost.
"""
