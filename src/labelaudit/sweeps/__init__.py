"""Parameter sweeps: one notebook, many parameter sets, a laptop or a cluster.

The path of the data, one module a step: `grid` reads which sets to run, `notebook`
what they are run on, `task` runs one set (on a Dask worker), `results` keeps what
came back, `progress` tells how far it is, and `running` puts them
together; `formats` and `refused` are small helpers of all.

Needs papermill, dask.distributed and filelock: pip install "labelaudit[sweep]".
"""
