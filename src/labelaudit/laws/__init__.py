"""How many errors does a sample hold? The probabilities that all else stands on.

`errors` has the two laws, of a lot (hypergeometric) and of a process (binomial);
`inspection` describes inspectors who make mistakes, and `flags` the law of what such
inspectors count instead of errors. Read them in this order. `near` compares them with
a bound, in fractions where rounding could decide; `halving` finds the last number that
keeps one.
"""
