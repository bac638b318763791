"""An agreement coefficient is 1 - D_o / D_e: observed over expected disagreement.

The path of the data: `reading` checks tables as people have them, `doors` are the ways
in, `ratings` holds who gave which label to which item (`rated` has its numbers and
parts, `clusters` says which items share their luck). `sample` joins items that were
judged alike, and has of any kind of sample the value, its slopes, and what changes
without an item or a cluster; the kind that nearly all are is `pairs`: distances added
up over pairs of judgments, D_o and D_e (`distances` says what distance is meant). On a
sample stand `estimate`, a value with its error and intervals (`uncertainty` has these),
and `agreement`, one with its breakdowns and words (`parts` is the same by label and by
pair of raters). `differences` compares two results. On these stand: `table` (what makes
each coefficient), `coefficients` and `gwet` (their functions), `across` (two
replications) and `normalized` (the same over the reliability within them), `suggested`
(DiPietro and Hazari), `gold` (accuracy against known labels), `latent` (without known
labels) and `alternative` (may a model stand in for raters? `nearer` scores both,
`regions` tests).
`study_size` plans a study; `scale` has the words for a value.
"""
