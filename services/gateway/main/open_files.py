"""The limit of open files of this process: each connection is one file."""

import logging
import resource

OTHERS = 1_000
"""Open files other than client connections: libraries, logs, connections to Redis and to the game service."""

log = logging.getLogger(__name__)


def allow_connections(count: int) -> int:
    """Raise the soft limit of open files for `count` connections, up to the hard limit. Returns the limit.

    An ordinary user's soft limit is often 1,024, for old programs that call select(); asyncio does not. The limit is
    never lowered. If it cannot be raised, it stays.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + OTHERS
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return soft
    raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    except (OSError, ValueError):  # macOS may refuse even its own hard limit
        raised = soft
    if raised < wanted:
        log.info("%d connections need %d open files; this system allows %d (nofile)", count, wanted, raised)
    return raised
