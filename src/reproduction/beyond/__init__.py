"""What the documents do not have.

`savings` and `savings_panels`: optimal plans, and what truncation does; `rivals`: tests
that others have proposed; `small_lots`: intervals beside each other; `endings`: what is
known after a verdict; `model_tests`, `model_laws` and `model_measures`: a model beside
people who label; `aql_table`: the tables of MIL-STD-105E.
"""
