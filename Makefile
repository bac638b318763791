# labelaudit: `make` sets up and regenerates everything, `make test` sets up and
# tests everything. `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
IRRCAC := .venv-irrcac
SITE := .venv-site

# One thread per process and no display: the same bytes on every run.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
export MPLBACKEND := agg
export IPYTHONDIR := $(CURDIR)/$(VENV)/ipython
export JUPYTER_PLATFORM_DIRS := 1
export PYTHONDONTWRITEBYTECODE := 1

.DEFAULT_GOAL := all
.PHONY: all setup test lint lab site test-site bench sweep irrcac data released lock clean help

all: setup  ## set up, and regenerate every figure, table and notebook
	@$(BIN)/python -m reproduction.build

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "labelaudit needs Python 3.11 or newer; set PYTHON=python3.x")'
	@echo "Setting up $(VENV) (about a minute) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@if command -v uv >/dev/null 2>&1; \
	then uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock; \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock; fi
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@mkdir -p $(IPYTHONDIR)/profile_default
	@echo 'c.IPKernelApp.log_level = 50' > $(IPYTHONDIR)/profile_default/ipython_kernel_config.py
	@touch $@

test: setup  ## set up, and run every test, the notebooks included
	@$(BIN)/python -m reproduction.check

lint: setup  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lab: setup  ## open the notebooks in JupyterLab
	$(BIN)/jupyter lab --notebook-dir=notebooks $(LAB)

# jupyter-book brings many packages, so an environment of its own.
$(SITE)/ready: site/requirements.lock
	@echo "Setting up $(SITE) (about a minute) ..."
	@$(PYTHON) -m venv --clear $(SITE)
	@if command -v uv >/dev/null 2>&1; \
	then uv pip install --quiet --python $(SITE)/bin/python --require-hashes -r $<; \
	else $(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<; fi
	@touch $@

site: setup $(SITE)/ready  ## build the site of all notebooks, to output/site
	@$(BIN)/python -m reproduction.site $(SITE)

test-site: site  ## see the site and JupyterLab work in a browser (needs Chromium)
	@$(SITE)/bin/python -m pytest -q site/tests

bench: setup  ## time the library beside its peers, and the whole build (15 minutes)
	@$(BIN)/python benchmarks/bench.py
	@$(BIN)/python benchmarks/agreement.py
	@$(BIN)/python benchmarks/replication.py
	@$(BIN)/python benchmarks/optimal.py
	@$(BIN)/python benchmarks/sweeps.py

sweep: setup  ## run the sweeps in sweeps/ (15 minutes), SWEEP="--jobs 8" for more at a time
	@$(BIN)/python -m reproduction.sweeps $(SWEEP)

data: setup  ## fetch the released IRep file (15 MB) and verify it
	@$(BIN)/python -m reproduction.irep

released: data  ## the notebooks of Wong et al. on the released file, to figures/released
	@$(BIN)/python -m reproduction.released

# irrCAC needs an old scipy (Python 3.11 or 3.12), so an environment of its own.
$(IRRCAC)/ready: benchmarks/irrcac/requirements.txt
	@$(PYTHON) -m venv --clear $(IRRCAC)
	@$(IRRCAC)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

irrcac: $(IRRCAC)/ready  ## write anew what irrCAC computes, which tests compare with
	@$(IRRCAC)/bin/python benchmarks/irrcac/reference.py

lock: setup  ## compile both locks anew (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --all-extras --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate -o requirements.lock pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate -o site/requirements.lock site/requirements.in

clean:  ## remove what set-up, tests and the site made; what you ran stays in output/
	rm -rf $(VENV) $(IRRCAC) $(SITE) output/site output/site-work src/*.egg-info .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1\t\2/' | sort
