"""Events to tasks: hears all of them as one consumer group, and queues each turn of the computer.

An event is acknowledged after its task was queued. A turn is queued once in a while under its key, whichever
dispatcher sees it; what was lost anywhere (a trimmed stream, a Redis that lost its memory, a task that nobody finished)
is found by asking the game service for turns that wait.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import GameEvent
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.runtime.event_stream import ensure_epoch
from services.runtime.redis_keys import event_stream
from services.workers.metrics import TURNS
from services.workers.settings import WorkerSettings
from services.workers.turn import Turn

log = logging.getLogger(__name__)

GROUP = "dispatcher"
READ_COUNT = 200
BLOCK_MS = 500
PAUSE_S = 0.25

Enqueue = Callable[[Sequence[Turn]], Awaitable[None]]
"""Puts turns into the queue; raises when the broker does not take them."""


class Dispatcher:
    """One of any number."""

    def __init__(self, redis: Redis, channel: grpc.aio.Channel, enqueue: Enqueue, settings: WorkerSettings) -> None:
        self._redis = redis
        self._game = GameServiceStub(channel)
        self._enqueue = enqueue
        self._settings = settings
        self._streams = [event_stream(shard) for shard in range(settings.event_shards)]
        self._consumer = f"{socket.gethostname()}-{settings.admin_port}"

    async def run(self) -> None:
        """Turn events into tasks, for ever."""
        ready = False
        while True:
            try:
                if not ready:
                    await self._make_groups()
                    ready = True
                await self._read()
            except ResponseError as error:
                # The streams or their group are gone: Redis lost its memory. What was missed waits, and is found.
                log.warning("the event streams must be made anew: %s", error)
                ready = False
                await asyncio.sleep(PAUSE_S)
            except Exception as error:  # the broker or Redis away: nothing was acknowledged, so nothing is lost
                log.warning("events wait: %s: %s", type(error).__name__, error)
                await asyncio.sleep(PAUSE_S)

    async def claim(self) -> None:
        """Take over, for ever, what another dispatcher was handed and never acknowledged."""
        while True:
            await asyncio.sleep(self._settings.claim_idle_ms / 1000)
            for stream in self._streams:
                try:
                    answer: Any = await self._redis.xautoclaim(
                        stream, GROUP, self._consumer, self._settings.claim_idle_ms, "0-0", count=READ_COUNT
                    )
                    await self._handle(stream, answer[1])
                except Exception as error:  # the next round tries again
                    log.debug("claiming: %s: %s", type(error).__name__, error)

    async def reconcile(self) -> None:
        """Find, for ever, turns that wait longer than a task would take."""
        while True:
            await asyncio.sleep(self._settings.reconcile_period_ms / 1000)
            request = pb.ListComputerTurnsRequest(
                waiting_ms=self._settings.turn_lost_ms, limit=self._settings.reconcile_max
            )
            try:
                answer = await self._game.ListComputerTurns(request, timeout=self._settings.call_timeout_ms / 1000)
                turns = [turn for game in answer.games if (turn := Turn.of(game.state)) is not None]
                await self._queue(turns, "reconciled")
            except Exception as error:  # the next round tries again
                log.warning("waiting turns could not be looked up: %s: %s", type(error).__name__, error)

    async def _make_groups(self) -> None:
        await ensure_epoch(self._redis)
        for stream in self._streams:
            try:
                await self._redis.xgroup_create(stream, GROUP, id="$", mkstream=True)
            except ResponseError as error:
                if "BUSYGROUP" not in str(error):
                    raise

    async def _read(self) -> None:
        answer: Any = await self._redis.xreadgroup(
            GROUP, self._consumer, dict.fromkeys(self._streams, ">"), count=READ_COUNT, block=BLOCK_MS
        )
        for name, rows in answer:
            await self._handle(name.decode(), rows)

    async def _handle(self, stream: str, rows: Sequence[tuple[bytes, dict[bytes, bytes]]]) -> None:
        """Queue the turns among these events, then acknowledge all of them."""
        if not rows:
            return
        events = [GameEvent.FromString(fields[b"e"]) for _, fields in rows if fields]
        await self._queue([turn for event in events if (turn := Turn.of(event.state)) is not None], "seen")
        await self._redis.xack(stream, GROUP, *(row_id for row_id, _ in rows))

    async def _queue(self, turns: Sequence[Turn], outcome: str) -> None:
        if not turns:
            return
        pipeline = self._redis.pipeline(transaction=False)
        for turn in turns:
            pipeline.set(turn.key, self._consumer, nx=True, px=self._settings.turn_key_ms)
        free = await pipeline.execute()
        mine = [turn for turn, taken in zip(turns, free, strict=True) if taken]
        TURNS.labels("queued before").inc(len(turns) - len(mine))
        if not mine:
            return
        try:
            await self._enqueue(mine)
        except BaseException:
            try:
                await self._redis.delete(*(turn.key for turn in mine))
            except (RedisError, OSError, TimeoutError):
                log.warning("%d turns wait until their keys expire", len(mine))
            raise
        TURNS.labels(outcome).inc(len(mine))
