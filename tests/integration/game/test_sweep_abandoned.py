"""The sweep and games of parties that both players have left, by the notes of gateways in a real Redis (seed 004)."""

from dataclasses import replace

import pytest

from services.domain.rule_set import PARTY, AbsentPlayer, RuleSet
from services.domain.time_control import Unlimited
from services.game.commit.path import CommitPath
from services.game.commit.presence import RedisPresence
from services.game.main.features import FEATURES
from services.game.upkeep.sweep import Sweep
from services.pb.flagfall.v1 import common_pb2
from services.runtime.presence import NOTING, presence_key
from tests.integration.races.race_replicas import PATIENT, World, racing, real_rules, uci

MINUTE_MS = 60_000
IDLE_MS = 11 * MINUTE_MS


async def _party_game(world: World, rule_set: RuleSet = PARTY, *, rated: bool = False) -> str:
    """A game of a party in which nobody has moved for eleven minutes."""
    created_ms = world.first.beats.now_ms() - IDLE_MS
    game_id = await world.game(
        uci("e2e4"), uci("e7e5"), control=Unlimited(), rule_set=rule_set, rated=rated, created_ms=created_ms
    )
    await world.execute("UPDATE game SET party_id = 'party001' WHERE id = :id", id=game_id)
    return game_id


def _sweep(world: World) -> Sweep:
    """As the process wires it, with what is known of who is there."""
    one = world.first
    presence = RedisPresence(one.redis, 2.0)
    path = CommitPath(one.engine, real_rules(one.settings), one.beats, one.publishing, one.settings, FEATURES, presence)
    return Sweep(one.engine, path, one.beats, one.publishing, one.settings, presence)


async def _noted(world: World, game_id: str, white_away_ms: int, black_away_ms: int) -> None:
    """What gateways have written: when each was last seen."""
    redis = world.first.redis
    seconds, _ = await redis.time()
    seen = {"white": seconds * 1000 - white_away_ms, "black": seconds * 1000 - black_away_ms}
    await redis.hset(presence_key(game_id), mapping={side: str(at_ms) for side, at_ms in seen.items()})
    await redis.set(NOTING, 1)


async def _reason(world: World, game_id: str) -> int:
    ((reason,),) = await world.rows("SELECT end_reason FROM game WHERE id = :id", id=game_id)
    return int(reason)


@pytest.mark.parametrize(
    ("white_away_ms", "black_away_ms", "aborted"),
    [(IDLE_MS, IDLE_MS, True), (IDLE_MS, 9 * MINUTE_MS, False), (9 * MINUTE_MS, IDLE_MS, False), (IDLE_MS, 0, False)],
)
async def test_a_game_that_both_have_left_for_ten_minutes_is_aborted(
    database_url: str, redis_url: str, white_away_ms: int, black_away_ms: int, aborted: bool
) -> None:
    async with racing(database_url, redis_url, count=1, **PATIENT) as world:
        game_id = await _party_game(world)
        await _noted(world, game_id, white_away_ms, black_away_ms)
        for _ in range(2):
            await _sweep(world).run(100)
            assert await _reason(world, game_id) == (common_pb2.END_REASON_ABANDONED if aborted else 0)
        assert await world.version(game_id) == (4 if aborted else 3)


async def test_of_whom_nothing_is_known_the_absence_begins_with_the_first_look(
    database_url: str, redis_url: str
) -> None:
    async with racing(database_url, redis_url, count=1, **PATIENT, abandoned_ms=500) as world:
        game_id = await _party_game(world)
        await world.first.redis.set(NOTING, 1)
        sweep = _sweep(world)
        await sweep.run(100)
        assert await _reason(world, game_id) == 0, "they may be there all the same"
        while await _reason(world, game_id) == 0:
            assert await world.version(game_id) == 3
            await sweep.run(100)
        assert await _reason(world, game_id) == common_pb2.END_REASON_ABANDONED


@pytest.mark.parametrize("elsewhere", ["rated", "the clock runs"])
async def test_elsewhere_it_goes_on(database_url: str, redis_url: str, elsewhere: str) -> None:
    async with racing(database_url, redis_url, count=1, **PATIENT) as world:
        clock_runs = elsewhere == "the clock runs"
        rule_set = replace(PARTY, absent_player=AbsentPlayer.CLOCK_RUNS) if clock_runs else PARTY
        game_id = await _party_game(world, rule_set, rated=not clock_runs)
        await _noted(world, game_id, IDLE_MS, IDLE_MS)
        await _sweep(world).run(100)
        assert await _reason(world, game_id) == 0
