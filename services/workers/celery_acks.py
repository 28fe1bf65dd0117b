"""A full worker notices when its broker goes away.

When an acknowledgement fails, Celery only logs it. The task then stays unacknowledged as long as the connection lasts.
A worker with the maximum number of tasks does not read from the broker. So it never notices the lost connection and
waits for ever. Here a failed acknowledgement ends the connection, as a failed read does, and Celery reconnects with no
tasks. The broker delivers the unacknowledged tasks again after the visibility timeout; they are outdated by then.
"""

import logging
from typing import Any

from celery import Celery, bootsteps

log = logging.getLogger(__name__)


class FailedAcks(bootsteps.StartStopStep):
    """Watches the acknowledgements on each connection of the consumer."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        """Watch this connection. Celery calls it with the consumer after each connect."""
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
    """Raise on the consumer's own loop, which then treats its connection as lost."""
    raise error


def watch_acks(app: Celery) -> None:
    """Watch the acknowledgements in every worker of this application."""
    app.steps["consumer"].add(FailedAcks)
