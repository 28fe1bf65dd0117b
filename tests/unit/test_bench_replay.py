"""What a replay notices, and where it says that it is."""

import io
from typing import Any

import chess
import pytest

from bench.replay import Expected, Played, compare, compare_end, read_games

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
