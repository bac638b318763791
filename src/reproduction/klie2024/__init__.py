"""Klie et al. 2024. `methods`: the plans as printed, as released and as they should be;
`simulated`: many inspections; `panels` and `drawings`: the pictures.
"""
