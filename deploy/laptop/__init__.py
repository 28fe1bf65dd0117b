"""Everything on one machine, without Docker: `make install` and `make run`.

install, install.py   a shell script finds a Python; it builds `.venv`, the engine and the web page from the locks
node, npm             where node is, and npm in a folder with it
cli                   `python -m deploy.laptop`: reads the environment, says plainly what is missing, handles signals
state                 the folder that keeps everything, and the lock that lets one run have it
plan                  which processes a stack has, in which order they end, what each is told
stores                PostgreSQL and Valkey: from packages, from PATH, or somebody else's by URL
unprivileged          how root runs PostgreSQL as nobody
ports                 ports that no other copy takes
stack                 starts the plan, waits until it is ready and ends it in reverse order
child                 one supervised process: its lines, restarts with backoff, an end without orphans
watch, guardian       a process that ends what a killed supervisor leaves behind
output                prefixed lines, and a terminal that may stand still or go away
"""
