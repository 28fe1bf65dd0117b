"""`python -m services.workers dispatcher|celery|beat`"""

import os
import sys
from importlib import import_module

from services.runtime import lifecycle
from services.runtime.settings import load
from services.workers.settings import WorkersSettings

VERBS = {
    "dispatcher": ("dispatcher", "services.workers.dispatcher"),
    "celery": ("worker", "services.workers.celery_worker"),
    "beat": ("beat", "services.workers.celery_beat"),
}
"""For each process: its name in logs and metrics, and its module."""


def main(words: list[str]) -> None:
    """Run the process named in `words`. Only its own modules are loaded: a dispatcher needs no chess."""
    if len(words) != 1 or words[0] not in VERBS:
        sys.exit(f"usage: python -m services.workers {'|'.join(VERBS)}")
    # Engines start by fork and exec at once: gRPC need not stop its threads for that, and under load it must not.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    name, module = VERBS[words[0]]
    lifecycle.run(name, load(WorkersSettings), import_module(module).serve)


if __name__ == "__main__":
    main(sys.argv[1:])
