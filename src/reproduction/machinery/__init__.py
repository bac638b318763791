"""What runs, checks and draws the notebooks, and keeps the ledger.

A notebook uses `run` (its checked parameters, what it saves and compares), `style`,
`scale` and `examples`; `parameters` and `paths` say what is allowed and where things
are. `ledger` gives each printed number its verdict, and `exhibit` makes one exhibit
anew, beside what is printed; `new` writes a notebook.
`build` is `make`; `check` is `make test` and `make check`; `mutants` and `site` are
what make calls mutants and site. The site's own pages are templates in site/, which
`front` fills in; texts are linked to the `glossary`. All use `notebooks` (which runs
them, and knows by `traced` what changed since) and `surroundings` (one environment).

allowed.toml has what each parameter may be, ledger.toml what verdicts mean,
colours.toml and look.mplstyle how figures look, and new.ipynb what `new` begins with.
"""

import gc
import sys

# With it, to import nbformat compiles a grammar of addresses, a second in each process.
sys.modules.setdefault("rfc3987_syntax", None)

# Python looks for garbage after every 700 new objects: a tenth of a notebook's time.
gc.set_threshold(50_000)
