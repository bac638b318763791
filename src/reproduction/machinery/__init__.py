"""What runs, checks and draws the notebooks, and keeps the ledger.

A notebook uses `run` (its checked parameters, what it saves and compares), `style`,
`scale`, `regions` and `examples`; `parameters` and `paths` say what is allowed and
where things are. `ledger` gives each printed number its verdict, and `exhibit` makes
one exhibit anew, beside what is printed; `new` writes a notebook.
`build` is `make`, and `records` and `traced` tell it what changed; `check` is `make
test` and `make check`; `mutants` and `site` are what make calls mutants and site.
The site's `parts`, its own pages (`front`), its `links` and the `glossary` are beside
it; `theme` mends the theme's pages, and `tables` shows tables as people read them.
They use `notebooks` (execution) and `surroundings` (one environment for all).
"""
