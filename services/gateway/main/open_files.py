"""How many files this process may have open: each connection is one."""

import logging
import resource

OTHERS = 1_000
"""Files beside the connections of clients: libraries, logs, connections to Redis and to the game service."""

log = logging.getLogger(__name__)


def allow_connections(count: int) -> int:
    """Raise the soft limit of open files so that `count` connections fit, as far as the hard limit lets it.

    An ordinary user's soft limit is often 1,024, which is for old programs that call select(); asyncio does not. The
    limit is never lowered, and one that cannot be raised stays. Returns the limit.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + OTHERS
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return soft
    raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    except (OSError, ValueError):  # macOS may refuse what its hard limit names
        raised = soft
    if raised < wanted:
        log.info("%d connections need %d open files; this system allows %d (nofile)", count, wanted, raised)
    return raised
