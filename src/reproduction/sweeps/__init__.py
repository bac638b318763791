"""The sweeps that are kept. `keeping` runs and reads them; `planning` has what two of
their pages read off. `side_by_side` has intervals for K to compare, `planted` simulated
studies.
"""
