"""`python -m services.workers dispatcher|celery|beat`"""

import os
import sys
from importlib import import_module

from services.runtime import lifecycle
from services.runtime.settings import load
from services.workers.settings import WorkersSettings

VERBS = {
    "dispatcher": "services.workers.dispatcher",
    "celery": "services.workers.celery_worker",
    "beat": "services.workers.celery_beat",
}


def main(words: list[str]) -> None:
    """Run one of the processes. Only its own modules are loaded: a dispatcher needs no chess."""
    if len(words) != 1 or words[0] not in VERBS:
        sys.exit(f"usage: python -m services.workers {'|'.join(VERBS)}")
    # Engines are started by fork and exec at once: gRPC need not, and under load must not, stop its threads for that.
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    lifecycle.run(words[0], load(WorkersSettings), import_module(VERBS[words[0]]).serve)


if __name__ == "__main__":
    main(sys.argv[1:])
