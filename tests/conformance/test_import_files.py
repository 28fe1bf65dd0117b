"""The public files, game by game, into the game service and out of the gateway: their tags come back, all is stable."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.domain.pgn import ROSTER
from services.gateway.public_api.pgn import Wanted, pgn
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.rules.pgn.pgn_tree import PgnGame
from tests.integration.races.race_replicas import World, channel_to, racing
from tests.unit.rules.pgn_texts import read, write

pytestmark = pytest.mark.needs("conformance")

FINISHED = {
    "cutechess-fischerrandom": 4,
    "kasparov-deep-blue-1997": 6,
    "molinari-bordais-1979": 1,
    "saturs-jannlee-zh-lichess": 1,
    "uzchesscup": 45,
}
"""The files whose games have ended, and how many those are."""


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    async with racing(database_url, redis_url, count=1, outage_gap_ms=30_000) as world:
        yield world


async def there_and_back(world: World, text: str) -> str:
    """The export of an import."""
    service = GameServiceStub(channel_to(world.first.servicer))
    kept = await service.ImportGame(pb.ImportGameRequest(pgn=text.encode()))
    assert kept.HasField("game"), kept
    fetched = await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=kept.game.info.id)]))
    game = fetched.results[0].snapshot
    return pgn(game, game.moves, "https://chess.example/ours", Wanted())


def whole_tags(game: PgnGame) -> dict[str, str]:
    """What is to come back: its tags, and the roster whole."""
    return dict.fromkeys(ROSTER, "?") | {"Date": "????.??.??"} | dict(game.tags)


@pytest.mark.parametrize("name", FINISHED)
async def test_each_game_comes_back_with_its_tags(conformance_folder: Path, world: World, name: str) -> None:
    games = read((conformance_folder / "pgn" / f"{name}.pgn").read_bytes())
    assert len(games) == FINISHED[name]
    for game in games:
        out = await there_and_back(world, write([game]))
        (back,) = read(out)
        wanted = whole_tags(game)
        if "Termination" not in wanted:
            wanted |= {"Termination": dict(back.tags)["Termination"]}
            assert wanted["Termination"] in ("Normal", "Unknown")
        if game.initial_fen:
            wanted |= {"FEN": game.initial_fen, "SetUp": "1"}
        assert dict(back.tags) == wanted
        assert [name for name, _ in back.tags][: len(ROSTER)] == list(ROSTER)
        assert (back.outcome, back.variant) == (game.outcome, game.variant)
        assert [move.san for move in back.line.moves] == [move.san for move in game.line.moves]
        assert await there_and_back(world, out) == out
