"""What the documents do not have.

`savings` and `savings_panels`: optimal plans, and what truncation does; `small_lots`:
intervals beside each other; `endings`: what is known after a verdict; `inspectors`:
inspectors who make mistakes, and costs; `model_tests`, `model_laws`, `model_measures`
and `model_panels`: a model beside people who label; `strata` and `doubts`: what a model
that points at errors is good for; `aql_table` and `streams`, with `streams_panels`: the
tables of MIL-STD-105E, and their rules for a stream of batches.
"""
