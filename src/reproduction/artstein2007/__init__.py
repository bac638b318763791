"""Artstein 2007. `contingency`: tables of two coders, drawn and counted;
`error_models`: what models of erring coders need; `panels`: the other pictures.
"""
