"""Artstein 2007. `contingency`: tables of two coders, drawn and counted;
`error_models`: how coders err; `panels`: the other pictures.
"""
