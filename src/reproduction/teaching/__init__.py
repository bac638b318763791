"""The live notebooks. `live`: controls above a picture; `plans` and `chance`: the
pictures; `grid`: plans for the page that computes nothing.
"""
