"""DiPietro and Hazari. `suggestions`: their kappa for many tables at once, and a model
of how it behaves.
"""
