"""What a replay notices, and where it says that it is."""

import asyncio
import io
from collections.abc import Callable
from typing import Any

import chess
import httpx
import pytest

from bench import replay
from bench.pgn_games import Expected, read_games
from bench.replay import Played, compare, compare_end, replay_all

PGN = """\
[Event "One"]
[White "Ada"]
[Black "Bo"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "Two"]
[White "Cy"]
[Black "Di"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 31"]
[SetUp "1"]
[Result "1/2-1/2"]

31... Kd7 {a comment} 32. e4 (32. e3) Ke6 1/2-1/2

[Event "Three"]
[Variant "Atomic"]
[Result "1-0"]

1. Nf3 1-0
"""


@pytest.fixture
def games() -> list[Expected]:
    return list(read_games(io.StringIO(PGN)))


def state(game: Expected, ply: int, **other: Any) -> dict[str, Any]:
    """What the server should say after so many moves."""
    turn = "white" if game.fens[ply - 1].split()[1] == "w" else "black"
    return {
        "status": "started",
        "fen": game.fens[ply - 1],
        "lastMove": {"uci": game.moves[ply - 1].uci(), "san": game.sans[ply - 1]},
        "clock": {"white": 10_860_000, "black": 10_860_000, "running": turn},
        **other,
    }


def test_games_are_named_by_their_place_and_variants_left_out(games: list[Expected]) -> None:
    assert [game.name for game in games] == ["game 1 (line 1: Ada - Bo)", "game 2 (line 8: Cy - Di)"]
    assert games[0].where(7) == "game 1 (line 1: Ada - Bo), 4. Qxf7# (ply 7)"
    assert games[1].where(1) == "game 2 (line 8: Cy - Di), 31... Kd7 (ply 1)"
    assert games[1].where(2) == "game 2 (line 8: Cy - Di), 32. e4 (ply 2)"
    assert games[1].where(0) == games[1].name


def test_what_is_as_in_the_file_is_no_difference(games: list[Expected]) -> None:
    played = Played()
    compare(played, games[0], 1, state(games[0], 1))
    compare(played, games[0], 2, state(games[0], 2))
    assert (played.differences, played.moves) == ([], 2)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"fen": chess.STARTING_FEN}, "position"),
        ({"lastMove": {"uci": "e2e4", "san": "e3"}}, "move 'e3' and not 'e4'"),
        ({"lastMove": {"uci": "e2e3", "san": "e4"}}, "move 'e2e3' and not 'e2e4'"),
        ({"clock": {"white": 10_860_000, "black": 0, "running": "white"}}, "running clock 'white' and not 'black'"),
        ({"clock": {"white": 10_860_001, "black": 0, "running": "black"}}, "clock 10860001 ms"),
        ({"clock": {"white": 10_500_000, "black": 0, "running": "black"}}, "clock 10500000 ms"),
    ],
)
def test_a_difference_names_game_move_and_line(games: list[Expected], changed: dict[str, Any], said: str) -> None:
    played = Played()
    compare(played, games[0], 1, state(games[0], 1, **changed))
    (line,) = played.differences
    assert line.startswith("game 1 (line 1: Ada - Bo), 1. e4 (ply 1): ")
    assert said in line


def test_the_end_is_that_of_the_rules_or_else_of_the_file(games: list[Expected]) -> None:
    mate, open_end = games
    assert (mate.end(), open_end.end()) == ("checkmate", None)
    right: list[tuple[Expected, dict[str, Any]]] = [
        (mate, {"status": "ended", "winner": "white", "reason": "checkmate"}),
        (open_end, {"status": "ended", "winner": None, "reason": "agreement"}),
    ]
    for game, end in right:
        played = Played(moves=len(game.moves))
        compare_end(played, game, end)
        assert played.differences == []


@pytest.mark.parametrize(
    ("end", "moves", "said"),
    [
        ({"status": "ended", "winner": "black", "reason": "checkmate"}, 7, "result 0-1 and not 1-0"),
        ({"status": "ended", "winner": "white", "reason": "resignation"}, 7, "by resignation and not by checkmate"),
        ({"status": "ended", "winner": "white", "reason": "checkmate"}, 5, "over, of 7 moves"),
        ({"status": "aborted", "winner": None, "reason": "abort"}, 7, "'aborted' at the end"),
        ({}, 7, "None at the end"),
    ],
)
def test_another_end_is_a_difference(games: list[Expected], end: dict[str, Any], moves: int, said: str) -> None:
    played = Played(moves=moves)
    compare_end(played, games[0], end)
    (line,) = played.differences
    assert line.startswith("game 1 (line 1: Ada - Bo), ")
    assert said in line


def unreadable(moves: str, headers: str = "") -> Expected:
    (game,) = read_games(io.StringIO(f'[White "Ada"]\n[Black "Bo"]\n{headers}[Result "1-0"]\n\n{moves} 1-0\n'))
    return game


def test_a_game_that_cannot_be_read_to_its_end_says_so() -> None:
    cut = unreadable("1. e4 e5 2. Ke4 Nc6 3. Bc4")
    assert cut.sans == ["e4", "e5"]
    (error,) = cut.errors
    assert "Ke4" in error
    none = unreadable("1. Ke4")
    assert (none.sans, len(none.errors)) == ([], 1)
    placeless = unreadable("1. e4", '[SetUp "1"]\n[FEN "no such position"]\n')
    assert placeless.moves == []
    assert placeless.errors


class Server:
    """The REST API as far as a replay uses it."""

    def __init__(self, guests: int = 1_000_000) -> None:
        self.paths: list[str] = []
        self.guests_left = guests
        self.busy: list[int] = []
        """Status codes of the next answers to new challenges."""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.paths.append(request.url.path)
        number = len(self.paths)
        if request.url.path == "/api/flagfall/guests":
            self.guests_left -= 1
            if self.guests_left < 0:
                return httpx.Response(429, headers={"Retry-After": "3600"}, json={"code": "limit_reached"})
            return httpx.Response(200, json={"token": f"token{number}"})
        if request.url.path == "/api/challenge/open" and self.busy:
            return httpx.Response(self.busy.pop(), headers={"Retry-After": "0"}, json={"code": "busy"})
        return httpx.Response(200, json={"id": f"game{number}"})

    def count(self, end: str) -> int:
        return sum(path.endswith(end) for path in self.paths)


Followed = list[tuple[str, tuple[str, str]]]


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> Followed:
    """Games that were made and would now be played: their names and players."""
    seen: Followed = []

    async def follow(_: Played, game: Expected, url: str, tokens: tuple[str, str], game_id: str) -> None:
        await asyncio.sleep(0)  # the others' turn
        seen.append((game.name, tokens))

    monkeypatch.setattr(replay, "follow", follow)
    return seen


async def lines_of(games: list[Expected], server: Callable[[httpx.Request], httpx.Response], at_once: int) -> list[str]:
    results = await replay_all(games, "http://bench", at_once, httpx.MockTransport(server))
    assert len(results) == len(games)
    return [line for played in results for line in played.differences]


async def test_many_games_need_two_guests_for_each_that_is_played_at_once(
    games: list[Expected], followed: Followed
) -> None:
    server = Server()
    assert await lines_of(games[:1] * 200, server, 3) == []
    assert (len(followed), server.count("/accept"), server.count("/guests")) == (200, 200, 6)
    assert len({players for _, players in followed}) == 3


async def test_where_guests_run_out_the_others_play_on(games: list[Expected], followed: Followed) -> None:
    (line,) = await lines_of(games[:1] * 20, Server(guests=3), 2)
    assert line.startswith("game 1 (line 1: Ada - Bo): not played: POST /api/flagfall/guests: 429")
    assert len(followed) == 19
    followed.clear()
    lines = await lines_of(games[:1] * 20, Server(guests=0), 2)
    assert (len(lines), followed) == (20, [])


async def test_a_request_is_repeated_when_the_server_says_when(games: list[Expected], followed: Followed) -> None:
    server = Server()
    server.busy = [503, 429]
    assert await lines_of(games, server, 1) == []
    assert (len(followed), server.count("/open")) == (2, 4)


async def test_a_server_that_gives_no_game_is_a_difference_of_each_game(
    games: list[Expected], followed: Followed
) -> None:
    server = Server()
    server.busy = [500]
    (line,) = await lines_of(games, server, 1)
    assert line.startswith("game 1 (line 1: Ada - Bo): not played: POST /api/challenge/open: 500")
    assert [name for name, _ in followed] == [games[1].name]

    def gone(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("nobody there")

    assert [line for line in await lines_of(games, gone, 1) if "nobody there" in line]
    (odd,) = await lines_of(games[:1], lambda _: httpx.Response(200, text="<html>"), 1)
    assert "no 'token' in '<html>'" in odd


async def test_what_cannot_be_read_is_a_difference(followed: Followed) -> None:
    (cut,) = await lines_of([unreadable("1. e4 e5 2. Ke4 Nc6")], Server(), 1)
    assert "cannot be read: " in cut
    assert "Ke4" in cut
    assert len(followed) == 1
    assert len(await lines_of([unreadable("1. Ke4")], Server(guests=0), 1)) == 1
    assert len(followed) == 1
