"""How many errors does a sample hold? The probabilities under plans and intervals.

`errors` has the two laws, of a lot (hypergeometric) and of a process (binomial).
`near` compares them with a bound, in fractions where rounding could decide, and finds
the last number that keeps one.
"""
