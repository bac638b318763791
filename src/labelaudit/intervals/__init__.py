"""Intervals for the error rate after a sample of a size fixed beforehand.

`proportion` is where users come in, `methods` puts the methods behind one interface.
Limits: `tail_limits` (Clopper-Pearson, mid-P), `ordered_limits` (Blaker and the
prior-assisted ones), `acceptance_sets` and `optimal_limits` (the shortest ones of a
lot), `flagged_limits` (inspectors who make mistakes). `sample_sizes` asks the question
the other way round, with `short_enough` for the search.
"""
