"""A worker whose broker went away while all its tasks were at hand notices it.

Celery tells only its log when an acknowledgement fails. The task then counts as unacknowledged for as long as the
connection lasts, and a worker that holds as many tasks as it may does not read from the broker, so it never learns that
its connection is gone: it waits for ever. Here a failed acknowledgement ends the connection for Celery as a failed read
does; it connects again with nothing at hand. What was not acknowledged comes again after the visibility timeout, and is
outdated by then.
"""

import logging
from typing import Any

from celery import Celery, bootsteps

log = logging.getLogger(__name__)


class FailedAcks(bootsteps.StartStopStep):
    """Watches the acknowledgements of each connection that the consumer makes."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        """Called with the consumer, each time it has connected."""
        channel = parent.task_consumer.channel
        for name in ("basic_ack", "basic_reject"):
            setattr(channel, name, _watched(getattr(channel, name), parent))


def _watched(send: Any, consumer: Any) -> Any:
    def watched(*args: Any, **kwargs: Any) -> Any:
        try:
            return send(*args, **kwargs)
        except consumer.connection_errors as error:
            log.warning("an acknowledgement failed: connecting again: %s", type(error).__name__)
            consumer.call_soon(_raise, error)
            raise

    return watched


def _raise(error: Exception) -> None:
    """On the consumer's own loop, which takes this for the end of its connection."""
    raise error


def watch_acks(app: Celery) -> None:
    """Let every worker of this application do so."""
    app.steps["consumer"].add(FailedAcks)
