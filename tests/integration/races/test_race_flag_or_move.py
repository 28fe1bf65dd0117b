"""Case C04: a move in the instant of the flag, on two replicas: the move and the game goes on, or the flag and no move.

Never a half of each: a move in the list of a game that its mover lost on time by the same deadline, or a clock that
stopped at zero with the opponent losing next.
"""

import asyncio
import random
import statistics
from collections import Counter
from contextlib import AsyncExitStack
from functools import partial

from services.clock.redis_alarms import RedisAlarms
from services.domain.refusal import RefusalCode
from services.domain.time_control import ClockControl
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from tests.integration.game.game_in_memory import eventually
from tests.integration.races.race_clocks import GRACE_MS, clock_of, flags_accepted
from tests.integration.races.race_replicas import (
    PATIENT,
    SHARDS,
    Replica,
    World,
    channel_to,
    codes,
    new_chance,
    player_of,
    racing,
    rounds,
    rounds_until,
    uci,
)

GAMES = 250
OFFSETS_MS = (-5, -1, 0, 1, 5, 200)
INCREMENT_MS = 2_000
LEAD_MS = 3_000
"""From the moment when clocks run and games are made to the first deadline."""
BLITZ = ClockControl(180_000, INCREMENT_MS)
BLACK = common_pb2.COLOR_BLACK
LATE_MS_MAX = 10_000
"""What only a mechanism that does not work exceeds; the bench measures how late flags are."""


async def test_a_move_and_a_flag_in_the_same_instant_are_decided_as_one_or_the_other(
    database_url: str, redis_url: str
) -> None:
    chance, outcomes = new_chance(), Counter[tuple[int, str]]()

    def all_met() -> bool:
        return all(outcomes[ms, "flag"] and (ms >= 0 or outcomes[ms, "move"]) for ms in OFFSETS_MS)

    async with racing(database_url, redis_url, **PATIENT) as world:
        template = await world.game(uci("e2e4"), uci("e7e5"), control=BLITZ, created_ms=world.first.beats.now_ms())
        ((deadline_ms,),) = await world.rows("SELECT deadline_ms FROM game WHERE id = :id", id=template)
        for _ in rounds_until(4, all_met):
            games = await world.clones(template, GAMES)
            offsets = [chance.choice(OFFSETS_MS) for _ in games]
            replies = await asyncio.gather(
                *(
                    _meet(place, game_id, deadline_ms, offsets[place], *chance.sample(world.replicas, 2))
                    for place, game_id in enumerate(games)
                )
            )
            last = dict(
                await world.rows(
                    "SELECT game_id, uci FROM game_event WHERE game_id = ANY(:ids) AND version > 3", ids=games
                )
            )
            await world.one_history(games, 3)
            states = await fetched(world.first, games)
            for game_id, offset_ms, (moved, flagged) in zip(games, offsets, replies, strict=True):
                outcome = _one_or_the_other(states[game_id], last[game_id], moved, flagged, deadline_ms, offset_ms)
                outcomes[offset_ms, outcome] += 1
    for offset_ms in OFFSETS_MS:
        assert outcomes[offset_ms, "flag"] > 0
        assert (outcomes[offset_ms, "move"] > 0) is (offset_ms < 0), outcomes


async def _meet(
    place: int, game_id: str, deadline_ms: int, offset_ms: int, mover: Replica, flagger: Replica
) -> tuple[pb.Reply, pb.Reply]:
    """A move received `offset_ms` after the deadline and flags around it, at once."""
    move = pb.Command(game_id=game_id, player_id=player_of(place, True), command_id="late", move=uci("g1f3", ply=2))
    flag = pb.Command(game_id=game_id, flag=pb.Flag(version=3))
    early = [(replica, ms) for replica in (mover, flagger) for ms in (-1, 0, GRACE_MS - 1)]
    first = [replica.ask(flag, deadline_ms + ms) for replica, ms in early[place % 2 :: 2]]  # in line before the others
    later = [mover.ask(move, deadline_ms + offset_ms), flagger.ask(flag, deadline_ms + GRACE_MS)]
    later += [replica.ask(flag, deadline_ms + ms) for replica, ms in early[1 - place % 2 :: 2]]
    before, (moved, flagged, *after) = await asyncio.gather(asyncio.gather(*first), asyncio.gather(*later))
    too_early = [*before, *after]
    assert all(reply.HasField("refusal") for reply in too_early), too_early
    assert codes(too_early) <= {RefusalCode.NOT_DUE, RefusalCode.STALE_VERSION, RefusalCode.GAME_OVER}
    return moved, flagged


def _one_or_the_other(
    state: events_pb2.GameState, last_uci: str, moved: pb.Reply, flagged: pb.Reply, deadline_ms: int, offset_ms: int
) -> str:
    """Assert that what was answered and what is there make one of the two stories, and say which."""
    if moved.HasField("accepted"):
        assert offset_ms < 0
        assert flagged.refusal.code in {RefusalCode.NOT_DUE, RefusalCode.STALE_VERSION}
        assert (state.status, state.ply, last_uci) == (events_pb2.GAME_STATUS_STARTED, 3, "g1f3")
        assert moved.accepted.state.white_ms == -offset_ms + INCREMENT_MS
        assert (state.turn, state.running) == (BLACK, True)
        assert state.deadline_ms == deadline_ms + offset_ms + BLITZ.initial_ms + INCREMENT_MS, "Black's clock runs"
        return "move"
    assert flagged.HasField("accepted")
    assert moved.refusal.code in {RefusalCode.GAME_OVER, RefusalCode.TIME_IS_UP}
    assert (state.outcome.reason, state.outcome.winner) == (common_pb2.END_REASON_FLAG, BLACK)
    assert (state.ply, state.white_ms, last_uci) == (2, 0, ""), "the move is nowhere"
    return "flag"


async def fetched(replica: Replica, games: list[str]) -> dict[str, events_pb2.GameState]:
    """The states of games as a client gets them that has seen nothing."""
    service = GameServiceStub(channel_to(replica.servicer))
    answer = await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id) for game_id in games]))
    return {game_id: result.snapshot.state for game_id, result in zip(games, answer.results, strict=True)}


async def test_two_clocks_on_one_redis_and_players_who_move_at_the_last_moment(
    database_url: str, redis_url: str
) -> None:
    chance = new_chance()
    async with racing(database_url, redis_url, **PATIENT) as world:
        for _ in range(rounds(1)):
            await _a_second_of_flags(world, chance, 300)


async def _tell_clocks(world: World, deadlines: dict[str, int]) -> None:
    """What a replica publishes of games that are at version 3 and whose White is on move."""
    states = [
        events_pb2.GameState(
            game_id=game_id,
            version=3,
            status=events_pb2.GAME_STATUS_STARTED,
            deadline_ms=deadline_ms,
            deadline_kind=events_pb2.DEADLINE_KIND_FLAG,
        )
        for game_id, deadline_ms in deadlines.items()
    ]
    move = events_pb2.GAME_EVENT_KIND_MOVE
    await world.first.publisher.publish([events_pb2.GameEvent(kind=move, state=state) for state in states])


async def _clocks_follow(world: World, template: str) -> bool:
    """Whether a clock has set an alarm for the template, after telling of it (again)."""
    ((deadline_ms,),) = await world.rows("SELECT deadline_ms FROM game WHERE id = :id", id=template)
    await _tell_clocks(world, {template: deadline_ms})
    return await RedisAlarms(world.first.redis, SHARDS, GRACE_MS).count() > 0


async def _a_second_of_flags(world: World, chance: random.Random, count: int) -> None:
    """Real time: White's clocks fall within a second while each White tries to move within 25 ms of the deadline."""
    flags = flags_accepted()
    async with AsyncExitStack() as stack:
        template = await world.game(uci("e2e4"), uci("e7e5"), control=BLITZ)
        for replica in world.replicas:
            await stack.enter_async_context(clock_of(replica, world.redis_url))
        await eventually(partial(_clocks_follow, world, template), "a clock follows")
        base_ms = world.first.beats.now_ms()
        games = await world.clones(template, count, turn_started_ms=base_ms)
        await world.execute(
            "UPDATE game SET white_ms = left_ms, deadline_ms = turn_started_ms + left_ms"
            " FROM (SELECT id, :lead_ms + 1000 * row_number() OVER () / :count AS left_ms FROM game"
            " WHERE id = ANY(:ids)) t WHERE game.id = t.id",
            ids=games,
            count=count,
            lead_ms=LEAD_MS,
        )
        deadlines = dict(await world.rows("SELECT id, deadline_ms FROM game WHERE id = ANY(:ids)", ids=games))
        await _tell_clocks(world, deadlines)

        async def move(place: int, game_id: str) -> pb.Reply:
            replica = chance.choice(world.replicas)
            # Some come early: on a machine so slow that all others are late, too, there are moves and flags.
            at_ms = deadlines[game_id] + (chance.randint(-25, 25) if place % 20 else -1_000)
            await asyncio.sleep(max(0, at_ms - replica.beats.now_ms()) / 1000)
            player = player_of(place, True)
            return await replica.ask(pb.Command(game_id=game_id, player_id=player, command_id="m", move=uci("g1f3")))

        replies = await asyncio.gather(*(move(place, game_id) for place, game_id in enumerate(games)))
        moved = {game_id for game_id, reply in zip(games, replies, strict=True) if reply.HasField("accepted")}
        assert 0 < len(moved) < count
        assert codes(replies) <= {RefusalCode.TIME_IS_UP, RefusalCode.GAME_OVER}

        async def fallen() -> bool:
            ended = "SELECT count(*) FROM game WHERE id = ANY(:ids) AND end_reason > 0"
            return await world.rows(ended, ids=games) == [(count - len(moved),)]

        await eventually(fallen, "every flag has fallen")
        rows = await world.rows(
            "SELECT game_id, at_ms, uci FROM game_event WHERE game_id = ANY(:ids) AND version > 3", ids=games
        )
        await world.one_history(games, 3)
        assert len(rows) == count, "each game has one event: the move or the flag"
        for game_id, at_ms, last_uci in rows:
            assert (game_id in moved) is bool(last_uci)
            late_ms = at_ms - deadlines[game_id]
            assert late_ms < 0 if last_uci else late_ms >= GRACE_MS, "a move in time, or a flag after its grace"
        late_ms = statistics.median(at_ms - deadlines[game_id] for game_id, at_ms, last in rows if not last)
        assert late_ms <= LATE_MS_MAX
        states = await fetched(world.first, games)
        for game_id, state in states.items():
            ended = (common_pb2.END_REASON_FLAG, BLACK)
            assert (state.outcome.reason, state.outcome.winner) == ((0, 0) if game_id in moved else ended)
    assert flags_accepted() == flags + count - len(moved), "one flag a game, whichever clock was first"
