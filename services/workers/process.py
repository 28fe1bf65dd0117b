"""The three processes: dispatcher, worker and beat, each wired in one place."""

import asyncio
import logging
import signal
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from typing import Any

from celery import Celery
from celery.apps.beat import Beat
from celery.apps.worker import Worker
from celery.signals import before_task_publish, worker_ready
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import RedisError

from services.runtime import lifecycle, logs
from services.runtime.event_stream import connect
from services.runtime.health import AdminServer, Health
from services.runtime.lifecycle import Stop, background
from services.runtime.redis_keys import COMPUTER_ENGINE
from services.runtime.rpc import check_serving, open_channel
from services.workers.celery_app import ENGINE_MOVE, ENGINE_QUEUE, HEARTBEAT, QUEUES, make_app
from services.workers.dispatcher import Dispatcher
from services.workers.engine import find_command
from services.workers.metrics import BEAT_LAST
from services.workers.queue_watch import SENT_HEADER, watch_queues
from services.workers.settings import WorkerSettings
from services.workers.sync_game import SyncGame
from services.workers.tasks import Work, engine_factory
from services.workers.turn import Turn

log = logging.getLogger(__name__)

FACT_KEPT_S = 60


async def dispatch(settings: WorkerSettings, stop: Stop) -> None:
    """The dispatcher's life."""
    async with AsyncExitStack() as stack:
        redis = connect(settings.redis_url)
        stack.push_async_callback(redis.aclose)
        channel = open_channel(settings.game_target)
        stack.push_async_callback(channel.close)
        app = make_app(settings)
        stack.callback(app.close)
        dispatcher = Dispatcher(redis, channel, _enqueue(app), settings)
        health = await stack.enter_async_context(lifecycle.admin(settings, stop))
        health.add_check("game", lambda: check_serving(channel))
        health.add_check("redis", lambda: _ping(redis))
        health.add_check("broker", lambda: asyncio.to_thread(_check_broker, app))
        for name, loop in (
            ("events", dispatcher.run()),
            ("claims", dispatcher.claim()),
            ("waiting turns", dispatcher.reconcile()),
            ("queues", watch_queues(settings.broker_url)),
        ):
            await stack.enter_async_context(background(loop, name, stop))
        await stop.wait()
        health.drain()


def work(settings: WorkerSettings) -> None:
    """The worker's life. SIGTERM lets the tasks at hand finish."""
    app = make_app(settings)
    game = SyncGame(settings.game_target, settings.task_submit_ms)
    work = Work(game, engine_factory(find_command(settings.engine_command), settings), settings)
    work.register(app)
    own_queue = f"heartbeat-{socket.gethostname()}-{settings.admin_port}"
    ending = threading.Event()

    async def alive() -> None:
        age_s = time.monotonic() - work.heartbeat_s if work.heartbeat_s else settings.heartbeat_age_s + 1
        if age_s > settings.heartbeat_age_s:
            raise TimeoutError("no task has come through the queue lately")

    async def reachable() -> None:
        await asyncio.to_thread(game.check)

    def keep_telling() -> None:
        log.info("behind the computer: %s", work.warm_up())
        while not ending.wait(settings.heartbeat_period_s if work.heartbeat_s else 0.5):
            health.facts["computer"] = work.fact()
            try:
                app.send_task(HEARTBEAT, queue=own_queue, expires=settings.heartbeat_age_s)
                with Redis.from_url(settings.redis_url, socket_timeout=2, socket_connect_timeout=2) as redis:
                    redis.set(COMPUTER_ENGINE, work.fact(), ex=FACT_KEPT_S)
            except (RedisError, OSError, OperationalError) as error:
                log.warning("heartbeat: %s", error)

    with _admin("celery", settings, {"game": reachable, "queue": alive}) as health:
        telling = threading.Thread(target=keep_telling, name="heartbeat", daemon=True)
        worker_ready.connect(lambda **_: telling.start(), weak=False)
        worker = Worker(
            app=app,
            pool="threads",
            concurrency=settings.worker_threads + 1,  # one for sweeps and heartbeats while all engines think
            queues=[*QUEUES, own_queue],
            loglevel=settings.log_level,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            quiet=True,
        )
        worker.start()
        ending.set()
        work.close()
        game.close()
    log.info("stopped")


def beat(settings: WorkerSettings) -> None:
    """The beat's life: one is enough, two are harmless."""
    app = make_app(settings)

    async def broker() -> None:
        await asyncio.to_thread(_check_broker, app)

    def published(**_: Any) -> None:
        BEAT_LAST.set_to_current_time()

    before_task_publish.connect(published, weak=False)
    with _admin("beat", settings, {"broker": broker}):
        Beat(app=app, loglevel=settings.log_level, quiet=True).run()


def _enqueue(app: Celery) -> Callable[[Sequence[Turn]], Awaitable[None]]:
    def send(turns: Sequence[Turn]) -> None:
        with app.connection_for_write() as connection, app.amqp.Producer(connection) as producer:
            for turn in turns:
                app.send_task(
                    ENGINE_MOVE,
                    kwargs={
                        "game_id": turn.game_id,
                        "version": turn.version,
                        "ply": turn.ply,
                        "fen": turn.fen,
                        "level": turn.level,
                    },
                    queue=ENGINE_QUEUE,
                    headers={SENT_HEADER: time.time_ns() // 1_000_000},
                    producer=producer,
                )

    async def enqueue(turns: Sequence[Turn]) -> None:
        await asyncio.to_thread(send, turns)

    return enqueue


def _check_broker(app: Celery) -> None:
    with app.connection_for_write(connect_timeout=1) as connection:
        connection.ensure_connection(max_retries=1, timeout=1)


async def _ping(redis: Any) -> None:
    await redis.ping()


@contextmanager
def _admin(
    service: str, settings: WorkerSettings, checks: dict[str, Callable[[], Awaitable[None]]]
) -> Iterator[Health]:
    """The admin port of a process whose main thread is Celery's: the checks run on a loop in a thread."""
    logs.set_up(service, settings.log_format, settings.log_level)
    for chatty in ("celery.worker.strategy", "celery.app.trace", "celery.beat"):
        logging.getLogger(chatty).setLevel(logging.WARNING)  # two lines a task; the numbers are in the metrics
    health = Health(settings.ready_timeout_ms)
    for name, check in checks.items():
        health.add_check(name, check)
    threading.Thread(target=lambda: asyncio.run(health.run()), name="readiness", daemon=True).start()
    server = AdminServer(health, settings.host, settings.admin_port)
    server.open()
    log.info("admin port is %d", server.port)
    draining = _draining(health)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, draining)
    try:
        yield health
    finally:
        server.close()


def _draining(health: Health) -> Callable[..., None]:
    def asked(number: int, frame: Any) -> None:
        health.drain()
        raise SystemExit(0)

    return asked
