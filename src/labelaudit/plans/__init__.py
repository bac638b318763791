"""A sampling plan is a stopping region: after n inspections with x errors, accept,
reject, or go on.

First what holds for every plan: `levels` (which rates are good and bad, and at what
risk), `region` (the limits, where paths can go, and paths drawn at random),
`evaluation` (exact probabilities of every way to stop, and the interval after the
verdict), `properties` (what is computed of a plan, from these), `plan` (the plan
itself), `written` (the plan as text), and `groups` (the interval for a part of the
lot). Then the designs: `single`, `double`, `sequential`, `optimal`, a folder of its
own, and `aql`, the plans of a standard. Then which items are drawn for a plan, `draw`.
"""
