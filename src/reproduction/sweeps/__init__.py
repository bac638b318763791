"""The sweeps that are kept. `keeping` runs and reads them; `planning_panels` and
`prevalence_panels` draw them.
"""
