"""Games of the same few players end at once in two replicas: each is rated once, and all as if one after the other."""

import asyncio
import random
from collections import defaultdict

from prometheus_client import REGISTRY

from services.domain.colour import Colour
from services.domain.rating import START, Rating, both_after
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.race_replicas import PATIENT, World, new_chance, racing, rounds, uci

GAMES = 60
PLAYERS = ("w0", "b1", "w2", "b3", "w4", "b5")
"""So few that nearly every transaction wants the ratings that another one holds, in whatever order its games have."""


async def _at_once(world: World, template: str, chance: random.Random) -> list[str]:
    """Clones between chance pairs, of which somebody resigns each, all at one barrier and anywhere."""
    games = await world.clones(template, GAMES)
    writes = []
    for game_id in games:
        white, black = chance.sample(PLAYERS, 2)
        await world.execute("UPDATE game SET white_id = :w, black_id = :b WHERE id = :id", w=white, b=black, id=game_id)
        command = pb.Command(game_id=game_id, player_id=chance.choice((white, black)), resign=pb.Resign())
        writes.append((chance.choice(world.replicas), command))
    chance.shuffle(writes)
    replies = await asyncio.gather(*(replica.ask(command) for replica, command in writes))
    for reply in replies:
        assert reply.HasField("accepted"), reply
        assert reply.accepted.state.HasField("white_rating_diff")
    return games


async def _are_as_if_one_after_the_other(world: World, games: list[str]) -> None:
    """Play all ends again in an order that has each player's points in theirs; no order is a lost or torn update."""
    rows = await world.rows(
        "SELECT id, white_id, black_id, winner, ended_ms FROM game WHERE id = ANY(:ids)",
        ids=games,
    )
    left = {game_id: (white, black, winner, ended_ms) for game_id, white, black, winner, ended_ms in rows}
    assert len(left) == len(games)
    line: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for player, game_id, number, value in await world.rows(
        "SELECT player_id, game_id, number, value FROM rating_point ORDER BY player_id, number"
    ):
        line[player].append((game_id, value))
        assert number == len(line[player]), "numbered without a gap"
    ratings: dict[str, Rating] = dict.fromkeys(PLAYERS, START)
    while left:
        game_id = next(
            (one for one, (white, black, *_) in left.items() if line[white][0][0] == line[black][0][0] == one), None
        )
        assert game_id is not None, "two games come before each other"
        white, black, winner, ended_ms = left.pop(game_id)
        won = Colour.WHITE if winner == 1 else Colour.BLACK
        ratings[white], ratings[black] = both_after(ratings[white], ratings[black], won, ended_ms)
        for player in (white, black):
            assert line[player].pop(0) == (game_id, ratings[player].value)
    assert not any(line.values())
    kept = await world.rows("SELECT player_id, value, deviation, volatility, games, at_ms FROM rating")
    assert {player: Rating(*fields) for player, *fields in kept} == ratings


def _saves_failed() -> float:
    return REGISTRY.get_sample_value("flagfall_saves_failed_total") or 0.0


async def test_games_of_the_same_players_that_end_at_once_are_rated_one_after_the_other(
    database_url: str, redis_url: str
) -> None:
    async with racing(database_url, redis_url, **PATIENT) as world:
        chance, failed, games = new_chance(), _saves_failed(), list[str]()
        template = await world.game(uci("e2e4"), uci("e7e5"), rated=True)
        for _ in range(rounds(6)):
            games += await _at_once(world, template, chance)
        assert _saves_failed() == failed, "a transaction was given up: a deadlock, or the unique number of a point"
        assert await world.rows("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == [(0,)]
        await _are_as_if_one_after_the_other(world, games)
