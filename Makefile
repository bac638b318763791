# labelaudit: `make` sets up and regenerates everything, `make test` sets up and
# tests everything. `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PEERS := irrcac crowdkit
SITE := .venv-site
TESTED := $(VENV)/tested

export PYTHONDONTWRITEBYTECODE := 1

# What the lock $(2) names, into the environment $(1): quickly where there is uv. pip
# spends most of its time reading the index, on one processor, so two of it take half
# each, and one more the whole if either failed. All processors compile what is
# installed, but for packages' own tests.
pip = $(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes
install = { command -v uv >/dev/null 2>&1 && \
	uv pip install --quiet --compile-bytecode --python $(1)/bin/python --require-hashes -r $(2); } || \
	{ awk '/^[^ ]/ { n++ } { print > ("$(1)/half" n % 2) }' $(2) && \
	{ $(pip) --no-deps -r $(1)/half0 & one=$$!; $(pip) --no-deps -r $(1)/half1; other=$$?; \
	wait $$one && [ $$other = 0 ] || $(pip) -r $(2); } && \
	$(1)/bin/python -m compileall -q -j 0 -x '/site-packages/.*/tests?/' $(1)/lib; }

.DEFAULT_GOAL := all
.PHONY: all setup exhibit new test check answers coverage mutants matrix lint lab site test-site bench sweep peers data released lock clean help

all: setup  ## set up, and regenerate each figure, table and notebook that changed
	@$(BIN)/python -m reproduction.machinery.build

setup: $(READY)  ## set up only (a minute)
	@mkdir -p output

# Where the library lies, told from the environment: Python reads that file in the
# locale's letters, which the folder's name may not have.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "labelaudit needs Python 3.11 or newer; set PYTHON=python3.x")'
	@echo "Setting up $(VENV) (about a minute) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(call install,$(VENV),requirements.lock)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@for file in $(VENV)/lib/python3*/site-packages/labelaudit.pth; do echo ../../../../src > $$file; done
	@$(BIN)/python -m compileall -q -j 0 src  # each command and kernel starts sooner
	@$(BIN)/python -m reproduction.machinery.surroundings
	@touch $@

exhibit: setup  ## one exhibit, ours beside what is printed: make exhibit NAME=klie2024_fig3
	@$(BIN)/python -m reproduction.machinery.exhibit "$(NAME)"

new: setup  ## a notebook that runs and passes the tests: make new NAME=klie2024_11_topic
	@$(BIN)/python -m reproduction.machinery.new "$(NAME)"

# Files that are newer than the last test that passed, and folders that lost one since;
# settings of a processor, a language, a place, with which it passed.
OTHERS = -name .git -o -name '.venv*' -o -name '.*_cache' -o -path ./output
STATE = $$(env | grep -E '^(NPY|OPENBLAS|LC|LANG|TZ|PYTHON)' | sort)
SINCE = find . \( $(OTHERS) \) -prune -o -newer $(TESTED) -print

test: setup  ## set up, and run every test, the notebooks included; again after a change
	@if [ -e $(TESTED) ] && [ "$$(cat $(TESTED))" = "$(STATE)" ] && \
	[ -z "$$($(SINCE) | head -1)" ]; then \
	echo "Every test passed, and no file was changed since (else: rm $(TESTED))."; \
	else $(BIN)/python -m reproduction.machinery.check && echo "$(STATE)" > $(TESTED); fi

check: setup  ## the tests that a change can reach, or of a part: make check WING=agreement
	@$(BIN)/python -m reproduction.machinery.check $(if $(WING),--wing $(WING),--changed)

answers: setup  ## run each notebook's questions, and compare the folded answers (10 minutes)
	@$(BIN)/python -m reproduction.machinery.surroundings -m pytest -q -n 2 tests/answers.py

coverage: setup  ## lines and branches of the library that its tests take, 95 % at least
	@mkdir -p output/coverage
	@export COVERAGE_FILE="$(CURDIR)/output/coverage/data" \
		LABELAUDIT_FIGURES="$(CURDIR)/output/coverage"; \
	$(BIN)/python -m reproduction.machinery.surroundings -m coverage run -m pytest -q -n 2 \
		--dist loadfile --ignore=tests/after_notebooks.py tests src/labelaudit && \
	$(BIN)/coverage combine --quiet && $(BIN)/coverage report

mutants: setup  ## small faults that tests catch, by wing (an hour), TRY="--seed 2" for others
	@$(BIN)/python -m reproduction.machinery.mutants $(TRY)

matrix: setup  ## the fast tests: other versions, processors, Pythons (an hour), MATRIX="-s lowest"
	@$(BIN)/nox $(MATRIX)

lint: setup  ## ruff and mypy
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

# JupyterLab does not save by itself: what was only looked at stays as it is in git.
LABSETTINGS := $(VENV)/share/jupyter/lab/settings
lab: setup  ## open the notebooks in JupyterLab, which saves only when asked to
	@mkdir -p $(LABSETTINGS)
	@echo '{"@jupyterlab/docmanager-extension:plugin": {"autosave": false}}' \
		> $(LABSETTINGS)/overrides.json
	$(BIN)/python -m reproduction.machinery.surroundings -m jupyterlab --notebook-dir=notebooks $(LAB)

# jupyter-book brings many packages, so an environment of its own.
$(SITE)/ready: site/requirements.lock
	@echo "Setting up $(SITE) (about a minute) ..."
	@$(PYTHON) -m venv --clear $(SITE)
	@$(call install,$(SITE),$<)
	@touch $@

site: setup $(SITE)/ready  ## build the site of all notebooks, to output/site
	@$(BIN)/python -m reproduction.machinery.site $(SITE)

test-site: site  ## see the site and JupyterLab work in a browser (needs Chromium)
	@$(SITE)/bin/python -m pytest -q site/tests

bench: setup  ## time the library beside its peers, and the whole build (15 minutes)
	@$(BIN)/python -m reproduction.machinery.surroundings benchmarks/bench.py
	@$(BIN)/python -m reproduction.machinery.surroundings benchmarks/agreement.py
	@$(BIN)/python -m reproduction.machinery.surroundings benchmarks/patterns.py
	@$(BIN)/python -m reproduction.machinery.surroundings benchmarks/files.py
	@$(BIN)/python -m reproduction.machinery.surroundings benchmarks/replication.py
	@$(BIN)/python -m reproduction.machinery.surroundings benchmarks/optimal.py
	@$(BIN)/python -m reproduction.machinery.surroundings benchmarks/sweeps.py

sweep: setup  ## run the sweeps in sweeps/ (45 minutes), SWEEP="--jobs 8" for more at a time
	@$(BIN)/python -m reproduction.sweeps.keeping $(SWEEP)

data: setup  ## fetch the released IRep file (15 MB) and verify it
	@$(BIN)/python -m reproduction.wong2021.fetch

released: data  ## the notebooks of Wong et al. on the released file, to figures/released
	@$(BIN)/python -m reproduction.wong2021.released

# An environment of its own for each: irrCAC needs an old scipy (Python 3.11 or 3.12).
.venv-%/ready: benchmarks/%/requirements.txt
	@$(PYTHON) -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

peers: $(PEERS:%=.venv-%/ready)  ## write anew what irrCAC and crowd-kit compute, which tests compare with
	@for peer in $(PEERS); do \
	.venv-$$peer/bin/python benchmarks/$$peer/reference.py || exit; done

# One version for all Pythons; soupsieve 4 needs 3.11.5.
COMPILE := uv pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header --no-annotate -c /dev/stdin

lock:  ## compile the locks anew (needs uv)
	echo 'soupsieve<4' | $(COMPILE) --all-extras -o requirements.lock pyproject.toml
	echo 'soupsieve<4' | $(COMPILE) -o site/requirements.lock site/requirements.in

clean:  ## remove what set-up, tests and the site made; what you ran stays in output/
	rm -rf $(VENV) $(VENV)-matrix $(PEERS:%=.venv-%) $(SITE) output/site output/site-work output/made
	rm -rf .mypy_cache .ruff_cache .hypothesis
	find benchmarks site src tests -name __pycache__ -type d -prune -exec rm -rf {} +

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile | sort
