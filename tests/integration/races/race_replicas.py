"""Game replicas for races: whole game services in one process, each with its own pool, memory, beats and relay loops.

They share one real PostgreSQL and one real Valkey, and the real rules judge for them, in process. Games are made by
cloning one that was played through the service, so that thousands of rounds fit into seconds.
"""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import grpc
import sqlalchemy as sa
from redis.asyncio import Redis
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncEngine

from services.domain.refusal import Refusal
from services.domain.rule_set import CLAIMED, RuleSet
from services.domain.time_control import ClockControl, TimeControl
from services.game.commit.beats import Beats
from services.game.commit.creation import NewGame, NewGames, new_game_id
from services.game.commit.path import CommitPath
from services.game.commit.ports import SearchingRules
from services.game.commit.publishing import Publishing
from services.game.imports.imports import Imports
from services.game.main.features import FEATURES
from services.game.main.servicers import compose
from services.game.play.game import Seat, Standing
from services.game.settings import GameSettings
from services.game.store.database import open_engine
from services.game.upkeep.sweep import Sweep
from services.game.wire.events import EventSender
from services.game.wire.grpc_rules import GrpcRules
from services.game.wire.parsing import command_of
from services.pb.flagfall.v1 import events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.rules_pb2_grpc import RulesServiceServicer
from services.rules.pgn import pgn_job
from services.rules.server import RulesServer
from services.rules.settings import RulesSettings
from services.runtime.event_stream import Publisher, events_of
from services.runtime.lifecycle import cancelled
from services.runtime.redis_client import connect
from services.runtime.rpc import EXCEPTION_STATUS
from services.runtime.wire import colour_to_pb, refusal_to_pb
from tests.integration.game.all_of import AllOf
from tests.stack.replies import reply_message

ANNA, BERT = Seat("anna", "Anna"), Seat("bert", "Bert")
MINUTE = ClockControl(60_000, 0)
SHARDS = 8
PAIRS = 24
"""Clones are spread over so many pairs of players, so that ends of different games meet at the players' rows too."""
ROUNDS_UNTIL_MAX = 10
PATIENT: dict[str, Any] = {
    "call_timeout_ms": 30_000,
    "connection_wait_ms": 30_000,
    "statement_timeout_ms": 30_000,
    "outage_gap_ms": 30_000,
}
"""Settings for tests about order, not time: on a busy machine no batch is given up and no beat is late."""


def rounds(count: int) -> int:
    """How many rounds to run: `count`, times FLAGFALL_RACE_ROUNDS when somebody has the time."""
    return count * int(os.environ.get("FLAGFALL_RACE_ROUNDS", "1"))


def rounds_until(count: int, met: Callable[[], bool]) -> Iterator[int]:
    """As many rounds as `rounds`, and more of them until `met`: at most ROUNDS_UNTIL_MAX times as many.

    For what a race is to have met when it is over. Which side wins is decided by the machine, so some rounds may bring
    one way alone; a way that no longer exists is still found, by the assertion after the last round.
    """
    least = rounds(count)
    for number in range(least * ROUNDS_UNTIL_MAX):
        if number >= least and met():
            return
        yield number


def new_chance() -> random.Random:
    """Chance with a seed that a failure prints; FLAGFALL_RACE_SEED takes it back."""
    seed = int(os.environ.get("FLAGFALL_RACE_SEED") or random.SystemRandom().randrange(2**32))
    print(f"FLAGFALL_RACE_SEED={seed}")
    return random.Random(seed)


class InProcessChannel:
    """A channel to a servicer of this process: what goes over it is serialised, as on a real one."""

    def __init__(self, servicer: object) -> None:
        self._servicer = servicer

    def unary_unary(self, method: str, **coding: Any) -> Callable[..., Any]:
        """What a generated stub asks for."""
        read_answer = coding["response_deserializer"]

        async def call(request: Any, timeout: float | None = None) -> Any:
            handler = getattr(self._servicer, method.rsplit("/", 1)[-1])
            asked = type(request).FromString(request.SerializeToString())
            try:
                async with asyncio.timeout(timeout):
                    answer = await handler(asked, None)
            except Exception as error:
                status = next((s for kind, s in EXCEPTION_STATUS if isinstance(error, kind)), grpc.StatusCode.INTERNAL)
                nothing = grpc.aio.Metadata()
                raise grpc.aio.AioRpcError(status, nothing, nothing, f"{type(error).__name__}: {error}") from error
            return read_answer(answer.SerializeToString())

        return call


def channel_to(servicer: object) -> grpc.aio.Channel:
    """The same, with the type that clients ask for."""
    return cast(grpc.aio.Channel, InProcessChannel(servicer))


class PgnInProcess:
    """Reads PGN as the rules service's side process does, in this one."""

    async def ask(self, question: bytes) -> bytes:
        """See `PgnWork`."""
        return pgn_job.answer(question, 0)


def real_rules(settings: GameSettings) -> GrpcRules:
    """The rules service's own judgement, through the game service's own client."""
    own = RulesSettings()
    servicer: RulesServiceServicer = RulesServer(own.limits(), own.questions_max, pgn=PgnInProcess())
    return GrpcRules(channel_to(servicer), settings.call_timeout_ms)


@dataclass
class Replica:
    """One game service."""

    settings: GameSettings
    engine: AsyncEngine
    redis: Redis
    beats: Beats
    publisher: Publisher
    publishing: Publishing
    path: CommitPath
    new_games: NewGames
    sweep: Sweep
    servicer: Any
    tasks: "list[asyncio.Future[None]]" = field(default_factory=list)

    async def ask(self, command: pb.Command, received_ms: int | None = None) -> pb.Reply:
        """Decide a command as if it had been received at a moment: now, where none is given."""
        parsed = command_of(command, self.beats.now_ms() if received_ms is None else received_ms, self.settings)
        if isinstance(parsed, Refusal):
            return pb.Reply(refusal=refusal_to_pb(parsed))
        return reply_message(await self.path.submit(parsed))

    async def abandon(self) -> None:
        """End as a kill does: nothing is drained, published or removed."""
        await asyncio.gather(*(cancelled(task) for task in self.tasks))
        self.tasks.clear()
        await self.redis.aclose()
        await self.engine.dispose()


async def start_replica(
    database_url: str, redis_url: str, rules: SearchingRules | None = None, loops: bool = True, **settings: Any
) -> Replica:
    """A game service as `services.game.main.process` wires it, that has committed a beat."""
    chosen = GameSettings.model_validate({"database_url": database_url, "redis_url": redis_url, **settings})
    engine = open_engine(chosen)
    redis = connect(redis_url)
    publisher = Publisher(redis, SHARDS, 50_000)
    publishing = Publishing(EventSender(publisher), engine, chosen)
    beats = Beats(engine, chosen.outage_gap_ms, chosen.beat_poll_ms)
    judges = rules or real_rules(chosen)
    path = CommitPath(engine, judges, beats, publishing, chosen, FEATURES)
    new_games = NewGames(judges, beats, publishing, path.limits, FEATURES.ratings)
    sweep = Sweep(engine, path, beats, publishing, chosen)
    servicers = compose(
        engine=engine,
        path=path,
        beats=beats,
        new_games=new_games,
        sweep=sweep,
        rules=judges,
        imports=Imports(engine, real_rules(chosen), path.limits, chosen),
        publishing=publishing,
        publisher=publisher,
        settings=chosen,
    )
    replica = Replica(chosen, engine, redis, beats, publisher, publishing, path, new_games, sweep, AllOf(servicers))
    await path.beat()
    if loops:
        replica.tasks = [
            asyncio.ensure_future(loop)
            for loop in (publishing.publish(), publishing.flush(), publishing.relay(beats.now_ms), _beating(path))
        ]
    return replica


async def _beating(path: CommitPath) -> None:
    """What a gateway does for everybody."""
    while True:
        await asyncio.sleep(1.0)
        await path.beat()


@dataclass
class World:
    """Replicas over one database, and the games in it."""

    database_url: str
    redis_url: str
    replicas: list[Replica]

    @property
    def first(self) -> Replica:
        """Any of them."""
        return self.replicas[0]

    async def rows(self, statement: str, **values: object) -> list[tuple[Any, ...]]:
        """What a statement finds."""
        async with self.first.engine.connect() as connection:
            return [tuple(row) for row in await connection.execute(sa.text(statement), values)]

    async def execute(self, statement: str, **values: object) -> None:
        """Change rows behind everybody's back."""
        async with self.first.engine.begin() as connection:
            await connection.execute(sa.text(statement), values)

    async def game(
        self,
        *moves: pb.Move,
        control: TimeControl = MINUTE,
        fen: str = "",
        rule_set: RuleSet = CLAIMED,
        variant: str = "standard",
        white: Seat = ANNA,
        black: Seat = BERT,
        created_ms: int | None = None,
        think_ms: int = 0,
        rated: bool = False,
    ) -> str:
        """A game with moves played; each takes `think_ms` of steered time from `created_ms` on (none: real time)."""
        replica = self.first
        standing = await replica.new_games.prepare(variant, fen, rule_set)
        assert isinstance(standing, Standing), standing
        async with replica.engine.begin() as connection:
            created = await replica.new_games.insert(
                connection,
                NewGame(
                    id=new_game_id(),
                    standing=standing,
                    white=white,
                    black=black,
                    rule_set=rule_set,
                    control=control,
                    rated=rated,
                    source="friend",
                    initial_fen=fen,
                    variant=variant,
                    created_ms=replica.beats.now_ms() if created_ms is None else created_ms,
                ),
            )
        replica.new_games.announce(created)
        game_id, turn = created.game.terms.id, colour_to_pb(created.game.turn)
        for number, move in enumerate(moves):
            player = white if turn == 1 else black
            at_ms = None if created_ms is None else created_ms + think_ms * (number + 1)
            command = pb.Command(game_id=game_id, player_id=player.player_id, move=move)
            reply = await replica.ask(command, at_ms)
            assert reply.HasField("accepted"), (move, reply)
            turn = reply.accepted.state.turn
        return game_id

    async def clones(self, game_id: str, count: int, **columns: object) -> list[str]:
        """Copies of a game's row, with its first event, spread over pairs of players; `columns` are set in all.

        A clone with a deadline of its own has no moment before which nobody looks at it, unless that is given too.
        """
        if "deadline_ms" in columns or "turn_started_ms" in columns:
            columns.setdefault("look_ms", 0)
        ids = [new_game_id() for _ in range(count)]
        first_event = "SELECT payload FROM game_event WHERE game_id = :id AND version = 1"
        ((payload,),) = await self.rows(first_event, id=game_id)
        event = events_pb2.GameEvent.FromString(payload)
        payloads = []
        for clone in ids:
            event.state.game_id = event.info.id = clone
            payloads.append(event.SerializeToString())
        statement = sa.text(f"""
            WITH item AS (
                SELECT * FROM unnest(CAST(:ids AS text[]), CAST(:payloads AS bytea[])) WITH ORDINALITY
                AS t(id, payload, place)
            ), made AS (
                INSERT INTO game SELECT (jsonb_populate_record(game, jsonb_build_object(
                    'id', item.id, 'white_id', 'w' || item.place % {PAIRS}, 'black_id', 'b' || item.place % {PAIRS}
                ) || CAST(:columns AS jsonb))).* FROM game, item WHERE game.id = :template
            )
            INSERT INTO game_event (game_id, version, payload, at_ms) SELECT id, 1, payload, 0 FROM item
        """).bindparams(
            sa.bindparam("ids", type_=pg.ARRAY(sa.Text)),
            sa.bindparam("payloads", type_=pg.ARRAY(sa.LargeBinary)),
            sa.bindparam("columns", type_=pg.JSONB),
        )
        async with self.first.engine.begin() as connection:
            await connection.execute(
                statement, {"ids": ids, "payloads": payloads, "columns": columns, "template": game_id}
            )
        return ids

    async def version(self, game_id: str) -> int:
        """The version that a game is at."""
        ((version,),) = await self.rows("SELECT version FROM game WHERE id = :id", id=game_id)
        return int(version)

    async def one_history(self, game_ids: Sequence[str], first_version: int) -> None:
        """Assert that each clone's versions have no gap from `first_version` on, and end where its row says."""
        broken = await self.rows(
            """
            SELECT game.id, game.version, array_agg(game_event.version ORDER BY game_event.version)
            FROM game JOIN game_event ON game_event.game_id = game.id
            WHERE game.id = ANY(:ids) AND game_event.version > :first GROUP BY game.id
            HAVING count(*) <> game.version - :first OR max(game_event.version) <> game.version
                OR min(game_event.version) <> :first + 1
            """,
            ids=list(game_ids),
            first=first_version,
        )
        assert broken == []


async def add_players(world: World) -> None:
    """The people of clones, and the two of templates."""
    names = ["anna", "bert", *(f"{side}{number}" for side in "wb" for number in range(PAIRS))]
    statement = "INSERT INTO player (id, name, guest, created_ms, seen_ms) SELECT n, n, false, 0, 0 FROM unnest(:n) n"
    async with world.first.engine.begin() as connection:
        await connection.execute(
            sa.text(statement).bindparams(sa.bindparam("n", type_=pg.ARRAY(sa.Text))), {"n": names}
        )


@asynccontextmanager
async def racing(
    database_url: str, redis_url: str, count: int = 2, rules: SearchingRules | None = None, **settings: Any
) -> AsyncIterator[World]:
    """A world with some replicas, ended in the ordinary way."""
    async with AsyncExitStack() as stack:
        world = World(database_url, redis_url, [])
        for _ in range(count):
            world.replicas.append(await start_replica(database_url, redis_url, rules, **settings))
        stack.push_async_callback(_end, world)
        await add_players(world)
        yield world


async def _end(world: World) -> None:
    for replica in world.replicas:
        if replica.tasks:
            await replica.path.drained()
            await replica.publishing.drained()
        await replica.abandon()


async def published(world: World) -> list[tuple[str, int]]:
    """The events of games in Redis, oldest first: ids of games with versions."""
    found: list[tuple[bytes, tuple[str, int]]] = []
    for shard in range(SHARDS):
        entries: Any = await world.first.redis.xrange(f"flagfall:events:{shard}")
        for place, fields in entries:
            for event in events_of(fields) or ():
                found.append((place, (event.state.game_id, event.state.version)))
    found.sort(key=lambda entry: tuple(map(int, entry[0].split(b"-"))))
    return [key for _, key in found]


def uci(text: str, **fields: Any) -> pb.Move:
    """A move."""
    return pb.Move(text=text, **fields)


def player_of(place: int, white: bool) -> str:
    """Who plays a side in the clone at a place."""
    return f"{'w' if white else 'b'}{(place + 1) % PAIRS}"


def plain(reply: pb.Reply) -> bytes:
    """An answer without what a repetition may add or lack: that it is one, and the legal moves of a newest version."""
    assert reply.HasField("accepted"), reply
    copy = pb.Accepted()
    copy.CopyFrom(reply.accepted)
    copy.repeated = False
    copy.state.legal = ""
    return copy.SerializeToString(deterministic=True)


def codes(replies: Sequence[pb.Reply]) -> set[str]:
    """The codes of the refusals among replies."""
    return {reply.refusal.code for reply in replies if reply.HasField("refusal")}
