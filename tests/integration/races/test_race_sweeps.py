"""Cases D01 and D05: whatever runs the expiry twice, three times or a hundred times at once, a game ends once.

A doubled beat, a redelivered task and an overlapping sweep are the same to the game service: several sweeps at once.
"""

import asyncio
from collections import Counter

from services.domain.refusal import RefusalCode
from services.domain.time_control import Correspondence
from services.game.upkeep.sweep import Swept
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.workers.grpc_game import GrpcGame
from services.workers.mover import Mover
from services.workers.settings import WorkersSettings
from services.workers.work import Work
from tests.integration.races.race_replicas import PATIENT, World, channel_to, new_chance, racing, rounds, uci

DUE = 200
DAY_MS = 86_400_000
DAYS = Correspondence(1)


async def _overdue(world: World, count: int, *, rated: bool = False) -> list[str]:
    """Correspondence games whose limit passed yesterday, with White to move."""
    created_ms = world.first.beats.now_ms() - 3 * DAY_MS
    template = await world.game(uci("e2e4"), uci("e7e5"), control=DAYS, created_ms=created_ms, rated=rated)
    games = await world.clones(template, count)
    await world.execute("UPDATE game SET look_ms = 9000000000000 WHERE id = :id", id=template)
    return games


async def _ended_once(world: World, games: list[str]) -> None:
    """One end row a game, one notice a player, and the right result."""
    await world.one_history(games, 3)
    rows = await world.rows("SELECT DISTINCT version, end_reason, winner FROM game WHERE id = ANY(:ids)", ids=games)
    assert rows == [(4, common_pb2.END_REASON_EXPIRY, common_pb2.COLOR_BLACK)]
    told: Counter[str] = Counter()
    for (payload,) in await world.rows("SELECT payload FROM player_event"):
        event = events_pb2.PlayerEvent.FromString(payload)
        if event.HasField("game_finish"):
            told[event.game_finish.info.id] += 1
    assert {told[game_id] for game_id in games} == {2}


async def test_three_sweeps_at_once_end_each_of_200_games_once(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, count=3) as world:
        for _ in range(rounds(3)):
            games = await _overdue(world, DUE)
            swept = await asyncio.gather(*(replica.sweep.run(DUE) for replica in world.replicas))
            assert sum(sweep.games for sweep in swept) == DUE
            await _ended_once(world, games)


async def test_each_of_many_rated_games_is_rated_once(database_url: str, redis_url: str) -> None:
    """Case D01: one rating change, however often the expiry runs."""
    async with racing(database_url, redis_url, count=3) as world:
        games = await _overdue(world, rounds(40), rated=True)
        flags = [
            replica.ask(pb.Command(game_id=game_id, flag=pb.Flag(version=3)))
            for game_id in games
            for replica in world.replicas
        ]
        await asyncio.gather(*flags, *(replica.sweep.run(DUE) for replica in world.replicas * 2))
        await _ended_once(world, games)
        points = await world.rows("SELECT game_id, count(*), count(DISTINCT player_id) FROM rating_point GROUP BY 1")
        assert sorted(points) == sorted((game_id, 2, 2) for game_id in games)
        played = await world.rows("SELECT sum(games) FROM rating")
        assert played == [(2 * len(games),)]


async def test_sweeps_share_what_is_due_in_bounded_batches_until_nothing_is(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url) as world:
        games = await _overdue(world, rounds(150))

        async def until_done(number: int) -> list[Swept]:
            sweeps = [await world.replicas[number % 2].sweep.run(20)]
            while sweeps[-1].more:
                sweeps.append(await world.replicas[number % 2].sweep.run(20))
            return sweeps

        sweeps = [sweep for done in await asyncio.gather(*map(until_done, range(4))) for sweep in done]
        last = await world.first.sweep.run(len(games))
        assert max(sweep.games for sweep in sweeps) <= 20
        assert sum(sweep.games for sweep in [*sweeps, last]) == len(games)
        await _ended_once(world, games)


class _NoMover(Mover):
    """A worker that only sweeps."""

    def __init__(self) -> None: ...


async def test_games_that_cannot_be_ended_keep_nobody_waiting(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url) as world:
        games = sorted(await _overdue(world, 30))
        stuck, others = games[:20], games[20:]
        await world.execute("UPDATE game SET fen = 'nonsense' WHERE id = ANY(:ids)", ids=stuck)
        swept = await world.first.sweep.run(10)
        assert (swept.games, swept.more) == (10, True), "it goes on behind what was refused"
        await _ended_once(world, others)
        while swept.more:  # and comes to an end
            swept = await world.first.sweep.run(10)
            assert swept.games == 0
        assert await world.rows("SELECT DISTINCT end_reason FROM game WHERE id = ANY(:ids)", ids=stuck) == [(0,)]


async def test_the_expiry_task_a_hundred_times_at_once_ends_a_game_once(database_url: str, redis_url: str) -> None:
    settings = WorkersSettings()
    async with racing(database_url, redis_url, **PATIENT) as world:
        services = [GrpcGame(channel_to(replica.servicer), settings) for replica in world.replicas]
        workers = [Work(service, _NoMover(), settings) for service in services]
        for _ in range(rounds(1)):
            (game_id,) = await _overdue(world, 1)
            outcomes = await asyncio.gather(*(workers[number % 2].sweep_expired() for number in range(100)))
            assert set(outcomes) == {"done"}
            await _ended_once(world, [game_id])


async def test_flags_and_sweeps_of_one_limit_and_the_late_move_make_one_end(database_url: str, redis_url: str) -> None:
    chance = new_chance()
    async with racing(database_url, redis_url) as world:
        games = await _overdue(world, rounds(60))
        flags = [
            chance.choice(world.replicas).ask(pb.Command(game_id=game_id, flag=pb.Flag(version=3)))
            for game_id in games
            for _ in range(4)
        ]
        moves = [
            chance.choice(world.replicas).ask(pb.Command(game_id=game_id, player_id=f"w{n}", move=uci("g1f3")))
            for game_id in games
            for n in range(2)
        ]
        swept, replies = await asyncio.gather(world.first.sweep.run(DUE), asyncio.gather(*flags, *moves))
        accepted = sum(reply.HasField("accepted") for reply in replies)
        assert accepted + swept.games == len(games)
        refused = {reply.refusal.code for reply in replies if reply.HasField("refusal")}
        assert refused <= {RefusalCode.GAME_OVER, RefusalCode.TIME_IS_UP, RefusalCode.NOT_A_PLAYER}
        await _ended_once(world, games)
