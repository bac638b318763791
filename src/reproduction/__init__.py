"""What the notebooks and the build share: paths, style, parameters, the ledger.

Not part of the installed library: it serves this repository only.
"""
