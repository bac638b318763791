"""Wong, Paritosh and Aroyo 2021, and the IRep data.

`fetch` gets the released file, `irep` reads it, `released` runs the notebooks on it;
`stand_in` is data of its shape where there is no file, `subset` the 1,065 items that
are published; `replications` has what is known beside each cell of the paper's tables,
`crowds` simulates replications, `pictures` draws.
"""
