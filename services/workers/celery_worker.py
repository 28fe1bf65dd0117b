"""A Celery worker: its consumer and its tasks run in threads, everything else on the event loop of this process.

The pool is Celery's thread pool. Compared with prefork on two cores (thousands of empty tasks, and tasks that wait as
for an engine) it has the same delay of 3.7 ms, the same 600 tasks a second, the same 1.5 ms of CPU for each, and half
the memory. It is one process, so tasks share metrics, the gRPC channel and the engines. Engines are separate
processes, so Python's global lock does not delay them. With the solo pool, one stalled engine delayed all tasks.
"""

import asyncio
import logging
import os
import random
import socket
import time
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import AsyncExitStack
from typing import Any

from celery import Celery
from celery.exceptions import Reject
from celery.worker import WorkController, state
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.channels import open_game_channel
from services.runtime.lifecycle import Stop, admin, background
from services.runtime.redis_client import connect
from services.runtime.redis_keys import COMPUTER_ENGINE
from services.runtime.rpc import check_serving
from services.workers.broker import Broker
from services.workers.celery_acks import watch_acks
from services.workers.celery_app import ENGINE_MOVE, FIND_HINT, HEARTBEAT, SWEEP_EXPIRED, make_app, queue_named
from services.workers.celery_thread import in_thread
from services.workers.engine_pool import OWN_ENGINE, EnginePool, find_command
from services.workers.grpc_game import GrpcGame
from services.workers.heartbeat import QUEUE_KEPT_S, Heartbeat
from services.workers.mover import Mover
from services.workers.settings import WorkersSettings
from services.workers.turn import from_payload, hint_from_payload
from services.workers.work import Work
from services.workers.work_metrics import TASKS

log = logging.getLogger(__name__)

TELL_PERIOD_S = 5.0
REQUEUE_MS = 500
"""The last part of the drain: in this time unfinished tasks are put back into the queue."""


class Bridge:
    """Celery's threads wait here for coroutines on the event loop, and the loop can cancel these."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: set[Future[Any]] = set()

    def call(self, coroutine: Coroutine[Any, Any, str]) -> str:
        """The result of a coroutine. If it was cancelled, raises Reject, which puts the task back into the queue."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        self._waiting.add(future)
        try:
            return future.result()
        except CancelledError as error:
            raise Reject("this worker is ending", requeue=True) from error
        finally:
            self._waiting.discard(future)

    def cancel_all(self) -> int:
        """Cancel all running coroutines. Return how many there were."""
        waiting = list(self._waiting)
        for future in waiting:
            future.cancel()
        return len(waiting)


def register(app: Celery, work: Work, heartbeat: Heartbeat, bridge: Bridge) -> None:
    """Register all tasks with Celery."""

    @app.task(name=ENGINE_MOVE)
    def engine_move(payload: object) -> str:
        try:
            turn = from_payload(payload)
        except ValueError as error:
            log.error("engine_move: %s", error)
            TASKS.labels(ENGINE_MOVE, "malformed").inc()
            return "malformed"
        return bridge.call(work.engine_move(turn))

    @app.task(name=FIND_HINT)
    def find_hint(payload: object) -> str:
        try:
            hint = hint_from_payload(payload)
        except ValueError as error:
            log.error("find_hint: %s", error)
            TASKS.labels(FIND_HINT, "malformed").inc()
            return "malformed"
        return bridge.call(work.find_hint(hint))

    @app.task(name=SWEEP_EXPIRED)
    def sweep_expired() -> str:
        return bridge.call(work.sweep_expired())

    @app.task(name=HEARTBEAT)
    def beat() -> None:
        heartbeat.came_back()


async def tell_engine(redis: Redis, mover: Mover, facts: dict[str, str], settings: WorkersSettings) -> None:
    """Publish the name of the current engine for ever: in `facts` (health page), and in Redis for the gateway."""
    while True:
        facts["computer"] = mover.engine_name
        try:
            await redis.set(COMPUTER_ENGINE, mover.engine_name, ex=settings.engine_told_s)
        except RedisError as error:
            log.debug("the engine's name is not published: %s", error)
        await asyncio.sleep(TELL_PERIOD_S)


def run_celery(app: Celery, name: str, settings: WorkersSettings, own_queue: str) -> None:
    """Run Celery's own loop until `celery.worker.state.should_stop` is set; then finish the running tasks."""
    for chatty in ("celery.worker.strategy", "celery.app.trace"):  # two lines for each task, heartbeats included
        logging.getLogger(chatty).setLevel(logging.WARNING)
    worker = WorkController(
        app=app,
        hostname=name,
        pool="threads",
        concurrency=settings.worker_threads,
        queues=[*settings.worker_queues.split(","), own_queue],
        loglevel=settings.log_level.upper(),
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()


async def serve(settings: WorkersSettings, stop: Stop) -> None:
    """Run until asked to stop. Then finish running tasks within the drain, and put slower ones back into the queue.

    Ready means: the game service answers, and a heartbeat task passed recently through the broker and this worker.
    """
    async with AsyncExitStack() as stack:
        name = f"{socket.gethostname()}-{os.getpid()}"
        own_queue = f"heartbeat.{name}"
        app = make_app(settings, queue_named(own_queue, QUEUE_KEPT_S))
        stack.callback(app.close)
        watch_acks(app)
        broker = Broker(app, settings)
        stack.push_async_callback(broker.aclose)
        redis = connect(settings.redis_url, settings)
        stack.push_async_callback(redis.aclose)
        channel = await stack.enter_async_context(open_game_channel(settings.game_target, settings))
        engines = EnginePool(find_command(settings.engine_command), settings)
        stack.push_async_callback(engines.close)
        own = EnginePool(OWN_ENGINE, settings)
        stack.push_async_callback(own.close)
        mover = Mover(engines, own, settings.search_nodes_max, random.Random())
        heartbeat = Heartbeat(app, broker, own_queue, settings, time.monotonic)
        bridge = Bridge(asyncio.get_running_loop())
        register(app, Work(GrpcGame(channel, settings), mover, settings), heartbeat, bridge)
        health = await stack.enter_async_context(admin(settings, stop))
        health.add_check("game", lambda: check_serving(channel))
        health.add_check("queue", heartbeat.check)
        health.add_vital("tasks", heartbeat.check_vital)

        await engines.warm()
        async with (
            background(tell_engine(redis, mover, health.facts, settings), "engine's name", stop),
            background(heartbeat.run(), "heartbeat", stop),
        ):
            celery = in_thread(lambda: run_celery(app, name, settings, own_queue), stop, "celery")
            await stop.wait()
            health.drain()
            state.should_stop = os.EX_OK  # type: ignore[assignment]  # the stubs only know its initial type
            await finish(celery, bridge, settings.drain_ms)


async def finish(celery: "asyncio.Future[None]", bridge: Bridge, drain_ms: int) -> None:
    """Wait until the running tasks are done. Shortly before the end of the drain put the others back into the queue."""
    await asyncio.wait([celery], timeout=max(0, drain_ms - REQUEUE_MS) / 1000)
    if not celery.done():
        log.warning("%d tasks go back into the queue", bridge.cancel_all())
        await asyncio.wait([celery], timeout=REQUEUE_MS / 1000)
    if not celery.done():
        log.warning("Celery does not end; its tasks are delivered again after the visibility timeout")
