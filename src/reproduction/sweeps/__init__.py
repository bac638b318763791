"""The sweeps that are kept. `keeping` runs and reads them; `planning_panels` and
`prevalence_panels` draw them. `side_by_side` has intervals for K to compare, `planted`
simulated studies.
"""
