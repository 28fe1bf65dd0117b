"""Queues tasks for events, and finds turns whose task was lost.

An event is acknowledged after its task is queued. A Redis key for each turn stops two dispatchers from queueing it
twice. The key expires when the turn counts as lost, so a key never causes a lost turn.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.channels import open_game_channel
from services.pb.flagfall.v1.events_pb2 import GameEvent
from services.runtime import tracing
from services.runtime.lifecycle import Stop, admin, background
from services.runtime.metrics import REDIS_RECONNECTS, STREAM_REFETCHES, from_zero
from services.runtime.redis_client import connect
from services.runtime.redis_policy import tell_eviction
from services.runtime.redis_writes import check_writes
from services.runtime.rpc import check_serving
from services.workers.broker import Broker
from services.workers.celery_app import ENGINE_QUEUE, make_app
from services.workers.celery_queue import CeleryQueue, QueueUnavailable
from services.workers.event_group import Batch, EventGroup, GroupLost
from services.workers.grpc_game import GameUnavailable, GrpcGame
from services.workers.metrics import CAUSES, TURNS_ENQUEUED
from services.workers.settings import WorkersSettings
from services.workers.turn import HintAsked, Turn, hint_asked, newest_turns

log = logging.getLogger(__name__)

AWAY = (RedisError, OSError, TimeoutError, QueueUnavailable)


class Dispatcher:
    """Queues the computer's turns. `follow`, `claim` and `reconcile` run concurrently, for ever."""

    def __init__(
        self, redis: Redis, group: EventGroup, queue: CeleryQueue, broker: Broker, game: GrpcGame, own: WorkersSettings
    ) -> None:
        self._redis = redis
        self._group = group
        self._queue = queue
        self._broker = broker
        self._game = game
        self._settings = own
        self._joined = asyncio.Event()
        self._missed = asyncio.Event()
        self._reconnects = REDIS_RECONNECTS.labels("group")
        from_zero(TURNS_ENQUEUED, CAUSES)
        from_zero(STREAM_REFETCHES, ("epoch", "group", "rewound", "trimmed", "skipped", "torn"))

    async def follow(self) -> None:
        """Queue the turns of new events."""
        away = False
        while True:
            try:
                if not self._joined.is_set():
                    await self._group.join()
                    self._joined.set()
                    self._missed.set()  # events before the start, or while no dispatcher ran
                batch = await self._group.read()
                if away:
                    self._reconnects.inc()
                    away = False
                await self._dispatch(batch, "event")
                if batch.places:
                    await asyncio.sleep(self._settings.stream_gather_ms / 1000)
            except GroupLost as error:
                self._lost(error)
            except AWAY as error:
                log.warning("events wait: %s: %s", type(error).__name__, error)
                away = away or not isinstance(error, QueueUnavailable)
                await asyncio.sleep(self._settings.dispatch_pause_ms / 1000)

    async def claim(self) -> None:
        """Queue the turns of events that a dispatcher read but did not acknowledge."""
        while True:
            await asyncio.sleep(self._settings.dispatch_lease_ms / 1000)
            await self._joined.wait()
            try:
                await self._dispatch(await self._group.claim(), "claimed")
            except GroupLost as error:
                self._lost(error)
            except AWAY as error:
                log.warning("nothing claimed: %s: %s", type(error).__name__, error)

    async def reconcile(self) -> None:
        """Queue turns that wait too long; queue all waiting turns if events may have been missed."""
        rounds = 0
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._settings.reconcile_period_ms / 1000):
                    await self._missed.wait()
            missed = self._missed.is_set()
            self._missed.clear()
            rounds += 1
            try:
                await self._reconcile(0 if missed else self._settings.turn_lost_ms)
                if not self._joined.is_set():
                    continue  # the loss is handled already
                await self._group.check()
                if rounds % self._settings.dispatch_forget_rounds == 0:
                    await self._group.forget_the_dead()
            except GroupLost as error:
                self._lost(error)
            except (*AWAY, GameUnavailable) as error:
                log.warning("waiting turns cannot be read: %s: %s", type(error).__name__, error)
                await asyncio.sleep(self._settings.dispatch_pause_ms / 1000)
                if missed:
                    self._missed.set()

    async def _reconcile(self, waiting_ms: int) -> None:
        if await self._broker.depth(ENGINE_QUEUE) > self._settings.reconcile_queue_max:
            return
        turns = await self._game.waiting_turns(waiting_ms, self._settings.reconcile_turns_max)
        count = await self._enqueue(turns, "reconciled")
        if count:
            log.info("%d of %d waiting turns were in no queue", count, len(turns))

    def _lost(self, error: GroupLost) -> None:
        log.warning("events may have been missed: %s", error)
        STREAM_REFETCHES.labels(str(error)).inc()
        self._joined.clear()
        self._missed.set()

    async def _dispatch(self, batch: Batch, cause: str) -> None:
        if batch.torn:
            log.warning("entries were trimmed or unreadable before a dispatcher handled them")
            STREAM_REFETCHES.labels("torn").inc()
            self._missed.set()
        if not batch.places:
            return
        turns = newest_turns(event.state for event in batch.events)
        await self._enqueue(_traced(turns, batch.events) if tracing.on else turns, cause)
        await self._enqueue([hint for event in batch.events if (hint := hint_asked(event)) is not None], cause)
        await self._group.acknowledge(batch)

    async def _enqueue(self, turns: Sequence[Turn | HintAsked], cause: str) -> int:
        """Queue the turns and hints that no dispatcher has queued recently. Return how many."""
        if not turns:
            return 0
        pipeline = self._redis.pipeline(transaction=False)
        for turn in turns:
            kept_ms = self._settings.turn_lost_ms if isinstance(turn, Turn) else self._settings.hint_period_ms
            pipeline.set(turn.task_key, cause, nx=True, px=kept_ms)
        taken = await pipeline.execute()
        mine = [turn for turn, took in zip(turns, taken, strict=True) if took]
        if not mine:
            return 0
        try:
            await self._queue.enqueue(mine)
        except BaseException:
            # Otherwise the turns would wait until the keys expire and `reconcile` finds them.
            with suppress(RedisError):
                await self._redis.delete(*(turn.task_key for turn in mine))
            raise
        TURNS_ENQUEUED.labels(cause).inc(sum(isinstance(turn, Turn) for turn in mine))
        return len(mine)


def _traced(turns: Sequence[Turn], events: Sequence[GameEvent]) -> list[Turn]:
    """The turns with the traceparents of their events."""
    traces = {(event.state.game_id, event.state.at_ms): event.traceparent for event in events}
    return [replace(turn, trace=traces.get((turn.game_id, turn.since_ms), "")) for turn in turns]


async def measure(broker: Broker, settings: WorkersSettings) -> None:
    """Update the gauges of the queues, for ever."""
    while True:
        with suppress(RedisError):  # readiness shows it
            await broker.measure()
        await asyncio.sleep(settings.gauges_period_ms / 1000)


async def serve(settings: WorkersSettings, stop: Stop) -> None:
    """Run until asked to stop. Ready means: game service, Redis and broker answer."""
    async with AsyncExitStack() as stack:
        redis = connect(settings.redis_url, settings)
        stack.push_async_callback(redis.aclose)
        app = make_app(settings)
        stack.callback(app.close)
        broker = Broker(app, settings)
        stack.push_async_callback(broker.aclose)
        channel = await stack.enter_async_context(open_game_channel(settings.game_target, settings))
        health = await stack.enter_async_context(admin(settings, stop))

        health.add_check("game", lambda: check_serving(channel))
        health.add_check("redis", lambda: check_writes(redis))
        health.add_check("broker", broker.check)
        group = EventGroup(redis, settings)
        game = GrpcGame(channel, settings)
        dispatcher = Dispatcher(redis, group, CeleryQueue(app), broker, game, settings)
        stores = {"redis": redis} | ({} if broker.redis is None else {"broker": broker.redis})
        async with (
            background(tell_eviction(stores, health.facts, settings.redis_policy_period_ms), "redis policy", stop),
            background(dispatcher.follow(), "follow", stop),
            background(dispatcher.claim(), "claim", stop),
            background(dispatcher.reconcile(), "reconcile", stop),
            background(measure(broker, settings), "queues", stop),
        ):
            await stop.wait()
            health.drain()
