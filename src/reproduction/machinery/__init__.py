"""What runs, checks and draws the notebooks, and keeps the ledger.

A notebook uses `run` (its checked parameters, what it saves and compares), `style`,
`diagrams` and `examples`; `parameters` and `paths` say what is allowed and where things
are. `ledger` gives each printed number its verdict, and `squares` draws them all.
`build` is `make`, `check` is `make test`, `covered` is `make coverage`, `matrix` is `make
matrix`, `site` is `make
site`; they use `notebooks` (execution), `surroundings` (one environment for all) and
`warm` and `forked` (kernels without the wait). `questions` checks the folded answers.
"""
