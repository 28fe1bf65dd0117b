"""Resign, mate, flag, claim, agreement and abort at one barrier, 20 writers over two replicas: a game ends once."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass

from prometheus_client import REGISTRY

from services.domain.refusal import RefusalCode
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from tests.integration.races.race_replicas import World, new_chance, player_of, racing, rounds_until, uci

GAMES = 100
"""Games of one round; their writers fit into the line of a replica."""
WRITERS = 20
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
"""Ra8 mates as long as the black king stands on g8."""

WHITE, BLACK = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK


@dataclass(frozen=True)
class Way:
    """A way to end the game, and the end that it makes. `white` None: nobody in particular asks."""

    name: str
    white: bool | None
    command: pb.Command
    winner: int
    reason: int
    kind: int = events_pb2.GAME_EVENT_KIND_ENDED


RESIGN, DRAW = pb.Command(resign=pb.Resign()), pb.Command(offer_draw=pb.OfferDraw())
LATE = (
    Way("white resigns", True, RESIGN, BLACK, common_pb2.END_REASON_RESIGNATION),
    Way("black resigns", False, RESIGN, WHITE, common_pb2.END_REASON_RESIGNATION),
    Way("mate", True, pb.Command(move=uci("a1a8")), WHITE, common_pb2.END_REASON_CHECKMATE, 2),
    Way("flag", None, pb.Command(flag=pb.Flag(version=9)), BLACK, common_pb2.END_REASON_FLAG),
    Way("white claims", True, DRAW, 0, common_pb2.END_REASON_REPETITION),
    Way("black claims", False, DRAW, 0, common_pb2.END_REASON_REPETITION),
    Way("agreement", True, pb.Command(move=uci("a1b1", offer_draw=True)), 0, common_pb2.END_REASON_AGREEMENT, 2),
)
"""With White to move after the position has stood three times, Black's offer open and White's time up."""

EARLY = (
    Way("white resigns", True, RESIGN, BLACK, common_pb2.END_REASON_RESIGNATION),
    Way("black resigns", False, RESIGN, WHITE, common_pb2.END_REASON_RESIGNATION),
    Way("white aborts", True, pb.Command(abort=pb.Abort()), 0, common_pb2.END_REASON_ABORT),
    Way("black aborts", False, pb.Command(abort=pb.Abort()), 0, common_pb2.END_REASON_ABORT),
    Way("no first move", None, pb.Command(flag=pb.Flag(version=3)), 0, common_pb2.END_REASON_NO_FIRST_MOVE),
    Way("agreement", False, DRAW, 0, common_pb2.END_REASON_AGREEMENT),
)
"""With Black to make the first own move and White's offer open."""


async def _races(world: World, template: str, ways: tuple[Way, ...], count: int) -> None:
    """Rounds of races, of which some are met in the database and not in one replica's line."""
    chance, wins, lost = new_chance(), Counter[str](), _races_lost()
    for _ in rounds_until(count, lambda: len(wins) == len(ways) and _races_lost() > lost):
        wins.update(await _race(world, template, ways, chance))
    assert set(wins) == {way.name for way in ways}, f"some way never won: {wins}"
    assert _races_lost() > lost, "no race was ever lost at the save"


def _races_lost() -> float:
    return REGISTRY.get_sample_value("flagfall_races_lost_total") or 0.0


async def _race(world: World, template: str, ways: tuple[Way, ...], chance: random.Random) -> Counter[str]:
    """Twenty writers for each clone, all at once: whoever is accepted is the end, and nobody else is."""
    ((version, deadline_ms),) = await world.rows("SELECT version, deadline_ms FROM game WHERE id = :id", id=template)
    games = await world.clones(template, GAMES)
    writers = [(place, way) for place in range(len(games)) for way in chance.choices(ways, k=WRITERS)]
    chance.shuffle(writers)

    async def write(number: int, place: int, way: Way) -> pb.Reply:
        command = pb.Command(game_id=games[place])
        command.MergeFrom(way.command)
        if way.white is not None:
            command.player_id, command.command_id = player_of(place, way.white), f"c{number}"
        # Received in the last millisecond of the turn, or when its flag may fall; all of them meet in the commit path.
        received_ms = deadline_ms - 1 if way.white is not None else deadline_ms + world.first.settings.flag_grace_ms
        return await chance.choice(world.replicas).ask(command, received_ms)

    replies = await asyncio.gather(*(write(number, *writer) for number, writer in enumerate(writers)))
    won: dict[int, tuple[Way, pb.Accepted]] = {}
    for (place, way), reply in zip(writers, replies, strict=True):
        if reply.HasField("accepted"):
            assert place not in won, (games[place], won[place][0].name, way.name)
            won[place] = way, reply.accepted
        else:
            assert reply.refusal.code == RefusalCode.GAME_OVER, (way.name, reply)
    assert len(won) == len(games)
    rows = await world.rows(
        "SELECT g.id, g.version, winner, end_reason, payload FROM game AS g JOIN game_event AS e ON e.game_id = g.id"
        " WHERE g.id = ANY(:ids) AND e.version = :ended",
        ids=games,
        ended=version + 1,
    )
    found = {row[0]: row[1:] for row in rows}
    for place, (way, accepted) in won.items():
        stored_version, winner, reason, payload = found[games[place]]
        event = events_pb2.GameEvent.FromString(payload)
        assert (stored_version, winner, reason) == (version + 1, way.winner, way.reason), way.name
        assert (accepted.version, accepted.state.outcome) == (version + 1, event.state.outcome), way.name
        assert (event.kind, event.state.outcome.winner, event.state.outcome.reason) == (
            way.kind,
            way.winner,
            way.reason,
        ), way.name
    await world.one_history(games, version)
    await _both_players_heard_of_each_end_once(world, games)
    return Counter(way.name for way, _ in won.values())


async def _both_players_heard_of_each_end_once(world: World, games: list[str]) -> None:
    told: Counter[tuple[str, str]] = Counter()
    for player, payload in await world.rows("SELECT player_id, payload FROM player_event"):
        event = events_pb2.PlayerEvent.FromString(payload)
        if event.HasField("game_finish"):
            told[event.game_finish.info.id, player] += 1
    for place, game_id in enumerate(games):
        for white in (True, False):
            assert told[game_id, player_of(place, white)] == 1
    gaps = await world.rows(
        "SELECT player_id FROM player_event GROUP BY player_id HAVING count(*) <> max(seq) OR min(seq) <> 1"
    )
    assert gaps == [], "a person's own events are numbered without gaps"


async def test_a_game_ends_once_whoever_is_first(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url) as world:
        shuffle = ("g1f1", "g8f8", "f1g1", "f8g8") * 2
        moves = [uci(text) for text in shuffle[:-1]] + [uci(shuffle[-1], offer_draw=True)]
        template = await world.game(*moves, fen=BACK_RANK)
        assert await world.rows("SELECT version, claims, draw_offer FROM game WHERE id = :id", id=template) == [
            (9, 1, BLACK)
        ]
        await _races(world, template, LATE, 6)


async def test_a_game_that_has_hardly_begun_ends_once_whoever_is_first(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url) as world:
        template = await world.game(uci("e2e4"))
        reply = await world.first.ask(pb.Command(game_id=template, player_id="anna", offer_draw=pb.OfferDraw()))
        assert reply.accepted.version == 3
        await _races(world, template, EARLY, 3)
