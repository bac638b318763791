"""Intervals for the error rate after a sample of a size fixed beforehand.

`proportion` is where users come in, `methods` puts the methods behind one interface;
`stratified` is for a lot of two strata, as a judge makes them.
Limits: `tail_limits` (Clopper-Pearson, mid-P), `shortest` (the shortest ones of a lot).
`sample_sizes` asks the question the other way round.
"""
