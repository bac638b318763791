"""A sampling plan is a stopping region: after n inspections with x errors, accept,
reject, or go on.

First what holds for every plan: `levels` (which rates are good and bad, and at what
risk), `evaluation` (the limits, where paths can go, and exact probabilities of every
way to stop), `runs` (the interval after the verdict, and runs drawn at random),
`properties` (what is computed of a plan, from these), `plan` (the plan itself),
`written` (the plan as text), and `groups` (the interval for a part of the lot). Then
the designs: `single`, `double`, `sequential`, `optimal`, a folder of its own, and
`aql`, the plans of a standard. Then which items are drawn for a plan, `draw`.
"""
