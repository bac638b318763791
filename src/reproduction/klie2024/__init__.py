"""Klie et al. 2024. `methods`: the plans as printed, as released and as they should be;
`panels`: the pictures.
"""
