"""Artstein 2007. `contingency`: tables of two coders, measured and drawn;
`error_models`: what models of erring coders need; `panels`: the other pictures.
"""
