"""Wong, Paritosh and Aroyo 2021, and the IRep data.

`irep` fetches and reads the released file, `released` runs the notebooks on it;
`stand_in` is data of its shape where there is no file, `subset` the 1,065 items that
are published; `bounded` shows what two cities can have on those, `recovered` finds
counts behind printed decimals; `replications` shows every cell of the paper; `crowds`
simulates replications; `panels` has the other pictures.
"""
