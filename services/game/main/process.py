"""The process: all parts of the game service wired in one place."""

from contextlib import AsyncExitStack

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from services.channels import open_rules_channel
from services.game.commit.beats import Beats
from services.game.commit.creation import NewGames
from services.game.commit.path import CommitPath
from services.game.commit.presence import RedisPresence
from services.game.commit.publishing import Publishing
from services.game.imports.imports import Imports
from services.game.main.features import FEATURES
from services.game.main.servicers import METHODS, compose, register
from services.game.settings import GameSettings
from services.game.store.database import open_engine, single
from services.game.store.database_counts import count_database
from services.game.store.game_counts import count_games
from services.game.store.schema_step import SchemaCheck, newest_step
from services.game.upkeep.sweep import Sweep
from services.game.wire.events import EventSender
from services.game.wire.grpc_rules import GrpcRules
from services.runtime import lifecycle
from services.runtime.event_stream import Publisher
from services.runtime.lifecycle import Stop, background
from services.runtime.redis_client import connect
from services.runtime.redis_writes import check_writes
from services.runtime.rpc import check_serving, serving


async def serve(settings: GameSettings, stop: Stop) -> None:
    """Wire all parts and run until `stop`. Then drain: finish commands in progress and publish committed events."""
    async with AsyncExitStack() as stack:
        engine = open_engine(settings)
        stack.push_async_callback(engine.dispose)
        redis = connect(settings.redis_url, settings)
        stack.push_async_callback(redis.aclose)
        channel = open_rules_channel(settings.rules_target, settings)
        stack.push_async_callback(channel.close)

        publisher = Publisher(redis, settings.event_shards, settings.stream_entries_max)
        publishing = Publishing(EventSender(publisher), engine, settings)
        beats = Beats(engine, settings.outage_gap_ms, settings.beat_poll_ms)
        rules = GrpcRules(channel, settings.call_timeout_ms)
        presence = RedisPresence(redis, settings.redis_answer_ms / 1000)
        path = CommitPath(engine, rules, beats, publishing, settings, FEATURES, presence)
        new_games = NewGames(rules, beats, publishing, path.limits, FEATURES.ratings)
        servicers = compose(
            engine=engine,
            path=path,
            beats=beats,
            new_games=new_games,
            sweep=Sweep(engine, path, beats, publishing, settings, presence),
            rules=rules,
            imports=Imports(engine, rules, path.limits, settings),
            publishing=publishing,
            publisher=publisher,
            settings=settings,
        )

        health = await stack.enter_async_context(lifecycle.admin(settings, stop))
        health.add_check("database", lambda: _check_database(engine))
        schema = SchemaCheck(engine, newest_step())
        health.add_check("schema", schema)
        health.add_check("rules", lambda: check_serving(channel))
        health.add_sign("writes", lambda: check_database_writes(engine))
        health.add_sign("redis", lambda: check_writes(redis))
        # Redis is not part of readiness: moves go on without it. The server starts only with the schema, because a
        # client that ignores readiness then connects to another replica.
        if not await schema.reached(stop):
            return
        await stack.enter_async_context(background(beats.follow(), "beats", stop))
        await stack.enter_async_context(background(count_games(engine), "game counts", stop))
        await stack.enter_async_context(background(count_database(engine), "database counts", stop))
        await stack.enter_async_context(background(publishing.publish(), "publishing", stop))
        await stack.enter_async_context(background(publishing.flush(), "outbox flush", stop))
        await stack.enter_async_context(background(publishing.relay(beats.now_ms), "relay", stop))
        async with serving(
            settings,
            lambda server: register(servicers, server),
            METHODS,
        ):
            await stop.wait()
            health.drain()
        await path.drained()
        await publishing.drained()


async def check_database_writes(engine: AsyncEngine) -> None:
    """A check: raises unless the database stores something. One that is read-only or full answers reads as ever."""
    async with single(engine).connect() as connection:
        await connection.execute(sa.text("UPDATE heartbeat SET last_ms = last_ms WHERE id = 1"))


async def _check_database(engine: AsyncEngine) -> None:
    async with single(engine).connect() as connection:
        await connection.execute(sa.text("SELECT 1"))
