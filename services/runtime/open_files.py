"""The limit of open files of this process: each connection is one file."""

import logging
import resource

log = logging.getLogger(__name__)


def raise_limit() -> int:
    """Raise the soft limit of open files to the hard one. Returns the limit; logs both.

    An ordinary user's soft limit is often 1,024, for old programs that call select(); asyncio does not. If it cannot be
    raised, it stays.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    raised = hard
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError):  # macOS may refuse even its own hard limit
            raised = soft
    log.info("open files: %s, the system allows %s (nofile)", _said(raised), _said(hard))
    return raised


def open_files() -> int | None:
    """The present limit; None without one."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def _said(limit: int) -> str:
    return "no limit" if limit == resource.RLIM_INFINITY else str(limit)
