"""Relays that share one outbox: every event reaches Redis, nothing is left, the oldest is never far behind."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import GameEvent, PlayerEvent
from services.runtime.event_stream import Publisher
from tests.integration.game.game_in_memory import eventually
from tests.integration.races.race_replicas import Replica, World, new_chance, player_of, published, racing, rounds, uci

BATCH = 40
RELAYS = 4
AGE_MS = 1_000

Key = tuple[str, int]
"""A game's id with a version, or a player's with a number."""


@asynccontextmanager
async def heard_players(world: World) -> AsyncIterator[Counter[Key]]:
    """What comes by the channels of all players, counted."""
    heard: Counter[Key] = Counter()

    async def listen() -> None:
        async for message in heard_by.listen():
            if message["type"] == "pmessage":
                event = PlayerEvent.FromString(message["data"])
                heard[event.player_id, event.seq] += 1

    async with world.first.redis.pubsub() as heard_by:
        await heard_by.psubscribe("flagfall:player:*")
        task = asyncio.create_task(listen())
        yield heard
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _committed(world: World, count: int) -> set[Key]:
    """Commits events that their replicas do not publish: moves, and resignations that tell both players."""
    for replica in world.replicas:
        replica.publishing.announce = lambda *_, **__: None  # type: ignore[method-assign] # killed before it published
    games = await world.clones(await world.game(), count)
    expected: set[Key] = set()
    for version, action in ((2, pb.Command(move=uci("e2e4"))), (3, pb.Command(resign=pb.Resign()))):

        async def ask(place: int, game_id: str, version: int = version, action: pb.Command = action) -> None:
            command = pb.Command(game_id=game_id, player_id=player_of(place, True))
            command.MergeFrom(action)
            reply = await world.replicas[place % 2].ask(command)
            assert reply.accepted.version == version

        await asyncio.gather(*(ask(place, game_id) for place, game_id in enumerate(games)))
        expected |= {(game_id, version) for game_id in games}
    return expected


async def _emptied(world: World) -> None:
    """Relay until nothing is left: a removal leaves out what another relay looks at just then, until later."""
    while await world.rows("SELECT count(*) FROM outbox") != [(0,)]:
        later_ms = world.first.beats.now_ms() + 2 * AGE_MS
        await world.first.publishing.relay_once(later_ms)


async def _numbers_of_players(world: World) -> set[Key]:
    return {(player, int(seq)) for player, seq in await world.rows("SELECT player_id, seq FROM player_event")}


async def test_relays_at_once_publish_every_event_once_and_the_oldest_first(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, loops=False, relay_rows_max=BATCH) as world:
        expected = await _committed(world, rounds(300))
        players = await _numbers_of_players(world)
        await world.execute("DELETE FROM outbox WHERE number = 1 AND kind = 'g'")  # the templates' own
        await world.execute(
            "UPDATE outbox SET at_ms = t.n FROM (SELECT owner, number, row_number() OVER (ORDER BY random()) AS n"
            " FROM outbox) AS t WHERE outbox.owner = t.owner AND outbox.number = t.number"
        )
        age = {(owner, number): at for owner, number, at in await world.rows("SELECT owner, number, at_ms FROM outbox")}
        await world.first.redis.flushall()
        async with heard_players(world) as heard:

            async def relay(replica: Replica) -> None:
                while await replica.publishing.relay_once(replica.beats.now_ms()):
                    pass

            await asyncio.gather(*(relay(replica) for replica in world.replicas for _ in range(RELAYS // 2)))
            await eventually(lambda: set(heard) >= players, "every player's event is heard")
        order = [key for key in await published(world) if key in expected]
        assert Counter(order) == Counter(expected), "each once: what one relay has taken no other takes"
        assert set(heard.values()) == {1}
        await _emptied(world)
        newest = 0
        for key in order:
            assert age[key] > newest - 2 * RELAYS * BATCH, "nothing waits while the younger go, but what is under way"
            newest = max(newest, age[key])


class _Dying(Publisher):
    """Dies before, in the middle or after publishing, by chance."""

    def __init__(self, publisher: Publisher, chance: random.Random) -> None:
        self._inner = publisher
        self._chance = chance

    async def publish(self, games: Sequence[GameEvent] = (), players: Sequence[PlayerEvent] = ()) -> None:
        """See the class."""
        fate = self._chance.random()
        if fate < 0.2:
            raise ConnectionError("killed before it published")
        if fate < 0.35:
            await self._inner.publish(games[: len(games) // 2], players[: len(players) // 2])
            raise ConnectionError("killed while it published")
        await self._inner.publish(games, players)
        if fate < 0.5:
            raise ConnectionError("killed after it published")


async def test_what_a_dying_relay_had_taken_another_one_publishes(database_url: str, redis_url: str) -> None:
    chance = new_chance()
    async with racing(database_url, redis_url, loops=False, relay_rows_max=BATCH, relay_age_ms=AGE_MS) as world:
        expected = await _committed(world, rounds(250))
        players = await _numbers_of_players(world)
        for replica in world.replicas:
            replica.publishing._sender._publisher = _Dying(replica.publisher, chance)
        now_ms, deaths = world.first.beats.now_ms(), 0
        async with heard_players(world) as heard:
            while await world.rows("SELECT count(*) FROM outbox") != [(0,)]:
                now_ms += AGE_MS + 1
                done = await asyncio.gather(
                    *(replica.publishing.relay_once(now_ms) for replica in world.replicas for _ in range(2)),
                    return_exceptions=True,
                )
                assert {type(error) for error in done if not isinstance(error, int)} <= {ConnectionError}
                deaths += sum(isinstance(error, ConnectionError) for error in done)
            await eventually(lambda: set(heard) >= players, "every player's event is heard")
        assert deaths > 5
        assert set(await published(world)) >= expected


async def test_a_relay_beside_those_who_publish_themselves_loses_nothing(database_url: str, redis_url: str) -> None:
    """Every row counts as old at once: relays, publishing, riding removals and flushes all meet at the same rows."""
    chance = new_chance()
    async with racing(database_url, redis_url, relay_age_ms=50, relay_period_ms=50, relay_rows_max=BATCH) as world:
        games = await world.clones(await world.game(), rounds(100))
        for ply, text in enumerate(("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")):

            async def play(place: int, game_id: str, ply: int = ply, text: str = text) -> None:
                await asyncio.sleep(chance.choice((0.0, 0.02 * chance.random())))
                player = player_of(place, ply % 2 == 0)
                reply = await world.replicas[(place + ply) % 2].ask(
                    pb.Command(game_id=game_id, player_id=player, move=uci(text))
                )
                assert reply.accepted.version == ply + 2

            await asyncio.gather(*(play(place, game_id) for place, game_id in enumerate(games)))

        async def outbox_is_empty() -> bool:
            return await world.rows("SELECT count(*) FROM outbox") == [(0,)]

        await eventually(outbox_is_empty, "the outbox is empty")
        counts = Counter(await published(world))
        assert {(game_id, version) for game_id in games for version in range(2, 8)} <= set(counts)
