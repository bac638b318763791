"""Parameter sweeps: one notebook, many parameter sets, a laptop or a cluster.

The path of the data, one module a step: `grid` reads which sets to run, `notebook`
what they are run on, `task` runs one set (on a Dask worker), `results` keeps what
came back, `progress` tells how far it is, and `running` puts them together; `formats`
imports nbformat quickly.

Needs papermill, dask.distributed and filelock: pip install "labelaudit[sweep]".
"""

# The environment variable that names a folder of its own to each run, for what its
# notebook writes; none of it is kept.
FILES = "LABELAUDIT_FILES"
