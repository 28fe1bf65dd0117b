"""Everything on one machine, without Docker: `make install` and `make run`.

install   finds a Python; `install.py` builds `.venv`, the engine and the web page from the locks
cli       `python -m deploy.laptop`: reads the environment, says plainly what is missing
plan      which processes a stack has, in which order, with which environment
stores    PostgreSQL and Valkey: from packages, from PATH, or somebody else's by URL
child     one supervised process: prefixed output, restart with backoff, an end without orphans
stack     starts the plan, waits until it is ready, watches it and ends it in reverse order
"""
