"""Intervals for the error rate after a sample of a size fixed beforehand.

`proportion` has the methods behind one interface, Clopper and Pearson's, mid-P, and the
shortest ones of a lot, which `shortest` finds; and the function for them. `stratified`
is for a lot of two strata, as a judge makes them. `sample_sizes` asks the question the
other way round.
"""
