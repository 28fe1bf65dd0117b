"""Gateways whose beats meet after a gap, through two replicas: one outage, known to all with the same length."""

import asyncio

import sqlalchemy as sa

from services.game.commit.beats import BEAT_AGE, Beats
from services.game.settings import GameSettings
from services.game.store.database import open_engine
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.runtime.lifecycle import cancelled
from tests.integration.races.race_replicas import channel_to, new_chance, player_of, racing, rounds, uci

GAP_MS = 10_000
BEAT = pb.SubmitRequest(commands=[pb.Command(beat=pb.Beat())])


async def test_a_gap_is_one_outage_whichever_of_many_beats_ends_it(database_url: str, redis_url: str) -> None:
    chance = new_chance()
    async with racing(database_url, redis_url, loops=False) as world:
        template = await world.game()
        services = [GameServiceStub(channel_to(replica.servicer)) for replica in world.replicas]
        clones = await world.clones(template, rounds(60))
        for place, game_id in enumerate(clones):
            async with world.first.engine.begin() as connection:
                await connection.execute(sa.text("DELETE FROM outage"))
                await connection.execute(sa.text("UPDATE heartbeat SET last_ms = last_ms - :gap"), {"gap": GAP_MS})
            # What a replica knows of the last beat is as old for these two; for the other two it is fresh.
            strangers = [Beats(replica.engine, 3_000, 1_000) for replica in world.replicas]
            move = pb.Command(game_id=game_id, player_id=player_of(place, True), move=uci("e2e4"))
            commands = [BEAT, BEAT, BEAT, BEAT, pb.SubmitRequest(commands=[move])]
            chance.shuffle(commands)
            answers, _ = await asyncio.gather(
                asyncio.gather(*(services[n % 2].Submit(command) for n, command in enumerate(commands))),
                asyncio.gather(*(stranger.beat() for stranger in strangers)),
            )
            assert all(answer.replies[0].HasField("accepted") for answer in answers)
            ((start_ms, end_ms),) = await world.rows("SELECT start_ms, end_ms FROM outage")
            assert end_ms - start_ms >= GAP_MS
            known = [replica.beats for replica in world.replicas] + strangers
            await asyncio.gather(*(beats.look() for beats in known))
            assert {beats.outages.spans for beats in known} == {((start_ms, end_ms),)}
            assert all(beats.fresh for beats in known)


async def test_a_first_beat_that_is_waited_for_is_not_as_old_as_the_epoch(database_url: str) -> None:
    """On a new database, or with gateways that come up late: nobody is woken by half a century."""
    engine = open_engine(GameSettings(database_url=database_url))
    beats = Beats(engine, 3_000, 20)
    following = asyncio.ensure_future(beats.follow())
    try:
        async with asyncio.timeout(20):
            while not 0.1 < BEAT_AGE._value.get() < 20:
                await asyncio.sleep(0.02)
            await beats.beat()
            while not 0 <= BEAT_AGE._value.get() < 0.1:
                await asyncio.sleep(0.01)
    finally:
        await cancelled(following)
        await engine.dispose()
