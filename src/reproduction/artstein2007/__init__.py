"""Artstein 2007. `contingency`: tables of two coders, measured and made;
`error_models`: what models of erring coders need.
"""
