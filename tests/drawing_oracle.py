"""The draw of a sheet, by a PCG64 of our own and whole numbers of any size.

PCG64 is the XSL-RR generator with 128 bits of state of O'Neill 2014, "PCG: a family
of simple fast space-efficient statistically good algorithms for random number
generation". Only how a seed becomes its state is numpy's.
"""

from numpy.random import SeedSequence

MULTIPLIER = 47026247687942121848144207491837523525
WORD = 2**64


def words(seed):
    """The raw words of 64 bits."""
    parts = [int(part) for part in SeedSequence(seed).generate_state(4, "uint64")]
    start, stream = parts[0] * WORD + parts[1], parts[2] * WORD + parts[3]
    increment = (2 * stream + 1) % WORD**2
    state = ((increment + start) * MULTIPLIER + increment) % WORD**2
    while True:
        state = (state * MULTIPLIER + increment) % WORD**2
        high, low = divmod(state, WORD)
        turned, by = high ^ low, high >> 58
        yield (turned >> by | turned << (64 - by)) % WORD


def order(size, sample, given):
    """The first of Fisher and Yates' shuffle of 0, 1, ..., size - 1."""
    given, lot = iter(given), list(range(size))
    for i in range(sample):
        left = size - i
        word = next(w for w in given if w < WORD // left * left)
        j = i + word % left
        lot[i], lot[j] = lot[j], lot[i]
    return lot[:sample]


def drawn(size, sample, seed):
    return order(size, sample, words(seed))
