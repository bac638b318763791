"""What the documents do not have.

`savings` and `savings_panels`: optimal plans, and what truncation does; `small_lots`:
intervals beside each other; `endings`: what is known after a verdict; `inspectors`:
inspectors who make mistakes, and costs; `strata` and `doubts`: what a model that points
at errors is good for.
"""
