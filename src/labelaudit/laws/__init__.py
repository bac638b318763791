"""How many errors does a sample hold? The probabilities under plans and intervals.

`errors` has the law, of a lot (hypergeometric) or of a process (binomial), and compares
its probabilities with a bound, in fractions where rounding could decide.
"""
