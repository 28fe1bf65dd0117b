"""Connects the parts of the clock service."""

import asyncio
import logging
from collections.abc import MutableMapping
from contextlib import AsyncExitStack

from redis.exceptions import RedisError

from services.channels import open_game_channel
from services.clock.firing import Firing
from services.clock.follower import follow
from services.clock.grpc_game import GrpcGame
from services.clock.metrics import TIMERS_OUTSTANDING
from services.clock.rebuild import Rebuild
from services.clock.redis_alarms import RedisAlarms
from services.clock.settings import ClockSettings
from services.clock.sweep import Sweep
from services.clock.timer import Timer
from services.runtime.database_clock import DatabaseClock, steady_ms
from services.runtime.event_stream import Follower
from services.runtime.lifecycle import Stop, admin, background
from services.runtime.redis_client import connect
from services.runtime.redis_policy import tell_eviction
from services.runtime.rpc import check_serving

log = logging.getLogger(__name__)


async def tell_redis(alarms: RedisAlarms, settings: ClockSettings, facts: MutableMapping[str, str]) -> None:
    """Update the number of alarms (metric) and the state of Redis (`facts`), for ever."""
    while True:
        try:
            TIMERS_OUTSTANDING.set(await alarms.count())
            facts["redis"] = "ok"
        except RedisError as error:
            facts["redis"] = f"away, flags wait for the sweep: {type(error).__name__}"
        await asyncio.sleep(settings.overdue_period_ms / 1000)


async def serve(settings: ClockSettings, stop: Stop) -> None:
    """Run until asked to stop, then wait for the answers of alarms in flight.

    Ready means: the game service answers. Redis does not count, since flags fall without it, a second later. Its state
    is one of the facts.
    """
    async with AsyncExitStack() as stack:
        redis = connect(settings.redis_url, settings)
        stack.push_async_callback(redis.aclose)
        channel = await stack.enter_async_context(open_game_channel(settings.game_target, settings))
        health = await stack.enter_async_context(admin(settings, stop))
        health.add_check("game", lambda: check_serving(channel))

        clock = DatabaseClock(steady_ms)
        game = GrpcGame(channel, settings)
        alarms = RedisAlarms(redis, settings.event_shards, settings.flag_grace_ms)
        firing = Firing(game, alarms, clock, settings)
        timer = Timer(alarms, firing, clock, settings)
        rebuild = Rebuild(game, alarms, clock, settings, timer.notice)
        sweep = Sweep(game, firing, clock, settings)
        events = Follower(redis, settings)

        async with (
            background(sweep.run(), "sweep", stop),
            background(rebuild.run(), "rebuild", stop),
            background(timer.run(), "timer", stop),
            background(tell_redis(alarms, settings, health.facts), "redis facts", stop),
            background(
                tell_eviction({"redis": redis}, health.facts, settings.redis_policy_period_ms), "redis policy", stop
            ),
            background(follow(events, alarms, timer, rebuild), "follower", stop),
        ):
            await stop.wait()
            health.drain()
        try:
            await asyncio.wait_for(firing.drained(), settings.drain_ms / 1000)
        except TimeoutError:
            log.warning("some alarms got no answer in time: another replica or the next start fires them")
