"""Games of all variants, judged by the real rules: what they begin from, and that each ends by its own goal."""

from collections.abc import AsyncIterator

import pytest

from services.domain.rule_set import FIDE
from services.domain.time_control import Unlimited
from services.game.commit.creation import POSITIONS_960
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from services.runtime.wire import rule_set_to_pb
from tests.integration.races.race_replicas import World, channel_to, racing, uci

WHITE, BLACK = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    async with racing(database_url, redis_url, count=1, outage_gap_ms=30_000) as world:
        yield world


async def snapshot(world: World, game_id: str) -> pb.Snapshot:
    """A game as everybody sees it."""
    service = GameServiceStub(channel_to(world.first.servicer))
    answer = await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id)]))
    return answer.results[0].snapshot


@pytest.mark.parametrize("variant", ["standard", "threeCheck", "kingOfTheHill", "crazyhouse", "atomic"])
async def test_a_game_from_the_array_of_chess_says_nothing_of_it(world: World, variant: str) -> None:
    game = await snapshot(world, await world.game(uci("e2e4"), variant=variant))
    assert (game.info.variant, game.info.initial_fen) == (variant, "")
    assert game.state.fen.startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR")


@pytest.mark.parametrize(
    ("variant", "array"),
    [
        ("shatranj", "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"),
        ("antichess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        ("chaturanga", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
    ],
)
async def test_a_game_from_another_array_says_what_it_began_from(world: World, variant: str, array: str) -> None:
    game = await snapshot(world, await world.game(uci("e2e3"), variant=variant))
    assert (game.info.variant, game.info.initial_fen, game.moves[0].san) == (variant, array, "e3")


async def test_a_game_from_a_position_says_which(world: World) -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    game = await snapshot(world, await world.game(uci("e2e4"), fen=fen))
    assert game.info.initial_fen == fen


async def test_chance_draws_the_position_of_a_game_of_chess960(world: World) -> None:
    begun = [(await snapshot(world, await world.game(variant="chess960"))).info.initial_fen for _ in range(12)]
    assert len(set(begun)) > 6, "of 960 positions twelve games do not get the same few"
    for fen in begun:
        rank = fen.partition("/")[0]
        assert sorted(rank) == sorted("rnbqkbnr")
        assert rank.index("r") < rank.index("k") < rank.rindex("r")
    assert POSITIONS_960 == 960


async def test_a_chess960_game_from_a_position_has_that_one(world: World) -> None:
    fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"
    shown = (await snapshot(world, await world.game(variant="chess960", fen=fen))).info.initial_fen
    assert shown.partition(" ")[0] == fen.partition(" ")[0]


@pytest.mark.parametrize(
    ("variant", "fen", "moves", "reason"),
    [
        ("standard", "", "f2f3 e7e5 g2g4 d8h4", common_pb2.END_REASON_CHECKMATE),
        ("threeCheck", "", "e2e4 e7e5 d1h5 a7a6 h5f7", 0),
        ("threeCheck", "4k3/8/8/8/8/8/8/Q3K3 w - - 2+3 0 1", "a1a8 e8e7 a8a7", common_pb2.END_REASON_THIRD_CHECK),
        ("kingOfTheHill", "4k3/8/8/8/8/4K3/8/8 w - - 0 1", "e3e4", common_pb2.END_REASON_HILL),
        ("atomic", "", "g1f3 a7a6 f3e5 a6a5 e5f7", common_pb2.END_REASON_EXPLOSION),
        ("horde", "7k/8/8/8/8/8/R7/6R1 w - - 0 1", "a2h2", common_pb2.END_REASON_CHECKMATE),
        ("racingKings", "8/6K1/8/8/8/8/k7/8 w - - 0 1", "g7g8", common_pb2.END_REASON_RACE),
        ("shatranj", "7k/8/8/8/8/8/r7/R3K3 w - - 0 1", "a1a2", common_pb2.END_REASON_BARE_KING),
    ],
)
async def test_a_variant_ends_by_its_own_goal(world: World, variant: str, fen: str, moves: str, reason: int) -> None:
    played = [uci(move) for move in moves.split()]
    game = await snapshot(world, await world.game(*played, variant=variant, fen=fen, control=Unlimited()))
    assert game.state.outcome.reason == reason
    if reason:
        mover = (BLACK, WHITE)[len(played) % 2]
        assert (game.state.status, game.state.outcome.winner) == (events_pb2.GAME_STATUS_ENDED, mover)
    assert [move.uci for move in game.moves] == moves.split()


async def test_in_antichess_the_side_that_lost_everything_has_won(world: World) -> None:
    fen = "8/8/8/8/8/3r4/8/6R1 w - - 0 1"
    played = await world.game(uci("g1d1"), uci("d3d1"), variant="antichess", fen=fen, control=Unlimited())
    outcome = (await snapshot(world, played)).state.outcome
    assert (outcome.reason, outcome.winner) == (common_pb2.END_REASON_ALL_TAKEN, WHITE)


async def test_in_horde_the_side_that_took_everything_has_won(world: World) -> None:
    fen = "4k3/8/8/8/8/8/8/r2P4 w - - 0 1"
    played = await world.game(uci("d1d2"), uci("a1a2"), uci("d2d3"), uci("a2a3"), variant="horde", fen=fen)
    assert not (await snapshot(world, played)).state.HasField("outcome")
    played = await world.game(uci("d1d2"), uci("a1d1"), uci("d2d3"), uci("d1d3"), variant="horde", fen=fen)
    outcome = (await snapshot(world, played)).state.outcome
    assert (outcome.reason, outcome.winner) == (common_pb2.END_REASON_ALL_TAKEN, BLACK)


async def test_a_drop_comes_out_of_the_pocket(world: World) -> None:
    moves = [uci(move) for move in ["e2e4", "d7d5", "e4d5", "d8d5", "P@d6"]]
    game = await snapshot(world, await world.game(*moves, variant="crazyhouse"))
    assert (game.moves[-1].uci, game.moves[-1].san) == ("P@d6", "P@d6")


@pytest.mark.parametrize("colour", [WHITE, BLACK])
async def test_the_computer_is_met_in_every_variant(world: World, colour: common_pb2.Color) -> None:
    service = GameServiceStub(channel_to(world.first.servicer))
    for variant in ("chess960", "shatranj", "crazyhouse"):
        request = pb.CreateComputerGameRequest(
            player_id="anna",
            level=1,
            color=colour,
            variant=variant,
            rule_set=rule_set_to_pb(FIDE),
            time_control=common_pb2.TimeControl(unlimited=common_pb2.Unlimited()),
        )
        made = (await service.CreateComputerGame(request)).game
        assert (made.info.variant, bool(made.info.initial_fen)) == (variant, variant != "crazyhouse")
