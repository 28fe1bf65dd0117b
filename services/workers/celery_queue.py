"""Queues turns and hints as Celery tasks."""

import asyncio
import time
from collections.abc import Sequence

from celery import Celery
from kombu.exceptions import OperationalError

from services.workers.celery_app import ENGINE_MOVE, ENGINE_QUEUE, ENQUEUED_HEADER, FIND_HINT, HINT_QUEUE
from services.workers.turn import HintAsked, Turn, to_payload


class QueueUnavailable(Exception):
    """The broker did not accept all tasks. It does no harm to queue the accepted ones again."""


class CeleryQueue:
    """Queues tasks. Celery's client blocks, so it runs in a thread, one batch at a time."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._line = asyncio.Lock()

    async def enqueue(self, turns: Sequence[Turn | HintAsked]) -> None:
        """Queue one task for each turn or hint. Raises QueueUnavailable."""
        async with self._line:
            try:
                await asyncio.to_thread(self._send, turns)
            except (OperationalError, OSError, TimeoutError) as error:
                raise QueueUnavailable(f"{type(error).__name__}: {error}") from error

    def _send(self, turns: Sequence[Turn | HintAsked]) -> None:
        within_s = self._app.conf.broker_connection_timeout
        with self._app.producer_pool.acquire(block=True, timeout=within_s) as producer:
            for turn in turns:
                task, queue = (ENGINE_MOVE, ENGINE_QUEUE) if isinstance(turn, Turn) else (FIND_HINT, HINT_QUEUE)
                self._app.send_task(
                    task,
                    args=[to_payload(turn)],
                    queue=queue,
                    headers={ENQUEUED_HEADER: time.time_ns() // 1_000_000},
                    producer=producer,
                    retry=False,
                )
