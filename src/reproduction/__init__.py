"""The five documents, reproduced: what the notebooks use beside the library.

A room for each document (`klie2024`, `artstein2007`, `dipietro_hazari`, `wong2021`;
lim2022 needs none), one for what goes `beyond` them, for the kept `sweeps`, for
notebooks on one's `own_data` (audit_*) and for `teaching` (teach_*). Else a notebook's
name is that of its room. `machinery` is what all of them need: it runs, checks, draws
and keeps the ledger. Papers import machinery and the library, never each other; the
other rooms may import from them.
"""
