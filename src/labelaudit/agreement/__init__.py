"""An agreement coefficient is 1 - D_o / D_e: observed over expected disagreement.

The path of the data: `reading` checks tables as people have them, `doors` are the ways
in, `ratings` holds who gave which label to which item (`rated` has its numbers and
parts, `clusters` says which items share their luck), `units` joins items that were
judged alike, `distances` says what distance is meant (`within` how far it takes labels
apart, added up over groups), `pairs` has the sums over pairs of judgments. `estimate`
is a value with its error and intervals (`resampling` has the jackknife and the
bootstrap, `adjusted` the default interval), `agreement` one with its breakdowns and
words (`parts` is the same by label and by pair of raters), and `disagreement` the kind
that nearly all are: which pairs stand for chance, D_o, D_e and what they are without
each item.
`differences` compares two results. On these stand: `table` (what makes each
coefficient), `coefficients` and `gwet` (their functions), `across` (two replications)
and `normalized` (the same over the reliability within them, a `ratio`), `suggested`
(DiPietro and Hazari), `gold` (accuracy against known labels), `latent` (without known
labels) and `alternative` (may a model stand in for raters? `nearer` scores both,
`regions` tests). `study_size` plans a study; `scale` has the words for a value.
"""
