# `make run` plays, `make test` checks; CONTRIBUTING.md has the rest.
PY := .venv/bin/python
.DEFAULT_GOAL := help
.PHONY: help install
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14
install: ## build .venv, the engine and the web page from the locks
	@PYTHON="$(PYTHON)" deploy/laptop/install
