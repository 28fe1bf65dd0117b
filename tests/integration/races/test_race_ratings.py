"""Games of the same few players end at once in two replicas: each is rated once, and all as if one after the other."""

import asyncio
import random
from collections import defaultdict
from typing import Any

import pytest
from prometheus_client import REGISTRY

from services.domain.colour import Colour
from services.domain.rating import START, Rating, both_after
from services.domain.refusal import RefusalCode
from services.domain.variant import Variant
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import COLOR_WHITE
from tests.integration.races.race_replicas import PATIENT, World, codes, new_chance, racing, rounds, uci

GAMES = 60
PLAYERS = ("w0", "b1", "w2", "b3", "w4", "b5")
"""So few that nearly every transaction wants the ratings that another one holds, in whatever order its games have."""

BATCHES: dict[str, dict[str, Any]] = {
    "large": {},
    # Many transactions at once of few games each: then they wait for one another while they hold something.
    "small": {"batch_size_max": 2, "batches_under_way_max": 8, "pool_connections": 12},
}


async def _at_once(world: World, template: str, variant: str, chance: random.Random) -> list[str]:
    """Clones between chance pairs, of which both resign each, all at one barrier and anywhere: one is first."""
    games = await world.clones(template, GAMES, variant=variant)
    writes = []
    for game_id in games:
        white, black = chance.sample(PLAYERS, 2)
        await world.execute("UPDATE game SET white_id = :w, black_id = :b WHERE id = :id", w=white, b=black, id=game_id)
        for player in (white, black):
            command = pb.Command(game_id=game_id, player_id=player, command_id=player, resign=pb.Resign())
            writes.append((chance.choice(world.replicas), command))
    chance.shuffle(writes)
    replies = await asyncio.gather(*(replica.ask(command) for replica, command in writes))
    accepted = [reply.accepted.state for reply in replies if reply.HasField("accepted")]
    assert codes(replies) == {RefusalCode.GAME_OVER}
    assert sorted(state.game_id for state in accepted) == sorted(games)
    assert all(state.HasField("white_rating_diff") for state in accepted)
    return games


async def _are_as_if_one_after_the_other(world: World, games: list[str]) -> None:
    """Play all ends again in an order that has each player's points in theirs; no order is a lost or torn update."""
    rows = await world.rows(
        "SELECT id, white_id, black_id, variant, winner, ended_ms FROM game WHERE id = ANY(:ids)", ids=games
    )
    left = {
        game_id: ((white, variant), (black, variant), winner, ended_ms)
        for game_id, white, black, variant, winner, ended_ms in rows
    }
    assert len(left) == len(games)
    line: dict[tuple[str, str], list[tuple[str, float]]] = defaultdict(list)
    for player, variant, game_id, number, value in await world.rows(
        "SELECT player_id, variant, game_id, number, value FROM rating_point ORDER BY player_id, variant, number"
    ):
        line[player, variant].append((game_id, value))
        assert number == len(line[player, variant]), "numbered without a gap"
    ratings: dict[tuple[str, str], Rating] = {}
    while left:
        game_id = next(
            (one for one, (white, black, *_) in left.items() if line[white][0][0] == line[black][0][0] == one), None
        )
        assert game_id is not None, "two games come before each other"
        white, black, winner, ended_ms = left.pop(game_id)
        won = Colour.WHITE if winner == COLOR_WHITE else Colour.BLACK
        after = both_after(ratings.get(white, START), ratings.get(black, START), won, ended_ms)
        for owner, rating in zip((white, black), after, strict=True):
            ratings[owner] = rating
            assert line[owner].pop(0) == (game_id, rating.value)
    assert not any(line.values())
    kept = await world.rows("SELECT player_id, variant, value, deviation, volatility, games, at_ms FROM rating")
    assert {(player, variant): Rating(*fields) for player, variant, *fields in kept} == ratings


def _saves_failed() -> float:
    return REGISTRY.get_sample_value("flagfall_saves_failed_total") or 0.0


@pytest.mark.parametrize("batches", BATCHES)
async def test_games_of_the_same_players_that_end_at_once_are_rated_one_after_the_other(
    database_url: str, redis_url: str, batches: str
) -> None:
    async with racing(database_url, redis_url, **PATIENT, **BATCHES[batches]) as world:
        chance, failed, games = new_chance(), _saves_failed(), list[str]()
        template = await world.game(uci("e2e4"), uci("e7e5"), rated=True)
        for number in range(rounds(5)):
            # Ratings that nobody has yet: to make their rows is a race as well.
            variant = list(Variant)[number % len(Variant)]
            games += await _at_once(world, template, variant, chance)
        assert _saves_failed() == failed, "a transaction was given up: a deadlock, or the unique number of a point"
        assert await world.rows("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == [(0,)]
        await _are_as_if_one_after_the_other(world, games)
