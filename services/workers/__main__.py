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
"""What each process is called in logs and numbers, and where it is."""


def main(words: list[str]) -> None:
    """Run one of the processes. Only its own modules are loaded: a dispatcher needs no chess."""
    if len(words) != 1 or words[0] not in VERBS:
        sys.exit(f"usage: python -m services.workers {'|'.join(VERBS)}")
    # Engines are started by fork and exec at once: gRPC need not, and under load must not, stop its threads for that.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    name, module = VERBS[words[0]]
    lifecycle.run(name, load(WorkersSettings), import_module(module).serve)


if __name__ == "__main__":
    main(sys.argv[1:])
