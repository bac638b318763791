"""What answers a person with data.

`batch`: the audit of a batch, from outcomes to a verdict and a sentence. `estimates`: a
sample that is for an estimate alone, or one with a judge's help. `collection`, a folder
of its own: how reliable are these labels? `saying` has the sentences of all of
them, in two files of TOML. `report` makes pages of HTML and `pictures` figures that are
the same bytes everywhere.
"""
