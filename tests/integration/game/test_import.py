"""Games out of a PGN, read by the real rules: kept as their file has them, over from the first moment, nobody's."""

from collections.abc import AsyncIterator

import pytest

from services.domain.refusal import RefusalCode
from services.game.store.game_counts import GAMES_ACTIVE, count_once
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.game_pb2_grpc import GameServiceStub
from tests.integration.races.race_replicas import World, channel_to, racing

WHITE, BLACK, NOBODY = common_pb2.COLOR_WHITE, common_pb2.COLOR_BLACK, common_pb2.COLOR_UNSPECIFIED
MATE = "1. f3 e5 2. g4 Qh4# 0-1"
FOURTEEN_TIMES = "1. Nf3 Nf6 2. Ng1 Ng8 " + " ".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8" for n in range(3, 29, 2))
LEGALS_MATE = """[Event "Rated blitz game"]
[Site "https://example.org/abcd"]
[Date "2024.02.03"]
[UTCDate "2024.02.03"]
[UTCTime "04:05:06"]
[White "anna"]
[Black "Bo  Li"]
[WhiteTitle "GM"]
[Result "1-0"]
[TimeControl "300+3"]
[Termination "Normal"]

1. e4 { [%clk 0:05:03] } e5 { [%clk 0:05:02] } 2. Nf3 { a good move [%clk 0:05:04] } (2. f4 exf4) d6 { [%clk 0:05:01] }
3. Bc4 { [%clk 0:05:05] } Bg4 { [%clk 0:05:00] } 4. Nc3 { [%clk 0:05:06] } g6 { [%clk 0:04:59] }
5. Nxe5 { [%clk 0:05:01] } Bxd1 { [%clk 0:04:58] } 6. Bxf7+ { [%clk 0:05:02] } Ke7 { [%clk 0:04:57] }
7. Nd5# { [%clk 0:05:03] } 1-0
"""


@pytest.fixture
async def world(database_url: str, redis_url: str) -> AsyncIterator[World]:
    async with racing(database_url, redis_url, count=1, outage_gap_ms=30_000) as world:
        yield world


async def keep(world: World, pgn: str, player_id: str = "") -> pb.ImportGameResponse:
    service = GameServiceStub(channel_to(world.first.servicer))
    return await service.ImportGame(pb.ImportGameRequest(player_id=player_id, pgn=pgn.encode()))


async def snapshot(world: World, game_id: str, since: int = 0) -> pb.Snapshot:
    service = GameServiceStub(channel_to(world.first.servicer))
    answer = await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id, since_version=since)]))
    assert answer.results[0].HasField("snapshot"), answer
    return answer.results[0].snapshot


async def kept(world: World, pgn: str) -> pb.Snapshot:
    response = await keep(world, pgn)
    assert response.HasField("game"), response
    game = await snapshot(world, response.game.info.id)
    response.game.state.at_ms = game.state.at_ms  # the moment of the answer
    assert not response.game.info.tags, "they are in the whole game alone"
    response.game.info.tags.extend(game.info.tags)
    assert (game.info, game.state) == (response.game.info, response.game.state)
    assert len(game.moves) == game.state.ply
    return game


async def test_all_is_kept_as_the_file_has_it(world: World) -> None:
    game = await kept(world, LEGALS_MATE)
    info, state = game.info, game.state
    assert [move.san for move in game.moves][-3:] == ["Bxf7+", "Ke7", "Nd5#"]
    assert [move.clock_ms for move in game.moves][:4] == [303_000, 302_000, 304_000, 301_000]
    assert (info.source, info.rated, info.variant, info.initial_fen) == ("import", False, "standard", "")
    assert (info.time_control.clock.initial_ms, info.time_control.clock.increment_ms) == (300_000, 3_000)
    assert info.created_ms == 1_706_933_106_000
    assert [(player.id, player.name, player.title) for player in (info.white, info.black)] == [
        ("", "anna", "GM"),
        ("", "Bo Li", ""),
    ]
    assert (state.status, state.outcome.winner) == (events_pb2.GAME_STATUS_ENDED, WHITE)
    assert (state.outcome.reason, state.version) == (common_pb2.END_REASON_CHECKMATE, 1 + 13)
    assert (state.white_ms, state.black_ms, state.running, state.deadline_ms) == (303_000, 297_000, False, 0)
    assert (state.last_san, state.check, state.turn) == ("Nd5#", True, BLACK)
    assert state.fen.startswith("rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3/8/PPPP1PPP/R1BbK2R")


async def test_the_files_tags_are_kept_in_their_order_and_words(world: World) -> None:
    game = await kept(world, LEGALS_MATE)
    assert [(tag.name, tag.value) for tag in game.info.tags] == [
        ("Event", "Rated blitz game"),
        ("Site", "https://example.org/abcd"),
        ("Date", "2024.02.03"),
        ("UTCDate", "2024.02.03"),
        ("UTCTime", "04:05:06"),
        ("White", "anna"),
        ("Black", "Bo  Li"),
        ("WhiteTitle", "GM"),
        ("Result", "1-0"),
        ("TimeControl", "300+3"),
        ("Termination", "Normal"),
    ]
    assert not (await kept(world, MATE)).info.tags
    service = GameServiceStub(channel_to(world.first.servicer))
    ids = [game.info.id, await world.game(), (await kept(world, '[ECO "A00"]\n\n1. e4 1-0')).info.id, game.info.id]
    answer = await service.Fetch(pb.FetchRequest(items=[pb.FetchItem(game_id=game_id) for game_id in ids]))
    tags = [result.snapshot.info.tags for result in answer.results]
    assert [len(of_one) for of_one in tags] == [11, 0, 1, 11]
    assert (tags[2][0].name, tags[2][0].value) == ("ECO", "A00")


async def test_a_listener_gets_the_whole_game_whatever_it_has_seen(world: World) -> None:
    game = await kept(world, LEGALS_MATE)
    for since in (0, 1, 7, 13, 99):
        again = await snapshot(world, game.info.id, since)
        again.state.at_ms = game.state.at_ms
        assert again == game
    versions = await world.rows("SELECT version FROM game_event WHERE game_id = :id ORDER BY 1", id=game.info.id)
    assert versions == [(version,) for version in range(1, 15)]


MATED, FLAGGED = common_pb2.END_REASON_CHECKMATE, common_pb2.END_REASON_FLAG
UNKNOWN = common_pb2.END_REASON_UNKNOWN
ENDS = {
    "mate": (MATE, BLACK, MATED),
    "win": ("1. e4 e5 1-0", WHITE, UNKNOWN),
    "draw": ("1. e4 e5 1/2-1/2", NOBODY, UNKNOWN),
    "flag": ('[Result "0-1"]\n[Termination "Time forfeit"]\n\n1. e4 0-1', BLACK, FLAGGED),
    "clocks in part": ('[TimeControl "300+3"]\n\n1. e4 { [%clk 0:04:00] } e5 2. d4 1-0', WHITE, UNKNOWN),
    "no move": ('[White "A"]\n[Result "1-0"]\n\n1-0', WHITE, UNKNOWN),
    "repeated": (f"{FOURTEEN_TIMES} 0-1", BLACK, UNKNOWN),
    "150": ('[FEN "7k/8/6Q1/8/8/8/8/K7 w - - 149 99"]\n\n99. Qe6 Kh7 100. Qe7+ 1-0', WHITE, UNKNOWN),
    "dead": ('[FEN "7k/8/8/8/8/8/8/KN6 b - - 0 1"]\n\n1... Kg7 2. Na3 1-0', WHITE, UNKNOWN),
}
"""A PGN, who won, and by what. The board ends the first only."""


async def test_result_and_reason_are_the_files_and_no_draw_rule_cuts_it_short(world: World) -> None:
    for name, (pgn, winner, reason) in ENDS.items():
        game = await kept(world, pgn)
        assert (game.state.outcome.winner, game.state.outcome.reason) == (winner, reason), name
        assert game.state.version == 1 + game.state.ply + (reason != MATED), name
        assert game.info.time_control.HasField("unlimited"), name
        assert {move.clock_ms for move in game.moves} <= {0}, name


BEGINNINGS = (
    ("Crazyhouse", "", "1. e4 d5 2. exd5 Qxd5 3. P@e4 1-0", ""),
    ("Shatranj", "", "1. e3 e6 1-0", "rnbkqbnr/"),
    ("Chess960", "", "1. e4 e5 1-0", "rnbqkbnr/"),
    ("Chess960", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", "1. e4 e5 1-0", "bbqnnrkr/"),
    ("Standard", "4k3/8/8/8/8/8/4p3/K7 b - - 0 5", "5... e1=Q+ 6. Ka2 0-1", "4k3/8/8/8/8/8/4p3/K7 b - - 0 5"),
)
"""Variant, FEN and moves of a PGN, and how the FEN that is kept begins."""


async def test_a_variant_and_where_it_began(world: World) -> None:
    for variant, fen, moves, begins in BEGINNINGS:
        game = await kept(world, f'[Variant "{variant}"]\n' + (f'[FEN "{fen}"]\n' if fen else "") + f"\n{moves}")
        assert game.info.variant == variant.lower()
        assert game.info.initial_fen.startswith(begins)
        assert bool(game.info.initial_fen) is bool(begins)


REFUSED = {
    "nothing": ("", RefusalCode.MALFORMED, ""),
    "unfinished": ("1. e4 e5 *", RefusalCode.MALFORMED, "no result"),
    "two games": (f"{MATE}\n\n{MATE}", RefusalCode.MALFORMED, "game 2"),
    "illegal": ("1. e4 e5 2. Ke3 1-0", RefusalCode.ILLEGAL_MOVE, "Ke3"),
    "mate of the wrong side": ("1. f3 e5 2. g4 Qh4# 1-0", RefusalCode.MALFORMED, "0-1"),
    "too many tags": ("".join(f'[T{n} "{"ä" * 500}"]\n' for n in range(17)) + MATE, RefusalCode.LIMIT_REACHED, "tags"),
    "too large": (f"{MATE} {{{'x' * 300_000}}}", RefusalCode.LIMIT_REACHED, "bytes"),
}


async def test_what_is_no_one_finished_game_is_refused_and_nothing_is_kept(world: World) -> None:
    for name, (pgn, code, told) in REFUSED.items():
        refusal = (await keep(world, pgn)).refusal
        assert refusal.code == code, (name, refusal)
        assert told in refusal.message, (name, refusal)
    assert await world.rows("SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM game_event)") == [(0, 0)]


async def test_a_game_that_is_too_long_and_a_player_who_is_none_are_refused(database_url: str, redis_url: str) -> None:
    async with racing(database_url, redis_url, count=1, import_plies_max=4) as world:
        assert (await keep(world, MATE, "anna")).HasField("game")
        refusal = (await keep(world, "1. e4 e5 2. d4 d5 3. Nf3 1-0")).refusal
        assert (refusal.code, refusal.at) == (RefusalCode.LIMIT_REACHED, "pgn")
        assert (await keep(world, MATE, "nobody1")).refusal.code == RefusalCode.NOT_FOUND


async def test_it_is_nobodys_game_and_never_goes_on(world: World) -> None:
    game_id = (await keep(world, LEGALS_MATE, "anna")).game.info.id
    ask = GameServiceStub(channel_to(world.first.servicer))
    for player in ("anna", ""):
        assert not (await ask.ListGames(pb.ListGamesRequest(player_id=player))).games
        assert not (await ask.ListGames(pb.ListGamesRequest(player_id=player, ongoing=True))).games
    (account,) = (await ask.GetPlayers(pb.GetPlayersRequest(ids=["anna"]))).accounts
    assert (account.games, account.wins, account.playing) == (0, 0, 0)
    assert not (await ask.ListDeadlines(pb.ListDeadlinesRequest())).deadlines
    assert not (await ask.ListComputerTurns(pb.ListComputerTurnsRequest())).games
    assert (await ask.Sweep(pb.SweepRequest())).games_ended == 0
    await count_once(world.first.engine)
    assert [GAMES_ACTIVE.labels(mode)._value.get() for mode in ("clock", "correspondence", "unlimited")] == [0, 0, 0]
    assert await world.rows("SELECT (SELECT count(*) FROM outbox), (SELECT count(*) FROM player_event)") == [(0, 0)]
    for player, command in (
        ("anna", pb.Command(resign=pb.Resign())),
        ("anna", pb.Command(move=pb.Move(text="e8e7"))),
        ("", pb.Command(flag=pb.Flag(version=14))),
    ):
        command.game_id, command.player_id = game_id, player
        expected = RefusalCode.NOT_A_PLAYER if player else RefusalCode.GAME_OVER
        assert (await world.first.ask(command)).refusal.code == expected
    assert await world.version(game_id) == 14
